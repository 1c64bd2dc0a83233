"""Move facts and findings into the store: what was taken becomes rows, together with the positions in the logs.

Everything is folded in memory and committed in one transaction. After a crash, committed rows are there. The next
projector reads on after them, and folds a day again silently when its next fact arrives.
"""

from collections.abc import Iterable, Mapping, Sequence
from time import monotonic
from typing import Any

from consumers.logs.log import Batch, Log, Placed, tracked
from consumers.watching.reading import LogReading
from domain.facts.codec import name_of, readable
from domain.facts.streams import stream as taken_apart
from domain.following import chain_of
from projections.changes import Changes, Row
from projections.folding.findings import FindingsFold
from projections.folding.record import RecordFold
from projections.folding.troubles import Troubles
from projections.schema import SCHEMA
from projections.store.bookkeeping import day_of
from projections.store.store import Store

# How long a closed and verified day waits before it is sealed: its last seal comes after its close.
SETTLED_SECONDS = 5.0
_TABLE_NAMES = SCHEMA["tables"].names
_CLOSED = "state = 'closed' AND unread_from IS NULL"
_SEALABLE = f"SELECT stream FROM main.tables WHERE {_CLOSED}"  # noqa: S608 - written above


class AnotherRecordError(Exception):
    """Read models whose positions exceed the log: they belong to another record."""


