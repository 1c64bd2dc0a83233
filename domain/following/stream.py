"""One stream as it lies in a log: what is the next fact, what is a repeat, what is trouble; a listener is told.

Behind trouble nothing is taken. When the log holds what was missing, the stream goes on from where it stopped.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Generic, Protocol, TypeVar

from domain.facts.codec import readable
from domain.facts.envelope import Fact
from domain.following.chain import Link, chained, links
from domain.ledger.chain import digest

Stored = Callable[[str], Iterable[bytes]]  # a stream's facts in the log before the one being taken, in its order
Readable = Callable[[Iterable[bytes]], Iterable[tuple[Fact, bytes]]]
Usual = Callable[[Fact], bool]
Answer = TypeVar("Answer")


def never(_: Fact) -> bool:
    """For where no fact is usual."""
    return False


class UnansweredError(Exception):
    """The record could not be read on a question: nothing is wrong with who asked, or with the facts."""


class Calm(Protocol):
    """Between which times a usual fact is of no more concern."""

    least: int
    most: int


class Listener(Protocol):
    """Who hears one stream, each fact in the order of its chain."""

    done: bool  # it has given up, and hears of nothing more but of what comes then

    def next(self, fact: Fact, own: str) -> None:
        """The next fact and the hash of its bytes."""

    def usual(self) -> Usual:
        """What folds a next fact in where nothing else comes of it; asked after each fact that was not usual."""

    def not_calm(self, fact: Fact) -> None:
        """A fact was usual, and is of another time than the listener said concerns nobody."""

    def gives_up(self, fact: Fact, error: Exception) -> None:
        """It failed at this fact."""

    def comes_then(self, fact: Fact) -> None:
        """A fact after it gave up."""

    def forked(self, fact: Fact, stored: bytes | None) -> None:
        """Another fact stands at this one's place; its bytes where it has just come, not where it has waited."""

    def missing(self, before: Fact, taking: Fact) -> None:
        """Something is missing before a fact, as the one being taken shows."""

    def whole(self, taking: Fact) -> None:
        """What was told to be missing is there, by the fact being taken."""


Heard = TypeVar("Heard", bound=Listener)


class Stream(Generic[Heard]):
    """How far one stream is followed. `listener` is set by who makes it."""

    listener: Heard

    def __init__(self, name: str, stored: Stored, readable: Readable = readable) -> None:
        self.name = name
        self.stored = stored
        self.readable = readable
        self.calm: Calm | None = None
        self.sequence = 0
        self.head = ""
        self.usual: Usual = never
        self._missing = 0  # the fact before which something is told to be missing
        self._waits = 0  # the lowest sequence that came and cannot be taken yet
        self._taking: Link | None = None  # the log before its position does not have it yet
        self._known: dict[int, set[str]] = {}  # the hashes at each place, read from the log when something came again

    def take(self, fact: Fact, stored: bytes, own: str) -> None:
        """The next fact of the stream in the log, and the hash of its bytes."""
        if self.listener.done:
            self.listener.comes_then(fact)
        elif fact.sequence == self.sequence + 1 and fact.previous == self.head:
            self._taking = link = Link(fact, own)
            self._next(link)
            if self._waits:
                self._go_on(fact)
            self._taking = None
        elif fact.sequence <= self.sequence:
            self._again(fact, stored, own)
        elif self._waits:
            self._waits = min(self._waits, fact.sequence)
        else:
            self._stop(fact, fact)
        self.look_again()

    def look_again(self) -> None:
        """Ask the listener again which facts it only has to fold in."""
        self.usual = never if self._waits or self.listener.done else self.listener.usual()

    def fail(self, fact: Fact, own: str, error: Exception) -> None:
        """The listener failed at this fact, the next one: a fault at one table must not blind the room to others."""
        self.sequence, self.head, self.usual = fact.sequence, own, never
        self.listener.gives_up(fact, error)

    def chain(self) -> list[Link]:
        """The chain so far, with the fact being taken."""
        return chained([*self._links(), *([self._taking] if self._taking is not None else [])])

    def facts(self) -> list[Fact]:
        """The facts of the chain so far."""
        return [link.fact for link in self.chain()]

    def read_again(self) -> None:
        """Takes what stands in the log already, each fact as if nothing stood behind it."""
        known, whole = list(self.readable(self.stored(self.name))), self.stored
        for count, (fact, stored) in enumerate(known):
            self.stored = partial(_first, known, count)
            self.take(fact, stored, digest(stored))
        self.stored = whole

    def resume(self) -> list[Link]:
        """Stands where the log stands by now, and tells nobody: the chain so far."""
        there = self._links()
        chain = chained(there)
        if chain:
            self.sequence, self.head = chain[-1].fact.sequence, chain[-1].own
        beyond = [link.fact.sequence for link in there if link.fact.sequence > self.sequence]
        self._waits = self._missing = min(beyond, default=0)
        return chain

    def _links(self) -> list[Link]:
        return links(self.readable(self.stored(self.name)))

    def _next(self, link: Link) -> None:
        self.sequence, self.head = link.fact.sequence, link.own
        try:
            self.listener.next(link.fact, link.own)
        except UnansweredError:
            raise
        except Exception as error:
            self.fail(link.fact, link.own, error)

    def _again(self, fact: Fact, stored: bytes, own: str) -> None:
        """A place that was taken: a repeat is harmless, another fact is not."""
        if fact.sequence not in self._known:
            self._known = {}
            for link in self._links():
                self._known.setdefault(link.fact.sequence, set()).add(link.own)
        held = self._known.setdefault(fact.sequence, set())
        if own not in held:
            held.add(own)
            self.listener.forked(fact, stored)

    def _stop(self, before: Fact, taking: Fact) -> None:
        self._missing = self._waits = before.sequence
        self.listener.missing(before, taking)

    def _go_on(self, taking: Fact) -> None:
        """Some of what was missing has come: what waits behind it follows, as far as it is one chain."""
        if self.listener.done or self.sequence + 1 < self._waits:
            return
        waiting = self._links()
        came, before = {self.head}, self.sequence
        for link in sorted(waiting, key=lambda each: each.fact.sequence):
            if link.fact.sequence == self.sequence + 1 and link.fact.previous == self.head and not self.listener.done:
                came.add(link.own)
                self._next(link)
        self._known = {}
        for link in waiting:
            if before <= link.fact.sequence <= self.sequence and link.own not in came:
                self.listener.forked(link.fact, None)
        if not self.listener.done:
            self._beyond(waiting, taking)

    def _beyond(self, waiting: list[Link], taking: Fact) -> None:
        """Whether something is missing still."""
        if self._missing <= self.sequence:
            self._missing = 0
            self.listener.whole(taking)
        beyond = [link.fact for link in waiting if link.fact.sequence > self.sequence]
        nearest = min(beyond, key=lambda each: each.sequence, default=None)
        self._waits = nearest.sequence if nearest is not None else 0
        if nearest is not None and not self._missing:
            self._stop(nearest, taking)


def answering(question: Callable[[str], Iterable[Answer]]) -> Callable[[str], list[Answer]]:
    """A question whose failure is told apart from a fault of who asks it."""

    def answer(stream: str) -> list[Answer]:
        try:
            return list(question(stream))
        except Exception as error:
            raise UnansweredError(f"{stream} cannot be read") from error

    return answer


def _first(known: list[tuple[Fact, bytes]], count: int, _: str) -> list[bytes]:
    return [stored for _, stored in known[:count]]
