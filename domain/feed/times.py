"""The unit that a number of time was written in: only one unit makes it a day of this century."""

_FIRST, _LAST = 946_684_800, 4_102_444_800  # 2000-01-01 and 2100-01-01, in seconds since 1970
# How many of each unit are in a second. The ranges are a thousand times apart, so they never meet.
TIME_UNITS = {"seconds": 1, "milliseconds": 10**3, "microseconds": 10**6, "nanoseconds": 10**9}
RIGHT = "microseconds"
TEXT = "text"  # no number at all, such as 2026-11-18T12:00:00Z


def unit_of(at: int) -> str:
    """Return the unit in which this number is a time from 2000 to 2100, or an empty string if there is none."""
    return next((unit for unit, many in TIME_UNITS.items() if _FIRST * many <= at < _LAST * many), "")
