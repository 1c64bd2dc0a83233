"""The newest published generation, opened once for everybody in the process who looks at it.

A generation is let go when a newer one was opened and the last look at it is over. Each look has a cursor of its own,
so that many sessions ask at once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock
from time import monotonic

import duckdb

from projections.reading import Reading, opened
from projections.store.layout import Folder, Pointer

# How long a look may be at a generation that is not the newest: the pointer is read no oftener.
FRESH_SECONDS = 0.25


class Look:
    """One generation, for one look."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, made_at: datetime, generation: int, reading: Reading
    ) -> None:
        self.connection = connection
        self.made_at = made_at
        self.generation = generation
        self.positions = reading.positions  # up to which each log's partitions were taken in
        self.source = reading.source
        self.source_of = reading.source_of


class _Shared:
    def __init__(self, reading: Reading, pointer: Pointer | None) -> None:
        self.reading = reading
        self.pointer = pointer
        self.made_at = reading.made_at  # a generation is confirmed again while nothing comes
        self.looks = 0
        self.old = False

    def same(self, pointer: Pointer) -> bool:
        """Whether this is the generation that is to be read."""
        mine = self.pointer
        return mine is not None and (mine.build, mine.generation) == (pointer.build, pointer.generation)


class Readings:
    """What the projector of one folder has published, newest first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._newest: _Shared | None = None
        self._asked_at = 0.0

    @contextmanager
    def look(self) -> Iterator[Look]:
        """The newest generation, for as long as somebody looks at it."""
        with self._lock:
            shared = self._now()
            shared.looks += 1
            cursor = shared.reading.connection.cursor()
        try:
            yield Look(cursor, shared.made_at, shared.reading.generation, shared.reading)
        finally:
            cursor.close()
            with self._lock:
                shared.looks -= 1
                if shared.old and not shared.looks:
                    shared.reading.close()

    def close(self) -> None:
        """Lets the newest go as well."""
        with self._lock:
            if self._newest is not None:
                self._retire(self._newest)
            self._newest = None

    def _now(self) -> _Shared:
        held = self._newest
        if held is not None and monotonic() - self._asked_at < FRESH_SECONDS:
            return held
        self._asked_at = monotonic()
        pointer = Folder(self._folder).pointer()
        if held is not None and pointer is not None and held.same(pointer):
            held.made_at = pointer.told_at
            return held
        newest = _Shared(opened(self._folder), pointer)
        if held is not None:
            self._retire(held)
        self._newest = newest
        return newest

    def _retire(self, shared: _Shared) -> None:
        shared.old = True
        if not shared.looks:
            shared.reading.close()
