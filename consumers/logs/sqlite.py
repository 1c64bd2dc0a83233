"""The embedded log: a persistence module for the event-sourcing library, based on its own SQLite one.

`PERSISTENCE_MODULE=consumers.logs.sqlite`. One file, one partition, one table that only grows. The library's recorder
inserts one row per statement and builds an object for each row it reads. This one writes a batch with one `executemany`
and reads in bulk (some four times as fast), with the same interface.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Any, Final, NamedTuple

import eventsourcing.sqlite as library
import msgspec
from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    Mapper,
    Notification,
    OperationalError,
    StoredEvent,
    Subscription,
    Transcoder,
)

from consumers.logs.log import Batch, LogPosition, Placed, StoredFact, before_newest, in_newest, of_events
from consumers.logs.mapper import FactMapper
from consumers.logs.polling import PollingSubscription
from domain.facts.streams import PROPERTY

TABLE: Final = "facts"
# One row: the position after which the digest of everything written begins, the position it reaches, and the digest.
WRITTEN: Final = "facts_written"
BATCH: Final = 10_000
# Whether the bytes of a row name the stream in its column.
_NAMED: Final = """instr(state, CAST('"stream":"' || originator_id || '"' AS BLOB))"""
# The longest wait of a follower for a fact that another process appended.
POLL_SECONDS: Final = 0.01
# The number of a stream's first facts among which the earliest is searched.
_OUT_OF_ORDER: Final = 1000
# The longest wait of `close` for a statement of another thread.
CLOSE_SECONDS: Final = 10


class LogRow(NamedTuple):
    """A row of the table: its lookup columns, and the stored bytes."""

    position: int
    stream: str
    sequence: int
    type: str
    stored: bytes


def written(digest: bytes, rows: Iterable[LogRow]) -> bytes:
    """The digest of everything written, extended by these rows: each is hashed with the digest before it.

    It has no secret, so a person who may write the file can recompute it. It detects all other changes of the file: a
    damaged byte in the last record of a stream, which no later record confirms, and removed records.
    """
    for position, stream, sequence, kind, stored in rows:
        head = f"{position} {sequence} {len(stream)} {len(kind)} {stream}{kind}".encode()
        digest = sha256(digest + head + stored).digest()
    return digest


class _Pool(library.SQLiteConnectionPool):
    """The library's connections; each waits for the disk before a commit counts as done."""

    def _create_connection(self) -> library.SQLiteConnection:
        try:
            made = super()._create_connection()
            made.cursor().execute("PRAGMA synchronous=FULL")
        except sqlite3.Error as error:
            raise OperationalError(error) from error  # the library does not wrap errors of its own first statements
        return made

    def close(self) -> None:
        """Wait for connections in use: closing one while another thread uses it would end the process."""
        with self._get_semaphore, self._put_condition:
            self._put_condition.wait_for(lambda: not self._in_use, CLOSE_SECONDS)
            self._in_use.clear()
            super().close()


class FactsDatastore(library.SQLiteDatastore):
    """One SQLite file with text names, because its originators are streams."""

    def __init__(self, file: str, *, lock_timeout: int | None = None) -> None:
        super().__init__(file, lock_timeout=lock_timeout, originator_id_type="text")
        self.pool = _Pool(db_name=file, lock_timeout=lock_timeout)


