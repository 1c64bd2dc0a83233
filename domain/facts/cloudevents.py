"""Conversion of CloudEvents 1.0 (structured JSON) to facts, one event per fact.

`source` and `id` are the fact's source and that source's own key: the pair is unique, as CloudEvents requires.
`subject` is the stream. Sequence, previous, round, camera, time code and the source's signature are extension
attributes. Everything else is data.

Other attributes, such as `dataschema`, `traceparent` and `partitionkey`, say how an event traveled, and may differ each
time it is sent. They are accepted and not recorded, so the same event with other ones is a repeat. Refused are names
that CloudEvents forbids, names of the fact's own fields, which would lose a part of the fact, and `dataref`, which says
that the data is elsewhere.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from domain.facts.catalogue import TYPES
from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact

PREFIX = "catwalk."
_DIGITS = 18
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FINER = re.compile(r"[.,]\d{6}(\d+)")  # digits finer than a microsecond
_ATTRIBUTES = {
    "source": "source",
    "id": "source_key",
    "subject": "stream",
    "previous": "previous",
    "camera": "camera",
    "timecode": "time_code",
    "sourcesignature": "source_signature",
}
_NUMBERS = {"sequence": "sequence", "round": "round"}
_KNOWN = {*_ATTRIBUTES, *_NUMBERS, "specversion", "type", "time", "datacontenttype", "data"}
_NAME = re.compile("[a-z0-9]+")  # of an attribute, as CloudEvents allows it
_WRITTEN_AS = {"at": "time", **{field: attribute for attribute, field in _ATTRIBUTES.items()}}
# These fields of a fact become attributes, which other systems use to identify and route events.
_ENVELOPE = {*_ATTRIBUTES.values(), *_NUMBERS.values(), "type", "at"}


def from_cloudevent(event: dict[str, Any], read: Callable[[bytes], Fact] = decode) -> Fact:
    """Return the fact in a CloudEvent, as `read` takes it from its stored form."""
    event = {name: value for name, value in event.items() if value is not None}  # null means absent
    if event.get("specversion") != "1.0":
        raise UnreadableFactError(
            f"specversion is {event.get('specversion')!r}, and only 1.0 is supported", "specversion"
        )
    kind = event.get("type")
    if not isinstance(kind, str) or not kind.startswith(PREFIX):
        raise UnreadableFactError(f"type is {kind!r}: write it like {PREFIX}wager-placed.1", "type")
    for name in sorted(event.keys() - _KNOWN):
        if why := _not_foreign(name, kind.removeprefix(PREFIX)):
            raise UnreadableFactError(why, name)
    data = event.get("data", {})
    if not isinstance(data, dict):
        raise UnreadableFactError("data is not an object", "data")
    if twice := _ENVELOPE.intersection(data):
        raise UnreadableFactError(f"{min(twice)} is in the data: write it as an attribute", min(twice))
    flat: dict[str, Any] = {**data, "type": kind.removeprefix(PREFIX), "at": _microseconds(event.get("time"))}
    for attribute, field in _ATTRIBUTES.items():
        if attribute in event:
            flat[field] = event[attribute]
    for attribute, field in _NUMBERS.items():
        if attribute in event:
            flat[field] = _number(attribute, event[attribute])
    try:
        return read(msgspec.json.encode(flat))
    except (OverflowError, RecursionError, UnicodeEncodeError) as error:
        raise UnreadableFactError(f"its data cannot be written as a fact: {error}", "data") from error


def _not_foreign(attribute: str, kind: str) -> str:
    """Return why an unknown attribute is refused; empty for one that can say nothing about the fact."""
    if not _NAME.fullmatch(attribute):
        return f"attribute {attribute!r} is no name of CloudEvents: use lowercase letters and digits"
    if attribute == "dataref":
        return "attribute 'dataref' says that the data is elsewhere: send it in the event"
    if attribute in _WRITTEN_AS:
        return f"attribute {attribute!r} is unknown: write it as {_WRITTEN_AS[attribute]!r}"
    if kind in TYPES and attribute in TYPES[kind].__struct_fields__:
        return f"{attribute!r} is a field of {kind}, not an attribute: write it in the data"
    return ""


def _number(attribute: str, text: Any) -> int:
    if isinstance(text, int) and not isinstance(text, bool) and 0 <= text < 10**_DIGITS:
        return text
    if not isinstance(text, str) or not text.isascii() or not text.isdecimal() or len(text) > _DIGITS:
        says = f"attribute {attribute!r} is {text!r}: write a number of at most {_DIGITS} digits"
        raise UnreadableFactError(says, attribute)
    return int(text)


def _microseconds(text: Any) -> int:
    try:
        moment = datetime.fromisoformat(text.upper())  # RFC 3339 allows t and z
    except (AttributeError, TypeError, ValueError) as error:
        raise UnreadableFactError(f"time is {text!r}: write it like 2026-11-18T21:10:05.000001Z", "time") from error
    if any(finer.strip("0") for finer in _FINER.findall(text)):
        raise UnreadableFactError(f"time is {text!r}: write at most six digits after the second (microseconds)", "time")
    if moment.tzinfo is None:
        raise UnreadableFactError(f"time is {text!r}: add a time zone, such as Z", "time")
    return (moment - _EPOCH) // timedelta(microseconds=1)
