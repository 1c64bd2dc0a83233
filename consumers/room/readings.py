"""The newest published generation, opened once for all readers in the process.

A generation is closed when a newer one is open and its last reader is done. Each look has its own cursor, so that many
sessions can ask at once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock
from time import monotonic

import duckdb

from projections.reading import GenerationReader, opened
from projections.store.layout import Folder, Pointer

# The longest time a look may use a generation that is not the newest: the pointer is read once in this time.
FRESH_SECONDS = 0.25


class Look:
    """One look at a generation."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, made_at: datetime, generation: int, reading: GenerationReader
    ) -> None:
        self.connection = connection
        self.made_at = made_at
        self.generation = generation
        self.positions = reading.positions  # the position reached in each log's partitions
        self.source = reading.source
        self.source_of = reading.source_of


class _Shared:
    def __init__(self, reading: GenerationReader, pointer: Pointer | None) -> None:
        self.reading = reading
        self.pointer = pointer
        self.made_at = reading.made_at  # confirmed again while no facts arrive
        self.looks = 0
        self.old = False

    def same(self, pointer: Pointer) -> bool:
        """Whether this is the current generation."""
        mine = self.pointer
        return mine is not None and (mine.build, mine.generation) == (pointer.build, pointer.generation)


class Readings:
    """The published generations of one projector's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._newest: _Shared | None = None
        self._asked_at = 0.0

    @contextmanager
    def look(self) -> Iterator[Look]:
        """The newest generation, for the duration of a look."""
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
        """Close the newest generation too."""
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