class FactsRecorder(library.SQLiteApplicationRecorder):
    """The library's recorder, with batch writes and bulk reads."""

    def __init__(self, datastore: library.SQLiteDatastore, events_table_name: str = TABLE) -> None:
        super().__init__(datastore, events_table_name)
        columns = "(originator_id, originator_version, topic, state)"
        self.insert_events_statement = f"INSERT INTO {events_table_name} {columns} VALUES (?,?,?,?)"  # noqa: S608
        self.select_events_statement = f"SELECT * FROM {events_table_name} WHERE originator_id=? "  # noqa: S608
        self._columns = f"position, originator_id, originator_version, topic, state FROM {events_table_name}"
        self._bulk = f"SELECT position, state FROM {events_table_name} WHERE position>? ORDER BY position LIMIT ?"  # noqa: S608
        self._written = f"{events_table_name}_written"
        self._at = f"SELECT position, state FROM {events_table_name} WHERE originator_id=? AND originator_version=?"  # noqa: S608

    def construct_create_table_statements(self) -> list[str]:
        """Create the table with an explicit position: SQLite may renumber implicit row ids when it vacuums."""
        columns = (
            "position INTEGER PRIMARY KEY, originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL, "
            "topic TEXT NOT NULL, state BLOB NOT NULL, UNIQUE (originator_id, originator_version)"
        )
        return [f"CREATE TABLE IF NOT EXISTS {self.events_table_name} ({columns}) STRICT"]

    def _insert_events(
        self, c: library.SQLiteCursor, stored_events: Sequence[StoredEvent], **_: Any
    ) -> Sequence[int] | None:
        return self._append(c, of_events(stored_events))

    def append(self, facts: Sequence[StoredFact]) -> list[int]:
        """Append a batch in one transaction; a taken place raises IntegrityError."""
        if not facts:
            return []
        with self.datastore.transaction(commit=True) as c:
            return self._append(c, facts)

    def _append(self, c: library.SQLiteCursor, facts: Sequence[StoredFact]) -> list[int]:
        """Append rows; in one transaction they get successive positions, because no row is ever deleted."""
        if not facts:
            return []
        c.executemany(self.insert_events_statement, facts)
        c.execute("SELECT last_insert_rowid()")
        last: int = c.fetchone()[0]
        positions = list(range(last - len(facts) + 1, last + 1))
        self._note_written(c, [LogRow(position, *fact) for position, fact in zip(positions, facts, strict=True)])
        return positions

    def _note_written(self, c: library.SQLiteCursor, rows: Sequence[LogRow]) -> None:
        """Add rows to the digest of everything written; in a file without one, it begins before these rows."""
        # After the first insert: a transaction that begins by reading cannot always become one that writes.
        c.execute(
            f"CREATE TABLE IF NOT EXISTS {self._written} (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), "
            "since INTEGER NOT NULL, position INTEGER NOT NULL, digest BLOB NOT NULL) STRICT"
        )
        c.execute(f"SELECT since, digest FROM {self._written}")  # noqa: S608
        since, digest = c.fetchone() or (rows[0].position - 1, b"")
        values = (since, rows[-1].position, written(digest, rows))
        c.execute(f"INSERT OR REPLACE INTO {self._written} VALUES (1, ?, ?, ?)", values)  # noqa: S608

    def append_once(self, facts: Sequence[StoredFact]) -> list[int]:
        """Append the missing facts, in one transaction."""
        with self.datastore.transaction(commit=True) as c:
            # Take the write lock first: facts missing below then stay missing until they are inserted.
            c.execute(f"DELETE FROM {self.events_table_name} WHERE 0")  # noqa: S608
            standing: dict[tuple[str, int], int] = {}
            missing: dict[tuple[str, int], StoredFact] = {}
            for fact in facts:
                place = (fact.stream, fact.sequence)
                c.execute(self._at, place)
                position, stored = c.fetchone() or (0, missing.setdefault(place, fact).stored)
                if stored != fact.stored:
                    raise IntegrityError(f"{fact.stream}:{fact.sequence} already holds other bytes")
                standing[place] = position
            standing.update(zip(missing, self._append(c, list(missing.values())), strict=True))
            return [standing[fact.stream, fact.sequence] for fact in facts]

    def read(self, after: int, limit: int) -> list[Placed]:
        """Facts after a position as plain tuples: the hot path of every replay from this log."""
        with self.datastore.transaction(commit=False) as c:
            c.sqlite_cursor.row_factory = None
            return c.sqlite_cursor.execute(self._bulk, (after, limit)).fetchall()

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Facts as the library's own objects."""
        wanted = ["position>=?" if inclusive_of_start else "position>?"]
        values: list[int | str] = [start or 0]
        if stop is not None:
            wanted.append("position<=?")
            values.append(stop)
        if topics:
            wanted.append(f"topic IN ({','.join('?' * len(topics))})")
            values += topics
        statement = f"SELECT {self._columns} WHERE {' AND '.join(wanted)} ORDER BY position LIMIT ?"
        with self.datastore.transaction(commit=False) as c:
            c.sqlite_cursor.row_factory = None
            rows = c.sqlite_cursor.execute(statement, (*values, limit)).fetchall()
        return [
            Notification(stream, sequence, topic, state, position) for position, stream, sequence, topic, state in rows
        ]

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        """A subscription to facts after a position, which polls: SQLite does not report other processes' writes."""
        return PollingSubscription(self, gt, topics, POLL_SECONDS)


