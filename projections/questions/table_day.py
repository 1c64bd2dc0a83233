"""A table's gaming day in order: its rounds, the handling of cards, the people, the findings, and the money."""

from datetime import date, datetime

import msgspec

from projections.questions.asking import Reading, rows
from projections.questions.findings import WAITS, Worked

MOST_FINDINGS = 500


class DayHead(msgspec.Struct, frozen=True, kw_only=True):
    """The current state of the day."""

    stream: str
    table: str
    gaming_day: date
    pit: str | None
    game: str | None
    state: str | None
    dealer: str | None
    opened_at: datetime | None
    closed_at: datetime | None
    last_at: datetime | None
    rounds: int | None
    hands: int | None
    seats: int | None
    deck: str | None
    rounds_since_count: int | None
    unread_from: int | None
    unread_says: str | None
    zone: str | None
    currency: str | None


class RoundOf(msgspec.Struct, frozen=True, kw_only=True):
    """One round."""

    round: int
    began_at: datetime | None
    ended_at: datetime | None
    dealer: str | None
    deck: str | None
    hands: int | None
    voided: bool


class Handled(msgspec.Struct, frozen=True, kw_only=True):
    """One handling of a deck, or of a device that deals or shuffles."""

    at: datetime | None
    what: str
    round: int | None
    deck: str | None
    method: str | None
    device: str | None
    by: str | None
    cards: int | None


class DayFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding to review."""

    finding: str
    code: str
    severity: str
    round: int | None
    to_round: int | None  # the last one, if it is about a stretch of rounds
    at: datetime | None
    says: str


class DayMoney(msgspec.Struct, frozen=True, kw_only=True):
    """The day's money in and out, and the win."""

    opener_cents: int | None
    fills_cents: int | None
    credits_cents: int | None
    drop_cents: int | None
    closer_cents: int | None
    bought_in_cents: int | None
    collected_cents: int | None
    paid_cents: int | None
    win_cents: int | None
    rounds_win_cents: int | None
    tray_off_cents: int | None


_HEAD = """
SELECT stream, "table", gaming_day, pit, book AS game, state, dealer, opened_at, closed_at, last_at, rounds, hands,
    seats, deck, rounds_since_count, unread_from, unread_says, zone, currency FROM tables WHERE stream = ?
"""
_PLACE = ' WHERE stream = ? AND "table" = ? AND gaming_day = ? '
_ROUNDS = f"""
SELECT round, began_at, ended_at, dealer, deck, hands, coalesce(voided, false) AS voided FROM rounds{_PLACE}
ORDER BY round
"""
_HANDLED = f"""
SELECT "at", what, nullif(round, 0) AS round, deck, method, device, "by", cards FROM handling{_PLACE}ORDER BY sequence
"""
_FOUND = f"""
SELECT finding, code, severity, round, to_round, "at", says FROM findings f
WHERE stream = ? AND state = 'standing' AND {WAITS} ORDER BY "at" DESC, finding LIMIT ?
"""
_MONEY = """
SELECT opener_cents, fills_cents, credits_cents, drop_cents, closer_cents, bought_in_cents, collected_cents, paid_cents,
    win_cents, rounds_win_cents, tray_off_cents FROM money WHERE stream = ?
"""


def day_head(reading: Reading, table: str, day: date) -> DayHead:
    """Return the current state of the day; raise if it is not on record."""
    return rows(reading, DayHead, _HEAD, [_stream(table, day)])[0]


def days_of(reading: Reading, table: str) -> list[date]:
    """Return the gaming days of a table, newest first."""
    query = 'SELECT gaming_day FROM tables WHERE "table" = ? ORDER BY gaming_day DESC'
    return [row[0] for row in reading.connection.execute(query, [table]).fetchall()]


def tables_of(reading: Reading) -> list[str]:
    """Return every table on record."""
    return [row[0] for row in reading.connection.execute('SELECT DISTINCT "table" FROM tables ORDER BY ALL').fetchall()]


def rounds_of(reading: Reading, table: str, day: date) -> list[RoundOf]:
    """Return its finished rounds."""
    return rows(reading, RoundOf, _ROUNDS, [_stream(table, day), table, day])


def handled_of(reading: Reading, table: str, day: date) -> list[Handled]:
    """Return the handling of cards, in the order of the facts."""
    return rows(reading, Handled, _HANDLED, [_stream(table, day), table, day])


def found_of(reading: Reading, table: str, day: date, worked: Worked | None = None) -> list[DayFinding]:
    """Return the findings to review, newest first, without closed ones."""
    return rows(reading, DayFinding, _FOUND, [_stream(table, day), *(worked or Worked()).values, MOST_FINDINGS])


def money_of(reading: Reading, table: str, day: date) -> DayMoney | None:
    """Return its money, as far as it is known."""
    found = rows(reading, DayMoney, _MONEY, [_stream(table, day)])
    return found[0] if found else None


def _stream(table: str, day: date) -> str:
    return f"{table}/{day.isoformat()}"


def currency_of_floor(reading: Reading) -> str:
    """Return the property's currency, from its tables; USD if none has opened."""
    found = reading.connection.execute("SELECT max(currency) FROM tables").fetchall()[0][0]
    return str(found or "USD")


def zone_of_floor(reading: Reading) -> str:
    """Return the property's time zone, from its tables; UTC if none has opened."""
    found = reading.connection.execute("SELECT max(zone) FROM tables").fetchall()[0][0]
    return str(found or "UTC")
