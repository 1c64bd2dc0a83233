"""Replay: a day of a floor folded, verified and watched by every detector, beside the library's stock replay of it."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from consumers.logs import StoredFact
from consumers.logs.opening import LOG_FILE
from consumers.logs.sqlite import SqliteLog
from consumers.watching.cores import quietly
from consumers.watching.replay import Replay, StreamFilter, alone, together
from domain.facts.codec import decode, name_of
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.simulation.floor import SimulatedFloor
from domain.simulation.seed import World
from domain.watch.corrected import WatchedRecord
from domain.watch.findings_stream import Written
from domain.watch.record_watch import RecordWatch
from tests.bench import shares
from tests.bench.sides import beside, met

TABLES, SEED, MOST = 12, 7, 250_000
REPLAYED_GOAL, RATIO_GOAL = 1_000_000, 15
STEP_GOAL = 4  # from memory, on the way there
LONG, LONG_DAYS, RESIDENT_GOAL = 2_000_000, 9, 500  # facts, gaming days at most, MB
_BATCH = 5_000


class Told(Aggregate):
    """A table's day as the library's own examples write it: an event a thing that happened, its fields in a dict."""

    @event("Opened")
    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.kinds: dict[str, int] = {}

    @event("Happened")
    def happen(self, kind: str, at: int, fields: dict[str, Any]) -> None:
        """One thing happened."""
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self.at = at

    @staticmethod
    def create_id(stream: str) -> UUID:
        return uuid5(UUID(int=0), stream)


def rows() -> list[StoredFact]:
    """A floor's day, as far as it is replayed here."""
    return list(islice(_days(1), MOST))


def _days(days: int, tables: int = TABLES) -> Iterator[StoredFact]:
    """A floor's days as the gateway would have stored them."""
    writer = Writer(epoch=1)
    for fact in SimulatedFloor(World(seed=SEED, tables=tables, days=days)).facts():
        whole = located(writer, fact)
        if isinstance(whole, InputRefusal):
            raise RuntimeError(whole.says)
        placed = place(writer, whole)
        yield StoredFact(placed.fact.stream, placed.fact.sequence, name_of(placed.fact), placed.stored)


def _kept(folder: Path, facts: Iterator[StoredFact]) -> None:
    log = SqliteLog(folder / LOG_FILE, create=True)
    while batch := list(islice(facts, _BATCH)):
        log.append(batch)
    log.close()


def _nothing(_: str) -> Iterator[Any]:
    return iter(())


def _spoilt(stored: bytes, says: str) -> None:
    raise RuntimeError(f"{says}: {stored!r}")


def _trouble(says: str) -> None:
    raise RuntimeError(says)


def from_memory(stored: list[bytes]) -> int:
    """Every fact verified, out of a list of bytes."""
    made: list[Written] = []
    watch = RecordWatch(WatchedRecord(_nothing, _nothing), _spoilt, _nothing, made.append)
    with quietly():
        watch.take(enumerate(stored, start=1))
    return len(made)


def from_log(folder: Path, cores: int = 1) -> int:
    """Every fact verified, out of the embedded log, tables side by side as well: what `catwalk verify-log` does."""
    replay = Replay(StreamFilter(), data=folder)
    if cores == 1:
        return alone(replay, _trouble, lambda *_: None).read
    return together(replay, _trouble, lambda *_: None, cores).read


def replayed() -> None:
    """Rates on one core and on two, with the stock replay's ratio, and the memory a long record takes."""
    _beside_stock()
    _resident()


def _beside_stock() -> None:
    facts = rows()
    stored = [row.stored for row in facts]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _kept(folder, iter(facts))
        stock = _stock(folder / "stock.sqlite", facts)
        from_both: list[tuple[str, Callable[[], int], int]] = [
            ("from memory", lambda: from_memory(stored), STEP_GOAL),
            ("from SQLite", lambda: from_log(folder), RATIO_GOAL),
        ]
        for what, work, goal in from_both:
            beside(
                f"replay and verify, {what}",
                work,
                stock,
                count=len(facts),
                peer="stock Aggregate, JSON",
                ratio_goal=goal,
            )
        beside(
            "replay and verify, two processes, clock",
            lambda: from_log(folder, cores=2),
            lambda: from_log(folder),
            count=len(facts),
            peer="one process, SQLite",
            goal=REPLAYED_GOAL,
            waits=True,
        )
        shares.two_processes(folder)
    shares.eight_shards(_kept, _days(1, shares.PROCESSES * shares.TABLES_EACH))


# What a process took at most counts what it was forked from: between it and a bench full of facts stands a small one.
_MOST_OF = """
import resource, subprocess, sys
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
ended = subprocess.run(sys.argv[1:], **quiet)
if ended.returncode not in (0, 1):
    sys.exit(f"{sys.argv[1:]} ended with {ended.returncode}")
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def _resident() -> None:
    """The most memory `catwalk verify-log` takes of a record of so many facts."""
    with tempfile.TemporaryDirectory() as name:
        _kept(Path(name), islice(_days(LONG_DAYS), LONG))
        command = (sys.executable, "-c", "from consumers.command import main; main()", "verify-log", "--data", name)
        apart = (sys.executable, "-c", _MOST_OF, *command, "--cores", "1")
        megabytes = int(subprocess.run(apart, stdout=subprocess.PIPE, check=True).stdout) // 1024
    print(
        f"{f'memory, {LONG:,} facts verified':<40} {megabytes:>9,} MB   goal {RESIDENT_GOAL} MB"
        f" {met(megabytes <= RESIDENT_GOAL)}"
    )


def _stock(file: Path, facts: list[StoredFact]) -> Any:
    """The library's own way with the same facts; what it replays is one table's day after the other."""
    app: Application[UUID] = Application({"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(file)})
    days: dict[str, Told] = {}
    for row in facts:
        day = days.setdefault(row.stream, Told(row.stream))
        fact = decode(row.stored)
        day.happen(row.type, fact.at, msgspec.to_builtins(fact))
    for day in days.values():
        app.save(day)
    names = [Told.create_id(stream) for stream in days]

    def replay() -> None:
        for each in names:
            app.repository.get(each)

    return replay
