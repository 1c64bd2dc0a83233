"""The watch over one stream as it lies in a log: what is the next fact, what is a repeat, what is trouble.

Behind trouble a stream is not verified any further. When the log holds what was missing, it is verified on from where
it stopped, and the finding that something is missing is withdrawn.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from domain.facts.codec import readable
from domain.facts.envelope import Fact
from domain.ledger.chain import digest
from domain.watch.book import Book, Written
from domain.watch.chained import links
from domain.watch.finding import Finding
from domain.watch.sealing import Sealing
from domain.watch.verifier import Usual, never

Report = Callable[[bytes, str], None]  # bytes that are no fact or have no place, and why


class UnansweredError(Exception):
    """The record could not be read on a question of the watch: nothing is wrong with watch or facts."""


class Watch(Protocol):
    """What judges the facts of a stream."""

    def take(self, fact: Fact, head: str) -> list[Written]:
        """The next fact and the hash of its bytes: what is to be written by it."""

    @property
    def usual(self) -> Usual:
        """What folds the next fact in where nothing is to be written by it; it is asked for anew after each other."""


class StreamWatch:
    """One stream: how far it has been read. `stored` gives its facts in the log before the one being taken."""

    def __init__(
        self,
        name: str,
        book: Book,
        watch: Watch | None,  # none for the property's stream, which no table detector looks at
        stored: Callable[[str], Sequence[bytes]],
        *,
        sealing: Sealing,
        forked: Report | None = None,  # who hears of a second fact at a place
    ) -> None:
        self.name = name
        self.book = book
        self.sealing = sealing
        self.forked = forked
        self.sequence = 0
        self.head = ""
        self.stopped: Finding | None = None  # what says that something is missing
        self._waits = 0  # the lowest sequence that came and cannot be verified yet
        self.done = False  # given up
        self._watch = watch
        self.stored = stored
        self._known: dict[int, set[str]] = {}  # the hashes at each place, read from the log when something came again
        self.usual: Usual = never  # folds the next fact of the chain in, where no more than that is to be done with it

    def take(self, fact: Fact, stored: bytes) -> list[Written]:
        """The next fact of the stream in the log: what is to be written by it."""
        if self.done:
            return []
        if self.stopped is not None or fact.sequence != self.sequence + 1 or fact.previous != self.head:
            made = list(self._out_of_line(fact, stored))
        else:
            made = self._next(fact, digest(stored))
        if self._watch is not None:
            in_order = self.stopped is None and self.book.fault is None and not self.done
            self.usual = self._watch.usual if in_order else never
        return made

    def _next(self, fact: Fact, own: str) -> list[Written]:
        self.sequence, self.head = fact.sequence, own
        try:
            made = [] if self._watch is None else self._watch.take(fact, own)
        except UnansweredError:
            raise
        except Exception as error:  # a fault of ours at one table must not blind the room to the others
            return self.give_up(fact, own, error)
        fault = self.book.fault
        if fault is not None and fact.sequence >= fault.trigger:  # others could not go on here
            made += some(self.book.withdrawn(fault, fact))
        return made + self.waited(fact)

    def waited(self, fact: Fact) -> list[Written]:
        """What is to be written because facts before this one still wait for a seal, or have waited for this one."""
        found = self.sealing.take(fact)
        return [] if found is None or self.book.silent(fact.sequence) else some(self.book.raised(found, fact))

    def give_up(self, fact: Fact, own: str, error: Exception) -> list[Written]:
        """The stream is not verified behind this fact: what follows would be judged on a fold that is not whole."""
        self.sequence, self.head = fact.sequence, own
        self.done, self.usual = True, never
        says = f"{type(error).__name__}: {error}. {self._behind()}"
        return some(self.book.raised(of_the_log("verifier-stopped", fact, says), fact))

    def _out_of_line(self, fact: Fact, stored: bytes) -> Iterator[Written]:
        """A fact that is not the next one: a repeat, or trouble, or what had been missing."""
        if fact.sequence <= self.sequence:
            if fact.sequence not in self._known:
                self._known = _places(self.stored(self.name))
            if digest(stored) not in self._known.get(fact.sequence, ()):
                yield from self._fork(fact, stored)
        elif self.stopped is None:
            yield from self._stop(missing(self.sequence, fact), fact)
        elif fact.sequence == self.sequence + 1 and fact.previous == self.head:
            yield from self._next(fact, digest(stored))
            yield from self._go_on(self.stopped, fact)
        else:
            self._waits = min(self._waits, fact.sequence)

    def _go_on(self, stopped: Finding, fact: Fact) -> Iterator[Written]:
        """Some of what was missing has come: what waits behind it follows, as far as it is one chain."""
        beyond: list[Fact] = []
        if self.sequence + 1 >= self._waits:
            waiting = links(readable(self.stored(self.name)))
            came, before = {self.head}, self.sequence
            for link in sorted(waiting, key=lambda each: each.fact.sequence):
                if link.fact.sequence == self.sequence + 1 and link.fact.previous == self.head and not self.done:
                    came.add(link.own)
                    yield from self._next(link.fact, link.own)
            self._known = {}
            for link in waiting:
                if before <= link.fact.sequence <= self.sequence and link.own not in came:
                    yield from self._found(two_claim(link.fact), link.fact)
            beyond = [link.fact for link in waiting if link.fact.sequence > self.sequence]
        if self.sequence >= stopped.trigger and not self.done:
            yield from some(self.book.withdrawn(stopped, fact))
            self.stopped = None
        if beyond and not self.done:
            nearest = min(beyond, key=lambda each: each.sequence)
            self._waits = nearest.sequence
            if self.stopped is None:
                yield from self._stop(missing(self.sequence, nearest), fact)

    def _stop(self, finding: Finding, after: Fact) -> list[Written]:
        self.stopped, self._waits = finding, finding.trigger
        return self._found(finding, after)

    def _fork(self, fact: Fact, stored: bytes) -> list[Written]:
        self._known.setdefault(fact.sequence, set()).add(digest(stored))
        if self.forked is not None:
            self.forked(stored, f"another fact stands at {fact.id}, which came before")
        return self._found(two_claim(fact), fact)

    def _found(self, finding: Finding, after: Fact) -> list[Written]:
        """Raises a finding, unless the stream is still where others verified it: they have said it."""
        return [] if self.sequence < self.book.silent_to else some(self.book.raised(finding, after))

    def _behind(self) -> str:
        return f"Nothing behind fact {self.sequence} is verified."


def _places(stored: Sequence[bytes]) -> dict[int, set[str]]:
    """The hashes that stand at each place of a stream."""
    found: dict[int, set[str]] = {}
    for link in links(readable(stored)):
        found.setdefault(link.fact.sequence, set()).add(link.own)
    return found


def missing(sequence: int, fact: Fact) -> Finding:
    """That this fact does not fit behind the one at this sequence."""
    behind = f"Nothing behind fact {sequence} is verified."
    if fact.sequence > sequence + 1:
        says = f"Facts {sequence + 1} to {fact.sequence - 1} of {fact.stream} are not in the log. {behind}"
        return of_the_log("record-gap", fact, says)
    says = f"Fact {fact.sequence} of {fact.stream} names another hash than the fact before it has. {behind}"
    return of_the_log("record-broken", fact, says)


def two_claim(fact: Fact) -> Finding:
    """That this fact stands where another one does."""
    says = f"Two different facts claim place {fact.sequence} of {fact.stream}."
    return of_the_log("record-forked", fact, says)


def of_the_log(code: str, fact: Fact, says: str) -> Finding:
    """A finding about a stream as it lies in the log."""
    return Finding(
        code=code, clauses=(), says=says, stream=fact.stream, trigger=fact.sequence, at=fact.at, round=fact.round
    )


def some(made: Written | None) -> list[Written]:
    """A record that was made, or nothing."""
    return [] if made is None else [made]
