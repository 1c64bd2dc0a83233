#!/usr/bin/env python3
"""Says whether an export of Catwalk is what its property signed, and what of it that proves.

    python3 -I verify.py export.tar --key property.pub --witness audit.vkey

It needs Python 3.9 or later and nothing else: no network, no other file, and it writes nothing. It believes nothing
it is told: every byte of the container is laid down again, every hash, signature and proof worked out anew, and every
table that follows from the facts alone derived from them and compared. Read it from the top: signatures, trees, notes,
the container, its files, the statement over them, the checkpoint, the records, the tables, what was proved.

A key that came with the export proves nothing about who made it. Get the key, and this file, from somebody you know.

Exit status: 0 all is proved that can be; 1 something was altered; 2 usage; 3 sound in itself, but nobody from outside
vouches for it (no --key, or a --witness who has not signed); 4 the file cannot be read.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import csv
import io
import json
import os
import re
import sys
import zlib
import zoneinfo
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone
from functools import lru_cache, partial
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any, BinaryIO, Callable, NamedTuple

VERSION = "1"
DIGEST_BYTES = 32


class AlteredError(Exception):
    """Something is not what was signed: which file, line and byte of it, which record, and why."""

    def __init__(
        self, says: str, path: str = "", *, line: int = 0, byte: int = -1, stream: str = "", sequence: int = 0
    ) -> None:
        super().__init__(says)
        self.says, self.path, self.line, self.byte = says, path, line, byte
        self.stream, self.sequence = stream, sequence

    def __str__(self) -> str:
        place = [self.path or "the export"]
        place += [f"line {self.line}"] if self.line else []
        place += [f"byte {self.byte}"] if self.byte >= 0 else []
        place += [f"{self.stream} record {self.sequence}"] if self.sequence else []
        return f"{', '.join(place)}: {self.says}"


class UnreadableError(Exception):
    """The file cannot be read, or is no export at all."""


def laid_down(value: Any) -> str:
    """JSON as an export writes it: no spaces, the keys in the order they have."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


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


# Ed25519 as RFC 8032 has it, and stricter: a number, a point or a key that could be written in two ways is refused, and
# so is a key of small order, under which one signature fits many texts. Points are (X, Y, Z, T) with x = X/Z, y = Y/Z,
# xy = T/Z. Each key's multiples are laid out once, so that a signature costs additions only.

Point = tuple[int, int, int, int]
Ready = tuple[int, int, int]  # y - x, y + x, 2dxy
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
ZERO: Point = (0, 1, 1, 0)


