"""The RFC 6962 tree over a growing list of leaves: its root, and proofs of inclusion and consistency.

The keeper of the tree stores the hashes of its complete subtrees. A subtree of 2^level leaves that begins at a multiple
of its size is named (level, index). Roots and proofs are assembled from those, at a cost that grows with the logarithm
of the list. Checking a proof needs none of them: only hashes and the proof.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256

Node = Callable[[int, int], bytes]  # (level, index) -> the hash of that complete subtree

EMPTY = sha256().digest()


class BadProofError(ValueError):
    """A proof that fails to prove its claim."""


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two adjacent subtrees."""
    return sha256(b"\x01" + left + right).digest()


def _largest_power_below(size: int) -> int:
    """Return the level of the left part of a list of this size, which has at least two leaves."""
    return (size - 1).bit_length() - 1


def _whole(node: Node, start: int, size: int) -> bytes:
    """Return the hash of the leaves from `start`; such a part begins at a multiple of the next power of two."""
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return node(level, start >> level)
    level = _largest_power_below(size)
    return node_hash(node(level, start >> level), _whole(node, start + (1 << level), size - (1 << level)))


def root(node: Node, size: int) -> bytes:
    """Return the root of the first `size` leaves."""
    return _whole(node, 0, size) if size else EMPTY


def inclusion(node: Node, index: int, size: int) -> list[bytes]:
    """Return the proof that a leaf is at this place among the first `size` leaves, from the leaf's neighbor upward."""
    if not 0 <= index < size:
        raise IndexError(f"there is no leaf {index} among {size}")
    path: list[bytes] = []
    start = 0
    while size > 1:
        level = _largest_power_below(size)
        half = 1 << level
        if index - start < half:
            path.append(_whole(node, start + half, size - half))
            size = half
        else:
            path.append(node(level, start >> level))
            start, size = start + half, size - half
    return path[::-1]


def consistency(node: Node, old: int, new: int) -> list[bytes]:
    """Return the proof that the first `old` leaves are the beginning of the first `new`."""
    if not 0 <= old <= new:
        raise IndexError(f"{old} leaves are not the beginning of {new}")
    if old in (0, new):
        return []
    path: list[bytes] = []
    start, size, known = 0, new, True  # whether the old root itself is the current part
    while old != size:
        level = _largest_power_below(size)
        half = 1 << level
        if old <= half:
            path.append(_whole(node, start + half, size - half))
            size = half
        else:
            path.append(node(level, start >> level))
            start, size, old, known = start + half, size - half, old - half, False
    if not known:
        path.append(_whole(node, start, size))
    return path[::-1]


def check_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], of: bytes) -> None:
    """Raise an error unless this proof shows the leaf at this place under this root."""
    if not 0 <= index < size:
        raise BadProofError(f"there is no leaf {index} among {size}")
    at, last, found = index, size - 1, leaf
    for step in path:
        if not last:
            raise BadProofError("the proof is longer than the tree is high")
        if at & 1 or at == last:
            found = node_hash(step, found)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, step)
        at, last = at >> 1, last >> 1
    if last:
        raise BadProofError("the proof is shorter than the tree is high")
    if found != of:
        raise BadProofError(f"the proof gives the root {found.hex()} and not to {of.hex()}")


def check_consistency(old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]) -> None:
    """Raise an error unless this proof shows that the tree of `new` leaves extends the one of `old`."""
    if not 0 <= old <= new:
        raise BadProofError(f"a tree of {new} leaves cannot extend one of {old}")
    if old in (0, new):
        if path:
            raise BadProofError("the proof must be empty here, and it is not")
        if old == new and old_root != new_root:
            raise BadProofError("two trees of the same size have different roots")
        if not old and old_root != EMPTY:
            raise BadProofError("the old tree has no leaves, but its root is not the empty root")
        return
    steps = list(path)
    if old & (old - 1) == 0:
        steps.insert(0, old_root)
    if not steps:
        raise BadProofError("the proof is empty")
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    was = now = steps[0]
    for step in steps[1:]:
        if not last:
            raise BadProofError("the proof is longer than the tree is high")
        if at & 1 or at == last:
            was, now = node_hash(step, was), node_hash(step, now)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            now = node_hash(now, step)
        at, last = at >> 1, last >> 1
    if last:
        raise BadProofError("the proof is shorter than the tree is high")
    if was != old_root:
        raise BadProofError(f"the proof gives the old root {was.hex()} and not to {old_root.hex()}")
    if now != new_root:
        raise BadProofError(f"the proof gives the new root {now.hex()} and not to {new_root.hex()}")


class Grown:
    """A tree that grows leaf by leaf, with all its complete subtrees in memory."""

    def __init__(self, leaves: Sequence[bytes] = ()) -> None:
        self._levels: list[list[bytes]] = [[]]
        for leaf in leaves:
            self.add(leaf)

    def __len__(self) -> int:
        return len(self._levels[0])

    def add(self, leaf: bytes) -> list[tuple[int, int, bytes]]:
        """Add a leaf's hash and return the subtrees it completes, each with its name."""
        made: list[tuple[int, int, bytes]] = []
        level, own = 0, leaf
        while True:
            row = self._levels[level]
            row.append(own)
            made.append((level, len(row) - 1, own))
            if len(row) & 1:
                return made
            own = node_hash(row[-2], row[-1])
            level += 1
            if level == len(self._levels):
                self._levels.append([])

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a complete subtree."""
        return self._levels[level][index]

    def root(self, size: int | None = None) -> bytes:
        """Return the root of the first leaves, or of all."""
        return root(self.node, len(self) if size is None else size)
