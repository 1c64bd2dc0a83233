"""The outbox: the final bytes of every fact, durable before they are sent, and which inputs they came from.

One SQLite file beside the gateway. A batch's keys, bytes and heads are one transaction; what was appended to the log
is then struck off. After a crash whatever still stands here is appended again, the same bytes at the same place.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path

import msgspec

from consumers.gateway.held import revocation
from consumers.gateway.standing import Standing, counts, told
from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Fact
from domain.ledger.chain import digest
from domain.ledger.writer import Day, Placed, Writer

_TABLES = """
CREATE TABLE IF NOT EXISTS inputs (
    source TEXT, source_key TEXT, content TEXT, stream TEXT, sequence INTEGER,
    PRIMARY KEY (source, source_key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pending (
    place INTEGER PRIMARY KEY, stream TEXT, sequence INTEGER, topic TEXT, stored BLOB);
CREATE TABLE IF NOT EXISTS days (owner TEXT PRIMARY KEY, day BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS writer (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), epoch INTEGER);
CREATE TABLE IF NOT EXISTS standing (stream TEXT, sequence INTEGER, stored BLOB, PRIMARY KEY (stream, sequence));
CREATE TABLE IF NOT EXISTS held (place INTEGER PRIMARY KEY, stored BLOB, digest TEXT);
CREATE TABLE IF NOT EXISTS learned (only_one INTEGER PRIMARY KEY CHECK (only_one = 1));
"""
_LEARNED = "INSERT OR IGNORE INTO learned VALUES (1)"
_BATCH = 400  # two values a key, within SQLite's limit of variables


class OutboxTakenError(Exception):
    """This outbox is not to be had: another gateway has it open, or it cannot be read."""

    busy = False  # whether it is another gateway


_RESTORE = "It is what the gateway knows of its own work: without it nothing is written here. Restore a backup."


_BUSY = "A gateway is at work on this record: one writes for a table. Stop it first, or send lines to its socket."


class Pending(msgspec.Struct, frozen=True):
    """A fact that is durable here and may not be in the log yet."""

    place: int
    stream: str
    sequence: int
    topic: str
    stored: bytes


class _Link(msgspec.Struct):
    previous: str = ""


class Outbox:
    """One gateway's outbox. Opening it takes the file for itself: a second gateway on it is refused by SQLite."""

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
        try:
            days = {name: msgspec.msgpack.decode(day, type=Day) for name, day in self._db.execute("SELECT * FROM days")}
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise OutboxTakenError(f"{self._path} holds a day nobody can read: {error}. {_RESTORE}") from error
        row = self._db.execute("SELECT epoch FROM writer").fetchone()
        epoch = (row[0] if row else 0) + 1
        self._db.execute("INSERT OR REPLACE INTO writer VALUES (1, ?)", (epoch,))
        return Writer(epoch, days)

    @property
    def learned(self) -> bool:
        """Whether it holds what the gateway obeys: one of an earlier version is told it by `learn`, once."""
        return self._db.execute("SELECT 1 FROM learned").fetchone() is not None

    def learn(self, on_record: Iterable[bytes]) -> None:
        """Takes what the gateway obeys from the record, and from what is still on its way there."""
        waiting = [stored for (stored,) in self._db.execute("SELECT stored FROM pending ORDER BY place")]
        with self._transaction():
            self._remember((fact, stored) for fact, stored in told(chain(on_record, waiting)))
            self._db.execute(_LEARNED)

    def standing(self) -> Standing:
        """What the gateway obeys, as the facts on record make it, and the revocations that wait for a place there."""
        found = Standing()
        rows = [stored for (stored,) in self._db.execute("SELECT CAST(stored AS BLOB) FROM standing")]
        obeyed = told(rows)
        if len(obeyed) != len(rows):
            says = f"{self._path} holds a fact about keys or sources that nobody can read"
            raise OutboxTakenError(f"{says}. {_RESTORE}")
        for fact, _ in obeyed:
            found.take(fact)
        for fact in self.held():
            found.take(fact)
        return found

    def hold(self, stored: bytes) -> None:
        """Keeps a revocation that is obeyed at once and has no place before the property's next day is opened."""
        self._db.execute("INSERT INTO held (stored, digest) VALUES (?,?)", (stored, digest(stored)))

    def held(self) -> list[Fact]:
        """The revocations that wait for a place, in their order."""
        rows = self._db.execute("SELECT stored, digest FROM held ORDER BY place")
        try:
            return [revocation(stored, kept) for stored, kept in rows]
        except UnreadableFactError as error:
            says = f"{self._path} holds a revocation in force that is not on record yet and cannot be used: {error}"
            raise OutboxTakenError(f"{says}. {_RESTORE}") from error

    def known(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Of these inputs the ones that are on record, with the digest of what they said."""
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

    def put(self, placed: Iterable[tuple[Placed, str, str]], writer: Writer, *, released: bool = False) -> None:
        """Makes a batch durable: (fact, its type's name, the digest of what its source said).

        `released` says that what was held has its place in it.
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
            touched = {p.fact.stream.partition("/")[0] for p, _, _ in batch}
            self._db.executemany(
                "INSERT OR REPLACE INTO days VALUES (?,?)",
                [(name, msgspec.msgpack.encode(writer.days[name])) for name in touched],
            )

    def pending(self, limit: int = 10_000) -> list[Pending]:
        """What may not be in the log yet, in the order it was made."""
        rows = self._db.execute("SELECT * FROM pending ORDER BY place LIMIT ?", (limit,))
        return [Pending(*row) for row in rows]

    def strike(self, up_to: int) -> None:
        """The log has acknowledged everything up to this place."""
        self._db.execute("DELETE FROM pending WHERE place <= ?", (up_to,))

    def copy_to(self, path: Path) -> None:
        """A consistent copy, made while nobody else can write."""
        with sqlite3.connect(path) as target:
            self._db.backup(target)
        target.close()

    def close(self) -> None:
        """Lets the file go."""
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
    """An outbox of 0.2.0 holds revocations without their digests."""
    if any(name == "digest" for _, name, *_ in db.execute("PRAGMA table_info(held)")):
        return
    with _Transaction(db):
        db.execute("ALTER TABLE held ADD COLUMN digest TEXT")
        rows = db.execute("SELECT place, CAST(stored AS BLOB) FROM held").fetchall()
        db.executemany("UPDATE held SET digest = ? WHERE place = ?", [(digest(each), place) for place, each in rows])


def _is_busy(error: OSError | sqlite3.DatabaseError) -> bool:
    return isinstance(error, sqlite3.DatabaseError) and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


class _Transaction:
    """BEGIN IMMEDIATE to COMMIT, or back to where it was."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._db.execute("COMMIT" if kind is None else "ROLLBACK")


def streams_known(path: Path) -> int:
    """How many streams the writer knows; 0 where there is no outbox, or one that nobody wrote by. Read only."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1)) as db:
        return int(db.execute("SELECT count(*) FROM days").fetchone()[0])


def heads(path: Path) -> dict[str, tuple[int, str]] | None:
    """What the log has acknowledged of the newest day of each owner: stream, last sequence and its hash. Read only.

    None while a gateway is at work on it: its own day is not finished anyway.

    What still stands in the outbox may be in the log or not: of such a day the fact before the first of it is told.
    Raises msgspec.DecodeError where its rows cannot be read.
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
        days = [msgspec.msgpack.decode(day, type=Day) for (day,) in db.execute("SELECT day FROM days")]
        pending = db.execute("SELECT stream, min(sequence), stored FROM pending GROUP BY stream").fetchall()
    found = {day.stream: (day.sequence, day.head) for day in days}
    for stream, sequence, stored in pending:
        found[stream] = (sequence - 1, msgspec.json.decode(stored, type=_Link).previous)
    return {stream: head for stream, head in found.items() if head[0]}
