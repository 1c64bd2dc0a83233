"""The faults of a record that an export lists: errors that are on record.

They are unreadable records, records that do not name the record before them, and invalid seals. This module
finds them as docs/export-format.md describes, and the verifier finds them again.
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
    """One fault of the record, as a row of the table."""

    kind: str
    stream: str
    sequence: int
    fault: str


class _ChainedPlace(msgspec.Struct):
    stream: str
    sequence: int
    previous: str = ""


_PLACES: Final = msgspec.json.Decoder(_ChainedPlace)


def as_line(stored: bytes) -> bytes:
    """Return a record as a line of an export, without its end; one that contains line ends as base64."""
    return b"~" + base64.b64encode(stored) if b"\n" in stored else stored


def as_stored(line: bytes) -> bytes:
    """Return the record of such a line."""
    return base64.b64decode(line[1:]) if line.startswith(b"~") else line


def is_plain(stored: bytes) -> bool:
    """Return whether the verifier, which has only Python, can read a record too: no real fact exceeds its limits."""
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
    """The ranges of a stream that the tree does not cover, and leaves that begin within earlier leaves."""
    reach = 0
    for each in stretches:
        if each.first > reach + 1:
            yield Fault(kind, stream, reach + 1, GAP)
        elif each.first <= reach:
            yield Fault(kind, stream, each.first, TWO_KEEPERS)
        reach = max(reach, each.last)


def of_lines(kind: str, stream: str, lines: Lines, unread: frozenset[int]) -> Iterator[Fault]:
    """The faults of the records of a stream themselves: unreadable records, and breaks of the chain."""
    before: tuple[int, bytes] | None = None
    for sequence, stored in lines:
        if sequence in unread:
            yield Fault(kind, stream, sequence, UNREAD)
        elif not fits(before, sequence, _PLACES.decode(stored).previous):
            yield Fault(kind, stream, sequence, CHAIN)
        before = sequence, stored


def of_seals(stream: str, lines: Lines, register: KeyRegister, verify: Verify) -> Iterator[Fault]:
    """The invalid seals of a stream of facts."""
    for sequence, stored in lines:
        if stored.startswith(_CHAIN_SEAL):
            seal = decode_fact(stored)
            if isinstance(seal, ChainSealed) and (found := trouble(register, seal, verify)):
                yield Fault("facts", stream, sequence, found)


def of_sources(stream: str, lines: Lines, sources: SourceRegister, verify: Verify) -> Iterator[Fault]:
    """The facts of a stream that lack a valid signature although their source signs its lines."""
    if not sources.sources and owner(stream) != PROPERTY:
        lines = ((sequence, stored) for sequence, stored in lines if _SIGNATURE in stored)
    for sequence, stored in lines:
        if not stored.startswith(_CHAIN_SEAL) and (found := signature_fault(sources, decode_fact(stored), verify)):
            yield Fault("facts", stream, sequence, found)


def of_findings_seals(
    stream: str, lines: Lines, register: KeyRegister, verify: Verify, hashes: Mapping[int, str] | None
) -> Iterator[Fault]:
    """The invalid seals of a stream of seals over findings; `hashes` are those of the findings shown, or None."""
    for sequence, stored in lines:
        if stored.startswith(_FINDINGS_SEAL):
            seal = decode_finding(stored)
            if not isinstance(seal, FindingsSealed):
                continue
            head = None if hashes is None else hashes.get(seal.covers, seal.head)
            if found := findings_seal_trouble(register, seal, verify, head):
                yield Fault("findings", stream, sequence, found)
