"""Watchers of an embedded record killed at random moments, several at once, while facts keep coming."""

import random
import signal
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from consumers.logs.log import NoPlaceError, StoredFact, place_of
from consumers.logs.sqlite import SqliteLog
from domain.facts.codec import UnreadableFactError, decode
from tests.gateway.nursery import Nursery
from tests.watching.pits import Pit, delay, junk, lose, spoilt
from tests.watching.storm import Storm, faults


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    with Nursery(tmp_path, {"XDG_STATE_HOME": str(tmp_path)}) as started:
        yield started


class Embedded:
    """A record in a data folder, written to beside its watchers."""

    def __init__(self, folder: Path) -> None:
        self.options = ("--data", str(folder))
        self._folder = folder
        self._log = SqliteLog(folder / "record/facts.sqlite", create=True)
        self._junk = 0

    def append(self, facts: Sequence[bytes]) -> None:
        self._log.append([self._row(stored) for stored in facts])

    def findings(self) -> list[bytes]:
        file = self._folder / "record/findings.sqlite"
        if not file.exists():
            return []
        log = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        try:
            return [stored for (stored,) in log.execute("SELECT state FROM facts ORDER BY position")]
        except sqlite3.OperationalError:
            return []  # its table is not there yet
        finally:
            log.close()

    def close(self) -> None:
        self._log.close()

    def _row(self, stored: bytes) -> StoredFact:
        """An embedded log gives each place away once; what is no fact stands at a place of its own."""
        try:
            decode(stored)
            return place_of(stored)
        except (UnreadableFactError, NoPlaceError):
            self._junk += 1
            return StoredFact("junk", self._junk, "junk", stored)


PIECES = 30
_APPENDS = "DELETE FROM"  # how the embedded log takes its write lock, before it looks and inserts


def test_watchers_that_die_fifty_times_in_the_midst_of_writing_write_what_an_undisturbed_one_writes(
    nursery: Nursery, tmp_path: Path
) -> None:
    """Each dies by a SIGKILL of its own before one statement of what it appends; the next takes over where that was.

    Facts come piece by piece, and up to four in a row die of one, each time a little later.
    """
    facts = spoilt(5, Pit(5, tables=3, days=2, rounds=3).record(), kinds=(delay, junk))
    site = Embedded(tmp_path / "pit")
    chance = random.Random(5)  # noqa: S311 - the same kills every time
    kills = half_written = 0
    try:
        for piece in range(PIECES):
            site.append(facts[len(facts) * piece // PIECES : len(facts) * (piece + 1) // PIECES])
            for again in range(1, 5):
                there, dies = len(site.findings()), chance.randint(1, 12 * again)
                watcher = nursery.start("watch", *site.options, "--once", die_at=dies, since=_APPENDS)
                if watcher.wait() != -signal.SIGKILL:
                    assert watcher.status in (0, 1), watcher.told.read_text()
                    break
                kills += 1
                half_written += len(site.findings()) > there
        status, said = nursery.run("watch", *site.options, "--once")
        assert status in (0, 1), said
        assert faults(site.findings(), facts) == []
    finally:
        site.close()
    assert kills >= 50, kills
    assert half_written >= 20, half_written


def test_watchers_killed_and_doubled_write_what_an_undisturbed_one_writes(nursery: Nursery, tmp_path: Path) -> None:
    """A gateway's log holds no two facts at one place; the rest of what can be wrong is there."""
    facts = spoilt(7, Pit(7, tables=3, days=3, rounds=4).record(), kinds=(delay, junk, lose))
    site = Embedded(tmp_path / "pit")
    chance = random.Random(7)  # noqa: S311 - the same storm every time
    storm = Storm(nursery, site, facts, chance, {"kill": 8, "end": 1, "freeze": 1})
    try:
        storm.blow(30, (0.02, 0.25))
        assert storm.faults() == []
    finally:
        site.close()
    assert storm.score.acts["kill"] >= 20, storm.score
    assert storm.score.records >= 60, storm.score
    status, said = nursery.run("watch", *site.options, "--once")
    assert status == 0, said
