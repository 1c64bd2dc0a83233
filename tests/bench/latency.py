"""Time from the fact that shows a finding on record to that finding in a published generation.

`python -m tests.bench.latency` plays the middle of an evening. Beside the times it prints what the machine was like
(its load, and how late a timer of 10 ms is), and where the time went: a stage that waits by design takes as long on an
idle machine, a stage that takes many times its processor time waits for other programs.
"""

import os
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from random import Random
from threading import Event, Thread

from consumers.logs.log import StoredFact
from consumers.logs.sqlite import POLL_SECONDS, SqliteLog
from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.facts.words import Book
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.simulation.edits import broken, drop
from domain.simulation.scripted import day, round_, seat
from domain.simulation.table import NOON
from projections.reading import opened
from projections.troubles import NothingPublishedError
from tests.bench.sides import met
from tests.bench.stages import Stages, part_of

TABLES, ROUNDS, PACE = 100, 50, 20
PAST, LIVE = 30 * 60, 15 * 60  # seconds of the floor's time, at once and at its pace
GOAL = 0.5
_WAYS = {"one process": ("project --verify",), "two processes": ("watch", "project")}
_GAMES: tuple[Book, ...] = ("COL", "FAH", "PIK")
_STEP = 0.02  # seconds between two looks, and between two appends
_TICK = 0.01  # seconds of a timer beside them
_ENDING = 5.0  # seconds after the last fact in which the last finding must be seen
_SETTLING = 5.0  # seconds without a new position, after which the past is taken

Place = tuple[str, int]  # a stream, and a sequence in it


def _floor() -> list[Fact]:
    """The same evening every time: tables that opened within two minutes, each with a call left out now and then.

    Each table has its own players: a player at two tables is a finding that waits for the other table's next fact.
    """
    chance = Random(1)  # noqa: S311 - a seed
    facts: list[Fact] = []
    for number in range(TABLES):
        opens = NOON + chance.randrange(120_000_000)
        rounds = [round_(seat(1, player=f"P{number}-1"), seat(3, player=f"P{number}-3"))] * ROUNDS
        lawful = day(
            _GAMES[number % len(_GAMES)],
            rounds=rounds,
            table=f"T{number}",
            gaming_day="2026-11-18",
            opens_at=opens,
            close=False,
        )
        facts += broken(lawful, *(drop("bets-closed", round=each) for each in range(2, ROUNDS + 1, 2)))
    until = NOON + (PAST + LIVE) * 1_000_000
    return sorted((fact for fact in facts if fact.at < until), key=attrgetter("at"))


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
def _running(folder: Path, commands: Sequence[str]) -> Iterator[list[int]]:
    """The commands, each noting its stages; their process ids."""
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench.staged", folder / f"{number}.json", *command.split(), "--data", folder],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number, command in enumerate(commands)
    ]
    try:
        for each in started:
            if each.stderr is None or not each.stderr.readline():
                raise RuntimeError("it did not start")
        yield [each.pid for each in started]
        ended = [each.args for each in started if each.poll() is not None]
        if ended:
            raise RuntimeError(f"it ended before its time: {ended}")
    finally:
        for each in started:
            each.terminate()
        for each in started:
            each.wait(60)


