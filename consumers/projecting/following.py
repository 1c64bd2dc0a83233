"""The projector's loop: two logs read by a thread each, batches by size and time, a generation a second at least."""

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
# What was taken waits no longer than this until it is committed and published, however much more is there already.
MOST_SECONDS: Final = 1.0
# And where it is taken to its end in one go, for nobody waits to see the middle of it.
ONCE_SECONDS: Final = 10.0
# Nor shorter than this, and than the time it takes, so that half of the time is left for what comes.
LEAST_SECONDS: Final = 0.1
_WAIT_SECONDS: Final = 0.05
_COMPACT_SECONDS: Final = 60.0
CONFIRM_SECONDS: Final = 5.0  # so often it is said that nothing has come, while nothing comes
_AHEAD: Final = 4

Item = tuple[Log, Batch | BaseException]


class UnheardError(Exception):
    """What this projector publishes is not what is read any more."""

    def __init__(self) -> None:
        super().__init__(
            "what this projector publishes is not read any more: a rebuild has taken its place, or the pointer "
            "`current` was removed. Nothing is lost: start `catwalk project` again."
        )


class Pace(msgspec.Struct, frozen=True):
    """How much goes into a batch, and how long it may wait."""

    facts: int = BATCH_FACTS
    most_seconds: float = MOST_SECONDS
    least_seconds: float = LEAST_SECONDS


def quietly() -> None:
    """Rows are many and free of cycles: looking for cycles among them would cost more than making them."""
    gc.freeze()
    gc.set_threshold(200_000, 50, 100)


def through(projector: Projector, stop: threading.Event, pace: Pace | None = None) -> bool:
    """Takes what is there, publishes it and ends; whether it came to the end of both logs."""
    pace = pace or Pace(most_seconds=ONCE_SECONDS)
    quietly()
    loop = _Loop(projector, pace)
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


def follow(projector: Projector, stop: threading.Event, pace: Pace | None = None) -> None:
    """Takes what comes until it is stopped."""
    pace = pace or Pace()
    quietly()
    loop = _Loop(projector, pace)
    items: queue.Queue[Item] = queue.Queue(_AHEAD)
    readers = [_reader(log, projector, items, stop) for log in (projector.facts, projector.findings)]
    try:
        while not stop.is_set():
            projector.check()
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


class _Loop:
    """When to commit and publish, and what is done besides."""

    def __init__(self, projector: Projector, pace: Pace) -> None:
        self._projector = projector
        self._pace = pace
        self._since = 0.0  # when the first of what waits was taken
        self._next = 0.0  # before when nothing is published
        self._compacted = self._confirmed = monotonic()
        self._compaction: threading.Thread | None = None
        self._adopt: Callable[[], object] | None = None
        self._failed: list[BaseException] = []

    def take(self, log: Log, batch: Batch, *, more: bool = True) -> None:
        """One more batch; whether more is there already."""
        if not self._projector.waiting:
            self._since = monotonic()
        self._projector.take(log, batch)
        now = monotonic()
        if now - self._since >= self._pace.most_seconds or (not more and now >= self._next):
            self._publish()
        elif self._projector.waiting >= self._pace.facts:
            self._projector.commit()

    def patience(self) -> float:
        """How long to wait for more."""
        if not self._projector.waiting:
            return _WAIT_SECONDS
        return max(0.001, min(_WAIT_SECONDS, self._next - monotonic()))

    def idle(self) -> None:
        """Nothing has come for a moment."""
        now = monotonic()
        if now >= self._next:
            self._publish()
        if now - self._confirmed >= CONFIRM_SECONDS:
            self._confirmed = now
            self._confirm()
        self._compact()

    def _confirm(self) -> None:
        """Says that what is published is still all there is; where something else is read, nobody is to wait for us."""
        store = self._projector.store
        store.publish()  # a day may have been sealed a moment ago
        if not store.confirm():
            raise UnheardError

    def _publish(self) -> None:
        """What was taken becomes true and is published; a day that is over is sealed."""
        began = monotonic()
        self._projector.commit()
        if self._projector.store.publish() is not None:
            took = monotonic() - began
            self._next = monotonic() + min(self._pace.most_seconds, max(self._pace.least_seconds, took))
        self._projector.seal()
        self._compact()  # on a floor that never rests nothing would ever be idle

    def end(self) -> None:
        """Waits for a compaction: a thread that is cut off within DuckDB would take the process down with a signal."""
        if self._compaction is not None:
            self._compaction.join()

    def _compact(self) -> None:
        """Many files become few beside the loop, in a thread of its own."""
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
    """Everything behind these positions and up to others."""
    for batch in log.drain(after):
        end = upto.get(batch.partition, 0)
        facts = [placed for placed in batch.facts if placed[0] <= end]
        if facts:
            yield Batch(batch.partition, facts)
