"""Whether the clock that would date a head has leapt: a head dated next year would be the newest one for a year."""

from datetime import UTC, datetime, timedelta
from typing import Final

FURTHEST: Final = timedelta(days=7)  # between the newest head, or the facts behind it, and the next head
_MICROSECOND: Final = timedelta(microseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class ClockLeapError(Exception):
    """A clock that is far beyond all that is on record: nothing is signed by it."""


def leap(newest_head: str, latest: list[int], now: int) -> str:
    """What is wrong with signing a head now, in a sentence; nothing if it is near the newest head or the newest fact.

    The first head has nothing before it: a record of last year may be put into a tree today.
    """
    if not newest_head:
        return ""
    known = max([(datetime.fromisoformat(newest_head) - _EPOCH) // _MICROSECOND, *latest])
    if now - known <= FURTHEST // _MICROSECOND:
        return ""
    told = f"the clock here says {_told(now)}, and the newest head and every fact read since are of {_told(known)} or"
    says = f"{told} before: more than {FURTHEST.days} days apart. Nothing was signed"
    return f"{says}. Set the clock; if it is right, sign once with catwalk checkpoint --clock-is-right"


def _told(at: int) -> str:
    return f"{_EPOCH + timedelta(microseconds=at):%Y-%m-%dT%H:%M:%SZ}"
