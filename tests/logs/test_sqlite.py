"""The embedded log: the contract, durability, and what the library makes of its module."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    InfrastructureFactory,
    IntegrityError,
    MapperDeserialisationError,
    StoredEvent,
)

from consumers.logs import Log
from consumers.logs.sqlite import FactsRecorder, SqliteLog
from domain.facts.codec import decode
from tests.logs.contract import T7, LogContract, Open
from tests.logs.numbered import numbered, run

PAGE = 4096


class TestSqlite(LogContract):
    """One partition in one file."""

    @pytest.fixture
    def open_again(self, tmp_path: Path) -> Iterator[Open]:
        opened: list[Log] = []

        def open_again() -> Log:
            opened.append(SqliteLog(tmp_path / "record/facts.sqlite", create=True))
            return opened[-1]

        yield open_again
        for log in opened:
            log.close()

    def bytes_read(self, log: Log) -> int:
        """All bytes this process asked files for, cached by the system or not."""
        return int(Path("/proc/self/io").read_text().split("rchar: ")[1].split()[0])

    def most_bytes(self, stream_facts: int, facts_between: int, whole: int) -> int:
        """A page for each fact, and some for the way to them."""
        return (stream_facts + 100) * PAGE


def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "facts.sqlite", create=True)
    with log.recorder(0).datastore.transaction(commit=True) as c:
        c.execute("PRAGMA synchronous")
        assert c.fetchone()[0] == 2
        c.execute("PRAGMA journal_mode")
        assert c.fetchone()[0] == "wal"


def test_positions_outlive_a_vacuum(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "facts.sqlite", create=True)
    log.append(run(T7, 1, 10))
    log.close()
    with sqlite3.connect(tmp_path / "facts.sqlite") as file:
        file.execute("DELETE FROM facts WHERE position < 5")
        file.commit()
        file.execute("VACUUM")
    assert [position for position, _ in SqliteLog(tmp_path / "facts.sqlite").read(0, 0, 10)] == [5, 6, 7, 8, 9, 10]


def test_closing_waits_for_a_statement_of_another_thread(tmp_path: Path) -> None:
    """SQLite crashes the process when a connection is closed under a statement that runs."""
    log = SqliteLog(tmp_path / "facts.sqlite", create=True)
    log.append(run(T7, 1, 10))
    ended: list[bool] = []

    def hold() -> None:
        with log.recorder(0).datastore.transaction(commit=False):
            held.set()
            sleep(0.2)
            ended.append(True)

    held = threading.Event()
    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    log.close()
    assert ended == [True]
    holder.join()
    with pytest.raises(ConnectionPoolClosedError):
        log.last_position(0)


def test_a_log_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        SqliteLog(tmp_path / "facts.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_may_have_signs_that_mean_something_in_an_address(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "50% of #7?mode=memory/facts.sqlite", create=True)
    log.append(run(T7, 1, 2))
    assert (tmp_path / "50% of #7?mode=memory/facts.sqlite").is_file()


@pytest.fixture
def factory(tmp_path: Path) -> InfrastructureFactory:
    return InfrastructureFactory.construct(
        {"PERSISTENCE_MODULE": "consumers.logs.sqlite", "SQLITE_DBNAME": str(tmp_path / "facts.sqlite")}
    )


def test_an_event_store_of_the_library_keeps_facts_in_their_stored_form(factory: InfrastructureFactory) -> None:
    store = factory.event_store()
    facts = [decode(fact.stored) for fact in run(T7, 1, 5)]
    assert [each.notification.id for each in store.put(facts)] == [1, 2, 3, 4, 5]
    assert list(store.get(T7)) == facts
    assert isinstance(store.recorder, FactsRecorder)
    assert [row.state for row in store.recorder.select_events(T7)] == [fact.stored for fact in run(T7, 1, 5)]
    with pytest.raises(IntegrityError):
        store.put(facts[:1])


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (StoredEvent(T7, 1, "noted.1", b"{}"), "T7/2026-11-18:1 does not hold a fact"),
        (
            StoredEvent(T7, 1, "wager-placed.1", numbered(T7, 2).stored),
            "T7/2026-11-18:1 holds the fact T7/2026-11-18:2",
        ),
        (StoredEvent(T7, 2, "x", numbered(T7, 2).stored.replace(b'"seat":4', b'"seat":"4"')), "does not hold a fact"),
    ],
)
def test_a_row_that_is_not_the_fact_of_its_place_is_refused(
    factory: InfrastructureFactory, row: StoredEvent, says: str
) -> None:
    with pytest.raises(MapperDeserialisationError, match=says):
        factory.mapper().to_domain_event(row)


def test_a_fact_is_neither_compressed_nor_enciphered(tmp_path: Path) -> None:
    env = {"PERSISTENCE_MODULE": "consumers.logs.sqlite", "SQLITE_DBNAME": str(tmp_path / "facts.sqlite")}
    with pytest.raises(ValueError, match="hashed as stored bytes"):
        InfrastructureFactory.construct({**env, "COMPRESSOR_TOPIC": "zlib"}).mapper()


def test_some_tables_are_read_and_what_names_another_stream_is_looked_at(tmp_path: Path) -> None:
    """Rows of other tables are passed over; the property's and those that name no stream of their own are asked about."""
    log = SqliteLog(tmp_path / "facts.sqlite", create=True)
    streams = ["T1/2026-11-18", "T2/2026-11-18", "T10/2026-11-18", "property/2026-11-18", "T1/2026-11-19"]
    rows = [numbered(stream, number) for number in (1, 2) for stream in streams]
    log.append(rows)
    strange = rows[1]._replace(sequence=3, stored=b"no fact")
    log.append([strange])
    assert log.tables() == {"T1": 4, "T10": 2, "T2": 3, "property": 2}
    asked: list[bytes] = []

    def takes(stored: bytes) -> bool:
        asked.append(stored)
        return stored == strange.stored

    taken = [placed for batch in log.drain_tables(["T1"], takes) for placed in batch.facts]
    assert taken == [(n, row.stored) for n, row in enumerate(rows, 1) if row.stream.startswith("T1/")] + [
        (11, b"no fact")
    ]
    assert asked == [row.stored for row in rows if row.stream.startswith("property")] + [strange.stored]
    log.close()
