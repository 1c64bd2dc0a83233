"""Commit a batch to the working file in one transaction: rows, superseded rows, and log positions."""

from collections import Counter
from collections.abc import Iterable, Mapping

import pyarrow as pa

from projections.changes import Changes, Row, UnreadFrom, editions
from projections.schema import SCHEMA, ModelTable
from projections.store.ddl import ARROW, arrow, listed
from projections.store.relations import BY_ROUND, ROUND_TABLES
from projections.store.reopening import reopen
from projections.store.working import Working

_PLACES = pa.schema([("stream", pa.string()), ("round", pa.int32()), ("edition", pa.int64())])


class UnknownTableError(LookupError):
    """A batch names an unknown table, or a table of the wrong kind."""


class WrittenTwiceError(ValueError):
    """A batch writes one day twice under one edition, which would double every row of it."""


def apply(working: Working, changes: Changes) -> None:
    """Apply a batch; call this inside a transaction."""
    _check(changes)
    reopen(working, changes)
    for name, rows in changes.rows.items():
        if rows:
            working.insert(SCHEMA[name], rows)
    if changes.dead:
        _bury(working, changes)
    _replace(working, changes)
    _mark(working, changes.unread)
    for name, keyed in changes.own.items():
        if keyed:
            _put(working, SCHEMA[name], list(keyed.values()))
    _note_positions(working, changes.positions)


def _check(changes: Changes) -> None:
    named = [(name, "round") for name in changes.rows]
    named += [(name, "day") for tables in changes.day.values() for name in tables]
    named += [(name, "own") for name in changes.own]
    for name, kind in named:
        if name not in SCHEMA or SCHEMA[name].kind != kind:
            raise UnknownTableError(f"{name} is not a {kind} table of the read models")
    places = Counter((dead.stream, dead.edition) for dead in changes.dead if dead.round is None)
    for (stream, edition), times in places.items():
        if times > 1:
            raise WrittenTwiceError(f"{stream} is written {times} times under edition {edition}")


def _bury(working: Working, changes: Changes) -> None:
    """Delete superseded rows from the working file, and hide those in segments by a note."""
    highest = editions(changes.dead)
    days = [(stream, None, edition) for (stream, number), edition in highest.items() if number is None]
    rounds = [(stream, number, edition) for (stream, number), edition in highest.items() if number is not None]
    if days:
        with working.given("buried", arrow(_PLACES, days)):
            for table in ROUND_TABLES:
                _delete(working, table, "t.stream = b.stream AND t.edition < b.edition")
            _hide(working, "d.stream = b.stream AND d.edition <= b.edition")
    if rounds:
        with working.given("buried", arrow(_PLACES, rounds)):
            for table in ROUND_TABLES:
                if table.name in BY_ROUND:
                    same = "t.stream = b.stream AND t.round = b.round AND t.edition < b.edition"
                    _delete(working, table, same)
            _hide(working, "d.stream = b.stream AND d.round = b.round AND d.edition <= b.edition")


def _delete(working: Working, table: ModelTable, condition: str) -> None:
    working.db.execute(f'DELETE FROM main."{table.name}" t USING buried b WHERE {condition}')


def _hide(working: Working, covered: str) -> None:
    """Note what is superseded in segments, replacing narrower notes."""
    working.db.execute(f"DELETE FROM catwalk.dead d USING buried b WHERE {covered}")
    working.db.execute(
        "INSERT INTO catwalk.dead SELECT b.stream, b.round, b.edition FROM buried b WHERE b.stream IN"
        " (SELECT h.stream FROM catwalk.held h JOIN catwalk.files f USING (path) WHERE f.kind = 'segment')"
    )


def _replace(working: Working, changes: Changes) -> None:
    """Replace all rows of these streams in a day table."""
    by_table: dict[str, dict[str, list[Row]]] = {}
    for stream, tables in changes.day.items():
        for name, rows in tables.items():
            by_table.setdefault(name, {})[stream] = rows
    for name, streams in by_table.items():
        _delete_all_of(working, name, streams)
        working.insert(SCHEMA[name], [row for rows in streams.values() for row in rows])


def _mark(working: Working, unread: Mapping[str, UnreadFrom]) -> None:
    """Mark rows that stay with the sequence after which their stream cannot be read."""
    for stream, told in unread.items():
        working.db.execute(
            "UPDATE main.tables SET unread_from = ?, unread_says = ? WHERE stream = ?",
            [told.sequence, told.says, stream],
        )


def _delete_all_of(working: Working, name: str, streams: Iterable[str]) -> None:
    working.db.execute(f'DELETE FROM main."{name}" WHERE stream IN (SELECT unnest(?))', [list(streams)])


def _put(working: Working, table: ModelTable, rows: list[Row]) -> None:
    same = " AND ".join(f't."{name}" = c."{name}"' for name in table.key)
    with working.given("coming", arrow(ARROW[table.name], rows)):
        working.db.execute(f'DELETE FROM main."{table.name}" t USING coming c WHERE {same}')
        working.db.execute(f'INSERT INTO main."{table.name}" SELECT {listed(table)} FROM coming')


def _note_positions(working: Working, positions: Mapping[str, int]) -> None:
    if positions:
        working.db.execute("DELETE FROM catwalk.positions WHERE name IN (SELECT unnest(?))", [list(positions)])
        working.note("positions", list(positions.items()))
