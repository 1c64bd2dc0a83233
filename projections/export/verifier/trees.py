"""Trees of RFC 6962: the path from a leaf to the root, and from an earlier tree to a later one."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two adjacent subtrees."""
    return sha256(b"\x01" + left + right).digest()


def root_of(leaves: list[bytes]) -> bytes:
    """Return the root over leaf hashes; a node without a sibling moves up unchanged."""
    while len(leaves) > 1:
        above = [sha256(b"\x01" + left + right).digest() for left, right in zip(leaves[::2], leaves[1::2])]
        leaves = above + leaves[-1:] if len(leaves) & 1 else above
    return leaves[0]


def leads_to(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """Return the root computed from a leaf at this place of a tree and its siblings on the way up."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
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
    """A tree that grows leaf by leaf, starting from the roots of its complete subtrees."""

    def __init__(self, size: int, peaks: Sequence[bytes]) -> None:
        levels = [level for level in reversed(range(size.bit_length())) if size >> level & 1]
        if len(levels) != len(peaks):
            raise ValueError(f"it has {len(peaks)} subtrees for the first {size} leaves, which form {len(levels)}")
        self._stack = list(zip(levels, peaks))

    def add(self, leaf: bytes) -> None:
        """Add the hash of the next leaf."""
        level, own = 0, leaf
        while self._stack and self._stack[-1][0] == level:
            own = node_hash(self._stack.pop()[1], own)
            level += 1
        self._stack.append((level, own))

    @property
    def root(self) -> bytes:
        """The root over all leaves."""
        found = b""
        for _, own in reversed(self._stack):
            found = node_hash(own, found) if found else own
        return found


def check_growth(old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]) -> None:
    """Raise unless the proof shows that the tree of `new` leaves continues the tree of `old` leaves."""
    if not 0 < old <= new:
        raise ValueError(f"a tree of {new} leaves cannot continue one of {old}")
    if old == new:
        if path or old_root != new_root:
            raise ValueError("two heads of one tree: the same number of leaves, but a different root")
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
        raise ValueError("the later tree does not continue the earlier one: the record was rewritten or split")
