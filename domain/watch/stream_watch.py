"""The watch over one stream: what is written about it, by its facts and by what is wrong with it in the log.

Behind trouble a stream is not verified any further. When the log holds what was missing, it is verified on from where
it stopped, and the finding that something is missing is withdrawn.
"""

from collections.abc import Callable
from typing import Protocol

from domain.facts.envelope import Fact
from domain.following import Stream, Usual, never
from domain.watch.finding import Finding, of_the_record
from domain.watch.findings_stream import Book, Written
from domain.watch.sealing import Sealing

Report = Callable[[bytes, str], None]  # bytes that are no fact or have no place, and why
Write = Callable[[Written | None], object]  # a record that was made, or nothing


class Watch(Protocol):
    """What judges the facts of a stream."""

    def take(self, fact: Fact, head: str) -> list[Written]:
        """The next fact and the hash of its bytes: what is to be written by it."""

    @property
    def usual(self) -> Usual:
        """What folds the next fact in where nothing is to be written by it; it is asked for anew after each other."""


class StreamWatch:
    """One stream, of which records of findings are written to its book."""

    def __init__(
        self,
        stream: "Stream[StreamWatch]",
        book: Book,
        watch: Watch,
        write: Write,
        *,
        sealing: Sealing,
        forked: Report | None = None,
        parted: Callable[[str], object] | None = None,
    ) -> None:
        self.done = False
        self.sealing = stream.calm = sealing
        self._stream = stream
        self._book = book
        self._watch = watch
        self._write = write
        self._parted = parted  # who hears that the stream is not verified any more
        self._forked = forked  # who hears of a second fact at a place
        self._missing: Finding | None = None  # what says that something is missing

    def next(self, fact: Fact, own: str) -> None:
        """The next fact of the chain."""
        for made in self._watch.take(fact, own):
            self._write(made)
        fault = self._book.fault
        if fault is not None and fact.sequence >= fault.trigger:  # others could not go on here
            self._write(self._book.withdrawn(fault, fact))
        self.not_calm(fact)

    def usual(self) -> Usual:
        """What folds the next fact in, where no more than that is to be done with it."""
        return self._watch.usual if self._book.fault is None else never

    def not_calm(self, fact: Fact) -> None:
        """Facts before this one still wait for a seal, or have waited for this one."""
        found = self.sealing.take(fact)
        if found is not None and not self._book.silent(fact.sequence):
            self._write(self._book.raised(found, fact))

    def gives_up(self, fact: Fact, error: Exception) -> None:
        """The stream is not verified behind this fact: what follows would be judged on a fold that is not whole."""
        self.done = True
        if self._parted is not None:
            self._parted(self._stream.name)
        says = f"{type(error).__name__}: {error}. {_behind(fact.sequence)}"
        self._write(self._book.raised(of_the_record("verifier-stopped", fact, says), fact))

    def comes_then(self, fact: Fact) -> None:
        """Nothing more is said."""

    def forked(self, fact: Fact, stored: bytes | None) -> None:
        """Another fact stands where this one does."""
        if stored is not None and self._forked is not None:
            self._forked(stored, f"another fact stands at {fact.id}, which came before")
        self._found(two_claim(fact), fact)

    def missing(self, before: Fact, taking: Fact) -> None:
        """Something is missing before a fact."""
        self._missing = missing(self._stream.sequence, before)
        self._found(self._missing, taking)

    def whole(self, taking: Fact) -> None:
        """What was missing has come."""
        if self._missing is not None:
            self._write(self._book.withdrawn(self._missing, taking))

    def _found(self, finding: Finding, after: Fact) -> None:
        """Raises a finding, unless the stream is still where others verified it: they have said it."""
        if self._stream.sequence >= self._book.silent_to:
            self._write(self._book.raised(finding, after))


def missing(sequence: int, fact: Fact) -> Finding:
    """That this fact does not fit behind the one at this sequence."""
    if fact.sequence > sequence + 1:
        says = f"Facts {sequence + 1} to {fact.sequence - 1} of {fact.stream} are not in the log. {_behind(sequence)}"
        return of_the_record("record-gap", fact, says)
    says = f"Fact {fact.sequence} of {fact.stream} names another hash than the fact before it has. {_behind(sequence)}"
    return of_the_record("record-broken", fact, says)


def two_claim(fact: Fact) -> Finding:
    """That this fact stands where another one does."""
    says = f"Two different facts claim place {fact.sequence} of {fact.stream}."
    return of_the_record("record-forked", fact, says)


def some(made: Written | None) -> list[Written]:
    """A record that was made, or nothing."""
    return [] if made is None else [made]


def _behind(sequence: int) -> str:
    return f"Nothing behind fact {sequence} is verified."
