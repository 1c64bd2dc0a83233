"""The audit of a whole record: sequence, hashes, seals, and the links between days.

Pure and streaming: bytes in, troubles out, a small fixed state per stream. If a hash does not fit, the record it
belongs to is at fault: when fact n names a hash other than that of the bytes at n - 1, record n - 1 was changed.
"""

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from domain.facts.codec import UnreadableFactError, decode, encode
from domain.facts.envelope import Fact
from domain.facts.property_day import PropertyClosed, PropertyOpened
from domain.facts.seals import ChainSealed
from domain.facts.streams import BadStreamError, owner, stream
from domain.facts.table_day import TableClosed, TableOpened
from domain.ledger.chain import ChainReader, ChainStep, Recent, digest
from domain.ledger.seals import PATIENCE, KeyRegister, UnsealedTail, Verify, trouble
from domain.ledger.source_register import SourceRegister, signature_fault
from domain.ledger.wrong_byte import first_difference, wrong_byte, wrong_stream

Kind = Literal[
    "unreadable",
    "not-as-stored",
    "gap",
    "fork",
    "break",
    "repeat",
    "out-of-order",
    "opening-missing",
    "second-writer",
    "after-close",
    "day-unlinked",
    "seal-bad",
    "unsealed",
    "unsealed-long",
    "tail-cut",
    # Troubles of the property's tree: it holds what the record does not, or the reverse; or the tree itself is broken.
    "missing",
    "altered",
    "tree-bad",
    "two-keepers",
    # Troubles of the files of an embedded record: its index, the gateway's state, or the file itself.
    "misfiled",
    "outbox-bad",
    "file-bad",
]
# These are reported but are not damage: a repeat is harmless, unsealed facts may still be sealed, and a leaf that two
# keepers put into the tree twice is still there.
HARMLESS = frozenset({"repeat", "unsealed", "two-keepers"})


class ChainTrouble(msgspec.Struct, frozen=True):
    """One trouble: its kind, its place in stream and log, a sentence, and the wrong byte if known."""

    kind: Kind
    stream: str
    sequence: int
    where: str
    says: str
    byte: int | None = None


def link_troubles(link: ChainStep, stream: str, where: str, before: str, *, known: bool) -> Iterator[ChainTrouble]:
    """Yield the trouble that a misfitting link means for a reader of a whole log, if there is any.

    `before` is the place in the log of the record before it; `known` says whether a record with this sequence was read
    recently.
    """
    if link.kind == "repeat":
        yield ChainTrouble("repeat", stream, link.sequence, where, "the same record occurs again")
    elif link.kind == "fork":
        kind: Kind = "fork" if known else "out-of-order"
        says = "another record has this place" if known else "it comes after records that should follow it"
        yield ChainTrouble(kind, stream, link.sequence, where, says)
    elif link.kind == "gap":
        says = f"records {link.expected_sequence} to {link.sequence - 1} are missing"
        yield ChainTrouble("gap", stream, link.expected_sequence, before or where, says)
    elif link.kind == "break":
        says = f"record {link.sequence} names a different hash; a hash does not show which byte changed"
        yield ChainTrouble("break", stream, max(1, link.sequence - 1), before or where, says)


class ChainAudit(msgspec.Struct):
    """The state of one stream, read up to some record."""

    chain: ChainReader
    where: str = ""
    epoch: int = 0
    closed: bool = False
    unsealed: UnsealedTail = msgspec.field(default_factory=UnsealedTail)
    last_at: int = 0


class _Claim(msgspec.Struct):
    """The place a record claims, regardless of its other fields."""

    stream: str
    sequence: int
    previous: str = ""


_CLAIMS = msgspec.json.Decoder(_Claim)
_STREAM = re.compile(rb'"stream":"([^"\\]{1,60})"')
_SEQUENCE = re.compile(rb'"sequence":(\d{1,12})\b')


