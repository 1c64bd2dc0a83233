"""Time zones from the package, not from the machine, so that an export has the same times wherever it is made."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=16)
def zone_of(name: str) -> ZoneInfo:
    """Return the zone of this name; UTC if the name is unknown."""
    parts = name.split("/")
    if not all(part.replace("_", "").replace("-", "").replace("+", "").isalnum() for part in parts):
        return zone_of("UTC")
    try:
        with files("tzdata").joinpath("zoneinfo", *parts).open("rb") as data:
            return ZoneInfo.from_file(data, key=name)
    except (OSError, ValueError):
        return zone_of("UTC")


def told(at: int, zone: ZoneInfo) -> str:
    """Return a moment, in microseconds since 1970, as local time with its offset."""
    moment = _EPOCH + timedelta(microseconds=at)
    with suppress(OverflowError):  # the last hours of the year 9999 stay in UTC
        moment = moment.astimezone(zone)
    return moment.isoformat(timespec="microseconds")
