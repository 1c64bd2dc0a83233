"""The findings about the tables of one partition, as a watcher finds them at its start.

Only the end of the findings is read, back to the two newest days: so taking over a partition costs the reading of its
last days, not of years. Older findings are read stream by stream when needed.
"""

from collections.abc import Callable

from consumers.logs.log import Log, Placed
from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.following import Link, chain_of, chained
from domain.ledger.chain import digest
from domain.watch.record import StreamVerified, cause, decode, is_of_a_stream, readable

Report = Callable[[int, bytes, str], None]  # position, bytes that are not a record of findings, and why

_BLOCK = 2_000
_DAYS = 2


class Findings:
    """The end of a partition of the findings log."""

    def __init__(self, log: Log, partition: int, report: Report) -> None:
        self._log = log
        self.end = log.last_position(partition)
        self.newest: dict[str, str] = {}  # each table's newest stream
        self.written_by: tuple[str, int] | None = None  # the fact that made the last record known
        found: dict[str, list[Link]] = {}
        for position, stored in _recent(log, partition, self.end):
            try:
                record = decode(stored)
            except UnreadableFactError as error:
                report(position, stored, str(error))
                continue
            if not is_of_a_stream(record.stream):
                continue
            found.setdefault(record.stream, []).append(Link(record, digest(stored)))
            self.written_by = cause(record)
        for stream in sorted(found):
            self.newest[owner(stream)] = stream
        # A stream that begins before the part read is not a complete chain here.
        whole = [stream for stream in self.newest.values() if any(link.fact.sequence == 1 for link in found[stream])]
        self._held = {stream: chained(found[stream]) for stream in whole}

    def held(self, stream: str) -> list[Link]:
        """The chain of records about one stream."""
        known = self._held.get(stream)
        return self.read(stream) if known is None else known

    def read(self, stream: str) -> list[Link]:
        """The current chain, read from the log."""
        return chain_of(readable(self._log.read_stream(stream)))

    def written(self, stream: str) -> None:
        """Note that more was written about this stream, so its cached chain is out of date."""
        self._held.pop(stream, None)

    @property
    def open(self) -> list[str]:
        """The newest streams that are not closed."""
        return [stream for stream in self.newest.values() if not any(map(_closes, self.held(stream)))]


def _closes(link: Link) -> bool:
    return isinstance(link.fact, StreamVerified) and link.fact.closed


def _recent(log: Log, partition: int, end: int) -> list[Placed]:
    """The records of the newest days, read backwards in blocks until a whole block is older."""
    blocks: list[list[Placed]] = []
    days: set[str] = set()
    size = _BLOCK
    while end > 0:
        start = max(0, end - size)
        blocks.append([placed for placed in log.read(partition, start, end - start) if placed[0] <= end])
        told = {day for _, stored in blocks[-1] if (day := _day(stored))}
        days |= told
        if told and told.isdisjoint(sorted(days)[-_DAYS:]):
            break
        end, size = start, 2 * size
    return [placed for block in reversed(blocks) for placed in block]


def _day(stored: bytes) -> str:
    try:
        record: Fact = decode(stored)
    except UnreadableFactError:
        return ""
    return record.stream.partition("/")[2] if is_of_a_stream(record.stream) else ""
