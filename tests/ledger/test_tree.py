"""The tree of RFC 6962: every proof of every tree to 256 leaves, beside the RFC's own definition written down plainly."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.tree import (
    EMPTY,
    BadProofError,
    Grown,
    check_consistency,
    check_inclusion,
    consistency,
    inclusion,
    leaf_hash,
)

MOST = 256
LEAVES = [leaf_hash(b"leaf %d" % number) for number in range(MOST)]
TREE = Grown(LEAVES)
# The leaves and roots every log of certificates is tested with.
KNOWN_LEAVES = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
KNOWN_ROOTS = """
1 6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d
2 fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125
3 aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77
4 d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7
5 4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4
6 76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef
7 ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c
8 5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328
"""


def defined(leaves: list[bytes]) -> bytes:
    """The root as the RFC defines it (2.1), on the hashes of the leaves."""
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256(b"").digest()
    split = 1
    while 2 * split < len(leaves):
        split *= 2
    return sha256(b"\x01" + defined(leaves[:split]) + defined(leaves[split:])).digest()


ROOTS = [defined(LEAVES[:size]) for size in range(MOST + 1)]


@pytest.mark.parametrize("row", KNOWN_ROOTS.split("\n")[1:-1])
def test_the_known_leaves_have_the_known_roots(row: str) -> None:
    size, known = row.split()
    tree = Grown([leaf_hash(bytes.fromhex(leaf)) for leaf in KNOWN_LEAVES[: int(size)]])
    assert tree.root().hex() == known


def test_every_tree_has_the_root_that_is_defined() -> None:
    assert [TREE.root(size) for size in range(MOST + 1)] == ROOTS
    assert ROOTS[0] == EMPTY


def test_every_leaf_of_every_tree_is_proved_and_no_neighbour_by_the_same_proof() -> None:
    for size in range(1, MOST + 1):
        for index in range(size):
            path = inclusion(TREE.node, index, size)
            assert len(path) <= (size - 1).bit_length()
            check_inclusion(LEAVES[index], index, size, path, ROOTS[size])
            if size > 1:
                with pytest.raises(BadProofError):
                    check_inclusion(LEAVES[index], (index + 1) % size, size, path, ROOTS[size])


def test_every_tree_goes_on_from_every_smaller_one_and_from_no_other() -> None:
    for new in range(MOST + 1):
        for old in range(new + 1):
            path = consistency(TREE.node, old, new)
            check_consistency(old, new, ROOTS[old], ROOTS[new], path)
            if old:
                with pytest.raises(BadProofError):
                    check_consistency(old, new, ROOTS[old - 1], ROOTS[new], path)


SIZES = st.tuples(st.integers(0, MOST), st.integers(0, MOST)).map(sorted)
SPOIL = st.sampled_from(["drop-first", "drop-last", "repeat", "swap", "flip", "add"])


def spoilt(path: list[bytes], how: str, at: int) -> list[bytes]:
    """A proof with one thing wrong in it."""
    held = list(path)
    where = at % len(held) if held else 0
    if how == "add" or not held:
        return [*held, bytes(32)]
    if how.startswith("drop"):
        held.pop(0 if how == "drop-first" else -1)
    elif how == "repeat":
        held.insert(where, held[where])
    elif how == "swap":
        held.reverse()
    else:
        held[where] = bytes([held[where][0] ^ 1 << at % 8]) + held[where][1:]
    return held


@given(SIZES, SPOIL, st.integers(0, 400))
def test_a_spoilt_proof_of_consistency_proves_nothing(sizes: list[int], how: str, at: int) -> None:
    old, new = sizes
    path = consistency(TREE.node, old, new)
    broken = spoilt(path, how, at)
    if broken == path:
        return
    with pytest.raises(BadProofError):
        check_consistency(old, new, ROOTS[old], ROOTS[new], broken)


@given(st.integers(1, MOST), st.integers(0, MOST), SPOIL, st.integers(0, 400))
def test_a_spoilt_proof_of_inclusion_proves_nothing(size: int, index: int, how: str, at: int) -> None:
    index %= size
    path = inclusion(TREE.node, index, size)
    broken = spoilt(path, how, at)
    if broken == path:
        return
    with pytest.raises(BadProofError):
        check_inclusion(LEAVES[index], index, size, broken, ROOTS[size])


def test_a_leaf_hash_is_never_the_hash_of_two_subtrees() -> None:
    left, right = LEAVES[:2]
    with pytest.raises(BadProofError):
        check_inclusion(leaf_hash(left + right), 0, 1, [], ROOTS[2])


def test_what_is_outside_the_tree_is_refused() -> None:
    with pytest.raises(IndexError):
        inclusion(TREE.node, 5, 5)
    with pytest.raises(IndexError):
        consistency(TREE.node, 6, 5)
    with pytest.raises(BadProofError):
        check_inclusion(LEAVES[0], 5, 5, [], ROOTS[5])
    with pytest.raises(BadProofError):
        check_consistency(6, 5, ROOTS[6], ROOTS[5], [])
