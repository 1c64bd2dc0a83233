"""The working file: one connection, one transaction at a time, and cached facts about it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from projections.rollups import SUMMED
from projections.schema import SCHEMA, ModelTable
from projections.store import layout
from projections.store.bookkeeping import NOTES, FileKind, ParquetFile, RowManifest, as_row, manifest, noted
from projections.store.ddl import ARROW, VERSION, WORKING, arrow, created, created_sums
from projections.store.relations import quoted
from projections.troubles import DamagedError, OtherVersionError

CATALOG = "work"
# Most queries read a few rows of each part of a file. This format unpacks in a third less time and is a fifth larger.
# Tables with rows per round or stay are most of the data, and are packed more tightly.
_QUICKLY = "COMPRESSION lz4_raw"
_CLOSELY = "COMPRESSION zstd, COMPRESSION_LEVEL 1"
_OF_ROUNDS = frozenset({"player_hands", "stays"})


class Working:
    """The working file of one build, open for its projector."""

    def __init__(self, build: layout.Build) -> None:
        self.build = build
        # One thread: with a second one, a small commit or generation costs up to 1.7 times the processor time.
        self.db = duckdb.connect(str(build.work), config={"temp_directory": str(build.path / "tmp"), "threads": 1})
        self._make_or_check()
        self.positions: dict[str, int] = dict(self.rows("FROM catwalk.positions"))
        # The life in which each stream was last sealed.
        self.sealed: dict[str, int] = dict(self.rows("FROM catwalk.sealed"))
        self._number = 0
        self._clear_up()

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        return self.db.execute(query, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as one transaction: all of it, or nothing."""
        self.db.execute("BEGIN")
        try:
            yield
            self.db.execute("COMMIT")
        except BaseException:
            with suppress(duckdb.Error):  # a failed COMMIT has rolled back already
                self.db.execute("ROLLBACK")
            raise

    @contextmanager
    def given(self, name: str, table: pa.Table) -> Iterator[str]:
        """Register an Arrow table under a name for use in a query."""
        self.db.register(name, table)
        try:
            yield name
        finally:
            self.db.unregister(name)

    def insert(self, table: ModelTable, rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows into a table."""
        self._insert(f'main."{table.name}"', arrow(ARROW[table.name], rows))

    def note(self, name: str, rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows into a note."""
        if rows:
            self._insert(f"catwalk.{name}", arrow(noted(name), rows))

    def _insert(self, into: str, rows: pa.Table) -> None:
        with self.given("coming", rows):
            self.db.execute(f"INSERT INTO {into} FROM coming")

    def manifest(self) -> RowManifest:
        """Return the current places of the rows."""
        return manifest(self.db, CATALOG, self.build.path)

    def life(self, name: str) -> int:
        """Return the life of a stream's open rows."""
        return self.sealed[name] + 1 if name in self.sealed else 0

    def next_number(self) -> int:
        """Return a number that no file name of this build uses."""
        self._number += 1
        return self._number

    def write(self, query: str, path: str, table: ModelTable, kind: FileKind) -> ParquetFile | None:
        """Write the rows of a query as a Parquet file, not yet on the manifest; return None if there are none."""
        target = self.build.path / path
        return written(self.db, query, self.build.path, target, (table.name, kind))

    def register(self, files: Sequence[ParquetFile]) -> None:
        """Put files on the manifest."""
        self.note("files", [as_row(file) for file in files])

    def retire(self, paths: Sequence[str]) -> None:
        """Take files off the manifest; they are removed once no generation names them."""
        if not paths:
            return
        for name in ("files", "held"):
            self.db.execute(f"DELETE FROM catwalk.{name} WHERE path IN (SELECT unnest(?))", [list(paths)])
        pointer = layout.Folder(self.build.path.parent).pointer()
        self.note("retired", [(path, pointer.generation if pointer else 0) for path in paths])

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def _make_or_check(self) -> None:
        if self.rows("SELECT 1 FROM duckdb_tables() WHERE schema_name = 'catwalk' AND table_name = 'about'"):
            if self.rows("FROM catwalk.about") != [(VERSION,)]:
                raise OtherVersionError(self.build.path)
            return
        with self.transaction():
            self.db.execute("CREATE SCHEMA catwalk")
            for name, columns in NOTES.items():
                self.db.execute(f"CREATE TABLE catwalk.{name} ({columns})")
            for table in WORKING:
                self.db.execute(created(table))
            for rollup in SUMMED:
                self.db.execute(created_sums(rollup))
            self.db.execute("INSERT INTO catwalk.about VALUES (?)", [VERSION])

    def _clear_up(self) -> None:
        """Remove files that were written but never registered; raise if a registered one is missing."""
        named = {path for (path,) in self.rows("SELECT path FROM catwalk.files UNION SELECT path FROM catwalk.retired")}
        there = {str(each.relative_to(self.build.path)) for each in parquet_files(self.build.path)}
        for path in there - named:
            (self.build.path / path).unlink()
        for (path,) in self.rows("SELECT path FROM catwalk.files"):
            if path not in there:
                raise DamagedError(self.build.path / path, "it is missing")
        numbers = (Path(path).stem.rpartition("-")[2] for path in named)
        self._number = max((int(number) for number in numbers if number.isdigit()), default=0)


def parquet_files(folder: Path) -> Iterator[Path]:
    """Every Parquet file in a build's folder."""
    for each in ("segments", "days"):
        yield from (folder / each).rglob("*.parquet")


def written(
    db: duckdb.DuckDBPyConnection, query: str, folder: Path, target: Path, what: tuple[str, FileKind]
) -> ParquetFile | None:
    """Write a Parquet file and return its description; None if the query has no rows."""
    name, kind = what
    layout.made(target.parent)
    packed = _packed(SCHEMA[name], kind)
    copied = db.execute(f"COPY ({query}) TO {quoted(target)} (FORMAT parquet, WRITE_EMPTY_FILE false, {packed})")
    [(count,)] = copied.fetchall()
    if not count:
        return None
    [(first_day, last_day, first_table, last_table)] = db.execute(
        f'SELECT min(gaming_day), max(gaming_day), min("table"), max("table") FROM read_parquet({quoted(target)})'
    ).fetchall()
    path, size = str(target.relative_to(folder)), target.stat().st_size
    return ParquetFile(path, name, kind, first_day, last_day, first_table, last_table, count, size)


def _packed(table: ModelTable, kind: FileKind) -> str:
    """Return the packing of a file's columns; a segment is dropped once its days are sealed."""
    many = table.kind in ("round", "sealed") or table.name in _OF_ROUNDS
    return _CLOSELY if many and kind != "segment" else _QUICKLY
