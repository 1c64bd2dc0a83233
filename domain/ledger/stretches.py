"""Stretches: the leaves of the property's tree, each a run of successive records of one stream.

A stretch has a small tree of its own over its records' stored bytes. One record is proved by its place in its stretch
and the stretch's place in the property's tree. The checker sees none of the neighboring records.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import msgspec

from domain.ledger.chain import digest
from domain.ledger.tree import EMPTY, BadProofError, check_inclusion, leaf_hash, node_hash

Kind = Literal["facts", "findings", "desk"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class BadStretchError(ValueError):
    """Bytes that are not a stretch in its canonical form."""


class Stretch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Successive records of one stream. The fields are written in this order."""

    kind: Kind
    stream: str
    first: int
    last: int
    head: str  # the hash of the last record, in hex
    root: str  # the root of the small tree over all records, in hex

    @property
    def count(self) -> int:
        """The number of its records."""
        return self.last - self.first + 1

    @property
    def stored(self) -> bytes:
        """The bytes of the leaf: one flat object, fields in order, no spaces."""
        return msgspec.json.encode(self)

    @property
    def leaf(self) -> bytes:
        """The hash of the leaf in the property's tree."""
        return leaf_hash(self.stored)


class Proven(msgspec.Struct, frozen=True):
    """A stretch with its place in the property's tree; the path's hashes are in hex, the leaf's neighbor first."""

    index: int
    stretch: Stretch
    path: tuple[str, ...]


_DECODER = msgspec.json.Decoder(Stretch)


def parsed(stored: bytes) -> Stretch:
    """Return the stretch in these bytes."""
    try:
        found = _DECODER.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadStretchError(f"this is not a stretch: {error}") from error
    if not 1 <= found.first <= found.last:
        raise BadStretchError(f"a stretch cannot have the records {found.first} to {found.last}")
    if found.stored != stored:
        raise BadStretchError("the bytes of this stretch are not in canonical form")
    return found


def stretch_of(kind: Kind, stream: str, first: int, leaves: Sequence[bytes], last_stored: bytes) -> Stretch:
    """Return the stretch of these records, from all their leaf hashes and the bytes of the last one."""
    return Stretch(kind, stream, first, first + len(leaves) - 1, digest(last_stored), root_of(leaves).hex())


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root over these leaf hashes, computed row by row."""
    row = list(leaves)
    while len(row) > 1:
        row = _above(row)
    return row[0] if row else EMPTY


def path_of(leaves: Sequence[bytes], at: int) -> list[bytes]:
    """Return the proof that one of these leaves is at its place, the neighbor first."""
    if not 0 <= at < len(leaves):
        raise IndexError(f"there is no leaf {at} among {len(leaves)}")
    row, path = list(leaves), []
    while len(row) > 1:
        beside = at ^ 1
        if beside < len(row):
            path.append(row[beside])
        row, at = _above(row), at >> 1
    return path


def _above(row: list[bytes]) -> list[bytes]:
    """Return the next row: pairs of neighbors joined, and a last one without a neighbor unchanged."""
    made = [node_hash(left, right) for left, right in zip(row[::2], row[1::2], strict=False)]
    return made if len(row) % 2 == 0 else [*made, row[-1]]


def check_records(stretch: Stretch, records: Iterable[bytes]) -> None:
    """Raise an error unless these are all the records of the stretch, in order."""
    leaves: list[bytes] = []
    last = b""
    for last in records:
        leaves.append(leaf_hash(last))
    if len(leaves) != stretch.count:
        raise BadProofError(f"{len(leaves)} records are given, and records {stretch.first} to {stretch.last} are meant")
    if digest(last) != stretch.head:
        raise BadProofError(f"record {stretch.last} has a hash other than the stretch states")
    if root_of(leaves).hex() != stretch.root:
        raise BadProofError(f"records {stretch.first} to {stretch.last} have a root other than the stretch states")


def check_proven(proven: Proven, size: int, root: bytes) -> None:
    """Raise an error unless the stretch is at its place in the tree of this size and root."""
    check_inclusion(proven.stretch.leaf, proven.index, size, _hashes(proven.path), root)


def _hashes(path: Sequence[str]) -> list[bytes]:
    return [_hash(step) for step in path]


def _hash(text: str) -> bytes:
    try:
        found = bytes.fromhex(text)
    except ValueError as error:
        raise BadProofError(f"{text!r} is not a hash") from error
    if found.hex() != text or len(found) != len(EMPTY):
        raise BadProofError(f"{text!r} is not a hash in hex")
    return found
