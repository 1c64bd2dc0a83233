"""Facts verified and made into rows by one process, of one reading and one fold.

What is found is durable before the rows of the same facts are committed, and both are what two processes make. The
findings log says where the watch goes on, and the read models where the rows do: what one has and the other has not
is taken by that one alone.
"""

from collections.abc import Callable, Sequence

from consumers.logs.log import Batch, Log, Placed, StoredFact, tracked
from consumers.projecting.projector import Projector
from consumers.watching.sealing import Sign
from consumers.watching.tables_watcher import TablesWatcher, Turns
from consumers.watching.watcher import Watcher
from consumers.watching.writing import Heard, Report
from projections.folding.record import RecordFold
from projections.store.store import Store

_READ_AGAIN = 10_000  # facts at a time


class OnePass(Projector):
    """A projector that verifies what it takes."""

    def __init__(
        self, logs: tuple[Log, Log], store: Store, report: Report, heard: Heard, sign: Sign | None = None
    ) -> None:
        facts, findings = logs
        super().__init__(facts, findings, store)
        self._watcher = Watcher(facts, findings, report, heard, sign, beside=self)
        self._across: Callable[[], TablesWatcher] = lambda: TablesWatcher(facts, findings, report, heard, sign)
        self._tables = Turns(self._across)
        self._rows: dict[int, int] = {}  # up to which position facts are rows, by partition
        self._watched: dict[int, int] = {}  # and up to which they are verified
        self._again: set[int] = set()  # partitions of which facts are verified again that were taken before
        positions = store.positions()
        for partition in facts.partitions:
            self._rows[partition] = positions.get(tracked(facts, partition), 0)
            self._watched[partition] = min(self._watcher.begin(partition), self._rows[partition])

    def begins(self, partition: int) -> RecordFold:
        """The fold of a partition beside a watch that begins; what one before it had made is kept."""
        fold = self._folds[partition]
        if fold.follower.read:
            self._made.take(fold.changes())
            fold = self._folds[partition] = self._fold_of(partition, fold.follower.newest, fold.troubles)
        return fold

    def wrote(self, rows: Sequence[StoredFact], positions: Sequence[int]) -> None:
        """Make rows of new findings at once, so that they are published with the facts that show them.

        Behind records of other writers they wait for their turn in the log.
        """
        partition = self.findings.home(rows[0].stream)
        if positions[0] == self._findings.at[partition] and all(map(self._in(partition), rows)):
            placed = [(position, row.stored) for position, row in zip(positions, rows, strict=True)]
            super().take(self.findings, Batch(partition, placed))

    def _in(self, partition: int) -> Callable[[StoredFact], bool]:
        return lambda row: self.findings.home(row.stream) == partition

    def take(self, log: Log, batch: Batch) -> None:
        """Take the next batch of a log, without the findings that were taken as they were written."""
        if log is self.findings:
            due = self._findings.at[batch.partition]
            batch = Batch(batch.partition, [placed for placed in batch.facts if placed[0] >= due])
        super().take(log, batch)

    def behind(self, log: Log) -> dict[int, int]:
        """Behind which position each partition of a log is to be read."""
        return dict(self._watched) if log is self.facts else super().behind(log)

    def begin(self) -> None:
        """Looks across the tables as facts come, in a thread of its own."""
        self._tables.ours(True)

    def check(self) -> None:
        """Raises what ended that thread."""
        self._tables.check()

    def all_facts(self) -> None:
        """Looks across the tables once."""
        self._across().read_on()

    def end(self) -> None:
        """Ends that thread."""
        self._tables.ours(False)

    def _take_facts(self, partition: int, facts: Sequence[Placed]) -> int:
        end = facts[-1][0]
        while self._watched[partition] < end:
            self._step(partition, facts)
        return self._rows[partition]

    def _step(self, partition: int, facts: Sequence[Placed]) -> None:
        """Takes what both are to take, or what only the watch is."""
        verified, rows = self._watched[partition], self._rows[partition]
        alone = verified < rows
        if alone and partition in self._again:
            facts = self.facts.read(partition, verified, _READ_AGAIN)
        else:
            self._again.discard(partition)
        upto = rows if alone else facts[-1][0]
        chunk = [placed for placed in facts if verified < placed[0] <= upto]
        if not chunk:
            self._watched[partition] = rows
            return
        fold = self._folds[partition].follower
        heard = fold.read
        again = self._watcher.take(partition, chunk, alone=alone)
        if fold.read > heard:
            self._rows[partition] = chunk[fold.read - heard - 1][0]
        self._watched[partition] = chunk[-1][0]
        if again is not None:  # another writer's records stand in the place of ours
            self._watched[partition] = again
            self._again.add(partition)
