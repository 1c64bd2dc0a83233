"""Copy one log into another, and compute the digest that proves two logs equal.

The digest of a stream is SHA-256 over its facts by sequence, each as `SEQUENCE LENGTH`, a line end, the stored bytes
and a line end. The digest of a log is SHA-256 over the lines `STREAM COUNT DIGEST`, sorted. Positions are in neither.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from eventsourcing.persistence import IntegrityError

from consumers.logs.log import Log, NoPlaceError, StoredFact, place_of

_BATCH = 5_000


class Left(msgspec.Struct, frozen=True):
    """A record that was not copied, with its position and the reason."""

    partition: int
    position: int
    why: str


class StreamDigest(msgspec.Struct, frozen=True):
    """The number of a stream's facts, and their digest."""

    count: int
    digest: str


class _Sum:
    """The running digest of one stream, as long as its facts come by sequence."""

    __slots__ = ("count", "hash", "last", "sorted")

    def __init__(self) -> None:
        self.count = 0
        self.last = 0
        self.sorted = True
        self.hash: Any = hashlib.sha256()

    def add(self, sequence: int, stored: bytes) -> None:
        self.sorted = self.sorted and sequence > self.last
        self.last = max(self.last, sequence)
        self.count += 1
        if self.sorted:
            self.hash.update(b"%d %d\n%b\n" % (sequence, len(stored), stored))


class LogDigest:
    """The content of a log, stream by stream, collected as it is read."""

    def __init__(self) -> None:
        self._sums: dict[str, _Sum] = {}
        self.facts = 0

    def add(self, fact: StoredFact) -> None:
        """Add one fact."""
        held = self._sums.get(fact.stream)
        if held is None:
            held = self._sums[fact.stream] = _Sum()
        held.add(fact.sequence, fact.stored)
        self.facts += 1

    def complete(self, stream: str) -> int:
        """The sequence up to which a stream has no gap and no repeat; 0 if unknown."""
        held = self._sums.get(stream)
        return held.last if held is not None and held.sorted and held.count == held.last else 0

    def streams(self, log: Log) -> dict[str, StreamDigest]:
        """The digest of each stream; one whose facts came in another order, or twice, is read again by sequence."""
        found: dict[str, StreamDigest] = {}
        for stream, held in self._sums.items():
            if not held.sorted:
                held = _Sum()  # noqa: PLW2901 - the same stream, read again
                for stored in log.read_stream(stream):
                    held.add(place_of(stored).sequence, stored)
            found[stream] = StreamDigest(held.count, held.hash.hexdigest() if held.sorted else "two facts at one place")
        return found


def whole(streams: dict[str, StreamDigest]) -> str:
    """The digest of a log."""
    lines = sorted(f"{stream} {each.count} {each.digest}\n" for stream, each in streams.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


class Copied(msgspec.Struct, frozen=True):
    """The result of a copy, and the content of both logs after it."""

    copied: int
    there_already: int
    left: list[Left]
    source: dict[str, StreamDigest]
    target: dict[str, StreamDigest]

    @property
    def different(self) -> list[str]:
        """The streams that differ between the two sides."""
        names = self.source.keys() | self.target.keys()
        return sorted(name for name in names if self.source.get(name) != self.target.get(name))


def digest_of(log: Log, left: list[Left] | None = None, told: Callable[[int], object] = int) -> LogDigest:
    """Read a whole log; records without a place go to `left`, and `told` is called with the number read so far."""
    digest = LogDigest()
    for batch in log.drain({}):
        for fact in _placed(batch.partition, batch.facts, left if left is not None else []):
            digest.add(fact)
        told(len(batch.facts))
    return digest


def copy(source: Log, target: Log, told: Callable[[int], object] = int) -> Copied:
    """Append the missing records to the target, and read both logs to compare them.

    A copy can be stopped at any moment and started again: the gapless beginning of each stream in the target is
    skipped, and the rest is appended once.
    """
    before, after = digest_of(target), LogDigest()
    left: list[Left] = []
    copied = there = 0
    for batch in source.drain({}):
        wanted: list[tuple[int, StoredFact]] = []
        for position, fact in _with_positions(batch.partition, batch.facts, left):
            after.add(fact)
            if fact.sequence > before.complete(fact.stream):
                wanted.append((position, fact))
            else:
                there += 1
        for start in range(0, len(wanted), _BATCH):
            piece = wanted[start : start + _BATCH]
            refused = _append(target, batch.partition, piece)
            left += refused
            copied += len(piece) - len(refused)
        told(len(batch.facts))
    return Copied(copied, there, left, after.streams(source), digest_of(target).streams(target))


def _append(target: Log, partition: int, facts: list[tuple[int, StoredFact]]) -> list[Left]:
    """Append a batch; if a place is taken by other bytes, append each fact alone and return those refused."""
    try:
        target.append_once([fact for _, fact in facts])
    except IntegrityError:
        if len(facts) == 1:
            position, fact = facts[0]
            return [Left(partition, position, f"{fact.stream}:{fact.sequence} already holds other bytes")]
        return [refused for one in facts for refused in _append(target, partition, [one])]
    return []


def _placed(partition: int, facts: Iterable[tuple[int, bytes]], left: list[Left]) -> list[StoredFact]:
    return [fact for _, fact in _with_positions(partition, facts, left)]


def _with_positions(
    partition: int, facts: Iterable[tuple[int, bytes]], left: list[Left]
) -> list[tuple[int, StoredFact]]:
    found: list[tuple[int, StoredFact]] = []
    for position, stored in facts:
        try:
            found.append((position, place_of(stored)))
        except NoPlaceError as error:
            left.append(Left(partition, position, str(error)))
    return found
