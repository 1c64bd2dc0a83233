"""Entries the gateway owes about refusals and clocks: no kill loses one, and none is written twice."""

import json
import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.gateway import Gateway, InputLine
from consumers.gateway.keys import KeyStore
from consumers.gateway.outbox import Outbox
from domain.facts.codec import decode
from tests.gateway.admitted import OPENED, begin, run
from tests.gateway.floor import START, day, lines
from tests.gateway.kills import nursery
from tests.gateway.nursery import Nursery
from tests.gateway.socket_clients import Client
from tests.gateway.test_commands import streams
from tests.gateway.test_gateway import MemoryLog

__all__ = ["nursery"]

KILLED = -9
SAID = lines(day(rounds=1))


def told(pit: Path) -> int:
    """The number of refusals on record."""
    facts = [
        json.loads(stored) for name, held in streams(pit).items() if name.startswith("property") for stored in held
    ]
    return sum(fact.get("count", 1) for fact in facts if fact["type"] == "input-refused.1")


def kept(pit: Path) -> int:
    """Number of letters of refused inputs."""
    with closing(sqlite3.connect(pit / "gateway/dead-letters.sqlite")) as db:
        return int(db.execute("SELECT count(*) FROM dead_letters").fetchone()[0])


def test_a_gateway_killed_before_any_one_statement_tells_of_each_letter_once(nursery: Nursery, tmp_path: Path) -> None:
    """The clients are silent afterwards: the entries follow from the letters that were kept."""
    begun = tmp_path / "begun"
    begin(begun, "office")
    (tmp_path / "refused").write_bytes(b"\n".join(SAID[:3]) + b"\n")
    statement, status, letters = 0, KILLED, set()
    while status == KILLED:
        statement += 1
        pit = tmp_path / f"pit-{statement}"
        shutil.copytree(begun, pit)
        ran = nursery.start(
            "ingest", "--data", pit, tmp_path / "refused", die_at=statement, since="INSERT INTO dead_letters"
        )
        status = ran.wait() or 0
        assert status in (1, KILLED), ran.told.read_text()
        assert run("ingest", "--data", pit, "-").exit_code == 0
        assert told(pit) == kept(pit), f"died before statement {statement}"
        letters.add(kept(pit))
    assert statement > 12
    assert letters == {0, 3}
    assert run("ingest", "--data", tmp_path / "pit-1", tmp_path / "refused").exit_code == 1
    for _ in range(2):
        assert (told(tmp_path / "pit-1"), kept(tmp_path / "pit-1")) == (3, 3)
        assert run("ingest", "--data", tmp_path / "pit-1", tmp_path / "refused").exit_code == 1


def test_what_waits_for_its_minute_is_told_by_the_next_gateway_after_a_kill(nursery: Nursery, tmp_path: Path) -> None:
    pit = tmp_path / "pit"
    begin(pit)

    def gateway() -> Any:
        (tmp_path / "sock").unlink(missing_ok=True)
        started = nursery.start("gateway", "--data", pit, "--socket", tmp_path / "sock")
        while not (tmp_path / "sock").exists():
            assert started.wait(0) is None, started.told.read_text()
            time.sleep(0.01)
        return started

    first = gateway()
    with Client(tmp_path) as stranger:
        stranger.talks(SAID[1:6])
    first.kill()
    assert first.wait() == KILLED
    assert (told(pit), kept(pit)) == (1, 5)
    second = gateway()
    until = time.monotonic() + 60
    while told(pit) < 5:
        assert time.monotonic() < until
        time.sleep(0.05)
    second.ask_to_end()
    assert second.wait() == 0
    assert told(pit) == 5
    status, said = nursery.run("watch", "--once", "--data", pit)
    assert (status, said.count("no such source is registered")) == (1, 2), said


def test_the_same_line_refused_by_four_gateways_one_after_the_other_is_told_four_times(
    nursery: Nursery, tmp_path: Path
) -> None:
    """Each start counted its connections from one, so that three of four refusals were one and the same."""
    pit = tmp_path / "pit"
    begin(pit)
    for start in range(1, 5):
        (tmp_path / "sock").unlink(missing_ok=True)
        gateway = nursery.start("gateway", "--data", pit, "--socket", tmp_path / "sock")
        while not (tmp_path / "sock").exists():
            assert gateway.wait(0) is None, gateway.told.read_text()
            time.sleep(0.01)
        with Client(tmp_path) as stranger:
            stranger.talks(SAID[1:2])
        gateway.ask_to_end()
        assert gateway.wait() == 0
        assert (told(pit), kept(pit)) == (start, start)
    with closing(sqlite3.connect(pit / "gateway/dead-letters.sqlite")) as db:
        names = [name for (name,) in db.execute("SELECT came_from FROM dead_letters")]
    assert len(set(names)) == 4
    assert all(name.startswith(f"user {os.getuid()}, socket ") for name in names)


class House:
    """A gateway that is opened again and again on one folder, with a clock that is set by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log, self.now, self.ticks = folder, MemoryLog(), START, 0
        self.gateway = self.opened()

    def opened(self) -> Gateway:
        letters = DeadLetters(self.folder / "dead.sqlite")
        outbox, keys = Outbox(self.folder / "outbox.sqlite"), KeyStore(self.folder / "keys")
        return Gateway(outbox, self.log, keys, letters, lambda: self.now, ticks=lambda: self.ticks)

    def again(self) -> None:
        """Start the gateway again after a kill."""
        self.gateway.outbox.close()
        self.gateway.letters.close()
        self.gateway = self.opened()

    def takes(self, *stored: bytes) -> None:
        self.gateway.take([InputLine("file", number, one) for number, one in enumerate(stored, 1)])

    def corrected(self) -> list[tuple[str, int, int]]:
        facts = [json.loads(stored) for stored in self.log.stream("property/2026-11-18")]
        found = [fact for fact in facts if fact["type"] == "clock-corrected.1"]
        return [(one["clock"], one["off_by_us"], one.get("set_aside", 0)) for one in found]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def noted(key: str, at: int) -> bytes:
    fact = {"type": "noted.1", "text": "x", "source": "T7-pit", "stream": "T7", "at": at, "source_key": key}
    return json.dumps(fact).encode()


def test_how_far_a_clock_was_off_is_told_after_a_kill(house: House) -> None:
    opened = json.dumps(json.loads(OPENED) | {"ahead_seconds": 60}).encode()
    house.takes(opened, SAID[0])
    house.takes(*(noted(str(number), START + 90_000_000) for number in range(3)))
    house.again()
    assert house.corrected() == []
    house.takes(noted("9", START))
    house.again()
    house.takes(noted("10", START))
    assert house.corrected() == [("T7-pit", 90_000_000, 3)]


def test_a_clock_that_was_set_while_no_day_was_open_is_told_after_a_kill(house: House) -> None:
    house.now += 5_000_000
    house.gateway.seal_quiet()
    house.again()
    house.takes(OPENED)
    house.again()
    house.gateway.seal_quiet()
    assert house.corrected() == [("gateway", -5_000_000, 0)]


def test_what_could_not_be_told_because_no_day_was_open_is_told_once_there_is_one(house: House) -> None:
    house.takes(json.dumps(json.loads(SAID[1]) | {"source": "gateway"}).encode())
    house.again()
    house.takes(OPENED)
    house.again()
    house.gateway.seal_quiet()
    rules = [decode(stored) for stored in house.log.stream("property/2026-11-18")]
    assert [getattr(fact, "rule", "") for fact in rules] == ["", "gateways-own"]
