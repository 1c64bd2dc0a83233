"""Facts decoded, appended and read a second: each beside the library's own or Kafka's bare clients, and its goal."""

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar
from uuid import uuid4

import msgspec
from eventsourcing.persistence import JSONTranscoder, Mapper, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from consumers.logs import Log, StoredFact
from consumers.logs.sqlite import SqliteLog
from domain.facts.codec import decode
from tests.bench.chained import chained
from tests.bench.sides import beside
from tests.following.reading import Reading
from tests.logs.stored import stored_fact

FACTS = 100_000
BATCH = 5_000
DAY = "2026-11-18"
DECODED_GOAL = 1_000_000
APPENDED_GOAL = 100_000


class _Event:
    """The same fields as the library's own events keep them: attributes in a dictionary."""

    originator_id: str
    originator_version: int
    TOPIC: ClassVar[str] = "tests.bench.logs:_Event"

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)


def read_through(log: Log) -> int:
    """Everything a log holds, as every program reads it: decoded, each fact once, its chain followed."""
    reading = Reading(log, _spoilt)
    return sum(len(reading.take(batch)) for batch in log.drain({}))


def _spoilt(*what: object) -> None:
    raise RuntimeError(f"the log of the benchmark is not whole: {what}")


def each(work: Callable[[Any], Any], things: Iterable[Any]) -> None:
    """Does the same with one thing after the other and keeps none, as a replay does."""
    for one in things:
        work(one)


def decoded() -> None:
    """Stored bytes to facts, strictly; the library's stock mapper, which checks nothing, beside."""
    rows = chained(FACTS, DAY)
    stock_mapper: Mapper[str] = Mapper(JSONTranscoder())
    stock_rows: list[StoredEvent] = [stock_mapper.to_stored_event(event) for event in _events(rows)]
    beside(
        "decode",
        lambda: each(decode, (row.stored for row in rows)),
        lambda: each(stock_mapper.to_domain_event, stock_rows),
        count=FACTS,
        peer="stock JSON mapper",
        goal=DECODED_GOAL,
    )


def embedded() -> None:
    """Facts mapped and appended to SQLite; read from it as bytes, and as a program reads them."""
    rows = chained(FACTS, DAY)
    facts, events = [decode(row.stored) for row in rows], _events(rows)
    stock_mapper: Mapper[str] = Mapper(JSONTranscoder())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def ours() -> SqliteLog:
            log = SqliteLog(folder / f"{uuid4()}.sqlite", create=True)
            for start in range(0, FACTS, BATCH):
                log.append([stored_fact(fact) for fact in facts[start : start + BATCH]])
            return log

        def stock() -> SQLiteApplicationRecorder:
            datastore = SQLiteDatastore(str(folder / f"{uuid4()}.sqlite"), originator_id_type="text")
            recorder = SQLiteApplicationRecorder(datastore)
            recorder.create_table()
            for start in range(0, FACTS, BATCH):
                recorder.insert_events([stock_mapper.to_stored_event(event) for event in events[start : start + BATCH]])
            return recorder

        peer = "stock SQLite"
        beside(
            "SQLite, encode and append",
            ours,
            stock,
            count=FACTS,
            peer=peer,
            goal=APPENDED_GOAL,
            ratio_goal=1,
            waits=True,
        )
        log, recorder = ours(), stock()

        def rows_of_stock() -> Any:
            return recorder.select_notifications(start=1, limit=FACTS)

        def decoded_of_stock() -> None:
            each(stock_mapper.to_domain_event, rows_of_stock())

        beside(
            "SQLite, read stored bytes",
            lambda: log.read(0, 0, FACTS),
            rows_of_stock,
            count=FACTS,
            peer=peer,
            ratio_goal=1,
        )
        beside(
            "SQLite, read, decode, follow the chains",
            lambda: read_through(log),
            decoded_of_stock,
            count=FACTS,
            peer=f"{peer}, decoded",
            ratio_goal=1,
        )
        log.close()
        recorder.datastore.close()


def _events(rows: list[StoredFact]) -> list[Any]:
    return [
        _Event({"originator_id": row.stream, "originator_version": row.sequence, **_plain(decode(row.stored))})
        for row in rows
    ]


def _plain(fact: Any) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(fact)
    return {key: value for key, value in fields.items() if key not in ("stream", "sequence", "type")}
