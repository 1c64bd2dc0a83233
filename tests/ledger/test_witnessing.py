"""Heads shown to a witness: every way a head can fail to extend the last one, with its reason and its proof."""

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from consumers.gateway.keys import verify
from domain.ledger.checkpoint import BadNoteError, Checkpoint, NoteKey, signed
from domain.ledger.tree import Grown, consistency, leaf_hash
from domain.ledger.witnessing import (
    BY_SIGNATURES,
    ShownHead,
    WitnessRefusal,
    found_again,
    head_of,
    judged,
    parsed_shown,
)

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(32))
KEY = NoteKey("catwalk/test", PRIVATE.public_key().public_bytes_raw())
OTHER = NoteKey("catwalk/test", Ed25519PrivateKey.from_private_bytes(b"x" * 32).public_key().public_bytes_raw())
HONEST = Grown([leaf_hash(b"%d" % number) for number in range(64)])
# The same property's other story: it parts from the first at leaf 20.
FORKED = Grown([leaf_hash(b"%d" % number if number < 20 else b"other %d" % number) for number in range(64)])


def note(tree: Grown, size: int, minute: int = 0, *days: str, key: NoteKey = KEY, private: object = PRIVATE) -> str:
    more = (f"time 2026-11-18T21:{minute:02}:00Z", *(f"day {day}" for day in days))
    sign = private.sign if isinstance(private, Ed25519PrivateKey) else PRIVATE.sign
    return signed(Checkpoint(key.name, size, tree.root(size), more).text, key, sign).stored


def shown(tree: Grown, old: int, size: int, minute: int = 0, *days: str) -> ShownHead:
    return ShownHead(old, tuple(consistency(tree.node, min(old, size), size)), note(tree, size, minute, *days))


SEEN = note(HONEST, 30, 30, "2026-11-18")


def test_a_head_is_read_as_it_was_shown() -> None:
    one = shown(HONEST, 30, 50, 31)
    assert parsed_shown(one.text) == one
    assert parsed_shown(one.note) == ShownHead(0, (), one.note)
    assert parsed_shown(ShownHead(30, (), one.note).text) == ShownHead(30, (), one.note)
    head = head_of(SEEN, KEY, verify)
    assert (head.checkpoint.size, head.time, head.days) == (30, "2026-11-18T21:30:00Z", ("2026-11-18",))


def test_every_head_of_one_tree_goes_on_from_every_earlier_one_and_from_no_other_tree_s() -> None:
    for old in range(1, 65):
        for new in range(old, 65):
            seen = note(HONEST, old, old % 60)
            assert judged(seen, shown(HONEST, old, new, 59), KEY, verify) is None
            refused = judged(seen, shown(FORKED, old, new, 59), KEY, verify)
            assert (refused is None) == (old <= 20 and (old < new or new <= 20)), (old, new)


# What is shown after a head of 30 leaves, of half past nine, that closes the 18th; and why it is refused.
REFUSED = {
    "another tree of the same size": (shown(FORKED, 30, 30, 30), "split-view"),
    "another tree that is larger": (shown(FORKED, 30, 40, 40), "not-consistent"),
    "the path of another tree": (ShownHead(30, shown(FORKED, 30, 40).path, note(HONEST, 40, 40)), "not-consistent"),
    "a path too short": (ShownHead(30, shown(HONEST, 30, 40).path[:-1], note(HONEST, 40, 40)), "not-consistent"),
    "a path too long": (
        ShownHead(30, (*shown(HONEST, 30, 40).path, bytes(32)), note(HONEST, 40, 40)),
        "not-consistent",
    ),
    "no path at all": (ShownHead(30, (), note(HONEST, 40, 40)), "not-consistent"),
    "a tail cut off": (shown(HONEST, 30, 25, 40), "shrunk"),
    "a tail cut off and grown again": (shown(FORKED, 30, 45, 40), "not-consistent"),
    "a larger one of an earlier time": (shown(HONEST, 30, 45, 10), "shrunk"),
    "an old head again": (shown(HONEST, 30, 25, 10), "old-head"),
    "the day closed by another head": (shown(HONEST, 30, 40, 40, "2026-11-18"), "closed-twice"),
    "the day closed earlier by another head": (shown(HONEST, 30, 20, 10, "2026-11-18"), "closed-twice"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_go_on_is_refused_for_its_reason_and_anyone_finds_the_same(what: str) -> None:
    one, reason = REFUSED[what]
    refused = judged(SEEN, one, KEY, verify)
    assert refused is not None
    assert refused.reason == reason
    kept = msgspec.json.decode(msgspec.json.encode(refused), type=WitnessRefusal)
    assert found_again(kept, verify, [KEY]) == refused
    assert found_again(kept, verify) == refused
    with pytest.raises(BadNoteError, match="not the key you trust"):
        found_again(kept, verify, [OTHER])


def test_two_signatures_alone_prove_what_they_are_said_to() -> None:
    """Whatever path the property shows later, these stay contradictions."""
    for one, reason in REFUSED.values():
        refused = judged(SEEN, one, KEY, verify)
        assert refused is not None
        size = head_of(one.note, KEY, verify).checkpoint.size
        for tree in (HONEST, FORKED):
            better = ShownHead(30, tuple(consistency(tree.node, min(30, size), size)), one.note)
            again = found_again(msgspec.structs.replace(refused, shown=better.text), verify, [KEY])
            assert reason not in BY_SIGNATURES or (again is not None and again.reason == reason)


def test_nobody_is_accused_by_what_the_property_did_not_sign() -> None:
    """A refusal made up of an honest property's heads, or of heads with a letter changed, proves nothing."""
    honest = WitnessRefusal("split-view", "made up", KEY.text, SEEN, shown(HONEST, 30, 40, 40).text)
    assert found_again(honest, verify, [KEY]) is None
    forged = note(FORKED, 30, 30, private=Ed25519PrivateKey.from_private_bytes(b"x" * 32))
    with pytest.raises(BadNoteError):
        found_again(WitnessRefusal("split-view", "made up", KEY.text, SEEN, forged), verify, [KEY])


def test_a_head_that_is_shown_from_elsewhere_is_asked_for_again_and_proves_nothing() -> None:
    with pytest.raises(BadNoteError, match="30 were seen"):
        judged(SEEN, shown(HONEST, 20, 40, 40), KEY, verify)


def test_a_record_that_has_no_path_from_what_was_seen_is_refused_and_whoever_looks_again_finds_the_same() -> None:
    refused = judged(SEEN, shown(HONEST, 20, 40, 40), KEY, verify, path_due=True)
    assert refused is not None
    assert refused.reason == "not-consistent"
    assert found_again(refused, verify, [KEY]) == refused


NO_HEADS = {
    "nothing": "",
    "by another key": note(HONEST, 40, key=OTHER),
    "of another property": signed("another\n1\n" + "A" * 43 + "=\n", KEY, PRIVATE.sign).stored,
    "no note": "old 30\n\nnothing",
    "no number": "old x\n\n" + SEEN,
    "no base64": "old 30\n***\n\n" + SEEN,
    "no end of the path": "old 30\n",
}


@pytest.mark.parametrize("what", NO_HEADS)
def test_what_is_no_head_of_the_property_raises(what: str) -> None:
    with pytest.raises(BadNoteError):
        head_of(parsed_shown(NO_HEADS[what]).note, KEY, verify)
