"""What the store notes about itself, in the schema `catwalk` of the working file; some of it is published with rows.

A stream that is sealed lives on in Parquet. When something of it changes, its rows of the tables concerned come back
into the working file and a mask hides those in Parquet; sealed again it is written anew. So each row in Parquet carries
the life of its stream it was written in, and is superseded where a mask names its table, its stream and that life or a
later one.
"""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal

import duckdb
import msgspec
import pyarrow as pa

from domain.facts.streams import stream
from projections.rollups import BASES

FileKind = Literal["segment", "stream", "day", "month"]

# name: columns
NOTES: Final = {
    "positions": "name VARCHAR, position BIGINT",
    "files": "path VARCHAR, name VARCHAR, kind VARCHAR, first_day DATE, last_day DATE,"
    " first_table VARCHAR, last_table VARCHAR, rows BIGINT, bytes BIGINT",
    "dead": "stream VARCHAR, round INTEGER, edition BIGINT",  # rows of segments that are superseded, once for a place
    "masks": "name VARCHAR, stream VARCHAR, life INTEGER, lasting BOOLEAN",  # once for a table and stream
    "held": "path VARCHAR, stream VARCHAR, life INTEGER",  # the streams in segments and in files of one stream
    "sealed": "stream VARCHAR, life INTEGER",
    "retired": "path VARCHAR, last_named BIGINT",  # files no newer generation names
    "about": "version VARCHAR",
}
PUBLISHED: Final = ("positions", "files", "dead", "masks", "about")


class File(msgspec.Struct, frozen=True):
    """One Parquet file: whose rows it holds, and of which days and tables of the floor."""

    path: str  # in the build's folder
    name: str
    kind: FileKind
    first_day: date
    last_day: date
    first_table: str
    last_table: str
    rows: int
    bytes: int

    def has(self, days: tuple[date, date] | None, tables: Sequence[str] | None) -> bool:
        """Whether rows of one of these days and tables may be among its own."""
        if days is not None and (self.last_day < days[0] or self.first_day > days[1]):
            return False
        return tables is None or any(self.first_table <= each <= self.last_table for each in tables)

    def has_any(self, places: Sequence[tuple[date, str]]) -> bool:
        """Whether rows of one of these tables on its day may be among its own."""
        return any(
            self.first_day <= day <= self.last_day and self.first_table <= table <= self.last_table
            for day, table in places
        )


class Manifest(msgspec.Struct):
    """Where the rows of a generation, or of the working file, lie."""

    folder: Path
    catalog: str  # the name under which the snapshot or the working file is attached
    files: dict[str, list[File]]
    masked: frozenset[str]  # tables of which some rows in Parquet are superseded by a mask
    dead: frozenset[str]  # streams with superseded rows in segments
    open: frozenset[str]  # streams of which the snapshot, or the working file, holds rows that rollups are made from


def manifest(connection: duckdb.DuckDBPyConnection, catalog: str, folder: Path) -> Manifest:
    """The manifest as it stands in an attached file."""
    files: dict[str, list[File]] = {}
    for row in connection.execute(f"FROM {catalog}.catwalk.files ORDER BY first_day, first_table, path").fetchall():
        file = File(*row)
        files.setdefault(file.name, []).append(file)
    masked = connection.execute(f"SELECT DISTINCT name FROM {catalog}.catwalk.masks").fetchall()
    dead = connection.execute(f"SELECT DISTINCT stream FROM {catalog}.catwalk.dead").fetchall()
    bases = " UNION ".join(f"SELECT stream FROM {catalog}.main.{name}" for name in BASES)
    return Manifest(folder, catalog, files, _only(masked), _only(dead), _only(connection.execute(bases).fetchall()))


def _only(rows: list[tuple[str]]) -> frozenset[str]:
    return frozenset(name for (name,) in rows)


_FIELDS: Final = {
    "VARCHAR": pa.string(),
    "BIGINT": pa.int64(),
    "INTEGER": pa.int32(),
    "DATE": pa.date32(),
    "BOOLEAN": pa.bool_(),
}


def noted(name: str) -> pa.Schema:
    """The columns of a note as Arrow has them."""
    words = (column.split() for column in NOTES[name].split(","))
    return pa.schema([pa.field(column, _FIELDS[kind]) for column, kind in words])


def as_row(file: File) -> tuple[Any, ...]:
    """A file as the note has it."""
    return msgspec.structs.astuple(file)


def day_of(name: str) -> tuple[date, str]:
    """The gaming day and the table of a stream."""
    told = stream(name)
    return date.fromisoformat(told.day), told.owner
