"""The placed facts of a feed being checked, in a temporary file: corrections and late facts need earlier ones again."""

from array import array
from collections.abc import Iterator
from tempfile import TemporaryFile

from domain.facts.streams import owner


class Spool:
    """The stored bytes of every stream so far."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - it lives as long as the spool and has no name
        self._end = 0
        self._streams: dict[str, array[int]] = {}

    def add(self, stream: str, stored: bytes) -> None:
        """Add a stream's next fact."""
        self._streams.setdefault(stream, array("Q")).append(self._end)
        self._file.seek(self._end)
        self._end += self._file.write(stored + b"\n")

    def stored(self, stream: str) -> Iterator[bytes]:
        """Yield a stream's facts so far."""
        for place in self._streams.get(stream, array("Q")):
            self._file.seek(place)
            yield self._file.readline().rstrip(b"\n")

    def from_day(self, stream: str) -> list[str]:
        """Return this stream and the later ones of its table."""
        return sorted(name for name in self._streams if owner(name) == owner(stream) and name >= stream)
