"""Seals: a device's signature over the hash of the fact before it, and so over the whole chain so far.

Facts of the property register, rotate and revoke keys, from a moment of the facts' time or from a record of the table.
A key seals the streams of the one table it is registered for. Its seal on another table is refused, even with a valid
signature.
"""

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRevoked, KeyRotated
from domain.facts.seals import ChainSealed
from domain.facts.streams import owner

# How long facts may wait for their seal, in microseconds of the facts' own time; a gateway seals within a second.
PATIENCE = 60_000_000

Verify = Callable[[bytes, bytes, bytes], bool]  # (public key, signature, bytes) -> whether the signature is the key's
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


class Since(msgspec.Struct, frozen=True, omit_defaults=True):
    """A starting point: a moment of the facts' time or, where one is named, a record of the table.

    A source claims its own time, and a thief with a stolen key may claim an earlier one. A place in a chain cannot be
    claimed twice. So where a record is named, it alone decides.
    """

    at: int
    stream: str = ""
    sequence: int = 0

    def reached(self, stream: str, sequence: int, at: int) -> bool:
        """Return whether this place of a table's record, with this claimed time, is at or after the starting point."""
        if self.stream and owner(self.stream) == owner(stream):
            return (stream, sequence) >= (self.stream, self.sequence)
        return at >= self.at


class SealKey(msgspec.Struct, frozen=True):
    """A device's public key, the table it seals, and when it may."""

    key: str
    public_key: str
    table: str
    since: Since = Since(0)
    ends: tuple[Since, ...] = ()
    revoked: tuple[Since, ...] = ()
    successor: str = ""
    reason: str = ""  # of the first revocation


class KeyRegister(msgspec.Struct):
    """Every key the property has registered."""

    keys: dict[str, SealKey] = {}


def evolve(register: KeyRegister, fact: Fact) -> KeyRegister:
    """Return the register after one fact of the property.

    Earlier facts prevail: a name keeps its first public key, and no later fact undoes a revocation.
    """
    if isinstance(fact, KeyRegistered):
        since = Since(fact.valid_from or fact.at, fact.from_stream, fact.from_sequence)
        ends = () if fact.valid_until is None else (Since(fact.valid_until),)
        register.keys.setdefault(fact.key, SealKey(fact.key, fact.public_key, fact.table, since, ends))
    elif isinstance(fact, KeyRotated) and (old := register.keys.get(fact.old)) is not None:
        since = Since(fact.at, fact.from_stream, fact.from_sequence)
        register.keys[fact.old] = replace(old, ends=(*old.ends, since), successor=old.successor or fact.new)
    elif isinstance(fact, KeyRevoked) and (old := register.keys.get(fact.key)) is not None:
        at = fact.at if fact.from_at is None else fact.from_at
        since = Since(at, fact.from_stream, fact.from_sequence)
        register.keys[fact.key] = replace(old, revoked=(*old.revoked, since), reason=old.reason or fact.reason)
    return register


def fold(facts: Iterable[Fact]) -> KeyRegister:
    """Return the register after these facts of the property."""
    register = KeyRegister()
    for fact in facts:
        register = evolve(register, fact)
    return register


class UnsealedTail(msgspec.Struct):
    """The facts at the end of a stream that no seal covers yet."""

    count: int = 0
    since: int = 0  # the earliest time among them

    def add(self, at: int) -> None:
        """Count one more fact."""
        self.since = min(self.since, at) if self.count else at
        self.count += 1

    def long(self, at: int, patience: int = PATIENCE) -> bool:
        """Return whether they have waited too long at this moment."""
        return self.count > 0 and at - self.since > patience


def standing(key: SealKey, stream: str, sequence: int, at: int) -> Trouble:
    """Return why a key may not seal at this place and time of its table's record; empty if it may."""
    if not key.since.reached(stream, sequence, at):
        return "key-not-yet-valid"
    if any(since.reached(stream, sequence, at) for since in key.ends):
        return "key-expired"
    if any(since.reached(stream, sequence, at) for since in key.revoked):
        return "key-revoked"
    return ""


def words(stream: str, covers: int, head: str) -> bytes:
    """Return the bytes a seal signs: the stream, the sequence, and the hash at that place."""
    return f"catwalk seal\n{stream}\n{covers}\n{head}\n".encode()


def trouble(register: KeyRegister, seal: ChainSealed, verify: Verify) -> Trouble:
    """Return the first problem with a seal, in the order checked; empty if it is valid."""
    key = register.keys.get(seal.key)
    if key is None:
        return "key-unknown"
    if key.table != owner(seal.stream):
        return "key-of-another-table"
    if seal.covers != seal.sequence - 1:
        return "covers-wrong"
    if outside := standing(key, seal.stream, seal.sequence, seal.at):
        return outside
    return signature_trouble(key, seal.signature, words(seal.stream, seal.covers, seal.previous), verify)


def signature_trouble(key: SealKey, signature: str, signed: bytes, verify: Verify) -> Trouble:
    """Return the problem with a hex signature over these bytes; empty if it is valid."""
    try:
        public, given = bytes.fromhex(key.public_key), bytes.fromhex(signature)
    except ValueError:
        return "signature-wrong"
    return "" if verify(public, given, signed) else "signature-wrong"
