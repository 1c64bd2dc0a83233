"""Texts with exactly one valid form: JSON, base64, hashes in hex; and the search for a flipped bit."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Callable


def laid_down(value: Any) -> str:
    """Return JSON as an export writes it: no spaces, the keys in their given order."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def canonical(value: Any) -> str:
    """Return JSON with sorted keys and no spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("it has a field twice")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a number")


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"it has a number of {len(text)} digits")
    return int(text)


def _scanner(**hooks: Any) -> Callable[[str, int], tuple[Any, int]]:
    decoder = json.JSONDecoder(object_pairs_hook=_each_key_once, parse_constant=_no_number, **hooks)
    return decoder.scan_once  # type: ignore[attr-defined,no-any-return]


_scan = _scanner(parse_float=_no_number, parse_int=_whole)
_scan_record, _scan_long_record = _scanner(), _scanner(parse_int=_whole)

MOST_OF_JSON = 4 << 20  # bytes of one text; the largest are questions and long proofs
MOST_OF_A_RECORD = 16 << 20
DEEPEST, DEEPEST_RECORD = 32, 128
MOST_DIGITS = 1000  # more take time that grows with their square
# Characters that control a terminal, break a line or change the reading direction. Only a note has several lines.
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def _too_deep(text: bytes, deepest: int) -> bool:
    """Return whether brackets are nested deeper than the limit."""
    outside = b"".join(text.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    deep = 0
    for found in _BRACKETS.finditer(outside):
        deep += 1 if found[0] in b"[{" else -1
        if deep > deepest:
            return True
    return False


_BRACKETS = re.compile(rb"[\[\]{}]")


def parsed(text: bytes) -> Any:
    """Return the value of JSON that belongs to the export itself: one form only, integers, no control characters."""
    found = _parsed(text, _scan, MOST_OF_JSON, DEEPEST)
    if _CONTROLS_SAID.search(text) is not None and any(map(CONTROLS.search, _texts_in(found))):
        raise ValueError("it has a control character")
    return found


# A cheap check of the bytes: an escape, or the first byte of a non-ASCII character.
_CONTROLS_SAID = re.compile(rb"[\\\x7f-\xff]")


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from _texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts_in(each)


def record_of(text: bytes) -> dict[str, Any]:
    """Return the fields of a stored record. A source may have stated any readable text and number in it."""
    found = _parsed(
        text, _scan_record if len(text) < MOST_DIGITS else _scan_long_record, MOST_OF_A_RECORD, DEEPEST_RECORD
    )
    if not isinstance(found, dict) or not text.startswith(b'{"type":"'):
        raise ValueError("it is not written like a record")
    return found


def _parsed(text: bytes, scan: Callable[[str, int], tuple[Any, int]], most: int, deepest: int) -> Any:
    """Return the value of JSON with nothing before or after it."""
    if len(text) > most:
        raise ValueError(f"it has {len(text)} bytes; such a text has at most {most}")
    if text.count(b"[") + text.count(b"{") > deepest and _too_deep(text, deepest):
        raise ValueError("it is nested too deeply")
    said = text.decode()
    try:
        found, end = scan(said, 0)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except StopIteration as error:
        raise json.JSONDecodeError("no value", said, error.value) from error
    if end != len(said) and said[end:] != "\n":
        raise json.JSONDecodeError("more text after the value", said, end)
    if b"\\u" in text and re.search("[\ud800-\udfff]", laid_down(found)):
        raise ValueError("it has half a character")
    return found


def from_base64(text: str) -> bytes:
    """Return the decoded bytes; raise on any second encoding of them."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("it is not base64") from error
    if base64.b64encode(found).decode() != text:
        raise ValueError("it is not canonical base64")
    return found


HASH = re.compile("[0-9a-f]{64}")


def hashes(said: Any) -> list[bytes]:
    """Return hashes from their hex form, each in its one valid form."""
    if not isinstance(said, list) or not all(isinstance(each, str) and HASH.fullmatch(each) for each in said):
        raise ValueError("a hash is 64 hex digits")
    return [bytes.fromhex(each) for each in said]


def unhexed(text: str) -> bytes:
    """Return the bytes of a hash in hex, or no bytes if it is not a hash."""
    return bytes.fromhex(text) if HASH.fullmatch(text) else b""


def turned_back(data: bytes, digest: bytes) -> int:
    """Return the byte with one flipped bit, if flipping it back gives this SHA-256; else -1."""
    if len(data) > 4096:
        return -1
    tried = bytearray(data)
    for at in range(len(data)):
        for bit in (1, 2, 4, 8, 16, 32, 64, 128):
            tried[at] ^= bit
            if sha256(tried).digest() == digest:
                return at
            tried[at] ^= bit
    return -1
