"""SQL for the current rows of a table: those of open days, and those in Parquet that are not superseded."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path

import msgspec

from projections.rollups import BASES, ROLLUPS, SUMMED, query, query_of_part, together
from projections.schema import SCHEMA, ModelTable
from projections.store.bookkeeping import ParquetFile, RowManifest, day_of
from projections.store.ddl import LIFE, closed_sums, listed

BY_ROUND = frozenset({"rounds", "hands", "wagers", "cards"})  # the tables whose rows belong to rounds
ROUND_TABLES = tuple(table for table in SCHEMA.values() if table.kind == "round")


class WantedRows(msgspec.Struct, frozen=True):
    """A part of the rows: the files that may hold some of it, and its condition in SQL."""

    may_lie_in: Callable[[ParquetFile], bool]
    rows: str
    streams: tuple[str, ...] | None = None  # set if the part is some streams


def of_days(days: tuple[date, date] | None, tables: Sequence[str] | None) -> WantedRows:
    """Return the rows of some days, at some tables of the floor; the table filters the files only."""
    within = f"gaming_day BETWEEN DATE '{days[0]}' AND DATE '{days[1]}'" if days is not None else ""
    return WantedRows(lambda file: file.has(days, tables), within)


def of_streams(streams: Iterable[str]) -> WantedRows:
    """Return the rows of these streams."""
    named = tuple(streams)
    places = [day_of(stream) for stream in named]
    told = ", ".join("'" + stream.replace("'", "''") + "'" for stream in named)
    return WantedRows(lambda file: file.has_any(places), f"stream IN ({told})" if named else "false", named)


def live(table: ModelTable, manifest: RowManifest, part: WantedRows | None = None) -> str:
    """Return all current rows of a table, or at least those of a part."""
    chosen = [file for file in manifest.files.get(table.name, []) if part is None or part.may_lie_in(file)]
    parts = []
    if table.kind in ("round", "day", "own"):
        parts.append(_snapshot(table, manifest))
    elif table in SUMMED:
        parts.append(f"FROM ({_of_open_days(table, manifest, part)})")
    elif table in ROLLUPS:
        wanted = _still_open(manifest, part)
        if wanted is None or wanted.streams != ():
            parts.append(f"SELECT * FROM ({query(table, open_bases(manifest, wanted))})")
    segments = [file for file in chosen if file.kind == "segment"]
    if segments:
        parts.append(in_segments(table, manifest, segments))
    sealed = [file for file in chosen if file.kind != "segment"]
    if sealed:
        parts.append(in_days(table, manifest, sealed))
    return "(" + " UNION ALL ".join(parts or [nothing(table)]) + ")"


def _still_open(manifest: RowManifest, part: WantedRows | None) -> WantedRows | None:
    """Return the part that may be in unsealed days; of many evenings this is usually the last one or two."""
    if part is None or part.streams is None:
        return part
    segments = [file for name in BASES for file in manifest.files.get(name, []) if file.kind == "segment"]
    return of_streams(
        stream
        for stream in part.streams
        if stream in manifest.open or any(file.has_any([day_of(stream)]) for file in segments)
    )


def open_bases(manifest: RowManifest, part: WantedRows | None = None) -> dict[str, str]:
    """Return the tables that rollups are made from, as far as they are in unsealed days, limited to a part."""
    found = {name: open_rows(SCHEMA[name], manifest, part) for name in BASES}
    if part is None or not part.rows:
        return found
    return {name: f"(FROM {rows} WHERE {part.rows})" for name, rows in found.items()}


def _of_open_days(rollup: ModelTable, manifest: RowManifest, part: WantedRows | None) -> str:
    """Return the sums of closed stretches, plus a sum of the rows outside them, computed now.

    If rounds were written again since, the stored sums of their stream are not used; the whole stream is summed now.
    """
    rewritten = of_streams(manifest.dead)
    wanted = part or WantedRows(lambda _: True, "true")
    bases = {}
    for name in BASES:
        segments = [file for file in manifest.files.get(name, []) if file.kind == "segment"]
        files = [file for file in segments if rewritten.may_lie_in(file) and wanted.may_lie_in(file)]
        rest = _snapshot(SCHEMA[name], manifest)
        if files:
            rest += f" UNION ALL FROM ({in_segments(SCHEMA[name], manifest, files)}) WHERE {rewritten.rows}"
        bases[name] = f"(FROM ({rest}) WHERE {wanted.rows or 'true'})"
    sums = f"FROM {manifest.catalog}.{closed_sums(rollup)} WHERE NOT {rewritten.rows} AND {wanted.rows or 'true'}"
    return together(rollup, f"{query_of_part(rollup, bases)} UNION ALL {sums}")


def open_rows(table: ModelTable, manifest: RowManifest, part: WantedRows | None = None) -> str:
    """Return the rows of a round table that are in unsealed days."""

    def may_lie_in(file: ParquetFile) -> bool:
        return file.kind == "segment" and (part is None or part.may_lie_in(file))

    return live(table, manifest, WantedRows(may_lie_in, ""))


def in_segments(table: ModelTable, manifest: RowManifest, files: Iterable[ParquetFile]) -> str:
    """Return the current rows of closed stretches."""
    joins, wanted = _unmasked(table, manifest)
    if manifest.dead:
        dead = f"{manifest.catalog}.catwalk.dead"
        joins += f" LEFT JOIN (FROM {dead} WHERE round IS NULL) s ON s.stream = p.stream"
        wanted.append("(s.edition IS NULL OR p.edition >= s.edition)")
        if table.name in BY_ROUND:
            joins += f" LEFT JOIN (FROM {dead} WHERE round IS NOT NULL) d ON d.stream = p.stream AND d.round = p.round"
            wanted.append("(d.edition IS NULL OR p.edition >= d.edition)")
    return _select(listed(table, "p"), parquet(manifest.folder, files), joins, wanted)


def in_days(table: ModelTable, manifest: RowManifest, files: Iterable[ParquetFile], *, with_life: bool = False) -> str:
    """Return the current rows of sealed days."""
    joins, wanted = _unmasked(table, manifest)
    columns = listed(table, "p") + (f", p.{LIFE}" if with_life else "")
    return _select(columns, parquet(manifest.folder, files), joins, wanted)


def parquet(folder: Path, files: Iterable[ParquetFile]) -> str:
    """Return Parquet files as one relation."""
    return f"read_parquet([{', '.join(quoted(folder / file.path) for file in files)}])"


def quoted(path: Path) -> str:
    """Return a path as an SQL literal."""
    return "'" + str(path).replace("'", "''") + "'"


def _snapshot(table: ModelTable, manifest: RowManifest) -> str:
    return f'SELECT {listed(table)} FROM {manifest.catalog}.main."{table.name}"'


def _unmasked(table: ModelTable, manifest: RowManifest) -> tuple[str, list[str]]:
    if table.name not in manifest.masked:
        return "", []
    masks = f"(FROM {manifest.catalog}.catwalk.masks WHERE name = '{table.name}')"
    return f" LEFT JOIN {masks} m ON m.stream = p.stream", [f"(m.life IS NULL OR p.{LIFE} > m.life)"]


def _select(columns: str, source: str, joins: str, wanted: Sequence[str]) -> str:
    where = f" WHERE {' AND '.join(wanted)}" if wanted else ""
    return f"SELECT {columns} FROM {source} p{joins}{where}"


def nothing(table: ModelTable) -> str:
    """Return a relation with the columns of a table and no rows."""
    columns = ", ".join(f'NULL::{column.type} AS "{column.name}"' for column in table.columns)
    return f"SELECT {columns} WHERE false"
