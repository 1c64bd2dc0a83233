"""Read what the projector has published: one generation as one database, for as long as it is held.

    with opened(folder) as reading:
        reading.connection.execute("SELECT * FROM rounds WHERE stream = ?", ["T7/2026-11-18"])

Any number of readings, in this process and others, hold the generations they opened, without waiting for each other.
A query uses one thread: it needs little from many files, more threads would slow each other down, and many queries run
at once. A reader of all data uses every thread.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Self

import duckdb

from projections.schema import SCHEMA, TABLES_OF_MODELS
from projections.store import layout
from projections.store.bookkeeping import RowManifest, manifest
from projections.store.ddl import VERSION
from projections.store.relations import live, of_days, of_streams, quoted
from projections.troubles import DamagedError, NothingPublishedError, OtherVersionError, told_plainly

_CATALOG = "published"


class GenerationReader:
    """One generation, read-only, with a view for each table of the schema."""

    def __init__(
        self, folder: layout.Folder, pointer: layout.Pointer, held: layout.FileLock, *, all_of_it: bool
    ) -> None:
        self._held = held
        self.generation = pointer.generation
        self.made_at = pointer.told_at
        build = folder.build(pointer.build)
        self.connection = duckdb.connect(":memory:", config={"temp_directory": ""})
        if not all_of_it:
            self.connection.execute("SET threads = 1")
        path = build.generation(pointer.generation)
        self.connection.execute(f"ATTACH {quoted(path)} AS {_CATALOG} (READ_ONLY)")
        if self.query(f"FROM {_CATALOG}.catwalk.about") != [(VERSION,)]:
            raise OtherVersionError(folder.root)
        self.positions: dict[str, int] = dict(self.query(f"FROM {_CATALOG}.catwalk.positions"))
        self._manifest = manifest(self.connection, _CATALOG, build.path)
        _all_there(self._manifest)
        for table in TABLES_OF_MODELS:
            self.connection.execute(f'CREATE VIEW "{table.name}" AS FROM {live(table, self._manifest)}')

    def query(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        return self.connection.execute(query, values).fetchall()

    def files(
        self, table: str, days: tuple[date, date] | None = None, tables: Sequence[str] | None = None
    ) -> list[Path]:
        """Return the Parquet files that may hold rows of these gaming days and floor tables."""
        files = self._manifest.files.get(table, [])
        return [self._manifest.folder / file.path for file in files if file.has(days, tables)]

    def source(self, table: str, days: tuple[date, date] | None = None, tables: Sequence[str] | None = None) -> str:
        """Return a relation that replaces the view in a query and opens only the files of these days and tables.

        It holds all of their rows and may hold others: the query still needs its own conditions.
        """
        return live(SCHEMA[table], self._manifest, of_days(days, tables))

    def source_of(self, table: str, streams: Iterable[str]) -> str:
        """Return such a relation for the files of these streams, however far apart their days are."""
        return live(SCHEMA[table], self._manifest, of_streams(streams))

    def close(self) -> None:
        """Release the generation."""
        self.connection.close()
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _all_there(told: RowManifest) -> None:
    """Check that every file is there with its original size: a query opens few of them and would not notice."""
    for file in (file for files in told.files.values() for file in files):
        path = told.folder / file.path
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            raise DamagedError(path, "it is missing") from None
        if size != file.bytes:
            raise DamagedError(path, f"it has {size:,} bytes but was written with {file.bytes:,}")


def opened(folder: Path, *, all_of_it: bool = False) -> GenerationReader:
    """Open the newest published generation of a folder; `all_of_it` is for a reader of all data."""
    here = layout.Folder(folder)
    with told_plainly(here.root):
        pointer, held = _newest(here)
        try:
            return GenerationReader(here, pointer, held, all_of_it=all_of_it)
        except BaseException:
            held.close()
            raise


def _newest(folder: layout.Folder) -> tuple[layout.Pointer, layout.FileLock]:
    """Return the generation that `current` names, locked; it may be replaced or removed at any moment before that."""
    before = None
    while (pointer := folder.pointer()) is not None and pointer != before:
        held = layout.read(folder.build(pointer.build).generation(pointer.generation))
        if held is not None:
            return pointer, held
        before = pointer
    raise NothingPublishedError(folder.root)
