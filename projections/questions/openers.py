"""Openers beside the previous closers: the chips in the tray at the opening, less those left at the last close.

New Jersey (13:69D-1.21(e)) requires an immediate report of every discrepancy, a signed report above $25, and a copy to
the Division from $100 on.
"""

from datetime import date, datetime
from typing import Final

import msgspec

from projections.questions.asking import Conditions, Reading, rows

REPORT_ABOVE: Final = 2_500  # cents
COPY_FROM: Final = 10_000


class Opener(msgspec.Struct, frozen=True, kw_only=True):
    """A table's opening, and the previous closing."""

    table: str
    gaming_day: date
    opened_at: datetime | None
    closed_on: date | None  # the table's previous gaming day
    closer_cents: int | None
    opener_cents: int | None
    difference_cents: int | None  # positive if the tray holds more than was left there
    duty: str


_OPENERS: Final = f"""
SELECT "table", gaming_day, opened_at, closed_on, closer_cents, opener_cents, opener_cents - closer_cents
    AS difference_cents,
    CASE WHEN closed_on IS NULL THEN 'first day on record'
        WHEN opener_cents IS NULL THEN 'the opener is not on record'
        WHEN closer_cents IS NULL THEN 'the previous closer is not on record'
        WHEN abs(opener_cents - closer_cents) >= {COPY_FROM} THEN 'signed report, copy to the regulator'
        WHEN abs(opener_cents - closer_cents) > {REPORT_ABOVE} THEN 'signed report'
        WHEN opener_cents <> closer_cents THEN 'report at once' ELSE '' END AS duty
FROM (
    SELECT t."table", t.gaming_day, t.opened_at, m.opener_cents,
        lag(t.gaming_day) OVER days AS closed_on, lag(m.closer_cents) OVER days AS closer_cents
    FROM tables t LEFT JOIN money m ON m.stream = t.stream
    WINDOW days AS (PARTITION BY t."table" ORDER BY t.gaming_day)
)
"""


def openers(
    reading: Reading,
    *,
    table: str = "",
    first: date | None = None,
    last: date | None = None,
    at_least_cents: int | None = None,
    every: bool = False,
) -> list[Opener]:
    """Return the openings of these days that differ or cannot be compared, or with `every` all of them."""
    where = Conditions().add('"table" = ?', table).days(first, last)
    where.add("abs(difference_cents) >= ?", at_least_cents)
    if not every:
        where.add("duty NOT IN ('', 'first day on record')")
    return rows(reading, Opener, f'SELECT * FROM ({_OPENERS}){where}ORDER BY gaming_day, "table"', where.values)
