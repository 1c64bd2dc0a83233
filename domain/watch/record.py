"""The records that a verifier writes: findings raised, revised and withdrawn, and how far each stream is verified.

The records have a log of their own. Each stream of facts has a stream of findings with the same name, chained like
facts. Findings about two tables have a stream for each pair and day: `T1+T2/2026-11-18`. Seals depend on a key, so each
stream of findings has its seals in a separate stream: `T7/2026-11-18~`.

Records follow only from the facts. Verifiers of the same facts write the same bytes, so two verifiers of one stream
write each record once. Each record names the fact by which it became known.
"""

from collections.abc import Collection

import msgspec

from domain.facts.codec import Codec
from domain.facts.envelope import Count, Digest, Fact, Name
from domain.facts.streams import is_stream as is_facts_stream
from domain.watch.finding import Finding

# The version of the detectors. Raise it when detectors find something else or word a finding differently, because the
# words of a finding are on record. If a mark of an open day names another version, its records stay, and only the
# differences are added.
VERSION = "10"
SOURCE = "verifier"
WATCHER = "watcher"  # registered in place of a table: its key seals findings
_AND = "+"
_SEALS = "~"
# Findings about a stream in the log, raised by the watch over the record instead of by a detector.
OF_THE_LOG = frozenset(
    {
        *("correction-unreadable", "record-gap", "record-broken", "record-forked", "record-unsealed"),
        *("verifier-stopped", "source-not-allowed", "clock-off", "feed-doubtful"),
    }
)


class FindingRaised(Fact, frozen=True, tag="finding-raised.1"):
    """The record of a new finding to review."""

    finding: Name
    code: Name
    severity: Name
    clauses: tuple[Name, ...]
    says: str
    trigger: Count
    known_by: Count  # the sequence of the fact that made it known: the trigger or a later fact
    known_in: str = ""  # the stream of that fact, if it is a later day
    seat: int | None = None
    wager: str = ""
    dealer: str = ""
    expected_cents: int | None = None
    observed_cents: int | None = None
    evidence: tuple[Count, ...] = ()
    basis: str = "certain"
    about: str = ""  # the stream of the facts, if this record is in the stream of two tables
    beside: str = ""  # the other table's fact
    to_round: int | None = None  # the last round of the stretch, if it has more than one
    deck: str = ""
    short_cards: int | None = None


class FindingRevised(FindingRaised, frozen=True, tag="finding-revised.1"):
    """The record that later evidence changes a finding; the id stays."""


class FindingWithdrawn(Fact, frozen=True, tag="finding-withdrawn.1"):
    """The record that later evidence explains a finding."""

    finding: Name
    explained_by: Count  # the sequence of the fact that explains it
    explained_in: str = ""  # the stream of that fact, if it is a later day


class StreamVerified(Fact, frozen=True, tag="stream-verified.1"):
    """The record that a stream is verified up to here, by this rule book's edition and these detectors."""

    up_to: Count
    head: str
    detectors: Name
    book_digest: str = ""
    rounds: Count = 0
    closed: bool = False
    undecided: dict[str, Count] = msgspec.field(
        default_factory=dict
    )  # by reason: a detector that could not run, or something unseen
    wagers: dict[str, Count] = msgspec.field(default_factory=dict)  # wagers decided, and undecided by reason


class FindingsSealed(Fact, frozen=True, tag="findings-sealed.1"):
    """A watcher's signature over the hash of a record of findings, which covers every record before it."""

    key: Name
    covers: Count  # the sequence of that record
    head: Digest
    signature: Name  # Ed25519 over the sealed words, 64 bytes in hex


KINDS: tuple[type[Fact], ...] = (FindingRaised, FindingRevised, FindingWithdrawn, StreamVerified, FindingsSealed)
RECORDS: dict[str, type[Fact]] = {str(kind.__struct_config__.tag): kind for kind in KINDS}
_CODEC = Codec(KINDS)
decode = _CODEC.decode
encode = _CODEC.encode
readable = _CODEC.readable
as_written = _CODEC.as_written


def of_two(one: str, other: str, day: str) -> str:
    """Return the stream of findings about two tables; a table's name has no plus sign."""
    return f"{one}{_AND}{other}/{day}"


def is_of_two(stream: str) -> bool:
    """Whether a stream of findings is about two tables."""
    return _AND in stream


def facts_of(stream: str) -> list[str]:
    """Return the streams of facts that a stream of findings, or of its seals, is about."""
    tables, _, day = stream.removesuffix(_SEALS).partition("/")
    return [f"{table}/{day}" for table in tables.split(_AND)]


def is_stream(name: str) -> bool:
    """Whether this is a valid name of a stream of findings."""
    streams = facts_of(name)
    return len(streams) <= 2 and all(map(is_facts_stream, streams))


def seals_of(stream: str) -> str:
    """Return the stream that holds the seals of a stream of findings."""
    return stream + _SEALS


def sealed_by(stream: str) -> str:
    """Return the stream of findings that this one seals, or nothing."""
    return stream.removesuffix(_SEALS) if stream.endswith(_SEALS) else ""


def is_of_a_stream(stream: str) -> bool:
    """Whether a stream holds findings about one stream of facts, and not about two tables or seals."""
    return not is_of_two(stream) and not stream.endswith(_SEALS)


def is_sealed(record: Fact) -> bool:
    """Whether a record needs a seal: a mark, or any record about two tables, whose streams have no marks."""
    return isinstance(record, StreamVerified) or (is_of_two(record.stream) and not isinstance(record, FindingsSealed))


def cause(record: Fact) -> tuple[str, int]:
    """Return the fact by which a record became known: its stream and its sequence."""
    match record:
        case FindingRaised():
            return record.known_in or record.stream, record.known_by
        case FindingWithdrawn():
            return record.explained_in or record.stream, record.explained_by
        case StreamVerified():
            return record.stream, record.up_to
    return record.stream, 0


def apply(standing: dict[str, Finding], record: Fact) -> None:
    """Update the open findings, by id, with this record."""
    if isinstance(record, FindingRaised):
        standing[record.finding] = finding_of(record)
    elif isinstance(record, FindingWithdrawn):
        standing.pop(record.finding, None)


def is_about(record: FindingRaised, rounds: Collection[int]) -> bool:
    """Whether the finding in a record is about one of these rounds, alone or within a stretch of rounds."""
    return any(map(finding_of(record).is_in, rounds))


def finding_of(record: FindingRaised) -> Finding:
    """Return the finding in a record."""
    return Finding(
        code=record.code,
        clauses=record.clauses,
        says=record.says,
        stream=record.about or record.stream,
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
        beside=record.beside,
        to_round=record.to_round,
        deck=record.deck,
        short_cards=record.short_cards,
    )
