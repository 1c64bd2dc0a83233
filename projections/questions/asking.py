"""Helpers that query the published data and turn its rows into plain results.

User input is always bound, never written into the text of a query. Times go in and come out in UTC. Round tables hold
years: a query on them names the streams or days it needs, so that only those files are opened.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any, Protocol, TypeVar

import duckdb
import msgspec

Row = TypeVar("Row", bound=msgspec.Struct)


class Reading(Protocol):
    """One generation of the published data, open for reading."""

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The database with a view for each table."""

    @property
    def made_at(self) -> datetime:
        """The time it was published."""

    def source(self, table: str, days: tuple[date, date] | None = None, tables: Sequence[str] | None = None) -> str:
        """Return a relation with at least the rows of a table for these days and tables of the floor."""

    def source_of(self, table: str, streams: Iterable[str]) -> str:
        """Return a relation with at least the rows of a table for these streams."""


class AskedWronglyError(ValueError):
    """A query with invalid input: what is wrong, and how to write it."""


class NothingFitsError(LookupError):
    """A query without results: what is missing, and what exists instead."""


class Conditions:
    """Conditions joined by AND, each with its values; a condition without a value is left out."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.values: list[Any] = []

    def add(self, condition: str, *values: Any) -> "Conditions":
        """Add a condition, unless one of its values is None or empty text."""
        if all(value is not None and value != "" for value in values):
            self._parts.append(f"({condition})")
            self.values += values
        return self

    def among(self, column: str, values: Iterable[Any] | None) -> "Conditions":
        """Require one of these values in the column; an empty list matches nothing."""
        if values is not None:
            held = list(values)
            self._parts.append(f"{column} IN ({', '.join('?' * len(held))})" if held else "false")
            self.values += held
        return self

    def days(self, first: date | None, last: date | None, column: str = "gaming_day") -> "Conditions":
        """Require a gaming day within a range of days, inclusive."""
        return self.add(f"{column} >= ?", first).add(f"{column} <= ?", last)

    def times(self, begin: datetime | None, end: datetime | None, first: str, last: str) -> "Conditions":
        """Require that the span from one column to the other overlaps a range of times."""
        return self.add(f"{last} >= ?", utc(begin)).add(f"{first} <= ?", utc(end))

    def __str__(self) -> str:
        """Return the WHERE clause, or an empty text."""
        return f" WHERE {' AND '.join(self._parts)} " if self._parts else " "


def within(number: str) -> str:
    """Return the condition that finding `f` is about the round in a column, alone or within a stretch of rounds."""
    return f"{number} BETWEEN f.round AND coalesce(f.to_round, f.round)"


def utc(moment: datetime | None) -> datetime | None:
    """Return a moment as stored in the tables: UTC without an offset."""
    if moment is None or moment.tzinfo is None:
        return moment
    return moment.astimezone(UTC).replace(tzinfo=None)


def rows(reading: Reading, kind: type[Row], query: str, values: Sequence[Any] = ()) -> list[Row]:
    """Return the rows of a query, each as a struct whose fields are the query's columns."""
    cursor = reading.connection.execute(query, values)
    columns = [(column[0], str(column[1])) for column in cursor.description or ()]
    names = [name for name, _ in columns]
    changed = [name for name, of in columns if of.startswith("TIMESTAMP") or of.endswith("]")]
    found = []
    for row in cursor.fetchall():  # a player's year has thousands: plain values are not converted
        told = dict(zip(names, row, strict=True))
        for name in changed:
            told[name] = _plain(told[name])
        found.append(kind(**told))
    return found


def values_of(reading: Reading, query: str, values: Sequence[Any] = ()) -> list[Any]:
    """Return the first column of a query."""
    return [row[0] for row in reading.connection.execute(query, values).fetchall()]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC)
    return tuple(value) if isinstance(value, list) else value


def stretch(first: date | None, last: date | None) -> tuple[date, date] | None:
    """Return a range of days in the form `source` takes; None for all days."""
    return (first or date.min, last or date.max) if first or last else None


def newest_day(reading: Reading, table: str) -> date:
    """Return the last gaming day of a table."""
    days: list[date | None] = values_of(reading, 'SELECT max(gaming_day) FROM tables WHERE "table" = ?', [table])
    if not days or days[0] is None:
        names = values_of(reading, 'SELECT DISTINCT "table" FROM tables ORDER BY "table" LIMIT 20')
        there = f"there are {', '.join(names)}" if names else "there is none yet. Check that the projector is running"
        raise NothingFitsError(f"there is no table {table!r}: {there}")
    return days[0]


def day_of(reading: Reading, table: str, day: date | None) -> date:
    """Return the requested day, if the table was open; its last day if none is requested."""
    newest = newest_day(reading, table)
    if day is None or day == newest:
        return newest
    here = values_of(reading, 'SELECT 1 FROM tables WHERE "table" = ? AND gaming_day = ?', [table, day])
    if not here:
        query = 'SELECT gaming_day FROM tables WHERE "table" = ? ORDER BY gaming_day DESC LIMIT 5'
        last = ", ".join(str(each) for each in reversed(values_of(reading, query, [table])))
        raise NothingFitsError(f"{table} has no gaming day {day}: its last ones are {last}")
    return day
