"""Texts that say what they say in one way only: JSON, base64, hashes in hex; and which bit of some bytes was turned."""

from __future__ import annotations

import base64
import binascii
import json
import re
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


_scan: Callable[[str, int], tuple[Any, int]]
_scan = json.JSONDecoder(object_pairs_hook=_each_key_once, parse_constant=_no_number).scan_once  # type: ignore[attr-defined]

MOST_OF_JSON = 4 << 20  # bytes of one text; the largest there are are questions and long proofs
DEEPEST = 32


def _too_deep(text: bytes) -> bool:
    """Whether brackets stand deeper in each other than anything in an export has them."""
    outside = b"".join(text.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    deep = 0
    for found in _BRACKETS.finditer(outside):
        deep += 1 if found[0] in b"[{" else -1
        if deep > DEEPEST:
            return True
    return False


_BRACKETS = re.compile(rb"[\[\]{}]")


def parsed(text: bytes) -> Any:
    """What JSON says, if it says it in one way only; with nothing before or behind it."""
    if len(text) > MOST_OF_JSON:
        raise ValueError(f"it has {len(text)} bytes, and such a text at most {MOST_OF_JSON}")
    if text.count(b"[") + text.count(b"{") > DEEPEST and _too_deep(text):
        raise ValueError("it is nested too deeply")
    said = text.decode()
    try:
        found, end = _scan(said, 0)
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
