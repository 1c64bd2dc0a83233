"""Read one line as a fact, in time and memory linear in its length: the line may be an attack."""

import re
from array import array
from itertools import accumulate

import msgspec

from consumers.gateway.greeting import Greeting, greeting
from domain.facts.cloudevents import from_cloudevent
from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Fact
from domain.facts.inputs import RefusedInputError, read_input
from domain.facts.other_forms import unreadable
from domain.facts.refused import Refused

# Kafka takes records of up to a megabyte, and placing a fact makes it longer; no real fact is nested this deeply.
LONGEST = 1_000_000
DEEPEST = 100
LONGEST_ATTRIBUTE = 10_000  # of a CloudEvent
LONGEST_NUMBER = 1_000  # digits; the verifier of exports reads no longer ones
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
# Possessive, and it also matches an unfinished string, so that it looks at each byte once.
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_LONG_NUMBER = re.compile(rb"[0-9]{%d}" % (LONGEST_NUMBER + 1))
_NULL = msgspec.Raw(b"null")  # never equal to bytes
_OPEN, _CLOSE = b"[{", b"]}"
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _OPEN + _CLOSE)
_STEPS = bytes.maketrans(_OPEN + _CLOSE, b"\x01\x01\xff\xff")  # one down, one up, as signed bytes


def says_something(stored: bytes) -> bool:
    """Whether a line is not empty. Devices send empty lines to stay connected; there is nothing in them to store."""
    return bool(stored.strip())


def said_in(stored: bytes, *, cut: str = "", wrong: Refused | None = None) -> Fact | Greeting | Refused:
    """Return the content of a line: a fact, a greeting, or why it cannot be read."""
    if wrong is not None:
        return wrong
    if cut:
        return Refused("line-cut", cut)
    return greeting(stored) or read_line(stored)


def read_line(stored: bytes) -> Fact | Refused:
    """Return the fact in a line, in Catwalk's form or as a CloudEvent, or why there is none."""
    if len(stored) > LONGEST:
        return Refused("line-too-long", f"it has {len(stored):,} bytes; a fact has at most {LONGEST:,}")
    try:
        _require_bounded(stored)
        return _fact(stored)
    except RefusedInputError as error:
        return error.refused
    except UnreadableFactError as error:
        return Refused("event-wrong", str(error), field=error.field, allowed="a CloudEvent 1.0 of docs/facts")
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return unreadable(stored, error)


def _require_bounded(stored: bytes) -> None:
    """Raise an error if brackets are nested too deeply, or a number is too long."""
    if stored.count(b"[") + stored.count(b"{") > DEEPEST and _depth(stored) > DEEPEST:
        raise RefusedInputError(Refused("nested-too-deeply", f"it is nested deeper than {DEEPEST}"))
    if len(stored) > LONGEST_NUMBER and _LONG_NUMBER.search(_TEXT.sub(b"", stored)):
        says = f"it has a number of more than {LONGEST_NUMBER:,} digits"
        raise RefusedInputError(Refused("number-too-long", says))


def _fact(stored: bytes) -> Fact:
    if b'"specversion"' in stored and (event := _members(stored)) is not None and "specversion" in event:
        event = {name: raw for name, raw in event.items() if raw != _NULL}  # null means absent
        if "data_base64" in event and "data" not in event:
            event["data"] = _in_base64(event.pop("data_base64"))
        return from_cloudevent({name: _value(name, raw) for name, raw in event.items()}, read_input)
    return read_input(stored)


def _value(name: str, raw: msgspec.Raw) -> object:
    """Return an attribute of a CloudEvent; for its data, the members as bytes."""
    if name == "data":
        if (data := _members(raw)) is None:
            raise UnreadableFactError("data is not an object", "data")
        return data
    if len(raw) > LONGEST_ATTRIBUTE:
        raise UnreadableFactError(
            f"attribute {name!r} has {len(raw):,} bytes; the limit is {LONGEST_ATTRIBUTE:,}", name
        )
    return msgspec.json.decode(raw)


def _in_base64(raw: msgspec.Raw) -> msgspec.Raw:
    """Return the data of a CloudEvent whose sender took it for bytes."""
    try:
        data = msgspec.json.decode(raw, type=bytes)
    except msgspec.ValidationError as error:
        raise UnreadableFactError("data_base64 is not in base64", "data_base64") from error
    _require_bounded(data)
    return msgspec.Raw(data)


def _members(stored: bytes | msgspec.Raw) -> dict[str, msgspec.Raw] | None:
    """Return the members of a JSON object unread: as Python objects they take thirty times the memory."""
    try:
        return _MEMBERS.decode(stored)
    except msgspec.ValidationError:
        return None


def _depth(stored: bytes) -> int:
    """Return how deeply its brackets are nested, ignoring those within strings."""
    brackets = _TEXT.sub(b"", stored).translate(_STEPS, _NO_BRACKETS)
    return max(accumulate(array("b", brackets)), default=0)
