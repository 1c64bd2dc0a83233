"""What verifiers wrote about the tables of one partition, as a watch finds it when it begins.

Only the end of the findings is read, back to where nothing is of the two newest days any more: a property's years of
findings cost who takes a partition over no more than its last days. What is older is read stream by stream, if it is
ever asked for.
"""

from collections.abc import Callable

from consumers.logs.log import Log, Placed
from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.following import Link, chain_of, chained
from domain.ledger.chain import digest
from domain.watch.record import StreamVerified, cause, decode, is_of_a_stream, readable

Report = Callable[[int, bytes, str], None]  # position, bytes that are no record of findings, and why

_BLOCK = 2_000
_DAYS = 2


class Findings:
    """The end of a partition of the findings log."""

    def __init__(self, log: Log, partition: int, report: Report) -> None:
        self._log = log
        self.end = log.last_position(partition)
        self.newest: dict[str, str] = {}  # each table's newest stream
        self.written_by: tuple[str, int] | None = None  # the fact by which the last record became known
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
        # What begins before the part that was read is no chain of its own.
        whole = [stream for stream in self.newest.values() if any(link.fact.sequence == 1 for link in found[stream])]
        self._held = {stream: chained(found[stream]) for stream in whole}

    def held(self, stream: str) -> list[Link]:
        """The chain of records about one stream."""
        known = self._held.get(stream)
        return self.read(stream) if known is None else known

    def read(self, stream: str) -> list[Link]:
        """The same as it stands now."""
        return chain_of(readable(self._log.read_stream(stream)))

    def written(self, stream: str) -> None:
        """More was written about this stream: what was read of it is not all any more."""
        self._held.pop(stream, None)

    @property
    def open(self) -> list[str]:
        """The newest streams that are not closed."""
        return [stream for stream in self.newest.values() if not any(map(_closes, self.held(stream)))]


def _closes(link: Link) -> bool:
    return isinstance(link.fact, StreamVerified) and link.fact.closed


def _recent(log: Log, partition: int, end: int) -> list[Placed]:
    """The records of the newest days, read backwards block by block until a whole block is older."""
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
