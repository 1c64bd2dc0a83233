"""The current floor: each table's newest day, its findings to review, and its unverified or unsealed facts."""

from datetime import date, datetime

import msgspec

from projections.questions.asking import Reading, rows, values_of
from projections.questions.findings import WAITS, Worked
from projections.questions.troubles import UNSEALED, UNVERIFIED


class TableNow(msgspec.Struct, frozen=True, kw_only=True):
    """One table."""

    table: str
    gaming_day: date
    pit: str | None
    game: str | None
    state: str | None
    dealer: str | None
    round: int | None
    hands: int | None
    seats: int | None
    deck: str | None
    rounds_since_count: int | None
    count_due: bool
    count_every: int | None  # by the book in force; None if it requires no counts
    last_at: datetime | None
    rounds_an_hour: float | None  # over the time of rounds
    money_findings: int
    integrity_findings: int
    procedure_findings: int
    information_findings: int
    findings: int
    at_risk_cents: int
    decided: int
    undecided: int
    unverified: int | None
    unsealed: int | None
    unread_from: int | None
    unread_says: str | None
    unread_days: int  # earlier days of the table that are not readable to their end
    zone: str | None


_SEVERITIES = ("money", "integrity", "procedure", "information")
_BY_SEVERITY = ", ".join(f"count(*) FILTER (severity = '{each}') AS {each}_findings" for each in _SEVERITIES)
_COUNTED = ", ".join(f"coalesce(f.{each}_findings, 0) AS {each}_findings" for each in _SEVERITIES)
_NEWEST = """
SELECT stream FROM tables QUALIFY row_number() OVER (PARTITION BY "table" ORDER BY gaming_day DESC) = 1
"""
_NOW = f"""
WITH newest AS (SELECT * FROM {{tables}} WHERE stream IN (SELECT unnest(?))),
review AS (
    SELECT stream, count(*) AS findings, {_BY_SEVERITY},
        coalesce(sum(abs(observed_cents - expected_cents)), 0) AS at_risk_cents
    FROM {{findings}} f WHERE state = 'standing' AND stream IN (SELECT stream FROM newest) AND {WAITS} GROUP BY stream
),
dealt AS (
    SELECT stream, sum(rounds) * 3600 / nullif(sum(seconds), 0) AS rounds_an_hour
    FROM {{dealer_days}} WHERE stream IN (SELECT stream FROM newest) GROUP BY stream
),
unread AS (
    SELECT "table", count(*) AS unread_days FROM tables
    WHERE unread_from IS NOT NULL AND stream NOT IN (SELECT stream FROM newest) GROUP BY "table"
),
checked AS (
    SELECT stream, sum(wagers) FILTER (what = 'decided') AS decided, sum(wagers) FILTER (what <> 'decided') AS undecided
    FROM {{coverage}} WHERE stream IN (SELECT stream FROM newest) GROUP BY stream
)
SELECT t."table", t.gaming_day, t.pit, t.book AS game, t.state, t.dealer, t.round, t.hands, t.seats, t.deck,
    t.rounds_since_count, coalesce(d.count_due, false) AS count_due, d.count_every, t.last_at,
    p.rounds_an_hour, {_COUNTED}, coalesce(f.findings, 0) AS findings,
    coalesce(f.at_risk_cents, 0) AS at_risk_cents,
    coalesce(c.decided, 0) AS decided, coalesce(c.undecided, 0) AS undecided,
    {UNVERIFIED} AS unverified, {UNSEALED} AS unsealed,
    t.unread_from, t.unread_says, coalesce(u.unread_days, 0) AS unread_days, t.zone
FROM newest t LEFT JOIN review f USING (stream) LEFT JOIN checked c USING (stream) LEFT JOIN dealt p USING (stream)
    LEFT JOIN unread u ON u."table" = t."table"
    LEFT JOIN {{verified}} v USING (stream) LEFT JOIN {{decks}} d ON d.stream = t.stream AND d.deck = t.deck
WHERE ? OR t.state <> 'closed' ORDER BY t.pit, t."table"
"""


def floor_now(reading: Reading, *, closed: bool = True, worked: Worked | None = None) -> list[TableNow]:
    """Return every table's newest day; without `closed` only open tables. Closed findings are not counted."""
    newest = values_of(reading, _NEWEST)
    names = ("tables", "findings", "dealer_days", "coverage", "verified", "decks")
    query = _NOW.format(**{name: reading.source_of(name, newest) for name in names})
    return rows(reading, TableNow, query, [newest, *(worked or Worked()).values, closed])
