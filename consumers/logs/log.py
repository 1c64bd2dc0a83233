"""The interface of a log of facts, for every implementation.

A log has partitions; each is a notification log of the event-sourcing library with its own recorder, and is tracked
under its own name (`facts/3`). A position counts from 1 within its partition, grows with every fact and may leave gaps;
it says where one log holds a fact and nothing about the fact itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Event
from typing import NamedTuple, Protocol, runtime_checkable

import msgspec
from eventsourcing.persistence import ApplicationRecorder, StoredEvent

from domain.facts.streams import BadStreamError
from domain.facts.streams import stream as taken_apart

Placed = tuple[int, bytes]  # a position, and the stored bytes there


class StoredFact(NamedTuple):
    """A fact as a log stores it. The bytes are what is hashed; the other fields come from them, for lookup."""

    stream: str
    sequence: int
    type: str
    stored: bytes


class Batch(NamedTuple):
    """Facts of one partition, in its order."""

    partition: int
    facts: list[Placed]


class LogPosition(NamedTuple):
    """A position of a partition."""

    partition: int
    position: int


class Drained(Protocol):
    """A log that can be read to its end."""

    def drain(self, after: Mapping[int, int]) -> Iterator[Batch]:
        """Every fact after these positions (0 if none is given) up to the current end, in bulk."""


class Log(Drained, Protocol):
    """A log of facts."""

    name: str

    @property
    def partitions(self) -> tuple[int, ...]:
        """The numbers of its partitions."""

    def append(self, facts: Sequence[StoredFact]) -> list[int]:
        """Append a batch and return the position of each fact; on return, all are durable.

        If a place is taken, this raises the library's IntegrityError and appends nothing. After any other error a part
        may be in the log; `append_once` with the same batch completes it.
        """

    def append_once(self, facts: Sequence[StoredFact]) -> list[int]:
        """Append the missing facts: the same bytes at the same place again are harmless, other bytes are an error."""

    def read(self, partition: int, after: int, limit: int) -> list[Placed]:
        """Up to `limit` facts after a position; fewer only at the end of the partition."""

    def follow(self, after: Mapping[int, int], stop: Event) -> Iterator[Batch]:
        """Every fact after these positions, and every later one as it arrives, until `stop` is set."""

    def read_stream(self, stream: str) -> list[bytes]:
        """The facts of one stream by sequence, each once; two that claim one place are both included."""

    def stream_before(self, stream: str, position: int) -> list[bytes]:
        """The facts of one stream before a position of its partition, in the order of the log, each once."""

    def home(self, stream: str) -> int:
        """The partition of a stream."""

    def streams(self, owner: str) -> list[str]:
        """The streams of a table, or of the property, by day."""

    def begins(self, stream: str) -> LogPosition | None:
        """The beginning of a stream; None if the log does not have it."""

    def recent(self, days: int) -> dict[int, int]:
        """For each partition, a position before all facts of this many newest gaming days."""

    def where(self, partition: int, position: int) -> tuple[str, int]:
        """The name of a partition and of a position in it outside this program: a topic's offsets begin with 0."""

    def last_position(self, partition: int) -> int:
        """The position of the last fact of a partition; 0 if it is empty."""

    def recorder(self, partition: int) -> ApplicationRecorder:
        """A partition with the library's own interface."""

    def close(self) -> None:
        """Close files and connections."""


@runtime_checkable
class IndexedLog(Protocol):
    """A log whose index knows where its streams end."""

    def ends(self) -> dict[str, int]:
        """The last sequence of each stream."""


def tracked(log: Log, partition: int) -> str:
    """The name under which a partition's position is stored."""
    return f"{log.name}/{partition}"


def before_newest(streams: Iterable[tuple[str, int, int]], days: int, partitions: Iterable[int]) -> dict[int, int]:
    """The answer of `Log.recent`, computed from each stream's partition and lowest position."""
    told = list(streams)
    recent = in_newest((name for name, _, _ in told), days)
    found: dict[int, int] = {}
    for name, partition, position in told:
        if name in recent:
            found[partition] = min(position - 1, found.get(partition, position - 1))
    return {partition: found.get(partition, 0) for partition in partitions}


def in_newest(names: Iterable[str], days: int) -> set[str]:
    """The streams of this many newest gaming days; other names belong to no day."""
    of_day: dict[str, set[str]] = {}
    for name in names:
        with suppress(BadStreamError):
            of_day.setdefault(taken_apart(name).day, set()).add(name)
    return set().union(*(of_day[day] for day in sorted(of_day)[-days:]))


class NoPlaceError(ValueError):
    """Bytes that do not name their stream and sequence."""


class _LogPlace(msgspec.Struct, gc=False):
    stream: str
    sequence: int
    type: str


_PLACES = msgspec.json.Decoder(_LogPlace)


def place_of(stored: bytes) -> StoredFact:
    """The place that these bytes name; the codec decides whether they are a fact."""
    try:
        place = _PLACES.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NoPlaceError(f"these bytes name no stream and sequence: {error}") from error
    return StoredFact(place.stream, place.sequence, place.type, stored)


def of_events(events: Sequence[StoredEvent]) -> list[StoredFact]:
    """The library's rows as our facts."""
    return [
        StoredFact(str(event.originator_id), event.originator_version, event.topic, event.state) for event in events
    ]
