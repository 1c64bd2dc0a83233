"""What a verifier writes down: findings raised, revised and withdrawn, and how far each stream is verified.

These are records of their own log, one stream for each stream of facts and under the same name, chained as facts are.
What is about two tables has a stream of its own for each two and day: `T1+T2/2026-11-18`. Signatures are no part of
these streams, for they depend on a key: each stream has its seals beside it, `T7/2026-11-18~`.
They hold nothing but what follows from the facts: whoever verifies the same facts writes the same bytes, so that two
verifiers of one stream write one record twice and never two. Each names the fact by which it became known.
"""

import msgspec

from domain.facts.codec import Codec
from domain.facts.envelope import Count, Digest, Fact, Name
from domain.facts.streams import is_stream as is_facts_stream
from domain.watch.finding import Finding

# Of the detectors. It is raised whenever they find otherwise or say it otherwise, for a finding's words are on record:
# where a mark names another, what is written of an open day is believed, and only what these find instead is added.
VERSION = "4"
SOURCE = "verifier"
WATCHER = "watcher"  # whose key seals findings: the name it is registered for in the place of a table's
_AND = "+"
_SEALS = "~"
# Findings about a stream as it lies in the log; the watch over the record raises them, not a detector.
OF_THE_LOG = frozenset(
    {
        *("correction-unreadable", "record-gap", "record-broken", "record-forked", "record-unsealed"),
        *("verifier-stopped", "source-not-allowed", "clock-off"),
    }
)


class FindingRaised(Fact, frozen=True, tag="finding-raised.1"):
    """Something is to be reviewed."""

    finding: Name
    code: Name
    severity: Name
    clauses: tuple[Name, ...]
    says: str
    trigger: Count
    known_by: Count  # the sequence of the fact by which it became known: the trigger, or what came later
    known_in: str = ""  # the stream of that fact, where it is a later day's
    seat: int | None = None
    wager: str = ""
    dealer: str = ""
    expected_cents: int | None = None
    observed_cents: int | None = None
    evidence: tuple[Count, ...] = ()
    basis: str = "certain"
    about: str = ""  # the stream of the facts, where this one stands in the stream of two tables
    beside: str = ""  # and the fact of the other table


class FindingRevised(FindingRaised, frozen=True, tag="finding-revised.1"):
    """A finding says something else by later evidence; its name stays."""


class FindingWithdrawn(Fact, frozen=True, tag="finding-withdrawn.1"):
    """Later evidence explains a finding."""

    finding: Name
    explained_by: Count  # the sequence of the fact that explains it
    explained_in: str = ""  # the stream of that fact, where it is a later day's


class StreamVerified(Fact, frozen=True, tag="stream-verified.1"):
    """The stream is verified up to here: by this rule book's edition and these detectors."""

    up_to: Count
    head: str
    detectors: Name
    book_digest: str = ""
    rounds: Count = 0
    closed: bool = False
    undecided: dict[str, Count] = msgspec.field(
        default_factory=dict
    )  # how often a detector could not be asked, or what nobody sees
    wagers: dict[str, Count] = msgspec.field(default_factory=dict)  # how many were decided, or not for want of what


class FindingsSealed(Fact, frozen=True, tag="findings-sealed.1"):
    """A watcher signed the hash of a record of findings, and so all before that."""

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


def of_two(one: str, other: str, day: str) -> str:
    """The stream of findings about two tables; no table's name has a plus in it."""
    return f"{one}{_AND}{other}/{day}"


def is_of_two(stream: str) -> bool:
    """Whether a stream of findings is about two tables."""
    return _AND in stream


def facts_of(stream: str) -> list[str]:
    """The streams of facts that a stream of findings, or of their seals, is about."""
    tables, _, day = stream.removesuffix(_SEALS).partition("/")
    return [f"{table}/{day}" for table in tables.split(_AND)]


def is_stream(name: str) -> bool:
    """Whether a stream of findings may be called so."""
    streams = facts_of(name)
    return len(streams) <= 2 and all(map(is_facts_stream, streams))


def seals_of(stream: str) -> str:
    """The stream in which a stream of findings is sealed."""
    return stream + _SEALS


def sealed_by(stream: str) -> str:
    """The stream of findings that this one holds the seals of, or nothing."""
    return stream.removesuffix(_SEALS) if stream.endswith(_SEALS) else ""


def is_of_a_stream(stream: str) -> bool:
    """Whether a stream of findings is what a verifier wrote about one stream of facts: not of two tables, no seals."""
    return not is_of_two(stream) and not stream.endswith(_SEALS)


def is_sealed(record: Fact) -> bool:
    """Whether a seal is due on a record: a mark, and what is about two tables, where there are none."""
    return isinstance(record, StreamVerified) or (is_of_two(record.stream) and not isinstance(record, FindingsSealed))


def cause(record: Fact) -> tuple[str, int]:
    """The fact by which a record became known: its stream and its sequence."""
    match record:
        case FindingRaised():
            return record.known_in or record.stream, record.known_by
        case FindingWithdrawn():
            return record.explained_in or record.stream, record.explained_by
        case StreamVerified():
            return record.stream, record.up_to
    return record.stream, 0


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
    )
