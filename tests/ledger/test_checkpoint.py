"""Checkpoints as signed notes: written and read again; everything that is not exactly one is refused."""

import base64

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.checkpoint import (
    COSIGNED,
    BadNoteError,
    Checkpoint,
    Note,
    NoteKey,
    check,
    cosigned,
    parsed_checkpoint,
    parsed_key,
    parsed_note,
    signed,
)

PROPERTY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
WITNESS = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
PROPERTY_KEY = NoteKey("catwalk.example/pit", PROPERTY.public_key().public_bytes_raw())
WITNESS_KEY = NoteKey("audit.example", WITNESS.public_key().public_bytes_raw(), COSIGNED)
HEAD = Checkpoint("catwalk.example/pit", 20_852_163, bytes(range(32)), ("day 2026-11-18",))
NOTE = cosigned(signed(HEAD.text, PROPERTY_KEY, PROPERTY.sign), WITNESS_KEY, WITNESS.sign, 1_795_003_200)
BOTH = (PROPERTY_KEY, WITNESS_KEY)


def verify(public: bytes, signature: bytes, words: bytes) -> bool:
    """Whether a signature is this key's."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, words)
    except InvalidSignature:
        return False
    return True


def test_a_key_is_told_by_the_four_bytes_the_note_format_gives_it() -> None:
    # The key of Go's checksum database, as its own documentation prints it.
    name, id_, public = ["sum.golang.org", "033de0ae", "Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"]
    raw = base64.b64decode(public)
    key = NoteKey(name, raw[1:], raw[0])
    assert key.id.hex() == id_
    assert key.text == f"{name}+{id_}+{public}"
    assert parsed_key(key.text) == key


NO_KEYS = {
    "nothing": "",
    "a letter is another": PROPERTY_KEY.text.replace("pit", "pot"),
    "another number": PROPERTY_KEY.text.replace("+", "+0", 1),
    "no base64": PROPERTY_KEY.text[:-1] + "*",
    "too short": PROPERTY_KEY.text[:-4],
    "a name with a space": NoteKey("a b", PROPERTY_KEY.public).text,
    "another kind": NoteKey("a", PROPERTY_KEY.public, 2).text,
    "no name": NoteKey("", PROPERTY_KEY.public).text,
}


@pytest.mark.parametrize("what", NO_KEYS)
def test_what_is_no_key_is_refused(what: str) -> None:
    with pytest.raises(BadNoteError):
        parsed_key(NO_KEYS[what])


def test_a_note_is_read_as_it_was_written() -> None:
    read = parsed_note(NOTE.stored)
    assert read == NOTE
    assert parsed_checkpoint(read.text) == HEAD
    assert check(read, BOTH, verify) == {PROPERTY_KEY: None, WITNESS_KEY: 1_795_003_200}


def test_signatures_of_others_say_nothing() -> None:
    assert check(NOTE, [PROPERTY_KEY], verify) == {PROPERTY_KEY: None}
    assert check(NOTE, [NoteKey("another.example", PROPERTY_KEY.public)], verify) == {}


@given(st.integers(0, len(NOTE.stored.encode()) * 8 - 1))
def test_no_bit_of_a_note_can_turn_unnoticed(bit: int) -> None:
    raw = bytearray(NOTE.stored.encode())
    raw[bit // 8] ^= 1 << bit % 8
    try:
        found = check(parsed_note(raw.decode()), BOTH, verify)
    except (BadNoteError, UnicodeDecodeError):
        return
    assert set(found) != set(BOTH)


def test_a_witness_s_time_cannot_be_moved() -> None:
    mine, theirs = NOTE.signatures
    later = (1_795_003_201).to_bytes(8, "big") + theirs.value[8:]
    with pytest.raises(BadNoteError, match=r"audit\.example"):
        check(Note(NOTE.text, (mine, type(theirs)(theirs.name, theirs.key_id, later))), BOTH, verify)


NO_NOTES = {
    "no signatures": HEAD.text,
    "no empty line": HEAD.text + NOTE.signatures[0].line,
    "no end": NOTE.stored[:-1],
    "a control character": NOTE.stored.replace("day", "d\ty"),
    "another dash": NOTE.stored.replace("—", "-"),
    "a name with a space": NOTE.stored.replace("audit.example", "audit example"),
    "a name with a plus": NOTE.stored.replace("audit.example", "audit+example"),
    "no base64": NOTE.stored[:-4] + "*==\n",
    "a short signature": HEAD.text + "\n— a AAAA\n",
    "too long": "x" * 1_000_001,
}


@pytest.mark.parametrize("what", NO_NOTES)
def test_what_is_no_note_is_refused(what: str) -> None:
    with pytest.raises(BadNoteError):
        parsed_note(NO_NOTES[what])


NO_CHECKPOINTS = ("", "a\n", "a\n1\n", "a\n01\nAAAA\n", "a\n-1\nAAAA\n", "a\n1\nAAAA\n", "a\n1\n*\n", "\n1\nAAAA\n")


@pytest.mark.parametrize(
    "text", [*NO_CHECKPOINTS, HEAD.text + "\n", HEAD.text.rstrip("\n"), HEAD.text.replace("2", "٢")]
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadNoteError):
        parsed_checkpoint(text)


def test_one_key_signs_once() -> None:
    with pytest.raises(BadNoteError, match="twice"):
        check(Note(NOTE.text, (*NOTE.signatures, NOTE.signatures[0])), BOTH, verify)
