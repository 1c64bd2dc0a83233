"""The time zones that this machine knows, from its own database or the package `tzdata`."""

from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones


@cache
def zones_but(zone: str) -> tuple[str, ...]:
    """Return nothing if there is a time zone of this name, or else the names of all zones."""
    try:
        ZoneInfo(zone)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return tuple(sorted(available_timezones()))
    return ()
