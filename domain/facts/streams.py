"""Streams: one for each table and gaming day, and one a day for the property."""

import re
from datetime import date

import msgspec

PROPERTY = "property"
_STREAM = re.compile(r"(?P<owner>[A-Za-z0-9][A-Za-z0-9_.-]{0,39})/(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})")
FORMAT = "T7/2026-11-18: a table (letters, digits, . _ -) or property, a slash, the gaming day"


class BadStreamError(ValueError):
    """Raised for text that is not the name of a stream."""


class StreamName(msgspec.Struct, frozen=True):
    """The parts of a stream's name."""

    owner: str
    day: str

    def __str__(self) -> str:
        return f"{self.owner}/{self.day}"


def stream(name: str) -> StreamName:
    """Return the parts of a stream's name."""
    found = _STREAM.fullmatch(name)
    if found is None or not _is_a_day(found["day"]):
        raise BadStreamError(f"{name!r} is not the name of a stream: write it like {FORMAT}")
    return StreamName(found["owner"], found["day"])


def is_stream(name: str) -> bool:
    """Return whether a stream of facts may have this name."""
    try:
        stream(name)
    except BadStreamError:
        return False
    return True


def _is_a_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def owner(name: str) -> str:
    """Return the table a stream belongs to, or `property`; this key keeps its facts in one partition."""
    return name.partition("/")[0]
