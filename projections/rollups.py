"""Sums over the rounds of a stream, so that a question about a year need not read every round of it.

A rollup follows from the round tables and nothing else: of a sealed day it is made once and kept, of an open day it is
a view. `query` is its text over tables of any name, so that both are the same sum. What a house expects is not in it:
that is looked up in `houses` when somebody asks.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.odds.expectation import BASE, BASE_GAMES
from projections.schema import Column, Table

SOURCES: Final = ("rounds", "hands", "wagers")
_STREAM: Final = (
    Column("stream", "VARCHAR", "the stream its rounds lie in"),
    Column("table", "VARCHAR", "the table"),
    Column("gaming_day", "DATE", "the gaming day"),
)


class Rollup(msgspec.Struct, frozen=True):
    """A table of sums, and the query that makes it, with a place for each table it reads."""

    table: Table
    text: str


def query(rollup: Rollup, sources: Mapping[str, str] | None = None) -> str:
    """The query over these tables instead of those of the same name."""
    return rollup.text.format(**{name: (sources or {}).get(name, name) for name in SOURCES})


def _rollup(name: str, about: str, key: tuple[str, ...], columns: str, text: str) -> Rollup:
    made = (line.split(None, 2) for line in columns.splitlines() if line.strip())
    own = tuple(Column(column, kind, says.strip()) for column, kind, says in made)
    return Rollup(Table(name, "day", about, key, (*_STREAM, *own)), text)


_BASE = ", ".join(sorted({f"'{wager}'" for together in BASE_GAMES.values() for wager in together.wagers}))
_UNITS = ", ".join(sorted({f"'{together.unit}'" for together in BASE_GAMES.values()}))

TABLE_DAYS: Final = _rollup(
    "table_days",
    "What a table's rounds of a day come to.",
    ("stream",),
    """
book        VARCHAR    the rule book
rounds      INTEGER    rounds that are over
hands       INTEGER    players' hands in them
staked_cents BIGINT    all stakes that were seen
known       INTEGER    rounds of which every amount was seen
win_cents   BIGINT     what the house won in those
win_squares DOUBLE     the sum of the squares of what it won in each
decided     INTEGER    wagers whose settlement could be checked
undecided   INTEGER    wagers whose settlement could not
first_at    TIMESTAMP  when the first began
last_at     TIMESTAMP  when the last was over
""",
    """
SELECT stream, "table", gaming_day, max(book) AS book, count(*)::INTEGER AS rounds, sum(hands)::INTEGER AS hands,
    sum(staked_cents)::BIGINT AS staked_cents,
    count(staked_cents - back_cents)::INTEGER AS known,
    coalesce(sum(staked_cents - back_cents), 0)::BIGINT AS win_cents,
    coalesce(sum((staked_cents - back_cents)::DOUBLE * (staked_cents - back_cents)), 0)::DOUBLE AS win_squares,
    sum(decided)::INTEGER AS decided, sum(undecided)::INTEGER AS undecided,
    min(began_at) AS first_at, max(ended_at) AS last_at
FROM {rounds} GROUP BY stream, "table", gaming_day
""",
)

# Wagers that are settled together are one: theirs is the stake of the wager each of them starts with. An envy bonus is
# staked with the progressive wager, once for each other player's hand.
_ENTRIES = f"""
SELECT w.stream, w."table", w.gaming_day, w.round, w.seat, any_value(w.player) AS player, r.house,
    CASE WHEN w.wager IN ({_BASE}) THEN '{BASE}'
         WHEN w.wager = 'cover_all' THEN 'cover_all@' || (r.hands + 1) ELSE w.wager END AS entry,
    1 AS units,
    sum(CASE WHEN w.wager IN ({_UNITS}) OR w.wager NOT IN ({_BASE}) THEN coalesce(w.staked_cents, 0) ELSE 0 END)
        AS unit_cents,
    sum(CASE WHEN w.wager = 'envy' THEN coalesce(w.staked_cents, 0) ELSE w.staked_cents END - w.back_cents)
        AS result_cents,
    bool_and(w.back_cents IS NOT NULL AND (w.staked_cents IS NOT NULL OR w.wager = 'envy')) AS known
FROM {{wagers}} w JOIN {{rounds}} r ON r.stream = w.stream AND r.round = w.round
GROUP BY w.stream, w."table", w.gaming_day, w.round, w.seat, r.house, entry
UNION ALL
SELECT w.stream, w."table", w.gaming_day, w.round, w.seat, w.player, r.house, 'envy@' || w.staked_cents AS entry,
    r.hands - 1, w.staked_cents * (r.hands - 1), 0, true
FROM {{wagers}} w JOIN {{rounds}} r ON r.stream = w.stream AND r.round = w.round
WHERE w.wager = 'progressive' AND w.staked_cents > 0 AND r.hands > 1
"""

WAGER_DAYS: Final = _rollup(
    "wager_days",
    "What the wagers of a table's day came to, beside the stakes a house's expectation is measured by.",
    ("stream", "house", "entry"),
    """
house       VARCHAR    the digest of book, options and dealing method
entry       VARCHAR    the wager, or base: as `houses` names it
units       BIGINT     how many were settled with every amount seen
unit_cents  BIGINT     the stakes their edge is measured by
squares     DOUBLE     the sum of the squares of those stakes
result_cents BIGINT    what they left to the house
open        BIGINT     how many had an amount nobody saw
""",
    f"""
SELECT stream, "table", gaming_day, house, entry,
    coalesce(sum(units) FILTER (known), 0)::BIGINT AS units,
    coalesce(sum(unit_cents) FILTER (known), 0)::BIGINT AS unit_cents,
    coalesce(sum(unit_cents::DOUBLE * unit_cents) FILTER (known), 0)::DOUBLE AS squares,
    coalesce(sum(result_cents) FILTER (known), 0)::BIGINT AS result_cents,
    count(*) FILTER (NOT known)::BIGINT AS open
