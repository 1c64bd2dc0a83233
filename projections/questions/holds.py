"""A hold beside its base: the interval that holds 95 % of such periods, and the first lines of an investigation.

COMAR 36.05.03.25. The base is the previous business year, or the previous month if that year has no counted day.
"""

from collections.abc import Mapping
from datetime import date
from math import sqrt

import msgspec

from projections.questions.expected import ENOUGH, LIKELY


class Base(msgspec.Struct, frozen=True, kw_only=True):
    """The hold of a table, or of a game, in a year or a month, over the counted table days."""

    of: str | None = None
    base: str  # 2025, or 2026-10
    counted: int
    drop_cents: int
    win_cents: int
    win_by_drop: float  # each day's win squared by its drop, summed

    @property
    def hold(self) -> float | None:
        """Win divided by drop."""
        return self.win_cents / self.drop_cents if self.drop_cents > 0 else None

    def interval(self, drop_cents: int) -> tuple[float | None, float | None]:
        """Return the 95 % interval of the hold of a period with this drop; None if there are few table days."""
        hold = self.hold
        if hold is None or self.counted < ENOUGH or drop_cents <= 0:
            return None, None
        by_drop = max(0.0, self.win_by_drop - self.win_cents**2 / self.drop_cents) / (self.counted - 1)
        half = LIKELY * sqrt(by_drop / drop_cents + by_drop / self.drop_cents)
        return hold - half, hold + half


class HoldComparison(msgspec.Struct, frozen=True, kw_only=True):
    """A period's hold, and the base beside it."""

    hold: float | None
    base: str
    base_table_days: int
    base_hold: float | None
    low_hold: float | None
    high_hold: float | None
    inside: bool | None


def base_of(day: date, of: str | None, bases: Mapping[tuple[str | None, str], Base]) -> Base | None:
    """Return the base of a day: the previous year, or in the first year the previous month."""
    before = f"{day.year - 1}-12" if day.month == 1 else f"{day.year}-{day.month - 1:02d}"
    return bases.get((of, str(day.year - 1))) or bases.get((of, before))


def beside(win_cents: int | None, drop_cents: int, base: Base | None) -> HoldComparison:
    """Return the hold of a period with this win, over the drop of its counted days, beside its base."""
    hold = win_cents / drop_cents if win_cents is not None and drop_cents else None
    low, high = base.interval(drop_cents) if base is not None else (None, None)
    return HoldComparison(
        hold=hold,
        base=base.base if base is not None else "",
        base_table_days=base.counted if base is not None else 0,
        base_hold=base.hold if base is not None else None,
        low_hold=low,
        high_hold=high,
        inside=None if hold is None or low is None or high is None else low <= hold <= high,
    )


def note_of(told: HoldComparison, table_days: int, counted: int, *more: str) -> str:
    """Return the first lines of an investigation, plus `more`; an empty text if none is due."""
    if told.inside or told.hold is None:
        return ""
    if told.low_hold is None or told.high_hold is None or told.base_hold is None:
        few = (
            f"{told.base} has {told.base_table_days} counted table days"
            if told.base
            else "there is no earlier counted day"
        )
        return f"No interval: {few}."
    side = "above" if told.hold > told.high_hold else "below"
    begins = (
        f"To investigate: a hold of {told.hold:.1%} is {side} {told.low_hold:.1%} to {told.high_hold:.1%}, the range "
        f"of 95 of 100 such periods by {told.base} ({told.base_hold:.1%} over {told.base_table_days} table days)."
    )
    left = table_days - counted
    uncounted = f"Of {table_days} table days, {left} lack a count and are in neither figure." if left else ""
    return " ".join(filter(None, (begins, *more, uncounted)))
