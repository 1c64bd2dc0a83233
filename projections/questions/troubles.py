"""Data quality: what is unreadable, unverified, unsealed, or late."""

from datetime import UTC, date, datetime

import msgspec

from projections.questions.asking import Reading, rows


class ListedTrouble(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a log that cannot be used."""

    log: str
    partition: int
    position: int
    stream: str | None
    sequence: int | None
    kind: str
    says: str | None
    mended: bool


class Behind(msgspec.Struct, frozen=True, kw_only=True):
    """A table's day that is not verified or sealed to its last fact, or is not readable to its end."""

    stream: str
    table: str
    gaming_day: date
    state: str | None
    sequence: int
    up_to: int
    unverified: int
    sealed_to: int
    unsealed: int
    last_at: datetime | None
    unread_from: int | None
    unread_says: str | None


class Quality(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state of the data."""

    made_at: datetime
    age_seconds: int
    newest_fact_at: datetime | None
    newest_day: date | None  # the gaming day of that
    lag_seconds: int | None  # between the newest fact and its publication
    ahead_seconds: int  # how far that fact's time is ahead of the clock: the record is simulated, or a clock is wrong
    troubles_open: int
    unverified: int
    unsealed: int
    unread_tables: int
    troubles: tuple[ListedTrouble, ...]
    behind: tuple[Behind, ...]


_TROUBLES = """
SELECT log, "partition", "position", stream, sequence, kind, says, coalesce(mended, false) AS mended FROM troubles
WHERE ? OR NOT coalesce(mended, false) ORDER BY mended, log, "partition", "position", kind
"""
_NEWEST = "SELECT max(last_at), max_by(gaming_day, last_at) FROM tables"
# A seal that covers every fact before it needs no seal, and it states nothing to verify.
UNVERIFIED = """CASE WHEN t.sealed_to = t.sequence AND v.up_to = t.sequence - 1 THEN 0
        ELSE t.sequence - coalesce(v.up_to, 0) END"""
UNSEALED = "t.sequence - coalesce(t.sealed_to, 0)"
_BEHIND = f"""
SELECT * FROM (
SELECT t.stream, t."table", t.gaming_day, t.state, t.sequence, coalesce(v.up_to, 0) AS up_to,
    {UNVERIFIED} AS unverified, coalesce(t.sealed_to, 0) AS sealed_to,
    {UNSEALED} AS unsealed, t.last_at, t.unread_from, t.unread_says
FROM tables t LEFT JOIN verified v ON v.stream = t.stream
) WHERE unread_from IS NOT NULL OR unsealed > 0 OR unverified > 0
ORDER BY unread_from IS NULL, gaming_day DESC, unverified DESC, "table"
"""


def quality(reading: Reading, *, now: datetime | None = None, mended: bool = False) -> Quality:
    """Return gaps, forks, unreadable bytes, tables not fully readable, unverified and unsealed tails, and age."""
    troubles = rows(reading, ListedTrouble, _TROUBLES, [mended])
    behind = rows(reading, Behind, _BEHIND)
    made = reading.made_at if reading.made_at.tzinfo else reading.made_at.replace(tzinfo=UTC)
    told: tuple[datetime | None, date | None] = reading.connection.execute(_NEWEST).fetchall()[0]
    newest = told[0].replace(tzinfo=UTC) if told[0] else None
    lag = int((made - newest).total_seconds()) if newest else 0
    return Quality(
        made_at=made,
        age_seconds=int(((now or made) - made).total_seconds()),
        newest_fact_at=newest,
        newest_day=told[1],
        lag_seconds=max(0, lag) if newest else None,
        ahead_seconds=max(0, -lag),
        troubles_open=sum(not trouble.mended for trouble in troubles),
        unverified=sum(max(0, each.unverified) for each in behind),
        unsealed=sum(max(0, each.unsealed) for each in behind),
        unread_tables=sum(each.unread_from is not None for each in behind),
        troubles=tuple(troubles),
        behind=tuple(behind),
    )
