"""The watch on a log's partitions: where it goes on, what it finds, and how that becomes durable.

A watcher keeps no state of its own. The findings log says how far each stream was verified; a stream that is not done
is folded again from its opening, in silence up to that mark. What a watcher writes follows from the facts alone, so
that one that takes a partition over in mid-day, or twice at once, writes the same bytes at the same places.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from consumers.logs.log import Log, Placed, StoredFact
from consumers.watching.reading import record_of
from domain.facts.streams import owner
from domain.ledger.chain import digest
from domain.watch.finding import Finding
from domain.watch.record import Book, FindingRaised, StreamVerified, Written, decode, finding_of, fold
from domain.watch.record_watch import RecordWatch

Report = Callable[[int, int, bytes, str], None]  # partition, position, bytes that are no fact, and why
Heard = Callable[[Finding], None]


class Known(msgspec.Struct):
    """What a partition's findings say when a watch begins: each table's newest stream, and the last one told of."""

    newest: dict[str, str] = {}
    open: dict[str, bool] = {}
    last: str = ""


class Watcher:
    """One process's watch: any number of partitions, each taken and let go as it comes."""

    def __init__(self, facts: Log, findings: Log, report: Report, heard: Heard) -> None:
        self._facts = facts
        self._findings = findings
        self._report = report
        self._heard = heard
        self._watches: dict[int, RecordWatch] = {}

    def begin(self, partition: int) -> int:
        """Takes a partition: the position behind which its facts are to be read."""
        known = _known(self._findings, partition)
        record = record_of(self._facts, self._book)
        self._watches[partition] = RecordWatch(record, self._unreadable(partition), self._facts.read_stream)
        begins = [self._facts.begins(stream) for stream, open_ in known.open.items() if open_]
        if not begins and known.last:
            begins = [self._facts.begins(known.last)]
        return min((place.position - 1 for place in begins if place is not None), default=0)

    def let_go(self, partition: int) -> None:
        """Another watcher has this partition now."""
        self._watches.pop(partition, None)

    def take(self, partition: int, facts: Sequence[Placed]) -> int:
        """Facts of a partition, in order: what is found is durable when this returns. How many records were written."""
        watch = self._watches[partition]
        written: list[Written] = []
        for self._position, stored in facts:
            written += watch.take(stored)
        self._append(written)
        for each in written:
            if isinstance(each.record, FindingRaised):
                self._heard(finding_of(each.record))
        return len(written)

    def read(self) -> int:
        """How many facts were read."""
        return sum(watch.read for watch in self._watches.values())

    def _append(self, written: Iterable[Written]) -> None:
        rows = [
            StoredFact(
                each.record.stream, each.record.sequence, str(type(each.record).__struct_config__.tag), each.stored
            )
            for each in written
        ]
        if rows:
            self._findings.append_once(rows)

    def _book(self, stream: str) -> Book:
        return fold(stream, ((decode(stored), digest(stored)) for stored in self._findings.read_stream(stream)))

    def _unreadable(self, partition: int) -> Callable[[bytes, str], None]:
        return lambda stored, says: self._report(partition, self._position, stored, says)


def _known(findings: Log, partition: int) -> Known:
    """What the findings of a partition say of its streams: which is each table's newest, and whether it is done."""
    known = Known()
    after = {each: findings.last_position(each) for each in findings.partitions if each != partition}
    for batch in findings.drain(after):
        for _, stored in batch.facts:
            record = decode(stored)
            known.last = record.stream
            if isinstance(record, StreamVerified):
                table = owner(record.stream)
                if record.stream >= known.newest.get(table, ""):
                    before = known.newest.get(table, "")
                    if before and before != record.stream:
                        known.open.pop(before, None)
                    known.newest[table] = record.stream
                    known.open[record.stream] = not record.closed
    return known
