"""The comparison of tables on a log: one process at a time does it, with every partition.

It reads the log itself, or it gets each fact from a watcher in the same process, decoded and hashed.

It is stateless too: it begins before the log's newest days, and its findings about two tables follow from those two
alone. So a process that takes over, or two that run at once, write the same bytes into the same streams.
"""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from eventsourcing.persistence import IntegrityError, OperationalError

from consumers.logs.log import Batch, Log
from consumers.watching.reading import LogReading
from consumers.watching.sealing import Sealer, Sign
from consumers.watching.writing import FindingsWriter, Heard, OvertakenError, Report
from domain.following import Follower, UnansweredError
from domain.watch.findings_stream import Book, opened
from domain.watch.pairs_following import PairsWatch
from domain.watch.table_claims import REMEMBERED
from domain.watch.table_pairs import TablePairs


class TablesWatcher:
    """The comparison of tables in one process."""

    def __init__(self, facts: Log, findings: Log, report: Report, heard: Heard, sign: Sign | None = None) -> None:
        self._facts = facts
        self._findings = findings
        self._writer = FindingsWriter(findings, report, heard, Sealer(findings, sign) if sign is not None else None)
        self._overtaken = ""
        self.begin()

    def begin(self) -> None:
        """Go back to a position before the newest days."""
        self.after = self._facts.recent(REMEMBERED + 1)
        self._reading = LogReading(self._facts)
        self._pairs = TablePairs(self._reading.record().answering(), self._book)
        self._following = {partition: self._follows(partition) for partition in self._facts.partitions}
        self._compared = 0  # the number of facts at the last comparison

    def read_on(self) -> None:
        """Process everything in the log now."""
        again = True
        while again:
            again = not self.write()
            for batch in self._facts.drain(self.after):
                if not self.take(batch):
                    again = True
                    break

    def follow(self, stop: threading.Event) -> None:
        """Process everything, and every later fact as it arrives."""
        while not stop.is_set():
            for batch in self._facts.follow(self.after, stop):
                if not self.take(batch):
                    break

    def take(self, batch: Batch) -> bool:
        """Take facts of a partition in order; their findings are durable when this returns. False: it started over."""
        self._read(batch)
        return self.write()

    def catch_up(self, to: Mapping[int, int], most: int) -> None:
        """Read facts up to these positions, and not many more than `most` of them."""
        for partition, end in to.items():
            while self.after[partition] < end and most > 0:
                read = self._facts.read(partition, self.after[partition], most)
                facts = [placed for placed in read if placed[0] <= end]
                if not facts:
                    self.after[partition] = end
                    break
                self._read(Batch(partition, facts))
                most -= len(facts)

    def follower(self, partition: int) -> Follower[Any]:
        """The follower of a partition; the caller that passes facts to it must move `after`."""
        return self._following[partition].follower

    def write(self) -> bool:
        """Compare tables by all facts so far; their findings are durable when this returns. False: it started over."""
        read = sum(each.follower.read for each in self._following.values())
        if read == self._compared:
            return True
        try:
            self._writer.append(self._pairs.found())
        except (OvertakenError, IntegrityError) as error:
            if self._overtaken == str(error):
                raise OperationalError(f"the findings log cannot be continued: {error}") from error
            self._overtaken = str(error)
            self.begin()
            return False
        self._overtaken, self._compared = "", read
        return True

    def _read(self, batch: Batch) -> None:
        try:
            self._following[batch.partition].take(batch.facts, batch.partition)
        except UnansweredError as error:
            raise error.__cause__ or error from error
        self.after[batch.partition] = batch.facts[-1][0]

    def _follows(self, partition: int) -> PairsWatch:
        """Follow a partition; the watcher of the partition reports records that do not belong there."""

        def misplaced(stream: str) -> str:
            return "" if self._facts.home(stream) == partition else "it belongs to another partition"

        return PairsWatch(self._pairs.take, self._reading.stored, self._reading.at, misplaced)

    def _book(self, stream: str) -> Book:
        self._writer.seal([stream])
        return opened(stream, self._writer.chain(stream))


class Turns:
    """A thread that compares tables while this process has the task."""

    def __init__(self, made: Callable[[], TablesWatcher]) -> None:
        self._made = made
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._fault: BaseException | None = None

    def ours(self, so: bool) -> None:
        """Note that this process has the task now, or that another does."""
        if so and self._thread is None:
            self._stop = threading.Event()
            self._thread = threading.Thread(target=self._watch, args=(self._stop,), name="catwalk-tables", daemon=True)
            self._thread.start()
        elif not so and self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def check(self) -> None:
        """Raise the error that ended the thread, if any."""
        if self._fault is not None:
            raise self._fault

    def _watch(self, stop: threading.Event) -> None:
        try:
            self._made().follow(stop)
        except BaseException as error:
            self._fault = error
