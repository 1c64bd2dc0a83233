"""Dead letters: what could not be read as a fact or had no place, with its bytes, where it came from and why.

Nothing is dropped: a line is a fact on record, a repeat of one, or a letter here. A letter that is retried and
accepted is marked, not deleted.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

_TABLE = """
CREATE TABLE IF NOT EXISTS dead_letters (
    number INTEGER PRIMARY KEY, digest TEXT, came_from TEXT, place INTEGER, reason TEXT, says TEXT,
    bytes BLOB, at INTEGER, retried_at INTEGER, UNIQUE (digest, came_from, place));
"""


class Letter(msgspec.Struct, frozen=True):
    """One dead letter, before it has a number."""

    came_from: str  # the file, socket or topic
    place: int  # the line, or the offset
    reason: str
    says: str
    stored: bytes
    at: int  # microseconds, when it was put aside


class Kept(msgspec.Struct, frozen=True):
    """A dead letter as it is kept."""

    number: int
    letter: Letter
    retried_at: int | None


class DeadLetters:
    """The letters of one record, in one SQLite file. The same bytes from the same place are one letter."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None, timeout=30, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.executescript(_TABLE)

    def put(self, letters: Iterable[Letter]) -> None:
        """Keeps these letters, durable when this returns."""
        rows = [
            (sha256(one.stored).hexdigest(), one.came_from, one.place, one.reason, one.says, one.stored, one.at)
            for one in letters
        ]
        if not rows:
            return
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(
            "INSERT INTO dead_letters (digest, came_from, place, reason, says, bytes, at) VALUES (?,?,?,?,?,?,?)"
            " ON CONFLICT DO UPDATE SET reason = excluded.reason, says = excluded.says",
            rows,
        )
        self._db.execute("COMMIT")

    def all(self, *, open_only: bool = False) -> Iterator[Kept]:
        """The letters in the order they came."""
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

    def mark_retried(self, number: int, at: int) -> None:
        """The letter was taken after all."""
        self._db.execute("UPDATE dead_letters SET retried_at = ? WHERE number = ?", (at, number))

    def close(self) -> None:
        """Lets the file go."""
        self._db.close()


_COLUMNS = "number, came_from, place, reason, says, bytes, at, retried_at"


def _kept(row: tuple[int, str, int, str, str, bytes, int, int | None]) -> Kept:
    number, came_from, place, reason, says, stored, at, retried_at = row
    return Kept(number, Letter(came_from, place, reason, says, stored, at), retried_at)
