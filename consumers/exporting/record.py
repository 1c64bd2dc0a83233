"""The record at a checkpoint: every stream up to the last record of it in the property's tree."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Protocol

import msgspec

from consumers.desk.application import Desk
from consumers.logs.log import Log
from domain.desk import records as desk_records
from domain.facts import codec
from domain.facts.codec import UnreadableFactError, stream_in
from domain.facts.envelope import Fact
from domain.facts.watching import Corrected
from domain.following import Chain, Link
from domain.ledger.chain import digest
from domain.ledger.checkpoint import NoteKey
from domain.ledger.stretches import Kind, Proven, Stretch
from domain.watch import record as findings_records
from projections.export import proofs
from projections.export.faults import is_plain
from projections.export.proofs import DisagreeError

_CORRECTED = str(Corrected.__struct_config__.tag).encode()
_READ = {"facts": codec.as_written, "findings": findings_records.as_written, "desk": desk_records.as_written}


class UnreadRecord(Fact, frozen=True, tag="unread"):
    """A placeholder for an unreadable record; it is never written anywhere."""


def unread(stream: str, sequence: int, at: int) -> UnreadRecord:
    """A placeholder at this place, with the time of the record before it."""
    return UnreadRecord(stream=stream, sequence=sequence, at=at, source="nobody", source_key="nobody")


class _Sequence(msgspec.Struct):
    sequence: int


_SEQUENCES: msgspec.json.Decoder[_Sequence] = msgspec.json.Decoder(_Sequence)


def sequence_in(stored: bytes) -> int:
    """The sequence that a record names; 0 if it names none."""
    try:
        return _SEQUENCES.decode(stored).sequence
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0


def readable(kind: Kind, stream: str, sequence: int, stored: bytes) -> Fact | None:
    """The record of this place, if it can be read and names this place."""
    try:
        record = _READ[kind](stored)
    except UnreadableFactError:
        return None
    return record if (record.stream, record.sequence) == (stream, sequence) and is_plain(stored) else None


class Tree(Protocol):
    """The property's tree, as far as an export needs it."""

    @property
    def key(self) -> NoteKey:
        """The property's current key."""

    def sizes(self) -> list[int]:
        """The sizes of all checkpoints."""

    def note(self, size: int) -> str:
        """The signed note of a checkpoint, with the cosignatures received so far."""

    def streams(self, size: int) -> list[tuple[str, str, int]]:
        """Every stream below a size: kind, name, last record."""

    def proven(self, size: int, kind: Kind, stream: str) -> list[Proven]:
        """The stretches of a stream below a size, in order."""

    def stretches(self, size: int, kind: Kind, stream: str) -> list[Stretch]:
        """The stretches of a stream without their places and paths."""

    def leaves(self, size: int, first: int = 0) -> Iterator[Proven]:
        """Every stretch from a place on, below a size."""

    def listed(self, first: int, size: int) -> Iterator[Stretch]:
        """Every stretch from a place on, below a size, without its path."""

    def peaks(self, size: int) -> list[str]:
        """The roots of the complete subtrees over the first leaves, the largest first."""

    def consistency(self, old: int, new: int) -> list[str]:
        """The consistency proof from one size to a later one."""

    def rotations(self) -> list[str]:
        """The notes that name the property's keys, the first one first."""

    def sign(self, words: bytes) -> bytes:
        """Return the property's signature."""


class HeldStream(msgspec.Struct, frozen=True):
    """A stream with every record of it below the checkpoint, by sequence, and their places in the tree."""

    kind: Kind
    stream: str
    records: list[Fact]  # with placeholders for unreadable records
    stored: list[bytes]
    proven: list[Proven]
    places: Sequence[int]  # the sequence of each record
    plain: bool = True  # whether every record is there, readable and names the one before it; False if unchecked

    @property
    def last(self) -> int:
        """The last sequence."""
        return self.places[-1]

    def has(self, sequence: int) -> bool:
        """Whether the tree holds a record of this sequence."""
        at = self.at(sequence)
        return at < len(self.places) and self.places[at] == sequence

    def at(self, sequence: int) -> int:
        """The index of the record with this sequence."""
        return bisect_left(self.places, sequence)


