"""Verify facts, compare tables and make rows in one process, with one reading and one fold.

Findings are durable before the rows of the same facts are committed, and both are the same as from two processes. The
findings log gives the watcher's position, and the read models give the rows' position; facts that only one of them
lacks go only to that one.
"""

from collections.abc import Sequence

from consumers.logs.log import Batch, Log, Placed, tracked
from consumers.projecting.projector import Projector
from consumers.watching.sealing import Sign
from consumers.watching.tables_watcher import TablesWatcher
from consumers.watching.watcher import Watcher
from consumers.watching.writing import Heard, Report
from domain.watch.findings_stream import Written
from projections.folding.record import RecordFold
from projections.store.store import Store

_READ_AGAIN = 10_000  # facts per step
_CATCH_UP = 20_000  # facts between two batches


class OnePass(Projector):
    """A projector that also verifies the facts it takes."""

    def __init__(
        self, logs: tuple[Log, Log], store: Store, report: Report, heard: Heard, sign: Sign | None = None
    ) -> None:
        facts, findings = logs
        super().__init__(facts, findings, store)
        self._watcher = Watcher(facts, findings, report, heard, sign, beside=self)
        self._tables = TablesWatcher(facts, findings, report, heard, sign)
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

    def wrote(self, made: Sequence[Written], positions: Sequence[int]) -> None:
        """Make rows of new findings at once, so that they are published with the facts that show them.

        After records of other writers, they wait for their turn in the log.
        """
        home = self.findings.home
        partition = home(made[0].record.stream)
        if positions[0] == self._findings.at[partition] and all(home(each.record.stream) == partition for each in made):
            for position, each in zip(positions, made, strict=False):
                self._books[partition].hear(position, each.record, each.stored, each.own)
            self._took(self.findings, partition, positions[-1], len(positions))

    def take(self, log: Log, batch: Batch) -> None:
        """Take the next batch of a log, without findings that were already taken when they were written."""
        if log is self.findings:
            due = self._findings.at[batch.partition]
            batch = Batch(batch.partition, [placed for placed in batch.facts if placed[0] >= due])
        super().take(log, batch)

    def behind(self, log: Log) -> dict[int, int]:
        """For each partition of a log, the position after which to read."""
        return dict(self._watched) if log is self.facts else super().behind(log)

    def between(self) -> None:
        """Compare tables; after a start, read some of the earlier days for that."""
        self._tables.catch_up(self._watched, _CATCH_UP)
        self._tables.write()

    def all_facts(self) -> None:
        """Compare tables once."""
        self._tables.read_on()

    def _take_facts(self, partition: int, facts: Sequence[Placed]) -> int:
        end = facts[-1][0]
        while self._watched[partition] < end:
            self._step(partition, facts)
        return self._rows[partition]

    def _step(self, partition: int, facts: Sequence[Placed]) -> None:
        """Give facts to the watcher, and to the rows and the comparison of tables if they are still behind."""
        verified, rows, compared = self._watched[partition], self._rows[partition], self._tables.after[partition]
        alone = verified < rows
        if alone and partition in self._again:
            facts = self.facts.read(partition, verified, _READ_AGAIN)
        else:
            self._again.discard(partition)
        ahead = [position for position in (rows, compared) if position > verified]
        upto = min(ahead) if ahead else facts[-1][0]
        chunk = [placed for placed in facts if verified < placed[0] <= upto]
        if not chunk:
            self._watched[partition] = upto
            return
        fold, tables = self._folds[partition].follower, self._tables.follower(partition)
        made, told = fold.read, tables.read
        beside = (tables,) if compared == verified else ()
        again = self._watcher.take(partition, chunk, alone=alone, beside=beside)
        if fold.read > made:
            self._rows[partition] = chunk[fold.read - made - 1][0]
        if tables.read > told:
            self._tables.after[partition] = chunk[tables.read - told - 1][0]
        self._watched[partition] = chunk[-1][0]
        if again is not None:  # another writer's records took the place of ours
            self._watched[partition] = again
            self._again.add(partition)
