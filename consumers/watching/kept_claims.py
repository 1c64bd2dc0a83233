"""The claims and questions of tables, stored in bytes while a record is read, and then compared day by day."""

from collections.abc import Iterator
from contextlib import closing
from tempfile import SpooledTemporaryFile

from domain.facts.streams import owner
from domain.watch.claims import Key
from domain.watch.findings_stream import Written
from domain.watch.table_claims import KeptDay
from domain.watch.table_pairs import compared

_IN_MEMORY = 64_000_000  # bytes; beyond that, a file is used


class KeptClaims:
    """The days of all tables, from any process, and how far each table has come."""

    def __init__(self) -> None:
        self.latest: dict[str, Key] = {}
        self._days: dict[str, dict[str, tuple[int, int]]] = {}  # where each stream's bytes are, by day
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed when everything is compared
        self._size = 0

    def add(self, stream: str, stored: bytes) -> None:
        """Add one day of a table."""
        day = stream.removeprefix(owner(stream))
        self._days.setdefault(day, {})[stream] = (self._size, len(stored))
        self._size += self._file.write(stored)

    def compared(self) -> Iterator[Written]:
        """The records to write about every two tables, day by day. Call it once."""
        with closing(self._file):
            for _, streams in sorted(self._days.items()):
                day = [KeptDay(stream, self._read(*place)) for stream, place in streams.items()]
                yield from compared(day, self.latest)

    def _read(self, start: int, size: int) -> bytes:
        self._file.seek(start)
        return self._file.read(size)
