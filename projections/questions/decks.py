"""The deck ledger: every deck at a table with its rounds, its counts done and due, its seen cards, and its fate."""

from datetime import date, datetime

import msgspec

from projections.questions.asking import Conditions, Reading, day_of, rows


class DeckRow(msgspec.Struct, frozen=True, kw_only=True):
    """One deck, or a batch played as one shoe, at one table on one day."""

    table: str
    gaming_day: date
    deck: str
    decks: int | None
    size: int | None
    received_at: datetime | None
    first_round: int | None
    last_round: int | None
    rounds: int
    counts_done: int
    rounds_since_count: int | None
    count_every: int | None  # by the book in force
    count_due: bool
    overdue_rounds: int
    last_count: int | None
    last_counted_at: datetime | None
    miscounted: bool
    shuffles: int
    seen: int | None
    never_seen: str | None
    duplicates: str | None
    gone_at: datetime | None
    fate: str | None
    findings: int


_LEDGER = """
SELECT d."table", d.gaming_day, d.deck, d.decks, d.size, d.received_at, d.first_round, d.last_round,
    coalesce(d.rounds, 0) AS rounds, coalesce(d.counts_done, 0) AS counts_done, d.rounds_since_count,
    coalesce(d.count_due, false) AS count_due,
    CASE WHEN d.count_due THEN greatest(coalesce(d.rounds_since_count - d.count_every, 0), 0) ELSE 0 END
        AS overdue_rounds, d.count_every,
    d.last_count, d.last_counted_at, coalesce(d.miscounted, false) AS miscounted, coalesce(d.shuffles, 0) AS shuffles,
    d.seen, d.never_seen, d.duplicates, d.gone_at, d.fate, coalesce(f.findings, 0) AS findings
FROM decks d LEFT JOIN (
    SELECT d.stream, d.deck, count(*) AS findings FROM findings f JOIN decks d ON d.stream = f.stream
    AND f.round <= d.last_round AND coalesce(f.to_round, f.round) >= d.first_round
    WHERE f.state = 'standing' AND (f.code LIKE 'deck-%' OR f.code LIKE 'stub-%' OR f.code LIKE 'shuffle-%')
    GROUP BY d.stream, d.deck
) f ON f.stream = d.stream AND f.deck = d.deck
"""


def deck_ledger(
    reading: Reading,
    table: str = "",
    *,
    first: date | None = None,
    last: date | None = None,
    deck: str = "",
    overdue: bool = False,
) -> list[DeckRow]:
    """Return the decks of a table's last day, or of these days; of one deck everywhere; or only those overdue."""
    if table and not (first or last or deck):
        first = last = day_of(reading, table, None)
    where = Conditions().add('d."table" = ?', table).add("d.deck = ?", deck).days(first, last, "d.gaming_day")
    if overdue:
        where.add("d.count_due AND d.gone_at IS NULL")
    return rows(
        reading, DeckRow, f'{_LEDGER}{where}ORDER BY d.gaming_day, d."table", d.received_at, d.deck', where.values
    )


class DeviceRow(msgspec.Struct, frozen=True, kw_only=True):
    """A device that dealt, shuffled or counted, over these days."""

    device: str
    tables: tuple[str, ...]
    days: int
    uses: int
    miscounts: int  # counts with a wrong number of cards
    first_at: datetime | None
    last_at: datetime | None
    last_day: date | None  # the gaming day of that


_DEVICES = """
SELECT h.device, list_sort(list(DISTINCT h."table")) AS tables, count(DISTINCT h.gaming_day) AS days, count(*) AS uses,
    count(*) FILTER (h.what = 'shuffle-completed' AND h.cards <> d.size) AS miscounts,
    min(h."at") AS first_at, max(h."at") AS last_at, max(h.gaming_day) AS last_day
FROM handling h LEFT JOIN decks d ON d.stream = h.stream AND d.deck = h.deck
"""


def devices(
    reading: Reading, *, table: str = "", first: date | None = None, last: date | None = None
) -> list[DeviceRow]:
    """Return the devices of these days, with their tables, number of uses and number of miscounts."""
    where = Conditions().add("h.device <> ''").add('h."table" = ?', table).days(first, last, "h.gaming_day")
    return rows(reading, DeviceRow, f"{_DEVICES}{where}GROUP BY h.device ORDER BY h.device", where.values)
