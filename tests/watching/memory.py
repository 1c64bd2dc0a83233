"""A log in memory, for what a watcher asks of one, and a watcher on two of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from eventsourcing.persistence import IntegrityError

from consumers.logs.log import Batch, LogPosition, NoPlaceError, Placed, StoredFact, before_newest, place_of
from consumers.watching.sealing import Sign
from consumers.watching.tables_watcher import TablesWatcher
from consumers.watching.watcher import Watcher
from consumers.watching.writing import Unusable
from domain.facts.streams import owner
from domain.watch.finding import Finding


class MemoryLog:
    """One partition; a record stays at its place."""

    partitions: tuple[int, ...] = (0,)

    def __init__(self, stored: Sequence[bytes] = (), name: str = "facts") -> None:
        self.name = name
        self.stored = list(stored)
        self.reads = 0  # how many records were handed out
        self.begun = 0

    def append(self, facts: Sequence[StoredFact]) -> list[int]:
        self.stored += [fact.stored for fact in facts]
        return list(range(len(self.stored) - len(facts) + 1, len(self.stored) + 1))

    def where(self, partition: int, position: int) -> tuple[str, int]:
        return f"{self.name}/{partition}", position

    def append_once(self, facts: Sequence[StoredFact]) -> list[int]:
        found = []
        for fact in facts:
            standing = [
                (position, stored)
                for position, stored in enumerate(self.stored, start=1)
                if _claims(stored, fact.stream, fact.sequence)
            ]
            if standing and standing[0][1] != fact.stored:
                raise IntegrityError(f"{fact.stream}:{fact.sequence} is taken")
            found += [standing[0][0]] if standing else self.append([fact])
        return found

    def read(self, partition: int, after: int, limit: int) -> list[Placed]:
        found = list(enumerate(self.stored[after : after + limit], start=after + 1))
        self.reads += len(found)
        return found

    def drain(self, after: Mapping[int, int]) -> Iterator[Batch]:
        if facts := self.read(0, after.get(0, 0), len(self.stored)):
            yield Batch(0, facts)

    def follow(self, after: Mapping[int, int], stop: Any) -> Iterator[Batch]:
        return self.drain(after)

    def read_stream(self, stream: str) -> list[bytes]:
        return sorted(dict.fromkeys(self._of(stream)), key=lambda stored: place_of(stored).sequence)

    def stream_before(self, stream: str, position: int) -> list[bytes]:
        return list(dict.fromkeys(self._of(stream, position - 1)))

    def home(self, stream: str) -> int:
        return 0

    def streams(self, owner_: str) -> list[str]:
        names = {place.stream for stored in self.stored if (place := _place(stored)) is not None}
        return sorted(name for name in names if owner(name) == owner_)

    def begins(self, stream: str) -> LogPosition | None:
        first = (n for n, stored in enumerate(self.stored, 1) if (p := _place(stored)) and p.stream == stream)
        found = next(first, None)
        return None if found is None else LogPosition(0, found)

    def recent(self, days: int) -> dict[int, int]:
        told = [
            (place.stream, 0, n) for n, stored in enumerate(self.stored, 1) if (place := _place(stored)) is not None
        ]
        return before_newest(told, days, self.partitions)

    def last_position(self, partition: int) -> int:
        return len(self.stored)

    def recorder(self, partition: int) -> Any:
        raise NotImplementedError

    def close(self) -> None:
        pass

    def _of(self, stream: str, until: int | None = None) -> list[bytes]:
        return [stored for stored in self.stored[:until] if (p := _place(stored)) is not None and p.stream == stream]


class Counting(MemoryLog):
    """A log that counts the facts of streams read from it again."""

    read_again = 0

    def stream_before(self, stream: str, position: int) -> list[bytes]:
        found = super().stream_before(stream, position)
        self.read_again += len(found)
        return found


@lru_cache(maxsize=50_000)  # a question looks at every record there is
def _place(stored: bytes) -> StoredFact | None:
    try:
        return place_of(stored)
    except NoPlaceError:
        return None


def _claims(stored: bytes, stream: str, sequence: int) -> bool:
    place = _place(stored)
    return place is not None and (place.stream, place.sequence) == (stream, sequence)


class Watched:
    """A watcher on two logs in memory, and what it told."""

    def __init__(self, facts: MemoryLog, findings: MemoryLog | None = None, sign: Sign | None = None) -> None:
        self.facts = facts
        self.sign = sign
        self.findings = findings or MemoryLog(name="findings")
        self.unusable: list[Unusable] = []
        self.heard: list[Finding] = []
        self.watcher = Watcher(facts, self.findings, self.unusable.append, self.heard.append, sign)
        self.at = self.begins = self.watcher.begin(0)

    def take(self, count: int | None = None) -> "Watched":
        """Read on, by so many facts or to the end."""
        last = len(self.facts.stored) if count is None else min(self.at + count, len(self.facts.stored))
        while self.at < last:
            batch = self.facts.read(0, self.at, last - self.at)
            again = self.watcher.take(0, batch)
            self.at = last if again is None else again
        return self

    def across(self) -> "Watched":
        """Looks across the tables, over all there is."""
        TablesWatcher(self.facts, self.findings, self.unusable.append, self.heard.append, self.sign).read_on()
        return self

    def codes(self) -> list[str]:
        """The codes of what was raised or revised, in order."""
        return [finding.code for finding in self.heard]


def undisturbed(facts: Sequence[bytes]) -> list[bytes]:
    """Records one watcher writes about these facts, one after the other as they come."""
    watched = Watched(MemoryLog())
    for stored in facts:
        watched.facts.stored.append(stored)
        watched.take()
    return watched.findings.stored


Take = Callable[[Watched], object]
