"""The verifier's own trees: every proof of every tree to 256 leaves, made elsewhere, and each with one thing wrong in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.tree import consistency, inclusion
from projections.export.verifier.trees import check_growth, leads_to, root_of
from tests.ledger.test_tree import LEAVES, MOST, ROOTS, SIZES, SPOIL, TREE, spoilt


def test_every_tree_has_its_root() -> None:
    assert [root_of(LEAVES[:size]) for size in range(1, MOST + 1)] == ROOTS[1:]


def test_every_leaf_of_every_tree_leads_to_its_root_and_from_no_other_place() -> None:
    for size in range(1, MOST + 1):
        for index in range(size):
            path = inclusion(TREE.node, index, size)
            assert leads_to(LEAVES[index], index, size, path) == ROOTS[size]
            if size > 1:
                assert not _proved(index, (index + 1) % size, size, path)


def _proved(leaf: int, index: int, size: int, path: list[bytes]) -> bool:
    try:
        return leads_to(LEAVES[leaf], index, size, path) == ROOTS[size]
    except ValueError:
        return False


def test_every_tree_goes_on_from_every_smaller_one_and_from_no_other() -> None:
    for new in range(1, MOST + 1):
        for old in range(1, new + 1):
            path = consistency(TREE.node, old, new)
            check_growth(old, new, ROOTS[old], ROOTS[new], path)
            with pytest.raises(ValueError, match=r"."):
                check_growth(old, new, ROOTS[old - 1], ROOTS[new], path)
            with pytest.raises(ValueError, match=r"."):
                check_growth(old, new, ROOTS[old], ROOTS[new - 1], path)


@given(SIZES, SPOIL, st.integers(0, 255))
def test_a_spoilt_proof_proves_nothing(sizes: list[int], how: str, at: int) -> None:
    old, new = max(sizes[0], 1), max(sizes[1], 1)
    path = consistency(TREE.node, old, new)
    wrong = spoilt(path, how, at)
    if wrong != path:
        with pytest.raises(ValueError, match=r"."):
            check_growth(old, new, ROOTS[old], ROOTS[new], wrong)
    index = at % new
    path = inclusion(TREE.node, index, new)
    wrong = spoilt(path, how, at)
    assert wrong == path or not _proved(index, index, new, wrong)


@pytest.mark.parametrize(("old", "new"), [(0, 4), (5, 4), (0, 0)])
def test_no_tree_goes_on_from_none_or_from_a_larger_one(old: int, new: int) -> None:
    with pytest.raises(ValueError, match="not continue"):
        check_growth(old, new, ROOTS[old], ROOTS[new], [])
    with pytest.raises(ValueError, match="there is no leaf 4 in a tree of 4"):
        leads_to(LEAVES[4], 4, 4, [])
