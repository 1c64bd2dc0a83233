"""Attacks on the gateway's socket, each by a client written with plain sockets, and an honest device beside them.

What an attack is to reach stands beside it: to stop the others, to fill the memory, or to have something vanish.
"""

import re
import socket
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from consumers.gateway.making_room import SILENT
from tests.gateway import hostile
from tests.gateway.floor import day, lines
from tests.gateway.kills import nursery
from tests.gateway.nursery import Nursery
from tests.gateway.socket_clients import (
    ANSWER_SECONDS,
    DAY,
    END_SECONDS,
    Client,
    Start,
    attacked,
    honest,
    letters,
    sending,
    start,
)
from tests.gateway.test_commands import assert_whole

__all__ = ["nursery", "start"]

LIMIT = 8


def again(line: bytes, cents: int) -> bytes:
    """The same key for another amount."""
    changed = re.sub(rb'"cents":\d+', b'"cents":%d' % cents, line)
    assert changed != line
    return changed


MEGABYTES = [b"%d" % number + b"x" * hostile.MEGABYTE for number in range(9)]
REPEATED = lines(day("T8"))[:3]
CHANGED = [again(REPEATED[2], cents) for cents in range(2000, 5000)]


class Attack(NamedTuple):
    """Lines that are to reach something, and what is said of each of them that is kept."""

    name: str
    aim: str
    lines: list[bytes]
    says: str
    kept: int


ATTACKS = [
    Attack("deep nesting", "to exhaust the stack", [hostile.NESTED] * 2, "nested deeper than 100", 2),
    Attack("texts without an end", "quadratic time", [hostile.UNCLOSED] * 2, "nested deeper than 100", 2),
    Attack("brackets in pairs", "slow counting", [b"[]" * 490_000] * 2, "and a fact is one JSON object", 2),
    Attack(
        "a line without an end", "memory", [b"".join(MEGABYTES)], "a piece of a line longer than 1,000,000 bytes", 9
    ),
    Attack("lines of a megabyte", "memory", MEGABYTES, "unreadable", 9),
    Attack("a fact behind a long line", "a fact of a piece", [b" " * 1_000_002 + REPEATED[0]], "a piece of a line", 1),
    Attack("a number of 900,000 digits", "quadratic time", [hostile.LONG_NUMBER] * 2, "more than 1,000 digits", 2),
    Attack(
        "an exponent beyond measure",
        "memory",
        [hostile.EXPONENT] * 2,
        "cents is 1e999999999, and an amount is in whole cents",
        2,
    ),
    Attack("a fraction of 900,000 digits", "quadratic time", [hostile.FINE_FRACTION] * 2, "more than 1,000 digits", 2),
    Attack("an event of 300,000 lists", "memory", [hostile.EVENT_BOMB] * 2, "wager-placed.1 has no field 'a'", 2),
    Attack(
        "an event of 80,000 names", "quadratic look-ups", [hostile.EVENT_OF_NAMES] * 2, "wager-placed.1 has no field", 2
    ),
    Attack("bytes that are no text", "a crash", list(hostile.garbage(3000)), "unreadable", 3000),
    Attack("empty lines", "turns for nothing", [b""] * 500_000, "", 0),
    Attack("one key for everything", "one fact for another", [*REPEATED, *CHANGED], "use each key once", 3000),
    Attack("one fact again and again", "the same fact twice", [*REPEATED, *[REPEATED[2]] * 5000], "", 0),
]


@pytest.mark.parametrize("attack", ATTACKS, ids=[f"{each.name}: {each.aim}" for each in ATTACKS])
def test_every_attack_is_answered_or_kept_and_an_honest_device_is_heard_meanwhile(
    start: Start, nursery: Nursery, tmp_path: Path, attack: Attack
) -> None:
    gateway = start()
    sent = b"\n".join(attack.lines) + b"\n"
    with Client(tmp_path) as device, Client(tmp_path) as attacker, sending(attacker, sent):
        device.talks(honest())
        attacker.hears_until(len(attack.lines))
    gateway.ask_to_end()
    assert gateway.wait(END_SECONDS) == 0
    found = letters(nursery, tmp_path)
    assert len(found) == attack.kept
    assert all(attack.says in one and ".2:" in one for one in found), found[-1]
    lawful = {"T8/2026-11-18": REPEATED} if attack.lines[0] == REPEATED[0] else {}
    assert_whole(tmp_path / "pit", DAY | lawful)


def test_who_floods_keeps_nobody_waiting(start: Start, tmp_path: Path) -> None:
    """Between an honest line and its answer few lines of four floods are taken, however many they have sent."""
    start()
    device = Client(tmp_path)
    device.talks(honest()[:1])
    floods = [Client(tmp_path) for _ in range(4)]
    sent = b"".join(b"x%d\n" % number for number in range(60_000))
    listening = [threading.Thread(target=_listens, args=(each,)) for each in floods]
    sends = [threading.Thread(target=_sends, args=(each, sent)) for each in floods]
    for thread in listening + sends:
        thread.start()
    while not all(each.taken for each in floods):
        time.sleep(0.001)
    for line in honest()[1:12]:
        before = sum(each.taken for each in floods)
        device.talks([line])
        assert sum(each.taken for each in floods) - before < 1000
    assert all(0 < each.taken < 60_000 for each in floods), "the floods go on all the while"
    least, *_, most = sorted(each.taken for each in floods)
    assert most - least <= 2000, "and no flood is before another"
    for each in floods:
        each.socket.shutdown(socket.SHUT_RDWR)
    for thread in listening + sends:
        thread.join(60)
    for each in (device, *floods):
        each.__exit__()


def _listens(client: Client) -> None:
    with suppress(OSError):
        client.hears_out()


