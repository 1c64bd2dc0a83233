"""Streams: one a table and gaming day, and one of the property a day."""

import re
from datetime import date

import msgspec

PROPERTY = "property"
_STREAM = re.compile(r"(?P<owner>[A-Za-z0-9][A-Za-z0-9_.-]{0,39})/(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})")
FORMAT = "T7/2026-11-18: a table (letters, digits, . _ -) or property, a stroke, the gaming day"


class BadStreamError(ValueError):
    """A name no stream has."""


class Stream(msgspec.Struct, frozen=True):
    """The name of a stream, taken apart."""

    owner: str
    day: str

    def __str__(self) -> str:
        return f"{self.owner}/{self.day}"


def stream(name: str) -> Stream:
    """Takes a stream's name apart."""
    found = _STREAM.fullmatch(name)
    if found is None or not _is_a_day(found["day"]):
        raise BadStreamError(f"{name!r} is no stream: write it like {FORMAT}")
    return Stream(found["owner"], found["day"])


def is_stream(name: str) -> bool:
    """Whether a stream of facts may be called so."""
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
    """The table a stream belongs to, or `property`: the key that keeps its facts in one partition."""
    return name.partition("/")[0]
