"""The faults of a record that an export tells of: what is on record and should never have got there.

A record that nobody can read, one that does not name the one before it, a seal that does not hold. What
docs/export-format.md says of them is worked out here, and by the verifier again.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from domain.facts.codec import decode as decode_fact
from domain.facts.seals import ChainSealed
from domain.facts.streams import PROPERTY, owner
from domain.ledger.chain import fits
from domain.ledger.seals import KeyRegister, Verify, trouble
from domain.ledger.source_register import SourceRegister, signature_fault
from domain.ledger.stretches import Stretch
from domain.watch.record import FindingsSealed
from domain.watch.record import decode as decode_finding
from domain.watch.record_seals import findings_seal_trouble
from projections.export.verifier.texts import DEEPEST_RECORD, MOST_DIGITS, record_of

UNREAD: Final = "unread"
CHAIN: Final = "chain-broken"
GAP: Final = "gap"
TWO_KEEPERS: Final = "two-keepers"
_CHAIN_SEAL: Final = b'{"type":"chain-sealed.1"'
_FINDINGS_SEAL: Final = b'{"type":"findings-sealed.1"'
_SIGNATURE: Final = b'"source_signature":"'
Lines = Iterable[tuple[int, bytes]]  # the records of a stream that are shown, by sequence


class Fault(msgspec.Struct, frozen=True, order=True):
    """One fault of the record, as the table has it."""

    kind: str
    stream: str
    sequence: int
    fault: str


class _Place(msgspec.Struct):
    stream: str
    sequence: int
    previous: str = ""


_PLACES: Final = msgspec.json.Decoder(_Place)


def as_line(stored: bytes) -> bytes:
    """A record as a line of an export, without its end; one that has line ends itself as base64."""
    return b"~" + base64.b64encode(stored) if b"\n" in stored else stored


def as_stored(line: bytes) -> bytes:
    """The record of such a line."""
    return base64.b64decode(line[1:]) if line.startswith(b"~") else line


def is_plain(stored: bytes) -> bool:
    """Whether the verifier, which has Python alone, can read a record too: it has limits no fact comes near."""
    if b"\n" in stored:
        return False
    if len(stored) < MOST_DIGITS and stored.count(b"[") + stored.count(b"{") <= DEEPEST_RECORD:
        return True
    try:
        record_of(stored)
    except ValueError:
        return False
    return True


def of_stretches(kind: str, stream: str, stretches: Iterable[Stretch]) -> Iterator[Fault]:
    """Where the tree covers no records of a stream, and where a leaf begins within those of earlier leaves."""
    reach = 0
    for each in stretches:
        if each.first > reach + 1:
            yield Fault(kind, stream, reach + 1, GAP)
        elif each.first <= reach:
            yield Fault(kind, stream, each.first, TWO_KEEPERS)
        reach = max(reach, each.last)


def of_lines(kind: str, stream: str, lines: Lines, unread: frozenset[int]) -> Iterator[Fault]:
    """What is wrong with the records of a stream as such: which nobody can read, and where the chain does not hold."""
    before: tuple[int, bytes] | None = None
    for sequence, stored in lines:
        if sequence in unread:
            yield Fault(kind, stream, sequence, UNREAD)
        elif not fits(before, sequence, _PLACES.decode(stored).previous):
            yield Fault(kind, stream, sequence, CHAIN)
        before = sequence, stored


def of_seals(stream: str, lines: Lines, register: KeyRegister, verify: Verify) -> Iterator[Fault]:
    """The seals of a stream of facts that do not hold."""
    for sequence, stored in lines:
        if stored.startswith(_CHAIN_SEAL):
            seal = decode_fact(stored)
            if isinstance(seal, ChainSealed) and (found := trouble(register, seal, verify)):
                yield Fault("facts", stream, sequence, found)


def of_sources(stream: str, lines: Lines, sources: SourceRegister, verify: Verify) -> Iterator[Fault]:
    """The facts of a stream that are not as their source signs its lines."""
    if not sources.sources and owner(stream) != PROPERTY:
        lines = ((sequence, stored) for sequence, stored in lines if _SIGNATURE in stored)
    for sequence, stored in lines:
        if not stored.startswith(_CHAIN_SEAL) and (found := signature_fault(sources, decode_fact(stored), verify)):
            yield Fault("facts", stream, sequence, found)


def of_findings_seals(
    stream: str, lines: Lines, register: KeyRegister, verify: Verify, hashes: Mapping[int, str] | None
) -> Iterator[Fault]:
    """Those of a stream of seals over findings; `hashes` are of the findings that are shown, or none where none are."""
    for sequence, stored in lines:
        if stored.startswith(_FINDINGS_SEAL):
            seal = decode_finding(stored)
            if not isinstance(seal, FindingsSealed):
                continue
            head = None if hashes is None else hashes.get(seal.covers, seal.head)
            if found := findings_seal_trouble(register, seal, verify, head):
                yield Fault("findings", stream, sequence, found)
