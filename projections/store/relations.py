"""The SQL by which the rows of a table that count are read: what is open, and what is in Parquet and not superseded."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from projections.rollups import BASES, ROLLUPS, query
from projections.schema import SCHEMA, Table
from projections.store.bookkeeping import File, Manifest
from projections.store.ddl import LIFE, listed

BY_ROUND = frozenset({"rounds", "hands", "wagers", "cards"})  # the tables whose rows are a round's
ROUND_TABLES = tuple(table for table in SCHEMA.values() if table.kind == "round")


def live(table: Table, manifest: Manifest, files: Sequence[File] | None = None) -> str:
    """All rows of a table that count; `files` are the Parquet files to look into, where not all are wanted."""
    chosen = manifest.files.get(table.name, []) if files is None else files
    parts = []
    if table.kind in ("round", "day", "own"):
        parts.append(_snapshot(table, manifest))
    elif table in ROLLUPS:
        parts.append(f"SELECT * FROM ({query(table, open_bases(manifest))})")
    segments = [file for file in chosen if file.kind == "segment"]
    if segments:
        parts.append(in_segments(table, manifest, segments))
    sealed = [file for file in chosen if file.kind != "segment"]
    if sealed:
        parts.append(in_days(table, manifest, sealed))
    return "(" + " UNION ALL ".join(parts or [nothing(table)]) + ")"


def open_bases(manifest: Manifest) -> dict[str, str]:
    """The tables rollups are made from, as far as they lie in no sealed day."""
    return {name: open_rows(SCHEMA[name], manifest) for name in BASES}


def open_rows(table: Table, manifest: Manifest) -> str:
    """The rows of a round table that lie in no sealed day."""
    segments = [file for file in manifest.files.get(table.name, []) if file.kind == "segment"]
    return live(table, manifest, segments)


def in_segments(table: Table, manifest: Manifest, files: Iterable[File]) -> str:
    """Rows of closed stretches that count."""
    joins, wanted = _unmasked(table, manifest)
    if manifest.dead:
        dead = f"{manifest.catalog}.catwalk.dead"
        joins += f" LEFT JOIN (FROM {dead} WHERE round IS NULL) s ON s.stream = p.stream"
        wanted.append("(s.edition IS NULL OR p.edition >= s.edition)")
        if table.name in BY_ROUND:
            joins += f" LEFT JOIN (FROM {dead} WHERE round IS NOT NULL) d ON d.stream = p.stream AND d.round = p.round"
            wanted.append("(d.edition IS NULL OR p.edition >= d.edition)")
    return _select(listed(table, "p"), parquet(manifest.folder, files), joins, wanted)


def in_days(table: Table, manifest: Manifest, files: Iterable[File], *, with_life: bool = False) -> str:
    """Rows of sealed days that count."""
    joins, wanted = _unmasked(table, manifest)
    columns = listed(table, "p") + (f", p.{LIFE}" if with_life else "")
    return _select(columns, parquet(manifest.folder, files), joins, wanted)


def parquet(folder: Path, files: Iterable[File]) -> str:
    """Parquet files as one relation."""
    return f"read_parquet([{', '.join(quoted(folder / file.path) for file in files)}])"


def quoted(path: Path) -> str:
    """A path as SQL writes it."""
    return "'" + str(path).replace("'", "''") + "'"


def _snapshot(table: Table, manifest: Manifest) -> str:
    return f'SELECT {listed(table)} FROM {manifest.catalog}.main."{table.name}"'


def _unmasked(table: Table, manifest: Manifest) -> tuple[str, list[str]]:
    if table.name not in manifest.masked:
        return "", []
    masks = f"(FROM {manifest.catalog}.catwalk.masks WHERE name = '{table.name}')"
    return f" LEFT JOIN {masks} m ON m.stream = p.stream", [f"(m.life IS NULL OR p.{LIFE} > m.life)"]


def _select(columns: str, source: str, joins: str, wanted: Sequence[str]) -> str:
    where = f" WHERE {' AND '.join(wanted)}" if wanted else ""
    return f"SELECT {columns} FROM {source} p{joins}{where}"


def nothing(table: Table) -> str:
    """No row of a table."""
    columns = ", ".join(f'NULL::{column.type} AS "{column.name}"' for column in table.columns)
    return f"SELECT {columns} WHERE false"
