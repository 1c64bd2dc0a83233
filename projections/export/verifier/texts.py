"""Texts that say what they say in one way only: JSON, base64, hashes in hex; and which bit of some bytes was turned."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Callable


def laid_down(value: Any) -> str:
    """JSON as an export writes it: no spaces, the keys in the order they have."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a field stands in it twice")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a number of {len(text)} digits stands in it")
    return int(text)


def _scanner(**hooks: Any) -> Callable[[str, int], tuple[Any, int]]:
    decoder = json.JSONDecoder(object_pairs_hook=_each_key_once, parse_constant=_no_number, **hooks)
    return decoder.scan_once  # type: ignore[attr-defined,no-any-return]


_scan = _scanner(parse_float=_no_number, parse_int=_whole)
_scan_record, _scan_long_record = _scanner(), _scanner(parse_int=_whole)

MOST_OF_JSON = 4 << 20  # bytes of one text; the largest there are are questions and long proofs
MOST_OF_A_RECORD = 16 << 20
DEEPEST, DEEPEST_RECORD = 32, 128
MOST_DIGITS = 1000  # more take time that grows with their square
# What steers a terminal, breaks a line or turns the direction of reading; a note alone has lines.
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def _too_deep(text: bytes, deepest: int) -> bool:
    """Whether brackets stand deeper in each other than so many."""
    outside = b"".join(text.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    deep = 0
    for found in _BRACKETS.finditer(outside):
        deep += 1 if found[0] in b"[{" else -1
        if deep > deepest:
            return True
    return False


_BRACKETS = re.compile(rb"[\[\]{}]")


def parsed(text: bytes) -> Any:
    """What JSON says that belongs to an export itself: in one way only, whole numbers, no control characters."""
    found = _parsed(text, _scan, MOST_OF_JSON, DEEPEST)
    if _CONTROLS_SAID.search(text) is not None and any(map(CONTROLS.search, _texts_in(found))):
        raise ValueError("a control character stands in it")
    return found


# A cheap look at the bytes: an escape, or the first byte of what is no ASCII.
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
    """What a stored record says. A source may have said any text and any number in it, as long as it can be read."""
    found = _parsed(
        text, _scan_record if len(text) < MOST_DIGITS else _scan_long_record, MOST_OF_A_RECORD, DEEPEST_RECORD
    )
    if not isinstance(found, dict) or not text.startswith(b'{"type":"'):
        raise ValueError("it is not written as a record is")
    return found


def _parsed(text: bytes, scan: Callable[[str, int], tuple[Any, int]], most: int, deepest: int) -> Any:
    """What JSON says, with nothing before or behind it."""
    if len(text) > most:
        raise ValueError(f"it has {len(text)} bytes, and such a text at most {most}")
    if text.count(b"[") + text.count(b"{") > deepest and _too_deep(text, deepest):
        raise ValueError("it is nested too deeply")
    said = text.decode()
    try:
        found, end = scan(said, 0)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except StopIteration as error:
        raise json.JSONDecodeError("nothing to be read", said, error.value) from error
    if end != len(said) and said[end:] != "\n":
        raise json.JSONDecodeError("more behind it", said, end)
    if b"\\u" in text and re.search("[\ud800-\udfff]", laid_down(found)):
        raise ValueError("half a letter stands in it")
    return found


def from_base64(text: str) -> bytes:
    """The bytes; text that says them in a second way is refused."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("it is not base64") from error
    if base64.b64encode(found).decode() != text:
        raise ValueError("it is base64 written in another way than the one there is")
    return found


HASH = re.compile("[0-9a-f]{64}")


def hashes(said: Any) -> list[bytes]:
    """Hashes written in hex, each in the one way there is."""
    if not isinstance(said, list) or not all(isinstance(each, str) and HASH.fullmatch(each) for each in said):
        raise ValueError("a hash is 64 hex digits")
    return [bytes.fromhex(each) for each in said]


def unhexed(text: str) -> bytes:
    """The bytes of a hash written in hex, or none where it is no hash."""
    return bytes.fromhex(text) if HASH.fullmatch(text) else b""


def turned_back(data: bytes, digest: bytes) -> int:
    """The byte of these in which one bit was turned, if turning it back gives this SHA-256; else -1."""
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
