"""The store's notes about itself, in the schema `catwalk` of the working file; some are published with the rows.

A sealed stream moves to Parquet. If it changes later, its rows of the affected tables return to the working file, and
a mask hides the old ones in Parquet. Sealing it again writes it again. Each row in Parquet therefore carries its
stream's life, the number of times it was sealed. A row is superseded if a mask names its table and stream with that
life or a later one.
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
    "dead": "stream VARCHAR, round INTEGER, edition BIGINT",  # superseded rows of segments, once per place
    "masks": "name VARCHAR, stream VARCHAR, life INTEGER, lasting BOOLEAN",  # once per table and stream
    "held": "path VARCHAR, stream VARCHAR, life INTEGER",  # the streams in segments and in files of one stream
    "sealed": "stream VARCHAR, life INTEGER",
    "retired": "path VARCHAR, last_named BIGINT",  # files that no newer generation names
    "about": "version VARCHAR",
}
PUBLISHED: Final = ("positions", "files", "dead", "masks", "about")


class ParquetFile(msgspec.Struct, frozen=True):
    """One Parquet file: the table, days and floor tables of its rows."""

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
        """Return whether it may have rows of these days and tables."""
        if days is not None and (self.last_day < days[0] or self.first_day > days[1]):
            return False
        return tables is None or any(self.first_table <= each <= self.last_table for each in tables)

    def has_any(self, places: Sequence[tuple[date, str]]) -> bool:
        """Return whether it may have rows of one of these tables on its day."""
        return any(
            self.first_day <= day <= self.last_day and self.first_table <= table <= self.last_table
            for day, table in places
        )


class RowManifest(msgspec.Struct):
    """The places of the rows of a generation, or of the working file."""

    folder: Path
    catalog: str  # the name under which the snapshot or the working file is attached
    files: dict[str, list[ParquetFile]]
    masked: frozenset[str]  # tables with rows in Parquet that a mask supersedes
    dead: frozenset[str]  # streams with superseded rows in segments
    open: frozenset[str]  # streams with rows for rollups in the snapshot or the working file


def manifest(connection: duckdb.DuckDBPyConnection, catalog: str, folder: Path) -> RowManifest:
    """Return the manifest stored in an attached file."""
    files: dict[str, list[ParquetFile]] = {}
    for row in connection.execute(f"FROM {catalog}.catwalk.files ORDER BY first_day, first_table, path").fetchall():
        file = ParquetFile(*row)
        files.setdefault(file.name, []).append(file)
    masked = connection.execute(f"SELECT DISTINCT name FROM {catalog}.catwalk.masks").fetchall()
    dead = connection.execute(f"SELECT DISTINCT stream FROM {catalog}.catwalk.dead").fetchall()
    bases = " UNION ".join(f"SELECT stream FROM {catalog}.main.{name}" for name in BASES)
    return RowManifest(folder, catalog, files, _only(masked), _only(dead), _only(connection.execute(bases).fetchall()))


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
    """Return the columns of a note as an Arrow schema."""
    words = (column.split() for column in NOTES[name].split(","))
    return pa.schema([pa.field(column, _FIELDS[kind]) for column, kind in words])


def as_row(file: ParquetFile) -> tuple[Any, ...]:
    """Return a file as a row of the note."""
    return msgspec.structs.astuple(file)


def day_of(name: str) -> tuple[date, str]:
    """Return the gaming day and the table of a stream."""
    told = stream(name)
    return date.fromisoformat(told.day), told.owner
