"""The record of stub counts and deck changes: every count and its result, every deck received, changed or removed."""

from datetime import date, datetime
from typing import Final

import msgspec

from projections.questions.asking import Conditions, Reading, rows, within

KEPT: Final = (  # loading a shoe for each round is not a change of decks
    *("stub-counted", "misdeal-determined", "method-changed"),
    *("deck-received", "deck-inspected", "inspection-verified", "deck-changed", "deck-removed"),
    "batch-released",
)


class CardRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the record."""

    table: str
    gaming_day: date
    at: datetime | None
    what: str
    round: int | None
    deck: str | None
    cards: int | None  # counted, or in the deck
    rounds_since_count: int | None  # of a count: dealt rounds since the previous count, or since the deck arrived
    method: str | None
    device: str | None
    by: str | None
    findings: tuple[str, ...]  # standing findings about the cards of that round


_RECORD: Final = f"""
WITH chosen AS (
    SELECT stream, "table", gaming_day, sequence, "at", what, nullif(round, 0) AS round, nullif(deck, '') AS deck,
        cards, nullif(method, '') AS method, nullif(device, '') AS device, nullif("by", '') AS "by",
        max(round) FILTER (what IN ('stub-counted', 'deck-changed', 'method-changed')) OVER (
            PARTITION BY stream ORDER BY sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS counted_before
    FROM handling{{where}}
),
dealt AS (
    SELECT c.stream, c.sequence, count(r.round) AS rounds FROM chosen c LEFT JOIN rounds r ON r.stream = c.stream
        AND r.round <= c.round AND r.round > coalesce(c.counted_before, 0)
    WHERE c.what = 'stub-counted' GROUP BY ALL
),
found AS (
    SELECT c.stream, c.sequence, list_sort(list(DISTINCT f.code)) AS codes
    FROM chosen c JOIN findings f ON f.stream = c.stream AND {within("c.round")}
    WHERE f.state = 'standing'
        AND (f.code LIKE 'stub-%' OR f.code LIKE 'deck-%' OR f.code LIKE 'shuffle-%' OR f.code LIKE 'reshuffle-%')
    GROUP BY ALL
)
SELECT c."table", c.gaming_day, c."at", c.what, c.round, c.deck, c.cards, d.rounds AS rounds_since_count, c.method,
    c.device, c."by", coalesce(f.codes, []) AS findings
FROM chosen c LEFT JOIN dealt d ON d.stream = c.stream AND d.sequence = c.sequence
    LEFT JOIN found f ON f.stream = c.stream AND f.sequence = c.sequence
ORDER BY c.gaming_day, c."table", c.sequence
"""


def card_record(
    reading: Reading, *, table: str = "", first: date | None = None, last: date | None = None
) -> list[CardRecord]:
    """Return the entries of these days, in the order of their facts."""
    where = Conditions().add('"table" = ?', table).days(first, last).among("what", KEPT)
    return rows(reading, CardRecord, _RECORD.format(where=where), where.values)
