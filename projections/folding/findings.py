"""A partition of the findings' log as rows: what stands, what was withdrawn, how far each stream is verified.

Two verifiers of one stream write one record twice: each counts once, in the order of its chain. A finding about two
tables is one of the table whose fact shows it. Seals are not read here: `catwalk doctor` proves them.
"""

from collections.abc import Iterable, MutableMapping
from datetime import date

import msgspec

from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError, owner
from domain.facts.streams import stream as taken_apart
from domain.following import Link, Stored, chained, links
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
from projections.folding.troubles import BROKEN, GAP, UNREADABLE, Troubles, named

_KEPT = 2_000  # streams in memory; the others are read again when more is written about them
STANDING, WITHDRAWN = "standing", "withdrawn"


class Told(msgspec.Struct, gc=False):
    """What was written about one stream so far."""

    stream: str
    sequence: int = 0
    head: str = ""
    stopped: bool = False
    raised: dict[str, tuple[FindingRaised, int]] = {}  # the last that was said of each finding, and where
    mark: StreamVerified | None = None

    @property
    def start(self) -> Row:
        """What each row begins with."""
        return _start(self.stream)

    def fits(self, record: Fact) -> bool:
        """Whether this is the next record."""
        return record.sequence == self.sequence + 1 and record.previous == self.head

    def take(self, link: Link) -> list[tuple[str, Row]]:
        """The next record of the chain: the rows that change, each with its table."""
        record = link.fact
        self.sequence, self.head = record.sequence, link.own
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
            rows.append(("verified", self._verified()))
        return rows

    def _finding(self, record: FindingRaised, edition: int, state: str) -> Row:
        return (
            *_start(record.about or self.stream),
            *(record.finding, edition, record.code, record.severity, state, record.says, list(record.clauses)),
            *(record.round, record.seat, record.wager, record.dealer, record.at, record.trigger, record.known_by),
            *(record.expected_cents, record.observed_cents, list(record.evidence), record.basis),
        )

    def _verified(self) -> Row:
        mark = self.mark
        if mark is None:
            return (*self.start, 0, 0, "", "", False, "{}", self.sequence)
        undecided = msgspec.json.encode(mark.undecided, order="sorted").decode()
        return (
            *self.start,
            *(mark.up_to, mark.rounds, mark.detectors, mark.book_digest, mark.closed, undecided, self.sequence),
        )


class FindingsFold:
    """Everything written in one partition; `stored` gives a stream's records before the position in `at`."""

    def __init__(self, partition: int, stored: Stored, at: MutableMapping[int, int], troubles: Troubles) -> None:
        self._partition = partition
        self._stored = stored
        self._at = at
        self._troubles = troubles
        self._streams: dict[str, Told] = {}
        self._changes = Changes()
        self.closed: set[str] = set()  # streams verified to their end since somebody asked
        self.told_of: set[str] = set()  # streams a finding was written about since somebody asked
        self.read = 0

    def take(self, records: Iterable[tuple[int, bytes]]) -> None:
        """The next records of the partition with their positions."""
        for position, stored in records:
            self.read += 1
            self._at[self._partition] = position
            try:
                record = decode(stored)
                for name in facts_of(record.stream):
                    taken_apart(name)
            except (UnreadableFactError, BadStreamError) as error:
                self._troubles.raised(position, *named(stored), UNREADABLE, str(error))
                continue
            if not sealed_by(record.stream):
                self._take(record, stored, position)

    def _take(self, record: Fact, stored: bytes, position: int) -> None:
        told = self._of(record)
        link = Link(record, digest(stored))
        if told.fits(record):
            self._put(told, link)
            if told.stopped:
                self._go_on(told)
        elif record.sequence > told.sequence and not told.stopped:
            told.stopped = True
            kind = GAP if record.sequence > told.sequence + 1 else BROKEN
            says = f"the record behind {told.sequence} about this stream is missing"
            self._troubles.raised(position, record.stream, record.sequence, kind, says)

    def _of(self, record: Fact) -> Told:
        told = self._streams.get(record.stream)
        if told is None:
            while len(self._streams) >= _KEPT:
                del self._streams[next(iter(self._streams))]
            told = self._streams[record.stream] = Told(record.stream)
            self._restore(told)
        return told

    def _restore(self, told: Told) -> None:
        """What was written before this process read, in silence."""
        there = links(readable(self._stored(told.stream)))
        for link in chained(there):
            told.take(link)
        told.stopped = any(link.fact.sequence > told.sequence for link in there)

    def _go_on(self, told: Told) -> None:
        """What had been missing has come: what waits behind it follows."""
        waiting = sorted(links(readable(self._stored(told.stream))), key=lambda link: link.fact.sequence)
        for link in waiting:
            if told.fits(link.fact):
                self._put(told, link)
        told.stopped = any(link.fact.sequence > told.sequence for link in waiting)
        self._troubles.passed(told.stream, told.sequence)

    def _put(self, told: Told, link: Link) -> None:
        for table, row in told.take(link):
            self._changes.put(table, (row[3],) if table == "findings" else (row[0],), row)
            if table == "findings":
                self.told_of.add(row[0])
        if isinstance(link.fact, StreamVerified) and link.fact.closed:
            self.closed.add(told.stream)

    def changes(self) -> Changes:
        """What all that was taken since the last time comes to."""
        self._troubles.write(self._changes)
        found, self._changes = self._changes, Changes()
        return found


def _start(stream: str) -> Row:
    return stream, owner(stream), date.fromisoformat(stream.rpartition("/")[2])
