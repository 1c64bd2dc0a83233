"""Drop, win and hold of tables and games by day, month and year to date, in the form of `catwalk ask statistics`.

Daily figures follow from the days in the export. Figures to date include days that are not in it: those come from the
same record at the same checkpoint, not from any read model.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from math import floor, fsum
from typing import Final

import msgspec

from projections.export.columns import Cells
from projections.export.told import ListedTableDay
from projections.questions.holds import Base, base_of, beside, note_of

_OF: Final[Mapping[str, Callable[[ListedTableDay], str]]] = {
    "game": lambda day: day.game,
    "table": lambda day: day.table,
}
_TO_DATE: Final = {"month to date": 7, "year to date": 4}  # how many letters of a day's name give the period
_BASIS_POINTS = 10_000
_KEY = 4  # gaming_day, by, of, period
_NOT_MEASURED: Final[Cells] = ("",) * 7  # base to note


class _TableDaySums(msgspec.Struct):
    """The sums of some table days."""

    table_days: int = 0
    counted: int = 0
    drop_cents: int | None = None
    counted_drop_cents: int = 0
    win_cents: int | None = None
    win_by_drop: list[float] = []

    def take(self, day: ListedTableDay) -> None:
        """Add a table day."""
        self.table_days += 1
        if day.drop_cents is not None:
            self.drop_cents = (self.drop_cents or 0) + day.drop_cents
        if day.win_cents is not None:
            drop = day.drop_cents or 0
            self.counted += 1
            self.counted_drop_cents += drop
            self.win_cents = (self.win_cents or 0) + day.win_cents
            if drop:
                self.win_by_drop.append(day.win_cents**2 / drop)

    def base(self, name: str) -> Base:
        """Return the sums as a base for comparison."""
        return Base(
            base=name,
            counted=self.counted,
            drop_cents=self.counted_drop_cents,
            win_cents=self.win_cents or 0,
            win_by_drop=fsum(self.win_by_drop),
        )


def rows_of(days: Iterable[ListedTableDay], *, to_date: bool) -> Iterator[Cells]:
    """The rows of every gaming day in the export, by day, games before tables."""
    held = sorted(days, key=lambda day: (day.gaming_day, day.table))
    rows: list[Cells] = []
    for by, of in _OF.items():
        for name, own in _by(held, of).items():
            rows += _Group(by, name, own, to_date=to_date).rows()
    yield from sorted(rows, key=lambda row: row[:_KEY])


class _Group:
    """One table or one game, with its days in order."""

    def __init__(self, by: str, of: str, days: list[ListedTableDay], *, to_date: bool) -> None:
        self._by, self._of, self._days = by, of, days
        self._to_date = _TO_DATE if to_date else {}
        self._bases: dict[tuple[str | None, str], Base] = {}
        for letters in self._to_date.values():
            for name, held in _by(days, lambda day, letters=letters: day.gaming_day[:letters]).items():  # type: ignore[misc]
                if (base := _summed(held).base(name)).counted:
                    self._bases[None, name] = base

    def rows(self) -> Iterator[Cells]:
        """The rows of each day in the export."""
        running = {period: ("", _TableDaySums()) for period in self._to_date}
        for day, of_day in _by(self._days, lambda each: each.gaming_day).items():
            shown = any(each.shown for each in of_day)
            if shown:
                yield self._row(day, "day", _summed(of_day))
            for period, letters in self._to_date.items():
                begun, sums = running[period]
                if begun != day[:letters]:
                    running[period] = (day[:letters], sums := _TableDaySums())
                for each in of_day:
                    sums.take(each)
                if shown:
                    yield self._row(day, period, sums)

    def _row(self, day: str, period: str, sums: _TableDaySums) -> Cells:
        amounts = ("" if cents is None else cents for cents in (sums.drop_cents, sums.win_cents))
        row = (day, self._by, self._of, period, sums.table_days, sums.counted, *amounts, _hold(sums))
        return (*row, *(self._measured(day, sums) if self._to_date else _NOT_MEASURED))

    def _measured(self, day: str, sums: _TableDaySums) -> Cells:
        told = beside(sums.win_cents, sums.counted_drop_cents, base_of(date.fromisoformat(day), None, self._bases))
        inside = "" if told.inside is None else "true" if told.inside else "false"
        bounds = map(_points, (told.base_hold, told.low_hold, told.high_hold))
        return (told.base, told.base_table_days, *bounds, inside, note_of(told, sums.table_days, sums.counted))


def _by(days: Iterable[ListedTableDay], of: Callable[[ListedTableDay], str]) -> dict[str, list[ListedTableDay]]:
    found: dict[str, list[ListedTableDay]] = {}
    for day in days:
        found.setdefault(of(day), []).append(day)
    return found


def _summed(days: Iterable[ListedTableDay]) -> _TableDaySums:
    sums = _TableDaySums()
    for day in days:
        sums.take(day)
    return sums


def _hold(sums: _TableDaySums) -> int | str:
    """Return win divided by drop in whole numbers, so that any program gets the same result."""
    drop = sums.counted_drop_cents
    return (2 * _BASIS_POINTS * sums.win_cents + drop) // (2 * drop) if sums.win_cents is not None and drop else ""


def _points(hold: float | None) -> int | str:
    """Return a hold in hundredths of a percent."""
    return "" if hold is None else floor(hold * _BASIS_POINTS + 0.5)
