"""The property's local time, as the tables write it."""

from __future__ import annotations

import zoneinfo
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from typing import Any

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Clock:
    """The property's local time as the tables write it, as far as this machine knows the zone."""

    def __init__(self, zone: str) -> None:
        self.strange = 0  # moments written with an offset that this machine does not know for the zone
        self._zone: Any = None
        self._offsets: dict[int, timezone] = {}
        with suppress(ValueError, OSError, KeyError):
            self._zone = timezone.utc if zone == "UTC" else zoneinfo.ZoneInfo(zone)

    def told(self, at: int, like: str) -> str:
        """Return a moment in the zone's offset, or in the offset of the given text if both are the same moment."""
        quarter = at // 900_000_000
        if quarter not in self._offsets:
            self._offsets[quarter] = self._offset(quarter)
        due = _told_at(at, self._offsets[quarter])
        if due == like:
            return due
        with suppress(ValueError):
            offset = datetime.fromisoformat(like).utcoffset()
            if offset is not None and _told_at(at, timezone(offset)) == like:
                self.strange += 1
                return like
        return due

    def _offset(self, quarter: int) -> timezone:
        with suppress(OverflowError):
            local = (EPOCH + timedelta(seconds=900 * quarter)).astimezone(self._zone or timezone.utc)
            return timezone(local.utcoffset() or timedelta(0))
        return timezone.utc


def _told_at(at: int, offset: timezone) -> str:
    moment = EPOCH + timedelta(microseconds=at)
    with suppress(OverflowError):
        moment = moment.astimezone(offset)
    return moment.isoformat(timespec="microseconds")
