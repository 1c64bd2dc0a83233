"""Following a log, or partitions of it: each record read once, each stream told to who listens to it.

Of each table the newest day is followed, and the one before it let go: years are read in the memory of a day. What
comes of an earlier day, and what is no fact or has no place, is told apart.
"""

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any, Generic, Protocol

from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError, owner
from domain.facts.streams import stream as taken_apart
from domain.following.stream import Heard, Stored, Stream
from domain.ledger.chain import digest

_MOST_KNOWN = 10_000
Placed = tuple[int, bytes]  # a position, and the stored bytes that stand there


class Subscriber(Protocol[Heard]):
    """Who hears what a log tells."""

    def unreadable(self, stored: bytes, says: str) -> None:
        """Bytes that are no fact, or a fact that has no place here, and why."""

    def passes(self, fact: Fact) -> bool:
        """Whether a fact of a stream that is not followed is none of its business."""

    def begins(self, stream: Stream[Heard], fact: Fact, *, known: bool) -> None:
        """A table's newest day by this fact, which is not taken yet: it is given a listener.

        The day is known where it was the newest before anything was read.
        """

    def lets_go(self, stream: Stream[Heard]) -> None:
        """A table's day is over: another one has begun."""

    def late(self, fact: Fact, stored: bytes, own: str) -> None:
        """A fact of an earlier day than its table's newest, and the hash of its bytes."""

    def awaited(self) -> None:
        """The place it waits for comes now."""

    def taken(self, stream: Stream[Heard] | None) -> None:
        """A fact was taken that was not usual: its stream, where that is followed."""


class Follower(Generic[Heard]):
    """How far a log is read, and the streams in it.

    `at` is where everybody reads the position being taken, by partition. `newest` are the newest days of the tables
    when it begins; `misplaced` says why a stream does not belong here, or nothing.
    """

    def __init__(
        self,
        subscriber: Subscriber[Heard],
        stored: Stored,
        at: MutableMapping[int, int],
        *,
        newest: Mapping[str, str] | None = None,
        misplaced: Callable[[str], str] | None = None,
        awaited: tuple[str, int] | None = None,
    ) -> None:
        self.streams: dict[str, Stream[Heard]] = {}
        self.newest: dict[str, str] = dict(newest or {})
        self.at = at
        self.read = 0
        self.awaited = awaited  # the place that the subscriber is to hear of, followed or not
        self.beside: Follower[Any] | None = None  # who hears each fact next, decoded and hashed
        self._subscriber = subscriber
        self._stored = stored
        self._misplaced = misplaced
        self._known: set[str] = set()  # streams that belong here

    def take(self, facts: Iterable[Placed], partition: int = 0) -> None:
        """The next records of a partition with their positions.

        A hot path: most facts are the next of their stream and change nothing but the round that is played, and past
        decoding, hashing and folding them nothing is done here but to see that they are.
        """
        at, subscriber, beside, awaited = self.at, self._subscriber, self.beside, self.awaited
        for position, stored in facts:
            at[partition] = position
            self.read += 1
            try:
                fact = decode(stored)
            except UnreadableFactError as error:
                subscriber.unreadable(stored, str(error))
                if beside is not None:
                    beside.unreadable(stored, str(error))
                continue
            if awaited is not None and awaited == (fact.stream, fact.sequence):
                awaited = self.awaited = None
                subscriber.awaited()
            own = digest(stored)
            self.hear(fact, stored, own)
            if beside is not None:
                beside.read += 1
                beside.hear(fact, stored, own)

    def hear(self, fact: Fact, stored: bytes, own: str) -> None:
        """The next fact, and the hash of its bytes; whoever decoded it has told its position."""
        stream = self.streams.get(fact.stream)
        if stream is None:
            self._elsewhere(fact, stored, own)
            return
        try:
            usual = fact.sequence == stream.sequence + 1 and fact.previous == stream.head and stream.usual(fact)
        except Exception as error:  # a fault of ours, told like any other
            stream.fail(fact, own, error)
        else:
            if usual:
                stream.sequence, stream.head = fact.sequence, own
                calm = stream.calm
                if calm is None or calm.least <= fact.at <= calm.most:
                    return
                stream.listener.not_calm(fact)
            else:
                stream.take(fact, stored, own)
        self._subscriber.taken(stream)

    def unreadable(self, stored: bytes, says: str) -> None:
        """Bytes that another follower could not read."""
        self.read += 1
        self._subscriber.unreadable(stored, says)

    def _elsewhere(self, fact: Fact, stored: bytes, own: str) -> None:
        """A fact of a stream that is not followed, or not yet."""
        name, subscriber = fact.stream, self._subscriber
        if wrong := self._nowhere(fact):
            subscriber.unreadable(stored, wrong)
        elif not subscriber.passes(fact):
            newest = self.newest.get(owner(name), "")
            if name < newest:
                subscriber.late(fact, stored, own)
            else:
                stream = self._begin(name)
                subscriber.begins(stream, fact, known=name == newest)
                stream.take(fact, stored, own)
            subscriber.taken(self.streams.get(name))

    def _begin(self, name: str) -> Stream[Heard]:
        table = owner(name)
        before = self.streams.pop(self.newest.get(table, ""), None)
        if before is not None:
            self._subscriber.lets_go(before)
        self.newest[table] = name
        stream: Stream[Heard] = Stream(name, self._stored)
        self.streams[name] = stream
        return stream

    def _nowhere(self, fact: Fact) -> str:
        """Why a fact has no place in this record, or nothing."""
        if not fact.sequence:
            return "it has no sequence: nobody has put it on record"
        if fact.stream in self._known:
            return ""
        try:
            taken_apart(fact.stream)
        except BadStreamError as error:
            return str(error)
        wrong = self._misplaced(fact.stream) if self._misplaced is not None else ""
        if not wrong:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known.add(fact.stream)
        return wrong
