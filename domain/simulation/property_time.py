"""The property's days and clock: Eastern time by its own rule, so that a world is the same on every machine."""

from datetime import UTC, date, datetime, time, timedelta

ZONE = "America/New_York"
DAY_STARTS_AT = "06:00"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_STANDARD, _SUMMER = timedelta(hours=-5), timedelta(hours=-4)
_MICROSECOND = timedelta(microseconds=1)


def gaming_days(start: str, many: int) -> list[str]:
    """Return this many gaming days from this one on."""
    first = date.fromisoformat(start)
    return [(first + timedelta(days=number)).isoformat() for number in range(many)]


def moment(gaming_day: str, minutes: int) -> int:
    """Return a wall clock time, in minutes since the midnight before, as microseconds since 1970.

    Beyond 24 hours it is the next morning, which belongs to the same gaming day.
    """
    local = datetime.combine(date.fromisoformat(gaming_day), time(), UTC) + timedelta(minutes=minutes)
    return (local - _behind(local) - _EPOCH) // _MICROSECOND


def _behind(local: datetime) -> timedelta:
    """Return the offset behind UTC: an hour less from the second Sunday of March to the first of November, at 2 a.m."""
    begins = _sunday(local.year, 3, 2) + timedelta(hours=2)
    ends = _sunday(local.year, 11, 1) + timedelta(hours=2)
    return _SUMMER if begins <= local < ends else _STANDARD


def _sunday(year: int, month: int, number: int) -> datetime:
    first = datetime(year, month, 1, tzinfo=UTC)
    return first + timedelta(days=(6 - first.weekday()) % 7 + 7 * (number - 1))
