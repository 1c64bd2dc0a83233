"""Where in Kafka each stream lies: a small SQLite file that the log itself can replace.

Kafka finds a record by partition and offset and by nothing else. For each stream the index keeps its partition, its
first and last offset and its highest sequence, and for each partition the offset up to which it knows the log. Every
update is a minimum or a maximum, so what is noted twice, or by two processes, does no harm.
"""

import sqlite3
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple


class Span(NamedTuple):
    """The part of a partition from the first to the last fact of one stream."""

    partition: int
    first: int
    last: int
    sequence: int


_TABLES = """
CREATE TABLE IF NOT EXISTS spans (
    stream TEXT, partition INTEGER, first INTEGER, last INTEGER, sequence INTEGER, PRIMARY KEY (stream, partition)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS known (partition INTEGER PRIMARY KEY, until INTEGER);
"""
_SPAN = """
INSERT INTO spans VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    first = min(first, excluded.first), last = max(last, excluded.last), sequence = max(sequence, excluded.sequence)
"""
_KNOWN = "INSERT INTO known VALUES (?, ?) ON CONFLICT DO UPDATE SET until = max(until, excluded.until)"


class Index:
    """The index of one topic of one cluster."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        try:
            self._file = _opened(file)
        except sqlite3.DatabaseError:
            # Not a database any more: the log knows everything that was in it.
            for part in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
                part.unlink(missing_ok=True)
            self._file = _opened(file)

    def spans(self, stream: str) -> list[Span]:
        """Where a stream lies: one span, unless somebody wrote it with another key."""
        with self._lock:
            rows = self._file.execute(
                "SELECT partition, first, last, sequence FROM spans WHERE stream = ? ORDER BY partition", (stream,)
            )
            return [Span(*row) for row in rows]

    def streams(self, owner: str) -> list[str]:
        """The streams of a table that are known, by their days."""
        with self._lock:
            rows = self._file.execute(
                "SELECT DISTINCT stream FROM spans WHERE stream > ? AND stream < ? ORDER BY 1",
                (f"{owner}/", f"{owner}0"),  # 0 is what comes behind the stroke
            )
            return [row[0] for row in rows]

    def all(self) -> list[tuple[str, Span]]:
        """Every stream that is known, and where it lies."""
        with self._lock:
            rows = self._file.execute("SELECT stream, partition, first, last, sequence FROM spans")
            return [(row[0], Span(*row[1:])) for row in rows]

    def sequence(self, stream: str) -> int:
        """The highest sequence known of a stream; -1 when it is not known."""
        return max((span.sequence for span in self.spans(stream)), default=-1)

    def until(self, partition: int) -> int:
        """The offset up to which a partition is known."""
        with self._lock:
            row = self._file.execute("SELECT until FROM known WHERE partition = ?", (partition,)).fetchone()
        return row[0] if row else 0

    def note(self, spans: Mapping[str, Span], until: Iterable[tuple[int, int]]) -> None:
        """Takes in where facts lie, and how far partitions are known now."""
        with self._lock, self._file:
            self._file.executemany(_SPAN, [(stream, *span) for stream, span in spans.items()])
            self._file.executemany(_KNOWN, until)

    def forget(self) -> None:
        """Empties the index: the log it spoke of is another one."""
        with self._lock, self._file:
            self._file.execute("DELETE FROM spans")
            self._file.execute("DELETE FROM known")

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def _opened(file: Path) -> sqlite3.Connection:
    opened = sqlite3.connect(file, check_same_thread=False, timeout=30)
    opened.execute("PRAGMA journal_mode=WAL")
    # What a power cut takes from the end is read again from the log.
    opened.execute("PRAGMA synchronous=NORMAL")
    opened.executescript(_TABLES)
    return opened


def widened(spans: dict[str, Span], stream: str, partition: int, offset: int, sequence: int) -> None:
    """Takes one fact into the spans of one partition."""
    span = spans.get(stream)
    if span is None:
        spans[stream] = Span(partition, offset, offset, sequence)
    else:
        spans[stream] = Span(partition, min(span.first, offset), max(span.last, offset), max(span.sequence, sequence))
