"""Drop, win and hold in the regulator's form: day, month to date and year to date of each table and each game.

Each figure is compared with the hold of the previous business year, or in the first year of the previous month, and
with the interval that holds 95 % of such periods (COMAR 36.05.03.25). A day's win differs from the expected share of
its drop by an amount whose variance grows with the drop. That variance is measured over the table days of the base, so
a day's interval is wider than a year's. A figure outside the interval requires a written investigation; the note gives
its first figures.
"""

from datetime import date
from typing import Final, Literal

import msgspec

from domain.money import dollars
from projections.questions.asking import AskedWronglyError, Conditions, Reading, rows
from projections.questions.expected import JOINED, SUMS, Against
from projections.questions.holds import Base, base_of, beside, note_of
from projections.questions.money import measured_variance

Of = Literal["table", "game"]
Span = Literal["day", "month to date", "year to date"]
_OF: Final[dict[Of, str]] = {"table": 't."table"', "game": "t.book"}
_SPANS: Final[dict[Span, str]] = {"day": "day", "month to date": "month", "year to date": "year"}


class Statistic(msgspec.Struct, frozen=True, kw_only=True):
    """One table, or one game, up to the end of one gaming day."""

    gaming_day: date
    of: str
    period: str  # day, month to date, year to date
    table_days: int
    counted: int  # table days with every count the win needs
    drop_cents: int | None
    win_cents: int | None
    hold: float | None  # win divided by drop, over those
    base: str  # the base period: 2025, or in the first year 2026-10
    base_table_days: int
    base_hold: float | None
    low_hold: float | None
    high_hold: float | None
    inside: bool | None
    played_cents: int  # the house's result in rounds, on wagers whose amounts were all seen
    expected_cents: float | None  # the average by the exact odds
    low_cents: float | None
    high_cents: float | None
    overpaid_cents: int  # the sum of overpayments
    underpaid_cents: int
    note: str


_SUMMED: Final = (
    *("table_days", "counted", "drop_cents", "counted_drop_cents", "win_cents", "known", "known_win_cents"),
    *("win_squares", "result_cents", "expected_cents", "variance", "left_out", "overpaid_cents", "underpaid_cents"),
)
_IN_FRACTIONS: Final = frozenset({"win_squares", "expected_cents", "variance"})
_MAY_BE_UNKNOWN: Final = frozenset({"drop_cents", "win_cents", "expected_cents", "variance"})
_DAILY: Final = f"""
chosen AS (SELECT t.stream, t.gaming_day, {{of}} AS "of" FROM tables t{{where}}),
counts AS (
    SELECT c.gaming_day, c."of", count(*) AS table_days, count(m.win_cents) AS counted, sum(m.drop_cents) AS drop_cents,
        coalesce(sum(m.drop_cents) FILTER (m.win_cents IS NOT NULL), 0) AS counted_drop_cents,
        sum(m.win_cents) AS win_cents, coalesce(sum(m.win_cents ** 2 / nullif(m.drop_cents, 0)), 0) AS win_by_drop
    FROM chosen c LEFT JOIN money m ON m.stream = c.stream GROUP BY ALL
),
played AS (
    SELECT c.gaming_day, c."of", sum(d.known) AS known, sum(d.win_cents) AS known_win_cents,
        sum(d.win_squares) AS win_squares
    FROM chosen c JOIN table_days d ON d.stream = c.stream GROUP BY ALL
),
odds AS (
    SELECT c.gaming_day, c."of", {SUMS} FROM chosen c JOIN wager_days s ON s.stream = c.stream {JOINED} GROUP BY ALL
),
errors AS (
    SELECT c.gaming_day, c."of", sum(e.over_cents) AS overpaid_cents, sum(e.under_cents) AS underpaid_cents
    FROM chosen c JOIN dealer_days e ON e.stream = c.stream GROUP BY ALL
),
daily AS (
    SELECT * FROM counts LEFT JOIN played USING (gaming_day, "of") LEFT JOIN odds USING (gaming_day, "of")
        LEFT JOIN errors USING (gaming_day, "of")
)
"""
_PERIOD: Final = """SELECT gaming_day, "of", '{name}' AS period, {sums} FROM daily
WINDOW {unit}_to_date AS (PARTITION BY "of", date_trunc('{unit}', gaming_day) ORDER BY gaming_day)"""
_BASE: Final = """
SELECT "of", strftime(gaming_day, '{form}') AS base, sum(counted)::BIGINT AS counted,
    sum(counted_drop_cents)::BIGINT AS drop_cents, sum(win_cents)::BIGINT AS win_cents, sum(win_by_drop) AS win_by_drop
FROM daily GROUP BY ALL HAVING sum(counted) > 0
"""


