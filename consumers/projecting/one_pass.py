"""Verify facts and make rows from them in one process, with one reading and one fold.

Findings are durable before the rows of the same facts are committed, and both are the same as from two processes. The
findings log gives the watcher's position, and the read models give the rows' position; facts that only one of them
lacks go only to that one.
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

_READ_AGAIN = 10_000  # facts per step


class OnePass(Projector):
    """A projector that also verifies the facts it takes."""

    def __init__(
        self, logs: tuple[Log, Log], store: Store, report: Report, heard: Heard, sign: Sign | None = None
    ) -> None:
        facts, findings = logs
        super().__init__(facts, findings, store)
        self._watcher = Watcher(facts, findings, report, heard, sign, beside=self)
        self._across: Callable[[], TablesWatcher] = lambda: TablesWatcher(facts, findings, report, heard, sign)
        self._tables = Turns(self._across)
        self._rows: dict[int, int] = {}  # by partition, the position up to which facts are rows
        self._watched: dict[int, int] = {}  # and the position up to which they are verified
        self._again: set[int] = set()  # partitions whose earlier facts are verified again
        positions = store.positions()
        for partition in facts.partitions:
            self._rows[partition] = positions.get(tracked(facts, partition), 0)
            self._watched[partition] = min(self._watcher.begin(partition), self._rows[partition])

    def begins(self, partition: int) -> RecordFold:
        """The fold of a partition for a watcher that begins; the changes of an earlier fold are kept."""
        fold = self._folds[partition]
        if fold.follower.read:
            self._made.take(fold.changes())
            fold = self._folds[partition] = self._fold_of(partition, fold.follower.newest, fold.troubles)
        return fold

    def wrote(self, rows: Sequence[StoredFact], positions: Sequence[int]) -> None:
        """Make rows of new findings at once, so that they are published with the facts that show them.

        After records of other writers, they wait for their turn in the log.
        """
        partition = self.findings.home(rows[0].stream)
        if positions[0] == self._findings.at[partition] and all(map(self._in(partition), rows)):
            placed = [(position, row.stored) for position, row in zip(positions, rows, strict=True)]
            super().take(self.findings, Batch(partition, placed))

    def _in(self, partition: int) -> Callable[[StoredFact], bool]:
        return lambda row: self.findings.home(row.stream) == partition

    def take(self, log: Log, batch: Batch) -> None:
        """Take the next batch of a log, without findings that were already taken when they were written."""
        if log is self.findings:
            due = self._findings.at[batch.partition]
            batch = Batch(batch.partition, [placed for placed in batch.facts if placed[0] >= due])
        super().take(log, batch)

    def behind(self, log: Log) -> dict[int, int]:
        """For each partition of a log, the position after which to read."""
        return dict(self._watched) if log is self.facts else super().behind(log)

    def begin(self) -> None:
        """Start comparing tables as facts arrive, in a separate thread."""
        self._tables.ours(True)

    def check(self) -> None:
        """Raise the error that ended that thread, if any."""
        self._tables.check()

    def all_facts(self) -> None:
        """Compare tables once."""
        self._across().read_on()

    def end(self) -> None:
        """End that thread."""
        self._tables.ours(False)

    def _take_facts(self, partition: int, facts: Sequence[Placed]) -> int:
        end = facts[-1][0]
        while self._watched[partition] < end:
            self._step(partition, facts)
        return self._rows[partition]

    def _step(self, partition: int, facts: Sequence[Placed]) -> None:
        """Give facts to both, or only to the watcher."""
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
        if again is not None:  # another writer's records took the place of ours
            self._watched[partition] = again
            self._again.add(partition)
