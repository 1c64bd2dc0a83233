"""Replay: a day of a floor folded, verified and watched by every detector, beside the library's stock replay of it."""

import multiprocessing
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import UUID, uuid5

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from consumers.logs import StoredFact
from consumers.logs.sqlite import SqliteLog
from consumers.watching.reading import record_of
from domain.facts.codec import decode, name_of
from domain.facts.streams import owner
from domain.floor.floor import Floor
from domain.floor.worlds import World
from domain.ledger.writer import Refused, Writer, located, place
from domain.watch.record_watch import RecordWatch
from domain.watch.table_watch import Record
from tests.bench.sides import beside, met

TABLES, SEED, MOST = 12, 7, 250_000
REPLAYED_GOAL, RATIO_GOAL = 1_000_000, 15
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
    """A floor's day as the gateway would have stored it."""
    writer = Writer(epoch=1)
    found: list[StoredFact] = []
    for fact in Floor(World(seed=SEED, tables=TABLES)).facts():
        whole = located(writer, fact)
        if isinstance(whole, Refused):
            raise RuntimeError(whole.says)
        placed = place(writer, whole)
        found.append(StoredFact(placed.fact.stream, placed.fact.sequence, name_of(placed.fact), placed.stored))
        if len(found) == MOST:
            break
    return found


def _nothing(_: str) -> Iterator[Any]:
    return iter(())


def _spoilt(stored: bytes, says: str) -> None:
    raise RuntimeError(f"{says}: {stored!r}")


def from_memory(stored: list[bytes]) -> int:
    """Every fact verified, out of a list of bytes."""
    watch = RecordWatch(Record(_nothing, _nothing), _spoilt, _nothing)
    return sum(1 for _ in watch.take_all(stored))


def from_log(file: Path) -> int:
    """Every fact verified, out of the embedded log."""
    log = SqliteLog(file)
    watch = RecordWatch(record_of(log), _spoilt, log.read_stream)
    found = sum(1 for _ in watch.take_all(stored for batch in log.drain({}) for _, stored in batch.facts))
    log.close()
    return found


def _share(file: Path, tables: list[str]) -> int:
    """One core's share: these tables, stream by stream."""
    log = SqliteLog(file)
    watch = RecordWatch(record_of(log), _spoilt, log.read_stream)
    found = 0
    for table in tables:
        for stream in log.streams(table):
            found += sum(1 for _ in watch.take_all(log.read_stream(stream)))
    log.close()
    return found


def replayed() -> None:
    """Rates on one core and on two, with the stock replay's ratio."""
    facts = rows()
    stored = [row.stored for row in facts]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = SqliteLog(folder / "facts.sqlite", create=True)
        for start in range(0, len(facts), _BATCH):
            log.append(facts[start : start + _BATCH])
        log.close()
        stock = _stock(folder / "stock.sqlite", facts)
        count, peer = len(facts), "stock Aggregate, JSON"
        beside(
            "replay and verify, from memory",
            lambda: from_memory(stored),
            stock,
            count=count,
            peer=peer,
            ratio_goal=RATIO_GOAL,
        )
        beside(
            "replay and verify, from SQLite",
            lambda: from_log(folder / "facts.sqlite"),
            stock,
            count=count,
            peer=peer,
            ratio_goal=RATIO_GOAL,
        )
        _on_two_cores(folder / "facts.sqlite", facts)


def _on_two_cores(file: Path, facts: list[StoredFact]) -> None:
    tables = sorted({owner(fact.stream) for fact in facts})
    shares = [tables[0::2], tables[1::2]]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        took = []
        for _ in range(3):
            began = perf_counter()
            pool.starmap(_share, [(file, share) for share in shares])
            took.append(perf_counter() - began)
    rate = len(facts) / min(took)
    print(
        f"{'replay and verify, on two cores':<40} {rate:>9,.0f}/s   goal {REPLAYED_GOAL:,}/s {met(rate >= REPLAYED_GOAL)}"
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
