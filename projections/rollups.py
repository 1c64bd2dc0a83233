"""The rollups as SQL over the round tables, so that a query of a year need not read every round.

Most are sums. A player's hands are spread over many evenings, so they are stored again in order of player. The player
at a seat in a round is looked up in `stays`, with one row for some twenty hands.

The rollup of a sealed day is computed once and stored; that of an open day is computed when asked. Both use the same
query. Those in `SUMMED` can be added up from parts of a day, so closed stretches of an open day are computed once too.
Rollups do not hold the house's expectation: queries look that up in `houses`. Squares are added as whole numbers, so
that the order of addition changes nothing.
"""

from collections.abc import Mapping
from typing import Final

from domain.odds.expectation import BASE, BASE_GAMES
from projections.schema import SCHEMA, Column, ModelTable

_TABLE_DAYS: Final = """
SELECT stream, "table", gaming_day, max(book) AS book, count(*) AS rounds, count(*) FILTER (voided) AS voided,
    sum(hands) AS hands, sum(staked_cents) AS staked_cents, count(staked_cents - back_cents) AS known,
    coalesce(sum(staked_cents - back_cents), 0) AS win_cents,
    coalesce(sum((staked_cents - back_cents)::HUGEINT * (staked_cents - back_cents)), 0) AS win_squares,
    sum(decided) AS decided, sum(undecided) AS undecided, min(began_at) AS first_at, max(ended_at) AS last_at
FROM {rounds} GROUP BY stream, "table", gaming_day
"""

_BASE: Final = ", ".join(sorted({f"'{wager}'" for together in BASE_GAMES.values() for wager in together.wagers}))
_UNITS: Final = ", ".join(sorted({f"'{together.unit}'" for together in BASE_GAMES.values()}))

# Wagers that are settled together count as one, with the stake of the wager each of them starts with. An envy bonus is
# staked with the progressive wager, once for each other player's hand. Every grouping has the player, so that a query
# of one player can skip the other players' wagers early.
_ENTRIES: Final = f"""
WITH laid AS (
    SELECT w.stream, w."table", w.gaming_day, w.round, w.seat, w.player, w.wager, w.staked_cents, w.back_cents, r.house,
        r.hands
    FROM {{wagers}} w JOIN {{rounds}} r ON r.stream = w.stream AND r.round = w.round
)
SELECT stream, "table", gaming_day, round, player, house, '{BASE}' AS entry, 1 AS units,
    sum(CASE WHEN wager IN ({_UNITS}) THEN coalesce(staked_cents, 0) ELSE 0 END) AS unit_cents,
    sum(staked_cents - back_cents) AS result_cents,
    bool_and(back_cents IS NOT NULL AND staked_cents IS NOT NULL) AS known
FROM laid WHERE wager IN ({_BASE}) GROUP BY stream, "table", gaming_day, round, seat, player, house
UNION ALL
SELECT stream, "table", gaming_day, round, player, house,
    CASE WHEN wager = 'cover_all' THEN 'cover_all@' || (hands + 1) ELSE wager END AS entry, 1 AS units,
    coalesce(staked_cents, 0) AS unit_cents,
    CASE WHEN wager = 'envy' THEN coalesce(staked_cents, 0) ELSE staked_cents END - back_cents AS result_cents,
    back_cents IS NOT NULL AND (staked_cents IS NOT NULL OR wager = 'envy') AS known
FROM laid WHERE wager NOT IN ({_BASE})
UNION ALL
SELECT stream, "table", gaming_day, round, player, house, 'envy@' || staked_cents AS entry, hands - 1 AS units,
    staked_cents * (hands - 1) AS unit_cents, 0 AS result_cents, true AS known
FROM laid WHERE wager = 'progressive' AND staked_cents > 0 AND hands > 1
"""

