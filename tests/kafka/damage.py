"""Possible damage to a table's record in Kafka by a client with the right to write, or by a disk."""

import random
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from consumers.gateway.keys import KeyStore
from domain.facts.codec import decode, encode
from domain.facts.envelope import Fact
from domain.facts.seals import ChainSealed
from domain.facts.table_day import TableOpened
from domain.facts.wagers import WagerPlaced
from domain.ledger.chain import digest
from domain.ledger.seals import words

Stored = list[bytes | None]


class Trouble(NamedTuple):
    """A finding the doctor must report: the kind, the record by its sequence, and its place in the damaged table."""

    kind: str
    sequence: int
    at: int  # counted from 1; 0 where it lies nowhere


class Row(NamedTuple):
    """One way to damage a table's record, and everything that must be said of it."""

    what: str
    damage: Callable[[Stored, KeyStore], Stored]
    told: list[Trouble]


def facts_of(stored: Stored) -> list[Fact]:
    return [decode(one) for one in stored if one is not None]


def chained(facts: list[Fact], start: int) -> list[bytes]:
    """The facts as an intruder would write them who makes the chain fit from one record on."""
    done = [encode(fact) for fact in facts[:start]]
    for fact in facts[start:]:
        fits = msgspec.structs.replace(fact, sequence=len(done) + 1, previous=digest(done[-1]))
        done.append(encode(fits))
    return done


def more(fact: Fact) -> Fact:
    """The same wager with another amount."""
    assert isinstance(fact, WagerPlaced)
    return msgspec.structs.replace(fact, cents=9000)


def another_amount(stored: Stored, _keys: KeyStore) -> Stored:
    return [*stored[:3], encode(more(facts_of(stored)[3])), *stored[4:]]


def one_bit(stored: Stored, _keys: KeyStore) -> Stored:
    """In the amount: 1000 cents become 3000."""
    assert stored[3]
    return [*stored[:3], stored[3].replace(b'"cents":1000', b'"cents":3000'), *stored[4:]]


def dropped(stored: Stored, _keys: KeyStore) -> Stored:
    return stored[:3] + stored[4:]


def swapped(stored: Stored, _keys: KeyStore) -> Stored:
    return [*stored[:3], stored[4], stored[3], *stored[5:]]


def doubled(stored: Stored, _keys: KeyStore) -> Stored:
    return [*stored[:4], *stored[3:]]


def forged_previous(stored: Stored, _keys: KeyStore) -> Stored:
    forged = msgspec.structs.replace(facts_of(stored)[3], previous="f" * 64)
    return [*stored[:3], encode(forged), *stored[4:]]


def rewritten(stored: Stored, _keys: KeyStore) -> Stored:
    """An amount changed and every hash after it made to fit: what is left are the seals, and the writer's own head."""
    facts = facts_of(stored)
    facts[3] = more(facts[3])
    return list(chained(facts, 3))


def sealed_by_another_table(stored: Stored, keys: KeyStore) -> Stored:
    return [*stored, _seal(stored, keys, table="T1")]


def sealed_for_another_stream(stored: Stored, keys: KeyStore) -> Stored:
    """The right key over the right place of the wrong day."""
    return [*stored, _seal(stored, keys, stream="T9/2026-11-17")]


def _seal(stored: Stored, keys: KeyStore, *, table: str = "", stream: str = "") -> bytes:
    last = facts_of(stored)[-1]
    assert stored[-1]
    head = digest(stored[-1])
    signer = keys.signer(table or last.stream.partition("/")[0], last.stream, last.sequence + 1, last.at)
    assert signer
    signature = signer.sign(words(stream or last.stream, last.sequence, head))
    seal = ChainSealed(signer.name, last.sequence, signature, at=last.at, source="gateway", source_key="forged")
    return encode(msgspec.structs.replace(seal, stream=last.stream, sequence=last.sequence + 1, previous=head))


def second_writer(stored: Stored, _keys: KeyStore) -> Stored:
    """Another gateway numbered the same places for something else."""
    return [*stored[:5], encode(more(facts_of(stored)[3])), *stored[5:]]


def opened_again(stored: Stored, _keys: KeyStore) -> Stored:
    """A stale gateway opened the day once more, in the middle."""
    facts = facts_of(stored)
    assert isinstance(facts[0], TableOpened)
    return list(chained([*facts[:3], facts[0], *facts[3:]], 3))


def cut(stored: Stored, _keys: KeyStore) -> Stored:
    return stored[:-3]


def gone(_stored: Stored, _keys: KeyStore) -> Stored:
    return []


def emptied(stored: Stored, _keys: KeyStore) -> Stored:
    """A tombstone, as compaction would want one."""
    return [*stored[:3], None, *stored[4:]]


def broken_off(stored: Stored, _keys: KeyStore) -> Stored:
    assert stored[3]
    return [*stored[:3], stored[3][:70], *stored[4:]]


def any_bit(chance: random.Random) -> tuple[Callable[[Stored, KeyStore], Stored], int]:
    """One bit of one record turned round, and which record."""
    number, bit, at = chance.randrange(1, 12), chance.randrange(8), chance.random()

    def flipped(stored: Stored, _keys: KeyStore) -> Stored:
        spoilt = bytearray(stored[number - 1] or b"")
        spoilt[int(at * len(spoilt))] ^= 1 << bit
        return [*stored[: number - 1], bytes(spoilt), *stored[number:]]

    return flipped, number
