"""The projector's loop: a thread reads each of two logs, and batches are committed by size and time."""

import gc
import queue
import threading
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Final

import msgspec

from consumers.logs.log import Batch, Log
from consumers.projecting.projector import Projector

BATCH_FACTS: Final = 100_000
# The longest wait of a row before it is committed and published, even while more arrive.
MOST_SECONDS: Final = 1.0
# The same for a single pass to the end, when the middle is of no interest.
ONCE_SECONDS: Final = 10.0
# The shortest time between two generations without a new finding.
LEAST_SECONDS: Final = 0.5
# A finding does not hurry while more facts than this wait: the projector is behind and has to catch up first.
HURRIED_FACTS: Final = 2_000
# The shortest time before a generation with a new finding, as a share of the time that the last generation took.
HURRIED_PAUSE: Final = 0.25
_WAIT_SECONDS: Final = 0.05
_COMPACT_SECONDS: Final = 60.0
CONFIRM_SECONDS: Final = 5.0  # how often a quiet projector confirms its generation
_AHEAD: Final = 4

Item = tuple[Log, Batch | BaseException]


class UnheardError(Exception):
    """The generation that this projector publishes is no longer the one that is read."""

    def __init__(self) -> None:
        super().__init__(
            "the read models of this projector are no longer in use: a rebuild has replaced them, or the pointer "
            "`current` was removed. Nothing is lost: start `catwalk project` again."
        )


class BatchPace(msgspec.Struct, frozen=True):
    """The size of a batch, and the limits on its wait."""

    facts: int = BATCH_FACTS
    most_seconds: float = MOST_SECONDS
    least_seconds: float = LEAST_SECONDS


def quietly() -> None:
    """Turn off garbage collection: rows form no cycles, and looking for cycles would cost more than making the rows."""
    gc.freeze()
    gc.set_threshold(200_000, 50, 100)


def through(projector: Projector, stop: threading.Event, pace: BatchPace | None = None) -> bool:
    """Process the existing facts, publish and end; return whether both logs were read to the end."""
    pace = pace or BatchPace(most_seconds=ONCE_SECONDS)
    quietly()
    loop = _CommitLoop(projector, pace)
    for log in (projector.facts, projector.findings):
        for batch in log.drain(projector.behind(log)):
            if stop.is_set():
                projector.commit()
                projector.store.publish()
                return False
            loop.take(log, batch)
        if log is projector.facts:
            projector.all_facts()
    projector.commit()
    projector.seal_all()
    projector.store.compact()
    projector.store.publish()
    return True


def follow(projector: Projector, stop: threading.Event, pace: BatchPace | None = None) -> None:
    """Process facts as they arrive until `stop` is set."""
    pace = pace or BatchPace()
    quietly()
    loop = _CommitLoop(projector, pace)
    items: queue.Queue[Item] = queue.Queue(_AHEAD)
    readers = [_reader(log, projector, items, stop) for log in (projector.facts, projector.findings)]
    try:
        while not stop.is_set():
            projector.between()
            try:
                log, said = items.get(timeout=loop.patience())
            except queue.Empty:
                loop.idle()
                continue
            if isinstance(said, BaseException):
                raise said
            loop.take(log, said, more=not items.empty())
    finally:
        stop.set()
        for reader in readers:
            reader.join()
        loop.end()
    projector.commit()
    projector.store.publish()


class _CommitLoop:
    """The decision when to commit and publish, and the other work of a projector."""

    def __init__(self, projector: Projector, pace: BatchPace) -> None:
        self._projector = projector
        self._pace = pace
        self._since = 0.0  # when the first waiting fact was taken
        self._next = 0.0  # the earliest time of the next publication
        self._hurried = 0.0  # and the same if it has a new finding
        self._compacted = self._confirmed = monotonic()
        self._compaction: threading.Thread | None = None
        self._adopt: Callable[[], object] | None = None
        self._failed: list[BaseException] = []

    def take(self, log: Log, batch: Batch, *, more: bool = True) -> None:
        """Process one more batch; `more` says whether others are waiting."""
        if not self._projector.waiting:
            self._since = monotonic()
        self._projector.take(log, batch)
        now = monotonic()
        if now - self._since >= self._pace.most_seconds or ((not more or self._hurries()) and now >= self._due()):
            self._publish()
        elif self._projector.waiting >= self._pace.facts:
            self._projector.commit()

    def patience(self) -> float:
        """The time to wait for more."""
        if not self._projector.waiting:
            return _WAIT_SECONDS
        return max(0.001, min(_WAIT_SECONDS, self._due() - monotonic()))

    def _hurries(self) -> bool:
        """Whether a new finding waits, and few facts with it."""
        return self._projector.waiting <= HURRIED_FACTS and self._projector.tells

    def _due(self) -> float:
        """The earliest time of the next publication, given what waits."""
        return self._hurried if self._hurries() else self._next

    def idle(self) -> None:
        """Commit and publish what waits, after a pause in the log."""
        now = monotonic()
        if now >= self._due():
            self._publish()
        if now - self._confirmed >= CONFIRM_SECONDS:
            self._confirmed = now
            self._confirm()
        self._compact()

    def _confirm(self) -> None:
        """Confirm that the published generation is current; raise an error if another one is read instead."""
        store = self._projector.store
        store.publish()  # a day may have been sealed just before
        if not store.confirm():
            raise UnheardError

    def _publish(self) -> None:
        """Commit and publish what was taken, and seal a finished day."""
        began = monotonic()
        self._projector.commit()
        if self._projector.store.publish() is not None:
            now = monotonic()
            took = min(self._pace.most_seconds, now - began)
            self._hurried, self._next = now + took * HURRIED_PAUSE, now + max(self._pace.least_seconds, took)
        self._projector.seal()
        self._compact()  # a busy floor never gets to `idle`

    def end(self) -> None:
        """Wait for a compaction: ending its thread inside DuckDB would crash the process."""
        if self._compaction is not None:
            self._compaction.join()

    def _compact(self) -> None:
        """Merge many files into few, in a separate thread."""
        if self._compaction is not None:
            if self._compaction.is_alive():
                return
            self._compaction = None
            if self._failed:
                raise self._failed.pop()
            if self._adopt is not None:
                self._adopt()
                self._adopt = None
        if monotonic() - self._compacted < _COMPACT_SECONDS:
            return
        self._compacted = monotonic()
        store = self._projector.store
        job = store.compaction()
        if job is None:
            return

        def run() -> None:
            try:
                job.run()
            except BaseException as error:
                self._failed.append(error)

        self._adopt = lambda: store.adopt(job)
        self._compaction = threading.Thread(target=run, name="catwalk-compaction", daemon=True)
        self._compaction.start()


def _reader(log: Log, projector: Projector, items: "queue.Queue[Item]", stop: threading.Event) -> threading.Thread:
    def read() -> None:
        try:
            for batch in log.follow(projector.behind(log), stop):
                _put(items, (log, batch), stop)
        except BaseException as error:
            _put(items, (log, error), stop)

    thread = threading.Thread(target=read, name=f"catwalk-{log.name}", daemon=True)
    thread.start()
    return thread


def _put(items: "queue.Queue[Item]", item: Item, stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            items.put(item, timeout=_WAIT_SECONDS)
        except queue.Full:
            continue
        return


def drained(log: Log, after: dict[int, int], upto: dict[int, int]) -> Iterable[Batch]:
    """Everything after these positions and up to others."""
    for batch in log.drain(after):
        end = upto.get(batch.partition, 0)
        facts = [placed for placed in batch.facts if placed[0] <= end]
        if facts:
            yield Batch(batch.partition, facts)
