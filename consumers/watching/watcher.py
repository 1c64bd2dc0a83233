"""The watch on a log's partitions: where it resumes, what it finds, and how findings become durable.

A watcher is stateless. The findings log says how far each stream is verified, and an open day is folded again from its
opening. The findings follow from the facts alone, so a watcher that takes over a partition in mid-day, or two that have
it at once, write the same bytes at the same places.
"""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, Protocol

from eventsourcing.persistence import IntegrityError, OperationalError

from consumers.gateway.quarantine import FORK, UNREADABLE
from consumers.logs.log import Log, Placed
from consumers.watching.findings import Findings
from consumers.watching.reading import LogReading
from consumers.watching.sealing import Sealer, Sign
from consumers.watching.writing import FindingsWriter, Heard, OvertakenError, Report, Unusable
from domain.following import Follower, Link, UnansweredError
from domain.watch.findings_stream import Written
from domain.watch.record_watch import RecordWatch
from projections.folding.record import RecordFold


class RowMaker(Protocol):
    """A maker of rows from the facts being verified, with the same reading and fold."""

    reading: LogReading

    def begins(self, partition: int) -> RecordFold:
        """The fold for a new watch."""

    def wrote(self, made: Sequence[Written], positions: Sequence[int]) -> None:
        """Process durable records of findings, if no other writer's lie between; `positions` continue with seals."""


class Watcher:
    """The watch of one process on any number of partitions, which come and go."""

    def __init__(
        self,
        facts: Log,
        findings: Log,
        report: Report,
        heard: Heard,
        sign: Sign | None = None,
        *,
        beside: RowMaker | None = None,
    ) -> None:
        self._facts = facts
        self._findings = findings
        self._report = report
        self._heard = heard
        self._sign = sign
        self._watches: dict[int, PartitionWatch] = {}
        self._beside = beside
        self._overtaken: dict[int, str] = {}
        self._read = 0

    def begin(self, partition: int) -> int:
        """Take a partition; return the position after which to read its facts."""
        sealer = Sealer(self._findings, self._sign) if self._sign is not None else None
        wrote = self._beside.wrote if self._beside is not None else None
        writer = FindingsWriter(self._findings, self._report, self._heard, sealer, wrote)
        fold = self._beside.begins(partition) if self._beside is not None else None
        reading = self._beside.reading if self._beside is not None else LogReading(self._facts)
        watch = PartitionWatch(reading, self._findings, partition, self._report, writer, fold=fold)
        self._watches[partition] = watch
        return watch.begins

    def let_go(self, partition: int) -> None:
        """Release a partition that another watcher has now; everything taken is written."""
        self._watches.pop(partition, None)

    def take(
        self, partition: int, facts: Sequence[Placed], *, alone: bool = False, beside: Iterable[Follower[Any]] = ()
    ) -> int | None:
        """Take facts of a partition in order; their findings are durable when this returns.

        If another writer's records are in its place, the watch restarts from them, and returns the position after which
        to read facts again. With `alone`, the maker of rows does not get the facts. Those `beside` get each fact that
        was taken.
        """
        self._read += len(facts)
        try:
            self._watches[partition].take(facts, alone=alone, beside=beside)
        except (OvertakenError, IntegrityError) as error:
            if self._overtaken.get(partition) == str(error):
                raise OperationalError(f"the findings log cannot be continued: {error}. Start again") from error
            self._overtaken[partition] = str(error)
            return self.begin(partition)
        self._overtaken.pop(partition, None)
        return None

    def read(self) -> int:
        """The number of facts read."""
        return self._read


class PartitionWatch:
    """The watch on one partition."""

    def __init__(
        self,
        reading: LogReading,
        findings: Log,
        partition: int,
        report: Report,
        writer: FindingsWriter,
        *,
        fold: RecordFold | None = None,
    ) -> None:
        facts, self._reading = reading.log, reading
        self._partition = partition
        self._writer = writer
        self._fold = fold
        self._pending: list[Written] = []
        self._findings = Findings(
            findings,
            partition,
            lambda at, stored, says: report(Unusable(findings, partition, at, stored, says, UNREADABLE)),
        )
        self._written_to = self._findings.end

        def told(stored: bytes, says: str, reason: str = UNREADABLE) -> None:
            report(Unusable(facts, partition, self._reading.at[partition], stored, says, reason))

        self._watch = RecordWatch(
            self._reading.record(self._held),
            told,
            self._reading.stored,
            self._pending.append,
            at=self._reading.at,
            forked=lambda stored, says: told(stored, says, FORK),
            misplaced=lambda stream: _misplaced(facts, partition, stream),
            newest=self._findings.newest,
            written_by=self._findings.written_by,
            beside=fold.alongs if fold is not None else None,
        )
        writer.seal(self._findings.newest.values())
        self._new_behind = facts.last_position(partition)  # whatever the findings say, later facts are new
        self.begins = self._first(facts)

    def take(self, facts: Sequence[Placed], *, alone: bool = False, beside: Iterable[Follower[Any]] = ()) -> None:
        """Take facts in order; their findings are durable when this returns."""
        fold = None if alone else self._fold
        self._watch.follower.besides = (*([fold.follower] if fold is not None else []), *beside)
        if fold is None:
            self._take(facts)
            return
        ahead = self._watch.follower.read - fold.follower.read
        try:
            self._take(facts)
        except (OvertakenError, IntegrityError):
            if self._watch.follower.read - fold.follower.read > ahead:
                fold.left_alone(dict(facts)[self._reading.at[self._partition]])
            raise

    def _take(self, facts: Sequence[Placed]) -> None:
        before = bisect_right(facts, self._new_behind, key=itemgetter(0))
        try:
            self._watch.take(facts[:before], self._partition)
            if before < len(facts):
                self._new_behind = sys.maxsize
                self._watch.awaited()
                self._watch.take(facts[before:], self._partition)
        except UnansweredError as error:
            raise error.__cause__ or error from error
        self._append()

    def _first(self, facts: Log) -> int:
        """The position before the opening of every open day, and before all facts whose findings may be missing."""
        by = self._findings.written_by
        if by is None:
            return 0
        places = [facts.begins(stream) for stream in {by[0], *self._findings.open}]
        return min(place.position - 1 if place is not None else 0 for place in places)

    def _held(self, stream: str) -> list[Link]:
        """The records about a stream, after writing those already made."""
        self._append()
        return self._findings.held(stream)

    def _append(self) -> None:
        pending = self._pending.copy()
        self._pending.clear()
        self._written_to = max(self._written_to, self._writer.append(pending, self._written_to))
        for stream in {made.record.stream for made in pending}:
            self._findings.written(stream)


def _misplaced(facts: Log, partition: int, stream: str) -> str:
    home = facts.home(stream)
    return "" if home == partition else f"{stream} belongs to partition {home}: it was written with another key"
