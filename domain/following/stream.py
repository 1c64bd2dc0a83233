"""One stream in a log: pass each next fact to a listener, and report repeats, gaps and forks.

A stream stops at a gap or a broken chain. It resumes when the log holds the missing facts.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Generic, Protocol, TypeVar

from domain.facts.codec import readable
from domain.facts.envelope import Fact
from domain.following.chain import Link, chained, links
from domain.ledger.chain import digest

Stored = Callable[[str], Iterable[bytes]]  # a stream's facts in log order, before the one being processed
Readable = Callable[[Iterable[bytes]], Iterable[tuple[Fact, bytes]]]
Usual = Callable[[Fact], bool]
Answer = TypeVar("Answer")


def never(_: Fact) -> bool:
    """Answer that no fact is usual."""
    return False


class UnansweredError(Exception):
    """The record could not be read; neither the reader nor the facts are at fault."""


class Calm(Protocol):
    """The span of times in which a usual fact needs no more attention."""

    least: int
    most: int


class Listener(Protocol):
    """The receiver of one stream's facts, in the order of its chain."""

    done: bool  # it has given up; from then on only `comes_then` is called

    def next(self, fact: Fact, own: str) -> None:
        """Handle the next fact, given the hash of its bytes."""

    def usual(self) -> Usual:
        """Return the function that folds a fact needing nothing else; the stream asks again after each unusual fact."""

    def not_calm(self, fact: Fact) -> None:
        """Handle a usual fact whose time is outside the calm span."""

    def gives_up(self, fact: Fact, error: Exception) -> None:
        """Stop at this fact, because handling it failed."""

    def comes_then(self, fact: Fact) -> None:
        """Handle a fact that arrives after the listener gave up."""

    def forked(self, fact: Fact, stored: bytes | None) -> None:
        """Report a second fact at this place; `stored` is its bytes if it has just arrived, None if it waited."""

    def missing(self, before: Fact, taking: Fact) -> None:
        """Report that facts before `before` are missing, as the fact being processed shows."""

    def whole(self, taking: Fact) -> None:
        """Note that the facts reported missing have arrived."""


Heard = TypeVar("Heard", bound=Listener)


class Stream(Generic[Heard]):
    """One followed stream; its creator sets `listener`."""

    listener: Heard

    def __init__(self, name: str, stored: Stored, readable: Readable = readable) -> None:
        self.name = name
        self.stored = stored
        self.readable = readable
        self.calm: Calm | None = None
        self.sequence = 0
        self.head = ""
        self.usual: Usual = never
        self._missing = 0  # the fact before which facts are reported missing
        self._waits = 0  # the lowest sequence that has arrived but cannot be processed yet
        self._taking: Link | None = None  # the fact being processed; the log before its position lacks it
        # The hashes of every fact before the head, read from the log at the first repeat and kept up to date from then
        # on. They take some 200 bytes a fact, and nothing in a stream without repeats.
        self._known: set[str] | None = None

    def take(self, fact: Fact, stored: bytes, own: str) -> None:
        """Process the stream's next fact in log order, given the hash of its bytes."""
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
        """Ask the listener again which facts need only folding."""
        self.usual = never if self._waits or self.listener.done else self.listener.usual()
        if self._known is not None and self.usual is not never:
            self.usual = partial(self._usual_and_known, self._known, self.usual)

    def fail(self, fact: Fact, own: str, error: Exception) -> None:
        """Advance past a fact at which the listener failed, so that a fault at one table does not stop the others."""
        self.sequence, self.head, self.usual = fact.sequence, own, never
        self.listener.gives_up(fact, error)

    def chain(self) -> list[Link]:
        """Return the chain so far, including the fact being processed."""
        return chained([*self._links(), *([self._taking] if self._taking is not None else [])])

    def facts(self) -> list[Fact]:
        """Return the facts of the chain so far."""
        return [link.fact for link in self.chain()]

    def read_again(self) -> None:
        """Process what the log already holds, each fact as if nothing followed it."""
        known, whole = list(self.readable(self.stored(self.name))), self.stored
        for count, (fact, stored) in enumerate(known):
            self.stored = partial(_first, known, count)
            self.take(fact, stored, digest(stored))
        self.stored = whole

    def resume(self) -> list[Link]:
        """Move to the end of the chain in the log without calling the listener, and return that chain."""
        there, self._known = self._links(), None
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
        if self._known is not None:
            self._known.add(link.fact.previous)
        try:
            self.listener.next(link.fact, link.own)
        except UnansweredError:
            raise
        except Exception as error:
            self.fail(link.fact, link.own, error)

    def _again(self, fact: Fact, stored: bytes, own: str) -> None:
        """Check a fact at a filled place: a repeat is harmless, a different fact is a fork."""
        if own == self.head:
            return
        if self._known is None:
            self._known = {link.own for link in self._links()}
        if own not in self._known:
            self._known.add(own)
            self.listener.forked(fact, stored)

    @staticmethod
    def _usual_and_known(known: set[str], usual: Usual, fact: Fact) -> bool:
        """Keep the hash of the fact before this next one, and fold this one if it is usual."""
        known.add(fact.previous)
        return usual(fact)

    def _stop(self, before: Fact, taking: Fact) -> None:
        self._missing = self._waits = before.sequence
        self.listener.missing(before, taking)

    def _go_on(self, taking: Fact) -> None:
        """Process the waiting facts that now continue the chain."""
        if self.listener.done or self.sequence + 1 < self._waits:
            return
        waiting = self._links()
        came, before = {self.head}, self.sequence
        for link in sorted(waiting, key=lambda each: each.fact.sequence):
            if link.fact.sequence == self.sequence + 1 and link.fact.previous == self.head and not self.listener.done:
                came.add(link.own)
                self._next(link)
        self._known = None
        for link in waiting:
            if before <= link.fact.sequence <= self.sequence and link.own not in came:
                self.listener.forked(link.fact, None)
        if not self.listener.done:
            self._beyond(waiting, taking)

    def _beyond(self, waiting: list[Link], taking: Fact) -> None:
        """Report whether facts are still missing."""
        if self._missing <= self.sequence:
            self._missing = 0
            self.listener.whole(taking)
        beyond = [link.fact for link in waiting if link.fact.sequence > self.sequence]
        nearest = min(beyond, key=lambda each: each.sequence, default=None)
        self._waits = nearest.sequence if nearest is not None else 0
        if nearest is not None and not self._missing:
            self._stop(nearest, taking)


def answering(question: Callable[[str], Iterable[Answer]]) -> Callable[[str], list[Answer]]:
    """Wrap a question so that its failure is not mistaken for a fault of the caller."""

    def answer(stream: str) -> list[Answer]:
        try:
            return list(question(stream))
        except Exception as error:
            raise UnansweredError(f"{stream} cannot be read") from error

    return answer


def _first(known: list[tuple[Fact, bytes]], count: int, _: str) -> list[bytes]:
    return [stored for _, stored in known[:count]]
