"""The property's key as notes give it: each new one by a note that the one before has signed as well."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from consumers.gateway.keys import verify
from domain.ledger.checkpoint import BadNoteError, NoteKey, parsed_checkpoint
from domain.ledger.rotation import KeyRotation, followed, key_at, parsed_told, signed_by_all, told_by

NAME = "catwalk/test"
PRIVATE = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in range(1, 5)]
KEYS = [NoteKey(NAME, private.public_key().public_bytes_raw()) for private in PRIVATE]


def note(told: KeyRotation, *signers: int) -> str:
    return signed_by_all(told, [(KEYS[at], PRIVATE[at].sign(told.text.encode())) for at in signers]).stored


FIRST = KeyRotation(KEYS[0], 0, "2026-11-18T20:00:00Z")
SECOND = KeyRotation(KEYS[1], 412, "2027-01-01T00:00:00Z", KEYS[0])
THIRD = KeyRotation(KEYS[2], 900, "2028-01-01T00:00:00Z", KEYS[1])
NOTES = [note(FIRST, 0), note(SECOND, 0, 1), note(THIRD, 1, 2)]


def test_a_note_about_a_key_is_read_as_it_was_written() -> None:
    assert [told_by(stored, verify) for stored in NOTES] == [FIRST, SECOND, THIRD]
    assert parsed_told(SECOND.text) == SECOND


def test_whoever_trusts_a_key_comes_to_those_after_it_and_to_no_other() -> None:
    assert followed(KEYS[0], NOTES, verify) == [SECOND, THIRD]
    assert followed(KEYS[1], NOTES, verify) == [THIRD]
    assert followed(KEYS[3], NOTES, verify) == []
    assert followed(KEYS[0], [NOTES[2], NOTES[1]], verify) == [SECOND]


def test_an_old_key_signs_nothing_behind_the_place_where_it_was_replaced() -> None:
    sizes = {1: 0, 412: 0, 413: 1, 900: 1, 901: 2}
    assert {size: KEYS.index(key_at(size, KEYS[0], [SECOND, THIRD])) for size in sizes} == sizes


UNSIGNED = {
    "by the new key alone": note(SECOND, 1),
    "by the old key alone": note(SECOND, 0),
    "by another": note(SECOND, 0, 3),
    "the first one by another": note(FIRST, 3),
    "another size": NOTES[1].replace("412", "413"),
}


@pytest.mark.parametrize("what", UNSIGNED)
def test_a_note_that_not_all_have_signed_tells_nothing(what: str) -> None:
    with pytest.raises(BadNoteError):
        told_by(UNSIGNED[what], verify)


NO_NOTES = {
    "a checkpoint": f"{NAME}\n1\n{'A' * 43}=\n",
    "a line more": SECOND.text + "more\n",
    "another order": "".join(f"{line}\n" for line in SECOND.text.split("\n")[-2::-1]),
    "no key": SECOND.text.replace("key ", "kay "),
    "a key of another name": SECOND.text.replace(
        f"instead of {KEYS[0].text}", f"instead of {NoteKey('x', b'1' * 32).text}"
    ),
    "a size that is none": SECOND.text.replace("412", "-1"),
}


@pytest.mark.parametrize("what", NO_NOTES)
def test_what_tells_of_no_key_is_refused(what: str) -> None:
    with pytest.raises(BadNoteError):
        parsed_told(NO_NOTES[what])


def test_a_note_about_a_key_is_never_taken_for_a_head() -> None:
    for told in (FIRST, SECOND):
        with pytest.raises(BadNoteError):
            parsed_checkpoint(told.text)
