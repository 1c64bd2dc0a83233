"""Sealing: move a verified, closed day from the working file and the segments into its own Parquet files."""

from collections.abc import Sequence
from typing import Final

from projections.changes import Row
from projections.rollups import BASES, ROLLUPS, SUMMED, query
from projections.schema import SCHEMA, ModelTable
from projections.store.bookkeeping import ParquetFile, RowManifest, day_of
from projections.store.ddl import ARROW, LIFE, WORKING, arrow, closed_sums, listed
from projections.store.layout import sync_files
from projections.store.relations import ROUND_TABLES, nothing, open_rows, parquet
from projections.store.reopening import mask, reopened
from projections.store.working import Working

_FACTS: Final = SCHEMA["facts"]
_MOVING: Final = tuple(table for table in WORKING if table.of_streams)


def seal(working: Working, stream: str, facts: Sequence[Row]) -> bool:
    """Seal a day, or the changed part of a sealed one; return whether there was anything to seal.

    If facts are given, they replace those sealed before.
    """
    life = working.sealed[stream] + 2 if stream in working.sealed else 1
    files = _written(working, stream, life, facts)
    if not files:
        return False
    sync_files(working.build.path / file.path for file in files)
    with working.transaction():
        _hide_what_was(working, stream, facts_too=bool(facts))
        working.register(files)
        working.note("held", [(file.path, stream, life) for file in files])
        for table in _MOVING:
            working.db.execute(f'DELETE FROM main."{table.name}" WHERE stream = ?', [stream])
        for name in ("catwalk.dead", *map(closed_sums, SUMMED)):
            working.db.execute(f"DELETE FROM {name} WHERE stream = ?", [stream])
        working.db.execute("DELETE FROM catwalk.sealed WHERE stream = ?", [stream])
        working.note("sealed", [(stream, life)])
        retire_superseded(working)
    working.sealed[stream] = life
    return True


def _written(working: Working, stream: str, life: int, facts: Sequence[Row]) -> list[ParquetFile]:
    """Write the unsealed part of the stream into its own files, with the rollups of its rounds."""
    found: dict[str, ParquetFile] = {}
    manifest = _with_segments_of(working, stream)
    day, owner = day_of(stream)

    def write(table: ModelTable, rows: str) -> None:
        path = f"days/{day}/tables/{table.name}-{owner}-{life}.parquet"
        told = f"SELECT {listed(table)}, {life}::INTEGER AS {LIFE} FROM ({rows})"
        file = working.write(told, path, table, "stream")
        if file is not None:
            found[table.name] = file

    for table in _MOVING:
        source = open_rows(table, manifest)
        # A stream's name has no character with a meaning in SQL; day_of has parsed it.
        write(table, f"SELECT * FROM {source} WHERE stream = '{stream}' ORDER BY ALL")
    if not found.keys().isdisjoint(BASES):
        made = {name: nothing(SCHEMA[name]) for name in BASES}
        made |= {name: f"FROM {parquet(working.build.path, [found[name]])}" for name in BASES if name in found}
        for rollup in ROLLUPS:
            write(rollup, query(rollup, {name: f"({rows})" for name, rows in made.items()}))
    if facts:
        with working.given("sealing", arrow(ARROW["facts"], facts)):
            write(_FACTS, "FROM sealing ORDER BY sequence")
    return list(found.values())


def _with_segments_of(working: Working, stream: str) -> RowManifest:
    """Return the manifest with only those segments that hold rows of the stream."""
    mine = {path for (path,) in working.rows("SELECT path FROM catwalk.held WHERE stream = ?", [stream])}
    manifest = working.manifest()
    for name, files in manifest.files.items():
        manifest.files[name] = [file for file in files if file.kind == "segment" and file.path in mine]
    return manifest


def _hide_what_was(working: Working, stream: str, *, facts_too: bool) -> None:
    """Hide newly sealed rows in segments, and facts that were sealed before."""
    held = _with_segments_of(working, stream).files
    moved = [table.name for table in ROUND_TABLES if held.get(table.name)]
    if stream in working.sealed:
        moved = sorted(reopened(working, stream).intersection(moved))
    mask(working, [(name, stream, working.life(stream)) for name in moved], lasting=False)
    if facts_too and stream in working.sealed:
        mask(working, [(_FACTS.name, stream, working.sealed[stream])], lasting=True)


def retire_superseded(working: Working) -> None:
    """Remove files without current rows from the manifest, and masks that no longer hide anything."""
    counting = (
        "SELECT h.path FROM catwalk.held h JOIN catwalk.files f USING (path)"
        " LEFT JOIN catwalk.masks m ON m.name = f.name AND m.stream = h.stream"
        " WHERE m.life IS NULL OR h.life > m.life"
    )
    wanted = f"SELECT DISTINCT path FROM catwalk.held WHERE path NOT IN ({counting})"
    working.retire([path for (path,) in working.rows(wanted)])
    working.db.execute(
        "DELETE FROM catwalk.masks m WHERE NOT m.lasting AND NOT EXISTS (SELECT 1 FROM catwalk.held h"
        " JOIN catwalk.files f USING (path) WHERE f.name = m.name AND h.stream = m.stream AND h.life <= m.life)"
    )
