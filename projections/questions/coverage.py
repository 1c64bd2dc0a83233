"""What could not be decided, and why: never a pass, and never a finding."""

from datetime import date

import msgspec

from projections.questions.asking import Reading, Where, rows


class Undecided(msgspec.Struct, frozen=True, kw_only=True):
    """One reason, at one table or over all."""

    of: str
    what: str  # what was missing; `decided` counts those that could be checked
    wagers: int | None  # nobody knows how many where a day cannot be read on
    share: float | None  # of all wagers there that were counted
    days: int


class OpenWager(msgspec.Struct, frozen=True, kw_only=True):
    """One wager nobody can decide."""

    stream: str
    round: int
    seat: int
    player: str | None
    wager: str
    staked_cents: int | None
    back_cents: int | None
    undecided: str | None
    clause: str | None


_COVERAGE = """
SELECT * FROM (
SELECT {of} AS "of", c.what, sum(c.wagers) AS wagers, count(DISTINCT c.stream) AS days,
    sum(c.wagers) / nullif(sum(sum(c.wagers)) OVER (PARTITION BY {of}), 0) AS share
FROM coverage c JOIN tables t ON t.stream = c.stream{where}
GROUP BY "of", c.what
UNION ALL
SELECT {of} AS "of", 'behind fact ' || t.unread_from || ' of ' || t.stream || ': ' || t.unread_says, NULL, 1, NULL
FROM tables t{unread}
) ORDER BY "of", what = 'decided' DESC, wagers DESC NULLS LAST, what
"""


def undecided(
    reading: Reading, *, by: str = "floor", table: str = "", first: date | None = None, last: date | None = None
) -> list[Undecided]:
    """How many wagers could be checked, and how many not for want of what, on the floor or by table or game.

    A day that cannot be read on is named with the fact behind which, and why.
    """
    of = {"table": 't."table"', "game": "t.book"}.get(by, "'floor'")
    where, unread = (Where().add('t."table" = ?', table).days(first, last, "t.gaming_day") for _ in range(2))
    query = _COVERAGE.format(of=of, where=where, unread=unread.add("t.unread_from IS NOT NULL"))
    return rows(reading, Undecided, query, [*where.values, *unread.values])


def open_wagers(reading: Reading, table: str, gaming_day: date, *, what: str = "") -> list[OpenWager]:
    """The wagers of one table's day that could not be decided."""
    where = Where().add('"table" = ?', table).add("gaming_day = ?", gaming_day)
    where.add("owed_cents IS NULL").add("undecided ILIKE '%' || ? || '%'", what)
    query = f"""SELECT stream, round, seat, player, wager, staked_cents, back_cents, undecided, clause
        FROM wagers{where}ORDER BY round, seat, wager"""
    return rows(reading, OpenWager, query, where.values)
