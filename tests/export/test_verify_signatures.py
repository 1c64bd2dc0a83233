"""Signatures in plain Python: what another implementation signs and refuses, and what only a careful one refuses."""

import hashlib
import random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from consumers.gateway.keys import verify
from domain.ledger.ed25519 import is_key
from projections.export.verifier import notes, signatures

# RFC 8032, 7.1: secret key, public key, message, signature.
KNOWN = """
9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60 d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a - e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb 3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c 72 92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7 fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025 af82 6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
"""

# The cases of "Taming the many EdDSAs" (Chalkias, Garillot, Nikolaenko): the peculiarity of each, whether we take it,
# then message, public key, signature.
SPECIAL = """
small A, small R, S 0        | no  | 8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6 c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000
small A, mixed R             | no  | 9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79 c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04
mixed A, small R             | no  | aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43 c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e
mixed A, mixed R             | yes | 9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79 cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d 9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009
only with the cofactor       | no  | e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d 160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09
k reduced before the cofactor| no  | e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d 21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405
S above the order            | no  | 85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40 442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623 e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514
S far above the order        | no  | 85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40 442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623 8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa19427e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22
R written in a second way    | no  | fdaebc429f4a735932a160da1301080c13280eea8bc280d1b392c6b9e6ba3a5a f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43 edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f454d370c8d9fc323a41450f8d513eafeb5b0697390c1e505a0d4ddc71f566607
R so, and hashed so          | no  | 84b698d39be126ff55fe45079e6c8bf64a0d7db6994560b4e96b7021eb39c1a1 f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43 edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f084d5b99c2a9463d9c8bd5026916996984eeec87ddf1d3be329006ace1b37b09
"""
CASES = [[cell.strip() for cell in row.split("|")] for row in SPECIAL.strip().splitlines()]


@pytest.mark.parametrize("row", KNOWN.split("\n")[1:-1])
def test_what_is_known_to_be_signed_is(row: str) -> None:
    _, public, message, signature = row.split()
    words = bytes.fromhex(message.replace("-", ""))
    assert signatures.signed_by(bytes.fromhex(public), bytes.fromhex(signature), words)
    assert not signatures.signed_by(bytes.fromhex(public), bytes.fromhex(signature), words + b"\0")


@pytest.mark.parametrize(("name", "taken", "case"), CASES, ids=[row[0] for row in CASES])
def test_a_special_case_is_taken_or_not(name: str, taken: str, case: str) -> None:
    message, public, signature = map(bytes.fromhex, case.split())
    assert signatures.signed_by(public, signature, message) == (taken == "yes")
    assert verify(public, signature, message) == (taken == "yes")


SCALAR = bytearray(hashlib.sha512(bytes(32)).digest()[:32])
SCALAR[0], SCALAR[31] = SCALAR[0] & 248, SCALAR[31] & 127 | 64


@pytest.mark.parametrize("r", [(1).to_bytes(32, "little"), (signatures.P + 1).to_bytes(32, "little")])
def test_whoever_has_a_key_makes_no_signature_that_one_of_us_takes_and_the_other_refuses(r: bytes) -> None:
    """R is nothing and S a multiple of the private key: OpenSSL takes what fits the equation so."""
    public = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw()
    mixed = int.from_bytes(hashlib.sha512(r + public + b"words").digest(), "little")
    number = mixed * int.from_bytes(SCALAR, "little") % signatures.ORDER
    signature = r + number.to_bytes(32, "little")
    assert _elsewhere(public, signature, b"words") == (r[0] == 1)
    assert not verify(public, signature, b"words")
    assert not signatures.signed_by(public, signature, b"words")


def test_it_agrees_with_another_implementation() -> None:
    """Right ones, and each with one bit of key, signature or words turned."""
    chance = random.Random(8)  # noqa: S311 - a seed, so that it repeats
    for number in range(120):
        key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"%d" % number).digest())
        words = chance.randbytes(number)
        parts = [key.public_key().public_bytes_raw(), key.sign(words), words]
        assert signatures.signed_by(*parts)
        at = number % 3 if words else number % 2
        parts[at] = _with_a_bit_turned(parts[at], chance)
        assert signatures.signed_by(*parts) == _elsewhere(*parts) is False


def _with_a_bit_turned(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(8 * len(data))
    return data[: at >> 3] + bytes([data[at >> 3] ^ 1 << (at & 7)]) + data[(at >> 3) + 1 :]


def _elsewhere(public: bytes, signature: bytes, words: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, words)
    except (InvalidSignature, ValueError):
        return False
    return True


def test_a_signature_is_not_made_into_another_one() -> None:
    """S and S plus the order fit the same equation; only one of them is a signature."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public, signature = key.public_key().public_bytes_raw(), key.sign(b"words")
    number = int.from_bytes(signature[32:], "little") + signatures.ORDER
    other = signature[:32] + number.to_bytes(32, "little")
    assert signatures.signed_by(public, signature, b"words")
    assert not signatures.signed_by(public, other, b"words")


SMALL = {
    1: "0100000000000000000000000000000000000000000000000000000000000000",
    2: "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    4: "0000000000000000000000000000000000000000000000000000000000000000",
    8: "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
}


@pytest.mark.parametrize("order", SMALL)
def test_a_key_of_small_order_signs_nothing(order: int) -> None:
    """Under such a key one signature fits many texts: R and S are nothing, and so is a multiple of the key."""
    nothing = (1).to_bytes(32, "little") + bytes(32)
    assert not any(signatures.signed_by(bytes.fromhex(SMALL[order]), nothing, b"%d" % number) for number in range(24))
    assert not any(verify(bytes.fromhex(SMALL[order]), nothing, b"%d" % number) for number in range(24))


def test_what_is_a_key_is_the_same_for_whoever_registers_it_and_whoever_verifies() -> None:
    """Each key that is given to sources register is one under which the verifier takes signatures, or is refused."""
    chance = random.Random(9)  # noqa: S311 - a seed, so that it repeats
    smalls = [bytes.fromhex(each) for each in SMALL.values()]
    signed = [each[:31] + bytes([each[31] | 128]) for each in smalls]
    twice = [(signatures.P + y).to_bytes(32, "little") for y in range(19)]
    right = [Ed25519PrivateKey.from_private_bytes(chance.randbytes(32)) for _ in range(20)]
    keys = [each.public_key().public_bytes_raw() for each in right]
    for each in (*smalls, *signed, *twice, *keys, *(chance.randbytes(32) for _ in range(40)), b"", bytes(31)):
        assert is_key(each) == (signatures._key(each) is not None), each.hex()
    assert all(map(is_key, keys))


@pytest.mark.parametrize("public", [b"", bytes(31), bytes(33), b"\xff" * 32, (2).to_bytes(32, "little")])
def test_bytes_that_are_no_key_sign_nothing(public: bytes) -> None:
    assert not signatures.signed_by(public, bytes(64), b"")


def test_a_point_is_written_in_one_way() -> None:
    """A number above the prime is a second way to write a small one."""
    assert signatures._point((3).to_bytes(32, "little")) is not None
    assert all(signatures._point((signatures.P + y).to_bytes(32, "little")) is None for y in range(19))


def test_a_note_signed_twice_by_one_key_is_refused() -> None:
    key = notes.Key("pit.example", Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw())
    line = (key.name, key.id(notes.ED25519_NOTE), Ed25519PrivateKey.from_private_bytes(bytes(32)).sign(b"text\n"))
    assert notes.Note("text\n", [line]).signed(key)
    with pytest.raises(ValueError, match="has signed twice"):
        notes.Note("text\n", [line, line]).signed(key)