class Looking:
    """Looks at what is published, and notes when each finding is there for the first time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pointer = b""
        self.seen: dict[Place, float] = {}
        self.generations = 0
        self.processor = 0.0

    def look(self) -> None:
        """Read the newest generation if there is a new one."""
        with suppress(FileNotFoundError, NothingPublishedError):
            pointer = (self._folder / "current").read_bytes()
            if pointer == self._pointer:
                return
            began = time.thread_time()
            with opened(self._folder) as reading:
                found = reading.query("SELECT DISTINCT stream, known_by FROM findings")
            now = time.monotonic()
            self._pointer = pointer
            self.generations += 1
            self.processor += time.thread_time() - began
            for stream, sequence in found:
                self.seen.setdefault((stream, sequence), now)

    def reached(self) -> dict[str, int]:
        """Return the published position of each log."""
        with suppress(FileNotFoundError, NothingPublishedError), opened(self._folder) as reading:
            return reading.positions
        return {}


@contextmanager
def _beside(work: Callable[[], None], seconds: float) -> Iterator[None]:
    """Repeat work in a thread, with a pause after each time."""
    stop = Event()

    def again() -> None:
        while not stop.wait(seconds):
            work()

    thread = Thread(target=again)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def latency() -> None:
    """Print the median and the 99th percentile at a hundred tables and twenty times their pace, by one process and two."""
    facts = _floor()
    rows = _rows(facts)
    past = bisect_left(facts, NOON + PAST * 1_000_000, key=attrgetter("at"))
    for what, commands in _WAYS.items():
        _measured(what, commands, [fact.at for fact in facts], rows, past)


def _measured(what: str, commands: Sequence[str], times: list[int], rows: list[StoredFact], past: int) -> None:
    late: list[float] = []
    before: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = SqliteLog(folder / "record/facts.sqlite", create=True)
        looking = Looking(folder / "read")
        with _running(folder, commands) as pids:
            log.append(rows[:past])
            while (reached := looking.reached()) != before or reached.get("facts/0", 0) < past:
                before = reached
                time.sleep(_SETTLING)
            looking.look()
            known, generations, processor = set(looking.seen), looking.generations, sum(map(_processor_of, pids))
            began, load = time.monotonic(), os.getloadavg()[0]
            looking.processor = 0.0
            with _beside(looking.look, _STEP), _beside(_timer(late), 0):
                acknowledged = _tell(log, times[past:], rows[past:])
                time.sleep(_ENDING)
            span, load = time.monotonic() - began, max(load, os.getloadavg()[0])
            processor = sum(map(_processor_of, pids)) - processor
        log.close()
        seen = {place: at for place, at in looking.seen.items() if place in acknowledged and place not in known}
        took = [at - acknowledged[place] for place, at in seen.items()]
        if not took:
            raise RuntimeError(f"{what}: no finding was seen, so there is nothing to measure")
        generations = looking.generations - generations
        pace = len(acknowledged) / (max(acknowledged.values()) - min(acknowledged.values()))
        print(
            f"fact acknowledged to finding seen, {what:<14} median {part_of(took, 0.5):.2f} s   "
            f"99 % {part_of(took, 0.99):.2f} s   {len(took)} findings, {pace:,.0f} facts/s, {generations} generations   "
            f"goal 99 % in {GOAL} s {met(part_of(took, 0.99) < GOAL)}\n"
            f"    processor time {processor / span:.2f} of a core; load average {load:.1f} on {os.cpu_count()} cores, a timer "
            f"of 10 ms late by {part_of(late, 0.5) * 1000:.1f} ms, 99 % {part_of(late, 0.99) * 1000:.0f} ms"
        )
        if len(commands) == 1:
            positions = {(row.stream, row.sequence): number for number, row in enumerate(rows, start=1)}
            stages = Stages((folder / "0.json").read_bytes(), began)
            stages.tell({positions[place]: (acknowledged[place], at) for place, at in seen.items()})
            outside = POLL_SECONDS + _STEP + looking.processor / max(1, generations)
            print(f"    by the processor time, on an idle machine at most {stages.bound(outside) * 1000:,.0f} ms")


def _timer(late: list[float]) -> Callable[[], None]:
    """Sleep for a tick, and note how late it ended."""

    def tick() -> None:
        began = time.monotonic()
        time.sleep(_TICK)
        late.append(time.monotonic() - began - _TICK)

    return tick


def _processor_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _tell(log: SqliteLog, times: Sequence[int], rows: Sequence[StoredFact]) -> dict[Place, float]:
    """Append each fact at its time, and return when each was on record."""
    acknowledged: dict[Place, float] = {}
    began, first, told = time.monotonic(), times[0], 0
    while told < len(rows):
        now = (time.monotonic() - began) * PACE * 1_000_000 + first
        due = told
        while due < len(rows) and times[due] <= now:
            due += 1
        if due > told:
            log.append(rows[told:due])
            stood = time.monotonic()
            acknowledged.update(((row.stream, row.sequence), stood) for row in rows[told:due])
            told = due
        time.sleep(_STEP)
    return acknowledged


if __name__ == "__main__":
    latency()
