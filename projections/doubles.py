"""Duplicate rows of the read models, which no fold may produce and a digest alone cannot name.

A table is checked some days at a time, so that a year of it needs no more memory than a week.
"""

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

import msgspec

from projections.digests import TableSource
from projections.schema import TABLES_OF_MODELS, ModelTable

_SLICE: Final = 7  # gaming days
_NAMED_ALONE: Final = "stream"


class Doubled(msgspec.Struct, frozen=True):
    """A key with more than one row in a table, and the number of such keys."""

    table: str
    place: str
    times: int
    keys: int

    @property
    def says(self) -> str:
        """Say what is wrong, and where."""
        more = f", and {self.keys - 1} other rows more than once" if self.keys > 1 else ""
        return f"the table {self.table} holds {self.place} {self.times} times{more}"


def doubled(source: TableSource) -> list[Doubled]:
    """Return the first duplicated key of each table."""
    days = [day for (day,) in source.query(f"SELECT DISTINCT gaming_day FROM {source.source('tables')} ORDER BY 1")]
    return [found for table in TABLES_OF_MODELS if (found := _of(source, table, days)) is not None]


def _of(source: TableSource, table: ModelTable, days: list[date]) -> Doubled | None:
    first, keys = None, 0
    for relation, values in _slices(source, table, days):
        key = ", ".join(f'"{name}"' for name in table.key)
        rows = source.query(
            f"SELECT *, count(*) OVER () FROM (SELECT {key}, count(*) AS times FROM {relation} GROUP BY ALL)"
            " WHERE times > 1 ORDER BY ALL LIMIT 1",
            values,
        )
        if rows:
            first = first or rows[0]
            keys += rows[0][-1]
    return None if first is None else Doubled(table.name, named(table, first), first[-2], keys)


def _slices(source: TableSource, table: ModelTable, days: list[date]) -> Iterator[tuple[str, list[date]]]:
    if not table.of_streams:
        yield source.source(table.name), []
        return
    for first, last in slices_of(days):
        yield f"{source.source(table.name, (first, last))} WHERE gaming_day BETWEEN ? AND ?", [first, last]


def slices_of(days: list[date]) -> Iterator[tuple[date, date]]:
    """The first and last day of each slice of these days, in order."""
    for start in range(0, len(days), _SLICE):
        yield days[start], days[start : start + _SLICE][-1]


def named(table: ModelTable, row: tuple[Any, ...]) -> str:
    """Return a key in readable form: T7/2026-11-18 round 3 seat 2."""
    told = zip(table.key, row, strict=False)
    return " ".join(str(value) if name == _NAMED_ALONE else f"{name} {value}" for name, value in told)
