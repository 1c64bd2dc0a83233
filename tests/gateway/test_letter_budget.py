"""Room for dead letters: who sends what is refused is disconnected before the disk is full, and nothing is dropped."""

import os
import time
from collections import Counter
from pathlib import Path

import pytest

from consumers.gateway.clients import CONSOLE, Client
from consumers.gateway.letter_budget import HOUR, MEGABYTE, LetterBudget, LetterLimits
from consumers.gateway.letter_records import LETTER_BYTES, Letter
from tests.gateway import hostile, socket_clients
from tests.gateway.admitted import run
from tests.gateway.kills import nursery
from tests.gateway.nursery import Nursery
from tests.gateway.socket_clients import DAY, MORE_MEGABYTES, Start, attacked, honest, letters, memory, sending, start
from tests.gateway.test_commands import assert_whole
from tests.gateway.test_unsaid import told

__all__ = ["nursery", "start"]

NOW = 5 * HOUR + 7
HALF = Letter("socket 1", 1, "unreadable", "x", b"x" * (MEGABYTE // 2 - LETTER_BYTES - 1), NOW)
ANN, BOB = Client("socket 1", uid=1007), Client("socket 2", uid=1008)

# limits: client, all, free | free now, MB | what was kept this hour before a start, MB | who sends half a megabyte
#   | the words with which the last of them is refused; nothing: it is kept
BUDGETS = [
    ("1 9 0", 50, 0, [ANN, ANN], ""),
    ("1 9 0", 50, 0, [ANN, ANN, ANN], "dead letters of user 1007 at the socket are limited to 1 MB an hour"),
    ("1 9 0", 50, 0, [ANN, ANN, Client("socket 9", uid=1007)], "user 1007 at the socket are limited to 1 MB an hour"),
    ("1 9 0", 50, 0, [ANN, ANN, BOB], ""),
    ("1 9 0", 50, 0, [CONSOLE] * 5, ""),
    ("9 1 0", 50, 0, [ANN, BOB, BOB], "all dead letters together are limited to 1 MB an hour"),
    ("9 1 0", 50, 0, [CONSOLE, CONSOLE, ANN], "all dead letters together are limited to 1 MB an hour"),
    ("9 2 0", 50, 2, [ANN], "all dead letters together are limited to 2 MB an hour, and this line exceeds that"),
    ("9 9 50", 50, 0, [ANN], ""),
    ("9 9 51", 50, 0, [ANN], "the gateway's disk has 50 MB free, and 51 MB are reserved for facts"),
    ("9 9 51", 50, 0, [CONSOLE], ""),
]


@pytest.mark.parametrize("row", BUDGETS, ids=[f"{row[0]}: {row[4] or 'kept'}" for row in BUDGETS])
def test_a_budget_refuses_what_it_has_no_room_for(row: tuple[str, int, int, list[Client], str]) -> None:
    limits, free, before, clients, says = row
    kept_before = {5 * HOUR: Counter({"": before * MEGABYTE})}
    budget = LetterBudget(
        LetterLimits(*map(int, limits.split())), lambda: free * MEGABYTE, lambda since: kept_before[since], NOW
    )
    *first, last = [budget.refuses(client, HALF, NOW) for client in clients]
    assert not any(first)
    assert (says in last) if says else not last


def test_an_hour_later_there_is_room_again() -> None:
    budget = LetterBudget(LetterLimits(1, 1, 0), lambda: 0, lambda _: Counter(), NOW)
    refused = [budget.refuses(ANN, HALF, NOW) for _ in range(3)]
    assert refused[2].endswith("correct the refused lines, or send this one after 06:00 UTC")
    assert not budget.refuses(ANN, HALF, 6 * HOUR)


BIG = [b"%d" % number + b"x" * (hostile.MEGABYTE - 2000) for number in range(4)]


def refused(folder: Path, *sent: bytes) -> tuple[int, str]:
    """A client's answer to these lines: how many were taken, and why it is disconnected."""
    with socket_clients.Client(folder) as client, sending(client, b"\n".join(sent) + b"\n"):
        says = client.hears_out()
        return client.taken, says


def test_a_client_beyond_its_budget_is_disconnected_and_keeps_its_lines(
    start: Start, nursery: Nursery, tmp_path: Path
) -> None:
    """The lines that were taken are letters; the count shows the first that was not; the others continue."""
    gateway = start("--client-letters-mb", 2)
    with socket_clients.Client(tmp_path) as device:
        device.talks(honest()[:3])
        with (
            socket_clients.Client(tmp_path) as flood,
            sending(flood, b"\n\n" + b"\n".join([*BIG, honest()[3]]) + b"\n"),
        ):
            says = flood.hears_out()
            assert flood.taken == 4, "two empty lines and two letters"
        assert says.startswith(f"dead letters of user {os.getuid()} at the socket are limited to 2 MB an hour")
        for _ in range(3):
            assert refused(tmp_path, BIG[3]) == (0, says)
        device.talks(honest()[3:])
    gateway.ask_to_end()
    assert gateway.wait() == 0
    assert len(letters(nursery, tmp_path)) == 2
    assert_whole(tmp_path / "pit", DAY)
    assert told(tmp_path / "pit") == 4, "each time it was disconnected is counted on record"
    status, said = nursery.run("watch", "--once", "--data", tmp_path / "pit")
    assert status == 1
    assert "there was no room for another dead letter, so the client was disconnected and its lines refused." in said


@pytest.mark.parametrize(("option", "whose"), [("--all-letters-mb", "all dead"), ("--client-letters-mb", "of user ")])
def test_a_gateway_that_starts_again_knows_what_the_hour_has_taken(
    start: Start, tmp_path: Path, option: str, whose: str
) -> None:
    first = start(option, 2)
    assert whose in refused(tmp_path, *BIG)[1]
    first.kill()
    assert first.wait() == -9
    second = start(option, 2)
    if time.time() % 3600 < 3590:  # the hour is still the same
        taken, says = refused(tmp_path, BIG[2])
        assert (taken, whose in says) == (0, True)
    assert second.wait(0) is None


def test_a_disk_that_is_nearly_full_is_said_and_takes_facts_alone(
    start: Start, nursery: Nursery, tmp_path: Path
) -> None:
    gateway = start("--free-disk-mb", 10**9)
    with socket_clients.Client(tmp_path) as device:
        device.talks(honest()[:3])
        assert "MB free, and 1,000,000,000 MB are reserved for facts" in refused(tmp_path, b"junk")[1]
        device.talks(honest()[3:])
    assert letters(nursery, tmp_path) == []
    assert "Warning: the gateway's disk has" in gateway.told.read_text()
    gateway.ask_to_end()
    assert gateway.wait() == 0
    assert_whole(tmp_path / "pit", DAY)


def test_the_console_is_not_counted_against_a_budget_of_a_client(start: Start, tmp_path: Path) -> None:
    start("--free-disk-mb", 10**9)
    ran = run("ingest", "--data", tmp_path / "pit", "-", given=b"junk\nmore\n")
    assert ran.exit_code == 1
    assert "2 dead letters" in ran.stderr


def test_under_all_attacks_beyond_the_budget_the_memory_stays_and_a_device_is_heard(
    start: Start, tmp_path: Path
) -> None:
    gateway = start("--client-letters-mb", 1)
    rest = memory(gateway, "VmRSS")
    with socket_clients.Client(tmp_path) as device:
        device.talks(honest()[:1])
        with attacked(tmp_path):
            device.talks(honest()[1:])
            assert memory(gateway, "VmHWM") - rest < MORE_MEGABYTES
    size = sum(path.stat().st_size for path in (tmp_path / "pit/gateway").glob("dead-letters.sqlite*"))
    assert size < 8 * MEGABYTE
