"""Following a stream's chain, link by link."""

import pytest

from domain.ledger.chain import REMEMBERED, ChainReader, digest

A, B, C = digest(b"a"), digest(b"b"), digest(b"c")

# what was read: (sequence, previous, own) one after the other, and what each is
READ = [
    ("in order", [(1, "", A), (2, A, B), (3, B, C)], ["next", "next", "next"]),
    ("one twice", [(1, "", A), (2, A, B), (1, "", A), (2, A, B)], ["next", "next", "repeat", "repeat"]),
    ("another at a place taken", [(1, "", A), (2, A, B), (2, A, C)], ["next", "next", "fork"]),
    ("one missing", [(1, "", A), (3, B, C)], ["next", "gap"]),
    ("another before it", [(1, "", A), (2, C, B)], ["next", "break"]),
    ("the first behind something", [(1, B, A)], ["break"]),
    ("goes on after a gap", [(2, A, B), (3, B, C)], ["gap", "next"]),
    ("goes on after a break", [(1, B, A), (2, A, C)], ["break", "next"]),
]


@pytest.mark.parametrize(("_what", "read", "kinds"), READ, ids=[row[0] for row in READ])
def test_a_chain_as_it_is_read(_what: str, read: list[tuple[int, str, str]], kinds: list[str]) -> None:
    chain = ChainReader("T7/2026-11-18")
    assert [chain.follow(*link).kind for link in read] == kinds


def test_a_gap_says_what_was_expected() -> None:
    chain = ChainReader("T7/2026-11-18")
    chain.follow(1, "", A)
    link = chain.follow(4, C, B)
    assert (link.sequence, link.expected_sequence, link.expected_previous) == (4, 2, A)


def test_a_digest_is_of_the_stored_bytes() -> None:
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_chain_remembers_its_last_ten_thousand_facts_and_not_those_across_a_gap() -> None:
    chain = ChainReader("T7/2026-11-18")
    hashes = {number: digest(b"%d" % number) for number in range(1, 3 * REMEMBERED)}
    for number, own in hashes.items():
        chain.follow(number, chain.head, own)
    last = len(hashes)
    for number in (last, last - REMEMBERED + 1):
        assert number in chain.recent
        assert chain.follow(number, "", hashes[number]).kind == "repeat"
        assert chain.follow(number, "", A).kind == "fork"
    assert chain.follow(1, "", hashes[1]).kind == "fork"
    assert 1 not in chain.recent
    chain.follow(last + 5, "", B)
    assert last + 3 not in chain.recent
    assert {last, last + 5} <= {number for number in range(last, last + 6) if number in chain.recent}
    chain.follow(last * 5, "", C)
    assert chain.follow(last * 5, "", C).kind == "repeat"
    assert last not in chain.recent