class _PeriodSums(msgspec.Struct, frozen=True, kw_only=True):
    gaming_day: date
    of: str | None
    period: str
    table_days: int
    counted: int
    drop_cents: int | None
    counted_drop_cents: int
    win_cents: int | None
    known: int
    known_win_cents: int
    win_squares: float
    result_cents: int
    expected_cents: float | None
    variance: float | None
    left_out: int
    overpaid_cents: int
    underpaid_cents: int


def statistics(
    reading: Reading,
    *,
    by: Of = "table",
    first: date | None = None,
    last: date | None = None,
    table: str = "",
    game: str = "",
) -> list[Statistic]:
    """Return the three periods of every table, or game, at the end of each gaming day; by default of the last day."""
    if by not in _OF:
        raise AskedWronglyError(f"group by {', '.join(_OF)}, not by {by!r}")
    where = Conditions().add('t."table" = ?', table).add("t.book = ?", game).days(None, last, "t.gaming_day")
    begin = first or last
    if begin is None:
        newest: date | None = reading.connection.execute("SELECT max(gaming_day) FROM tables").fetchall()[0][0]
        if newest is None:
            return []
        begin = newest
    where.days(date(begin.year - 1, 1, 1), None, "t.gaming_day")
    daily = f"WITH {_DAILY.format(of=_OF[by], where=where)}"
    periods = " UNION ALL BY NAME ".join(f"({_period(name, unit)})" for name, unit in _SPANS.items())
    query = f'{daily}SELECT * FROM ({periods}) WHERE gaming_day >= ? ORDER BY gaming_day, "of", period'
    found = rows(reading, _PeriodSums, query, [*where.values, begin])
    bases: dict[tuple[str | None, str], Base] = {}
    for form in ("%Y", "%Y-%m"):
        held = rows(reading, Base, daily + _BASE.format(form=form), where.values)
        bases |= {(each.of, each.base): each for each in held}
    return [_statistic(sums, base_of(sums.gaming_day, sums.of, bases)) for sums in found]


def _period(name: Span, unit: str) -> str:
    """Return the SQL that sums each day from the beginning of its day, month or year."""
    return _PERIOD.format(name=name, unit=unit, sums=", ".join(_to_date(each, unit) for each in _SUMMED))


def _to_date(column: str, unit: str) -> str:
    kind = "DOUBLE" if column in _IN_FRACTIONS else "BIGINT"
    nothing = "NULL" if column in _MAY_BE_UNKNOWN else "0"
    return f"coalesce(sum({column}) OVER {unit}_to_date, {nothing})::{kind} AS {column}"


def _statistic(sums: _PeriodSums, base: Base | None) -> Statistic:
    told = beside(sums.win_cents, sums.counted_drop_cents, base)
    compared = Against(
        result_cents=sums.result_cents,
        expected_cents=sums.expected_cents,
        variance=sums.variance,
        left_out=sums.left_out,
    )
    low_cents, high_cents = compared.interval(measured_variance(sums.known, sums.known_win_cents, sums.win_squares))
    found = Statistic(
        **msgspec.structs.asdict(told),
        gaming_day=sums.gaming_day,
        of=sums.of or "",
        period=sums.period,
        table_days=sums.table_days,
        counted=sums.counted,
        drop_cents=sums.drop_cents,
        win_cents=sums.win_cents,
        played_cents=sums.result_cents,
        expected_cents=sums.expected_cents,
        low_cents=low_cents,
        high_cents=high_cents,
        overpaid_cents=sums.overpaid_cents,
        underpaid_cents=sums.underpaid_cents,
        note="",
    )
    note = note_of(told, sums.table_days, sums.counted, _play(found), _mistakes(found))
    return msgspec.structs.replace(found, note=note)


def _play(told: Statistic) -> str:
    """Return a sentence that compares the result with the exact odds."""
    if told.expected_cents is None or told.low_cents is None or told.high_cents is None:
        return ""
    where = "within" if told.low_cents <= told.played_cents <= told.high_cents else "outside"
    low, expected, high = (dollars(round(cents)) for cents in (told.low_cents, told.expected_cents, told.high_cents))
    won = dollars(told.played_cents)
    return f"The house won {won} in rounds, {where} {low} to {high} around the {expected} of the odds."


def _mistakes(told: Statistic) -> str:
    if not told.overpaid_cents and not told.underpaid_cents:
        return ""
    over, under = dollars(told.overpaid_cents), dollars(told.underpaid_cents)
    return f"Wagers were handed back {over} too much and {under} too little."