class Projector:
    """The read models of one process."""

    def __init__(self, facts: Log, findings: Log, store: Store) -> None:
        self.facts = facts
        self.findings = findings
        self.store = store
        self.read = 0
        self.waiting = 0  # taken but not committed yet
        self.reading = LogReading(facts)
        self._findings = LogReading(findings)
        self._taken: dict[str, int] = {}
        self._made = Changes()  # uncommitted changes of discarded folds
        self._closed: dict[str, float] = {}  # finished days, and the time of their last fact
        positions = store.positions()
        for log in (facts, findings):
            for partition in log.partitions:
                taken = positions.get(tracked(log, partition), 0)
                _require(log, partition, taken)
                self._reading(log).at[partition] = taken + 1
        newest = dict(store.query("SELECT * FROM main.newest"))
        self._folds = {
            partition: self._fold_of(partition, newest, self._troubles(facts, partition))
            for partition in facts.partitions
        }
        self._books = {
            partition: FindingsFold(
                partition, self._findings.stored, self._findings.at, self._troubles(findings, partition)
            )
            for partition in findings.partitions
        }
        for (stream,) in store.query(_SEALABLE):
            self._closed[stream] = 0.0

    def _fold_of(self, partition: int, newest: Mapping[str, str], troubles: Troubles) -> RecordFold:
        def misplaced(stream: str) -> str:
            home = self.facts.home(stream)
            return "" if home == partition else f"{stream} belongs to partition {home}: it was written with another key"

        return RecordFold(
            partition,
            self.reading.record(),
            self.reading.stored,
            self.reading.at,
            troubles,
            newest=newest,
            misplaced=misplaced if len(self.facts.partitions) > 1 else None,
        )

    def _troubles(self, log: Log, partition: int) -> Troubles:
        standing = "SELECT * FROM main.troubles WHERE NOT mended ORDER BY position"
        return Troubles(log.name, partition, self.store.query(standing))

    def _reading(self, log: Log) -> LogReading:
        return self.reading if log is self.facts else self._findings

    def behind(self, log: Log) -> dict[int, int]:
        """For each partition of a log, the position after which to read."""
        positions = self.store.positions()
        return {partition: positions.get(tracked(log, partition), 0) for partition in log.partitions}

    def take(self, log: Log, batch: Batch) -> None:
        """Take the next batch of a log into memory; `commit` makes it durable."""
        if not batch.facts:
            return
        last = batch.facts[-1][0]
        if log is self.facts:
            last = self._take_facts(batch.partition, batch.facts)
        else:
            self._books[batch.partition].take(batch.facts)
        self._took(log, batch.partition, last, len(batch.facts))

    def _took(self, log: Log, partition: int, last: int, count: int) -> None:
        self.read += count
        self.waiting += count
        self._taken[tracked(log, partition)] = last
        self._reading(log).at[partition] = last + 1

    def _take_facts(self, partition: int, facts: Sequence[Placed]) -> int:
        """Take the next facts of a partition; return the position up to which they are rows."""
        self._folds[partition].take(facts)
        return facts[-1][0]

    @property
    def tells(self) -> bool:
        """Whether a finding was taken, new, revised or withdrawn, that is not committed yet."""
        return any(book.told_of for book in self._books.values())

    def between(self) -> None:
        """Do what is due between two batches while the logs are followed."""

    def all_facts(self) -> None:
        """Note that all existing facts were taken, and that findings are read next."""

    def commit(self) -> int:
        """Commit everything taken; return the number of new rows."""
        if not self._taken:
            return 0
        changes, self._made = self._made, Changes()
        changes.positions.update(self._taken)
        for fold in self._folds.values():
            changes.take(fold.changes())
        for book in self._books.values():
            changes.take(book.changes())
        self._taken, self.waiting = {}, 0
        self.store.commit(changes)
        self._note_closed(changes)
        return changes.size

    def _note_closed(self, changes: Changes) -> None:
        now = monotonic()
        for stream, tables in changes.day.items():
            for row in tables.get("tables", ()):
                told: dict[str, Any] = dict(zip(_TABLE_NAMES, row, strict=True))
                if told["state"] == "closed" and told["unread_from"] is None:
                    self._closed[stream] = now
                else:
                    self._closed.pop(stream, None)
        for stream in changes.unread:
            self._closed.pop(stream, None)
        for book in self._books.values():
            # Late rows about a sealed day are not in its file: they go to the remaining rows of that day.
            late = {stream for stream in book.told_of if self.store.sealed(stream)}
            for stream in book.closed | late:
                self._closed.setdefault(stream, now)
            book.closed.clear()
            book.told_of.clear()

    def seal(self) -> None:
        """Seal one day that is closed, verified to its end and settled; only one, because new facts wait meanwhile."""
        due = (name for name, since in self._closed.items() if monotonic() - since >= SETTLED_SECONDS)
        stream = next(due, None)
        if stream is not None:
            self._seal(stream)

    def seal_all(self) -> None:
        """Seal every day that is closed and verified to its end."""
        for stream in list(self._closed):
            self._seal(stream)

    def _seal(self, stream: str) -> None:
        if self._verified(stream):
            del self._closed[stream]
            self.store.seal(stream, self._facts_of(stream))
        else:
            self._closed[stream] = monotonic()  # tried again after a while

    def seal_those(self, streams: Iterable[str]) -> None:
        """Seal exactly these days, which were sealed in the read models being rebuilt."""
        for stream in sorted(streams):
            self._closed.pop(stream, None)
            self.store.seal(stream, self._facts_of(stream))

    def _verified(self, stream: str) -> bool:
        """Whether the last mark says that the day is verified to its end, and the store has all of it."""
        return self._says(stream, "tables", _CLOSED) and self._says(stream, "verified", "closed")

    def _says(self, stream: str, table: str, what: str) -> bool:
        day, owner = day_of(stream)
        source = self.store.source(table, (day, day), (owner,))  # a sealed day's row is in its own file
        said = f"SELECT 1 FROM {source} WHERE stream = ? AND {what}"  # noqa: S608 - the store's own relation
        return bool(self.store.query(said, [stream]))

    def _facts_of(self, stream: str) -> Iterable[Row]:
        """The day's facts in the log, up to the position taken."""
        found = taken_apart(stream)
        day, _ = day_of(stream)
        for link in chain_of(readable(self.reading.stored(stream))):
            fact = link.fact
            yield stream, found.owner, day, fact.sequence, name_of(fact), fact.round, fact.at, link.stored


def _require(log: Log, partition: int, taken: int) -> None:
    """Raise an error if the log ends before the position taken: continuing would silently mix two records."""
    end = log.last_position(partition) if taken else 0
    if taken > end:
        raise AnotherRecordError(
            f"these read models reach position {taken} of {tracked(log, partition)}, but that log ends at {end}: "
            "they belong to another record, or this one was restored from a backup. `catwalk rebuild` recreates them "
            "from this record."
        )
