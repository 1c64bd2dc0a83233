"""Reopen a sealed day that changes: bring back its rows of the affected tables, and hide those in Parquet."""

from collections.abc import Iterable

from projections.changes import Changes, editions, streams
from projections.rollups import ROLLUPS
from projections.schema import SCHEMA, ModelTable
from projections.store.bookkeeping import day_of
from projections.store.ddl import listed
from projections.store.relations import ROUND_TABLES, in_days
from projections.store.working import Working

Places = list[tuple[ModelTable, str]]  # a table and a stream


def reopen(working: Working, changes: Changes) -> None:
    """Bring back the rows of sealed days that a batch changes; call this inside the batch's transaction."""
    back, hidden = _touched(working, changes)
    if not back and not hidden:
        return
    open_ = {stream: reopened(working, stream) for _, stream in back + hidden}
    back, hidden = (
        [(table, stream) for table, stream in places if table.name not in open_[stream]] for places in (back, hidden)
    )
    wholly = {stream: edition for (stream, number), edition in editions(changes.dead).items() if number is None}
    for table, stream in back:
        _bring_back(working, table, stream, wholly.get(stream))
    mask(working, [(table.name, stream, working.sealed[stream]) for table, stream in back + hidden], lasting=True)


def reopened(working: Working, stream: str) -> set[str]:
    """Return the tables in which a sealed stream's rows are back and not sealed again."""
    masks = working.rows("SELECT name, life FROM catwalk.masks WHERE stream = ?", [stream])
    return {name for name, life in masks if life >= working.sealed[stream]}


def _touched(working: Working, changes: Changes) -> tuple[Places, Places]:
    """Return the rows to bring back, and those to hide only because they are written again."""
    sealed = working.sealed
    rounds = sorted(streams(changes) & sealed.keys())
    back = [(table, stream) for stream in rounds for table in ROUND_TABLES]
    hidden = [(table, stream) for stream in rounds for table in ROLLUPS]
    hidden += [(SCHEMA[name], stream) for stream, tables in changes.day.items() if stream in sealed for name in tables]
    back += [(SCHEMA["tables"], stream) for stream in changes.unread if stream in sealed]
    for name, keyed in changes.own.items():
        if SCHEMA[name].of_streams:
            back += [(SCHEMA[name], stream) for stream in sorted({row[0] for row in keyed.values()} & sealed.keys())]
    return back, hidden


def _bring_back(working: Working, table: ModelTable, stream: str, edition: int | None) -> None:
    day, owner = day_of(stream)
    manifest = working.manifest()
    files = [
        file for file in manifest.files.get(table.name, []) if file.kind != "segment" and file.has((day, day), (owner,))
    ]
    if not files:
        return
    newer = f" AND edition >= {edition}" if edition is not None and table.kind == "round" else ""
    working.db.execute(
        f'INSERT INTO main."{table.name}" SELECT {listed(table)} FROM ({in_days(table, manifest, files)})'
        f" WHERE stream = ?{newer}",
        [stream],
    )


def mask(working: Working, places: Iterable[tuple[str, str, int]], *, lasting: bool) -> None:
    """Hide the rows in Parquet of a table and stream that were written in this life or an earlier one.

    A lasting mask hides rows in files of sealed days and stays until those files are rewritten.
    """
    for name, stream, life in places:
        before = working.rows("SELECT lasting FROM catwalk.masks WHERE name = ? AND stream = ?", [name, stream])
        working.db.execute("DELETE FROM catwalk.masks WHERE name = ? AND stream = ?", [name, stream])
        working.note("masks", [(name, stream, life, lasting or before == [(True,)])])
