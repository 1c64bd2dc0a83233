"""Detection of a wrong clock before it dates a head: a head dated next year would be the newest one for a year."""

from datetime import UTC, datetime, timedelta
from typing import Final

FURTHEST: Final = timedelta(days=7)  # from the newest head or fact to the next head
_MICROSECOND: Final = timedelta(microseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class ClockLeapError(Exception):
    """A clock far ahead of everything on record; nothing is signed."""


def leap(newest_head: str, latest: list[int], now: int) -> str:
    """Return why no head can be signed now, or an empty string if the time is near the newest head or fact.

    The first head has nothing before it: last year's record may go into a tree today.
    """
    if not newest_head:
        return ""
    known = max([(datetime.fromisoformat(newest_head) - _EPOCH) // _MICROSECOND, *latest])
    if now - known <= FURTHEST // _MICROSECOND:
        return ""
    told = f"this machine's clock says {_told(now)}, but the newest head and all later facts are from {_told(known)} or"
    says = f"{told} earlier: more than {FURTHEST.days} days apart. Nothing was signed"
    return f"{says}. Correct the clock; if it is right, sign once with catwalk checkpoint --clock-is-right"


def _told(at: int) -> str:
    return f"{_EPOCH + timedelta(microseconds=at):%Y-%m-%dT%H:%M:%SZ}"