FROM ({_ENTRIES}) GROUP BY stream, "table", gaming_day, house, entry
""",
)

PLAYER_WAGERS: Final = _rollup(
    "player_wagers",
    "The same for each player of a table's day.",
    ("player", "stream", "house", "entry"),
    """
player      VARCHAR    the player's token
house       VARCHAR    the digest of book, options and dealing method
entry       VARCHAR    the wager, or base: as `houses` names it
units       BIGINT     how many were settled with every amount seen
unit_cents  BIGINT     the stakes their edge is measured by
squares     DOUBLE     the sum of the squares of those stakes
result_cents BIGINT    what they left to the house
open        BIGINT     how many had an amount nobody saw
""",
    f"""
SELECT stream, "table", gaming_day, player, house, entry,
    coalesce(sum(units) FILTER (known), 0)::BIGINT AS units,
    coalesce(sum(unit_cents) FILTER (known), 0)::BIGINT AS unit_cents,
    coalesce(sum(unit_cents::DOUBLE * unit_cents) FILTER (known), 0)::DOUBLE AS squares,
    coalesce(sum(result_cents) FILTER (known), 0)::BIGINT AS result_cents,
    count(*) FILTER (NOT known)::BIGINT AS open
FROM ({_ENTRIES}) WHERE player <> '' GROUP BY stream, "table", gaming_day, player, house, entry
""",
)

PLAYER_DAYS: Final = _rollup(
    "player_days",
    "A player's hands of a table's day.",
    ("player", "stream"),
    """
player      VARCHAR    the player's token
rounds      INTEGER    rounds with a hand of theirs
hands       INTEGER    their hands
staked_cents BIGINT    their stakes, as far as seen
back_cents  BIGINT     what they were handed back, as far as seen
known       INTEGER    hands of which every amount was seen
result_cents BIGINT    what those won them, or lost below nothing
over_cents  BIGINT     what they were handed back too much, hand by hand
under_cents BIGINT     what they were handed back too little
open        INTEGER    hands of which it cannot be said
first_at    TIMESTAMP  when the first began
last_at     TIMESTAMP  when the last was over
""",
    """
SELECT h.stream, h."table", h.gaming_day, h.player, count(DISTINCT h.round)::INTEGER AS rounds,
    count(*)::INTEGER AS hands, coalesce(sum(h.staked_cents), 0)::BIGINT AS staked_cents,
    coalesce(sum(h.back_cents), 0)::BIGINT AS back_cents,
    count(h.back_cents - h.staked_cents)::INTEGER AS known,
    coalesce(sum(h.back_cents - h.staked_cents), 0)::BIGINT AS result_cents,
    coalesce(sum(greatest(h.difference_cents, 0)), 0)::BIGINT AS over_cents,
    coalesce(sum(greatest(-h.difference_cents, 0)), 0)::BIGINT AS under_cents,
    count(*) FILTER (h.difference_cents IS NULL)::INTEGER AS open,
    min(r.began_at) AS first_at, max(r.ended_at) AS last_at
FROM {hands} h JOIN {rounds} r ON r.stream = h.stream AND r.round = h.round
WHERE h.seat > 0 AND h.player <> '' GROUP BY h.stream, h."table", h.gaming_day, h.player
""",
)

DEALER_DAYS: Final = _rollup(
    "dealer_days",
    "What a dealer dealt at a table on a day.",
    ("dealer", "stream"),
    """
dealer      VARCHAR    the licence or staff number
rounds      INTEGER    rounds dealt
hands       INTEGER    players' hands in them
decided     INTEGER    wagers whose settlement could be checked
undecided   INTEGER    wagers whose settlement could not
over        INTEGER    wagers handed back too much
over_cents  BIGINT     how much too much
under       INTEGER    wagers handed back too little
under_cents BIGINT     how much too little
seconds     BIGINT     how long those rounds lasted
first_at    TIMESTAMP  when the first began
last_at     TIMESTAMP  when the last was over
""",
    """
WITH paid AS (
    SELECT stream, round, count(*) FILTER (difference_cents > 0) AS over,
        sum(greatest(difference_cents, 0)) AS over_cents, count(*) FILTER (difference_cents < 0) AS under,
        sum(greatest(-difference_cents, 0)) AS under_cents
    FROM {wagers} GROUP BY stream, round
)
SELECT r.stream, r."table", r.gaming_day, r.dealer, count(*)::INTEGER AS rounds, sum(r.hands)::INTEGER AS hands,
    sum(r.decided)::INTEGER AS decided, sum(r.undecided)::INTEGER AS undecided,
    coalesce(sum(p.over), 0)::INTEGER AS over, coalesce(sum(p.over_cents), 0)::BIGINT AS over_cents,
    coalesce(sum(p.under), 0)::INTEGER AS under, coalesce(sum(p.under_cents), 0)::BIGINT AS under_cents,
    sum(epoch_us(r.ended_at) - epoch_us(r.began_at))::BIGINT // 1000000 AS seconds,
    min(r.began_at) AS first_at, max(r.ended_at) AS last_at
FROM {rounds} r LEFT JOIN paid p ON p.stream = r.stream AND p.round = r.round
WHERE r.dealer <> '' GROUP BY r.stream, r."table", r.gaming_day, r.dealer
""",
)

ROLLUPS: Final = {
    rollup.table.name: rollup for rollup in (TABLE_DAYS, WAGER_DAYS, PLAYER_DAYS, PLAYER_WAGERS, DEALER_DAYS)
}
