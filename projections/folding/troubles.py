"""Parts of a log that cannot be used, as rows: bytes that are not facts, gaps, broken chains, forks, failed folds.

An obstacle of a stream is remembered until the stream has passed it.
"""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from projections.changes import Changes, Row

TABLE: Final = "troubles"
UNREADABLE, GAP, BROKEN, FORKED, STOPPED = "unreadable", "gap", "broken", "forked", "stopped"
_IN_THE_WAY = (UNREADABLE, GAP, BROKEN)


class RecordTrouble(msgspec.Struct, frozen=True):
    """One trouble; `sequence` is the first place after the readable part, or the disputed one."""

    log: str
    partition: int
    position: int
    stream: str
    sequence: int
    kind: str
    says: str
    mended: bool = False

    @property
    def row(self) -> Row:
        """The row of the table."""
        return msgspec.structs.astuple(self)

    @property
    def key(self) -> Row:
        """The columns that identify it."""
        return self.log, self.partition, self.position, self.kind, self.sequence


class _NamedPlace(msgspec.Struct):
    stream: str = ""
    sequence: int = 0


_NAMED = msgspec.json.Decoder(_NamedPlace)


def named(stored: bytes) -> tuple[str, int]:
    """Return the stream and sequence that bytes name, whether they are a fact or not; empty if they name none."""
    try:
        found = _NAMED.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "", 0
    return found.stream[:200], min(max(found.sequence, 0), (1 << 31) - 1)


class Troubles:
    """The troubles of one partition of a log; `rows` are the earlier ones."""

    def __init__(self, log: str, partition: int, rows: Iterable[Row] = ()) -> None:
        self._log = log
        self._partition = partition
        self._standing: dict[str, list[RecordTrouble]] = {}
        self._news: dict[Row, Row] = {}
        for row in rows:
            held = RecordTrouble(*row)
            if held.log == log and held.partition == partition and not held.mended:
                self._stands(held)

    def raised(self, position: int, stream: str, sequence: int, kind: str, says: str) -> None:
        """Add a trouble found at this position."""
        found = RecordTrouble(self._log, self._partition, position, stream, sequence, kind, says)
        self._news[found.key] = found.row
        self._stands(found)

    def _stands(self, found: RecordTrouble) -> None:
        if found.stream and found.sequence and found.kind != FORKED:
            self._standing.setdefault(found.stream, []).append(found)

    def any(self, stream: str) -> bool:
        """Return whether a stream has an obstacle."""
        return stream in self._standing

    def ahead(self, stream: str, sequence: int) -> RecordTrouble | None:
        """Return the obstacle before a stream read this far; unreadable bytes count only if they come next."""
        standing = self._standing.get(stream, ())
        found = [
            held
            for held in standing
            if held.sequence == sequence + 1 or (held.sequence > sequence and held.kind != UNREADABLE)
        ]
        return min(found, key=lambda held: (held.sequence, held.position), default=None)

    def missing(self, stream: str, sequence: int) -> bool:
        """Return whether a gap after this sequence is reported already."""
        held = self._standing.get(stream, ())
        return any(each.kind in (GAP, BROKEN) and each.sequence > sequence for each in held)

    def passed(self, stream: str, sequence: int) -> None:
        """Clear the obstacles of a stream that has been read up to here."""
        self._mend(stream, lambda held: held.kind in _IN_THE_WAY and held.sequence <= sequence)

    def failed(self, stream: str) -> bool:
        """Return whether this stream's fold is reported as failed."""
        return any(held.kind == STOPPED for held in self._standing.get(stream, ()))

    def goes_on(self, stream: str) -> None:
        """Clear the failure of a stream whose fold no longer fails."""
        self._mend(stream, lambda held: held.kind == STOPPED)

    def _mend(self, stream: str, over: Callable[[RecordTrouble], bool]) -> None:
        left = []
        for held in self._standing.pop(stream, ()):
            if over(held):
                self._news[held.key] = msgspec.structs.replace(held, mended=True).row
            else:
                left.append(held)
        if left:
            self._standing[stream] = left

    def write(self, changes: Changes) -> None:
        """Put the changes into a batch."""
        for key, row in self._news.items():
            changes.put(TABLE, key, row)
        self._news = {}
