"""A hold beside the base it is measured by: where 95 of 100 such periods lie, and what an investigation begins with.

COMAR 36.05.03.25. The base is the business year before; where it has no counted day, the month before.
"""

from collections.abc import Mapping
from datetime import date
from math import sqrt

import msgspec

from projections.questions.expected import ENOUGH, LIKELY


class Base(msgspec.Struct, frozen=True, kw_only=True):
    """What a table, or a game, held in a year or a month, on the table days that were counted."""

    of: str | None = None
    base: str  # 2025, or 2026-10
    counted: int
    drop_cents: int
    win_cents: int
    win_by_drop: float  # each day's win squared by its drop, summed

    @property
    def hold(self) -> float | None:
        """Win by drop."""
        return self.win_cents / self.drop_cents if self.drop_cents > 0 else None

    def interval(self, drop_cents: int) -> tuple[float | None, float | None]:
        """Between which two holds a period of this drop lies 95 times of 100; nothing where table days are few."""
        hold = self.hold
        if hold is None or self.counted < ENOUGH or drop_cents <= 0:
            return None, None
        by_drop = max(0.0, self.win_by_drop - self.win_cents**2 / self.drop_cents) / (self.counted - 1)
        half = LIKELY * sqrt(by_drop / drop_cents + by_drop / self.drop_cents)
        return hold - half, hold + half


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """A period's hold, and the base beside it."""

    hold: float | None
    base: str
    base_table_days: int
    base_hold: float | None
    low_hold: float | None
    high_hold: float | None
    inside: bool | None


def base_of(day: date, of: str | None, bases: Mapping[tuple[str | None, str], Base]) -> Base | None:
    """The year before a day; in the first year the month before."""
    before = f"{day.year - 1}-12" if day.month == 1 else f"{day.year}-{day.month - 1:02d}"
    return bases.get((of, str(day.year - 1))) or bases.get((of, before))


def beside(win_cents: int | None, drop_cents: int, base: Base | None) -> Beside:
    """The hold of a period with this win, by the drop of its counted days."""
    hold = win_cents / drop_cents if win_cents is not None and drop_cents else None
    low, high = base.interval(drop_cents) if base is not None else (None, None)
    return Beside(
        hold=hold,
        base=base.base if base is not None else "",
        base_table_days=base.counted if base is not None else 0,
        base_hold=base.hold if base is not None else None,
        low_hold=low,
        high_hold=high,
        inside=None if hold is None or low is None or high is None else low <= hold <= high,
    )


def note_of(told: Beside, table_days: int, counted: int, *more: str) -> str:
    """With what an investigation begins, and `more` that is known; nothing where none is due."""
    if told.inside or told.hold is None:
        return ""
    if told.low_hold is None or told.high_hold is None or told.base_hold is None:
        few = (
            f"{told.base} has {told.base_table_days} counted table days" if told.base else "nothing was counted before"
        )
        return f"No interval: {few}."
    side = "above" if told.hold > told.high_hold else "below"
    begins = (
        f"To investigate: a hold of {told.hold:.1%} lies {side} {told.low_hold:.1%} to {told.high_hold:.1%}, where 95 "
        f"of 100 such periods lie by {told.base} ({told.base_hold:.1%} of {told.base_table_days} table days)."
    )
    left = table_days - counted
    uncounted = f"Of {table_days} table days {left} lack a count and are in neither figure." if left else ""
    return " ".join(filter(None, (begins, *more, uncounted)))
