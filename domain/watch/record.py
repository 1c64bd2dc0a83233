"""What a verifier writes down: findings raised, revised and withdrawn, and how far each stream is verified.

These are records of their own log, one stream for each stream of facts and under the same name, chained as facts are.
They hold nothing but what follows from the facts: whoever verifies the same facts writes the same bytes, so that two
verifiers of one stream write one record twice and never two.
"""

from collections.abc import Iterable
from typing import Any, Union

import msgspec

from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Count, Fact, Name
from domain.ledger.chain import digest
from domain.watch.finding import Finding

VERSION = "1"  # of the detectors: it changes when they find otherwise
SOURCE = "verifier"


class FindingRaised(Fact, frozen=True, tag="finding-raised.1"):
    """Something is to be reviewed."""

    finding: Name
    code: Name
    severity: Name
    clauses: tuple[Name, ...]
    says: str
    trigger: Count
    seat: int | None = None
    wager: str = ""
    dealer: str = ""
    expected_cents: int | None = None
    observed_cents: int | None = None
    evidence: tuple[Count, ...] = ()
    basis: str = "certain"


class FindingRevised(FindingRaised, frozen=True, tag="finding-revised.1"):
    """A finding says something else by later evidence; its name stays."""


class FindingWithdrawn(Fact, frozen=True, tag="finding-withdrawn.1"):
    """Later evidence explains a finding."""

    finding: Name
    explained_by: Count  # the sequence, in the stream of `explained_in`
    explained_in: str = ""


class StreamVerified(Fact, frozen=True, tag="stream-verified.1"):
    """The stream is verified up to here: by this rule book's edition and these detectors."""

    up_to: Count
    head: str
    book_digest: str = ""
    detectors: str = VERSION
    rounds: Count = 0
    closed: bool = False
    undecided: dict[str, Count] = msgspec.field(default_factory=dict)


RECORDS: dict[str, type[Fact]] = {
    str(kind.__struct_config__.tag): kind for kind in (FindingRaised, FindingRevised, FindingWithdrawn, StreamVerified)
}
AnyRecord = Union[tuple(RECORDS.values())]  # type: ignore[valid-type] # noqa: UP007 - made from the types above
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyRecord)
_ENCODER = msgspec.json.Encoder()


def decode(stored: bytes) -> Fact:
    """The record these bytes hold."""
    try:
        found: Fact = _DECODER.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableFactError(str(error)) from error
    return found


class Written(msgspec.Struct, frozen=True):
    """A record with its place, and its stored bytes."""

    record: Fact
    stored: bytes


class Book(msgspec.Struct):
    """The findings stream of one stream of facts: what was written so far, and the chain's head."""

    stream: str
    sequence: int = 0
    head: str = ""
    up_to: int = 0
    closed: bool = False
    detectors: str = VERSION  # which ones verified it last
    standing: dict[str, Finding] = {}

    def raised(self, finding: Finding) -> Written | None:
        """The next record: this finding is raised, or says something else now; none where it stands so already."""
        held = self.standing.get(finding.id)
        if held == finding:
            return None
        kind = FindingRaised if held is None else FindingRevised
        self.standing[finding.id] = finding
        return self._next(
            kind(
                finding=finding.id,
                code=finding.code,
                severity=finding.severity,
                clauses=finding.clauses,
                says=finding.says,
                trigger=finding.trigger,
                seat=finding.seat,
                wager=finding.wager,
                dealer=finding.dealer,
                expected_cents=finding.expected_cents,
                observed_cents=finding.observed_cents,
                evidence=finding.evidence,
                basis=finding.basis,
                round=finding.round,
                at=finding.at,
                source=SOURCE,
                source_key=self._key(),
            )
        )

    def withdrawn(self, finding: Finding, after: Fact) -> Written | None:
        """The next record: this fact explains the finding; none where it does not stand."""
        if self.standing.pop(finding.id, None) is None:
            return None
        return self._next(
            FindingWithdrawn(
                finding=finding.id,
                explained_by=after.sequence,
                explained_in=after.stream,
                round=finding.round,
                at=after.at,
                source=SOURCE,
                source_key=self._key(),
            )
        )

    def verified(
        self,
        after: Fact,
        head: str,
        *,
        book_digest: str = "",
        rounds: int = 0,
        closed: bool = False,
        undecided: dict[str, int] | None = None,
    ) -> Written:
        """The next record: the stream is verified up to this fact."""
        self.up_to, self.closed = after.sequence, self.closed or closed
        return self._next(
            StreamVerified(
                up_to=after.sequence,
                head=head,
                book_digest=book_digest,
                rounds=rounds,
                closed=closed,
                undecided=undecided or {},
                at=after.at,
                source=SOURCE,
                source_key=self._key(),
            )
        )

    def _key(self) -> str:
        return f"{self.stream}:{self.sequence + 1}"

    def _next(self, record: Fact) -> Written:
        placed = msgspec.structs.replace(record, stream=self.stream, sequence=self.sequence + 1, previous=self.head)
        stored = _ENCODER.encode(placed)
        self.sequence, self.head = placed.sequence, digest(stored)
        return Written(placed, stored)


def fold(stream: str, records: Iterable[tuple[Fact, str]]) -> Book:
    """The book of a findings stream after these records, each with the hash of its bytes."""
    book = Book(stream)
    for record, own in records:
        book.sequence, book.head = record.sequence, own
        apply(book.standing, record)
        if isinstance(record, StreamVerified):
            book.up_to, book.closed, book.detectors = record.up_to, book.closed or record.closed, record.detectors
    return book


def apply(standing: dict[str, Finding], record: Fact) -> None:
    """What stands after this record, by name."""
    if isinstance(record, FindingRaised):
        standing[record.finding] = finding_of(record)
    elif isinstance(record, FindingWithdrawn):
        standing.pop(record.finding, None)


def finding_of(record: FindingRaised) -> Finding:
    """The finding a record raised."""
    return Finding(
        code=record.code,
        clauses=record.clauses,
        says=record.says,
        stream=record.stream,
        trigger=record.trigger,
        at=record.at,
        round=record.round,
        seat=record.seat,
        wager=record.wager,
        dealer=record.dealer,
        expected_cents=record.expected_cents,
        observed_cents=record.observed_cents,
        evidence=record.evidence,
        basis=record.basis,
    )