def _sends(client: Client, sent: bytes) -> None:
    with suppress(OSError):
        client.sends(sent)


def test_whoever_holds_all_connections_and_says_nothing_makes_room(start: Start, tmp_path: Path) -> None:
    """Idle clients kept others out forever. A client that speaks stays; one in the middle of a line leaves last."""
    start("--clients", LIMIT)
    with ExitStack() as opened:
        device, *held = [opened.enter_context(Client(tmp_path)) for _ in range(LIMIT)]
        held[0].sends(b'{"type":')
        time.sleep(SILENT + 0.5)
        device.talks(honest()[:1])
        for number, one in enumerate((*held[1:], held[0]), 1):
            opened.enter_context(Client(tmp_path)).talks(honest()[number : number + 1])
            assert one.hears_out().startswith(f"all {LIMIT} connections are taken, and this one was silent for longest")
            device.talks([b"junk"])
        assert [one.taken for one in held] == [1, *[0] * (LIMIT - 2)], "the half line is a dead letter"


def test_a_connection_beyond_the_limit_is_told_so_and_those_that_speak_stay(start: Start, tmp_path: Path) -> None:
    """Without a limit each connection takes memory and a descriptor until there are none."""
    start("--clients", LIMIT)
    with ExitStack() as opened:
        held = [opened.enter_context(Client(tmp_path)) for _ in range(LIMIT + 4)]  # four more of the gateway's account
        for number in range(10):
            for each in held:
                each.talks([b"junk"])
            with Client(tmp_path) as one_too_many:
                assert one_too_many.hears_out() == f"the limit of {LIMIT} clients is reached: try again later"
            held[0].talks(honest()[number : number + 1])
        for each in held[1:]:
            each.__exit__()
        with Client(tmp_path) as another:
            another.talks(honest()[10:11])


def test_who_comes_and_goes_leaves_nothing_behind(start: Start, tmp_path: Path) -> None:
    """A descriptor or a thread that is left of each would be the last one some day."""
    gateway = start()
    with Client(tmp_path) as device:
        device.talks(honest()[:1])
        before = len(list(Path(f"/proc/{gateway.pid}/fd").iterdir()))
        with attacked(tmp_path, "coming and going", "half a line, then gone"):
            device.talks(honest()[1:])
        until = time.monotonic() + ANSWER_SECONDS
        while len(list(Path(f"/proc/{gateway.pid}/fd").iterdir())) > before:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert len(list(Path(f"/proc/{gateway.pid}/task").iterdir())) == 1


def test_half_a_line_and_then_gone_is_kept(start: Start, nursery: Nursery, tmp_path: Path) -> None:
    """A fragment from a client that vanished could be a fact."""
    start()
    with Client(tmp_path) as attacker:
        attacker.sends(b'{"type":"wager-placed.1","sea')
    with Client(tmp_path) as device:
        device.talks(honest())
    (letter,) = letters(nursery, tmp_path)
    assert ".1:1  unreadable: it is not JSON" in letter


def test_who_holds_half_a_line_is_cut_off_and_who_is_silent_between_lines_stays(
    start: Start, nursery: Nursery, tmp_path: Path
) -> None:
    """A byte now and then would hold a place forever; a device may well be silent between two rounds."""
    start("--half-line-seconds", 0.5, "--unread-seconds", 0.5)
    with Client(tmp_path) as device, Client(tmp_path) as attacker:
        device.talks(honest()[:3])
        attacker.sends(b'first\n{"type":')
        began = time.monotonic()
        with suppress(ConnectionError):
            while time.monotonic() < began + ANSWER_SECONDS:
                attacker.sends(b"x")
                time.sleep(0.05)
        assert 0.5 < time.monotonic() - began < ANSWER_SECONDS
        assert attacker.hears_out() == "the line did not end within 0.5 seconds"
        assert attacker.taken == 2, "the half line was taken too, as a dead letter"
        device.talks(honest()[3:])
    first, half = letters(nursery, tmp_path)
    assert ".2:1  unreadable: it is not JSON" in first
    assert ".2:2  unreadable: the line did not end within 0.5 seconds" in half


def test_a_line_without_an_end_is_cut_off_however_fast_it_comes(start: Start, tmp_path: Path) -> None:
    """Otherwise one client has a place and a turn forever, and fills the dead letters with one line."""
    # A fast machine sends more in half a second than the letters of a client may take in an hour.
    start("--half-line-seconds", 0.5, "--client-letters-mb", 10_000, "--all-letters-mb", 10_000)
    with Client(tmp_path) as device, Client(tmp_path) as attacker:
        device.talks(honest()[:3])
        until = time.monotonic() + ANSWER_SECONDS
        with suppress(ConnectionError):
            while time.monotonic() < until:
                attacker.sends(b"x" * 100_001)
        assert attacker.hears_out() == "the line did not end within 0.5 seconds"
        assert attacker.taken == 1
        device.talks(honest()[3:])


def test_who_never_reads_an_answer_is_cut_off(start: Start, nursery: Nursery, tmp_path: Path) -> None:
    """Such a client would hold its place forever, and each answer would be tried again every time."""
    start("--unread-seconds", 0.5)
    with Client(tmp_path) as device, Client(tmp_path) as attacker:
        sent = 0
        until = time.monotonic() + ANSWER_SECONDS
        with suppress(ConnectionError):
            while time.monotonic() < until:
                attacker.sends(b"x%d\n" % sent)
                sent += 1
                time.sleep(0.001)
        assert time.monotonic() < until
        device.talks(honest())
        attacker.hears_out()
    kept = len(letters(nursery, tmp_path))
    assert 0 < attacker.taken <= kept <= sent, "all that was told is there"
