"""Examine one SQLite file of a record as a file: its header, its journal, its structure, its schema.

SQLite's own check finds errors in trees, pages and indexes. It ignores header fields that it does not use, the journal,
and the words of the schema; this module compares those with what the program writes.
"""

import sqlite3
import struct
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from consumers.doctor.journal import journal_trouble

Schema = Mapping[str, str]  # name of a table, index or trigger -> the statement that made it

_MOST: Final = 20  # the most problems that SQLite reports for one file
_MAGIC: Final = b"SQLite format 3\x00"
_VERSIONS: Final = range(3_000_000, 4_000_000)
# Fields of the header with a fixed value: the offset, the value, and the field's name.
_FIXED: Final = (
    (20, b"\x00\x40\x20\x20", "the reserved space and the fractions of a page"),
    (44, b"\x00\x00\x00\x04", "the format of the schema"),
    (48, bytes(8), "the size of the cache, or the first page of an automatic vacuum"),
    (56, b"\x00\x00\x00\x01", "the encoding of text"),
    (60, bytes(32), "the version, the vacuum mode, the application, or what is reserved"),
)


def troubles(path: Path, made: Schema, always: Collection[str]) -> Iterator[str]:
    """Every problem of a database file.

    `made` is the schema that the program writes; `always` names what every file of its kind has.
    """
    if says := journal_trouble(path):
        yield says
    try:
        yield from _header(path)
        with closing(readonly(path)) as db:
            yield from _structure(db)
            yield from _schema(db, made, always)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        yield f"it cannot be read as a database: {error}"
    except OSError as error:
        yield f"it cannot be read: {error.strerror or error}"


def readonly(path: Path, wait_seconds: float = 5) -> sqlite3.Connection:
    """A connection that changes nothing, and leaves the journal as it is."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    db = sqlite3.connect(uri, uri=True, timeout=wait_seconds, isolation_level=None)
    # Damaged text is compared as bytes.
    db.text_factory = lambda stored: stored.decode(errors="backslashreplace")
    return db


def schema_of(db: sqlite3.Connection) -> Schema:
    """The statements that made a database, with white space normalized."""
    rows = db.execute("SELECT type || ' ' || name || ' of ' || tbl_name, coalesce(sql, '') FROM sqlite_schema")
    return {name: " ".join(statement.split()) for name, statement in rows}


def _header(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        head = file.read(100)
        size = file.seek(0, 2)
    journal = path.with_name(f"{path.name}-wal")
    if size == 0 and journal.exists():
        return  # everything is still in the journal
    if len(head) < 100 or not head.startswith(_MAGIC):
        yield "its header is not the header of a database"
        return
    (page_size,) = struct.unpack_from(">H", head, 16)
    page_size = 65536 if page_size == 1 else page_size
    changes, pages = struct.unpack_from(">2I", head, 24)
    valid_for, version = struct.unpack_from(">2I", head, 92)
    waits = journal.exists() and journal.stat().st_size > 0
    if page_size < 512 or page_size & (page_size - 1) or (not waits and size != pages * page_size):
        yield f"its header names {pages} pages of {page_size} bytes, but the file has {size} bytes"
    if head[18] != head[19] or head[18] not in (1, 2):
        yield "byte 18 or 19 of its header, the version of the format, was changed"
    if changes != valid_for or version not in _VERSIONS:
        yield "bytes 24 to 27 or 92 to 99 of its header, a counter and a version, were changed"
    for at, said, what in _FIXED:
        held = head[at : at + len(said)]
        if held != said and not (waits and not any(held)):  # a new file with its first records in the journal
            yield f"bytes {at} to {at + len(said) - 1} of its header, {what}, were changed"


def _structure(db: sqlite3.Connection) -> Iterator[str]:
    for (says,) in db.execute(f"PRAGMA integrity_check({_MOST})"):
        if says != "ok":
            yield " ".join(str(says).removeprefix("*** in database main ***").split())


def _schema(db: sqlite3.Connection, made: Schema, always: Collection[str]) -> Iterator[str]:
    found = schema_of(db)
    for name in sorted(set(always) - found.keys()):
        yield f"its schema lacks {name}"
    for name, statement in found.items():
        if name not in made:
            yield f"its schema has {name}, which catwalk never makes"
        elif made[name] != statement:
            yield f"its schema defines {name} differently from catwalk"
