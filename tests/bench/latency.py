"""Time from the fact that shows a finding on record to that finding in a published generation."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from random import Random

from consumers.logs.log import StoredFact
from consumers.logs.sqlite import SqliteLog
from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.facts.words import Book
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.simulation.edits import broken, drop
from domain.simulation.scripted import day
from domain.simulation.table import NOON
from projections.reading import opened
from projections.troubles import NothingPublishedError
from tests.bench.sides import met

TABLES, ROUNDS, PACE = 100, 6, 20
GOAL = 0.5
_WAYS = {"one process": ("project --verify",), "two processes": ("watch", "project")}
_GAMES: tuple[Book, ...] = ("COL", "FAH", "PIK")
_STEP = 0.02  # seconds between two looks, and between two appends
_ENDING = 15.0  # seconds after the last fact in which the last finding must be seen


def _floor() -> list[Fact]:
    """Tables that opened within two minutes, each with a call left out in every other round."""
    chance = Random(1)  # noqa: S311 - the same floor every time
    facts: list[Fact] = []
    for number in range(TABLES):
        opens = NOON + chance.randrange(120_000_000)
        book = _GAMES[number % len(_GAMES)]
        lawful = day(book, rounds=ROUNDS, table=f"T{number}", gaming_day="2026-11-18", opens_at=opens)
        facts += broken(lawful, *(drop("bets-closed", round=each) for each in range(2, ROUNDS + 1, 2)))
    return sorted(facts, key=attrgetter("at"))


def _rows(facts: list[Fact]) -> list[StoredFact]:
    writer, found = Writer(epoch=1), []
    for fact in facts:
        whole = located(writer, fact)
        if isinstance(whole, InputRefusal):
            raise RuntimeError(whole.says)
        placed = place(writer, whole)
        found.append(StoredFact(placed.fact.stream, placed.fact.sequence, name_of(placed.fact), placed.stored))
    return found


@contextmanager
def _running(folder: Path, commands: Sequence[str]) -> Iterator[None]:
    catwalk = Path(sys.executable).with_name("catwalk")
    started = [
        subprocess.Popen(
            [catwalk, *command.split(), "--data", folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        for command in commands
    ]
    try:
        for each in started:
            if each.stderr is None or not each.stderr.readline():
                raise RuntimeError("it did not start")
        yield
    finally:
        for each in started:
            each.terminate()
        for each in started:
            each.wait(30)


class Looking:
    """Looks at what is published, and notes when each finding is there for the first time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pointer = b""
        self.seen: dict[tuple[str, int], float] = {}
        self.generations = 0

    def look(self) -> None:
        """Read the newest generation if there is a new one."""
        with suppress(FileNotFoundError, NothingPublishedError):
            pointer = (self._folder / "current").read_bytes()
            if pointer == self._pointer:
                return
            with opened(self._folder) as reading:
                found = reading.query("SELECT DISTINCT stream, known_by FROM findings")
            now = time.monotonic()
            self._pointer = pointer
            self.generations += 1
            for stream, sequence in found:
                self.seen.setdefault((stream, sequence), now)


def latency() -> None:
    """Print the median and the 99th percentile at a hundred tables and twenty times their pace, by one process and two."""
    facts = _floor()
    rows = _rows(facts)
    for what, commands in _WAYS.items():
        _measured(what, commands, facts, rows)


def _measured(what: str, commands: Sequence[str], facts: list[Fact], rows: list[StoredFact]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = SqliteLog(folder / "record/facts.sqlite", create=True)
        looking = Looking(folder / "read")
        with _running(folder, commands):
            acknowledged = _tell(log, facts, rows, looking)
            until = time.monotonic() + _ENDING
            while time.monotonic() < until:
                looking.look()
                time.sleep(_STEP)
        log.close()
    took = sorted(seen - acknowledged[at] for at, seen in looking.seen.items())
    median, late = took[len(took) // 2], took[len(took) * 99 // 100]
    span = max(acknowledged.values()) - min(acknowledged.values())
    print(
        f"fact acknowledged to finding seen, {what:<14} median {median:.2f} s   99 % {late:.2f} s   {len(took)} findings, "
        f"{len(rows) / span:,.0f} facts/s, {looking.generations} generations   goal 99 % in {GOAL} s {met(late < GOAL)}"
    )


def _tell(log: SqliteLog, facts: list[Fact], rows: list[StoredFact], looking: Looking) -> dict[tuple[str, int], float]:
    """Append each fact at its time, and return when each was on record."""
    acknowledged: dict[tuple[str, int], float] = {}
    began, first, told = time.monotonic(), facts[0].at, 0
    while told < len(rows):
        now = (time.monotonic() - began) * PACE * 1_000_000 + first
        due = told
        while due < len(rows) and facts[due].at <= now:
            due += 1
        if due > told:
            log.append(rows[told:due])
            stood = time.monotonic()
            acknowledged.update(((row.stream, row.sequence), stood) for row in rows[told:due])
            told = due
        looking.look()
        time.sleep(_STEP)
    return acknowledged


if __name__ == "__main__":
    latency()
