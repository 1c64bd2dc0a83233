"""Undecided wagers, and why: they neither pass nor count as findings."""

from datetime import date

import msgspec

from projections.questions.asking import Conditions, Reading, rows


class Undecided(msgspec.Struct, frozen=True, kw_only=True):
    """One reason, at one table or on the whole floor."""

    of: str
    what: str  # what was missing; `decided` counts the wagers that were checked
    wagers: int | None  # None if a day cannot be read to its end; 0 of a tray, which is one a day
    share: float | None  # of all counted wagers there
    days: int


class OpenWager(msgspec.Struct, frozen=True, kw_only=True):
    """One undecided wager."""

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
SELECT {of} AS "of", 'the tray: ' || CASE WHEN m.opener_cents IS NULL THEN 'the opener is not on record'
    WHEN m.closer_cents IS NULL THEN 'the closer is not on record'
    WHEN m.drop_cents IS NULL THEN 'the drop was not counted'
    ELSE 'its counts or rounds are not all on record' END AS what, 0, count(*), NULL
FROM money m JOIN tables t ON t.stream = m.stream{trays}
GROUP BY "of", what
UNION ALL
SELECT {of} AS "of", 'behind fact ' || t.unread_from || ' of ' || t.stream || ': ' || t.unread_says, NULL, 1, NULL
FROM tables t{unread}
) ORDER BY "of", what = 'decided' DESC, wagers DESC NULLS LAST, what
"""


def undecided(
    reading: Reading, *, by: str = "floor", table: str = "", first: date | None = None, last: date | None = None
) -> list[Undecided]:
    """Return the number of checked wagers, and of undecided wagers by reason, for the floor or by table or game.

    A day that cannot be read to its end is listed with the last readable fact and the reason. So are closed
    days whose tray cannot be compared with the rounds.
    """
    of = {"table": 't."table"', "game": "t.book"}.get(by, "'floor'")
    where, trays, unread = (
        Conditions().add('t."table" = ?', table).days(first, last, "t.gaming_day") for _ in range(3)
    )
    trays.add("t.closed_at IS NOT NULL AND m.tray_off_cents IS NULL")
    query = _COVERAGE.format(of=of, where=where, trays=trays, unread=unread.add("t.unread_from IS NOT NULL"))
    return rows(reading, Undecided, query, [*where.values, *trays.values, *unread.values])


def open_wagers(reading: Reading, table: str, gaming_day: date, *, what: str = "") -> list[OpenWager]:
    """Return the undecided wagers of one table's day."""
    where = Conditions().add('"table" = ?', table).add("gaming_day = ?", gaming_day)
    where.add("owed_cents IS NULL").add("undecided ILIKE '%' || ? || '%'", what)
    query = f"""SELECT stream, round, seat, player, wager, staked_cents, back_cents, undecided, clause
        FROM wagers{where}ORDER BY round, seat, wager"""
    return rows(reading, OpenWager, query, where.values)
