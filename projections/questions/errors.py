"""The list of errors and repayments: every wager with a different amount handed back than owed."""

from datetime import date, datetime
from typing import Final

import msgspec

from projections.questions.asking import Conditions, Reading, rows, within


class SettledWrongly(msgspec.Struct, frozen=True, kw_only=True):
    """One such wager, and the amount that corrects it."""

    table: str
    gaming_day: date
    round: int
    ended_at: datetime | None
    dealer: str | None
    seat: int
    player: str | None
    wager: str
    staked_cents: int | None
    owed_cents: int | None
    back_cents: int | None
    to_player_cents: int  # the amount to repay
    by_player_cents: int  # the amount overpaid
    clause: str | None
    basis: str | None
    findings: tuple[str, ...]


_ERRORS: Final = f"""
WITH wrong AS (SELECT * FROM wagers w{{where}}),
found AS (
    SELECT w.stream, w.round, w.seat, w.wager, list_sort(list(f.finding)) AS names
    FROM wrong w JOIN findings f
        ON f.stream = w.stream AND {within("w.round")} AND f.seat = w.seat AND f.wager = w.wager
    WHERE f.state = 'standing' AND f.wager <> '' GROUP BY ALL
)
SELECT w."table", w.gaming_day, w.round, r.ended_at, r.dealer, w.seat, w.player, w.wager, w.staked_cents, w.owed_cents,
    w.back_cents, greatest(-w.difference_cents, 0) AS to_player_cents, greatest(w.difference_cents, 0)
    AS by_player_cents, w.clause, w.basis, coalesce(f.names, []) AS findings
FROM wrong w LEFT JOIN rounds r ON r.stream = w.stream AND r.gaming_day = w.gaming_day AND r.round = w.round
    LEFT JOIN found f ON f.stream = w.stream AND f.round = w.round AND f.seat = w.seat AND f.wager = w.wager
ORDER BY w.gaming_day, w."table", w.round, w.seat, w.wager
"""


def settled_wrongly(
    reading: Reading,
    *,
    table: str = "",
    game: str = "",
    first: date | None = None,
    last: date | None = None,
) -> list[SettledWrongly]:
    """Return the wrongly settled wagers of these days, in the order they happened."""
    where = Conditions().add("w.difference_cents <> 0").add('w."table" = ?', table).days(first, last, "w.gaming_day")
    where.add("w.stream IN (SELECT stream FROM tables WHERE book = ?)", game)
    return rows(reading, SettledWrongly, _ERRORS.format(where=where), where.values)
