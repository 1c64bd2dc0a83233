"""The places of streams in Kafka: a small SQLite file that can be rebuilt from the log.

Kafka finds a record only by partition and offset. For each stream, the index has its partition, its first and last
offset and its highest sequence; for each partition, the offset up to which it knows the log. Every update is a minimum
or a maximum, so repeated updates, or updates by two processes, do no harm.
"""

import sqlite3
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple


class StreamSpan(NamedTuple):
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
            # A damaged database is replaced: the log has everything that was in it.
            for part in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
                part.unlink(missing_ok=True)
            self._file = _opened(file)

    def spans(self, stream: str) -> list[StreamSpan]:
        """The spans of a stream: one, unless records were also written with another key."""
        with self._lock:
            rows = self._file.execute(
                "SELECT partition, first, last, sequence FROM spans WHERE stream = ? ORDER BY partition", (stream,)
            )
            return [StreamSpan(*row) for row in rows]

    def streams(self, owner: str) -> list[str]:
        """The known streams of a table, by day."""
        with self._lock:
            rows = self._file.execute(
                "SELECT DISTINCT stream FROM spans WHERE stream > ? AND stream < ? ORDER BY 1",
                (f"{owner}/", f"{owner}0"),  # 0 is the character after the slash
            )
            return [row[0] for row in rows]

    def all(self) -> list[tuple[str, StreamSpan]]:
        """Every known stream with its span."""
        with self._lock:
            rows = self._file.execute("SELECT stream, partition, first, last, sequence FROM spans")
            return [(row[0], StreamSpan(*row[1:])) for row in rows]

    def sequence(self, stream: str) -> int:
        """The highest known sequence of a stream; -1 if the stream is unknown."""
        return max((span.sequence for span in self.spans(stream)), default=-1)

    def until(self, partition: int) -> int:
        """The offset up to which a partition is known."""
        with self._lock:
            row = self._file.execute("SELECT until FROM known WHERE partition = ?", (partition,)).fetchone()
        return row[0] if row else 0

    def note(self, spans: Mapping[str, StreamSpan], until: Iterable[tuple[int, int]]) -> None:
        """Add spans of facts, and the offsets up to which partitions are now known."""
        with self._lock, self._file:
            self._file.executemany(_SPAN, [(stream, *span) for stream, span in spans.items()])
            self._file.executemany(_KNOWN, until)

    def forget(self) -> None:
        """Empty the index, because it belongs to another log."""
        with self._lock, self._file:
            self._file.execute("DELETE FROM spans")
            self._file.execute("DELETE FROM known")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _opened(file: Path) -> sqlite3.Connection:
    opened = sqlite3.connect(file, check_same_thread=False, timeout=30)
    opened.execute("PRAGMA journal_mode=WAL")
    # Entries lost in a power cut are read again from the log.
    opened.execute("PRAGMA synchronous=NORMAL")
    opened.executescript(_TABLES)
    return opened


def widened(spans: dict[str, StreamSpan], stream: str, partition: int, offset: int, sequence: int) -> None:
    """Add one fact to the spans of one partition."""
    span = spans.get(stream)
    if span is None:
        spans[stream] = StreamSpan(partition, offset, offset, sequence)
    else:
        spans[stream] = StreamSpan(
            partition, min(span.first, offset), max(span.last, offset), max(span.sequence, sequence)
        )
