"""Rollups that differ from their rounds: no projector writes them, and no query would notice them.

Queries trust the stored rollup of a sealed day. This check computes it again from its tables, some days at a time, and
compares.
"""

from datetime import date

import msgspec

from projections.digests import TableSource
from projections.doubles import named, slices_of
from projections.rollups import BASES, ROLLUPS, query
from projections.schema import ModelTable

_NAMES = tuple(rollup.name for rollup in ROLLUPS)
_APART = """
WITH kept AS ({kept}), made AS ({made})
SELECT {key}, count(*) OVER () FROM (
    (SELECT 1 AS one, * FROM kept EXCEPT ALL SELECT 1, * FROM made)
    UNION ALL (SELECT 2 AS one, * FROM made EXCEPT ALL SELECT 2, * FROM kept)
) GROUP BY {key} ORDER BY {key} LIMIT 1
"""


class Strayed(msgspec.Struct, frozen=True):
    """The first key under which a rollup differs from the rounds, and the number of such keys."""

    table: str
    place: str
    keys: int

    @property
    def says(self) -> str:
        """Say what is wrong, and where."""
        more = f", and in {self.keys - 1} other rows" if self.keys > 1 else ""
        return f"the table {self.table} differs from the rounds at {self.place}{more}"


def strayed(source: TableSource) -> list[Strayed]:
    """Return the rollups that differ from the round tables, or have missing or extra rows."""
    every = " UNION ".join(f"SELECT gaming_day FROM {source.source(name)}" for name in (*BASES, *_NAMES))
    days = [day for (day,) in source.query(f"{every} ORDER BY gaming_day")]
    return [found for rollup in ROLLUPS if (found := _of(source, rollup, days)) is not None]


def _of(source: TableSource, rollup: ModelTable, days: list[date]) -> Strayed | None:
    first, keys = None, 0
    key = ", ".join(f'"{name}"' for name in rollup.key)
    for first_day, last_day in slices_of(days):
        within = f"WHERE gaming_day BETWEEN DATE '{first_day}' AND DATE '{last_day}'"
        bases = {name: f"(FROM {source.source(name, (first_day, last_day))} {within})" for name in BASES}
        kept = f"FROM {source.source(rollup.name, (first_day, last_day))} {within}"
        rows = source.query(_APART.format(kept=kept, made=query(rollup, bases), key=key))
        if rows:
            first = first or rows[0]
            keys += rows[0][-1]
    return None if first is None else Strayed(rollup.name, named(rollup, first), keys)
