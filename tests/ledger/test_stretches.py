"""Stretches: their one way of being written, their small tree, and the two steps that prove one record."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.stretches import (
    BadStretchError,
    Proven,
    Stretch,
    check_proven,
    check_records,
    parsed,
    path_of,
    root_of,
    stretch_of,
)
from domain.ledger.tree import EMPTY, BadProofError, Grown, check_inclusion, inclusion, leaf_hash

RECORDS = [b'{"type":"card-dealt.1","sequence":%d}' % sequence for sequence in range(41, 62)]
LEAVES = [leaf_hash(record) for record in RECORDS]
STRETCH = stretch_of("facts", "T7/2026-11-18", 41, LEAVES, RECORDS[-1])


def test_a_stretch_is_written_in_one_way() -> None:
    plain = Stretch("desk", "access/2026-11-18", 1, 2, "ab", "cd")
    written = b'{"kind":"desk","stream":"access/2026-11-18","first":1,"last":2,"head":"ab","root":"cd"}'
    assert plain.stored == written
    assert parsed(written) == plain
    assert plain.leaf == sha256(b"\x00" + written).digest()


NO_STRETCHES = {
    "no object": b"[]",
    "a space": b'{"kind": "desk","stream":"a/b","first":1,"last":2,"head":"ab","root":"cd"}',
    "another order": b'{"stream":"a/b","kind":"desk","first":1,"last":2,"head":"ab","root":"cd"}',
    "a field more": b'{"kind":"desk","stream":"a/b","first":1,"last":2,"head":"ab","root":"cd","x":1}',
    "a field said twice": b'{"kind":"desk","kind":"desk","stream":"a/b","first":1,"last":2,"head":"ab","root":"cd"}',
    "another kind": b'{"kind":"cards","stream":"a/b","first":1,"last":2,"head":"ab","root":"cd"}',
    "nothing in it": b'{"kind":"desk","stream":"a/b","first":2,"last":1,"head":"ab","root":"cd"}',
    "before the first": b'{"kind":"desk","stream":"a/b","first":0,"last":1,"head":"ab","root":"cd"}',
    "no text": b"\xff",
}


@pytest.mark.parametrize("what", NO_STRETCHES)
def test_what_is_no_stretch_is_refused(what: str) -> None:
    with pytest.raises(BadStretchError):
        parsed(NO_STRETCHES[what])


def test_the_small_tree_is_the_tree_of_the_rfc_at_every_size() -> None:
    grown = Grown()
    assert root_of([]) == EMPTY
    for size in range(1, 130):
        grown.add(leaf_hash(b"%d" % size))
        leaves = [grown.node(0, at) for at in range(size)]
        assert root_of(leaves) == grown.root()
        for at in range(size):
            assert path_of(leaves, at) == inclusion(grown.node, at, size)


def check_record(sequence: int, stored: bytes, path: list[bytes]) -> None:
    """Check that a record is at its place of the stretch, as an auditor does from the export alone."""
    check_inclusion(leaf_hash(stored), sequence - STRETCH.first, STRETCH.count, path, bytes.fromhex(STRETCH.root))


def test_its_records_are_its_records_and_no_others() -> None:
    check_records(STRETCH, RECORDS)
    for wrong in (RECORDS[:-1], [*RECORDS, b""], RECORDS[::-1], [b"x", *RECORDS[1:]], [*RECORDS[:-1], b"x"], []):
        with pytest.raises(BadProofError):
            check_records(STRETCH, wrong)


def test_one_record_is_proved_by_its_stretch_and_the_stretch_by_the_tree() -> None:
    others = [leaf_hash(b"another %d" % number) for number in range(10)]
    tree = Grown([*others[:6], STRETCH.leaf, *others[6:]])
    proven = Proven(6, STRETCH, tuple(step.hex() for step in inclusion(tree.node, 6, len(tree))))
    check_proven(proven, len(tree), tree.root())
    with pytest.raises(BadProofError):
        check_proven(Proven(5, STRETCH, proven.path), len(tree), tree.root())
    with pytest.raises(BadProofError):
        check_proven(proven, len(tree), EMPTY)
    for sequence, record in enumerate(RECORDS, STRETCH.first):
        path = path_of(LEAVES, sequence - STRETCH.first)
        check_record(sequence, record, path)
        with pytest.raises(BadProofError):
            check_record(sequence, record + b" ", path)
        with pytest.raises(BadProofError):
            check_record(sequence + 1, record, path)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 255))
def test_no_bit_of_a_path_can_turn_unnoticed(at: int, step: int, bit: int) -> None:
    path = path_of(LEAVES, at)
    step %= len(path)
    turned = bytearray(path[step])
    turned[bit // 8] ^= 1 << bit % 8
    path[step] = bytes(turned)
    with pytest.raises(BadProofError):
        check_record(STRETCH.first + at, RECORDS[at], path)


@pytest.mark.parametrize("step", ["", "zz", "AB" * 32, "ab", " " + "ab" * 32])
def test_a_step_that_is_no_hash_in_hex_is_refused(step: str) -> None:
    with pytest.raises(BadProofError, match="is not a hash"):
        check_proven(Proven(0, STRETCH, (step,)), 2, EMPTY)


def test_what_is_outside_the_stretch_has_no_path() -> None:
    with pytest.raises(IndexError):
        path_of(LEAVES, len(LEAVES))
