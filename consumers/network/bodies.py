"""The lines in the body of a request: JSON lines, or CloudEvents 1.0 in each of their three modes.

A line is the text that a device writes to the socket: a fact, or a CloudEvent as one JSON object. A body without lines
in it is refused as a whole, and nothing of it is kept.
"""

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote

import msgspec

from consumers.network.events import AttributeTwiceError, event_line, on_one_line

MOST_BYTES: Final = 4 << 20
MOST_LINES: Final = 10_000
LINES: Final = "application/x-ndjson"
ONE: Final = "application/json"
EVENT: Final = "application/cloudevents+json"
EVENTS: Final = "application/cloudevents-batch+json"
ALSO_LINES: Final = ("application/ndjson", "application/jsonl")
TYPES: Final = (LINES, *ALSO_LINES, ONE, EVENT, EVENTS)
_JSON: Final = re.compile(r"application/(?:[a-z0-9!#$&^_.-]+\+)?json")
_ATTRIBUTE: Final = "ce-"
_Headers = Sequence[tuple[bytes, bytes]]


class RequestRefusedError(Exception):
    """A request that is refused as a whole: its status, a word for the reason, and what to do."""

    def __init__(self, status: int, code: str, says: str, **headers: str) -> None:
        super().__init__(says)
        self.status, self.code, self.says = status, code, says
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Lines(msgspec.Struct, frozen=True):
    """The lines of a request, and how many there are."""

    stored: bytes
    count: int


def require_type(headers: _Headers) -> str:
    """Return the media type of a body; refuse one that cannot be read, before it is."""
    encoding = _header(headers, "content-encoding")
    if encoding not in ("", "identity"):
        says = f"the body is encoded as {encoding!r}: send it without Content-Encoding"
        raise RequestRefusedError(415, "encoding-not-accepted", says, Accept_Encoding="identity")
    kind, *parameters = [part.strip().lower() for part in _header(headers, "content-type").split(";")]
    charset = next((each for each in parameters if each.startswith("charset=")), "")
    if charset.removeprefix("charset=").strip('"') not in ("", "utf-8", "utf8"):
        raise RequestRefusedError(415, "type-not-accepted", f"the body is in {charset}: send it in UTF-8")
    if _is_binary(headers, kind):
        if kind and not _JSON.fullmatch(kind):
            says = f"the event's data is {kind}: its type must be {ONE}, or end in +json"
            raise RequestRefusedError(415, "type-not-accepted", says)
    elif kind not in TYPES:
        says = f"the body's type is {kind or 'not given'}: set Content-Type to one of {', '.join(TYPES)}"
        raise RequestRefusedError(415, "type-not-accepted", says)
    return kind


def read(headers: _Headers, body: bytes) -> Lines:
    """Return the lines of a request."""
    kind = require_type(headers)
    try:
        if _is_binary(headers, kind):
            found = [_binary(headers, body)]
        elif kind == EVENTS:
            found = [on_one_line(event) for event in msgspec.json.decode(body, type=list[msgspec.Raw])]
        elif kind in (ONE, EVENT):
            found = [on_one_line(body)]
        else:
            return _bounded(body if not body or body.endswith(b"\n") else body + b"\n")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        what = "a JSON array of events" if kind == EVENTS else "JSON"
        raise RequestRefusedError(400, "body-not-json", f"the body is not {what}: {error}") from error
    return _bounded(b"".join(line + b"\n" for line in found))


def _bounded(stored: bytes) -> Lines:
    if not stored.strip():
        says = "the body has no fact: write one fact on each line, or an array of events"
        raise RequestRefusedError(400, "body-empty", says)
    count = stored.count(b"\n")
    if count > MOST_LINES:
        says = f"the batch has {count:,} lines; the limit is {MOST_LINES:,}: send smaller batches"
        raise RequestRefusedError(413, "batch-too-large", says)
    return Lines(stored, count)


def _is_binary(headers: _Headers, kind: str) -> bool:
    """Whether the attributes are in the headers, and the body is the event's data."""
    return kind not in (EVENT, EVENTS) and bool(_header(headers, f"{_ATTRIBUTE}specversion"))


def _binary(headers: _Headers, body: bytes) -> bytes:
    """Return an event in the binary mode as one JSON object."""
    named = ((name.decode("latin-1").lower(), value) for name, value in headers)
    given = ((name.removeprefix(_ATTRIBUTE), value) for name, value in named if name.startswith(_ATTRIBUTE))
    try:
        return event_line(((attribute, _unquoted(attribute, value)) for attribute, value in given), body)
    except AttributeTwiceError as error:
        raise RequestRefusedError(400, "header-not-clear", f"the header ce-{error} is there twice or wrong") from error


def _unquoted(attribute: str, value: bytes) -> str:
    """Return the text of a header, as CloudEvents encodes it."""
    text = value.decode("latin-1").strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = re.sub(r"\\(.)", r"\1", text[1:-1])
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        says = f"the header ce-{attribute} is not percent-encoded UTF-8: {text[:100]!r}"
        raise RequestRefusedError(400, "header-not-clear", says) from error


def _header(headers: _Headers, name: str) -> str:
    wanted = name.encode()
    return next((value.decode("latin-1").strip() for each, value in headers if each.lower() == wanted), "")
