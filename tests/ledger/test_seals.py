"""Seals under the keys the property has registered."""

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRevoked, KeyRotated
from domain.facts.seals import ChainSealed
from domain.ledger.chain import digest
from domain.ledger.seals import fold, trouble, words

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = PRIVATE.public_key().public_bytes_raw().hex()
HEAD = digest(b"the fact before")
STREAM = "T7/2026-11-18"


def verify(public: bytes, signature: bytes, signed: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def told(fact: type[Fact], *parts: str, at: int = 10, **more: int | str) -> Fact:
    return fact(*parts, at=at, source="vault", source_key=f"vault:{at}", **more)


def seal(stream: str = STREAM, covers: int = 4, at: int = 100, key: str = "k1", signature: str = "") -> ChainSealed:
    signed = signature or PRIVATE.sign(words(stream, 4, HEAD)).hex()
    return ChainSealed(
        key, covers, signed, at=at, source="gateway", source_key="g:1", stream=stream, sequence=5, previous=HEAD
    )


REGISTERED = told(KeyRegistered, "k1", PUBLIC, "T7")

REVOKED = told(KeyRevoked, "k1", at=50)

SEALS = [
    ("its own key", [REGISTERED], seal(), ""),
    ("no such key", [], seal(), "key-unknown"),
    ("another table's key", [told(KeyRegistered, "k1", PUBLIC, "T8")], seal(), "key-of-another-table"),
    ("the same key on the property", [REGISTERED], seal("property/2026-11-18"), "key-of-another-table"),
    ("before the key was valid", [REGISTERED], seal(at=9), "key-not-yet-valid"),
    ("the moment it became valid", [REGISTERED], seal(at=10), ""),
    ("after its time", [told(KeyRegistered, "k1", PUBLIC, "T7", valid_until=100)], seal(), "key-expired"),
    ("after it was rotated", [REGISTERED, told(KeyRotated, "k1", "k2", at=90)], seal(), "key-expired"),
    ("before it was rotated", [REGISTERED, told(KeyRotated, "k1", "k2", at=101)], seal(), ""),
    ("after it was revoked", [REGISTERED, told(KeyRevoked, "k1", at=99)], seal(), "key-revoked"),
    ("revoked from an earlier moment", [REGISTERED, told(KeyRevoked, "k1", at=500, from_at=50)], seal(), "key-revoked"),
    (
        "revoked once more, later",
        [REGISTERED, REVOKED, told(KeyRevoked, "k1", at=600, from_at=600)],
        seal(),
        "key-revoked",
    ),
    ("registered once more after it", [REGISTERED, REVOKED, REGISTERED], seal(), "key-revoked"),
    ("its name given to another key later", [REGISTERED, told(KeyRegistered, "k1", "00" * 32, "T7")], seal(), ""),
    ("over another place", [REGISTERED], seal(covers=3), "covers-wrong"),
    ("a signature over something else", [REGISTERED], seal(signature=PRIVATE.sign(b"else").hex()), "signature-wrong"),
    ("a signature that is no hex", [REGISTERED], seal(signature="zz"), "signature-wrong"),
]


@pytest.mark.parametrize(("_what", "facts", "sealed", "expected"), SEALS, ids=[row[0] for row in SEALS])
def test_a_seal_is_good_or_has_one_named_trouble(
    _what: str, facts: list[Fact], sealed: ChainSealed, expected: str
) -> None:
    assert trouble(fold(facts), sealed, verify) == expected


# The seal is record 5 of the eighteenth, said to be of the time 100. What is named, whether the seal is there or later.
RECORDS = [
    ("this record", "T7/2026-11-18", 5, True),
    ("an earlier record of the day", "T7/2026-11-18", 2, True),
    ("the next record", "T7/2026-11-18", 6, False),
    ("a record of the day before", "T7/2026-11-17", 900, True),
    ("the next day's opening", "T7/2026-11-19", 1, False),
]


@pytest.mark.parametrize(("_what", "stream", "sequence", "there"), RECORDS, ids=[row[0] for row in RECORDS])
def test_where_a_record_is_named_it_decides_and_the_time_does_not(
    _what: str, stream: str, sequence: int, *, there: bool
) -> None:
    """A thief may say any time, and cannot have an earlier place. The times say the opposite throughout."""
    record: dict[str, int | str] = {"from_stream": stream, "from_sequence": sequence}
    at = 500 if there else 20
    registered = told(KeyRegistered, "k1", PUBLIC, "T7", at=at, **record)
    assert trouble(fold([registered]), seal(), verify) == ("" if there else "key-not-yet-valid")
    rotated = told(KeyRotated, "k1", "k2", at=at, **record)
    assert trouble(fold([REGISTERED, rotated]), seal(), verify) == ("key-expired" if there else "")
    revoked = told(KeyRevoked, "k1", at=at, from_at=at, **record)
    assert trouble(fold([REGISTERED, revoked]), seal(), verify) == ("key-revoked" if there else "")


def test_a_record_of_another_table_says_nothing_about_a_seal_so_the_time_decides() -> None:
    elsewhere: dict[str, int | str] = {"from_stream": "T1/2026-11-18", "from_sequence": 1}
    assert trouble(fold([REGISTERED, told(KeyRevoked, "k1", at=500, **elsewhere)]), seal(), verify) == ""
    assert trouble(fold([REGISTERED, told(KeyRevoked, "k1", at=99, **elsewhere)]), seal(), verify) == "key-revoked"


def test_a_seal_of_one_stream_is_none_of_another() -> None:
    """The words name the stream: a signature cannot be carried over, not even between days of one table."""
    elsewhere = seal("T7/2026-11-19", signature=PRIVATE.sign(words(STREAM, 4, HEAD)).hex())
    assert trouble(fold([REGISTERED]), elsewhere, verify) == "signature-wrong"
