"""Moments as a report prints them: in the property's recorded zone, never in the machine's."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(at: datetime, zone: ZoneInfo) -> str:
    """Return date, time of day and zone, to the second."""
    local = at.astimezone(zone)
    return f"{local:%Y-%m-%d %H:%M:%S} {local.tzname()}"


def utc(at: datetime) -> str:
    """Return the moment in UTC, in machine-readable form."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def of_micros(at: int) -> datetime:
    """Return the moment of a fact's timestamp."""
    return _EPOCH + timedelta(microseconds=at)


def clock(at: int, zone: ZoneInfo) -> str:
    """Return the time of day, to the millisecond."""
    return f"{of_micros(at).astimezone(zone):%H:%M:%S}.{at % 1_000_000 // 1000:03d}"


def date(at: int, zone: ZoneInfo) -> str:
    """Return the date."""
    return f"{of_micros(at).astimezone(zone):%Y-%m-%d}"
