"""A partition of the findings' log as rows: standing and withdrawn findings, and how far each stream is verified.

If two verifiers write one stream's record twice, each record counts once, in the order of its chain. A finding about
two tables belongs to the table whose fact shows it. Seals are not checked here: `catwalk doctor` checks them.
"""

from collections.abc import Iterable, MutableMapping
from datetime import date

import msgspec

from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError, owner
from domain.facts.streams import stream as taken_apart
from domain.following import Stored, Stream, Usual, never
from domain.ledger.chain import digest
from domain.watch.record import (
    FindingRaised,
    FindingWithdrawn,
    StreamVerified,
    decode,
    facts_of,
    is_of_a_stream,
    readable,
    sealed_by,
)
from projections.changes import Changes, Row
from projections.folding.troubles import BROKEN, FORKED, GAP, UNREADABLE, Troubles, named

_KEPT = 2_000  # streams in memory; others are read again on their next record
STANDING, WITHDRAWN = "standing", "withdrawn"


class FindingRows(msgspec.Struct, gc=False):
    """The records about one stream so far, and their rows."""

    stream: str
    raised: dict[str, tuple[FindingRaised, int]] = {}  # the last record of each finding, and its position
    mark: StreamVerified | None = None

    def take(self, record: Fact) -> list[tuple[str, Row]]:
        """Return the rows that the next record changes, each with its table."""
        rows: list[tuple[str, Row]] = []
        match record:
            case FindingRaised():
                self.raised[record.finding] = (record, record.sequence)
                rows.append(("findings", self._finding(record, record.sequence, STANDING)))
            case FindingWithdrawn():
                held = self.raised.get(record.finding)
                if held is not None:
                    rows.append(("findings", self._finding(held[0], record.sequence, WITHDRAWN)))
            case StreamVerified():
                self.mark = record
        if is_of_a_stream(self.stream):
            rows.append(("verified", self._verified(record.sequence)))
        return rows

    def _finding(self, record: FindingRaised, edition: int, state: str) -> Row:
        return (
            *_start(record.about or self.stream),
            *(record.finding, edition, record.code, record.severity, state, record.says, list(record.clauses)),
            *(record.round, record.to_round, record.seat, record.wager, record.dealer, record.deck, record.short_cards),
            *(record.at, record.trigger, record.known_by),
            *(record.expected_cents, record.observed_cents, list(record.evidence), record.basis),
        )

    def _verified(self, edition: int) -> Row:
        mark = self.mark
        if mark is None:
            return (*_start(self.stream), 0, 0, "", "", False, "{}", edition)
        undecided = msgspec.json.encode(mark.undecided, order="sorted").decode()
        return (
            *_start(self.stream),
            *(mark.up_to, mark.rounds, mark.detectors, mark.book_digest, mark.closed, undecided, edition),
        )


Followed = Stream["FindingsOfStream"]


class FindingsOfStream:
    """The listener to one stream of findings, which passes its rows to the fold of its partition."""

    done = False

    def __init__(self, fold: "FindingsFold", stream: "Followed") -> None:
        self._fold = fold
        self._stream = stream
        self._rows = FindingRows(stream.name)

    def restore(self) -> None:
        """Take the records from before this process started; their rows exist already."""
        for link in self._stream.resume():
            self._rows.take(link.fact)

    def next(self, fact: Fact, _: str) -> None:
        """Pass on the rows that the next record changes."""
        self._fold.put(self._stream.name, fact, self._rows.take(fact))

    def usual(self) -> Usual:
        """Each record makes rows."""
        return never

    def not_calm(self, fact: Fact) -> None:
        """Ignore times."""

    def gives_up(self, _: Fact, error: Exception) -> None:
        """Stop the process: no record can make this fold fail, so the error is in Catwalk."""
        raise error

    def comes_then(self, fact: Fact) -> None:
        """Do nothing: it never gives up."""

    def forked(self, fact: Fact, _: bytes | None) -> None:
        """Report that two records claim one place."""
        self._fold.trouble(fact, FORKED, f"two different records claim place {fact.sequence}")

    def missing(self, before: Fact, _: Fact) -> None:
        """Report that records are missing, unless that was reported before this process read."""
        sequence = self._stream.sequence
        if not self._fold.troubles.missing(before.stream, sequence):
            kind = GAP if before.sequence > sequence + 1 else BROKEN
            self._fold.trouble(before, kind, f"the record after {sequence} about this stream is missing")

    def whole(self, taking: Fact) -> None:
        """Do nothing: `FindingsFold` reports how far the stream is read."""


class FindingsFold:
    """All records of one partition; `stored` gives a stream's records before the position in `at`."""

    def __init__(self, partition: int, stored: Stored, at: MutableMapping[int, int], troubles: Troubles) -> None:
        self._partition = partition
        self._stored = stored
        self._at = at
        self.troubles = troubles
        self._streams: dict[str, Followed] = {}
        self._changes = Changes()
        self.closed: set[str] = set()  # streams verified to their end since the last query
        self.told_of: set[str] = set()  # streams with a new finding since the last query
        self.read = 0

    def take(self, records: Iterable[tuple[int, bytes]]) -> None:
        """Take the next records of the partition with their positions."""
        for position, stored in records:
            self.read += 1
            self._at[self._partition] = position
            try:
                record = decode(stored)
                for name in facts_of(record.stream):
                    taken_apart(name)
            except (UnreadableFactError, BadStreamError) as error:
                self.troubles.raised(position, *named(stored), UNREADABLE, str(error))
                continue
            if not sealed_by(record.stream):
                self.hear(position, record, stored, digest(stored))

    def hear(self, position: int, record: Fact, stored: bytes, own: str) -> None:
        """Take a record that is not a seal, given the hash of its bytes."""
        self._at[self._partition] = position
        stream = self._of(record.stream)
        stream.take(record, stored, own)
        if self.troubles.any(stream.name):
            self.troubles.passed(stream.name, stream.sequence)

    def _of(self, name: str) -> Followed:
        stream = self._streams.get(name)
        if stream is None:
            while len(self._streams) >= _KEPT:
                del self._streams[next(iter(self._streams))]
            stream = self._streams[name] = Stream(name, self._stored, readable)
            stream.listener = FindingsOfStream(self, stream)
            stream.listener.restore()
        return stream

    def put(self, stream: str, record: Fact, rows: Iterable[tuple[str, Row]]) -> None:
        """Add the rows that a record of a stream changes to the batch."""
        for table, row in rows:
            self._changes.put(table, (row[3],) if table == "findings" else (row[0],), row)
            if table == "findings":
                self.told_of.add(row[0])
        if isinstance(record, StreamVerified) and record.closed:
            self.closed.add(stream)

    def trouble(self, record: Fact, kind: str, says: str) -> None:
        """Report trouble with a record's place."""
        self.troubles.raised(self._at[self._partition], record.stream, record.sequence, kind, says)

    def changes(self) -> Changes:
        """Return the changes since the last call."""
        self.troubles.write(self._changes)
        found, self._changes = self._changes, Changes()
        return found


def _start(stream: str) -> Row:
    return stream, owner(stream), date.fromisoformat(stream.rpartition("/")[2])
