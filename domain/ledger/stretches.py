"""Stretches: the leaves of the property's tree, each some successive records of one stream.

A stretch has a small tree of its own over its records' stored bytes. So one record is proved by its place in its
stretch and the stretch's place in the property's tree, and whoever checks that sees none of its neighbours.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import msgspec

from domain.ledger.chain import digest
from domain.ledger.tree import EMPTY, BadProofError, check_inclusion, leaf_hash, node_hash

Kind = Literal["facts", "findings", "desk"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class BadStretchError(ValueError):
    """Bytes that are no stretch, or not in the one way a stretch is written."""


class Stretch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some successive records of one stream. The order of the fields is the order in which they are written."""

    kind: Kind
    stream: str
    first: int
    last: int
    head: str  # the hash of the last record, in hex
    root: str  # the root of the small tree over all of them, in hex

    @property
    def count(self) -> int:
        """How many records it has."""
        return self.last - self.first + 1

    @property
    def stored(self) -> bytes:
        """The bytes of the leaf: one flat object, the fields in their order, no spaces."""
        return msgspec.json.encode(self)

    @property
    def leaf(self) -> bytes:
        """Its hash in the property's tree."""
        return leaf_hash(self.stored)


class Proven(msgspec.Struct, frozen=True):
    """A stretch with its place in the property's tree; the hashes of the path in hex, the leaf's neighbour first."""

    index: int
    stretch: Stretch
    path: tuple[str, ...]


_DECODER = msgspec.json.Decoder(Stretch)


def parsed(stored: bytes) -> Stretch:
    """The stretch these bytes are."""
    try:
        found = _DECODER.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadStretchError(f"this is no stretch: {error}") from error
    if not 1 <= found.first <= found.last:
        raise BadStretchError(f"no stretch has the records {found.first} to {found.last}")
    if found.stored != stored:
        raise BadStretchError("these bytes say the same otherwise than a stretch is written")
    return found


def stretch_of(kind: Kind, stream: str, first: int, leaves: Sequence[bytes], last_stored: bytes) -> Stretch:
    """The stretch of these records, by the leaf hashes of all and the bytes of the last."""
    return Stretch(kind, stream, first, first + len(leaves) - 1, digest(last_stored), root_of(leaves).hex())


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over these leaf hashes, row by row."""
    row = list(leaves)
    while len(row) > 1:
        row = _above(row)
    return row[0] if row else EMPTY


def path_of(leaves: Sequence[bytes], at: int) -> list[bytes]:
    """The proof that one of these leaves stands at its place, the neighbour first."""
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
    """The next row: neighbours together, and a last one without a neighbour as it is."""
    made = [node_hash(left, right) for left, right in zip(row[::2], row[1::2], strict=False)]
    return made if len(row) % 2 == 0 else [*made, row[-1]]


def check_records(stretch: Stretch, records: Iterable[bytes]) -> None:
    """Raises unless these are the records of the stretch, all of them and in order."""
    leaves: list[bytes] = []
    last = b""
    for last in records:
        leaves.append(leaf_hash(last))
    if len(leaves) != stretch.count:
        raise BadProofError(f"{len(leaves)} records are given, and records {stretch.first} to {stretch.last} are meant")
    if digest(last) != stretch.head:
        raise BadProofError(f"record {stretch.last} has another hash than the stretch says")
    if root_of(leaves).hex() != stretch.root:
        raise BadProofError(f"records {stretch.first} to {stretch.last} have another root than the stretch says")


def check_record(stretch: Stretch, sequence: int, stored: bytes, path: Sequence[str]) -> None:
    """Raises unless this record stands at this place of the stretch."""
    place = sequence - stretch.first
    check_inclusion(leaf_hash(stored), place, stretch.count, _hashes(path), _hash(stretch.root))


def check_proven(proven: Proven, size: int, root: bytes) -> None:
    """Raises unless the stretch stands at its place of the tree that has this size and root."""
    check_inclusion(proven.stretch.leaf, proven.index, size, _hashes(proven.path), root)


def _hashes(path: Sequence[str]) -> list[bytes]:
    return [_hash(step) for step in path]


def _hash(text: str) -> bytes:
    try:
        found = bytes.fromhex(text)
    except ValueError as error:
        raise BadProofError(f"{text!r} is no hash") from error
    if found.hex() != text or len(found) != len(EMPTY):
        raise BadProofError(f"{text!r} is no hash in hex")
    return found
