"""The store: the projector's only way to write the read models."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Self

from eventsourcing.persistence import IntegrityError, Tracking, TrackingRecorder
from msgspec.structs import replace

from projections.changes import Changes, Row
from projections.schema import SCHEMA
from projections.store import committing, compacting, publishing, sealing, segments
from projections.store.layout import Build, FileLock, Folder, Pointer, owned, remove_build
from projections.store.relations import live, of_days
from projections.store.working import Working
from projections.troubles import told_plainly


class Store(TrackingRecorder):
    """A folder of read models, open for writing by one process at a time.

    Rows and positions share one transaction, so a commit is stored exactly once however the process ends. If a method
    raises a `ReadModelsError`, it has changed nothing; close the store then.
    """

    def __init__(self, folder: Folder, build: Build, lock: FileLock, *, rebuilding: bool) -> None:
        super().__init__()
        self._folder = folder
        self._build = build
        self._owned = lock
        self._rebuilding = rebuilding
        self._lock = threading.RLock()
        self._working = Working(build)
        self._changed = True  # the last process may have been killed between a commit and its publication
        self._rows_left = 0  # in the round tables after the last stretch was closed
        self.segment_rows = segments.ROWS

    @classmethod
    def open(cls, folder: Path, *, rebuilding: bool = False) -> Self:
        """Open the read models of a folder, creating them if needed; with `rebuilding`, open empty ones beside them.

        `take_over` makes the rebuilt ones current.
        """
        here = Folder(folder)
        with told_plainly(here.root):
            here.root.mkdir(parents=True, exist_ok=True)
            build = _next_build(here) if rebuilding else _build(here)
            build.path.mkdir(exist_ok=True)
            lock = owned(build)
            try:
                return cls(here, build, lock, rebuilding=rebuilding)
            except BaseException:
                lock.close()
                raise

    def positions(self) -> dict[str, int]:
        """Return the stored position of each partition of each log, by its tracking name."""
        return dict(self._working.positions)

    def commit(self, changes: Changes) -> bool:
        """Commit a batch with its positions in one transaction.

        Return False, and change nothing, if none of its positions is beyond the stored ones: it was committed before.
        """
        with self._at_work():
            if changes.positions and not self._beyond(changes.positions):
                return False
            with self._working.transaction():
                committing.apply(self._working, changes)
            self._working.positions.update(changes.positions)
            self._changed = True
            return True

    def insert_tracking(self, tracking: Tracking) -> None:
        """Store a position without rows, as the event-sourcing library does."""
        if not self.commit(Changes(positions={tracking.application_name: tracking.notification_id})):
            raise IntegrityError(f"{tracking.application_name} is already beyond {tracking.notification_id}")

    def max_tracking_id(self, application_name: str) -> int | None:
        """Return the stored position of a partition."""
        return self._working.positions.get(application_name)

    def publish(self, made_at: datetime | None = None) -> Pointer | None:
        """Publish all commits as the next generation; return None if nothing has changed since the last.

        The copy is bounded: older rounds of each table move into segments first.
        """
        with self._at_work():
            if not self._changed or self._rebuilding:
                return None
            return self._publish(made_at, taking_over=False)

    def confirm(self, at: datetime | None = None) -> bool:
        """Confirm the newest generation as current, so that a quiet floor differs from a stopped feed."""
        with self._at_work():
            pointer = self._folder.pointer()
            if self._changed or pointer is None or pointer.build != self._working.build.number:
                return False
            moment = at or datetime.now(UTC)
            self._folder.point(replace(pointer, made_at=int(moment.timestamp() * 1_000_000)))
            return True

    def take_over(self, made_at: datetime | None = None) -> Pointer:
        """Publish the rebuilt read models in place of the current ones."""
        with self._at_work():
            made = self._publish(made_at, taking_over=True)
            self._rebuilding = False
            return made

    def _publish(self, made_at: datetime | None, *, taking_over: bool) -> Pointer:
        # A generation copies at most twice the rows that have to stay, or `segment_rows` more if they are few.
        if segments.rows(self._working) > self._rows_left + max(self._rows_left, self.segment_rows):
            self._close_segment()
        moment = made_at or datetime.now(UTC)
        made = publishing.publish(
            self._working, self._folder, int(moment.timestamp() * 1_000_000), taking_over=taking_over
        )
        self._changed = False
        publishing.clear(self._working, self._folder)
        return made

    def _close_segment(self, kept: int = segments.KEPT) -> bool:
        """Move all but the newest rounds of each table into Parquet."""
        closed = segments.close(self._working, kept)
        self._rows_left = segments.rows(self._working)
        self._changed |= closed
        return closed

    def seal(self, stream: str, facts: Iterable[Row] = ()) -> bool:
        """Move a verified, closed day into its own Parquet files, with its facts in the columns of the table `facts`.

        Sealing it again writes the changed tables again, and the facts only if they are given.
        """
        with self._at_work():
            sealed = sealing.seal(self._working, stream, list(facts))
            self._changed |= sealed
            return sealed

    def sealed(self, stream: str) -> bool:
        """Return whether a day has ever been sealed."""
        return stream in self._working.sealed

    def compaction(self) -> compacting.Job | None:
        """Return the next useful compaction, if any; its `run` may run in another thread."""
        with self._at_work():
            return next(compacting.plan(self._working), None)

    def adopt(self, job: compacting.Job) -> bool:
        """Replace the files of a compaction with its result."""
        with self._at_work():
            adopted = compacting.adopt(self._working, job)
            self._changed |= adopted
            return adopted

    def compact(self) -> int:
        """Run all needed compactions one after the other; return their number."""
        done = 0
        while jobs := self._compactions():
            with told_plainly(self._build.path):
                compacting.run(jobs)
            done += sum(self.adopt(job) for job in jobs)
        return done

    def _compactions(self) -> list[compacting.Job]:
        with self._at_work():
            return list(compacting.plan(self._working))

    def source(self, table: str, days: tuple[date, date] | None = None, tables: Sequence[str] | None = None) -> str:
        """Return the current rows of a table as a relation for `query`, at least for these days and tables."""
        return live(SCHEMA[table], self._working.manifest(), of_days(days, tables))

    def query(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query on the working file."""
        with self._at_work():
            return self._working.rows(query, values)

    def close(self) -> None:
        """Release the folder; the next process publishes any unpublished commit."""
        with self._lock:
            self._working.close()
            self._owned.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        with self._lock, told_plainly(self._build.path):
            yield

    def _beyond(self, positions: dict[str, int]) -> bool:
        stored = self._working.positions
        moved = [name for name, position in positions.items() if position > stored.get(name, -1)]
        behind = [name for name, position in positions.items() if position < stored.get(name, -1)]
        if moved and behind:
            raise IntegrityError(f"a batch is ahead of the stored positions of {moved} but behind those of {behind}")
        return bool(moved)


def _build(folder: Folder) -> Build:
    pointer = folder.pointer()
    if pointer is not None:
        return folder.build(pointer.build)
    there = folder.builds()
    return there[0] if there else folder.build(1)


def _next_build(folder: Folder) -> Build:
    """Return an unused build number; an unfinished rebuild is removed."""
    pointer = folder.pointer()
    current = pointer.build if pointer else 0
    there = folder.builds()
    for build in there:
        if build.number > current > 0:
            remove_build(build)
    return folder.build(max([current, *(build.number for build in there)]) + 1)
