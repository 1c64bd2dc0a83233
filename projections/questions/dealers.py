"""A dealer's record: hands dealt, pace, and findings by kind and direction. It measures and makes no judgment."""

from datetime import date, datetime
from math import sqrt

import msgspec

from projections.questions.asking import Conditions, NothingFitsError, Reading, rows, stretch
from projections.questions.expected import LIKELY


class DealerDay(msgspec.Struct, frozen=True, kw_only=True):
    """The work of one dealer at one table on one day."""

    gaming_day: date
    table: str
    game: str | None
    first_at: datetime | None
    last_at: datetime | None
    rounds: int
    hands: int
    decided: int
    undecided: int
    completed: int  # the others were left open
    rounds_an_hour: float | None  # over the time of completed rounds, without the pauses between them
    seconds: int  # the total time of completed rounds
    over: int  # wagers handed back too much
    over_cents: int
    under: int  # wagers handed back too little
    under_cents: int


class ErrorKind(msgspec.Struct, frozen=True, kw_only=True):
    """The number of findings of one kind while they dealt."""

    code: str
    severity: str
    direction: str  # to the player, to the house, or neither
    count: int
    at_risk_cents: int
    per_1000_hands: float | None
    last_at: datetime | None
    last_day: date | None  # the gaming day of that


class DealerRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A dealer's record."""

    dealer: str
    first: date
    last: date
    rounds: int
    hands: int
    rounds_an_hour: float | None
    decided: int  # wagers whose settlement could be checked
    undecided: int
    over: int
    over_cents: int
    under: int
    under_cents: int
    wrong_share: float | None  # of the wagers that could be checked
    wrong_low: float | None  # ... and its 95 % interval
    wrong_high: float | None
    errors: tuple[ErrorKind, ...]
    days: tuple[DealerDay, ...]


_DAYS = """
SELECT d.gaming_day, d."table", t.book AS game, d.first_at, d.last_at, d.rounds, d.hands, d.decided, d.undecided,
    d.completed, d.completed * 3600 / nullif(d.seconds, 0) AS rounds_an_hour, coalesce(d.seconds, 0) AS seconds,
    d.over, d.over_cents, d.under, d.under_cents
FROM {days} d LEFT JOIN {tables} t ON t.stream = d.stream{where}ORDER BY d.first_at, d.stream
"""
_ERRORS = """
SELECT code, severity, CASE WHEN observed_cents > expected_cents THEN 'to the player'
        WHEN observed_cents < expected_cents THEN 'to the house' ELSE 'neither' END AS direction,
    count(*) AS count, coalesce(sum(abs(observed_cents - expected_cents)), 0) AS at_risk_cents,
    1000 * count(*) / nullif(?, 0) AS per_1000_hands, max("at") AS last_at, max(gaming_day) AS last_day
FROM {findings}{where}GROUP BY code, severity, direction ORDER BY at_risk_cents DESC, count DESC, code, direction
"""


def dealer_record(
    reading: Reading, dealer: str, *, first: date | None = None, last: date | None = None, table: str = ""
) -> DealerRecord:
    """Return the record of one dealer: hands, pace, and standing findings."""
    where = Conditions().add("d.dealer = ?", dealer).days(first, last, "d.gaming_day").add('d."table" = ?', table)
    span, tables = stretch(first, last), [table] if table else None
    sources = {"days": reading.source("dealer_days", span, tables), "tables": reading.source("tables", span, tables)}
    days = rows(reading, DealerDay, _DAYS.format(where=where, **sources), where.values)
    if not days:
        raise NothingFitsError(f"the record has no round dealt by {dealer!r} in that period")
    hands = sum(day.hands for day in days)
    found = Conditions().add("dealer = ?", dealer).add("state = 'standing'").days(first, last).add('"table" = ?', table)
    errors = rows(
        reading,
        ErrorKind,
        _ERRORS.format(where=found, findings=reading.source("findings", span, tables)),
        [hands, *found.values],
    )
    completed, seconds = sum(day.completed for day in days), sum(day.seconds for day in days)
    decided = sum(day.decided for day in days)
    share, low, high = share_between(sum(day.over + day.under for day in days), decided)
    return DealerRecord(
        dealer=dealer,
        first=min(day.gaming_day for day in days),
        last=max(day.gaming_day for day in days),
        rounds=sum(day.rounds for day in days),
        hands=hands,
        rounds_an_hour=completed * 3600 / seconds if seconds else None,
        decided=decided,
        undecided=sum(day.undecided for day in days),
        over=sum(day.over for day in days),
        over_cents=sum(day.over_cents for day in days),
        under=sum(day.under for day in days),
        under_cents=sum(day.under_cents for day in days),
        wrong_share=share,
        wrong_low=low,
        wrong_high=high,
        errors=tuple(errors),
        days=tuple(days),
    )


def share_between(wrong: int, of: int) -> tuple[float | None, float | None, float | None]:
    """Return a share with its Wilson interval, which also holds for small counts and for zero."""
    if not of:
        return None, None, None
    share, square = wrong / of, LIKELY**2
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = LIKELY * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return share, max(0.0, middle - half) if wrong else 0.0, min(1.0, middle + half) if wrong < of else 1.0