_ENTRY_SUMS: Final = """
    coalesce(sum(units) FILTER (known), 0) AS units, coalesce(sum(unit_cents) FILTER (known), 0) AS unit_cents,
    coalesce(sum(unit_cents::HUGEINT * unit_cents) FILTER (known), 0) AS squares,
    coalesce(sum(result_cents) FILTER (known), 0) AS result_cents, count(*) FILTER (NOT known) AS open
"""

_WAGER_DAYS: Final = f"""
SELECT stream, "table", gaming_day, house, entry, {_ENTRY_SUMS}
FROM ({_ENTRIES}) GROUP BY stream, "table", gaming_day, house, entry
"""

_PLAYER_WAGERS: Final = f"""
SELECT stream, "table", gaming_day, player, house, entry, {_ENTRY_SUMS}
FROM ({_ENTRIES}) WHERE player <> '' GROUP BY stream, "table", gaming_day, player, house, entry
"""

_SPAN: Final = """
    min(r.round) AS first_round, max(r.round) AS last_round, min(r.began_at) AS first_at, max(r.ended_at) AS last_at
"""

_PLAYER_DAYS: Final = f"""
SELECT h.stream, h."table", h.gaming_day, h.player, max(r.book) AS book, count(DISTINCT h.round) AS rounds,
    count(*) AS hands, coalesce(sum(h.staked_cents), 0) AS staked_cents, coalesce(sum(h.back_cents), 0) AS back_cents,
    count(h.back_cents - h.staked_cents) AS known,
    coalesce(sum(h.back_cents - h.staked_cents), 0) AS result_cents,
    coalesce(sum(greatest(h.difference_cents, 0)), 0) AS over_cents,
    coalesce(sum(greatest(-h.difference_cents, 0)), 0) AS under_cents,
    count(*) FILTER (h.difference_cents IS NULL) AS open, {_SPAN}
FROM {{hands}} h JOIN {{rounds}} r ON r.stream = h.stream AND r.round = h.round
WHERE h.seat > 0 AND h.player <> '' GROUP BY h.stream, h."table", h.gaming_day, h.player
"""

_PLAYER_HANDS: Final = """
SELECT h.stream, h."table", h.gaming_day, h.player, h.round, h.seat, r.began_at, r.dealer, h.cards, h.holds, h.choice,
    r.dealer_hand, h.void, h.staked_cents, h.back_cents, h.owed_cents, h.difference_cents
FROM {hands} h JOIN {rounds} r ON r.stream = h.stream AND r.round = h.round
WHERE h.seat > 0 AND h.player <> ''
"""

# Consecutive rounds have a constant difference to the running number of the player's hands.
_STAYS: Final = """
SELECT stream, "table", gaming_day, seat, player, min(round) AS first_round, max(round) AS last_round
FROM (
    SELECT h.*, h.round - row_number() OVER (PARTITION BY h.stream, h.seat, h.player ORDER BY h.round) AS apart
    FROM {hands} h WHERE h.seat > 0 AND h.player <> ''
) GROUP BY stream, "table", gaming_day, seat, player, apart
"""

_DEALER_DAYS: Final = f"""
WITH paid AS (
    SELECT r.stream, r.dealer, count(*) FILTER (w.difference_cents > 0) AS over,
        sum(greatest(w.difference_cents, 0)) AS over_cents, count(*) FILTER (w.difference_cents < 0) AS under,
        sum(greatest(-w.difference_cents, 0)) AS under_cents
    FROM {{wagers}} w JOIN {{rounds}} r ON r.stream = w.stream AND r.round = w.round
    WHERE w.difference_cents <> 0 GROUP BY r.stream, r.dealer
)
SELECT r.stream, r."table", r.gaming_day, r.dealer, count(*) AS rounds, count(r.ended_at) AS completed,
    sum(r.hands) AS hands,
    sum(r.decided) AS decided, sum(r.undecided) AS undecided,
    coalesce(max(p.over), 0) AS over, coalesce(max(p.over_cents), 0) AS over_cents,
    coalesce(max(p.under), 0) AS under, coalesce(max(p.under_cents), 0) AS under_cents,
    sum(epoch_us(r.ended_at) - epoch_us(r.began_at)) // 1000000 AS seconds, {_SPAN}
FROM {{rounds}} r LEFT JOIN paid p ON p.stream = r.stream AND p.dealer = r.dealer
WHERE r.dealer <> '' GROUP BY r.stream, r."table", r.gaming_day, r.dealer
"""

