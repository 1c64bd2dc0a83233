"""The outbox: the final bytes of every fact, durable before they are sent, and the inputs they came from.

One SQLite file beside the gateway. A batch's keys, bytes and heads, and how far it took each topic of inputs, are one
transaction; facts are removed once they are in the log. After a crash, the remaining facts are appended again, the same
bytes at the same place.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path

import msgspec

from consumers.gateway.clients import OwnTopic
from consumers.gateway.held import revocation
from consumers.gateway.standing import Registers, counts, told
from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Fact
from domain.ledger.chain import digest
from domain.ledger.declared import DECLARING, TableDeclared
from domain.ledger.writer import PlacedFact, Writer, WriterDay

_TABLES = """
CREATE TABLE IF NOT EXISTS inputs (
    source TEXT, source_key TEXT, content TEXT, stream TEXT, sequence INTEGER,
    PRIMARY KEY (source, source_key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pending (
    place INTEGER PRIMARY KEY, stream TEXT, sequence INTEGER, topic TEXT, stored BLOB);
CREATE TABLE IF NOT EXISTS days (owner TEXT PRIMARY KEY, day BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS declared (owner TEXT PRIMARY KEY, declared BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS writer (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), epoch INTEGER);
CREATE TABLE IF NOT EXISTS standing (stream TEXT, sequence INTEGER, stored BLOB, PRIMARY KEY (stream, sequence));
CREATE TABLE IF NOT EXISTS held (place INTEGER PRIMARY KEY, stored BLOB, digest TEXT);
CREATE TABLE IF NOT EXISTS topics (id TEXT PRIMARY KEY, name TEXT, source TEXT, next INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS learned (only_one INTEGER PRIMARY KEY CHECK (only_one = 1));
"""
_LEARNED = "INSERT OR IGNORE INTO learned VALUES (1)"
_BATCH = 400  # keys per query: each has two values, and SQLite limits variables


class OutboxTakenError(Exception):
    """An outbox that cannot be opened: another gateway has it open, or it cannot be read."""

    busy = False  # whether another gateway has it open


_RESTORE = "The outbox is the gateway's own state, and without it nothing can be recorded. Restore a backup."


_BUSY = "A gateway is running on this record, and a record has one writer. Stop it, or send lines to its socket."


class Pending(msgspec.Struct, frozen=True):
    """A fact that is durable here and may not be in the log yet."""

    place: int
    stream: str
    sequence: int
    topic: str
    stored: bytes


class _WaitingLink(msgspec.Struct):
    previous: str = ""


class Outbox:
    """One gateway's outbox. Opening it locks the file, so SQLite refuses a second gateway."""

    def __init__(self, path: Path, wait_seconds: float = 1) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = _opened(path, wait_seconds)
        except (OSError, sqlite3.DatabaseError) as error:
            taken = OutboxTakenError(f"{path}: {error}. {_BUSY if _is_busy(error) else _RESTORE}")
            taken.busy = _is_busy(error)
            raise taken from error

    def writer(self) -> Writer:
        """The writer as the last batch left it, in a new epoch."""
        row = self._db.execute("SELECT epoch FROM writer").fetchone()
        writer = Writer((row[0] if row else 0) + 1)
        self.bring_back(writer)
        self._db.execute("INSERT OR REPLACE INTO writer VALUES (1, ?)", (writer.epoch,))
        return writer

    def bring_back(self, writer: Writer) -> None:
        """Bring a writer back to where the last batch left it."""
        try:
            writer.days = {
                name: msgspec.msgpack.decode(day, type=WriterDay)
                for name, day in self._db.execute("SELECT * FROM days")
            }
            writer.declared = {
                name: msgspec.msgpack.decode(here, type=TableDeclared)
                for name, here in self._db.execute("SELECT * FROM declared")
            }
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise OutboxTakenError(f"{self._path} holds an unreadable day: {error}. {_RESTORE}") from error

    @property
    def learned(self) -> bool:
        """Whether it stores the keys, sources and limits in force; a file of an earlier version needs `learn` once."""
        return self._db.execute("SELECT 1 FROM learned").fetchone() is not None

    def learn(self, on_record: Iterable[bytes]) -> None:
        """Store the keys, sources and limits from the record, and from facts still on their way to it."""
        waiting = [stored for (stored,) in self._db.execute("SELECT stored FROM pending ORDER BY place")]
        with self._transaction():
            self._remember((fact, stored) for fact, stored in told(chain(on_record, waiting)))
            self._db.execute(_LEARNED)

    def standing(self) -> Registers:
        """The keys, sources and limits from the facts on record, and the revocations that wait for a place."""
        found = Registers()
        rows = [stored for (stored,) in self._db.execute("SELECT CAST(stored AS BLOB) FROM standing")]
        obeyed = told(rows)
        if len(obeyed) != len(rows):
            says = f"{self._path} holds an unreadable fact about keys or sources"
            raise OutboxTakenError(f"{says}. {_RESTORE}")
        for fact, _ in obeyed:
            found.take(fact)
        for fact in self.held():
            found.take(fact)
        return found

    def hold(self, stored: bytes) -> None:
        """Store a revocation in force that has no place until the property's next day opens."""
        self._db.execute("INSERT INTO held (stored, digest) VALUES (?,?)", (stored, digest(stored)))

    def held(self) -> list[Fact]:
        """The revocations that wait for a place, in order."""
        rows = self._db.execute("SELECT stored, digest FROM held ORDER BY place")
        try:
            return [revocation(stored, kept) for stored, kept in rows]
        except UnreadableFactError as error:
            says = f"{self._path} holds a revocation in force that is not on record yet and cannot be used: {error}"
            raise OutboxTakenError(f"{says}. {_RESTORE}") from error

    def known(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """The inputs among these that are on record, with the digest of their content."""
        found: dict[tuple[str, str], str] = {}
        for start in range(0, len(keys), _BATCH):
            part = keys[start : start + _BATCH]
            marks = ",".join(["(?,?)"] * len(part))
            rows = self._db.execute(
                f"SELECT source, source_key, content FROM inputs WHERE (source, source_key) IN (VALUES {marks})",  # noqa: S608 - marks only
                [text for key in part for text in key],
            )
            found.update({(source, key): said for source, key, said in rows})
        return found

    def read_to(self) -> dict[OwnTopic, int]:
        """The offset to read next in each topic of inputs."""
        rows = self._db.execute("SELECT source, name, id, next FROM topics")
        return {OwnTopic(source, name, topic): after for source, name, topic, after in rows}

    def put(
        self,
        placed: Iterable[tuple[PlacedFact, str, str]],
        writer: Writer,
        *,
        released: bool = False,
        read_to: Mapping[OwnTopic, int] | None = None,
    ) -> None:
        """Make a batch durable: (fact, its type's name, the digest of its source's input).

        `released` says that the batch records the held revocations; `read_to` how far it took the topics of inputs.
        """
        batch = list(placed)
        with self._transaction():
            self._db.executemany(
                "INSERT INTO inputs VALUES (?,?,?,?,?)",
                [(p.fact.source, p.fact.source_key, said, p.fact.stream, p.fact.sequence) for p, _, said in batch],
            )
            self._db.executemany(
                "INSERT INTO pending (stream, sequence, topic, stored) VALUES (?,?,?,?)",
                [(p.fact.stream, p.fact.sequence, topic, p.stored) for p, topic, _ in batch],
            )
            self._remember((p.fact, p.stored) for p, _, _ in batch if counts(p.fact))
            if released:
                self._db.execute("DELETE FROM held")
            self._db.executemany(
                "INSERT OR REPLACE INTO topics VALUES (?,?,?,?)",
                [(topic.id, topic.name, topic.source, after) for topic, after in (read_to or {}).items()],
            )
            touched = {p.fact.stream.partition("/")[0] for p, _, _ in batch}
            self._db.executemany(
                "INSERT OR REPLACE INTO declared VALUES (?,?)",
                [
                    (name, msgspec.msgpack.encode(writer.declared[name]))
                    for name in {p.fact.stream.partition("/")[0] for p, _, _ in batch if isinstance(p.fact, DECLARING)}
                    if name in writer.declared
                ],
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO days VALUES (?,?)",
                [(name, msgspec.msgpack.encode(writer.days[name])) for name in touched],
            )

    def pending(self, limit: int = 10_000) -> list[Pending]:
        """The facts that may not be in the log yet, in the order they were made."""
        rows = self._db.execute("SELECT * FROM pending ORDER BY place LIMIT ?", (limit,))
        return [Pending(*row) for row in rows]

    def strike(self, up_to: int) -> None:
        """Remove everything up to this place, which the log has acknowledged."""
        self._db.execute("DELETE FROM pending WHERE place <= ?", (up_to,))

    def copy_to(self, path: Path) -> None:
        """Make a consistent copy while nothing else can write."""
        with sqlite3.connect(path) as target:
            self._db.backup(target)
        target.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _remember(self, facts: Iterable[tuple[Fact, bytes]]) -> None:
        rows = [(fact.stream, fact.sequence, stored) for fact, stored in facts]
        self._db.executemany("INSERT OR REPLACE INTO standing VALUES (?,?,?)", rows)

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._db)


def _opened(path: Path, wait_seconds: float) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, timeout=wait_seconds, check_same_thread=False)
    try:
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.executescript(_TABLES)
        _add_digests(db)
        if not db.execute("SELECT 1 FROM days LIMIT 1").fetchone():
            db.execute(_LEARNED)
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db


def _add_digests(db: sqlite3.Connection) -> None:
    """Add the digests of held revocations, which an outbox of 0.2.0 lacks."""
    if any(name == "digest" for _, name, *_ in db.execute("PRAGMA table_info(held)")):
        return
    with _Transaction(db):
        db.execute("ALTER TABLE held ADD COLUMN digest TEXT")
        rows = db.execute("SELECT place, CAST(stored AS BLOB) FROM held").fetchall()
        db.executemany("UPDATE held SET digest = ? WHERE place = ?", [(digest(each), place) for place, each in rows])


def _is_busy(error: OSError | sqlite3.DatabaseError) -> bool:
    return isinstance(error, sqlite3.DatabaseError) and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


class _Transaction:
    """A transaction from BEGIN IMMEDIATE to COMMIT, rolled back on an error."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._db.execute("COMMIT" if kind is None else "ROLLBACK")


def streams_known(path: Path) -> int:
    """The number of streams the writer knows; 0 without an outbox or before its first use. Read only."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1)) as db:
        return int(db.execute("SELECT count(*) FROM days").fetchone()[0])


def heads(path: Path) -> dict[str, tuple[int, str]] | None:
    """The acknowledged end of each owner's newest day: stream, last sequence and its hash. Read only.

    None while a gateway is running on it, because its day is not finished anyway.

    Facts still in the outbox may or may not be in the log; for such a day, the fact before the first of them is
    returned. Raises msgspec.DecodeError if the rows cannot be read.
    """
    try:
        return _heads(path)
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(str(error)) from error
    except sqlite3.DatabaseError as error:
        if _is_busy(error):
            return None
        raise msgspec.DecodeError(str(error)) from error


def _heads(path: Path) -> dict[str, tuple[int, str]]:
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=1)) as db:
        days = [msgspec.msgpack.decode(day, type=WriterDay) for (day,) in db.execute("SELECT day FROM days")]
        pending = db.execute("SELECT stream, min(sequence), stored FROM pending GROUP BY stream").fetchall()
    found = {day.stream: (day.sequence, day.head) for day in days}
    for stream, sequence, stored in pending:
        found[stream] = (sequence - 1, msgspec.json.decode(stored, type=_WaitingLink).previous)
    return {stream: head for stream, head in found.items() if head[0]}
