"""Dead letters: inputs that could not be read as a fact or placed, with their bytes, origin and reason.

Nothing is dropped. Every line becomes a fact on record, a repeat of one, or a letter here, or it stays with its client,
who is notified (`letter_budget.py`). A letter that is retried and accepted is marked, not deleted. This file is the
first place where a letter is durable. Records for a topic also wait here until the brokers acknowledge them, so a
letter survives while no broker is reachable.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from eventsourcing.persistence import OperationalError

from consumers.gateway.clients import label_of
from consumers.gateway.letter_records import (
    LETTER_BYTES,
    DeadLetterRetried,
    Kept,
    Letter,
    LetterRecord,
    digest,
    encode,
    name_of,
    record_of,
    shortened,
)
from consumers.gateway.unsaid import TABLES, RefusalKind, Unsaid
from domain.facts.refused import Refused

_TABLE = f"""
CREATE TABLE IF NOT EXISTS dead_letters (
    number INTEGER PRIMARY KEY, digest TEXT, came_from TEXT, place INTEGER, reason TEXT, says TEXT,
    bytes BLOB, at INTEGER, retried_at INTEGER, refused BLOB, UNIQUE (digest, came_from, place));
CREATE TABLE IF NOT EXISTS from_console (
    digest TEXT, came_from TEXT, place INTEGER, PRIMARY KEY (digest, came_from, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS to_publish (place INTEGER PRIMARY KEY AUTOINCREMENT, letter TEXT, record BLOB);
{TABLES}"""
_COLUMNS = "number, digest, came_from, place, reason, says, bytes, at, refused, retried_at"
_PUT = (
    "INSERT INTO dead_letters (digest, came_from, place, reason, says, bytes, at, refused) VALUES (?,?,?,?,?,?,?,?)"
    " ON CONFLICT DO UPDATE SET reason = excluded.reason, says = excluded.says, refused = excluded.refused,"
    " retried_at = NULL"
    " WHERE reason IS NOT excluded.reason OR says IS NOT excluded.says OR retried_at IS NOT NULL"
)
_ADOPT = _PUT.partition(" ON CONFLICT")[0] + " ON CONFLICT DO NOTHING"
_TAKEN = "UPDATE dead_letters SET retried_at = ? WHERE digest = ? AND came_from = ? AND place = ?"
_STILL = (
    "UPDATE dead_letters SET reason = ?, says = ?, refused = ?, retried_at = NULL"
    " WHERE digest = ? AND came_from = ? AND place = ?"
)


class Refusal(msgspec.Struct, frozen=True):
    """A refused input: its letter, and the refusal to record, which is counted with the letter."""

    letter: Letter | None  # None for a line that stays with its client
    kind: RefusalKind | None = None
    off: tuple[str, int] | None = None  # the source whose clock was off, and by how many microseconds
    console: bool = False  # whether a console command sent the line: it may send it again


class DeadLetters:
    """The letters of one record, in one SQLite file. The same bytes from the same place are one letter.

    `publish` is called whenever records for the topic were added; without it none are.
    """

    def __init__(self, path: Path, publish: Callable[[], None] | None = None) -> None:
        self.path = path
        self._publish = publish
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, timeout=30, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(_TABLE)
            _add_refusals(self._db)
            self.unsaid = Unsaid(self._db)
        except (OSError, sqlite3.DatabaseError) as error:
            raise OperationalError(f"{path} is not a usable file of dead letters: {error}. Restore a backup") from error

    def put(self, letters: Iterable[Letter]) -> None:
        """Store these letters; they are durable when this returns."""
        self.refuse(map(Refusal, letters))

    def refuse(self, refusals: Iterable[Refusal]) -> None:
        """Store these letters and count their refusals, each letter once; all is durable when this returns."""
        rows = [(refusal, _row(refusal.letter) if refusal.letter is not None else None) for refusal in refusals]
        if not rows:
            return
        new: list[Letter] = []
        self._db.execute("BEGIN IMMEDIATE")
        for refusal, row in rows:
            if refusal.letter is None or row is None:
                self._count(refusal, None)
                continue
            if refusal.console:
                self._db.execute("INSERT OR IGNORE INTO from_console VALUES (?,?,?)", row[:3])
            if self._db.execute(_PUT, row).rowcount:
                new.append(msgspec.structs.replace(refusal.letter, says=row[4]))
                self._count(refusal, new[-1])
        self._tell(map(record_of, new))
        self._db.execute("COMMIT")
        self._wake()

    def adopt(self, letters: Iterable[Letter]) -> None:
        """Store letters that another gateway put into the topic; letters already stored here stay as they are."""
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(_ADOPT, map(_row, letters))
        self._db.execute("COMMIT")

    def is_from_console(self, letter: Letter) -> bool:
        """Whether a gateway with this file took these bytes, at this place, from a console command.

        The origin that a letter names proves nothing: others can write letters into the log and the topic.
        """
        asked = "SELECT 1 FROM from_console WHERE digest = ? AND came_from = ? AND place = ?"
        return self._db.execute(asked, _key(letter)).fetchone() is not None

    def all(self, *, open_only: bool = False) -> Iterator[Kept]:
        """The letters, oldest first."""
        where = "WHERE retried_at IS NULL " if open_only else ""
        statement = f"SELECT {_COLUMNS} FROM dead_letters {where}ORDER BY number"  # noqa: S608 - no input in it
        for row in self._db.execute(statement):
            yield _kept(row)

    def get(self, number: int) -> Kept | None:
        """One letter by its number."""
        row = self._db.execute(
            f"SELECT {_COLUMNS} FROM dead_letters WHERE number = ?",  # noqa: S608 - no input in it
            (number,),
        ).fetchone()
        return _kept(row) if row else None

    def numbers(self, letters: Iterable[Letter]) -> list[int]:
        """The numbers of these letters, which are stored here."""
        asked = "SELECT number FROM dead_letters WHERE digest = ? AND came_from = ? AND place = ?"
        return [number for letter in letters for (number,) in self._db.execute(asked, _key(letter))]

    def named(self, name: str) -> Iterator[Kept]:
        """The letters whose names begin with this text."""
        return (kept for kept in self.all() if kept.name.startswith(name))

    def tried(self, outcomes: Iterable[tuple[Letter, Letter | None]], at: int) -> None:
        """Mark retried letters; a letter that was refused again comes with its new reason."""
        self._db.execute("BEGIN IMMEDIATE")
        for letter, refused in outcomes:
            place = _key(letter)
            if refused is None:
                self._db.execute(_TAKEN, (at, *place))
                self._tell([DeadLetterRetried(letter.name, at, taken=True)])
            else:
                says = shortened(refused.says)
                self._db.execute(_STILL, (refused.reason, says, _parts(refused.refused), *place))
                again = DeadLetterRetried(letter.name, at, False, refused.reason, says, refused.refused)
                self._tell([again])
        self._db.execute("COMMIT")
        self._wake()

    def unpublished(self, limit: int, most_bytes: int = 8 * 1024 * 1024) -> list[tuple[int, bytes]]:
        """The next records for the topic, in order; fewer if letters are long."""
        found: list[tuple[int, bytes]] = []
        held = 0
        for place, record in self._db.execute("SELECT place, record FROM to_publish ORDER BY place LIMIT ?", (limit,)):
            if found and held + len(record) > most_bytes:
                break
            held += len(record)
            found.append((place, record))
        return found

    def count_unpublished(self) -> int:
        """The number of records that wait for the topic."""
        (count,) = self._db.execute("SELECT count(*) FROM to_publish").fetchone()
        return int(count)

    def published(self, places: Sequence[int]) -> None:
        """Remove records that the brokers have acknowledged."""
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany("DELETE FROM to_publish WHERE place = ?", [(place,) for place in places])
        self._db.execute("COMMIT")

    def kept_bytes(self, since: int) -> Counter[str]:
        """The approximate bytes of the letters stored since a moment, by client."""
        found: Counter[str] = Counter()
        columns = "at, came_from, length(bytes) + length(says)"
        for at, came_from, size in self._db.execute(f"SELECT {columns} FROM dead_letters ORDER BY number DESC"):  # noqa: S608
            if at < since:
                break
            found[label_of(came_from)] += size + LETTER_BYTES
        return found

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _count(self, refusal: Refusal, letter: Letter | None) -> None:
        if refusal.kind is not None:
            self.unsaid.counting(refusal.kind, letter.name if letter is not None else "")
        if refusal.off is not None:
            self.unsaid.off(*refusal.off)

    def _tell(self, records: Iterable[LetterRecord]) -> None:
        if self._publish is not None:
            rows = ((record.letter, encode(record)) for record in records)
            self._db.executemany("INSERT INTO to_publish (letter, record) VALUES (?,?)", rows)

    def _wake(self) -> None:
        if self._publish is not None:
            self._publish()


def _add_refusals(db: sqlite3.Connection) -> None:
    """Add the parts of the refusals, which a file of an earlier version lacks."""
    if not any(name == "refused" for _, name, *_ in db.execute("PRAGMA table_info(dead_letters)")):
        db.execute("ALTER TABLE dead_letters ADD COLUMN refused BLOB")


def _key(letter: Letter) -> tuple[str, str, int]:
    return (digest(letter.stored), letter.came_from, letter.place)


def _row(letter: Letter) -> tuple[str, str, int, str, str, bytes, int, bytes | None]:
    says = shortened(letter.says)
    return (*_key(letter), letter.reason, says, letter.stored, letter.at, _parts(letter.refused))


def _parts(refused: Refused | None) -> bytes | None:
    return msgspec.json.encode(refused) if refused is not None else None


def _kept(row: tuple[int, str, str, int, str, str, bytes, int, bytes | None, int | None]) -> Kept:
    number, held, came_from, place, reason, says, stored, at, parts, retried_at = row
    refused = msgspec.json.decode(parts, type=Refused) if parts is not None else None
    letter = Letter(came_from, place, reason, says, stored, at, refused)
    return Kept(number, name_of(came_from, place, held), letter, retried_at, len(stored))
