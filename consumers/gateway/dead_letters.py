"""Dead letters: what could not be read as a fact or had no place, with its bytes, where it came from and why.

Nothing is dropped: a line is a fact on record, a repeat of one, or a letter here. A letter that is retried and
accepted is marked, not deleted. This file is where a letter is durable first; what is to go into a topic as well stands
here until the brokers have acknowledged it, so that a letter outlives a broker that cannot be reached.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from eventsourcing.persistence import OperationalError

from consumers.gateway.letter_records import (
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

_TABLE = """
CREATE TABLE IF NOT EXISTS dead_letters (
    number INTEGER PRIMARY KEY, digest TEXT, came_from TEXT, place INTEGER, reason TEXT, says TEXT,
    bytes BLOB, at INTEGER, retried_at INTEGER, UNIQUE (digest, came_from, place));
CREATE TABLE IF NOT EXISTS to_publish (place INTEGER PRIMARY KEY AUTOINCREMENT, letter TEXT, record BLOB);
"""
_COLUMNS = "number, digest, came_from, place, reason, says, bytes, at, retried_at"
_PUT = (
    "INSERT INTO dead_letters (digest, came_from, place, reason, says, bytes, at) VALUES (?,?,?,?,?,?,?)"
    " ON CONFLICT DO UPDATE SET reason = excluded.reason, says = excluded.says"
    " WHERE reason IS NOT excluded.reason OR says IS NOT excluded.says"
)


class DeadLetters:
    """The letters of one record, in one SQLite file. The same bytes from the same place are one letter.

    `publish` is called whenever something has been added to what is to go into the topic; without it nothing is.
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
        except (OSError, sqlite3.DatabaseError) as error:
            raise OperationalError(f"{path} cannot be opened as a file of dead letters: {error}") from error

    def put(self, letters: Iterable[Letter]) -> None:
        """Keeps these letters, durable when this returns."""
        self._put(letters, told=True)

    def adopt(self, letters: Iterable[Letter]) -> None:
        """Keeps letters that are in the topic already, put there by somebody else."""
        self._put(letters, told=False)

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

    def named(self, name: str) -> Iterator[Kept]:
        """The letters whose names begin like this."""
        return (kept for kept in self.all() if kept.name.startswith(name))

    def tried(self, letter: Letter, at: int, refused: Letter | None) -> None:
        """A letter was tried again: it is on record now, or it was refused once more."""
        told = DeadLetterRetried(letter.name, at, refused is None)
        if refused is not None:
            told = DeadLetterRetried(letter.name, at, taken=False, reason=refused.reason, says=refused.says)
        self._db.execute("BEGIN IMMEDIATE")
        if refused is None:
            where = "digest = ? AND came_from = ? AND place = ?"
            self._db.execute(
                f"UPDATE dead_letters SET retried_at = ? WHERE {where}",  # noqa: S608 - no input in it
                (at, digest(letter.stored), letter.came_from, letter.place),
            )
        self._tell([told])
        self._db.execute("COMMIT")
        self._wake()

    def unpublished(self, limit: int, most_bytes: int = 8 * 1024 * 1024) -> list[tuple[int, bytes]]:
        """What is to go into the topic, in its order; fewer where letters are long."""
        found: list[tuple[int, bytes]] = []
        held = 0
        for place, record in self._db.execute("SELECT place, record FROM to_publish ORDER BY place LIMIT ?", (limit,)):
            if found and held + len(record) > most_bytes:
                break
            held += len(record)
            found.append((place, record))
        return found

    def count_unpublished(self) -> int:
        """How many records are to go into the topic."""
        (count,) = self._db.execute("SELECT count(*) FROM to_publish").fetchone()
        return int(count)

    def published(self, places: Sequence[int]) -> None:
        """The brokers have acknowledged these."""
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany("DELETE FROM to_publish WHERE place = ?", [(place,) for place in places])
        self._db.execute("COMMIT")

    def close(self) -> None:
        """Lets the file go."""
        self._db.close()

    def _put(self, letters: Iterable[Letter], *, told: bool) -> None:
        rows = [
            (digest(one.stored), one.came_from, one.place, one.reason, shortened(one.says), one.stored, one.at)
            for one in letters
        ]
        if not rows:
            return
        self._db.execute("BEGIN IMMEDIATE")
        new = [row for row in rows if self._db.execute(_PUT, row).rowcount]
        if told:
            self._tell(record_of(Letter(*row[1:])) for row in new)
        self._db.execute("COMMIT")
        self._wake()

    def _tell(self, records: Iterable[LetterRecord]) -> None:
        if self._publish is not None:
            rows = ((record.letter, encode(record)) for record in records)
            self._db.executemany("INSERT INTO to_publish (letter, record) VALUES (?,?)", rows)

    def _wake(self) -> None:
        if self._publish is not None:
            self._publish()


def _kept(row: tuple[int, str, str, int, str, str, bytes, int, int | None]) -> Kept:
    number, held, came_from, place, reason, says, stored, at, retried_at = row
    letter = Letter(came_from, place, reason, says, stored, at)
    return Kept(number, name_of(came_from, place, held), letter, retried_at, len(stored))
