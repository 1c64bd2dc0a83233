"""Dealers compared, and players compared: error rates, pace, and results."""

from datetime import date

import msgspec

from projections.questions.asking import Conditions, Reading, rows
from projections.questions.dealers import share_between
from projections.questions.expected import JOINED, SUMS, Against


class DealerLine(msgspec.Struct, frozen=True, kw_only=True):
    """One dealer among the others."""

    dealer: str
    days: int
    rounds: int
    hands: int
    rounds_an_hour: float | None
    decided: int  # wagers whose settlement could be checked
    over: int
    over_cents: int
    under: int
    under_cents: int
    wrong_share: float | None = None  # of the wagers that could be checked
    wrong_low: float | None = None  # ... and its 95 % interval
    wrong_high: float | None = None


class PlayerLine(msgspec.Struct, frozen=True, kw_only=True):
    """One player among the others, from the player's side: a positive result is a win."""

    player: str
    days: int
    hands: int
    staked_cents: int
    result_cents: int  # on wagers whose amounts were all seen
    expected_cents: float | None
    low_cents: float | None
    high_cents: float | None
    deviations: float | None
    over_cents: int
    under_cents: int


_DEALERS = """
SELECT dealer, count(DISTINCT gaming_day) AS days, sum(rounds)::BIGINT AS rounds, sum(hands)::BIGINT AS hands,
    sum(completed) * 3600 / nullif(sum(seconds), 0) AS rounds_an_hour, sum(decided)::BIGINT AS decided,
    sum("over")::BIGINT AS "over", sum(over_cents)::BIGINT AS over_cents, sum(under)::BIGINT AS under,
    sum(under_cents)::BIGINT AS under_cents
FROM dealer_days{where}GROUP BY dealer ORDER BY dealer
"""
_PLAYERS = f"""
WITH sat AS (
    SELECT player, count(DISTINCT gaming_day) AS days, sum(hands)::BIGINT AS hands,
        sum(staked_cents)::BIGINT AS staked_cents, sum(over_cents)::BIGINT AS over_cents,
        sum(under_cents)::BIGINT AS under_cents
    FROM player_days{{sat}}GROUP BY player ORDER BY staked_cents DESC, player LIMIT ?
),
odds AS (
    SELECT s.player, {SUMS} FROM player_wagers s {JOINED}{{odds}}GROUP BY s.player
)
SELECT sat.*, coalesce(o.result_cents, 0)::BIGINT AS result_cents, o.expected_cents, o.variance
FROM sat LEFT JOIN odds o ON o.player = sat.player ORDER BY sat.staked_cents DESC, sat.player
"""


class _Sat(msgspec.Struct, frozen=True, kw_only=True):
    player: str
    days: int
    hands: int
    staked_cents: int
    over_cents: int
    under_cents: int
    result_cents: int
    expected_cents: float | None
    variance: float | None


def dealers_of(reading: Reading, *, first: date | None = None, last: date | None = None) -> list[DealerLine]:
    """Return every dealer of these days."""
    where = Conditions().add("dealer <> ''").days(first, last)
    found = rows(reading, DealerLine, _DEALERS.format(where=where), where.values)
    return [_with_share(line) for line in found]


def _with_share(line: DealerLine) -> DealerLine:
    share, low, high = share_between(line.over + line.under, line.decided)
    return msgspec.structs.replace(line, wrong_share=share, wrong_low=low, wrong_high=high)


def players_of(
    reading: Reading, *, first: date | None = None, last: date | None = None, limit: int = 100
) -> list[PlayerLine]:
    """Return the players of these days with the highest stakes; results and expectations are the players'."""
    sat = Conditions().add("player <> ''").days(first, last)
    odds = Conditions().add("s.player <> ''").days(first, last, "s.gaming_day")
    found = rows(reading, _Sat, _PLAYERS.format(sat=sat, odds=odds), [*sat.values, limit, *odds.values])
    return [_player(each) for each in found]


def _player(sat: _Sat) -> PlayerLine:
    house = Against(result_cents=sat.result_cents, expected_cents=sat.expected_cents, variance=sat.variance)
    low, high = house.interval()
    deviations = house.deviations()
    return PlayerLine(
        player=sat.player,
        days=sat.days,
        hands=sat.hands,
        staked_cents=sat.staked_cents,
        result_cents=-sat.result_cents,
        expected_cents=None if sat.expected_cents is None else -sat.expected_cents,
        low_cents=None if high is None else -high,
        high_cents=None if low is None else -low,
        deviations=None if deviations is None else -deviations,
        over_cents=sat.over_cents,
        under_cents=sat.under_cents,
    )