class SqliteLog:
    """A log of one partition in one SQLite file."""

    partitions: tuple[int, ...] = (0,)

    def __init__(self, file: Path, *, create: bool = False, name: str = "facts") -> None:
        self.name = name
        if create:
            file.parent.mkdir(parents=True, exist_ok=True)
        elif not file.is_file():
            raise FileNotFoundError(f"the log {file} does not exist")
        self._datastore = FactsDatastore(file.absolute().as_uri())
        self._recorder = FactsRecorder(self._datastore)
        if create:
            self._recorder.create_table()

    def append(self, facts: Sequence[StoredFact]) -> list[int]:
        """Append a batch: all of it or nothing."""
        return self._recorder.append(facts)

    def append_once(self, facts: Sequence[StoredFact]) -> list[int]:
        """Append the missing facts."""
        return self._recorder.append_once(facts)

    def read(self, partition: int, after: int, limit: int) -> list[Placed]:
        """Facts after a position."""
        self._only(partition)
        return self._recorder.read(after, limit)

    def drain(self, after: Mapping[int, int]) -> Iterator[Batch]:
        """Every fact after a position up to the current end."""
        position, end = after.get(0, 0), self.last_position(0)
        while position < end:
            facts = self._recorder.read(position, min(BATCH, end - position))
            position = facts[-1][0]
            yield Batch(0, facts)

    def tables(self) -> dict[str, int]:
        """The number of facts of each table and of the property, from the index, without decoding a fact."""
        highest = f"SELECT max(originator_version) FROM {TABLE} WHERE originator_id = ?"  # noqa: S608
        found: dict[str, int] = {}
        with self._datastore.transaction(commit=False) as c:
            for name in _names(c):
                table = name.partition("/")[0]
                found[table] = found.get(table, 0) + c.sqlite_cursor.execute(highest, (name,)).fetchone()[0]
        return found

    def drain_streams(self, streams: Collection[str]) -> Iterator[list[tuple[int, bytes, int]]]:
        """Every fact under these streams' names up to the current end; SQLite skips the other rows.

        Each comes with its kind: 0 if its bytes do not name that stream, 2 if it is the property's, else 1.
        """
        kind = f"CASE WHEN NOT {_NAMED} THEN 0 WHEN substr(originator_id, 1, 9) = ? THEN 2 ELSE 1 END"
        statement = (
            f"SELECT position, state, {kind} FROM {TABLE} NOT INDEXED WHERE position > ? AND position <= ? "  # noqa: S608
            "AND originator_id IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?"
        )
        wanted, position, end = msgspec.json.encode(list(streams)).decode(), 0, self.last_position(0)
        while position < end:
            with self._datastore.transaction(commit=False) as c:
                c.sqlite_cursor.row_factory = None
                rows = c.sqlite_cursor.execute(statement, (f"{PROPERTY}/", position, end, wanted, BATCH)).fetchall()
            if not rows:
                return
            position = rows[-1][0]
            yield rows

    def drain_tables(self, tables: Collection[str], takes: Callable[[bytes], bool]) -> Iterator[Batch]:
        """Every fact of these tables up to the current end, for a record with a row under a wrong name.

        `takes` decides about bytes that do not name their own stream, and about the property's.
        """
        table = "substr(originator_id, 1, instr(originator_id, '/') - 1)"
        statement = (
            f"SELECT position, state, {table} = '{PROPERTY}' OR NOT {_NAMED} AS looked FROM {TABLE} WHERE position > ? "  # noqa: S608
            f"AND position <= ? AND (looked OR {table} IN (SELECT value FROM json_each(?))) ORDER BY position LIMIT ?"
        )
        wanted, position, end = msgspec.json.encode(list(tables)).decode(), 0, self.last_position(0)
        while position < end:
            with self._datastore.transaction(commit=False) as c:
                c.sqlite_cursor.row_factory = None
                rows = c.sqlite_cursor.execute(statement, (position, end, wanted, BATCH)).fetchall()
            if not rows:
                return
            position = rows[-1][0]
            yield Batch(0, [(place, stored) for place, stored, looked in rows if not looked or takes(stored)])

    def follow(self, after: Mapping[int, int], stop: Event) -> Iterator[Batch]:
        """Every fact after a position, and every later one soon after it is committed."""
        position = after.get(0, 0)
        while not stop.is_set():
            facts = self._recorder.read(position, BATCH)
            if facts:
                position = facts[-1][0]
                yield Batch(0, facts)
            else:
                stop.wait(POLL_SECONDS)

    def read_stream(self, stream: str) -> list[bytes]:
        """The facts of one stream, through the table's index."""
        statement = f"SELECT state FROM {TABLE} WHERE originator_id=? ORDER BY originator_version"  # noqa: S608
        return self._column(statement, (stream,))

    def stream_before(self, stream: str, position: int) -> list[bytes]:
        """The facts of one stream before a position, by position."""
        statement = f"SELECT state FROM {TABLE} WHERE originator_id=? AND position<? ORDER BY position"  # noqa: S608
        return self._column(statement, (stream, position))

    def home(self, stream: str) -> int:
        """The only partition."""
        return 0

    def where(self, partition: int, position: int) -> tuple[str, int]:
        """The log's name, and the position itself."""
        return f"{self.name}/{partition}", position

    def streams(self, owner: str) -> list[str]:
        """The streams of a table, through the table's index."""
        between = "originator_id > ? AND originator_id < ? ORDER BY 1"
        statement = f"SELECT DISTINCT originator_id FROM {TABLE} WHERE {between}"  # noqa: S608
        return self._column(statement, (f"{owner}/", f"{owner}0"))  # 0 is the character after the slash

    def names(self) -> list[str]:
        """The names of all streams, including an empty name: a row that is not a fact may have one."""
        with self._datastore.transaction(commit=False) as c:
            return ["", *_names(c)]

    def begins(self, stream: str) -> LogPosition | None:
        """The beginning of a stream."""
        statement = f"SELECT min(position) FROM {TABLE} WHERE originator_id=?"  # noqa: S608
        position = self._column(statement, (stream,))[0]
        return None if position is None else LogPosition(0, position)

    def recent(self, days: int) -> dict[int, int]:
        """A position before the newest gaming days, through the table's index."""
        lowest = (
            f"SELECT min(position) FROM (SELECT position FROM {TABLE} "  # noqa: S608
            "WHERE originator_id=? ORDER BY originator_version LIMIT ?)"
        )
        with self._datastore.transaction(commit=False) as c:
            told = [
                (name, 0, c.sqlite_cursor.execute(lowest, (name, _OUT_OF_ORDER)).fetchone()[0])
                for name in in_newest(_names(c), days)
            ]
        return before_newest(told, days, self.partitions)

    def last_position(self, partition: int) -> int:
        """The position of the last fact."""
        self._only(partition)
        return self._recorder.max_notification_id() or 0

    def recorder(self, partition: int) -> FactsRecorder:
        """The log with the library's own interface."""
        self._only(partition)
        return self._recorder

    def close(self) -> None:
        """Close the file."""
        self._datastore.close()

    def _column(self, statement: str, given: Sequence[Any]) -> list[Any]:
        with self._datastore.transaction(commit=False) as c:
            c.execute(statement, given)
            return [row[0] for row in c.fetchall()]

    def _only(self, partition: int) -> None:
        if partition != 0:
            raise IndexError(f"an embedded log has only partition 0, not {partition}")


def _names(c: library.SQLiteCursor) -> list[str]:
    """The names of all streams, found one after another through the table's index."""
    following = f"SELECT min(originator_id) FROM {TABLE} WHERE originator_id > ?"  # noqa: S608
    names: list[str] = []
    while (name := c.sqlite_cursor.execute(following, (names[-1] if names else "",)).fetchone()[0]) is not None:
        names.append(name)
    return names


class SQLiteLogFactory(library.SQLiteFactory):
    """The library's factory for `PERSISTENCE_MODULE`; `SQLITE_DBNAME` names the file, as for its own module."""

    application_recorder_class = FactsRecorder

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        stock = self.datastore
        self.datastore = FactsDatastore(stock.pool.db_name, lock_timeout=stock.pool.lock_timeout)

    def mapper(
        self, transcoder: Transcoder | None = None, mapper_class: type[Mapper[Any]] | None = None
    ) -> Mapper[Any]:
        """The mapper of facts, unless another is named."""
        named = mapper_class or (None if self.env.get(self.MAPPER_TOPIC) else FactMapper)
        return super().mapper(transcoder, named)
