"""The tree and the notes beside two implementations of others: every root and every proof to 256 leaves is theirs.

`vectors/main.go` makes the files and says with which versions; it fails where its two disagree with each other.
"""

from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from consumers.gateway.keys import verify
from domain.ledger.checkpoint import COSIGNED, NoteKey, check, cosigned, parsed_checkpoint, parsed_note, signed
from domain.ledger.tree import Grown, consistency, inclusion, leaf_hash

VECTORS = Path(__file__).parent / "vectors"
ROWS = [row.split() for row in (VECTORS / "proofs.txt").read_text().split("\n") if row and not row.startswith("#")]
PARTS = (VECTORS / "notes.txt").read_text().split("====\n")
TREE = Grown([leaf_hash(b"leaf %d" % number) for number in range(len(ROWS))])


def digested(paths: list[list[bytes]]) -> str:
    return sha256(b"".join(b"".join(path) + b"\n" for path in paths)).hexdigest()


def test_there_is_a_row_for_every_tree_to_256_leaves() -> None:
    assert [int(row[0]) for row in ROWS] == list(range(1, 257))


def test_every_root_is_theirs() -> None:
    assert [TREE.root(size).hex() for size in range(1, 257)] == [row[1] for row in ROWS]


def test_every_path_of_every_leaf_in_every_tree_is_theirs() -> None:
    for size, row in enumerate(ROWS, 1):
        assert digested([inclusion(TREE.node, index, size) for index in range(size)]) == row[2], size


def test_every_path_from_every_tree_to_every_later_one_is_theirs() -> None:
    for size, row in enumerate(ROWS, 1):
        assert digested([consistency(TREE.node, old, size) for old in range(1, size)]) == row[3], size


def private(first: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes(range(first, first + 32)))


PROPERTY, WITNESS = private(0), private(1)
PROPERTY_KEY = NoteKey("catwalk.example/pit", PROPERTY.public_key().public_bytes_raw())
WITNESS_KEY = NoteKey("audit.example", WITNESS.public_key().public_bytes_raw(), COSIGNED)


def test_a_note_that_we_sign_is_theirs_to_the_byte() -> None:
    assert signed(parsed_note(PARTS[0]).text, PROPERTY_KEY, PROPERTY.sign).stored == PARTS[0]
    assert parsed_checkpoint(parsed_note(PARTS[0]).text).root == sha256(b"a root").digest()


def test_a_witness_has_the_number_they_give_it_and_signs_as_theirs_does() -> None:
    assert f"{WITNESS_KEY.name} {WITNESS_KEY.id.hex()}\n" == PARTS[1]
    theirs = parsed_note(PARTS[2])
    found = check(theirs, [PROPERTY_KEY, WITNESS_KEY], verify)
    at = found[WITNESS_KEY]
    assert at is not None
    assert cosigned(parsed_note(PARTS[0]), WITNESS_KEY, WITNESS.sign, at).stored == PARTS[2]


@pytest.mark.parametrize("letter", range(0, len(PARTS[2]), 7))
def test_a_letter_of_theirs_that_is_another_is_noticed(letter: int) -> None:
    turned = PARTS[2][:letter] + ("A" if PARTS[2][letter] != "A" else "B") + PARTS[2][letter + 1 :]
    try:
        found = check(parsed_note(turned), [PROPERTY_KEY, WITNESS_KEY], verify)
    except ValueError:
        return
    assert len(found) < 2
