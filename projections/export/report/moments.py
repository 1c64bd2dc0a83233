"""Moments as a report prints them: in the property's recorded zone, never in the machine's."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(at: datetime, zone: ZoneInfo) -> str:
    """Date, time of day and zone, to the second."""
    local = at.astimezone(zone)
    return f"{local:%Y-%m-%d %H:%M:%S} {local.tzname()}"


def utc(at: datetime) -> str:
    """The same moment as machines write it."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def of_micros(at: int) -> datetime:
    """The moment a fact tells."""
    return _EPOCH + timedelta(microseconds=at)


def clock(at: int, zone: ZoneInfo) -> str:
    """The time of day, to the millisecond."""
    return f"{of_micros(at).astimezone(zone):%H:%M:%S}.{at % 1_000_000 // 1000:03d}"


def date(at: int, zone: ZoneInfo) -> str:
    """The date."""
    return f"{of_micros(at).astimezone(zone):%Y-%m-%d}"
