"""The byte at which a record stops being a valid fact, where that can be known.

A hash shows only that a record was changed. But bytes that are not JSON, not text, of the wrong type or not in
canonical form are wrong at a particular place.
"""

import re
from json import JSONDecodeError, JSONDecoder

import msgspec

_AT = re.compile(r"\(byte (\d+)\)")
_PATH = re.compile(r" - at `\$([^`]*)`")
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_UNKNOWN = re.compile(r"unknown field `([^`]*)`")
_SPACE = " \t\r\n"
_READER = JSONDecoder()


class _UnknownError(Exception):
    """Raised when the byte cannot be known."""


def first_difference(stored: bytes, wanted: bytes) -> int:
    """Return the first byte at which two forms of a record differ."""
    shorter = min(len(stored), len(wanted))
    return next((at for at in range(shorter) if stored[at] != wanted[at]), shorter)


def wrong_byte(stored: bytes, error: BaseException) -> int | None:
    """Return the byte where these bytes stop being a fact, based on the decoder's message."""
    try:
        text = stored.decode()
    except UnicodeDecodeError as no_text:
        said = _AT.search(str(error))
        return min(int(said[1]), no_text.start) if said else no_text.start
    cause = error.__cause__ or error
    try:
        at = _end_of_json(text)
    except _UnknownError:
        return None
    if at is None and isinstance(cause, msgspec.ValidationError):
        at = _place(text, str(cause))
    if at is not None:
        return len(text[:at].encode())
    said = _AT.search(str(cause))
    return int(said[1]) if said else None


def wrong_stream(stored: bytes) -> int | None:
    """Return where a fact names its stream, or where it ends without naming one."""
    text = stored.decode()
    at = _place(text, "no such stream - at `$.stream`")
    return None if at is None else len(text[:at].encode())


def _end_of_json(text: str) -> int | None:
    """Return where the standard library's reader stops, to the character; it may accept what our decoder does not."""
    try:
        _READER.decode(text)
    except JSONDecodeError as error:
        return len(text) if error.msg.startswith("Unterminated") else error.pos
    except (RecursionError, ValueError):
        raise _UnknownError from None  # nested too deeply, or a number of thousands of digits: the place is unknown
    return None


def _place(text: str, says: str) -> int | None:
    """Return the place in the text of the value that a msgspec message names by its path."""
    path = _PATH.search(says)
    at = _skip(text, 0)
    for name, index in _STEP.findall(path[1]) if path else ():
        inside = _members(text, at) if text[at : at + 1] in ("{", "[") else None
        if inside is None or index == "...":
            return at  # somewhere in this object; the message does not say at which key
        keys = [key for key, _, _ in inside]
        wanted = name or index
        if keys.count(wanted) > 1:
            return None  # a repeated field, and either one may be meant
        if wanted not in keys:
            return _READER.raw_decode(text, at)[1] - 1
        at = inside[keys.index(wanted)][2]
    if unknown := _UNKNOWN.search(says):
        return next((start for key, start, _ in _members(text, at) if key == unknown[1]), at)
    if "missing required field" in says:
        return _READER.raw_decode(text, at)[1] - 1
    return at


def _members(text: str, at: int) -> list[tuple[str, int, int]]:
    """Return the members of the object or array here: key or number, start of the member, start of its value."""
    found: list[tuple[str, int, int]] = []
    is_object = text[at] == "{"
    at = _skip(text, at + 1)
    while text[at] not in "]}":
        start, key = at, str(len(found))
        if is_object:
            key, at = _READER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        found.append((key, start, at))
        at = _skip(text, _READER.raw_decode(text, at)[1])
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _SPACE:
        at += 1
    return at