def claimed_stream(stored: bytes) -> str | None:
    """Return the stream in which a record, readable or not, claims a place; None if it claims none."""
    try:
        return _CLAIMS.decode(stored).stream
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


class Audit:
    """The audit of one whole record. `register` holds the property's keys, read before."""

    def __init__(self, register: KeyRegister, verify: Verify, sources: SourceRegister | None = None) -> None:
        self.register = register
        self.sources = sources or SourceRegister()
        self.verify = verify
        self.read = 0
        self.begun = 0
        self.latest_at = 0
        self.streams: dict[str, ChainAudit] = {}
        self.newest: dict[str, str] = {}

    def take(self, stored: bytes, where: str) -> Iterator[ChainTrouble]:
        """Take the next record and its place in the log, and yield its troubles."""
        self.read += 1
        try:
            fact = decode(stored)
        except UnreadableFactError as error:
            yield from self._unreadable(stored, where, str(error), wrong_byte(stored, error))
            return
        reading = self.streams.get(fact.stream)
        if reading is None:
            try:
                stream(fact.stream)
            except BadStreamError as error:
                yield ChainTrouble("unreadable", fact.stream, fact.sequence, where, str(error), wrong_stream(stored))
                return
            reading = self.streams[fact.stream] = ChainAudit(ChainReader(fact.stream))
            self.begun += 1
        try:
            wanted = encode(fact)
        except RecursionError:
            yield ChainTrouble("unreadable", fact.stream, fact.sequence, where, "it is nested too deeply")
            return
        as_written = wanted == stored
        if not as_written:
            says = "the bytes are not in canonical form"
            byte = first_difference(stored, wanted)
            yield ChainTrouble("not-as-stored", fact.stream, fact.sequence, where, says, byte)
        self.latest_at = max(self.latest_at, fact.at)
        yield from self._follow(reading, fact, stored, where, as_written=as_written)

    def _unreadable(self, stored: bytes, where: str, says: str, byte: int | None) -> Iterator[ChainTrouble]:
        """Yield the trouble of an unreadable record. If its JSON still names a place, the chain continues there."""
        try:
            claim = _CLAIMS.decode(stored)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            name, number = _STREAM.search(stored), _SEQUENCE.search(stored)
            named = name[1].decode(errors="replace") if name else ""
            yield ChainTrouble("unreadable", named, int(number[1]) if number else 0, where, says, byte)
            return
        yield ChainTrouble("unreadable", claim.stream, claim.sequence, where, says, byte)
        reading = self.streams.get(claim.stream)
        if reading is not None and claim.sequence == reading.chain.sequence + 1:
            reading.chain.follow(claim.sequence, claim.previous, digest(stored))
            reading.where = where

    def _follow(
        self, reading: ChainAudit, fact: Fact, stored: bytes, where: str, *, as_written: bool
    ) -> Iterator[ChainTrouble]:
        link = reading.chain.follow(fact.sequence, fact.previous, digest(stored))
        if link.kind != "next":
            known = link.kind == "fork" and fact.sequence in reading.chain.recent
            yield from link_troubles(link, fact.stream, where, reading.where, known=known)
            if link.kind in ("repeat", "fork"):
                return
        reading.where = where
        # A seal whose bytes can be read in two ways seals nothing; an export follows the same rule.
        yield from self._meaning(reading, fact, where, linked=link.kind == "next" and as_written)

    def _meaning(self, reading: ChainAudit, fact: Fact, where: str, *, linked: bool) -> Iterator[ChainTrouble]:
        """Yield the troubles of the ledger's own facts: openings, closings and seals."""
        opening = isinstance(fact, (TableOpened, PropertyOpened))
        if opening != (fact.sequence == 1):
            kind: Kind = "second-writer" if opening else "opening-missing"
            yield self._found(kind, fact, where, "a stream has exactly one opening, as its first record")
        if isinstance(fact, (TableOpened, PropertyOpened)):
            yield from self._opened(reading, fact, where)
        if reading.closed and not isinstance(fact, ChainSealed):
            yield self._found("after-close", fact, where, "it comes after the day's closing")
        reading.closed = reading.closed or isinstance(fact, (TableClosed, PropertyClosed))
        reading.last_at = max(reading.last_at, fact.at)
        reading.unsealed.add(fact.at)
        if fact.source_signature or self.sources.sources:
            wrong = signature_fault(self.sources, fact, self.verify)
            if wrong:
                yield self._found(
                    "seal-bad", fact, where, f"the line does not come from source {fact.source!r}: {wrong}"
                )
        if isinstance(fact, ChainSealed):
            wrong = trouble(self.register, fact, self.verify)
            if wrong:
                yield self._found("seal-bad", fact, where, f"the seal by key {fact.key} is invalid: {wrong}")
            elif linked:
                reading.unsealed = UnsealedTail()

    def _opened(self, reading: ChainAudit, fact: TableOpened | PropertyOpened, where: str) -> Iterator[ChainTrouble]:
        name = owner(fact.stream)
        reading.epoch = fact.writer_epoch
        last = self.newest.get(name)
        if last is None or last < fact.stream:
            self.newest[name] = fact.stream
            self._let_go(name, last)
        if last is None:
            return
        before = self.streams[last]
        if (fact.previous_stream, fact.previous_head) != (last, before.chain.head):
            says = f"it follows {fact.previous_stream or 'nothing'}, but the last day here is {last}"
            if fact.previous_stream == last:
                says = f"it names a head other than record {before.chain.sequence} of {last}: that was cut or changed"
            yield ChainTrouble("day-unlinked", last, before.chain.sequence, before.where, f"{fact.stream}: {says}")
        if fact.writer_epoch < before.epoch:
            yield self._found("second-writer", fact, where, f"epoch {fact.writer_epoch} after epoch {before.epoch}")

    def _let_go(self, name: str, last: str | None) -> None:
        """Forget the days before an owner's last one, so that years of record need the memory of two days.

        Facts without a seal are still reported at the end.
        """
        days = [day for day in self.streams if owner(day) == name and last is not None and day < last]
        for day in days:
            self.streams[day].chain.recent = Recent()
            if not self.streams[day].unsealed.count:
                del self.streams[day]

    def finish(
        self, heads: dict[str, tuple[int, str]] | None = None, as_of: int | None = None, patience: int = PATIENCE
    ) -> Iterator[ChainTrouble]:
        """Yield the troubles that show only at the end.

        These are unsealed facts, and streams shorter than the writer's `heads` (stream to head). Waiting for a seal is
        measured up to the given moment, or up to the record's latest fact.
        """
        asked = self.latest_at if as_of is None else as_of
        for name, reading in sorted(self.streams.items()):
            if (unsealed := reading.unsealed).count:
                kind: Kind = "unsealed-long" if unsealed.long(asked, patience) else "unsealed"
                since = (
                    f", the first of them waiting for {(asked - unsealed.since) // 1_000_000} s"
                    if kind == "unsealed-long"
                    else ""
                )
                says = f"no seal covers the last {unsealed.count} records{since}"
                yield ChainTrouble(kind, name, reading.chain.sequence, reading.where, says)
        for name, (sequence, head) in sorted((heads or {}).items()):
            held = self.streams.get(name)
            reached = held.chain.sequence if held else 0
            if reached < sequence:
                where = held.where if held else ""
                says = f"the writer wrote {sequence} records, but only {reached} are here"
                yield ChainTrouble("tail-cut", name, reached + 1, where, says)
            elif held and reached == sequence and held.chain.head != head:
                says = "the last record differs from the one the writer wrote"
                yield ChainTrouble("break", name, sequence, held.where, says)

    @staticmethod
    def _found(kind: Kind, fact: Fact, where: str, says: str) -> ChainTrouble:
        return ChainTrouble(kind, fact.stream, fact.sequence, where, says)
