"""Follow a log or some of its partitions: read each record once and pass it to the listener of its stream.

The follower keeps only the newest day of each table, so reading years takes the memory of a day. It reports facts of
earlier days, unreadable bytes and misplaced facts to the subscriber separately.
"""

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any, Generic, Protocol

from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError, owner
from domain.facts.streams import stream as taken_apart
from domain.following.stream import Heard, Stored, Stream, UnansweredError
from domain.ledger.chain import digest

_MOST_KNOWN = 10_000
Placed = tuple[int, bytes]  # a position and the bytes stored there


class Subscriber(Protocol[Heard]):
    """The receiver of everything that a follower reads from a log."""

    def unreadable(self, stored: bytes, says: str) -> None:
        """Handle bytes that are not a fact, or a fact that does not belong in this record; `says` gives the reason."""

    def passes(self, fact: Fact) -> bool:
        """Whether to skip this fact, whose stream is not followed."""

    def begins(self, stream: Stream[Heard], fact: Fact, *, known: bool) -> None:
        """Give a listener to a table's newest day, before its first fact is processed.

        `known` is true if this day was already the table's newest before anything was read.
        """

    def lets_go(self, stream: Stream[Heard]) -> None:
        """Release a table's day, because the table's next day begins."""

    def late(self, fact: Fact, stored: bytes, own: str) -> None:
        """Handle a fact of an earlier day than its table's newest; `own` is the hash of its bytes."""

    def awaited(self) -> None:
        """Note that the follower has reached the awaited place."""

    def taken(self, stream: Stream[Heard] | None) -> None:
        """Finish an unusual fact; `stream` is its stream if that is followed."""


class Follower(Generic[Heard]):
    """A reader of a log that tracks every stream in it.

    `at` shares the current position of each partition with everyone who reads the log. `newest` holds each table's
    newest day at the start. `misplaced` returns why a stream does not belong here, or nothing.
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
        self.awaited = awaited  # the place at which to notify the subscriber, even in a stream that is not followed
        self.besides: tuple[Follower[Any], ...] = ()  # other followers, which get each fact decoded and hashed
        self._subscriber = subscriber
        self._stored = stored
        self._misplaced = misplaced
        self._known: set[str] = set()  # streams that belong here

    def take(self, facts: Iterable[Placed], partition: int = 0) -> None:
        """Process the next records of a partition, each with its position.

        This is a hot path. Most facts are the next of their stream and change only the current round. For those, it
        only decodes, hashes and folds.
        """
        at, subscriber, besides, awaited = self.at, self._subscriber, self.besides, self.awaited
        for position, stored in facts:
            at[partition] = position
            self.read += 1
            try:
                fact = decode(stored)
            except UnreadableFactError as error:
                subscriber.unreadable(stored, str(error))
                for each in besides:
                    each.at[partition] = position
                    each.unreadable(stored, str(error))
                continue
            if awaited is not None and awaited == (fact.stream, fact.sequence):
                awaited = self.awaited = None
                subscriber.awaited()
            own = digest(stored)
            self.hear(fact, stored, own)
            for each in besides:
                each.at[partition] = position
                each.read += 1
                each.hear(fact, stored, own)

    def hear(self, fact: Fact, stored: bytes, own: str) -> None:
        """Process the next fact, given the hash of its bytes; the caller has already set its position in `at`."""
        stream = self.streams.get(fact.stream)
        if stream is None:
            self._elsewhere(fact, stored, own)
            return
        try:
            usual = fact.sequence == stream.sequence + 1 and fact.previous == stream.head and stream.usual(fact)
        except UnansweredError:
            raise  # the record could not be read: the stream is not at fault
        except Exception as error:  # a fault of ours: report it like any other
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
        """Pass on bytes that another follower could not read."""
        self.read += 1
        self._subscriber.unreadable(stored, says)

    def _elsewhere(self, fact: Fact, stored: bytes, own: str) -> None:
        """Process a fact whose stream is not followed, or not yet."""
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
        """Return why a fact does not belong in this record, or nothing."""
        if not fact.sequence:
            return "it has no sequence number, so it was never recorded"
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