def _sum(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * D * one[3] * other[3] % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _point(coded: bytes) -> Point | None:
    """The point that 32 bytes name, or nothing where they name none or name it in a second way."""
    y = int.from_bytes(coded, "little")
    odd, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * ROOT_OF_MINUS_ONE % P
    if v * x * x % P != u or (x == 0 and odd):
        return None
    x = P - x if x & 1 != odd else x
    return x, y, 1, x * y % P


def _coded(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _multiples(point: Point) -> list[list[Ready]]:
    """For each of 64 digits of a number in base 16, the sixteen multiples it may stand for, ready to be added."""
    points = []
    for _ in range(64):
        row = [ZERO]
        for _ in range(15):
            row.append(_sum(row[-1], point))
        points += row
        point = _sum(row[-1], point)
    products = [1]
    for each in points:
        products.append(products[-1] * each[2] % P)
    inverse, ready = pow(products[-1], P - 2, P), []
    for each, product in zip(reversed(points), reversed(products[:-1])):
        x, y = each[0] * inverse * product % P, each[1] * inverse * product % P
        ready.append((y - x, y + x, 2 * D * x * y % P))
        inverse = inverse * each[2] % P
    ready.reverse()
    return [ready[at : at + 16] for at in range(0, len(ready), 16)]


def _added(rows: list[list[Ready]], number: int, total: Point) -> Point:
    """A point and so many times another one, whose multiples these are."""
    x, y, z, t = total
    for row in rows:
        less, more, both = row[number & 15]
        a, b, c, d = (y - x) * less % P, (y + x) * more % P, t * both % P, z + z
        e, f, g, h = b - a, d - c, d + c, b + a
        x, y, z, t = e * f % P, g * h % P, f * g % P, e * h % P
        number >>= 4
    return x, y, z, t


BASE = _multiples(_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")) or ZERO)


@lru_cache(maxsize=64)
def _key(public: bytes) -> list[list[Ready]] | None:
    """The multiples of a key's negative, or nothing where these bytes are no key that can be trusted."""
    point = _point(public) if len(public) == 32 else None
    if point is None:
        return None
    rows = _multiples((P - point[0], point[1], point[2], P - point[3]))
    return None if _small(point) else rows


def signed_by(public: bytes, signature: bytes, words: bytes) -> bool:
    """Whether this is the key's signature of these words: SB - kA is R, byte for byte."""
    rows = _key(public)
    number = int.from_bytes(signature[32:], "little")
    if rows is None or len(signature) != 64 or number >= ORDER:
        return False
    mixed = int.from_bytes(sha512(signature[:32] + public + words).digest(), "little") % ORDER
    total = _added(rows, mixed, _added(BASE, number, ZERO))
    return not _small(total) and _coded(total) == signature[:32]


def _small(point: Point) -> bool:
    """Whether eight times a point is nothing."""
    for _ in range(3):
        point = _sum(point, point)
    return point[0] == 0 and point[1] == point[2]


# Trees of RFC 6962.


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees beside each other."""
    return sha256(b"\x01" + left + right).digest()


def root_of(leaves: list[bytes]) -> bytes:
    """The root over the hashes of leaves; one that has no neighbour goes up as it is."""
    while len(leaves) > 1:
        above = [sha256(b"\x01" + left + right).digest() for left, right in zip(leaves[::2], leaves[1::2])]
        leaves = above + leaves[-1:] if len(leaves) & 1 else above
    return leaves[0]


def leads_to(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root that a leaf at this place of a tree and its neighbours on the way up come to."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} among {size}")
    at, last, found = index, size - 1, leaf
    for step in path:
        if not last:
            raise ValueError("the proof is longer than the tree is high")
        if at & 1 or at == last:
            found = node_hash(step, found)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, step)
        at, last = at >> 1, last >> 1
    if last:
        raise ValueError("the proof is shorter than the tree is high")
    return found


class Growing:
    """A tree that grows leaf by leaf, from the roots of the complete subtrees that its beginning is made of."""

    def __init__(self, size: int, peaks: Sequence[bytes]) -> None:
        levels = [level for level in reversed(range(size.bit_length())) if size >> level & 1]
        if len(levels) != len(peaks):
            raise ValueError(f"{len(peaks)} subtrees are told of the first {size} leaves, which make {len(levels)}")
        self._stack = list(zip(levels, peaks))

    def add(self, leaf: bytes) -> None:
        """The next leaf's hash."""
        level, own = 0, leaf
        while self._stack and self._stack[-1][0] == level:
            own = node_hash(self._stack.pop()[1], own)
            level += 1
        self._stack.append((level, own))

    @property
    def root(self) -> bytes:
        """The root over all of it."""
        found = b""
        for _, own in reversed(self._stack):
            found = node_hash(own, found) if found else own
        return found


def check_growth(old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]) -> None:
    """Raises unless the proof shows that the tree of `new` leaves goes on from the one of `old`."""
    if not 0 < old <= new:
        raise ValueError(f"a tree of {new} leaves does not go on from one of {old}")
    if old == new:
        if path or old_root != new_root:
            raise ValueError("two heads of one tree: as many leaves, and another root")
        return
    steps = list(path)
    if old & (old - 1) == 0:
        steps.insert(0, old_root)
    if not steps:
        raise ValueError("the proof is empty")
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    was = now = steps[0]
    for step in steps[1:]:
        if not last:
            raise ValueError("the proof is longer than the tree is high")
        if at & 1 or at == last:
            was, now = node_hash(step, was), node_hash(step, now)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            now = node_hash(now, step)
        at, last = at >> 1, last >> 1
    if last or was != old_root or now != new_root:
        raise ValueError("the later tree does not go on from the earlier one: the record was rewritten, or split")


# Checkpoints: signed notes (C2SP) that hold the head of the property's tree.

ED25519_NOTE, COSIGNED_NOTE = 1, 4
MOST_OF_A_NOTE = 1 << 16


class Key(NamedTuple):
    """Whose signature is asked for; a key given without a name takes the one of the checkpoint."""

    name: str
    public: bytes

    def id(self, kind: int) -> bytes:
        """The four bytes by which a line of signature tells its key."""
        return sha256(self.name.encode() + b"\n" + bytes([kind]) + self.public).digest()[:4]


class Note(NamedTuple):
    """A text with signatures under it: of each the name, four bytes that tell the key, and the signature."""

    text: str
    signatures: list[tuple[str, bytes, bytes]]

    def signed(self, key: Key) -> bool:
        """Whether the property's key signed it. A line that says so and does not fit raises."""
        for value in self._of(key, ED25519_NOTE):
            if not signed_by(key.public, value, self.text.encode()):
                raise ValueError(f"the signature of {key.name} is not of this text")
            return True
        return False

    def cosigned(self, key: Key) -> str:
        """When a witness saw it, or nothing where it has not signed."""
        for name in {name for name, _, _ in self.signatures if key.name in ("", name)}:
            for value in self._of(Key(name, key.public), COSIGNED_NOTE):
                seconds = int.from_bytes(value[:8], "big")
                words = f"cosignature/v1\ntime {seconds}\n{self.text}".encode()
                if not signed_by(key.public, value[8:], words):
                    raise ValueError(f"the signature of the witness {name} is not of this text")
                return _moment(seconds)
        return ""

    def _of(self, key: Key, kind: int) -> list[bytes]:
        found = [value for name, tells, value in self.signatures if (name, tells) == (key.name, key.id(kind))]
        if len(found) > 1:
            raise ValueError(f"{key.name} has signed twice")
        return found


class Head(NamedTuple):
    """The head of the property's tree, as a note tells it."""

    note: Note
    origin: str
    size: int
    root: bytes
    time: str


def _moment(seconds: int) -> str:
    return (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def from_base64(text: str) -> bytes:
    """The bytes; text that says them in a second way is refused."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("it is not base64") from error
    if base64.b64encode(found).decode() != text:
        raise ValueError("it is base64 written in another way than the one there is")
    return found


def note_of(stored: str) -> Note:
    """The signed note this is; strict, so that no two texts are taken for one."""
    if len(stored) > MOST_OF_A_NOTE:
        raise ValueError(f"it has {len(stored)} letters, and a signed note at most {MOST_OF_A_NOTE}")
    text, between, lines = stored.rpartition("\n\n")
    if not between or not lines.endswith("\n") or any(ord(letter) < 32 and letter != "\n" for letter in stored):
        raise ValueError("it is no signed note: text, an empty line, signatures")
    signatures = []
    for line in lines[:-1].split("\n"):
        found = re.fullmatch("\u2014 ([^ +]+) ([A-Za-z0-9+/=]+)", line)
        raw = from_base64(found[2]) if found else b""
        if found is None or len(raw) < 5:
            raise ValueError(f"this is no line of a signature: {line!r}")
        signatures.append((found[1], raw[:4], raw[4:]))
    return Note(text + "\n", signatures)


def head_of(stored: str) -> Head:
    """The checkpoint a signed note is."""
    note = note_of(stored)
    said = note.text[:-1].split("\n")
    if len(said) < 4 or not all(said) or not said[3].startswith("time "):
        raise ValueError("a checkpoint has a name, a size, a root and a time, a line each")
    if not re.fullmatch(r"[1-9][0-9]{0,15}", said[1]):
        raise ValueError(f"{said[1]!r} is no number of leaves")
    root = from_base64(said[2])
    if len(root) != DIGEST_BYTES:
        raise ValueError("the root is no hash")
    return Head(note, said[0], int(said[1]), root, said[3][5:])


class Told(NamedTuple):
    """A key of the property, and from which size of the tree on it signs."""

    key: Key
    size: int


def told_of(stored: str, before: Told | None) -> Told:
    """The key a note tells of: the first signs for itself, a later one together with the one whose place it takes."""
    note = note_of(stored)
    instead = r"instead of (?P<instead>\S+)\n" if before else ""
    words = rf"(?P<name>.+)\nkey (?P<key>\S+)\n{instead}from size (?P<size>[0-9]{{1,15}})\ntime \S+\n"
    found = re.fullmatch(words, note.text)
    if found is None:
        raise ValueError("it tells of no key of the property, or not behind the one before")
    told = Told(key_of(found["key"]), int(found["size"]))
    if before and (key_of(found["instead"]) != before.key or told.size < before.size):
        raise ValueError("it tells of a key that takes another one's place")
    if told.key.name != found["name"] or not all(note.signed(each.key) for each in (told, before) if each):
        raise ValueError("a note about a key is signed by that key and by the one before it, and this one is not")
    return told


# The container: a tar of one shape only. A header is laid down again from name, size and time, and compared.

BLOCK = 512
NOTHING = bytes(BLOCK)
MOST_IN_MEMORY = 64 << 20
MOST_OF_A_LINE = 16 << 20
KINDS_OF_MEMBER = {
    b"\x00": "a file in an old form of header",
    b"1": "a hard link",
    b"2": "a symbolic link",
    b"3": "a device",
    b"4": "a device",
    b"5": "a folder",
    b"6": "a pipe",
    b"g": "an extended header (pax)",
    b"x": "an extended header (pax)",
    b"K": "a long name of GNU tar",
    b"L": "a long name of GNU tar",
    b"S": "a sparse file",
}
_STREAM = r"[A-Za-z0-9][A-Za-z0-9_.+-]*/[A-Za-z0-9][A-Za-z0-9_.-]*~?"
PLACES = re.compile(
    r"bagit\.txt|bag-info\.txt|manifest-sha256\.txt|tagmanifest-sha256\.txt|pieces-sha256\.txt|statement\.dsse\.json"
    r"|verify\.py|HOW-TO-VERIFY\.txt|data/question\.json|data/streams\.jsonl|data/rounds\.jsonl"
    r"|data/corrections-left-out\.jsonl|data/facts\.parquet|data/tables/[a-z_]+\.csv|data/tables\.xlsx|data/report\.pdf"
    r"|data/(?:facts|findings|desk|proofs/(?:stretches|records)/(?:facts|findings|desk))/" + _STREAM + r"\.jsonl"
    r"|data/proofs/checkpoint\.txt|data/proofs/earlier\.jsonl|data/proofs/after\.jsonl|data/proofs/leaves\.jsonl"
    r"|data/keys/property\.pub|data/keys/rotations\.jsonl|data/keys/devices\.jsonl"
)
NEEDED = (
    *("bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt", "pieces-sha256.txt"),
    *("statement.dsse.json", "verify.py", "HOW-TO-VERIFY.txt", "data/question.json", "data/streams.jsonl"),
    *("data/proofs/checkpoint.txt", "data/proofs/earlier.jsonl", "data/keys/property.pub"),
    *("data/keys/rotations.jsonl", "data/keys/devices.jsonl"),
)


MAY_BE_EMPTY = frozenset(("data/streams.jsonl", "data/proofs/earlier.jsonl", "data/keys/devices.jsonl"))
MOST_FILES = 250_000
_NUMBERS = re.compile(rb"([0-7]{11})\0([0-7]{11})\0")
_NAME = re.compile("export-[0-9a-f]{16}")


class Member(NamedTuple):
    """A file of the export: its path below NAME, where its bytes begin in the container, how many, and its time."""

    path: str
    at: int
    size: int
    mtime: int


class Line(NamedTuple):
    """A line of a file without its end: its number from 1, its first byte in the file, its bytes."""

    number: int
    byte: int
    text: bytes


def header(whole_name: bytes, size: int, mtime: int) -> bytes:
    """The header of a member as it has to be."""
    before, name = b"", whole_name
    if len(name) > 100:
        cut = whole_name.find(b"/", len(whole_name) - 101)
        before, name = whole_name[:cut], whole_name[cut + 1 :]
    made = name.ljust(100, b"\0")
    made += b"0000644\0" + b"0000000\0" * 2 + b"%011o\0" % size + b"%011o\0" % mtime
    rest = b"0" + bytes(100) + b"ustar\x0000" + bytes(64) + b"0000000\0" * 2 + before.ljust(155, b"\0") + bytes(12)
    return made + b"%06o\0 " % (sum(made) + sum(rest) + 8 * 32) + rest


class Export:
    """An export's container, read through once on opening; its files are then read in place, never laid out on disk."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.length = file.seek(0, os.SEEK_END)
        self.name = ""
        self.members: dict[str, Member] = {}
        self._read_through()

    def _read_through(self) -> None:
        at, last = 0, b""
        while True:
            block = self._bytes(at, BLOCK)
            if at == 0 and block[257:262] != b"ustar" and not block.startswith(b"export-"):
                raise UnreadableError("this is no export: it does not begin as a tar of ours does")
            if block == NOTHING:
                break
            whole_name, member = self._member(block, at)
            if whole_name <= last:
                says = "stands in it twice" if whole_name == last else "stands behind a name that comes after it"
                raise self._at(at, f"{member.path} {says}")
            if member.path in self.members:
                raise self._at(at, f"{member.path} stands in it twice")
            if member.size == 0 and member.path not in MAY_BE_EMPTY:
                raise self._at(at, f"{member.path} is empty")
            if len(self.members) == MOST_FILES:
                raise self._at(at, f"it has more than {MOST_FILES} files")
            self.members[member.path], last = member, whole_name
            end = member.at + member.size
            at = end + -end % BLOCK
            if at > self.length:
                raise self._at(at, f"{member.path} is said to have {member.size} bytes, and the file ends before")
            if any(filling := self._bytes(end, at - end)):
                first = next(place for place, byte in enumerate(filling) if byte)
                raise self._at(end + first, f"behind {member.path} something stands where zeros fill the block")
        rest = self._bytes(at, 3 * BLOCK)
        if rest != 2 * NOTHING:
            place = next((n for n, byte in enumerate(rest[: 2 * BLOCK]) if byte), min(len(rest), 2 * BLOCK))
            raise self._at(at + place, "it does not end with two blocks of zeros and nothing behind them")
        if missing := [path for path in NEEDED if path not in self.members]:
            raise AlteredError(f"there is no {missing[0]} in it")

    def _member(self, block: bytes, at: int) -> tuple[bytes, Member]:
        """The member whose header this is."""
        name, before = block[:100].rstrip(b"\0"), block[345:500].rstrip(b"\0")
        whole_name = before + b"/" + name if before else name
        numbers = _NUMBERS.fullmatch(block[124:148])
        folder, _, path = whole_name.decode("ascii", "replace").partition("/")
        self.name = self.name or folder
        if numbers is not None and folder == self.name and PLACES.fullmatch(path) and _NAME.fullmatch(folder):
            size, mtime = int(numbers[1], 8), int(numbers[2], 8)
            wanted = header(whole_name, size, mtime)
            if wanted == block:
                return whole_name, Member(path, at + BLOCK, size, mtime)
            at += next((n for n in range(len(block)) if wanted[n] != block[n]), len(block))
        raise self._at(at, self._wrong(block, whole_name.decode("ascii", "replace")))

    def _wrong(self, block: bytes, shown: str) -> str:
        """What is wrong with a header, the plainest first."""
        folder, _, path = shown.partition("/")
        if len(block) < BLOCK:
            return "it ends in the middle of a header: cut off"
        if block[148:156] != b"%06o\0 " % (sum(block) - sum(block[148:156]) + 8 * 32):
            return f"the header of member {len(self.members) + 1} does not add up to its own checksum"
        if block[156:157] != b"0":
            kind = KINDS_OF_MEMBER.get(block[156:157], "no regular file")
            return f"{shown} is {kind}; an export has regular files only"
        if not _NUMBERS.fullmatch(block[124:148]):
            return f"the size and time of {shown} are not eleven octal digits each"
        if shown.startswith("/") or "\\" in shown or any(part in ("", ".", "..") for part in shown.split("/")):
            return f"{shown!r} leads out of the export"
        if folder != self.name or not _NAME.fullmatch(folder):
            return f"{shown!r} is not below {self.name}/"
        if not PLACES.fullmatch(path):
            return f"{path!r} is no file of an export"
        return f"the header of {path} is not as it is laid down"

    @staticmethod
    def _at(byte: int, says: str) -> AlteredError:
        return AlteredError(says, "the container", byte=byte)

    def part(self, member: Member, at: int, count: int) -> bytes:
        """Some bytes of a file."""
        return self._bytes(member.at + at, max(0, min(count, member.size - at)))

    def _bytes(self, at: int, count: int) -> bytes:
        self._file.seek(at)
        return self._file.read(count)

    def blocks(self, path: str, size: int = 1 << 20) -> Iterator[bytes]:
        """A file's bytes, so many at a time."""
        member = self.members[path]
        for at in range(0, member.size, size):
            yield self._bytes(member.at + at, min(size, member.size - at))

    def read(self, path: str) -> bytes:
        """All of a file that fits in memory."""
        member = self._one(path)
        if member.size > (MOST_OF_JSON if path in (STATEMENT, QUESTION, CHECKPOINT) else MOST_IN_MEMORY):
            raise AlteredError(f"it has {member.size} bytes, more than such a file may have", path)
        return self._bytes(member.at, member.size)

    def text(self, path: str) -> str:
        """All of a file of text."""
        try:
            return self.read(path).decode()
        except UnicodeDecodeError as error:
            raise AlteredError("it is no text", path, byte=error.start) from error

    def lines(self, path: str) -> Iterator[Line]:
        """The lines of a file, each of which ends with a line end."""
        number, byte, rest = 0, 0, b""
        self._one(path)
        for block in self.blocks(path):
            parts = (rest + block).split(b"\n")
            rest = parts.pop()
            for text in parts:
                number += 1
                yield Line(number, byte, text)
                byte += len(text) + 1
            if len(rest) > MOST_OF_A_LINE:
                says = f"the line has more than {MOST_OF_A_LINE} bytes"
                raise AlteredError(says, path, line=number + 1, byte=byte)
        if rest:
            raise AlteredError("the line does not end", path, line=number + 1, byte=byte)

    def _one(self, path: str) -> Member:
        if path not in self.members:
            raise AlteredError("it is not in the export", path)
        return self.members[path]

    def line_ends(self, path: str, upto: int) -> int:
        """How many line ends stand before a byte of a file."""
        count = at = 0
        for block in self.blocks(path):
            count, at = count + block[: max(0, upto - at)].count(b"\n"), at + len(block)
            if at >= upto:
                break
        return count

    def holds(self, path: str, words: Sequence[bytes]) -> bool:
        """Whether any of these words stands in a file."""
        rest = b""
        for block in self.blocks(path):
            rest += block
            if any(word in rest for word in words):
                return True
            rest = rest[-64:]
        return False


# Its files: each hashed, and the two manifests and the list of pieces written anew from what is there.

TAGS = ("HOW-TO-VERIFY.txt", "bag-info.txt", "bagit.txt", "manifest-sha256.txt", "pieces-sha256.txt", "verify.py")
MANIFEST, TAGMANIFEST, PIECES, STATEMENT = TAGS[3], "tagmanifest-sha256.txt", TAGS[4], "statement.dsse.json"
QUESTION, STREAMS, CHECKPOINT = "data/question.json", "data/streams.jsonl", "data/proofs/checkpoint.txt"
EARLIER, AFTER, LEAVES = (f"data/proofs/{name}.jsonl" for name in ("earlier", "after", "leaves"))
SELF_TELLING = ("data/facts/", "data/findings/", "data/desk/", "data/proofs/stretches/", "data/proofs/records/")
UNLISTED = (MANIFEST, TAGMANIFEST, PIECES, STATEMENT, EARLIER, AFTER)


def piece_bytes(size: int) -> int:
    """How long a piece of a file of this size is."""
    long = 1024
    while long * 1024 < size:
        long *= 2
    return long


class Files:
    """The hashes of an export's files and pieces, and what follows from them."""

    def __init__(self, export: Export) -> None:
        self.digests: dict[str, str] = {}
        self._pieces: dict[str, list[bytes]] = {}
        for path, member in export.members.items():
            own = sha256()
            listed = path not in UNLISTED and not path.startswith(SELF_TELLING)
            long = piece_bytes(member.size)
            pieces = self._pieces.setdefault(path, []) if listed else []
            for block in export.blocks(path, max(long, 1 << 20)):
                own.update(block)
                if listed:
                    pieces += [sha256(block[at : at + long]).digest() for at in range(0, len(block), long)]
            self.digests[path] = own.hexdigest()
        self.sizes = {path: member.size for path, member in export.members.items()}

    def manifest(self, paths: Iterable[str]) -> str:
        """The lines of a manifest over these files."""
        return "".join(f"{self.digests[path]}  {path}\n" for path in sorted(paths))

    @property
    def expected(self) -> dict[str, str]:
        """What the two manifests and the list of pieces have to be."""
        return {
            MANIFEST: self.manifest(path for path in self.digests if path.startswith("data/")),
            TAGMANIFEST: self.manifest(TAGS),
            PIECES: "".join(
                f"{digest.hex()}  {number * piece_bytes(self.sizes[path])}  {path}\n"
                for path in sorted(self._pieces)
                for number, digest in enumerate(self._pieces[path])
            ),
        }

    def wrong_piece(self, path: str, listed: str) -> tuple[int, int, bytes]:
        """The first piece of a file that is not as listed: its first byte, its length, the hash it should have."""
        long, said = piece_bytes(self.sizes[path]), {}
        for line in listed.splitlines():
            told = re.fullmatch("([0-9a-f]{64})  ([0-9]{1,15})  (.+)", line)
            if told is not None and told[3] == path:
                said[int(told[2])] = bytes.fromhex(told[1])
        for at in range(0, self.sizes[path], long):
            if said.get(at) != self._pieces[path][at // long]:
                return at, long, said.get(at, b"")
        return self.sizes[path], 0, b""


def first_other_line(path: str, here: str, wanted: str) -> AlteredError:
    """Where a file that follows from others differs from what follows."""
    ours, theirs = here.split("\n"), wanted.split("\n")
    number = next((n for n, (one, other) in enumerate(zip(ours, theirs)) if one != other), min(len(ours), len(theirs)))
    byte = sum(len(line.encode()) + 1 for line in ours[:number])
    own, due = (lines[number] if number < len(lines) else "" for lines in (ours, theirs))
    byte += next((n for n, (one, other) in enumerate(zip(own, due)) if one != other), min(len(own), len(due)))
    return AlteredError(f"{own!r} stands where {due!r} follows from the other files", path, line=number + 1, byte=byte)


def damaged(export: Export, files: Files, path: str) -> AlteredError:
    """Where a file differs from the one that was signed, by the hashes of its pieces."""
    says = "it is not the file that was signed"
    at, long, due = files.wrong_piece(path, export.text(PIECES))
    byte = turned_back(export.part(export.members[path], at, long), due)
    line = 0
    if path.endswith((".csv", ".txt", ".json", ".jsonl", ".py", ".pub")):
        line = 1 + export.line_ends(path, at + max(byte, 0))
    if byte >= 0:
        return AlteredError(f"{says}: one bit of this byte was turned", path, line=line, byte=at + byte)
    return AlteredError(f"{says}: the {long} bytes from here on are others", path, line=line, byte=at)


def manifest_lines(export: Export, path: str) -> dict[str, str]:
    """What a manifest says: path to hash."""
    found = {}
    for line in export.lines(path):
        said = re.fullmatch(rb"([0-9a-f]{64})  ([!-~]+)", line.text)
        if said is None:
            raise AlteredError("this is no line of a manifest", path, line=line.number, byte=line.byte)
        found[said[2].decode()] = said[1].decode()
    return found


# The statement: who ordered and signed what, over the hashes of the manifests and the question.

PAYLOAD_TYPE = "application/vnd.in-toto+json"
SUBJECTS = (QUESTION, MANIFEST, TAGMANIFEST)
SPKI = bytes.fromhex("302a300506032b6570032100")


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)


class Statement(NamedTuple):
    """What the envelope holds."""

    keyid: str
    signature: bytes
    payload: bytes
    subjects: dict[str, str]
    predicate: dict[str, Any]

    def signed(self, public: bytes) -> bool:
        """Whether this key signed it."""
        words = b"DSSEv1 %d %s %d %s" % (len(PAYLOAD_TYPE), PAYLOAD_TYPE.encode(), len(self.payload), self.payload)
        return self.keyid == sha256(public).hexdigest() and signed_by(public, self.signature, words)


def statement_of(stored: bytes) -> Statement:
    """The statement in its envelope, each written in the one way it is written."""
    try:
        envelope = parsed(stored)
        (signature,) = envelope["signatures"]
        payload = from_base64(envelope["payload"])
        said = parsed(payload)
        keyid, value = signature["keyid"], from_base64(signature["sig"])
        again = {
            "payload": envelope["payload"],
            "payloadType": PAYLOAD_TYPE,
            "signatures": [{"keyid": keyid, "sig": signature["sig"]}],
        }
        digests = {subject["name"]: subject["digest"]["sha256"] for subject in said["subject"]}
        of = {"predicate": said["predicate"], "subject": [_subject(name, digests[name]) for name in SUBJECTS]}
        of.update({"_type": "https://in-toto.io/Statement/v1", "predicateType": "urn:catwalk:export:1"})
        if canonical(again).encode() + b"\n" != stored or canonical(of).encode() != payload:
            raise ValueError("it is not written as a statement is")
        if not isinstance(said["predicate"], dict):
            raise TypeError
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        says = f"this is no signed statement over an export: {error or 'a part is of another kind'}"
        raise AlteredError(says, STATEMENT, line=1) from error
    return Statement(str(keyid), value, payload, digests, said["predicate"])


def _subject(name: str, digest: str) -> dict[str, Any]:
    return {"digest": {"sha256": digest}, "name": name}


def key_file(key: Key) -> str:
    """`data/keys/property.pub`: the key as notes have it, and the same as PEM."""
    named = base64.b64encode(bytes([ED25519_NOTE]) + key.public).decode()
    coded = base64.b64encode(SPKI + key.public).decode()
    line = f"{key.name}+{key.id(ED25519_NOTE).hex()}+{named}"
    return f"{line}\n-----BEGIN PUBLIC KEY-----\n{coded}\n-----END PUBLIC KEY-----\n"


def key_of(text: str) -> Key:
    """A key as somebody gives it: as notes have it (`name+hash+base64`), PEM, base64 or hex, or the first two."""
    word, pem, rest = text.strip().partition("-----BEGIN PUBLIC KEY-----")
    found = {_key_in_a_word(word.strip())} if word.strip() else set()
    if pem:
        raw = from_base64(rest.partition("-----END PUBLIC KEY-----")[0].strip())
        if len(raw) != 44 or not raw.startswith(SPKI):
            raise ValueError("it is no Ed25519 public key")
        found = found or {Key("", raw[12:])}
        if {key.public for key in found} != {raw[12:]}:
            raise ValueError("two keys stand in it")
    if not found:
        raise ValueError("there is no key in it")
    return found.pop()


def _key_in_a_word(word: str) -> Key:
    if re.fullmatch(r"[0-9a-f]{64}", word):
        return Key("", bytes.fromhex(word))
    named = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+(\S+)", word)
    raw = from_base64(named[3] if named else word)
    if named:
        key = Key(named[1], raw[1:])
        if len(raw) != 33 or raw[0] not in (ED25519_NOTE, COSIGNED_NOTE) or key.id(raw[0]).hex() != named[2]:
            raise ValueError("its name, hash and key do not belong together")
        return key
    if len(raw) != 32:
        raise ValueError("it is no Ed25519 public key")
    return Key("", raw)


# The records: each stretch of a stream stands in the property's tree, and each record in its stretch.


class Stretch(NamedTuple):
    """Successive records of one stream, and their place as a leaf of the property's tree."""

    place: int
    kind: str
    stream: str
    first: int
    last: int
    head: str
    root: bytes


def hashes(said: Any) -> list[bytes]:
    """Hashes written in hex, each in the one way there is."""
    if not isinstance(said, list) or not all(isinstance(each, str) and HASH.fullmatch(each) for each in said):
        raise ValueError("a hash is 64 hex digits")
    return [bytes.fromhex(each) for each in said]


HASH = re.compile("[0-9a-f]{64}")
FIELDS_OF_A_STRETCH = ("kind", "stream", "first", "last", "head", "root")


def proven(line: Line, path: str, head: Head) -> Stretch:
    """The stretch that a line of proofs shows in the property's tree."""
    try:
        said = parsed(line.text)
        stretch = {name: said["stretch"][name] for name in FIELDS_OF_A_STRETCH}
        again = {"index": said["index"], "stretch": stretch, "path": said["path"]}
        if laid_down(again).encode() != line.text:
            raise ValueError("it is not written as a proof is written")
        numbers = (said["index"], stretch["first"], stretch["last"])
        if any(type(number) is not int for number in numbers) or not 1 <= stretch["first"] <= stretch["last"]:
            raise ValueError("a place in it is no number")
        (root,) = hashes([stretch["root"]])
        if leads_to(leaf_hash(laid_down(stretch).encode()), numbers[0], head.size, hashes(said["path"])) != head.root:
            raise ValueError("this stretch does not stand at this place of the property's tree")
    except (ValueError, TypeError, KeyError) as error:
        says = str(error) if isinstance(error, ValueError) else "it is not written as a proof is written"
        raise AlteredError(says, path, line=line.number, byte=line.byte) from error
    return Stretch(numbers[0], stretch["kind"], stretch["stream"], *numbers[1:], stretch["head"], root)


class Shown(NamedTuple):
    """A line of `data/streams.jsonl`: a stream, and how much of it is here."""

    kind: str
    stream: str
    whole: bool
    last: int
    records: int
    rounds: list[int]

    @property
    def owner(self) -> str:
        """The table, or the property."""
        return self.stream.partition("/")[0]

    @property
    def path(self) -> str:
        """Where its records are."""
        return f"data/{self.kind}/{self.stream}.jsonl"

    @property
    def stretches(self) -> str:
        """Where the places of its stretches are."""
        return f"data/proofs/stretches/{self.kind}/{self.stream}.jsonl"

    @property
    def places(self) -> str:
        """Where the places of single records are, if it is shown in part."""
        return f"data/proofs/records/{self.kind}/{self.stream}.jsonl"


MOST_LEAVES = 250_000


def leaves_due(days: Sequence[str] | None, heads: dict[int, tuple[bytes, str]], size: int) -> tuple[int, int] | None:
    """From which to which size of the tree every leaf is listed, so that no stream of these days can be left out.

    From the last earlier head of a time that lies before the first day everywhere, to this one; where those are too
    many, to the first one of a time behind the last day; where those are, none are.
    """
    earlier = sorted((of, time) for of, (_, time) in heads.items() if of < size)
    first, last = (_shifted(days[0], -1), _shifted(days[1], 1)) if days else ("", "~")
    begin = max((of for of, time in earlier if time[:10] < first), default=0)
    ends = [size, *[of for of, time in earlier if time[:10] > last][:1]]
    return next(((begin, end) for end in ends if begin < end <= begin + MOST_LEAVES), None)


def _shifted(day: str, by: int) -> str:
    try:
        return (datetime.fromisoformat(day) + timedelta(days=by)).date().isoformat()
    except OverflowError:
        return day


def shown_streams(export: Export) -> list[Shown]:
    """What streams there are, compared with the files that are there."""
    found: list[Shown] = []
    for line in export.lines(STREAMS):
        try:
            shown = Shown(**parsed(line.text))
            if laid_down(shown._asdict()).encode() != line.text or [type(each) for each in shown] != _KINDS_OF_SHOWN:
                raise ValueError
            if found and (found[-1].kind, found[-1].stream) >= (shown.kind, shown.stream):
                raise ValueError
            ascending = all(one < other for one, other in zip(shown.rounds, shown.rounds[1:]))
            if shown.rounds and (shown.whole or {*map(type, shown.rounds)} != {int} or not ascending):
                raise ValueError
        except (ValueError, TypeError) as error:
            says = "it does not tell of a stream as such a line does, or not in its order"
            raise AlteredError(says, STREAMS, line=line.number, byte=line.byte) from error
        found.append(shown)
    due = {path for shown in found for path in (shown.path, shown.stretches)}
    due |= {shown.places for shown in found if not shown.whole}
    here = {path for path in export.members if path.startswith(SELF_TELLING)}
    if due != here:
        path = min(due ^ here)
        says = "it is not in the export" if path in due else f"{STREAMS} does not tell of it"
        raise AlteredError(says, path)
    return found


_KINDS_OF_SHOWN = [str, str, bool, int, int, list]


class Taken(NamedTuple):
    """A record as it was read: its line, its fields, the SHA-256 of its bytes."""

    line: Line
    record: dict[str, Any]
    own: str


class Records:
    """The records of one stream, read in order and proved on the way."""

    def __init__(self, export: Export, head: Head, shown: Shown) -> None:
        self._export, self._head, self.shown = export, head, shown
        self.last_stretch: Stretch | None = None
        self.head = ""
        self.count = 0

    def each(self) -> Iterator[Taken]:
        """Every record, after which all of them are proved to be the ones in the tree."""
        yield from self._whole() if self.shown.whole else self._in_part()
        if self.count != self.shown.records:
            says = f"{self.count} records are there, and {STREAMS} says {self.shown.records}"
            raise AlteredError(says, self.shown.path, stream=self.shown.stream, sequence=self.count)

    def stretches(self) -> Iterator[Stretch]:
        """Its stretches, each proved to stand in the property's tree."""
        path, last = self.shown.stretches, 0
        for line in self._export.lines(path):
            stretch = proven(line, path, self._head)
            if (stretch.kind, stretch.stream) != (self.shown.kind, self.shown.stream):
                says = f"this is a stretch of {stretch.kind} {stretch.stream}"
            elif stretch.first != last + 1 if self.shown.whole else stretch.first <= last:
                says = f"a stretch from {stretch.first} on does not follow one up to {last}"
            elif stretch.last > self.shown.last:
                says = f"{STREAMS} says that the stream ends with {self.shown.last}"
            else:
                yield stretch
                last, self.last_stretch = stretch.last, stretch
                continue
            raise AlteredError(says, path, line=line.number, byte=line.byte)
        if self.shown.whole and last != self.shown.last:
            says = f"the stretches end with record {last}, and {STREAMS} says {self.shown.last}: the tail is cut off"
            raise AlteredError(says, path, stream=self.shown.stream, sequence=last + 1)

    def _whole(self) -> Iterator[Taken]:
        """Named hot: this runs once a record, of which there may be millions."""
        lines, stream, sequence = self._export.lines(self.shown.path), self.shown.stream, 0
        before: Taken | None = None
        for stretch in self.stretches():
            leaves: list[bytes] = []
            while sequence < stretch.last:
                line = next(lines, None)
                if line is None:
                    raise self._wrong(sequence + 1, f"records {sequence + 1} to {self.shown.last} are missing")
                text = line.text
                leaves.append(sha256(b"\x00" + text).digest())
                record, sequence = self._record(line, sequence + 1), sequence + 1
                taken = Taken(line, record, sha256(text).hexdigest())
                if (
                    record.get("sequence") != sequence
                    or record.get("previous", "") != self.head
                    or record.get("stream") != stream
                ):
                    raise self._broken(taken, before, sequence, next(lines, None), stretch)
                self.head, self.count, before = taken.own, sequence, taken
                yield taken
            self._check(stretch, leaves, before)
        if (line := next(lines, None)) is not None:
            raise self._wrong(sequence + 1, "behind the last record of the last stretch there is more", line)

    def _record(self, line: Line, sequence: int) -> dict[str, Any]:
        try:
            record = parsed(line.text)
            if not isinstance(record, dict) or not line.text.startswith(b'{"type":"'):
                raise ValueError("it is not written as a record is")
        except UnicodeDecodeError as error:
            raise self._wrong(sequence, "it is no text", line, error.start) from error
        except json.JSONDecodeError as error:
            at = len(error.doc[: error.pos].encode())
            raise self._wrong(sequence, f"it is no JSON: {error.msg}", line, at) from error
        except ValueError as error:
            raise self._wrong(sequence, str(error), line) from error
        return record

    def _wrong(self, sequence: int, says: str, line: Line | None = None, at: int = 0) -> AlteredError:
        number, byte = (line.number, line.byte + at) if line else (0, -1)
        return AlteredError(says, self.shown.path, line=number, byte=byte, stream=self.shown.stream, sequence=sequence)

    def _broken(
        self, taken: Taken, before: Taken | None, sequence: int, behind: Line | None, stretch: Stretch
    ) -> AlteredError:
        """Which of two records is not what was written, where the chain between them does not hold."""
        line, record, said = taken.line, taken.record, taken.record.get("sequence")
        if before is not None and line.text == before.line.text:
            return self._wrong(sequence, "the record before stands there again", line)
        if record.get("stream") != self.shown.stream:
            return self._wrong(sequence, f"it says that it is of {record.get('stream')!r}", line)
        due = stretch.head if behind is None else _named(behind)
        if record.get("previous", "") != self.head and said != sequence:
            return self._wrong(sequence, f"record {said!r} stands where {sequence} has to: dropped or moved", line)
        if due != taken.own or said != sequence or before is None:
            at = max(turned_back(line.text, _unhex(due)), 0)
            return self._wrong(sequence, "it is not the record that was written here", line, at)
        due = str(record.get("previous", ""))
        at = max(turned_back(before.line.text, _unhex(due)), 0)
        says = f"record {sequence} names another hash than these bytes have: they are not what was written"
        return self._wrong(sequence - 1, says, before.line, at)

    def _check(self, stretch: Stretch, leaves: list[bytes], last: Taken | None) -> None:
        """The end of a stretch: its last hash, and the root over its records, are those in the property's tree."""
        if last is None or stretch.head != last.own:
            line = last.line if last else None
            at = turned_back(line.text, _unhex(stretch.head)) if line else -1
            says = f"the property's tree has another hash for record {stretch.last}"
            raise self._wrong(
                stretch.last, f"{says}: it, or all of {stretch.first} to it, are others", line, max(at, 0)
            )
        if root_of(leaves) != stretch.root:
            says = "the chain holds, and the property's tree has another root over records"
            raise self._wrong(stretch.first, f"{says} {stretch.first} to {stretch.last}: the chain was made anew")

    def _in_part(self) -> Iterator[Taken]:
        stretches, places = self.stretches(), self._export.lines(self.shown.places)
        stretch, sequence = next(stretches, None), 0
        for line in self._export.lines(self.shown.path):
            place = next(places, None)
            if place is None:
                raise AlteredError(f"there is no place for line {line.number} of the records", self.shown.places)
            number, path = self._place(place)
            while stretch is not None and stretch.last < number:
                stretch = next(stretches, None)
            if stretch is None or not sequence < number or number < stretch.first:
                says = f"record {number} is behind the one before and in a stretch that is shown, or it has no place"
                raise AlteredError(says, self.shown.places, line=place.number, byte=place.byte)
            record = self._record(line, number)
            taken = Taken(line, record, sha256(line.text).hexdigest())
            try:
                at, count = number - stretch.first, stretch.last - stretch.first + 1
                if leads_to(leaf_hash(line.text), at, count, path) != stretch.root:
                    raise ValueError("it does not stand at its place of its stretch")
            except ValueError as error:
                raise self._wrong(number, str(error), line) from error
            own_place = (record.get("sequence"), record.get("stream")) == (number, self.shown.stream)
            follows = number != sequence + 1 or record.get("previous", "") == self.head
            if not own_place or not follows or (number == stretch.last and taken.own != stretch.head):
                raise self._wrong(number, "it is of another place, or names another hash before it", line)
            self.head, self.count, sequence = taken.own, self.count + 1, number
            yield taken
        if (place := next(places, None)) is not None:
            raise AlteredError("a place is told that no record has", self.shown.places, line=place.number)
        for _ in stretches:
            pass

    def _place(self, line: Line) -> tuple[int, list[bytes]]:
        try:
            said = parsed(line.text)
            if laid_down({"sequence": said["sequence"], "path": said["path"]}).encode() != line.text:
                raise ValueError
            if type(said["sequence"]) is not int:
                raise ValueError
            return said["sequence"], hashes(said["path"])
        except (ValueError, TypeError, KeyError) as error:
            says = "it is not written as the place of a record is"
            raise AlteredError(says, self.shown.places, line=line.number, byte=line.byte) from error


def _named(line: Line) -> str:
    """The hash a record names as that of the one before it, if it can be read."""
    found = re.search(rb'"previous":"([0-9a-f]{64})"', line.text)
    return found[1].decode() if found else ""


def _unhex(text: str) -> bytes:
    return bytes.fromhex(text) if HASH.fullmatch(text) else b""


# Device keys, as the property's own facts tell of them, and the seals made with them.


class Since(NamedTuple):
    """From when on: a moment, or a record of the table, which alone decides where one is named."""

    at: int
    stream: str = ""
    sequence: int = 0

    def reached(self, stream: str, sequence: int, at: int) -> bool:
        """Whether this place of a table's record, said to be of this time, is there or later."""
        if self.stream and self.stream.partition("/")[0] == stream.partition("/")[0]:
            return (stream, sequence) >= (self.stream, self.sequence)
        return at >= self.at


class DeviceKey:
    """A device's key: whose, since when, until when."""

    def __init__(self, fact: dict[str, Any]) -> None:
        self.key, self.public, self.table = fact["key"], fact["public_key"], fact["table"]
        since = fact.get("valid_from") or fact["at"]
        self.since = Since(since, fact.get("from_stream", ""), fact.get("from_sequence", 0))
        until = fact.get("valid_until")
        self.ends: list[Since] = [] if until is None else [Since(until)]
        self.revoked: list[Since] = []
        self.successor = self.reason = ""

    @property
    def line(self) -> str:
        """Its line in `data/keys/devices.jsonl`."""
        told = {"key": self.key, "table": self.table, "public_key": self.public, "since": self.since._asdict()}
        told["ends"] = [since._asdict() for since in self.ends]
        told["revoked"] = [since._asdict() for since in self.revoked]
        return laid_down({**told, "successor": self.successor, "reason": self.reason}) + "\n"

    def may(self, stream: str, sequence: int, at: int) -> str:
        """Why it may not seal here, or nothing."""
        if not self.since.reached(stream, sequence, at):
            return "the key was not valid yet"
        if any(since.reached(stream, sequence, at) for since in self.ends):
            return "the key was not valid any more"
        if any(since.reached(stream, sequence, at) for since in self.revoked):
            return "the key had been revoked"
        return ""


MOST_ENDS = 1000


class KeyRegister(dict[str, DeviceKey]):
    """Every device key the property's facts tell of. What was told first of a name stands."""

    def take(self, fact: dict[str, Any]) -> None:
        """The next fact of the property."""
        kind, old = fact.get("type"), None
        place = (fact.get("from_stream", ""), fact.get("from_sequence", 0))
        if kind == "key-registered.1":
            self.setdefault(fact["key"], DeviceKey(fact))
        elif kind == "key-rotated.1" and (old := self.get(fact["old"])) is not None:
            old.ends.append(Since(fact["at"], *place))
            old.successor = old.successor or fact["new"]
        elif kind == "key-revoked.1" and (old := self.get(fact["key"])) is not None:
            from_at = fact.get("from_at")
            old.revoked.append(Since(fact["at"] if from_at is None else from_at, *place))
            old.reason = old.reason or fact.get("reason", "")
        if old is not None and len(old.ends) + len(old.revoked) > MOST_ENDS:
            raise ValueError(f"key {old.key} is said to have ended more than {MOST_ENDS} times")

    @property
    def lines(self) -> str:
        """`data/keys/devices.jsonl`."""
        return "".join(self[name].line for name in sorted(self))

    def wrong(self, seal: dict[str, Any], head: str, table: str, at_record: int) -> str:
        """What is wrong with a seal over the record that has this hash, or nothing."""
        key = self.get(seal["key"])
        if key is None:
            return f"the property's facts tell of no key {seal['key']}"
        if key.table != table:
            return f"the key {key.key} is for {key.table}"
        if outside := key.may(seal["stream"], at_record, seal["at"]):
            return outside
        words = f"catwalk seal\n{seal['stream']}\n{seal['covers']}\n{head}\n".encode()
        try:
            good = signed_by(bytes.fromhex(key.public), bytes.fromhex(seal["signature"]), words)
        except ValueError:
            good = False
        return "" if good else "the signature is not of what it covers"


class Seals:
    """The seals of one stream after the other. The signatures of all are checked, or of the last of each whole stream.

    A seal is over the hash of one record, and through the chain over those before it. Where that record is not here the
    signature says nothing of what is: such seals are counted apart.
    """

    def __init__(self, register: KeyRegister, which: str) -> None:
        self._register, self._which = register, which
        self._hashes: dict[int, str] = {}  # of the stream of findings read last, for the stream of its seals
        self._of = ""
        self._due: Taken | None = None
        self.checked = self.passed_over = self.unsealed = 0
        self.apart = self.unsealed_in_part = 0
        self._since = self._last = 0

    def begin(self, shown: Shown) -> None:
        """The next stream."""
        self._shown, self._due, self._since, self._last = shown, None, 0, 0
        if shown.kind == "findings" and not shown.stream.endswith("~"):
            self._of, self._hashes = shown.stream, {}

    def take(self, taken: Taken) -> None:
        """The next record."""
        record = taken.record
        follows = record["sequence"] == self._last + 1
        if not follows:  # what comes is not chained to what was before
            self.unsealed_in_part, self._since = self.unsealed_in_part + self._since, 0
        self._since, self._last = self._since + 1, record["sequence"]
        if self._of == self._shown.stream and self._shown.kind == "findings":
            self._hashes[record["sequence"]] = taken.own
        if record["type"] in ("chain-sealed.1", "findings-sealed.1"):
            self.passed_over += self._due is not None
            if record["type"] == "chain-sealed.1":
                apart = not follows
            else:
                apart = self._shown.stream == f"{self._of}~" and record["covers"] not in self._hashes
            self._since, self._due = 0, taken
            if apart or self._which == "all" or (self._which == "last" and not self._shown.whole):
                self._check(taken, apart=apart)

    def end(self) -> None:
        """The end of the stream."""
        if self._due is not None and self._which == "last":
            self._check(self._due)
        self.passed_over += self._due is not None
        if self._shown.kind == "facts" and self._shown.whole:
            self.unsealed += self._since
        elif self._shown.kind == "facts":
            self.unsealed_in_part += self._since

    def _check(self, taken: Taken, *, apart: bool = False) -> None:
        seal, shown = taken.record, self._shown
        self._due = None
        if apart and self._which == "none":
            self.apart += 1
            return
        try:
            if seal["type"] == "chain-sealed.1":
                off = seal["covers"] != seal["sequence"] - 1
                says = self._register.wrong(seal, seal["previous"], shown.owner, seal["sequence"])
            else:
                off = shown.stream != self._of + "~" or self._hashes.get(seal["covers"], seal["head"]) != seal["head"]
                says = self._register.wrong(seal, seal["head"], "watcher", seal["covers"])
        except (KeyError, TypeError) as error:
            off, says = True, f"{error} is missing in it, or of another kind"
        if says or off:
            says = f"the seal does not hold: {says or 'it covers another record'}"
            where = {"stream": shown.stream, "sequence": seal["sequence"]}
            raise AlteredError(says, shown.path, line=taken.line.number, byte=taken.line.byte, **where)
        self.apart, self.checked = self.apart + apart, self.checked + (not apart)


# The tables: each is read in the one form a table has; those that follow from the records alone are derived from them.

# Name, then columns; integers have a star.
_COLUMNS = """
rounds: stream table gaming_day *round *first *last began_at ended_at pit book house method deck dealer *hands
    community dealer_hand voided void_clause *staked_cents *back_cents *owed_cents *decided *undecided video;
hands: stream table gaming_day *round *seat player cards holds choice void *staked_cents *back_cents *owed_cents
    *difference_cents;
wagers: stream table gaming_day *round *seat player wager *staked_cents *late_cents *coupon_cents *collected_cents
    *paid_cents *returned_cents *back_cents *owed_cents *difference_cents clause basis undecided;
paid: stream *round *seat wager *staked_cents *collected_cents *paid_cents *returned_cents;
findings: stream table gaming_day finding code severity state says clauses *round *seat wager dealer at *trigger
    *known_by *expected_cents *observed_cents evidence basis clause_texts;
deck_ledger: stream table gaming_day deck *decks *size received_at *first_round *last_round *rounds *counts_done
    *rounds_since_count *count_every count_due *last_count last_counted_at miscounted *shuffles *seen never_seen
    duplicates gone_at fate;
table_money: stream table gaming_day *opener_cents *fills_cents *credits_cents *drop_cents *closer_cents
    *bought_in_cents *win_cents;
coverage: stream table gaming_day what *wagers;
counts: kind stream type *records;
openers: stream table gaming_day opened_at closed_on *closer_cents *opener_cents *difference_cents duty;
statistics: gaming_day by of period *table_days *counted *drop_cents *win_cents *hold_bp base *base_table_days
    *base_hold_bp *low_hold_bp *high_hold_bp inside note;
card_record: stream table gaming_day *sequence at what *round deck *cards *rounds_since_count method device by findings;
errors: stream table gaming_day *round ended_at dealer *seat player wager *staked_cents *owed_cents *back_cents
    *to_player_cents *by_player_cents clause basis findings;
players: player name
"""
COLUMNS = {name.strip(): tuple(said.split()) for name, said in (table.split(":") for table in _COLUMNS.split(";"))}
DERIVED = ("paid", "findings", "table_money", "counts", "openers", "card_record", "statistics")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
INTEGER = re.compile("-?(?:0|[1-9][0-9]*)")


class Row(NamedTuple):
    """A row of a table: its number from 1, the header not counted, its first line and byte in the file, its cells."""

    number: int
    line: int
    byte: int
    cells: list[str]


def table_path(name: str) -> str:
    """Where a table is."""
    return f"data/tables/{name}.csv"


def guarded(text: str) -> str:
    """A text as a table has it: what a program could take for a formula begins with an apostrophe."""
    return "'" + text if text.startswith(FORMULA) else text


def number(value: Any) -> str:
    """A number as a table has it; one that is not known is an empty cell."""
    if value is None:
        return ""
    if type(value) is not int:
        raise TypeError(f"{value!r} is no number")
    return str(value)


def row_text(cells: Sequence[str]) -> str:
    """A row as it is written."""
    return ",".join(_quoted(cell) if _NEEDS_QUOTES.search(cell) else cell for cell in cells) + "\r\n"


_NEEDS_QUOTES = re.compile('[",\r\n]')


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def rows(export: Export, name: str) -> Iterator[Row]:
    """The rows of a table behind its header, each in the one form it has. Named hot: most need one look."""
    path, columns, count = table_path(name), COLUMNS[name], -1
    plain = re.compile(",".join(_PLAIN_NUMBER if column.startswith("*") else _PLAIN_TEXT for column in columns) + "\r")
    for line, stored in _rows_stored(export, path):
        count += 1
        try:
            text = stored.decode()
            if count and plain.fullmatch(text):
                yield Row(count, line.number, line.byte, text[:-1].split(","))
                continue
            cells = _cells(text + "\n", columns, head=not count)
        except (ValueError, csv.Error, StopIteration) as error:
            raise AlteredError(str(error), path, line=line.number, byte=line.byte) from error
        if count:
            yield Row(count, line.number, line.byte, cells)
    if count < 0:
        raise AlteredError("it has no header row", path)


_PLAIN_NUMBER = "(?:-?(?:0|[1-9][0-9]*))?"
_PLAIN_TEXT = '(?:[^=+\\-@\t\r\n",][^\r\n",]*)?'


def _rows_stored(export: Export, path: str) -> Iterator[tuple[Line, bytes]]:
    """A row's first line, and all of it: a quoted cell may hold line ends."""
    begun: list[Line] = []
    quotes = size = 0
    for line in export.lines(path):
        if not begun and b'"' not in line.text:
            yield line, line.text
            continue
        begun.append(line)
        quotes, size = quotes + line.text.count(b'"'), size + len(line.text) + 1
        if quotes % 2 == 0:
            yield begun[0], b"\n".join(each.text for each in begun)
            begun, quotes, size = [], 0, 0
        elif size > MOST_OF_A_LINE:
            break
    if begun:
        raise AlteredError("a cell is not closed", path, line=begun[0].number, byte=begun[0].byte)


def _cells(text: str, columns: Sequence[str], *, head: bool) -> list[str]:
    """The cells of a row; written again, they have to be the same text."""
    csv.field_size_limit(MOST_OF_A_LINE)
    cells = next(csv.reader(io.StringIO(text, newline=""), strict=True))
    if row_text(cells) != text:
        raise ValueError("it is not written as a row of a table is")
    if head:
        if cells != [column.lstrip("*") for column in columns]:
            raise ValueError("the columns are others")
        return cells
    if len(cells) != len(columns):
        raise ValueError(f"it has {len(cells)} cells, and the table {len(columns)} columns")
    for column, cell in zip(columns, cells):
        if column.startswith("*") and cell and not INTEGER.fullmatch(cell):
            raise ValueError(f"{cell!r} is no number")
        if not column.startswith("*") and cell.startswith(FORMULA):
            raise ValueError("a cell begins as a formula does")
    return cells


def compare(name: str, here: Row, due: list[str], of: str) -> None:
    """Raises at the first cell of a row that is another than the records, or other tables, come to."""
    if here.cells != due:
        at = next(n for n, (one, other) in enumerate(zip(here.cells, due)) if one != other)
        column = COLUMNS[name][at].lstrip("*")
        says = f"row {here.number} has {here.cells[at]!r} for {column}, and the {of} come to {due[at]!r}"
        byte = here.byte + len(row_text([*here.cells[:at], ""]).encode()) - 2
        raise AlteredError(says, table_path(name), line=here.line, byte=byte)


class Derived:
    """A table that follows from the records, or from other tables, compared row by row as these are read."""

    def __init__(self, export: Export, name: str, of: str = "records") -> None:
        self._rows, self._name, self._of, self.count = rows(export, name), name, of, 0

    def row(self, wanted: Callable[[list[str]], list[str]] | list[str]) -> None:
        """The next row, which has to be this one, or the one that is made in view of what stands there."""
        self.count += 1
        here = next(self._rows, None)
        if here is None:
            due = wanted if isinstance(wanted, list) else wanted([""] * len(COLUMNS[self._name]))
            raise AlteredError(f"row {self.count} is missing: {row_text(due).strip()}", table_path(self._name))
        compare(self._name, here, wanted if isinstance(wanted, list) else wanted(here.cells), self._of)

    def end(self) -> None:
        """Behind the last row nothing may stand."""
        if (here := next(self._rows, None)) is not None:
            says = f"row {here.number} follows from no {self._of[:-1]}"
            raise AlteredError(says, table_path(self._name), line=here.line, byte=here.byte)


class Corrections:
    """What `corrected.1` facts say of other facts of the same table. Of several for one fact the last counts."""

    def __init__(self, left_out: set[tuple[str, int]]) -> None:
        self._left_out = left_out
        self._of: dict[tuple[str, int], dict[str, Any]] = {}

    def take(self, fact: dict[str, Any]) -> None:
        """The next correction, in the order of streams and sequences."""
        of = fact["corrects_stream"]
        if of.partition("/")[0] == fact["stream"].partition("/")[0] and of <= fact["stream"]:
            self._of[of, fact["corrects_sequence"]] = fact

    def read(self, fact: dict[str, Any]) -> dict[str, Any] | None:
        """The fact as it should have been said; nothing where it never happened."""
        said = self._of.get((fact["stream"], fact["sequence"])) if self._of else None
        if said is None or (said["stream"], said["sequence"]) in self._left_out:
            return fact
        if "reads" not in said:
            return None
        place = {name: fact[name] for name in _OF_ITS_PLACE if name in fact}
        return {**fact, **said["reads"], **place}


_OF_ITS_PLACE = ("type", "stream", "sequence", "previous", "source", "source_key")


class Round:
    """The wagers of a round: seat and wager to staked, collected, paid, returned."""

    def __init__(self) -> None:
        self.over = False
        self.wagers: dict[tuple[int, str], list[int | None]] = {}


COLUMN_OF = {"wager-collected.1": 1, "wager-paid.1": 2, "wager-returned.1": 3}
PLACED = ("wager-placed.1", "wager-changed.1")
BETTING_OVER = ("bets-closed.1", "card-dealt.1", "stack-dispensed.1", "stack-delivered.1")
OF_WAGERS = frozenset((*COLUMN_OF, *PLACED, *BETTING_OVER, "wager-withdrawn.1"))


class Paid:
    """Table `paid` of one stream: what the facts say was staked, collected, paid and returned."""

    def __init__(self, shown: Shown, told_rounds: dict[tuple[str, int], int]) -> None:
        self._shown, self._told, self._newest = shown, told_rounds, 0
        self._chosen = frozenset(shown.rounds)
        self._rounds: dict[int, Round] = {}

    def take(self, fact: dict[str, Any]) -> int:
        """The next fact, as corrected: the round it belongs to."""
        kind, said = fact["type"], fact.get("round")
        if not self._shown.whole:
            said = self._told.get((fact["stream"], fact["sequence"]), 0) if said is None else said
        elif said is None:
            self._newest += kind == "round-opened.1"
            said = self._newest
        elif said > self._newest:
            self._newest = said
        if kind in OF_WAGERS and said and (self._shown.whole or said in self._chosen):
            self._act(self._rounds.setdefault(said, Round()), kind, fact)
        return said or 0

    @staticmethod
    def _act(here: Round, kind: str, fact: dict[str, Any]) -> None:
        if kind in BETTING_OVER:
            here.over = True
            return
        place, cents = (fact["seat"], fact["wager"]), fact.get("cents")
        row = here.wagers.get(place)
        if kind == "wager-withdrawn.1" and not here.over:
            here.wagers.pop(place, None)
        elif row is None:
            row = here.wagers[place] = [cents if kind in PLACED else None, 0, 0, 0]
        elif kind in PLACED and not here.over:
            row[0] = cents
        if kind in COLUMN_OF and row is not None:
            before = row[COLUMN_OF[kind]]
            row[COLUMN_OF[kind]] = None if before is None or cents is None else before + cents

    def rows(self) -> Iterator[list[str]]:
        """The rows of the stream."""
        for number_of, here in sorted(self._rounds.items()):
            for (seat, wager), cents in sorted(here.wagers.items()):
                yield [self._shown.stream, number(number_of), number(seat), guarded(wager), *map(number, cents)]


SUMMED = {"fill-received.1": 1, "credit-sent.1": 2, "drop-counted.1": 3, "bought-in.1": 5}


OF_MONEY = frozenset((*SUMMED, "table-opened.1", "table-closed.1"))


class Money:
    """Table `table_money` of one whole stream of a table; of one in part the closer."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._cents: list[int | None] = [None, 0, 0, None, None, 0]
        self.game = self.before = ""
        self.opened_at: int | None = None

    def take(self, fact: dict[str, Any]) -> None:
        """The next fact, as corrected."""
        kind = fact["type"]
        if kind in SUMMED:
            self._cents[SUMMED[kind]] = (self._cents[SUMMED[kind]] or 0) + (fact.get("cents") or 0)
        elif kind == "table-opened.1":
            self._cents[0] = fact.get("opener_cents")
            self.game, self.opened_at, self.before = fact["book"], fact["at"], fact.get("previous_stream", "")
        elif kind == "table-closed.1":
            self._cents[4] = fact.get("closer_cents")

    @property
    def opener(self) -> int | None:
        """What was in the tray."""
        return self._cents[0]

    @property
    def drop(self) -> int | None:
        """What was in the box."""
        return self._cents[3]

    @property
    def closer(self) -> int | None:
        """What was left."""
        return self._cents[4]

    @property
    def win(self) -> int | None:
        """Not known before all of it is."""
        opener, fills, sent, drop, closer, _ = self._cents
        if opener is None or drop is None or closer is None:
            return None
        return closer + (sent or 0) + drop - opener - (fills or 0)

    def row(self) -> list[str]:
        """The row of the stream."""
        table, _, day = self._shown.stream.partition("/")
        return [self._shown.stream, table, day, *map(number, self._cents), number(self.win)]


class Openers:
    """Table `openers`: the opener of each whole day beside the closer of the table's day before."""

    def __init__(self, clock: Clock) -> None:
        self._before: dict[str, tuple[str, int | None]] = {}
        self._clock = clock
        self.apart = 0  # days whose opening names another day as the one before

    def row(self, shown: Shown, money: Money) -> Callable[[list[str]], list[str]]:
        """The row of a whole stream."""
        table, _, day = shown.stream.partition("/")
        closed_on, closer = self._before.get(table, ("", None))
        self.apart += money.before not in ("", f"{table}/{closed_on}")
        differs = None if money.opener is None or closer is None else money.opener - closer
        duty = "" if differs == 0 else "told at once"
        if not closed_on:
            duty = "first day on record"
        elif money.opener is None:
            duty = "the opener is not on record"
        elif differs is None:
            duty = "the closer before is not on record"
        elif abs(differs) >= 10_000:
            duty = "signed report, copy to the regulator"
        elif abs(differs) > 2_500:
            duty = "signed report"
        amounts = [number(cents) for cents in (closer, money.opener, differs)]
        at = money.opened_at
        return lambda here: [
            *(shown.stream, table, day, "" if at is None else self._clock.told(at, here[3]), closed_on),
            *(*amounts, duty),
        ]

    def ended(self, shown: Shown, money: Money) -> None:
        """The day behind which the next one opens."""
        self._before[shown.owner] = (shown.stream.partition("/")[2], money.closer)


TO_DATE = {"day": 10, "month to date": 7, "year to date": 4}  # how much of a day's name tells the period


class Statistics:
    """Table `statistics`: drop, win and hold of tables and games, wherever the whole period lies in what was asked."""

    def __init__(self, scope: Scope) -> None:
        self.to_date = scope.to_date
        self._first = scope.days[0] if scope.days else ""
        self._days: dict[str, list[tuple[str, str, int | None, int | None]]] = {}
        self.believed = 0

    def take(self, shown: Shown, money: Money) -> None:
        """The end of a whole day of a table."""
        table, _, day = shown.stream.partition("/")
        for by, of in (("game", guarded(money.game)), ("table", guarded(table))):
            self._days.setdefault(day, []).append((by, of, money.drop, money.win))

    def rows(self) -> Iterator[Callable[[list[str]], list[str]]]:
        """The rows of every day, in their order."""
        sums: dict[tuple[str, str, str], list[int | None]] = {}
        for day, held in sorted(self._days.items()):
            for by, of, drop, win in held:
                for letters in TO_DATE.values():
                    _add(sums.setdefault((by, of, day[:letters]), [0, 0, None, None, 0]), drop, win)
            for by, of in sorted({each[:2] for each in held}):
                for period, letters in TO_DATE.items() if self.to_date else [("day", 10)]:
                    begun = day if period == "day" else day[:letters] + "-01-01"[letters - 4 :]
                    due = self._sums(sums[by, of, day[:letters]]) if begun >= self._first else None
                    self.believed += due is None
                    yield lambda here, key=[day, by, of, period], due=due: self._row(here, key, due)  # type: ignore[misc]

    @staticmethod
    def _sums(held: list[int | None]) -> list[str]:
        days, counted, drop, win, drop_of_counted = held
        hold = None
        if win is not None and drop_of_counted:
            hold = (20_000 * win + drop_of_counted) // (2 * drop_of_counted)
        return [number(cents) for cents in (days, counted, drop, win, hold)]

    def _row(self, here: list[str], key: list[str], due: list[str] | None) -> list[str]:
        """What a hold is compared with, and what is said of it, is not derived."""
        return [*key, *(here[4:9] if due is None else due), *(here[9:] if self.to_date else [""] * 7)]


def _add(sums: list[int | None], drop: int | None, win: int | None) -> None:
    """One table day more: days, those counted, drop, win, and the drop of the counted ones."""
    sums[0] = (sums[0] or 0) + 1
    if drop is not None:
        sums[2] = (sums[2] or 0) + drop
    if win is not None:
        sums[1], sums[3], sums[4] = (sums[1] or 0) + 1, (sums[3] or 0) + win, (sums[4] or 0) + (drop or 0)


CARD_FACTS = frozenset(
    f"{name}.1"
    for name in (
        *("stub-counted", "misdeal-determined", "method-changed", "deck-received", "deck-inspected"),
        *("inspection-verified", "deck-changed", "deck-removed", "batch-released"),
    )
)


class CardRecord:
    """Table `card_record` of one whole stream: what was done with decks, as far as the facts say it themselves."""

    def __init__(self, shown: Shown, clock: Clock) -> None:
        self._shown, self._clock = shown, clock
        self._facts: list[tuple[int, dict[str, Any]]] = []

    def take(self, fact: dict[str, Any], of_round: int) -> None:
        """The next fact of these types, as corrected."""
        self._facts.append((of_round, fact))

    def rows(self) -> Iterator[Callable[[list[str]], list[str]]]:
        """Its rows. Which deck was in play, where a fact names none, is not derived."""
        for of_round, fact in self._facts:
            yield lambda here, of_round=of_round, fact=fact: self._row(here, of_round, fact)  # type: ignore[misc]

    def _row(self, here: list[str], of_round: int, fact: dict[str, Any]) -> list[str]:
        table, _, day = self._shown.stream.partition("/")
        what = fact["type"][:-2]
        deck = guarded(fact.get("deck") or fact.get("old") or "")
        if what in ("stub-counted", "misdeal-determined"):
            deck = here[7]
        by = fact.get("by", "dealer" if what in ("stub-counted", "deck-inspected") else "")
        methods = " ".join(filter(None, (fact.get("dealing_method"), fact.get("shuffling"))))
        row = [self._shown.stream, table, day, number(fact["sequence"]), self._clock.told(fact["at"], here[4]), what]
        row += [number(of_round or None), deck, number(fact.get("cards")), here[9]]
        return [*row, guarded(methods), guarded(fact.get("device", "")), guarded(by), here[13]]


class Findings:
    """Table `findings` of one stream of findings: what was raised, as last revised, standing or withdrawn."""

    def __init__(self, shown: Shown, clock: Clock) -> None:
        self._shown, self._clock = shown, clock
        self._standing: dict[str, tuple[str, dict[str, Any]]] = {}

    def take(self, record: dict[str, Any]) -> None:
        """The next record."""
        if record["type"] in ("finding-raised.1", "finding-revised.1"):
            self._standing[record["finding"]] = ("standing", record)
        elif record["type"] == "finding-withdrawn.1" and record["finding"] in self._standing:
            self._standing[record["finding"]] = ("withdrawn", self._standing[record["finding"]][1])

    def rows(self) -> Iterator[Callable[[list[str]], list[str]]]:
        """The rows of the stream. What clauses say is not derived, nor at which offset a moment is told."""
        for _, (state, told) in sorted(self._standing.items()):
            yield lambda here, state=state, told=told: self._row(here, state, told)  # type: ignore[misc]

    def _row(self, here: list[str], state: str, told: dict[str, Any]) -> list[str]:
        stream = told.get("about") or self._shown.stream
        table, _, day = stream.partition("/")
        texts = [stream, table, day, told["finding"], told["code"], told["severity"], state, told["says"]]
        texts.append("; ".join(told["clauses"]))
        row = [guarded(text) for text in texts]
        row += [number(told.get("round")), number(told.get("seat"))]
        row += [guarded(told.get("wager", "")), guarded(told.get("dealer", "")), self._clock.told(told["at"], here[13])]
        row += [number(told[name]) for name in ("trigger", "known_by")]
        row += [number(told.get(name)) for name in ("expected_cents", "observed_cents")]
        return [*row, "; ".join(map(str, told.get("evidence", ()))), guarded(told.get("basis", "certain")), here[20]]


class Clock:
    """The property's time as the tables tell it, as far as this machine knows the zone."""

    def __init__(self, zone: str) -> None:
        self.strange = 0  # moments told at an offset that this machine does not know for the zone
        self._zone: Any = None
        self._offsets: dict[int, timezone] = {}
        with suppress(ValueError, OSError, KeyError):
            self._zone = timezone.utc if zone == "UTC" else zoneinfo.ZoneInfo(zone)

    def told(self, at: int, like: str) -> str:
        """A moment at the zone's offset; at the one of the text that stands there where that is the same moment."""
        quarter = at // 900_000_000
        if quarter not in self._offsets:
            self._offsets[quarter] = self._offset(quarter)
        due = _told_at(at, self._offsets[quarter])
        if due == like:
            return due
        with suppress(ValueError):
            offset = datetime.fromisoformat(like).utcoffset()
            if offset is not None and _told_at(at, timezone(offset)) == like:
                self.strange += 1
                return like
        return due

    def _offset(self, quarter: int) -> timezone:
        with suppress(OverflowError):
            local = (EPOCH + timedelta(seconds=900 * quarter)).astimezone(self._zone or timezone.utc)
            return timezone(local.utcoffset() or timedelta(0))
        return timezone.utc


def _told_at(at: int, offset: timezone) -> str:
    moment = EPOCH + timedelta(microseconds=at)
    with suppress(OverflowError):
        moment = moment.astimezone(offset)
    return moment.isoformat(timespec="microseconds")


EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


# The rounds as the facts tell them: what of the tables rounds, hands and wagers needs no rule book.

UNSEEN = "??"
_OF_A_ROUND = frozenset(
    f"{name}.1"
    for name in (
        *("round-opened", "card-dealt", "stack-dispensed", "stack-delivered", "slot-assigned", "card-burned"),
        *("community-revealed", "box-revealed", "card-found-face-up", "card-drawn-in-error", "card-exposed"),
        *("card-set-aside", "marker-placed", "hands-determined", "decision-asked", "decision-made", "cards-selected"),
        *("hand-set", "card-discarded", "discards-collected", "hand-revealed", "hand-announced", "three-designated"),
        *("natural-confirmed", "wager-collected", "wager-paid", "wager-returned", "award-verified", "hands-collected"),
        *("stub-removed", "stub-counted", "misdeal-determined", "stub-discarded", "round-completed", "hand-voided"),
        *("round-voided", "ruling-given", "wager-placed", "wager-changed", "wager-withdrawn", "bets-closed"),
        *("progressive-accepted", "progressive-locked-out", "progressive-collected", "progressive-banked"),
    )
)
_WHILE_ONE_IS_OPEN = frozenset(
    f"{name}.1"
    for name in (
        *("cutting-card-reached", "device-emptied", "device-failed", "device-restored", "meter-incremented"),
        *("meter-read", "meter-reset", "observed", "person-came", "person-went", "player-left", "player-seated"),
        *("ruling-given", "shoe-ran-out"),
    )
)
_NOT_BEHIND_ONE = _WHILE_ONE_IS_OPEN | {"card-burned.1", "marker-placed.1"}
_IN_A_ROUND = _OF_A_ROUND | _WHILE_ONE_IS_OPEN
_CARDS_DUE = {"UTH-MA": (2, 2, 5), "UTH-MD": (2, 2, 5), "PIK": (5, 5, 0), "FAH": (4, 4, 5), "COL": (3, 0, 3)}
_MOST_CARDS = 8 * 52
MOST_SEATS = 12
_MOVES = {"wager-paid", "wager-collected", "wager-returned"}
_READ_BY = {
    "table-reader": {
        *("card-dealt", "stack-delivered", "card-burned", "community-revealed", "box-revealed", "hand-revealed"),
        "hands-collected",
    },
    "chip-reader": {"wager-placed", "wager-changed", *_MOVES},
}


class Wagered:
    """A wager of a seat: what lies there, what lay there when betting ended, what became of it."""

    __slots__ = ("cents", "coupon", "moves", "placed", "staked", "sums", "unseen")

    def __init__(self, cents: int | None = None, coupon: int = 0) -> None:
        self.cents = self.staked = cents
        self.coupon = coupon
        self.placed = self.unseen = False
        self.moves: list[tuple[str, int]] = []
        self.sums = [0, 0, 0]  # collected, paid, returned


class Place:
    """A seat, or the dealer's or the community's place: its cards, and what was wagered and decided there."""

    __slots__ = ("cards", "choice", "dealt", "disputed", "named", "player", "wagers")

    def __init__(self, player: str = "") -> None:
        self.player, self.choice = player, ""
        self.named = self.disputed = False
        self.cards: list[str] = []
        self.dealt: list[Sequence[str]] = []
        self.wagers: dict[str, Wagered] = {}

    def fill(self, shown: Sequence[str]) -> bool:
        """Cards that were seen take the place of those not known yet; False where they contradict what is known."""
        rest, new = list(self.cards), []
        for seen in shown:
            if seen in rest and seen != UNSEEN:
                rest.remove(seen)
            elif seen != UNSEEN:
                new.append(seen)
        for seen in new:
            if UNSEEN not in self.cards:
                return False
            self.cards[self.cards.index(UNSEEN)] = seen
        return True

    def dispute(self) -> None:
        """Two facts tell its cards differently: what was read at the deal stays."""
        self.disputed, read = True, {card for cards in self.dealt for card in cards}
        self.cards = [card if card in read else UNSEEN for card in self.cards]


class Played:
    """A round as told so far; what it began with is the day's."""

    def __init__(self, number: int, fact: dict[str, Any], day: PlayedDay) -> None:
        self.number, self.first, self.last, self.at = number, fact["sequence"], fact["sequence"], fact["at"]
        self.book, self.method, self.dealer_person = day.book, day.method, day.dealer
        self.unrecorded, self.unseen_wagers, self.seated = day.unrecorded(), day.unseen_wagers, dict(day.seated)
        self.seats: dict[int, Place] = {}
        self.dealer: Place = Place()
        self.community: Place = Place()
        self.box: Place = Place()
        self.betting_over = self.over = self.voided = self.banked = self.chips_failed = False
        self.opens = fact["type"] == "round-opened.1"
        self.ended_at: int | None = None
        self.completed: int | None = None  # the sequence of its end
        self.void: set[int] = set()
        self.video: list[str] = []

    def seat(self, number: int) -> Place:
        """A seat comes into being when it is first named."""
        found = self.seats.get(number)
        if found is None:
            found = self.seats[number] = Place(self.seated.get(number, ""))
        return found

    def place(self, name: str, seat: int | None) -> Place:
        """Where a card went."""
        if name == "seat":
            return self.seat(seat or 0)
        return self.community if name == "community" else self.box if name == "box" else self.dealer

    def seen(self, place: Place, cards: Sequence[str]) -> None:
        """Cards of a place that were seen later."""
        if not cards or (place.disputed and UNSEEN in place.cards) or place.fill(cards):
            return
        if not place.dealt and not self.unrecorded.isdisjoint(("card-dealt", "stack-delivered")):
            each, dealer, community = _CARDS_DUE[self.book]
            due = dealer if place is self.dealer else community if place is self.community else each
            place.cards += [UNSEEN] * (due - len(place.cards))
            while not place.fill(cards):
                place.cards.append(UNSEEN)
            return
        place.dispute()

    @property
    def blind(self) -> bool:
        """Whether nobody recorded how wagers moved."""
        return self.chips_failed or not self.unrecorded.isdisjoint(_MOVES)

    def lay(self, name: str, wagered: Wagered) -> bool:
        """Whether a wager lay on the table."""
        return wagered.placed or name in self.unseen_wagers or "wager-placed" in self.unrecorded

    def handed(self, name: str, wagered: Wagered) -> tuple[int | None, int]:
        """What was handed back in all, and what was added late; None where an amount that matters was not seen."""
        gone = name == "envy"
        if name == "progressive" and self.book == "UTH-MD":
            gone = self.banked or "progressive-collected" in self.unrecorded
        lies, staked, paid = wagered.cents, wagered.staked, False
        if not gone and (lies is None or staked is None):
            return None, 0
        lying = 0 if gone else lies or 0
        late = 0 if gone else lying - (staked or 0)
        back = max(0, -late)
        for kind, cents in wagered.moves:
            if kind == "wager-paid.1":
                back, paid = back + cents, paid or cents > 0
                continue
            taken = min(cents, lying)
            lying -= taken
            back += cents if kind == "wager-returned.1" else taken - cents
        return back + lying if paid else back, max(0, late)

    def amounts(self, name: str, wagered: Wagered) -> list[int | None]:
        """Staked, late, by coupon, collected, paid, returned, handed back."""
        staked = 0 if name == "envy" else wagered.staked
        seen = not (wagered.unseen or self.blind)
        back, late = None, 0
        if seen and (wagered.moves or name not in self.unseen_wagers):
            back, late = self.handed(name, wagered)
        known = wagered.cents is not None and wagered.staked is not None
        moved: list[int | None] = [*wagered.sums] if seen else [None, None, None]
        return [staked, late if known else None, wagered.coupon, *moved, back]


def _dealt(here: Played, fact: dict[str, Any]) -> None:
    here.betting_over, place = True, here.place(fact["to"], fact.get("seat"))
    place.cards.append(fact.get("card", UNSEEN))
    place.dealt.append((place.cards[-1],))


def _delivered(here: Played, fact: dict[str, Any]) -> None:
    here.betting_over, place, cards = True, here.place(fact["to"], fact.get("seat")), fact.get("cards", [])
    place.cards += [*cards, *[UNSEEN] * (min(fact.get("size") or 0, _MOST_CARDS) - len(cards))]
    place.dealt.append(cards)


def _betting_ends(here: Played, _: dict[str, Any]) -> None:
    here.betting_over = True


def _placed(here: Played, fact: dict[str, Any]) -> None:
    place, name, cents = here.seat(fact["seat"]), fact["wager"], fact.get("cents")
    if fact["type"] == "wager-placed.1" and fact.get("player"):
        place.player, place.named = fact["player"], True
    wagered = place.wagers.get(name)
    if wagered is None:
        wagered = place.wagers[name] = Wagered(cents, fact.get("coupon_cents", 0))
    else:
        wagered.cents = cents
        wagered.staked = wagered.staked if here.betting_over else cents
    wagered.placed = True


def _withdrawn(here: Played, fact: dict[str, Any]) -> None:
    wagers, name = here.seat(fact["seat"]).wagers, fact["wager"]
    if not here.betting_over:
        wagers.pop(name, None)
        return
    wagered = wagers.get(name)
    if wagered is None:
        wagered = wagers[name] = Wagered()
    wagered.placed, wagered.cents = True, 0


def _moved(here: Played, fact: dict[str, Any]) -> None:
    wagers, cents = here.seat(fact["seat"]).wagers, fact.get("cents")
    wagered = wagers.get(fact["wager"])
    if wagered is None:
        wagered = wagers[fact["wager"]] = Wagered()
    wagered.moves.append((fact["type"], cents or 0))
    wagered.sums[COLUMN_OF[fact["type"]] - 1] += cents or 0
    wagered.unseen = wagered.unseen or cents is None


def _decided(here: Played, fact: dict[str, Any]) -> None:
    choice = {"check": "", "complete": "", "void": "short-void"}.get(fact["decision"], fact["decision"])
    place = here.seat(fact["seat"]) if choice else None
    if place is not None:
        place.choice = choice


def _of_seat(here: Played, fact: dict[str, Any]) -> Place:
    return here.dealer if fact.get("seat") is None else here.seat(fact["seat"])


def _set(here: Played, fact: dict[str, Any]) -> None:
    place = _of_seat(here, fact)
    here.seen(place, (*fact["kept"], *fact.get("second", ())))
    if fact.get("seat") is not None and here.book == "FAH" and not place.choice:
        place.choice = "set"


def _collected_hand(here: Played, fact: dict[str, Any]) -> None:
    if fact.get("cards"):
        of = {"community": here.community, "box": here.box}.get(fact.get("of", "seat"), here.dealer)
        here.seen(of if fact.get("seat") is None else here.seat(fact["seat"]), fact["cards"])


def _completed(here: Played, fact: dict[str, Any]) -> None:
    here.over = True
    if here.completed is None:
        here.ended_at, here.completed = fact["at"], fact["sequence"]


def _voided(here: Played, fact: dict[str, Any]) -> None:
    if fact["type"] == "hand-voided.1":
        here.void.add(fact["seat"])
    else:
        here.voided = True


def _failed(here: Played, fact: dict[str, Any]) -> None:
    here.chips_failed = here.chips_failed or fact["kind"] == "chip-reader"


def _marked(here: Played, fact: dict[str, Any]) -> None:
    codes = "-".join(filter(None, (fact.get("from_code"), fact.get("to_code"))))
    here.video.append(" ".join(filter(None, (fact["recorder"], fact.get("channel"), codes))))


def _banked(here: Played, _: dict[str, Any]) -> None:
    here.banked = True


_STEPS: dict[str, Callable[[Played, dict[str, Any]], object]] = {
    "card-dealt.1": _dealt,
    "stack-dispensed.1": _betting_ends,
    "bets-closed.1": _betting_ends,
    "stack-delivered.1": _delivered,
    "wager-placed.1": _placed,
    "wager-changed.1": _placed,
    "wager-withdrawn.1": _withdrawn,
    "wager-paid.1": _moved,
    "wager-collected.1": _moved,
    "wager-returned.1": _moved,
    "decision-made.1": _decided,
    "hand-set.1": _set,
    "cards-selected.1": lambda here, fact: here.seen(here.seat(fact["seat"]), fact["cards"]),
    "hand-revealed.1": lambda here, fact: here.seen(_of_seat(here, fact), fact.get("cards", ())),
    "community-revealed.1": lambda here, fact: here.seen(here.community, fact.get("cards", ())),
    "box-revealed.1": lambda here, fact: here.seen(here.box, fact.get("cards", ())),
    "slot-assigned.1": lambda here, fact: here.seen(here.community, (fact.get("card", UNSEEN),)),
    "card-exposed.1": lambda here, fact: here.seen(
        here.place(fact["of"], fact.get("seat")), (fact.get("card", UNSEEN),)
    ),
    "hands-collected.1": _collected_hand,
    "round-completed.1": _completed,
    "round-voided.1": _voided,
    "hand-voided.1": _voided,
    "device-failed.1": _failed,
    "video-marked.1": _marked,
    "progressive-collected.1": _banked,
}


class PlayedDay:
    """A table's day: what is in force, who is there, and its rounds, of a stream in part those that are shown."""

    def __init__(self, shown: Shown, told_rounds: dict[tuple[str, int], int]) -> None:
        self._shown, self._told, self._chosen = shown, told_rounds, frozenset(shown.rounds)
        self.book = self.method = self.dealer = self.pit = ""
        self.unseen_wagers: set[str] = set()
        self.seated: dict[int, str] = {}
        self.rounds: dict[int, Played] = {}
        self.closed = False
        self._unrecorded: frozenset[str] = frozenset()
        self._failed: dict[str, str] = {}
        self._kinds: dict[str, int] = {}  # how many devices of a kind have failed
        self._newest: Played | None = None

    def unrecorded(self) -> frozenset[str]:
        """The types of fact nobody records now."""
        return self._unrecorded.union(*(read for kind, read in _READ_BY.items() if self._kinds.get(kind)))

    def take(self, fact: dict[str, Any]) -> None:
        """The next fact, as corrected. Named hot."""
        kind, number_of, here = fact["type"], fact.get("round"), self._newest
        if not self._shown.whole and number_of is None:
            number_of = self._told.get((fact["stream"], fact["sequence"]))
            here = None if number_of is None else self._round(number_of, fact)
        elif number_of is None:
            if kind == "round-opened.1":
                here = self._round(here.number + 1 if here else 1, fact)
            elif kind not in _IN_A_ROUND or (here is not None and here.over and kind in _NOT_BEHIND_ONE):
                here = None
        elif here is None or number_of != here.number:
            here = self._round(number_of, fact)
        if here is not None:
            here.last = fact["sequence"]
            step = _STEPS.get(kind)
            if step is not None:
                step(here, fact)
        if kind in _OF_THE_DAY:
            _OF_THE_DAY[kind](self, fact)

    def _round(self, number_of: int, fact: dict[str, Any]) -> Played | None:
        newest = self._newest
        begins = newest is None or number_of > newest.number
        if begins and self.book and (self._shown.whole or number_of in self._chosen):
            self._newest = self.rounds[number_of] = Played(number_of, fact, self)
        return self.rounds.get(number_of)

    def due(self) -> Iterator[Played]:
        """The rounds that have rows: those that are over, or were left open."""
        for _, here in sorted(self.rounds.items()):
            if here.over or here is not self._newest or self.closed:
                yield here

    def opened(self, fact: dict[str, Any]) -> None:
        """The opening."""
        self.book, self.method, self.pit = fact["book"], fact["dealing_method"], fact.get("pit", "")
        self._unrecorded, self.unseen_wagers = frozenset(fact.get("unrecorded", ())), set(fact.get("unseen_wagers", ()))

    def changed_method(self, fact: dict[str, Any]) -> None:
        """Cards are dealt another way."""
        self.method = fact.get("dealing_method") or self.method

    def came(self, fact: dict[str, Any]) -> None:
        """Somebody came."""
        if fact["role"] == "dealer":
            self.dealer = fact["person"]

    def went(self, fact: dict[str, Any]) -> None:
        """Somebody went."""
        if fact["person"] == self.dealer:
            self.dealer = ""

    def failed(self, fact: dict[str, Any]) -> None:
        """A device failed; the hole is in the whole round."""
        self.restored(fact)
        self._failed[fact["device"]] = fact["kind"]
        self._kinds[fact["kind"]] = self._kinds.get(fact["kind"], 0) + 1
        if self._newest is not None and not self._newest.over:
            self._newest.unrecorded = self.unrecorded()

    def restored(self, fact: dict[str, Any]) -> None:
        """It was put right."""
        kind = self._failed.pop(fact["device"], None)
        if kind is not None:
            self._kinds[kind] -= 1

    def sat(self, fact: dict[str, Any]) -> None:
        """A player sat down."""
        if not 1 <= fact["seat"] <= MOST_SEATS:
            raise TypeError(f"there is no seat {fact['seat']}")
        self.seated[fact["seat"]] = fact["player"]

    def left(self, fact: dict[str, Any]) -> None:
        """A player left."""
        self.seated.pop(fact["seat"], None)

    def close(self, _: dict[str, Any]) -> None:
        """The day is closed."""
        self.closed = True


_OF_THE_DAY: dict[str, Callable[[PlayedDay, dict[str, Any]], None]] = {
    "table-opened.1": PlayedDay.opened,
    "method-changed.1": PlayedDay.changed_method,
    "person-came.1": PlayedDay.came,
    "person-went.1": PlayedDay.went,
    "device-failed.1": PlayedDay.failed,
    "device-restored.1": PlayedDay.restored,
    "player-seated.1": PlayedDay.sat,
    "player-left.1": PlayedDay.left,
    "table-closed.1": PlayedDay.close,
}


class Ahead:
    """The rows of a table, with a look at the next one."""

    def __init__(self, export: Export, name: str) -> None:
        self.name, self._rows = name, rows(export, name)
        self.next: Row | None = next(self._rows, None)
        self.count = 0

    def take(self, due: Callable[[list[str]], list[str]], of: str = "records") -> list[str]:
        """The next row, which has to be what is made in view of it."""
        here = self.next
        if here is None:
            missing = row_text(due([""] * len(COLUMNS[self.name]))).strip()
            raise AlteredError(f"row {self.count + 1} is missing: {missing}", table_path(self.name))
        compare(self.name, here, due(here.cells), of)
        self.next, self.count = next(self._rows, None), self.count + 1
        return here.cells

    def end(self) -> None:
        """Behind the last row nothing may stand."""
        if self.next is not None:
            says = f"row {self.next.number} follows from no record"
            raise AlteredError(says, table_path(self.name), line=self.next.line, byte=self.next.byte)


class RoundTables:
    """Tables rounds, hands and wagers of every stream, compared with what the facts tell."""

    def __init__(self, export: Export, clock: Clock) -> None:
        self.rounds, self.hands, self.wagers = (Ahead(export, name) for name in ("rounds", "hands", "wagers"))
        self._clock = clock
        self.players: dict[tuple[str, int], set[str]] = {}  # of the rounds of streams in part
        self.open_ended = 0  # rounds of streams in part that do not begin with their opening, or do not end
        self.unnamed = 0  # hands of streams in part whose player no fact shown names
        self.untold = 0  # wagers no fact tells of: what is owed on them follows from the rule books alone

    def compare(self, shown: Shown, day: PlayedDay) -> None:
        """The rows of one stream."""
        table, _, gaming_day = shown.stream.partition("/")
        start = [shown.stream, table, gaming_day]
        for here in day.due() if shown.whole else sorted(day.rounds.values(), key=lambda each: each.number):
            key = [*start, str(here.number)]
            if not shown.whole and not here.over and not _is_next(self.rounds, key):
                continue  # whether a later round came, or the day was closed, is not shown
            sums, players = [0, 0, 0, 0], 0
            for seat in sorted(here.seats):
                of_seat = self._seat(here, [*key, str(seat)], here.seats[seat], whole=shown.whole)
                sums = [_plus(one, other) for one, other in zip(sums, of_seat)]  # type: ignore[misc]
                players += _takes_part(here, here.seats[seat])
            if here.dealer.cards:
                cards = " ".join(here.dealer.cards)
                self.hands.take(partial(_dealers_hand, key, cards))
            self._round(here, key, day.pit, [number(each) for each in sums], players)

    def check_spans(self, shown: Shown, day: PlayedDay, here_are: set[int]) -> None:
        """Of a round that is shown everything is, from its opening to its end."""
        for number_of in shown.rounds:
            here = day.rounds.get(number_of)
            if here is None:
                says = f"round {number_of} is said to be shown, and no fact of it is here"
                raise AlteredError(says, shown.path, stream=shown.stream)
            end = here.first if here.completed is None else here.completed
            missing = next((at for at in range(here.first, end) if at not in here_are), 0)
            if missing:
                says = f"record {missing} is left out amid round {number_of}, which is shown"
                raise AlteredError(says, shown.path, stream=shown.stream, sequence=missing)
            self.open_ended += not here.opens or here.completed is None

    def _seat(self, here: Played, key: list[str], place: Place, *, whole: bool) -> list[int | None]:
        """A seat's wagers, then its hand: what its wagers come to."""
        sums: list[int | None] = [0, 0, 0, 0]
        player, believed = guarded(place.player), not whole and not place.named
        said = self.wagers.next.cells[5] if self.wagers.next and _is_next(self.wagers, key) else None
        for name, wagered in place.wagers.items():
            amounts = here.amounts(name, wagered)
            sums = _added_up(sums, self.wagers.take(partial(_wager, key, None if believed else player, name, amounts)))
        own = set(place.wagers)
        while _is_next(self.wagers, key) and self.wagers.next and self.wagers.next.cells[6] not in own:
            own.add(self.wagers.next.cells[6])
            self.untold += 1
            sums = _added_up(sums, self.wagers.take(partial(_untold, key, None if believed else player, here.blind)))
        if place.cards or own or _is_next(self.hands, key):
            cards, void = " ".join(place.cards), "true" if int(key[4]) in here.void else "false"
            self.unnamed += believed
            totals = [number(each) for each in sums]
            said = said if own else None

            def due(cells: list[str]) -> list[str]:
                who = (cells[5] if said is None else said) if believed else player
                return [*key, who, cards, cells[7], place.choice, void, *totals]

            cells = self.hands.take(due)
            if not whole:
                self.players.setdefault((key[0], int(key[3])), set()).add(cells[5])
        return sums

    def _round(self, here: Played, key: list[str], pit: str, sums: list[str], players: int) -> None:
        def due(cells: list[str]) -> list[str]:
            ended = "" if here.ended_at is None else self._clock.told(here.ended_at, cells[7])
            began = self._clock.told(here.at, cells[6])
            hands = [" ".join(here.community.cards), " ".join(here.dealer.cards), "true" if here.voided else "false"]
            row = [*key, str(here.first), str(here.last), began, ended, guarded(pit), here.book, cells[10]]
            row += [here.method, cells[12], guarded(here.dealer_person), str(players), *hands, cells[18], *sums[:3]]
            return [*row, cells[22], cells[23], guarded("; ".join(here.video))]

        self.rounds.take(due)

    def end(self) -> dict[str, int]:
        """The end of all streams."""
        for table in (self.rounds, self.hands, self.wagers):
            table.end()
        return {table.name: table.count for table in (self.rounds, self.hands, self.wagers)}


def _is_next(table: Ahead, key: list[str]) -> bool:
    return table.next is not None and table.next.cells[: len(key)] == key


def _takes_part(here: Played, place: Place) -> bool:
    return bool(place.cards) or any(here.lay(name, wagered) for name, wagered in place.wagers.items())


def _plus(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _added_up(sums: list[int | None], cells: list[str]) -> list[int | None]:
    """Staked, handed back, owed and the difference, a wager more."""
    return [_plus(one, int(cell) if cell else None) for one, cell in zip(sums, (cells[7], *cells[13:16]))]


def _dealers_hand(key: list[str], cards: str, cells: list[str]) -> list[str]:
    return [*key, "0", "", cards, cells[7], "", "false", "", "", "", ""]


def _wager(key: list[str], player: str | None, name: str, amounts: list[int | None], cells: list[str]) -> list[str]:
    """The row of a wager; what was owed, by which clause, is as it stands there, and the difference follows from it."""
    back, late, owed, difference = amounts[6], amounts[1] or 0, cells[14], ""
    if back is not None and owed:
        due = int(owed) + late if int(owed) else 0
        difference = str(0 if late and not int(owed) and back <= 0 else back - due)
    player = cells[5] if player is None else player
    return [*key, player, guarded(name), *map(number, amounts), owed, difference, *cells[16:]]


def _untold(key: list[str], player: str | None, blind: bool, cells: list[str]) -> list[str]:
    """The row of a wager no fact tells of: one the game asks for and nobody saw, or an envy bonus."""
    envy = cells[6] == "envy"
    staked, back = "0" if envy else "", "0" if envy and not blind else ""
    difference = str(-int(cells[14])) if back and cells[14] else ""
    player = cells[5] if player is None else player
    return [*key, player, cells[6], staked, staked, "0", back, back, back, back, cells[14], difference, *cells[16:]]


class Tables:
    """The tables that follow from the records, compared while these are read."""

    def __init__(
        self, export: Export, corrections: Corrections, told_rounds: dict[tuple[str, int], int], question: Question
    ) -> None:
        self._corrections, self._told = corrections, told_rounds
        self._tables = {name: Derived(export, name) for name in DERIVED}
        self.clock = Clock(question.zone)
        self.rounds = RoundTables(export, self.clock)
        self.openers, self.statistics = Openers(self.clock), Statistics(question.scope)

    def begin(self, shown: Shown) -> None:
        """The next stream, in byte order of kind and name."""
        self._shown, self._types, self._here = shown, dict[str, int](), set[int]()
        of_a_table = shown.kind == "facts" and shown.owner != "property"
        self._paid = Paid(shown, self._told) if of_a_table else None
        self._money = Money(shown) if of_a_table else None
        self._played = PlayedDay(shown, self._told) if of_a_table and (shown.whole or shown.rounds) else None
        self._cards = CardRecord(shown, self.clock)
        self._findings = Findings(shown, self.clock) if shown.kind == "findings" else None

    def take(self, record: dict[str, Any]) -> None:
        """The next record of the stream."""
        kind = record["type"]
        self._types[kind] = self._types.get(kind, 0) + 1
        if not self._shown.whole:
            self._here.add(record["sequence"])
        if self._paid is not None:
            fact = self._corrections.read(record)
            if fact is not None:
                of_round = self._paid.take(fact)
                if self._played is not None:
                    self._played.take(fact)
                if kind in OF_MONEY and self._money is not None:
                    self._money.take(fact)
                elif kind in CARD_FACTS and self._shown.whole:
                    self._cards.take(fact, of_round)
        elif self._findings is not None:
            self._findings.take(record)

    def end(self) -> None:
        """The end of the stream: its rows are due."""
        for kind, count in sorted(self._types.items()):
            self._tables["counts"].row([self._shown.kind, self._shown.stream, guarded(kind), str(count)])
        if self._played is not None and not self._shown.whole:
            self.rounds.check_spans(self._shown, self._played, self._here)
        for row in self._paid.rows() if self._paid else ():
            self._tables["paid"].row(row)
        if self._played is not None:
            self.rounds.compare(self._shown, self._played)
        for made in self._cards.rows():
            self._tables["card_record"].row(made)
        if self._money is not None:
            self._bank(self._shown, self._money)
        for made in self._findings.rows() if self._findings else ():
            self._tables["findings"].row(made)

    def _bank(self, shown: Shown, money: Money) -> None:
        if shown.whole:
            self._tables["table_money"].row(money.row())
            self._tables["openers"].row(self.openers.row(shown, money))
            self.statistics.take(shown, money)
        self.openers.ended(shown, money)

    def finish(self) -> dict[str, int]:
        """The end of all streams: how many rows of each table follow from the records."""
        for made in self.statistics.rows():
            self._tables["statistics"].row(made)
        for table in self._tables.values():
            table.end()
        return {**{name: table.count for name, table in self._tables.items()}, **self.rounds.end()}


# The lists that follow from other tables: errors, and in the card record what was dealt and found since.

ABOUT_CARDS = ("stub-", "deck-", "shuffle-", "reshuffle-")


class Standing:
    """The findings that stand, by the wagers and the rounds they are about."""

    def __init__(self, export: Export) -> None:
        self.names: dict[tuple[str, ...], list[str]] = {}
        self.codes: dict[tuple[str, str], set[str]] = {}
        for row in rows(export, "findings"):
            stream, _, _, name, code, _, state, _, _, of_round, seat, wager = row.cells[:12]
            if state == "standing" and of_round:
                if seat and wager:
                    self.names.setdefault((stream, of_round, seat, wager), []).append(name)
                if code.startswith(ABOUT_CARDS):
                    self.codes.setdefault((stream, of_round), set()).add(code)


def check_lists(export: Export) -> None:
    """Errors and the card record against the tables they follow from."""
    standing = Standing(export)
    with altered(table_path("errors"), None, ""):
        _check_errors(export, standing)
    with altered(table_path("card_record"), None, ""):
        _check_cards(export, standing)


def check_players(export: Export) -> None:
    """Who is named are the players that the hands name, each once and by token; what their names are is believed."""
    tokens = {row.cells[5] for row in rows(export, "hands")} - {""}
    table = Derived(export, "players", "tables")
    for token in sorted(tokens, key=lambda cell: cell[1:] if cell[1:].startswith(FORMULA) else cell):
        table.row(lambda cells, token=token: [token, cells[1]])  # type: ignore[misc]
    table.end()


def _check_errors(export: Export, standing: Standing) -> None:
    table, rounds_of, here = Derived(export, "errors", "tables"), rows(export, "rounds"), [""] * len(COLUMNS["rounds"])
    for row in rows(export, "wagers"):
        cells = row.cells
        if cells[15] in ("", "0"):
            continue
        while [here[0], here[3]] != [cells[0], cells[3]]:
            following = next(rounds_of, None)
            if following is None:
                says = f"round {cells[3]} of {cells[0]} stands in no row of {table_path('rounds')}, or not in its order"
                raise AlteredError(says, table_path("wagers"), line=row.line, byte=row.byte)
            here = following.cells
        cents, names = int(cells[15]), standing.names.get((cells[0], cells[3], cells[4], cells[6]), [])
        repaid = [str(max(-cents, 0)), str(max(cents, 0))]
        due = [*cells[:4], here[7], here[13], *cells[4:8], cells[14], cells[13], *repaid, cells[16], cells[17]]
        table.row([*due, "; ".join(sorted(names))])
    table.end()


def _check_cards(export: Export, standing: Standing) -> None:
    """Rounds dealt since the count before: those that are over, behind the last row that counts anew."""
    name, rounds_of = "card_record", rows(export, "rounds")
    stream, dealt, counted, ahead = "", list[int](), 0, next(rounds_of, None)
    for row in rows(export, name):
        cells = row.cells
        if cells[0] != stream:
            stream, dealt, counted = cells[0], [], 0
            while ahead is not None and ahead.cells[0] <= stream:
                dealt += [int(ahead.cells[3] or 0)] if ahead.cells[0] == stream else []
                ahead = next(rounds_of, None)
            dealt.sort()
        number_of, what = int(cells[6] or 0), cells[5]
        behind = bisect_right(dealt, number_of) - bisect_right(dealt, counted)
        since = str(max(0, behind)) if what == "stub-counted" else ""
        if what in ("stub-counted", "deck-changed", "method-changed"):
            counted = max(counted, number_of)
        codes = "; ".join(sorted(standing.codes.get((stream, cells[6]), ())))
        compare(name, row, [*cells[:9], since, *cells[10:13], codes], "tables")


# The workbook: all of it is laid down again from the CSV files, byte for byte, as it is read.

WORKBOOK = "data/tables.xlsx"
MOST_ROWS_OF_A_WORKBOOK = 1_000_000
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_PARTS = "http://schemas.openxmlformats.org/package/2006/relationships"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_BEFORE_ROWS = (
    f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" '
    'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>'
)
_BEHIND_ROWS = "</sheetData></worksheet>"


def workbook_frame(names: Sequence[str]) -> dict[str, bytes]:
    """What a workbook is besides its sheets."""
    parts, sheets, links = "", "", ""
    for place, name in enumerate(names, 1):
        parts += f'<Override PartName="/xl/worksheets/sheet{place}.xml" ContentType="{_SHEET}.worksheet+xml"/>'
        sheets += f'<sheet name="{name}" sheetId="{place}" r:id="rId{place}"/>'
        links += f'<Relationship Id="rId{place}" Type="{_LINKS}/worksheet" Target="worksheets/sheet{place}.xml"/>'
    frame = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_TYPES}">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET}.sheet.main+xml"/>{parts}</Types>',
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PARTS}"><Relationship Id="rId1" '
        f'Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_PARTS}">{links}</Relationships>',
    }
    return {path: text.encode() for path, text in frame.items()}


_IN_XML = re.compile("[&<>\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def _escaped(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[0]) or f"_x{ord(found[0]):04X}_"


def _in_a_cell(text: str) -> str:
    if len(text) > 32767:
        text = text[:32000] + "…"
    return _IN_XML.sub(_escaped, text)


def sheet_row(number_of: int, cells: Sequence[str], numbers: frozenset[int]) -> str:
    """A row of a sheet."""
    made = [f'<row r="{number_of}">']
    for at, cell in enumerate(cells):
        if not cell:
            continue
        if at in numbers and len(cell) <= 15 + (cell[0] == "-"):
            made.append(f'<c r="{_LETTERS[at]}{number_of}"><v>{cell}</v></c>')
        else:
            text = cell if len(cell) < 32768 and not _IN_XML.search(cell) else _in_a_cell(cell)
            made.append(
                f'<c r="{_LETTERS[at]}{number_of}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
            )
    made.append("</row>")
    return "".join(made)


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Workbook:
    """The workbook read from its first byte to its last, each held against the one that is due."""

    def __init__(self, export: Export) -> None:
        self._export, self._member = export, export.members[WORKBOOK]
        self._at = 0
        self._central: list[bytes] = []
        self._begun: tuple[str, int, int, int] = ("", 0, 0, 0)  # of a part: its name, place, CRC-32 and size as told
        self._sum = self._size = 0

    def take(self, due: bytes, says: str) -> None:
        """The next bytes."""
        here = self._export.part(self._member, self._at, len(due))
        if here != due:
            at = next((n for n, (one, other) in enumerate(zip(here, due)) if one != other), len(here))
            raise AlteredError(says, WORKBOOK, byte=self._at + at)
        self._at += len(due)

    def are_next(self, due: bytes) -> bool:
        """Whether these are the next bytes."""
        return self._export.part(self._member, self._at, len(due)) == due

    def begin(self, name: str) -> None:
        """A part: what is told of its bytes before they come is held against them behind them."""
        told = self._export.part(self._member, self._at + 14, 8)
        crc, size = int.from_bytes(told[:4], "little"), int.from_bytes(told[4:8], "little")
        self._begun, self._sum, self._size = (name, self._at, crc, size), 0, 0
        head = b"PK\x03\x04" + self._of_a_part(name, crc, size) + name.encode()
        self.take(head, f"it is not laid down as the workbook of an export is, where {name} begins")

    def part(self, due: bytes, says: str) -> None:
        """Bytes of the part."""
        self.take(due, says)
        self._sum, self._size = zlib.crc32(due, self._sum), self._size + len(due)

    def end_of_part(self) -> None:
        """Behind its last byte."""
        name, at, crc, size = self._begun
        if (crc, size) != (self._sum, self._size):
            raise AlteredError(f"it tells another size or checksum of {name} than that has", WORKBOOK, byte=at)
        told = self._of_a_part(name, crc, size) + bytes(8) + b"\x80\x01" + at.to_bytes(4, "little")
        self._central.append(b"PK\x01\x02\x14\x00" + told + name.encode())

    @staticmethod
    def _of_a_part(name: str, crc: int, size: int) -> bytes:
        twice = size.to_bytes(4, "little") * 2
        return b"\x14\0\0\0\0\0\0\0\x21\0" + crc.to_bytes(4, "little") + twice + len(name).to_bytes(4, "little")

    def end(self) -> None:
        """The list of parts, and nothing behind it."""
        listed, at, count = b"".join(self._central), self._at, len(self._central).to_bytes(2, "little")
        end = b"PK\x05\x06\0\0\0\0" + count * 2 + len(listed).to_bytes(4, "little") + at.to_bytes(4, "little")
        self.take(listed + end + b"\0\0", "its list of parts is not that of an export's workbook")
        if self._at != self._member.size:
            raise AlteredError("something stands behind its end", WORKBOOK, byte=self._at)


def check_tables(export: Export) -> int:
    """Every table read through, and the workbook beside them: how many rows there are."""
    names = sorted(name for name in COLUMNS if table_path(name) in export.members)
    here = {path for path in export.members if path.startswith("data/tables/")}
    if missing := [name for name in COLUMNS if name not in names and name != "players"]:
        raise AlteredError("it is not in the export", table_path(missing[0]))
    if strange := sorted(here - {table_path(name) for name in names}):
        raise AlteredError("it is no table of an export", strange[0])
    book = Workbook(export) if WORKBOOK in export.members else None
    if book:
        for part, text in workbook_frame(names).items():
            book.begin(part)
            book.part(text, f"{part} is not that of an export's workbook")
            book.end_of_part()
    count, as_lines = 0, 0
    for place, name in enumerate(names, 1):
        of_table, lines = _check_table(export, book, place, name)
        count, as_lines = count + of_table, as_lines + lines
    if book:
        book.end()
    elif as_lines <= MOST_ROWS_OF_A_WORKBOOK:
        raise AlteredError(f"it is not in the export, whose tables have {count} rows", WORKBOOK)
    return count


def _check_table(export: Export, book: Workbook | None, place: int, name: str) -> tuple[int, int]:
    """How many rows, and how many line ends of a table, within cells as well."""
    numbers = frozenset(at for at, column in enumerate(COLUMNS[name]) if column.startswith("*"))
    count = lines = 0
    waiting = [_BEFORE_ROWS]
    waiting.append(sheet_row(1, [column.lstrip("*") for column in COLUMNS[name]], frozenset()))
    if book:
        book.begin(f"xl/worksheets/sheet{place}.xml")
    for row in rows(export, name):
        count += 1
        lines += 1 + sum(cell.count("\r\n") for cell in row.cells if "\r" in cell)
        if book:
            waiting.append(sheet_row(row.number + 1, row.cells, numbers))
            if len(waiting) > ROWS_AT_ONCE:
                _sheet_rows(book, name, waiting, count + 2 - len(waiting))
    if book:
        _sheet_rows(book, name, waiting, count + 2 - len(waiting))
        book.part(_BEHIND_ROWS.encode(), f"sheet {name} has more rows than {table_path(name)}")
        book.end_of_part()
    return count, lines


ROWS_AT_ONCE = 1000


def _sheet_rows(book: Workbook, name: str, waiting: list[str], first: int) -> None:
    """Some rows of a sheet together; where they differ each of them alone, so that the first can be named."""
    due = "".join(waiting).encode()
    if not book.are_next(due):
        for at, text in enumerate(waiting, first):
            says = f"row {at} of sheet {name} is not row {at - 1} of {table_path(name)}"
            book.part(text.encode(), says if at else f"sheet {name} does not begin as a sheet of an export does")
    else:
        book.part(due, "")
    waiting.clear()


# The question: the export has its name from it, and what is here has to be what it asks for.

_TEXTS = ("ordered_by", "purpose", "recipient", "signed_by", "software")
DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
HAND = re.compile("[^:/]+/[^:/]+:[1-9][0-9]{0,6}")
MOST_LETTERS = 1000


class Scope(NamedTuple):
    """Which part of the record is asked for."""

    access: bool
    case: str
    days: list[str] | None
    finding: str
    games: list[str]
    hand: str
    player: str
    tables: list[str]
    to_date: bool

    @property
    def in_part(self) -> bool:
        """Whether rounds are asked for, and not days."""
        return bool(self.player or self.case or self.finding or self.hand)

    def has_day(self, day: str) -> bool:
        """Whether a day lies in it."""
        return self.days is None or self.days[0] <= day <= self.days[1]

    def has(self, table: str, day: str, book: str) -> bool:
        """Whether a table's day, of this game, is asked for whole."""
        if self.in_part or not self.has_day(day):
            return False
        if table == "property":
            return not self.tables and not self.games
        return (not self.tables or table in self.tables) and (not self.games or book in self.games)

    @property
    def said(self) -> str:
        """What is asked for, in words."""
        days = "all days to the checkpoint" if self.days is None else " to ".join(dict.fromkeys(self.days))
        of = {"table": " ".join(self.tables), "game": " ".join(self.games), "hand": self.hand, "player": self.player}
        of.update({"case": self.case, "finding": self.finding})
        words = [] if self.in_part and self.days is None else [days]
        words += [f"{name} {value}" for name, value in of.items() if value]
        words += ["every table"] if not words[1:] and not self.in_part else []
        return ", ".join([*words, *(["to date"] if self.to_date else []), *(["access log"] if self.access else [])])


class Question(NamedTuple):
    """What was asked, by whom and for whom."""

    scope: Scope
    zone: str
    identities: str
    books: dict[str, str]
    checkpoint: Any
    texts: dict[str, str]

    @property
    def said(self) -> str:
        """All of it, in words."""
        who = "players named" if self.identities == "named" else "players as tokens"
        texts = {name: json.dumps(text, ensure_ascii=False) for name, text in self.texts.items()}
        return (
            f"{self.scope.said}; {who}; times of {self.zone}; for {texts['recipient']}, purpose {texts['purpose']}; "
            f"ordered by {texts['ordered_by']}, signed by {texts['signed_by']}; made by {texts['software']}"
        )


def question_of(stored: bytes) -> Question:
    """The question, if it is one that can be asked, written as one is."""
    asked = parsed(stored)
    if not isinstance(asked, dict) or canonical(asked).encode() + b"\n" != stored or set(asked) != QUESTION_KEYS:
        raise ValueError("it is not written as a question is")
    if asked["version"] != FORM:
        raise UnreadableError(f"it has form {asked['version']!r}, and this verifier knows form {FORM}")
    texts = {name: asked[name] for name in _TEXTS}
    if not all(isinstance(text, str) for text in (*texts.values(), asked["zone"])):
        raise ValueError("what has to be text is none")
    for name, text in texts.items():
        if not text or len(text) > MOST_LETTERS or " ".join(text.split()) != text:
            raise ValueError(f"{name} has to be on one line, of 1 to {MOST_LETTERS} letters")
    if asked["ordered_by"] == asked["signed_by"]:
        raise ValueError("who ordered it and who signed it are one person")
    if asked["identities"] not in ("tokens", "named"):
        raise ValueError(f"identities are tokens or named, not {asked['identities']!r}")
    books = {each["book"]: each["digest"] for each in asked["books"] if set(each) == {"book", "digest", "title"}}
    if len(books) != len(asked["books"]) or not all(set(each) == {"holds", "path"} for each in asked["files"]):
        raise ValueError("its books or files are not written as such lists are")
    return Question(_scope_of(asked["scope"]), asked["zone"], asked["identities"], books, asked["checkpoint"], texts)


def _scope_of(said: Any) -> Scope:
    if not isinstance(said, dict) or set(said) != set(Scope._fields):
        raise ValueError("its scope has other parts than a scope has")
    scope = Scope(**said)
    days, lists = scope.days, (scope.games, scope.tables)
    texts = (scope.case, scope.finding, scope.hand, scope.player)
    good = type(scope.access) is type(scope.to_date) is bool and all(isinstance(text, str) for text in texts)
    for each in (*lists, days or []):
        good = good and isinstance(each, list) and all(isinstance(text, str) and text for text in each)
    good = good and all(each == sorted(set(each)) for each in lists)
    if good and days is not None:
        good = len(days) == 2 and days[0] <= days[1] and all(map(DAY.fullmatch, days))
        good = good and all(datetime.fromisoformat(day) for day in days)
    if not good:
        raise ValueError("its scope is not written as a scope is")
    one_of = [text for text in (scope.case, scope.finding, scope.hand) if text]
    if len(one_of) > 1 or (one_of and (days or scope.tables or scope.games or scope.player)):
        raise ValueError("it asks for two things that cannot be asked for together")
    if not (one_of or days or scope.tables or scope.games or scope.player):
        raise ValueError("it asks for nothing")
    if (scope.player and scope.games) or (scope.in_part and (scope.access or scope.to_date)):
        raise ValueError("it asks for two things that cannot be asked for together")
    if scope.hand and not HAND.fullmatch(scope.hand):
        raise ValueError(f"{scope.hand!r} is no hand")
    return scope


class Answered:
    """What is here, held against what was asked."""

    def __init__(self, question: Question) -> None:
        self.scope, self.question = question.scope, question
        self.zone = ""  # as the newest opening of the property that is here says it
        self.editions = True  # whether every table opened under the rule books the question names
        self.books: dict[str, str] = {}  # by stream
        self.players: dict[tuple[str, int], set[str]] = {}
        self.linked: list[tuple[str, int]] = []
        self._found: dict[str, dict[str, Any]] = {}
        self._told: dict[str, str] = {}  # in which stream a finding is told of

    def opened(self, shown: Shown, record: dict[str, Any]) -> None:
        """The opening of a day."""
        if shown.owner == "property":
            self.zone = str(record.get("zone", "UTC"))
        else:
            book = self.books[shown.stream] = str(record["book"])
            self.editions = self.editions and self.question.books.get(book) == record["book_digest"]

    def take(self, shown: Shown, record: dict[str, Any]) -> None:
        """A record of findings or of the desk."""
        if record["type"] in ("finding-raised.1", "finding-revised.1") and record["finding"] == self.scope.finding:
            self._found[record["finding"]] = record
        elif record["type"] == "hand-linked.1" and shown.stream == f"case/{self.scope.case}":
            self.linked.append((record["of_stream"], record["of_round"]))

    def check(self, streams: Sequence[Shown]) -> None:
        """Raises where something is here that was not asked for, or shown otherwise than asked."""
        rounds = {shown.stream: shown.rounds for shown in streams if shown.kind == "facts" and shown.rounds}
        whole = {shown.stream for shown in streams if shown.kind == "facts" and shown.whole}
        for shown in streams:
            table, _, day = shown.stream.partition("/")
            if shown.kind == "facts":
                says = self._wrong(shown, self.scope.has(table, day, self.books.get(shown.stream, "")))
            elif shown.kind == "findings":
                says = "" if shown.whole != self.scope.in_part else "is not shown as findings about what is asked are"
                about = {f"{name}/{day.rstrip('~')}" for name in table.split("+")}
                if not self.scope.in_part and not about & whole:
                    says = "is about nothing that is asked for"
            else:
                says = self._wrong_desk(table, day)
            if says:
                raise AlteredError(f"{shown.stream} {says}", QUESTION, line=1, stream=shown.stream)
        self._check_rounds(rounds)

    def _wrong(self, shown: Shown, asked: bool) -> str:
        if shown.whole != asked:
            return "is not asked for, and shown whole" if shown.whole else "is asked for whole, and shown in part"
        if shown.rounds and not self.scope.in_part:
            return "is shown for rounds, and whole days were asked for"
        return ""

    def _wrong_desk(self, kind: str, name: str) -> str:
        if kind == "access":
            good = self.scope.access and self.scope.has_day(name)
        else:
            good = bool(self.scope.case) and (kind == "review" or (kind, name) == ("case", self.scope.case))
        return "" if good else "is not asked for"

    def _check_rounds(self, rounds: dict[str, list[int]]) -> None:
        scope = self.scope
        if scope.hand:
            stream, _, number_of = scope.hand.partition(":")
            if rounds != {stream: [int(number_of)]}:
                raise AlteredError(f"hand {scope.hand} is asked for, and other rounds are shown", STREAMS)
        for stream, numbers in rounds.items():
            table, _, day = stream.partition("/")
            if scope.player and not (scope.has_day(day) and (not scope.tables or table in scope.tables)):
                raise AlteredError(f"rounds of {stream} are shown, which is not asked for", STREAMS, stream=stream)
            for each in numbers if scope.player else ():
                if guarded(scope.player) not in self.players.get((stream, each), ()):
                    says = f"{scope.player} is asked for, who has no hand in round {each} of {stream}"
                    raise AlteredError(says, STREAMS, stream=stream)
        if scope.finding:
            told = self._found.get(scope.finding)
            if told is None:
                raise AlteredError(f"finding {scope.finding} is asked for, and not here", STREAMS)
            about = told.get("about") or told["stream"]
            if told.get("round") is not None and told["round"] not in rounds.get(about, ()):
                says = f"round {told['round']} of finding {scope.finding} is not shown"
                raise AlteredError(says, STREAMS, stream=about)

    @property
    def unseen(self) -> int:
        """How many hands the case links are not here."""
        return len(set(self.linked) - set(self.players))


# All of it, in the order in which one thing is proved by another.

ROTATIONS, DEVICES, PUBLIC = "data/keys/rotations.jsonl", "data/keys/devices.jsonl", "data/keys/property.pub"
LEFT_OUT, TOLD_ROUNDS = "data/corrections-left-out.jsonl", "data/rounds.jsonl"
QUESTION_KEYS = {
    *("books", "checkpoint", "files", "identities", "ordered_by", "signed_by", "purpose", "recipient", "scope"),
    *("software", "version", "zone"),
}
FORM = 2  # of exports
BAGIT = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
# The SHA-256 of the page that goes with this program.
HOW_TO = "a35d28c6d56785e289b38037431df28ea533bab2f8fce8680026025b6dbfdbd3"
_KNOWN_BEFORE = (b'{"type":"corrected.1"', b'{"type":"key-')
CLOSES = ("table-closed.1", "property-closed.1")
SEALING = ("chain-sealed.1", "findings-sealed.1")


def own_digest() -> str:
    """The SHA-256 of this program, or nothing where its text is not to be had."""
    try:
        return sha256(Path(__file__).read_bytes()).hexdigest()
    except (OSError, NameError):
        return ""


class Asked(NamedTuple):
    """What whoever verifies brings along: keys, a checkpoint from elsewhere, and which seals to check."""

    keys: Sequence[Key] = ()
    witnesses: Sequence[Key] = ()
    held: str = ""
    seals: str = "all"


class Verdict(NamedTuple):
    """What was proved, what was not, what was asked, and whether somebody from outside vouches for it."""

    proved: list[str]
    not_proved: list[str]
    vouched: bool
    says: str  # what it is, in a few words
    asked: str

    @property
    def line(self) -> str:
        """In one line of at most 200 letters."""
        word = "PROVED" if self.vouched else "SOUND, BUT NOBODY FROM OUTSIDE VOUCHES FOR IT"
        behind = f"; {len(self.not_proved)} things are not proved, see below"
        room = 200 - len(word) - len(behind) - 2
        return f"{word}: {self.says if len(self.says) <= room else self.says[: room - 1] + '…'}{behind}"

    @property
    def text(self) -> str:
        """The line, what was asked, and what is not proved, a line each."""
        return "\n".join([self.line, f"asked for: {self.asked}", *(f"NOT PROVED: {says}" for says in self.not_proved)])


class Verification:
    """One export, checked step by step. The first step that finds something altered raises."""

    def __init__(self, file: BinaryIO, asked: Asked, tell: Callable[[str], None] = lambda says: None) -> None:
        self.asked, self._tell = asked, tell
        self.proved: list[str] = []
        self.not_proved: list[str] = []
        self.export = Export(file)
        self.records = 0
        self._cosigned = ""
        self._closing: dict[str, tuple[bool, Stretch]] = {}  # of whole streams: whether closed, and the last stretch

    def run(self) -> Verdict:
        """Every step in its order."""
        export = self.export
        self._done(f"container laid down again byte for byte, {export.length} bytes, {len(export.members)} files")
        self.told = self._told_keys()
        self.statement = self._statement()
        self.files = Files(export)
        self._check_files()
        self._check_own()
        vouched = self._outside()
        self.question = self._question()
        self.head = self._checkpoint()
        vouched = self._witnessed() and vouched
        self._frame()
        self._check_records()
        self._check_after()
        self._check_earlier()
        self._check_leaves()
        self._check_tables()
        self._rest()
        records = f"{self.records} records of {len(self._streams)} streams"
        says = f"{export.name}, {records}, is what {self.head.origin} signed{self._cosigned}"
        return Verdict(self.proved, self.not_proved, vouched, says, self.question.said)

    def _done(self, says: str) -> None:
        self.proved.append(says)
        self._tell(says)

    def _told_keys(self) -> list[Told]:
        """The property's keys, as signed notes tell of one after the other."""
        told: list[Told] = []
        for line in self.export.lines(ROTATIONS):
            with altered(ROTATIONS, line, "it does not tell of a key"):
                said = parsed(line.text)
                if laid_down({"note": said["note"]}).encode() != line.text:
                    raise ValueError
                told.append(told_of(said["note"], told[-1] if told else None))
        if not told:
            raise AlteredError("it tells of no key", ROTATIONS)
        return told

    def _key_at(self, size: int) -> Key:
        """The property's key that signs a head of this size."""
        return next((told.key for told in reversed(self.told) if told.size < size), self.told[0].key)

    def _statement(self) -> Statement:
        statement, public = statement_of(self.export.read(STATEMENT)), self.told[-1].key.public
        if not statement.signed(public):
            says = f"the signature is not of this statement by the key {sha256(public).hexdigest()}"
            raise AlteredError(says, STATEMENT, line=1)
        return statement

    def _check_files(self) -> None:
        """The statement names the manifests, these name every file: all hashes are those that were signed."""
        export, files, expected = self.export, self.files, self.files.expected
        for path in (QUESTION, MANIFEST, TAGMANIFEST):
            if files.digests[path] != self.statement.subjects[path]:
                here = export.text(path)
                if path == QUESTION:
                    raise damaged(export, files, path)
                if here != expected[path]:
                    raise first_other_line(path, here, expected[path])
                raise AlteredError("it fits the files here, and the statement signs another: made for another", path)
        for path, of in ((TAGMANIFEST, TAGS), (MANIFEST, [each for each in files.digests if each.startswith("data/")])):
            named = manifest_lines(export, path)
            if missing := sorted(set(named) - set(of)):
                raise AlteredError(f"the signed {path} names it, and it is not in the export", missing[0])
            for each in of:
                if each not in named:
                    raise AlteredError(f"the signed {path} does not name it", each)
                if named[each] != files.digests[each]:
                    raise self._located(each)
            if export.text(path) != expected[path]:
                raise first_other_line(path, export.text(path), expected[path])
        if export.text(PIECES) != expected[PIECES]:
            raise first_other_line(PIECES, export.text(PIECES), expected[PIECES])
        self._done(f"every file is the one that key {self.statement.keyid[:16]} signed for")

    def _check_own(self) -> None:
        """Whether the program and the page in it are the ones this program knows: any others may say anything."""
        own = own_digest()
        if own == self.files.digests["verify.py"]:
            self._done("verify.py in it is this program")
        else:
            says = f"what verify.py in it does: it is another program (SHA-256 {self.files.digests['verify.py']})"
            self.not_proved.append(f"{says} than this one ({own or 'whose own text cannot be read'})")
        if self.files.digests["HOW-TO-VERIFY.txt"] != HOW_TO:
            self.not_proved.append("what HOW-TO-VERIFY.txt in it says: it is another page than this program knows")

    def _located(self, path: str) -> AlteredError:
        """Where a file differs from the one that was signed: by its own proofs, or by its pieces."""
        if path == PIECES:
            return first_other_line(path, self.export.text(path), self.files.expected[PIECES])
        if not path.startswith(SELF_TELLING) and path not in (EARLIER, AFTER):
            return damaged(self.export, self.files, path)
        try:
            self.head = self._checkpoint()
            if path == EARLIER:
                self._check_earlier()
            elif path == AFTER:
                for line in self.export.lines(path):
                    proven(line, path, self.head)
            else:
                self._walk(path)
        except AlteredError as found:
            where = {"stream": found.stream, "sequence": found.sequence}
            return AlteredError(found.says, path, line=found.line, byte=found.byte, **where)  # type: ignore[arg-type]
        return AlteredError(f"it is not the file that was signed: its SHA-256 is {self.files.digests[path]}", path)

    def _walk(self, path: str) -> None:
        for shown in shown_streams(self.export):
            if path in (shown.path, shown.places):
                for _ in Records(self.export, self.head, shown).each():
                    pass
            elif path == shown.stretches:
                for _ in Records(self.export, self.head, shown).stretches():
                    pass

    def _outside(self) -> bool:
        """Whether a key that was given from outside leads to the one that signed."""
        if not self.asked.keys:
            self.not_proved.append(
                "who made it: no key was given from outside, and one that came with it proves nothing"
            )
            return False
        for key in self.asked.keys:
            for told in self.told:
                if told.key.public == key.public and key.name in ("", told.key.name):
                    self._done(f"signed by {told.key.name} with the key given from outside")
                    return True
        raise AlteredError(
            f"it is signed with the key {self.statement.keyid}, and the key given from outside is another", STATEMENT
        )

    def _question(self) -> Question:
        """What was asked: the export has its name from it, and the statement says the same."""
        export = self.export
        try:
            asked = question_of(export.read(QUESTION))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise AlteredError(str(error), QUESTION, line=1) from error
        said = {**asked.texts, "name": export.name, "checkpoint": export.text(CHECKPOINT)}
        named, players = asked.identities == "named", table_path("players")
        if named != (players in export.members):
            says = (
                "players are said to be named, and it is not here" if named else "identities are tokens, and it is here"
            )
            raise AlteredError(says, players)
        if export.name != f"export-{self.files.digests[QUESTION][:16]}":
            raise AlteredError(f"the export is called {export.name}: the name of another question", QUESTION)
        if said != self.statement.predicate:
            of = next(name for name in {**said, **self.statement.predicate} if said.get(name) != _get(self, name))
            raise AlteredError(f"its {of} is another than the question and the checkpoint say", STATEMENT, line=1)
        return asked

    def _checkpoint(self) -> Head:
        """The checkpoint: signed with the property's key of that time."""
        with altered(CHECKPOINT, None, "it is no checkpoint"):
            head = head_of(self.export.text(CHECKPOINT))
            if not head.note.signed(self._key_at(head.size)):
                raise ValueError("the property's key has not signed it")
        return head

    def _witnessed(self) -> bool:
        """What the question says of the checkpoint, and whether the witnesses given from outside have cosigned it."""
        head, said = self.head, self.question.checkpoint
        names = [name for name, _, _ in head.note.signatures[1:]]
        told = {"cosigned_by": names, "origin": head.origin, "root": head.root.hex(), "size": head.size}
        if said != {**told, "time": head.time}:
            raise AlteredError(
                "the question was asked of another checkpoint: an older or other one was put in", CHECKPOINT
            )
        self._done(f"bound to checkpoint {head.size} of {head.time}, signed by {head.origin}")
        if not self.asked.witnesses:
            self.not_proved.append("that the property shows everybody the same record: no witness's key was given")
        vouched = True
        for witness in self.asked.witnesses:
            with altered(CHECKPOINT, None, ""):
                at = head.note.cosigned(witness)
            if at:
                self._done(f"cosigned by {witness.name or 'the witness'} at {at}")
                self._cosigned += f", cosigned by {witness.name or 'the witness'}"
            else:
                vouched = False
                self.not_proved.append(f"that {witness.name or 'the witness given'} saw it: it has not cosigned it")
        return vouched

    def _frame(self) -> None:
        """What stands around the records follows from the question, the checkpoint and the files."""
        export, head, name = self.export, self.head, self.export.name
        inside = [member for path, member in export.members.items() if path.startswith("data/")]
        info = f"Source-Organization: {head.origin}\nBagging-Date: {head.time[:10]}\nExternal-Identifier: {name}\n"
        info += f"Bag-Software-Agent: {self.question.texts['software']}\n"
        info += f"Payload-Oxum: {sum(member.size for member in inside)}.{len(inside)}\n"
        due = (("bagit.txt", BAGIT), ("bag-info.txt", info), (PUBLIC, key_file(self.told[-1].key)))
        for path, wanted in due:
            if (here := export.text(path)) != wanted:
                raise first_other_line(path, here, wanted)
        for path, member in export.members.items():
            if _moment(member.mtime) != head.time:
                raise AlteredError(f"{path} has the time {_moment(member.mtime)}, and the checkpoint {head.time}")

    def _check_records(self) -> None:
        """Every record in the tree, every chain, every day's link, every seal, and the tables that follow."""
        export = self.export
        streams, corrections, register = shown_streams(export), *self._read_before()
        seals = Seals(register, self.asked.seals)
        tables = Tables(export, corrections, self._pairs(TOLD_ROUNDS, "round"), self.question)
        self.answered = Answered(self.question)
        days, records, whole = Days(self.question.scope), 0, 0
        for shown in streams:
            self._tell(f"\r{shown.stream}")
            reading = self._read_stream(shown, seals, tables, days)
            records, whole = records + reading.count, whole + shown.whole
        derived = tables.finish()
        self.answered.players = tables.rounds.players
        self.answered.check(streams)
        self._streams = streams
        if (here := export.text(DEVICES)) != register.lines:
            raise first_other_line(DEVICES, here, register.lines)
        self.records = records
        self._done(
            f"{records} records of {len(streams)} streams stand in the property's tree, {whole} streams unbroken"
        )
        self._sealed(seals)
        said = ", ".join(f"{name} {count}" for name, count in derived.items())
        self._done(f"derived again from the records, rows of {said}")
        self._believed(tables)

    def _read_stream(self, shown: Shown, seals: Seals, tables: Tables, days: Days) -> Records:
        """One stream. What its records say is judged once they are proved to be the ones in the tree."""
        reading, last, place = Records(self.export, self.head, shown), "", Line(0, 0, b"")
        held: AlteredError | None = None
        seals.begin(shown)
        tables.begin(shown)
        try:
            for taken in reading.each():
                record, place = taken.record, taken.line
                try:
                    if place.number == 1 and shown.kind == "facts":
                        days.opened(shown, record)
                        self.answered.opened(shown, record)
                    seals.take(taken)
                except AlteredError as error:
                    held = held or error
                tables.take(record)
                if shown.kind != "facts":
                    self.answered.take(shown, record)
                if record["type"] not in SEALING:
                    last = record["type"]
            if held is not None:
                raise held
            seals.end()
            tables.end()
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            says = f"it is not written as a record of its type is: {error}"
            where = {"stream": shown.stream, "sequence": reading.count}
            raise AlteredError(says, shown.path, line=place.number, byte=place.byte, **where) from error  # type: ignore[arg-type]
        if shown.whole and reading.last_stretch:
            self._closing[shown.path] = (last in CLOSES, reading.last_stretch)
            days.ended(shown, reading.head)
        return reading

    def _read_before(self) -> tuple[Corrections, KeyRegister]:
        """What has to be known before records are read: what corrects them, and the keys of devices."""
        corrections, register = Corrections(set(self._pairs(LEFT_OUT, ""))), KeyRegister()
        for path in self.export.members:
            if not path.startswith("data/facts/") or not self.export.holds(path, _KNOWN_BEFORE):
                continue
            for line in self.export.lines(path):
                if line.text.startswith(_KNOWN_BEFORE):
                    with altered(path, line, "it is not written as a fact of its type is"):
                        fact = parsed(line.text)
                        if fact["type"] == "corrected.1":
                            corrections.take(fact)
                        elif fact["stream"].startswith("property/"):
                            register.take(fact)
        return corrections, register

    def _pairs(self, path: str, third: str) -> dict[tuple[str, int], int]:
        """What a file says of single records, which has to be believed."""
        found: dict[tuple[str, int], int] = {}
        last = ("", 0)
        for line in self.export.lines(path) if path in self.export.members else ():
            with altered(path, line, "it is not written as such a line is"):
                said = parsed(line.text)
                again = {name: said[name] for name in ("stream", "sequence", third) if name}
                place = (said["stream"], said["sequence"])
                if laid_down(again).encode() != line.text or last >= place:
                    raise ValueError
                found[place], last = said[third] if third else 0, place
        return found

    def _believed(self, tables: Tables) -> None:
        """What tables say of what is not here."""
        rounds = tables.rounds
        if rounds.untold:
            self.not_proved.append(f"{rounds.untold} rows of wagers that no fact tells of: what is owed on them alone")
        if rounds.unnamed:
            self.not_proved.append(
                f"who sat at {rounds.unnamed} hands of streams in part: no wager there names a player"
            )
        if rounds.open_ended:
            says = f"all of {rounds.open_ended} rounds of streams in part, which do not begin with their opening or end"
            self.not_proved.append(says)
        if any(not shown.whole and shown.rounds for shown in self._streams):
            self.not_proved.append(
                "what came later to the rounds of streams in part, and what was in force before them"
            )
        if any(not shown.whole for shown in self._streams):
            self.not_proved.append(f"how many records streams in part have in all (last in {STREAMS})")
        if tables.clock.strange:
            count = tables.clock.strange
            self.not_proved.append(
                f"the offset of {count} moments: this machine knows another for {self.question.zone}"
            )
        if tables.statistics.believed:
            count = tables.statistics.believed
            self.not_proved.append(f"{count} figures to date in statistics, which begin with days that are not here")
        if tables.statistics.to_date:
            self.not_proved.append("the holds that statistics are compared with, and the notes about them")
        if tables.openers.apart:
            count = tables.openers.apart
            self.not_proved.append(f"the closers before {count} openings that name a day before which is not here")

    def _sealed(self, seals: Seals) -> None:
        if seals.checked:
            self._done(f"{seals.checked} seals by devices' keys hold")
        if seals.passed_over:
            self.not_proved.append(f"{seals.passed_over} seals of devices, which were not checked (--seals)")
        if seals.apart:
            says = f"{seals.apart} seals over records that are not here"
            self.not_proved.append(f"{says}: they hold, and say nothing of the records that are here")
        if seals.unsealed_in_part:
            count = seals.unsealed_in_part
            self.not_proved.append(f"which device wrote {count} facts of streams in part: no seal here covers them")
        if seals.unsealed:
            self.not_proved.append(f"which device wrote the last {seals.unsealed} facts that no seal covers yet")

    def _check_after(self) -> None:
        """That nothing was cut off the streams that are whole: by their close, or by every later leaf of the tree."""
        facts = {shown.path for shown in self._streams if shown.kind == "facts" and shown.whole}
        still_open = {path: last for path, (closed, last) in self._closing.items() if path in facts and not closed}
        begin = min((last.place for last in still_open.values()), default=self.head.size - 1) + 1
        ends = {(last.kind, last.stream): last.place for _, last in self._closing.values()}
        at = begin
        for line in self.export.lines(AFTER) if AFTER in self.export.members else ():
            leaf = proven(line, AFTER, self.head)
            if leaf.place != at:
                raise AlteredError(
                    f"leaf {at} is due, and {leaf.place} stands here", AFTER, line=line.number, byte=line.byte
                )
            if leaf.place > ends.get((leaf.kind, leaf.stream), self.head.size):
                says = f"the property's tree holds records {leaf.first} to {leaf.last} too: the tail is cut off"
                raise AlteredError(
                    says, f"data/{leaf.kind}/{leaf.stream}.jsonl", stream=leaf.stream, sequence=leaf.first
                )
            at += 1
        if at != self.head.size:
            raise AlteredError(f"leaves {at} to {self.head.size - 1} of the property's tree are missing in it", AFTER)
        if facts:
            self._done(f"{len(facts)} streams of facts are whole to the checkpoint, none lacks its tail")
        open_ended = [last for path, (_, last) in self._closing.items() if path not in facts and last.place < begin - 1]
        self._may_go_on = len(open_ended)

    def _check_earlier(self) -> None:
        """Earlier heads, each signed, and this one going on from each of them."""
        before, first = 0, ""
        heads: dict[int, bytes] = {self.head.size: self.head.root}
        self.heads = {self.head.size: (self.head.root, self.head.time)}
        for line in self.export.lines(EARLIER):
            with altered(EARLIER, line, "it is not written as an earlier checkpoint is"):
                said = parsed(line.text)
                if laid_down({"note": said["note"], "consistency": said["consistency"]}).encode() != line.text:
                    raise ValueError
                old = head_of(said["note"])
                if old.origin != self.head.origin or not old.note.signed(self._key_at(old.size)):
                    raise ValueError("the property's key has not signed it")
                check_growth(old.size, self.head.size, old.root, self.head.root, hashes(said["consistency"]))
                if not before < old.size < self.head.size or old.time > self.head.time:
                    raise ValueError("it is no earlier one, or not in its order")
            before, first = old.size, first or old.time
            heads[old.size] = old.root
            self.heads[old.size] = old.root, old.time
        if len(heads) > 1:
            self._done(f"goes on from {len(heads) - 1} earlier checkpoints, the first of {first}")
        if self.asked.held:
            self._compare_held(heads)

    def _check_leaves(self) -> None:
        """That no stream which falls under the question was left out: every leaf of the tree since before its days."""
        scope, there = self.question.scope, LEAVES in self.export.members
        due = None if scope.in_part else leaves_due(scope.days, self.heads, self.head.size)
        if there != (due is not None):
            raise AlteredError("it is not in the export" if due else "it is here, and nothing asks for it", LEAVES)
        if due is None:
            self._not_listed()
            return
        ends = self._listed(*due)
        shown = {(each.kind, each.stream): each for each in self._streams}
        whole = {each.stream for each in self._streams if each.kind == "facts" and each.whole}
        for (kind, stream), (first, last) in sorted(ends.items()):
            here = shown.get((kind, stream))
            if here is None and self._falls_under(kind, stream, whole):
                says = f"{stream} stands in the property's tree and falls under the question, and it is left out"
                raise AlteredError(says, f"data/{kind}/{stream}.jsonl", stream=stream, sequence=first)
            if here is not None and here.whole and last > here.last:
                says = f"the property's tree holds records up to {last}: the tail is cut off"
                raise AlteredError(says, here.path, stream=stream, sequence=here.last + 1)
        begin, end = due
        since = f" since head {begin} of {self.heads[begin][1]}" if begin else ""
        self._done(
            f"every stream that falls under the question is here, by all {end - begin} leaves of the tree{since}"
        )
        if end < self.head.size:
            time = self.heads[end][1]
            self.not_proved.append(f"that no stream that falls under the question was first recorded after {time}")
            self._not_listed(streams=False)

    def _not_listed(self, *, streams: bool = True) -> None:
        if streams and not self.question.scope.in_part:
            says = "that no other stream falls under the question: whole tables, or their last days, may be left out"
            self.not_proved.append(f"{says}, and there are too many leaves since to list them all")
        if self._may_go_on:
            says = f"that nothing was added later to {self._may_go_on} streams of findings or of the desk"
            self.not_proved.append(says)

    def _falls_under(self, kind: str, stream: str, whole: set[str]) -> bool:
        """Whether a stream that is not here belongs to what was asked."""
        scope, (table, _, day) = self.question.scope, stream.partition("/")
        if kind == "facts":
            return scope.has(table, day, scope.games[0] if scope.games else "")
        if kind == "findings":
            return not whole.isdisjoint(f"{name}/{day.rstrip('~')}" for name in table.split("+"))
        return table == "access" and scope.access and scope.has_day(day)

    def _listed(self, begin: int, end: int) -> dict[tuple[str, str], tuple[int, int]]:
        """The leaves from one size of the tree to another, proved to be all: first and last record of each stream."""
        ends: dict[tuple[str, str], tuple[int, int]] = {}
        lines, count = self.export.lines(LEAVES), 0
        with altered(LEAVES, head := next(lines), "it does not begin as a list of leaves does"):
            said = parsed(head.text)
            again = {"from": said["from"], "to": said["to"], "peaks": said["peaks"]}
            if laid_down(again).encode() != head.text or (said["from"], said["to"]) != (begin, end):
                raise ValueError(f"leaves {begin} to {end - 1} are due in it")
            tree = Growing(begin, hashes(said["peaks"]))
        for line in lines:
            with altered(LEAVES, line, "it is not written as a leaf is"):
                leaf, count = parsed(line.text), count + 1
                if laid_down({name: leaf[name] for name in FIELDS_OF_A_STRETCH}).encode() != line.text:
                    raise ValueError
                of, first, last = (leaf["kind"], leaf["stream"]), leaf["first"], leaf["last"]
                if not all(isinstance(each, str) for each in of) or type(first) is not int or type(last) is not int:
                    raise ValueError
                tree.add(leaf_hash(line.text))
                known = ends.get(of, (first, last))
                ends[of] = min(first, known[0]), max(last, known[1])
        if count != end - begin or tree.root != self.heads[end][0]:
            raise AlteredError(f"these are not all {end - begin} leaves {begin} to {end - 1} of the tree", LEAVES)
        return ends

    def _compare_held(self, heads: dict[int, bytes]) -> None:
        """Against a checkpoint that whoever verifies has from elsewhere."""
        try:
            held = head_of(self.asked.held)
            good = held.origin == self.head.origin and held.note.signed(self._key_at(held.size))
        except ValueError as error:
            raise UnreadableError(f"the checkpoint given with --checkpoint is none: {error}") from error
        if not good:
            raise UnreadableError("the checkpoint given with --checkpoint is not signed by this property")
        if held.size > self.head.size:
            says = f"an older checkpoint of size {self.head.size} was put in: the one you have, of {held.time}, has"
            raise AlteredError(f"{says} size {held.size}", CHECKPOINT)
        if heads.get(held.size, held.root) != held.root:
            says = f"two heads of one record: the checkpoint you have, of size {held.size}, has another root"
            raise AlteredError(says, CHECKPOINT if held.size == self.head.size else EARLIER)
        if held.size in heads:
            self._done(f"goes on from the checkpoint given from outside, of {held.time}")
        else:
            self.not_proved.append(f"that it goes on from the checkpoint given from outside, of {held.time}")

    def _check_tables(self) -> None:
        check_lists(self.export)
        if table_path("players") in self.export.members:
            check_players(self.export)
        count = check_tables(self.export)
        also = ", and the workbook cell by cell" if WORKBOOK in self.export.members else ""
        self._done(f"{count} rows of tables written in the one form there is{also}")

    def _rest(self) -> None:
        """What follows from nothing that is here."""
        self.not_proved += [f"{what}: {why}" for what, why in NEEDS_MORE.items()]
        files = [path for path in ("data/report.pdf", "data/facts.parquet") if path in self.export.members]
        if files:
            self.not_proved.append(f"what {' and '.join(files)} say: signed as they are")
        believed = [path for path in (LEFT_OUT, TOLD_ROUNDS, table_path("players")) if path in self.export.members]
        if believed:
            self.not_proved.append(f"what {' and '.join(believed)} say, which is believed")
        self._rest_of_the_question()
        self.not_proved.append("that what was recorded is true")

    def _rest_of_the_question(self) -> None:
        """What of the question follows from nothing that is here."""
        scope, answered = self.question.scope, self.answered
        if answered.zone != self.question.zone:
            known = (
                f"the last opening of the property that is here says {answered.zone}" if answered.zone else "none does"
            )
            self.not_proved.append(f"that the property's time is that of {self.question.zone}: {known}")
        if not answered.editions:
            self.not_proved.append(
                "that amounts owed go by the rule books tables opened under: the question names others"
            )
        self.not_proved.append("what the question says its files hold, and what it calls the rule books")
        if answered.unseen:
            self.not_proved.append(f"what became of {answered.unseen} hands that the case links: they are not here")
        if scope.player:
            self.not_proved.append(f"that {scope.player} played no other rounds: a round left out leaves no gap")
        elif scope.in_part:
            self.not_proved.append("that no other round belongs to what is asked: a round left out leaves no gap")


NEEDS_MORE = {
    "what was owed, and what hangs on it": "it needs the rule books. That is house, void_clause, owed_cents, decided "
    "and undecided in rounds; holds, owed_cents and difference_cents in hands; owed_cents, difference_cents, clause, "
    "basis and undecided in wagers; errors as far as they go by these; all of coverage",
    "the decks": "that is deck in rounds, all of deck_ledger, and in card_record the deck of counts and determinations",
    "clause_texts in findings": "they are the register's words",
}


def _get(verification: Verification, name: str) -> Any:
    return verification.statement.predicate.get(name)


class Days:
    """The links between the days of a table or of the property."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._heads: dict[str, tuple[str, Shown]] = {}
        self._newest: dict[str, str] = {}

    def opened(self, shown: Shown, record: dict[str, Any]) -> None:
        """The opening of a day: the day before, where it is here whole, has the head that is named."""
        if not record["type"].endswith("-opened.1"):
            raise AlteredError("a stream begins with its opening", shown.path, line=1, stream=shown.stream, sequence=1)
        before, head = record.get("previous_stream", ""), record.get("previous_head", "")
        if before in self._heads:
            named, of = self._heads[before]
            if named != head:
                says = f"{shown.stream} names another hash as that of its last record: cut off or changed"
                raise AlteredError(says, of.path, stream=before, sequence=of.last)
        if self._asked(shown, shown.stream):
            if before != self._newest.get(shown.owner, "") and self._asked(shown, before):
                says = f"{shown.stream} follows {before}, which is left out"
                raise AlteredError(says, f"data/facts/{before}.jsonl", stream=before)
            self._newest[shown.owner] = shown.stream

    def _asked(self, shown: Shown, stream: str) -> bool:
        """Whether a day of this table is asked for, unless it played another game: its opening is here then."""
        scope = self._scope
        game = scope.games[0] if scope.games else ""
        return bool(stream) and scope.has(shown.owner, stream.partition("/")[2], game)

    def ended(self, shown: Shown, head: str) -> None:
        """The end of a whole day."""
        if shown.kind == "facts":
            self._heads[shown.stream] = (head, shown)


@contextmanager
def altered(path: str, line: Line | None, otherwise: str) -> Iterator[None]:
    """What is wrong in here is said with its place."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        says = (str(error) if isinstance(error, ValueError) else "") or otherwise
        number, byte = (line.number, line.byte) if line else (0, -1)
        raise AlteredError(says, path, line=number, byte=byte) from error


def verify(file: BinaryIO, asked: Asked, tell: Callable[[str], None] = lambda says: None) -> Verdict:
    """Checks an export; raises what was altered first."""
    return Verification(file, asked, tell).run()


# The command.

ALTERED, NOT_VOUCHED, UNREADABLE = 1, 3, 4


def given(text: str) -> str:
    """What is given is the text itself, or in a file of this name."""
    try:
        with Path(text).open(encoding="utf-8") as file:
            return file.read(65536)
    except (OSError, ValueError):
        return text


def key_given(text: str) -> Key:
    """A key from outside, by itself or in a file."""
    try:
        return key_of(given(text))
    except ValueError as error:
        raise ValueError(f"{text!r} is no key and no file with one: {error}") from error


def note_given(text: str) -> str:
    """A checkpoint from outside, in a file."""
    note = given(text)
    try:
        head_of(note)
    except ValueError as error:
        raise ValueError(f"{text!r} is no file with a checkpoint: {error}") from error
    return note


def shown_plainly(text: str) -> str:
    """Text that came with an export, as a terminal may be shown it: what steers one is written out."""
    plain = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    coding = getattr(sys.stdout, "encoding", None) or "ascii"
    return plain.encode(coding, "backslashreplace").decode(coding)


def answer(name: str, asked: Asked, *, quiet: bool = False) -> int:
    """Verifies a file, says what came of it, and gives the exit status."""
    watched = sys.stderr.isatty()

    def tell(says: str) -> None:
        if not says.startswith("\r"):
            if not quiet:
                print(shown_plainly(f"ok  {says}"), flush=True)
        elif watched:
            print(f"\r\033[K{shown_plainly(says[1:])}\r", end="", file=sys.stderr, flush=True)

    try:
        with Path(name).open("rb") as file:
            verdict = verify(file, asked, tell)
    except AlteredError as error:
        print(shown_plainly(f"ALTERED: {error}"))
        return ALTERED
    except (OSError, UnreadableError) as error:
        print(shown_plainly(f"UNREADABLE: {error}"), file=sys.stderr)
        return UNREADABLE
    except Exception as error:
        print(f"UNREADABLE: this verifier cannot go on, and has proved nothing: {error!r}", file=sys.stderr)
        return UNREADABLE
    for line in verdict.text.split("\n"):
        print(shown_plainly(line))
    return 0 if verdict.vouched else NOT_VOUCHED


def main(words: Sequence[str] | None = None) -> int:
    """The command: `verify.py FILE --key … --witness …`."""
    about = (__doc__ or "").split("\n\n")
    reader = argparse.ArgumentParser("verify.py", description=about[0], epilog=about[-1])
    reader.add_argument("file", help="the export, a .tar")
    many: dict[str, Any] = {"action": "append", "default": [], "metavar": "KEY"}
    reader.add_argument("--key", help="the property's public key, from somebody you know: a file or text", **many)
    reader.add_argument("--witness", help="a witness's public key, likewise; may be given again", **many)
    reader.add_argument("--checkpoint", metavar="FILE", help="a checkpoint you have from elsewhere")
    seals = "device seals whose signatures are checked (all); the last of a stream covers all before it"
    reader.add_argument("--seals", choices=("all", "last", "none"), default="all", help=seals)
    reader.add_argument("--quiet", action="store_true", help="the verdict only, and what is not proved")
    typed = reader.parse_args(words)
    try:
        keys, witnesses = [key_given(text) for text in typed.key], [key_given(text) for text in typed.witness]
        held = note_given(typed.checkpoint) if typed.checkpoint else ""
    except ValueError as error:
        reader.error(str(error))
    return answer(typed.file, Asked(keys, witnesses, held, typed.seals), quiet=typed.quiet)


if __name__ == "__main__":
    sys.exit(main())
