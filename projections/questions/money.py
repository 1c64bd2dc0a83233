"""Drop, win and hold by table or game and by day, month or year, with the exact expectation and a 95 % interval.

*Win* follows from the drop: closer + credits + drop - opener - fills, once all of them are known. *Played* is the
house's result in rounds on wagers whose amounts were all seen. Expectation and interval are of the same wagers. *Tray
off* is the win less the same result over all wagers of days in which every count and movement is on record.
"""

from datetime import date
from typing import Literal

import msgspec

from projections.questions.asking import AskedWronglyError, Conditions, Reading, rows, stretch
from projections.questions.expected import ENOUGH, JOINED, SUMS, Against

By = Literal["table", "game", "floor"]
Period = Literal["day", "month", "year", "all"]
_BY: dict[By, str] = {"table": 't."table"', "game": "t.book", "floor": "'floor'"}
_PERIODS: dict[Period, str] = {
    "day": "strftime(t.gaming_day, '%Y-%m-%d')",
    "month": "strftime(t.gaming_day, '%Y-%m')",
    "year": "strftime(t.gaming_day, '%Y')",
    "all": "'all'",
}


class TableHold(msgspec.Struct, frozen=True, kw_only=True):
    """The hold of one table, or one game, in one period."""

    period: str
    of: str
    days: int  # tables' gaming days
    closed: int  # days with every count that the win needs
    rounds: int
    hands: int
    drop_cents: int | None
    win_cents: int | None  # of the days with every count
    hold: float | None  # win by drop, of those
    trays: int  # days whose counts can be compared with their rounds
    tray_off_cents: int | None  # what those counts show beyond what the rounds explain; negative if it is missing
    handle_cents: int
    played_cents: int
    expected_cents: float | None
    low_cents: float | None
    high_cents: float | None
    deviations: float | None
    inside: bool | None  # True if the played result is within the interval
    left_out: int  # wagers without odds, or with an unseen amount


_HOLD = f"""
WITH chosen AS (
    SELECT t.stream, {{period}} AS period, {{by}} AS "of" FROM {{tables}} t{{where}}
),
counted AS (
    SELECT c.period, c."of", count(*) AS days, count(m.win_cents) AS closed, sum(m.drop_cents) AS drop_cents,
        sum(m.win_cents) AS win_cents,
        sum(m.win_cents) / nullif(sum(m.drop_cents) FILTER (m.win_cents IS NOT NULL), 0) AS hold,
        count(m.tray_off_cents) AS trays, sum(m.tray_off_cents) AS tray_off_cents
    FROM chosen c LEFT JOIN {{money}} m ON m.stream = c.stream GROUP BY c.period, c."of"
),
played AS (
    SELECT c.period, c."of", sum(d.rounds) AS rounds, sum(d.hands) AS hands, sum(d.staked_cents) AS handle_cents,
        sum(d.known) AS known, sum(d.win_cents) AS known_win_cents, sum(d.win_squares) AS win_squares
    FROM chosen c JOIN {{table_days}} d ON d.stream = c.stream GROUP BY c.period, c."of"
),
odds AS (
    SELECT c.period, c."of", {SUMS} FROM chosen c JOIN {{wager_days}} s ON s.stream = c.stream {JOINED}
    GROUP BY c.period, c."of"
)
SELECT n.period, n."of", n.days, n.closed, n.drop_cents, n.win_cents, n.hold, n.trays, n.tray_off_cents,
    coalesce(p.rounds, 0) AS rounds,
    coalesce(p.hands, 0) AS hands, coalesce(p.handle_cents, 0) AS handle_cents, coalesce(p.known, 0) AS known,
    p.known_win_cents, p.win_squares, coalesce(o.result_cents, 0) AS result_cents, o.expected_cents, o.variance,
    coalesce(o.left_out, 0) AS left_out
FROM counted n LEFT JOIN played p USING (period, "of") LEFT JOIN odds o USING (period, "of")
ORDER BY n.period, n."of"
"""


class _MoneySums(msgspec.Struct, frozen=True, kw_only=True):
    period: str
    of: str | None
    days: int
    closed: int
    drop_cents: int | None
    win_cents: int | None
    hold: float | None
    trays: int
    tray_off_cents: int | None
    rounds: int
    hands: int
    handle_cents: int
    known: int
    known_win_cents: int | None
    win_squares: float | None
    result_cents: int
    expected_cents: float | None
    variance: float | None
    left_out: int


def hold(
    reading: Reading,
    *,
    by: By = "table",
    period: Period = "day",
    first: date | None = None,
    last: date | None = None,
    table: str = "",
    game: str = "",
) -> list[TableHold]:
    """Return drop, win and hold of each table, each game or the whole floor, in each period."""
    if by not in _BY or period not in _PERIODS:
        raise AskedWronglyError(
            f"group by {', '.join(_BY)}, and by day, month, year or all: not by {by!r} and {period!r}"
        )
    where = Conditions().days(first, last, "t.gaming_day").add('t."table" = ?', table).add("t.book = ?", game)
    tables = [table] if table else None
    names = ("tables", "money", "table_days", "wager_days")
    sources = {name: reading.source(name, stretch(first, last), tables) for name in names}
    query = _HOLD.format(by=_BY[by], period=_PERIODS[period], where=where, **sources)
    return [_hold(sums) for sums in rows(reading, _MoneySums, query, where.values)]


def _hold(sums: _MoneySums) -> TableHold:
    compared = Against(
        result_cents=sums.result_cents,
        expected_cents=sums.expected_cents,
        variance=sums.variance,
        left_out=sums.left_out,
    )
    measured = measured_variance(sums.known, sums.known_win_cents or 0, sums.win_squares or 0.0)
    low, high = compared.interval(measured)
    inside = None if low is None or high is None else low <= sums.result_cents <= high
    shared = {name: getattr(sums, name) for name in _SHARED}
    return TableHold(
        **shared,
        of=sums.of or "",
        played_cents=sums.result_cents,
        expected_cents=sums.expected_cents,
        low_cents=low,
        high_cents=high,
        deviations=compared.deviations(measured),
        inside=inside,
        left_out=sums.left_out,
    )


_SHARED = (
    *("period", "days", "closed", "drop_cents", "win_cents", "hold", "trays", "tray_off_cents"),
    *("rounds", "hands", "handle_cents"),
)


def measured_variance(count: int, total: int, squares: float) -> float:
    """Return the variance of the sum of these rounds' results, measured over the rounds; 0 if they are few."""
    if count < ENOUGH:
        return 0.0
    return count * max(0.0, squares - total * total / count) / (count - 1)
