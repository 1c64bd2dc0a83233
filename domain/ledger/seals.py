"""Seals: a device's signature over the hash of the fact before, and so over all before that.

Keys become valid, are rotated and revoked by facts of the property. A key seals the streams of the one table it is
registered for: another table's seal by it is refused, however good the signature.
"""

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRevoked, KeyRotated
from domain.facts.seals import ChainSealed
from domain.facts.streams import owner

Verify = Callable[[bytes, bytes, bytes], bool]  # (public key, signature, words) -> whether it is the key's
Trouble = Literal[
    "",
    "key-unknown",
    "key-of-another-table",
    "key-not-yet-valid",
    "key-expired",
    "key-revoked",
    "signature-wrong",
    "covers-wrong",
]


class Key(msgspec.Struct, frozen=True):
    """A device's public key, the table it seals, and when it may."""

    key: str
    public_key: str
    table: str
    valid_from: int = 0
    valid_until: int | None = None
    revoked_from: int | None = None


class KeyRegister(msgspec.Struct):
    """Every key the property has told of."""

    keys: dict[str, Key] = {}


def evolve(register: KeyRegister, fact: Fact) -> KeyRegister:
    """Takes one fact of the property into the register."""
    if isinstance(fact, KeyRegistered):
        key = Key(fact.key, fact.public_key, fact.table, fact.valid_from or fact.at, fact.valid_until)
        register.keys[fact.key] = key
    elif isinstance(fact, KeyRotated) and (old := register.keys.get(fact.old)) is not None:
        register.keys[fact.old] = msgspec.structs.replace(old, valid_until=fact.at)
    elif isinstance(fact, KeyRevoked) and (old := register.keys.get(fact.key)) is not None:
        register.keys[fact.key] = msgspec.structs.replace(old, revoked_from=fact.from_at or fact.at)
    return register


def fold(facts: Iterable[Fact]) -> KeyRegister:
    """The register after these facts of the property."""
    register = KeyRegister()
    for fact in facts:
        register = evolve(register, fact)
    return register


def words(stream: str, covers: int, head: str) -> bytes:
    """What a seal signs: the stream, the place, and the hash that stands there."""
    return f"catwalk seal\n{stream}\n{covers}\n{head}\n".encode()


def trouble(register: KeyRegister, seal: ChainSealed, verify: Verify) -> Trouble:
    """What is wrong with a seal, or nothing; the first that applies, in this order."""
    key = register.keys.get(seal.key)
    if key is None:
        return "key-unknown"
    if key.table != owner(seal.stream):
        return "key-of-another-table"
    if seal.covers != seal.sequence - 1:
        return "covers-wrong"
    if seal.at < key.valid_from:
        return "key-not-yet-valid"
    if key.valid_until is not None and seal.at >= key.valid_until:
        return "key-expired"
    if key.revoked_from is not None and seal.at >= key.revoked_from:
        return "key-revoked"
    try:
        public, signature = bytes.fromhex(key.public_key), bytes.fromhex(seal.signature)
    except ValueError:
        return "signature-wrong"
    good = verify(public, signature, words(seal.stream, seal.covers, seal.previous))
    return "" if good else "signature-wrong"
