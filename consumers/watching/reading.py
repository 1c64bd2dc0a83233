"""The earlier records that a watcher needs of the log it reads."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from consumers.logs.log import Log
from domain.facts.codec import readable
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.following import Link, chain_of
from domain.watch.corrected import WatchedRecord
from domain.watch.findings_stream import Written
from domain.watch.record import StreamVerified


def _nothing(_: str) -> tuple[Link, ...]:
    return ()


def _always(_: str) -> bool:
    return True


class LogReading:
    """A log being read, and the records before the current one."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.at: dict[int, int] = {}  # the current position, by partition

    def stored(self, stream: str) -> list[bytes]:
        """The earlier facts of a stream, in the order of the log."""
        return self.log.stream_before(stream, self.at.get(self.log.home(stream), 0))

    def record(self, held: Callable[[str], Sequence[Link]] = _nothing) -> WatchedRecord:
        """The record for a watcher; `held` returns the findings about a stream."""

        def facts(stream: str) -> list[Fact]:
            return [link.fact for link in chain_of(readable(self.stored(stream)))]

        property_home = self.log.home(f"{PROPERTY}/")
        return WatchedRecord(
            facts,
            lambda stream: _from_day(self.log, stream),
            held,
            lambda stream: self.log.home(stream) == property_home,
        )


class Remembered:
    """The findings of a replay so far, for a caller that writes nothing: every finding, and each stream's last mark."""

    def __init__(self) -> None:
        self._found: dict[str, list[Link]] = {}

    def add(self, made: Written) -> None:
        """Add the next record."""
        held = self._found.setdefault(made.record.stream, [])
        if held and isinstance(made.record, StreamVerified) and isinstance(held[-1].fact, StreamVerified):
            held.pop()
        held.append(Link(made.record, made.own))

    def held(self, stream: str) -> list[Link]:
        """The findings about a stream."""
        return list(self._found.get(stream, ()))

    def wagers(self, counts: Callable[[str], bool] = _always) -> Counter[str]:
        """The wagers decided, and those undecided by missing information, from the last marks of these streams."""
        total: Counter[str] = Counter()
        for stream, held in self._found.items():
            last = next((link.fact for link in reversed(held) if isinstance(link.fact, StreamVerified)), None)
            if last is not None and counts(stream):
                total.update(last.wagers)
        return total


def record_of(log: Log) -> WatchedRecord:
    """The record of a whole log."""

    def facts(stream: str) -> list[Fact]:
        return [link.fact for link in chain_of(readable(log.read_stream(stream)))]

    return WatchedRecord(facts, lambda stream: _from_day(log, stream))


def _from_day(log: Log, stream: str) -> Iterable[str]:
    return [name for name in log.streams(owner(stream)) if name >= stream]
