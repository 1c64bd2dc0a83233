"""The property's tree in one SQLite file that only grows: the entries in order, and tables derived from them.

An entry is a leaf, a signed head, a note about a key or a cosignature, in its published bytes. The tables of leaves,
nodes, heads and keys follow from the entries, in the same transaction. The order of the leaves is evidence and cannot
be recomputed from the record. So the file is opened, made or restored explicitly, never recreated silently.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Literal, NamedTuple

from consumers.gateway.keys import verify
from domain.ledger.checkpoint import (
    BadNoteError,
    Checkpoint,
    Note,
    NoteKey,
    first_of_each,
    is_name,
    parsed_checkpoint,
    parsed_note,
)
from domain.ledger.rotation import KeyRotation, told_by
from domain.ledger.stretches import BadStretchError, Stretch, parsed
from domain.ledger.tree import BadProofError, check_consistency, node_hash, root
from domain.ledger.witnessing import head_of, parsed_shown

TREE_FILE: Final = "trust/tree.sqlite"  # in the folder of the record's own files

EntryType = Literal["stretch.1", "checkpoint.1", "key.1", "cosignature.1"]

_TABLES = """
CREATE TABLE entries (sequence INTEGER PRIMARY KEY, type TEXT NOT NULL, stored BLOB NOT NULL) STRICT;
CREATE TABLE leaves (
    place INTEGER PRIMARY KEY, kind TEXT NOT NULL, stream TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    stored BLOB NOT NULL
) STRICT;
CREATE INDEX leaves_of_a_stream ON leaves (kind, stream, first);
CREATE TABLE nodes (level INTEGER, place INTEGER, hash BLOB NOT NULL, PRIMARY KEY (level, place)) STRICT, WITHOUT ROWID;
CREATE TABLE heads (
    size INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, time TEXT NOT NULL, days TEXT NOT NULL, note TEXT NOT NULL
) STRICT;
CREATE TABLE cosignatures (size INTEGER, line TEXT, PRIMARY KEY (size, line)) STRICT, WITHOUT ROWID;
CREATE TABLE keys (number INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;
CREATE TABLE positions (
    log TEXT, partition INTEGER, position INTEGER NOT NULL, PRIMARY KEY (log, partition)
) STRICT, WITHOUT ROWID;
"""
_GROWING = ("entries", "leaves", "nodes", "heads", "cosignatures", "keys")


class TreeTroubleError(Exception):
    """A tree that is missing, incomplete, or not this record's; the message says which and what to do."""


class TreeEntry(NamedTuple):
    """An entry of the tree, with its place in their order."""

    sequence: int
    type: EntryType
    stored: bytes


class TreeFile:
    """The tree in its file."""

    def __init__(self, path: Path, *, make: bool = False) -> None:
        self.path = path
        if not make and not path.is_file():
            says = f"there is no tree: no file {path}"
            raise TreeTroubleError(f"{says}. Create one with catwalk checkpoint key make, or restore a backup")
        if make:
            path.parent.mkdir(parents=True, exist_ok=True)
        mode = "rwc" if make else "rw"
        try:
            uri = f"{path.absolute().as_uri()}?mode={mode}"
            self._db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=30)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            if make:
                self._lay()
            self.last  # noqa: B018 - fails now if the file is not a tree
        except sqlite3.Error as error:
            raise TreeTroubleError(f"{path} cannot be read as a tree: {error}. Restore a backup") from error

    def _lay(self) -> None:
        with self.growing():
            for statement in _TABLES.split(";")[:-1]:
                self._db.execute(statement)
            for table in _GROWING:
                for change in ("UPDATE", "DELETE"):
                    named = f"CREATE TRIGGER {table}_{change} BEFORE {change} ON {table}"
                    self._db.execute(f"{named} BEGIN SELECT RAISE(ABORT, 'the tree only grows'); END")

    @contextmanager
    def growing(self) -> Iterator[None]:
        """One transaction: everything put in within it is stored, or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def put(self, type_: EntryType, stored: bytes) -> None:
        """Add the next entry and its derived rows; raise an error if it does not follow the entries before it."""
        sequence = self.last + 1
        try:
            if type_ == "stretch.1":
                self._leaf(parsed(stored))
            elif type_ == "checkpoint.1":
                self._head(sequence, stored.decode())
            elif type_ == "key.1":
                self._key(stored.decode())
            else:
                self._cosigned(stored.decode())
        except (BadStretchError, BadNoteError, BadProofError, UnicodeDecodeError) as error:
            raise TreeTroubleError(f"entry {sequence} of the tree does not follow the one before: {error}") from error
        self._db.execute("INSERT INTO entries VALUES (?, ?, ?)", (sequence, type_, stored))

    def _leaf(self, stretch: Stretch) -> None:
        place, own = self.size, stretch.leaf
        row = (place, stretch.kind, stretch.stream, stretch.first, stretch.last, stretch.stored)
        self._db.execute("INSERT INTO leaves VALUES (?, ?, ?, ?, ?, ?)", row)
        level = 0
        while True:
            self._db.execute("INSERT INTO nodes VALUES (?, ?, ?)", (level, place, own))
            if not place & 1:
                return
            own = node_hash(self.node(level, place - 1), own)
            level, place = level + 1, place >> 1

    def _head(self, sequence: int, text: str) -> None:
        shown, key = parsed_shown(text), self.key
        head = head_of(shown.note, key, verify)
        now, before = head.checkpoint, self.newest
        if (now.size, now.root) != (self.size, self.root(self.size)):
            raise BadNoteError(f"the head does not match the tree of {self.size} leaves here")
        if before is not None:
            check_consistency(before.size, now.size, before.root, now.root, shown.path)
        row = (now.size, sequence, head.time, " ".join(head.days), shown.note)
        self._db.execute("INSERT INTO heads VALUES (?, ?, ?, ?, ?)", row)

    def _key(self, text: str) -> None:
        told, keys = told_by(text, verify), self.keys
        if told.before != (keys[-1].key if keys else None) or told.size != self.size:
            raise BadNoteError(f"the note names {told.key.text}, which is not the next key of this tree")
        self._db.execute("INSERT INTO keys VALUES (?, ?)", (len(keys) + 1, text))

    def _cosigned(self, text: str) -> None:
        note = parsed_note(text)
        size = parsed_checkpoint(note.text).size
        if note.text != parsed_note(self.note(size)).text:
            raise BadNoteError(f"the note with the cosignature is not the head of {size} leaves here")
        rows = [(size, signature.line) for signature in note.signatures]
        self._db.executemany("INSERT OR IGNORE INTO cosignatures VALUES (?, ?)", rows)

    @property
    def size(self) -> int:
        """The number of leaves."""
        return int(self._one("SELECT coalesce(max(place) + 1, 0) FROM leaves")[0])

    @property
    def last(self) -> int:
        """The number of entries, which is the place of the last one."""
        return int(self._one("SELECT coalesce(max(sequence), 0) FROM entries")[0])

    def node(self, level: int, place: int) -> bytes:
        """The hash of a complete subtree."""
        row = self._db.execute("SELECT hash FROM nodes WHERE level=? AND place=?", (level, place)).fetchone()
        if row is None:
            raise TreeTroubleError(f"{self.path} lacks node {place} of level {level}: restore a backup")
        return bytes(row[0])

    def root(self, size: int) -> bytes:
        """The root of the first leaves."""
        return root(self.node, size)

    def note(self, size: int) -> str:
        """The head of this size, with every cosignature received so far."""
        row = self._db.execute("SELECT note FROM heads WHERE size=?", (size,)).fetchone()
        if row is None:
            raise TreeTroubleError(f"no head of {size} leaves was signed here; catwalk checkpoint list shows the heads")
        lines = self._db.execute("SELECT line FROM cosignatures WHERE size=? ORDER BY line", (size,)).fetchall()
        told = parsed_note(row[0] + "".join(line for (line,) in lines if line not in row[0]))
        own = len(parsed_note(row[0]).signatures)
        origin = parsed_checkpoint(told.text).origin
        others = (each for each in told.signatures[own:] if each.name != origin and is_name(each.name))
        return first_of_each(Note(told.text, (*told.signatures[:own], *others))).stored

    @property
    def sizes(self) -> list[int]:
        """The sizes of all signed heads."""
        return [size for (size,) in self._db.execute("SELECT size FROM heads ORDER BY size")]

    @property
    def last_time(self) -> str:
        """The time of the newest head."""
        row = self._db.execute("SELECT time FROM heads ORDER BY size DESC LIMIT 1").fetchone()
        return "" if row is None else str(row[0])

    @property
    def closes(self) -> dict[int, tuple[str, ...]]:
        """The heads that close days of the property, with the days."""
        rows = self._db.execute("SELECT size, days FROM heads WHERE days<>'' ORDER BY size")
        return {size: tuple(days.split(" ")) for size, days in rows}

    @property
    def newest(self) -> Checkpoint | None:
        """The newest head."""
        row = self._db.execute("SELECT note FROM heads ORDER BY size DESC LIMIT 1").fetchone()
        return None if row is None else parsed_checkpoint(parsed_note(row[0]).text)

    @property
    def key_notes(self) -> list[str]:
        """The notes that name the property's keys, the first one first."""
        return [note for (note,) in self._db.execute("SELECT note FROM keys ORDER BY number")]

    @property
    def keys(self) -> list[KeyRotation]:
        """The property's keys, the first one first."""
        return [told_by(note, verify) for note in self.key_notes]

    @property
    def key(self) -> NoteKey:
        """The property's current key."""
        keys = self.keys
        if not keys:
            raise TreeTroubleError(f"{self.path} has no key: restore a backup")
        return keys[-1].key

    def leaves(self, first: int, size: int) -> Iterator[tuple[int, Stretch]]:
        """The leaves from one on, below a size, with their places."""
        asked = "SELECT place, stored FROM leaves WHERE place>=? AND place<? ORDER BY place"
        rows = self._db.execute(asked, (first, size))
        return ((place, parsed(stored)) for place, stored in rows)

    def leaf(self, place: int) -> Stretch:
        """The leaf at a place, checked against its lookup columns."""
        asked = "SELECT kind, stream, first, last, stored FROM leaves WHERE place=?"
        row = self._db.execute(asked, (place,)).fetchone()
        if row is None:
            raise BadStretchError(f"there is no leaf {place}")
        found = parsed(row[4])
        if (found.kind, found.stream, found.first, found.last) != tuple(row[:4]):
            raise BadStretchError(f"leaf {place} names another place than its own")
        return found

    def leaves_of(self, kind: str, stream: str, size: int) -> list[tuple[int, Stretch]]:
        """The leaves of one stream below a size, by their first record."""
        asked = "SELECT place, stored FROM leaves WHERE kind=? AND stream=? AND place<? ORDER BY first, place"
        return [(place, parsed(stored)) for place, stored in self._db.execute(asked, (kind, stream, size))]

    def streams(self, size: int) -> list[tuple[str, str, int]]:
        """Every stream below a size: its kind, its name and its last record there."""
        asked = "SELECT kind, stream, max(last) FROM leaves WHERE place<? GROUP BY kind, stream ORDER BY kind, stream"
        return self._db.execute(asked, (size,)).fetchall()

    def last_of(self, kind: str, stream: str) -> int:
        """The last record of a stream in the tree; 0 if there is none."""
        return int(self._one("SELECT coalesce(max(last), 0) FROM leaves WHERE kind=? AND stream=?", kind, stream)[0])

    def holds(self, kind: str, stream: str, sequence: int) -> bool:
        """Whether the tree has a record at this place."""
        asked = "SELECT count(*) FROM leaves WHERE kind=? AND stream=? AND first<=? AND last>=?"
        return bool(self._one(asked, kind, stream, sequence, sequence)[0])

    def covers_any(self, kind: str, stream: str, first: int, last: int) -> bool:
        """Whether a leaf covers one of these records."""
        asked = "SELECT count(*) FROM leaves WHERE kind=? AND stream=? AND first<=? AND last>=?"
        return bool(self._one(asked, kind, stream, last, first)[0])

    def entries(self, after: int, limit: int = 10_000) -> list[TreeEntry]:
        """Up to this many entries after a place in their order."""
        asked = "SELECT sequence, type, stored FROM entries WHERE sequence>? ORDER BY sequence LIMIT ?"
        return [TreeEntry(*row) for row in self._db.execute(asked, (after, limit))]

    def entry_of_head(self, size: int) -> int:
        """The place of a head among the entries; 0 if it is not here."""
        row = self._db.execute("SELECT sequence FROM heads WHERE size=?", (size,)).fetchone()
        return 0 if row is None else int(row[0])

    def positions(self, log: str) -> dict[int, int]:
        """The position reached in a log, by partition."""
        return dict(self._db.execute("SELECT partition, position FROM positions WHERE log=?", (log,)).fetchall())

    def move(self, log: str, positions: dict[int, int]) -> None:
        """Advance the positions of a log, within the transaction that adds its records."""
        rows = [(log, partition, position) for partition, position in positions.items()]
        self._db.executemany("INSERT OR REPLACE INTO positions VALUES (?, ?, ?)", rows)

    def _one(self, asked: str, *values: object) -> tuple[int, ...]:
        found: tuple[int, ...] = self._db.execute(asked, values).fetchone()
        return found

    def close(self) -> None:
        """Close the file."""
        self._db.close()


class NewestHead(NamedTuple):
    """The newest signed head: its time, its number of leaves, and its cosigners."""

    time: str
    size: int
    cosigners: tuple[str, ...]


def newest_head(path: Path) -> NewestHead | None:
    """The newest head of the tree at this path, read only; None if there is no tree yet."""
    if not path.is_file():
        return None
    asked = "SELECT time, size, note FROM heads ORDER BY size DESC LIMIT 1"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as tree:
            row = tree.execute(asked).fetchone()
            size = None if row is None else row[1]
            lines = tree.execute("SELECT line FROM cosignatures WHERE size=? ORDER BY line", (size,)).fetchall()
    except sqlite3.Error as error:
        raise TreeTroubleError(f"{path} cannot be read as a tree: {error}. Restore a backup") from error
    if row is None:
        return None
    told = [line.split(" ")[1] for (line,) in lines if line not in row[2]]
    return NewestHead(row[0], row[1], tuple(dict.fromkeys(told)))


@contextmanager
def laid(path: Path) -> Iterator[TreeFile]:
    """A new tree, moved to its place when it is complete."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    tree = TreeFile(unfinished, make=True)
    try:
        with tree.growing():
            yield tree
    finally:
        tree.close()
    unfinished.rename(path)