_DECK_DAYS: Final = f"""
SELECT r.stream, r."table", r.gaming_day, r.deck, count(*) AS rounds, sum(r.hands) AS hands, {_SPAN}
FROM {{rounds}} r WHERE r.deck <> '' GROUP BY r.stream, r."table", r.gaming_day, r.deck
"""

_DEVICE_DAYS: Final = """
SELECT stream, "table", gaming_day, device, what, count(*) AS uses, min(round) AS first_round,
    max(round) AS last_round, min("at") AS first_at, max("at") AS last_at
FROM {handling} WHERE device <> '' GROUP BY stream, "table", gaming_day, device, what
"""

_QUERIES: Final = {
    "table_days": _TABLE_DAYS,
    "wager_days": _WAGER_DAYS,
    "player_days": _PLAYER_DAYS,
    "player_wagers": _PLAYER_WAGERS,
    "player_hands": _PLAYER_HANDS,
    "stays": _STAYS,
    "dealer_days": _DEALER_DAYS,
    "deck_days": _DECK_DAYS,
    "device_days": _DEVICE_DAYS,
}
_NUMBERS: Final = frozenset({"INTEGER", "BIGINT", "DOUBLE"})
ROLLUPS: Final = tuple(SCHEMA[name] for name in _QUERIES)
SUMMED: Final = (SCHEMA["table_days"], SCHEMA["wager_days"])  # few rows a day, each with sums, firsts and lasts only
BASES: Final = ("rounds", "hands", "wagers", "handling")  # the tables they are made from


def query(rollup: ModelTable, bases: Mapping[str, str] | None = None) -> str:
    """Return the query that makes a rollup; `bases` replaces the tables of these names with relations."""
    columns = ", ".join(f'"{column.name}"::{column.type} AS "{column.name}"' for column in rollup.columns)
    return f"SELECT {columns} FROM ({_query(rollup, bases or {})})"


def round_wagers(bases: Mapping[str, str]) -> str:
    """Return the query for wagers as rollups add them up, still by round."""
    return _ENTRIES.format(**bases)


def query_of_part(rollup: ModelTable, bases: Mapping[str, str]) -> str:
    """Return the query that makes the parts for `together`: sums of whole numbers stay whole."""
    columns = ", ".join(f'"{column.name}"::{summed(column)} AS "{column.name}"' for column in rollup.columns)
    return f"SELECT {columns} FROM ({_query(rollup, bases)})"


def summed(column: Column) -> str:
    """Return the type of a column that is still to be added up."""
    return "HUGEINT" if column.type == "DOUBLE" else column.type


def together(rollup: ModelTable, parts: str, *, for_good: bool = True) -> str:
    """Return one row per key from the rows of several parts of days that share no round."""
    by = [name for name in rollup.names if name in rollup.key or name in ("table", "gaming_day")]
    columns = ", ".join(
        f'"{column.name}"' if column.name in by else f'{_added(column, for_good=for_good)} AS "{column.name}"'
        for column in rollup.columns
    )
    return f"SELECT {columns} FROM ({parts}) GROUP BY ALL"


def _added(column: Column, *, for_good: bool) -> str:
    how = "min" if column.name.startswith("first_") else "sum" if column.type in _NUMBERS else "max"
    return f'{how}("{column.name}")::{column.type if for_good else summed(column)}'


def _query(rollup: ModelTable, bases: Mapping[str, str]) -> str:
    return _QUERIES[rollup.name].format(**{name: bases.get(name, name) for name in BASES})
