"""What a log of facts can do, whichever keeps it.

A log has partitions; each is one notification log of the event-sourcing library, with a recorder of its own, and is
tracked under its own name (`facts/3`). A position counts from 1 within its partition, grows with every fact and may
leave gaps; it says where one log holds a fact and nothing about the fact itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Event
from typing import NamedTuple, Protocol

import msgspec
from eventsourcing.persistence import ApplicationRecorder, StoredEvent

from domain.facts.codec import encode, name_of
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError
from domain.facts.streams import stream as taken_apart

Placed = tuple[int, bytes]  # a position, and the stored bytes that stand there


class StoredFact(NamedTuple):
    """A fact as a log keeps it. The bytes are what is hashed; the rest is read off them, to find them by."""

    stream: str
    sequence: int
    type: str
    stored: bytes


class Batch(NamedTuple):
    """Facts of one partition, in its order."""

    partition: int
    facts: list[Placed]


class Place(NamedTuple):
    """A position of a partition."""

    partition: int
    position: int


class Drained(Protocol):
    """What can be read through to its end."""

    def drain(self, after: Mapping[int, int]) -> Iterator[Batch]:
        """Every fact behind these positions (0 where none is given) up to the end as it is now, in bulk."""


class Log(Drained, Protocol):
    """A log of facts."""

    name: str

    @property
    def partitions(self) -> tuple[int, ...]:
        """The numbers of its partitions."""

    def append(self, facts: Sequence[StoredFact]) -> list[int]:
        """Appends a batch and returns the position of each; on return all of it is durable.

        A place that is taken raises the library's IntegrityError, and then nothing of the batch is appended. After
        any other error a part may stand: `append_once` with the same batch goes on.
        """

    def append_once(self, facts: Sequence[StoredFact]) -> list[int]:
        """Appends what is not there yet: the same bytes at the same place again are harmless, other bytes an error."""

    def read(self, partition: int, after: int, limit: int) -> list[Placed]:
        """Up to `limit` facts behind a position; fewer only at the end of the partition."""

    def follow(self, after: Mapping[int, int], stop: Event) -> Iterator[Batch]:
        """Every fact behind these positions and every later one as it comes, until `stop` is set."""

    def read_stream(self, stream: str) -> list[bytes]:
        """The facts of one stream by sequence, each once; two that claim one place are both there."""

    def stream_before(self, stream: str, position: int) -> list[bytes]:
        """The facts of one stream before a position of its partition, in the order of the log, each once."""

    def home(self, stream: str) -> int:
        """The partition a stream belongs to."""

    def streams(self, owner: str) -> list[str]:
        """The streams of a table, or of the property, by their days."""

    def begins(self, stream: str) -> Place | None:
        """Where a stream begins; None where it is not here."""

    def recent(self, days: int) -> dict[int, int]:
        """For each partition a position behind which all of so many newest gaming days lies."""

    def last_position(self, partition: int) -> int:
        """The position of the last fact of a partition; 0 when it is empty."""

    def recorder(self, partition: int) -> ApplicationRecorder:
        """A partition behind the library's own interface."""

    def close(self) -> None:
        """Lets go of files and connections."""


def tracked(log: Log, partition: int) -> str:
    """The name a partition's position is kept under."""
    return f"{log.name}/{partition}"


def before_newest(streams: Iterable[tuple[str, int, int]], days: int, partitions: Iterable[int]) -> dict[int, int]:
    """The answer of `Log.recent` from each stream's partition and lowest position."""
    told = list(streams)
    recent = in_newest((name for name, _, _ in told), days)
    found: dict[int, int] = {}
    for name, partition, position in told:
        if name in recent:
            found[partition] = min(position - 1, found.get(partition, position - 1))
    return {partition: found.get(partition, 0) for partition in partitions}


def in_newest(names: Iterable[str], days: int) -> set[str]:
    """The streams of so many newest gaming days; what is no stream's name is of no day."""
    of_day: dict[str, set[str]] = {}
    for name in names:
        with suppress(BadStreamError):
            of_day.setdefault(taken_apart(name).day, set()).add(name)
    return set().union(*(of_day[day] for day in sorted(of_day)[-days:]))


class NoPlaceError(ValueError):
    """Bytes that do not say in which stream and at which sequence they stand."""


class _Place(msgspec.Struct, gc=False):
    stream: str
    sequence: int
    type: str


_PLACES = msgspec.json.Decoder(_Place)


def place_of(stored: bytes) -> StoredFact:
    """Where these bytes stand, as they say themselves; whether they are a fact at all is the codec's question."""
    try:
        place = _PLACES.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NoPlaceError(f"these bytes name no stream and sequence: {error}") from error
    return StoredFact(place.stream, place.sequence, place.type, stored)


def stored_fact(fact: Fact) -> StoredFact:
    """A fact in its stored form."""
    return StoredFact(fact.stream, fact.sequence, name_of(fact), encode(fact))


def of_events(events: Sequence[StoredEvent]) -> list[StoredFact]:
    """The library's rows as ours."""
    return [
        StoredFact(str(event.originator_id), event.originator_version, event.topic, event.state) for event in events
    ]