class ExportableRecord:
    """Facts, findings and desk up to one checkpoint."""

    def __init__(self, tree: Tree, size: int, facts: Log, findings: Log | None, desk: Desk | None) -> None:
        self.tree = tree
        self.size = size
        self._head = (size, proofs.root_of(tree.note(size)))
        self._logs = {"facts": facts, "findings": findings}
        self._desk = desk
        self._last = {(kind, stream): last for kind, stream, last in tree.streams(size)}

    def streams(self, kind: Kind) -> list[str]:
        """The streams of a kind below the checkpoint, in byte order."""
        return sorted(stream for own, stream in self._last if own == kind)

    def has(self, kind: Kind, stream: str) -> bool:
        """Whether the checkpoint covers a stream."""
        return (kind, stream) in self._last

    def records(self, kind: Kind, stream: str) -> list[Fact]:
        """The records of a stream, without a check; only what `held` returns may be exported."""
        return [record for record, _ in self._placed(kind, stream)[1]]

    def held(self, kind: Kind, stream: str) -> HeldStream:
        """A stream with its proofs; one that differs from the tree raises an error."""
        places, chain, plain = self._placed(kind, stream)
        stored = [each for _, each in chain]
        proven, name = self.tree.proven(self.size, kind, stream), f"{kind} {stream}"
        try:
            proofs.checked(name, places, stored, proven, self._head)
        except DisagreeError:
            places, chain, plain = self._gathered(kind, stream)
            stored = [each for _, each in chain]
            proofs.checked(name, places, stored, proven, self._head)
        return HeldStream(kind, stream, [record for record, _ in chain], stored, proven, places, plain)

    def unread(self, kind: Kind, stream: str) -> HeldStream:
        """The same as `held` without decoding, for callers that read few records, if the log has each place once."""
        stored = list(islice(self._stored(kind, stream), self._last.get((kind, stream), 0)))
        proven = self.tree.proven(self.size, kind, stream)
        places = range(1, len(stored) + 1)
        try:
            proofs.checked(f"{kind} {stream}", places, stored, proven, self._head)
        except DisagreeError:
            return self.held(kind, stream)
        return HeldStream(kind, stream, [], stored, proven, places, plain=False)

    def first(self, stream: str) -> Fact | None:
        """The opening of a stream of facts."""
        facts = self._logs["facts"]
        begins = facts.begins(stream) if facts is not None else None
        found = facts.read(begins.partition, begins.position - 1, 1) if facts is not None and begins else []
        try:
            return codec.as_written(found[0][1]) if found else None
        except UnreadableFactError:
            return None

    def corrections(self, stream: str) -> list[Corrected]:
        """The corrections in a stream, by sequence; most streams have none and are not even decoded."""
        if not any(_CORRECTED in stored for stored in self._stored("facts", stream)):
            return []
        return [fact for fact in self.records("facts", stream) if isinstance(fact, Corrected)]

    def _stored(self, kind: Kind, stream: str) -> Iterable[bytes]:
        if kind == "desk":
            return [] if self._desk is None else [bytes(row.state) for row in self._desk.recorder.select_events(stream)]
        log = self._logs[kind]
        return [] if log is None else log.read_stream(stream)

    def _placed(self, kind: Kind, stream: str) -> tuple[Sequence[int], list[tuple[Fact, bytes]], bool]:
        """The records that the tree covers up to the checkpoint, by sequence, and whether they are a readable chain.

        If they are not, the first record at each place is the one in the tree: a bad record is exported as it is, and
        does not keep others from being exported.
        """
        chain, last = self._chain(kind, stream), self._last.get((kind, stream), 0)
        covered = proofs.covered(self.tree.stretches(self.size, kind, stream))
        if len(chain) == last and covered in ([], [range(1, last + 1)]):
            return range(1, last + 1), chain, True
        of_desk = kind == "desk"
        stood = enumerate(self._stored(kind, stream), 1)
        return self._at_places(kind, stream, ((n if of_desk else sequence_in(stored), stored) for n, stored in stood))

    def _gathered(self, kind: Kind, stream: str) -> tuple[Sequence[int], list[tuple[Fact, bytes]], bool]:
        """The same records as the tree's keeper gathered them: by the places they name, wherever the log has them.

        A person with write access to a database can store a record under another stream than it names; the tree has it
        by its own name.
        """
        log = None if kind == "desk" else self._logs[kind]
        kept = (stored for batch in log.drain({}) for _, stored in batch.facts) if log is not None else iter(())
        said = ((stream_in(stored), stored) for stored in kept if isinstance(stored, bytes))
        return self._at_places(kind, stream, ((sequence_in(stored), stored) for of, stored in said if of == stream))

    def _at_places(
        self, kind: Kind, stream: str, stood: Iterable[tuple[int, bytes]]
    ) -> tuple[Sequence[int], list[tuple[Fact, bytes]], bool]:
        """From records at places, the first one at each place that the tree covers."""
        covered = proofs.covered(self.tree.stretches(self.size, kind, stream))
        at: dict[int, bytes] = {}
        for sequence, stored in stood:
            if sequence in covered[bisect_right(covered, sequence, key=attrgetter("start")) - 1]:
                at.setdefault(sequence, stored)
        found: list[tuple[Fact, bytes]] = []
        for sequence, stored in sorted(at.items()):
            before = found[-1][0].at if found else 0
            found.append((readable(kind, stream, sequence, stored) or unread(stream, sequence, before), stored))
        return sorted(at), found, False

    def _chain(self, kind: Kind, stream: str) -> list[tuple[Fact, bytes]]:
        """Return the stream's chain up to the checkpoint."""
        read, last = _READ[kind], self._last.get((kind, stream), 0)
        chain, found = Chain(), list[Link]()
        for stored in self._stored(kind, stream):
            if len(found) >= last:
                break
            try:
                record = read(stored)
            except UnreadableFactError:
                continue
            if is_plain(stored):
                found += chain.take(Link(record, digest(stored), stored))
        return [(link.fact, link.stored) for link in found[:last]]
