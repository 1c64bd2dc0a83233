"""The watch over one stream: findings from its facts, and from faults of the stream in the log.

A stream stops being verified at a gap or a broken chain. When the log holds the missing facts, verification resumes
there, and the finding about the gap is withdrawn.
"""

from collections.abc import Callable
from typing import Protocol

from domain.facts.envelope import Fact
from domain.following import Stream, Usual, never
from domain.watch.finding import Finding, of_the_record
from domain.watch.findings_stream import Book, Written
from domain.watch.sealing import Sealing

Report = Callable[[bytes, str], None]  # unreadable or misplaced bytes, and the reason
Write = Callable[[Written | None], object]  # a new record, or None


class Watch(Protocol):
    """The judge of one stream's facts."""

    def take(self, fact: Fact, head: str) -> list[Written]:
        """Process the next fact, given the hash of its bytes, and return the records to write."""

    @property
    def usual(self) -> Usual:
        """The function that folds a next fact needing no record; ask for it again after every other fact."""


class StreamWatch:
    """One stream whose findings are written to its book."""

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
        self._parted = parted  # called when the stream is no longer verified
        self._forked = forked  # called when a second fact claims a place
        self._missing: Finding | None = None  # the open finding about the gap

    def next(self, fact: Fact, own: str) -> None:
        """Process the next fact of the chain."""
        for made in self._watch.take(fact, own):
            self._write(made)
        fault = self._book.fault
        if fault is not None and fact.sequence >= fault.trigger:  # another verifier stopped here
            self._write(self._book.withdrawn(fault, fact))
        self.not_calm(fact)

    def usual(self) -> Usual:
        """Return the function that folds a next fact needing nothing else."""
        return self._watch.usual if self._book.fault is None else never

    def not_calm(self, fact: Fact) -> None:
        """Report facts that wait too long for a seal, or whose seal has come with this fact."""
        found = self.sealing.take(fact)
        if found is not None and not self._book.silent(fact.sequence):
            self._write(self._book.raised(found, fact))

    def gives_up(self, fact: Fact, error: Exception) -> None:
        """Stop verifying the stream at this fact, because later facts would be judged on an incomplete fold."""
        self.done = True
        if self._parted is not None:
            self._parted(self._stream.name)
        self._write(self._book.raised(stopped(fact, error), fact))

    def comes_then(self, fact: Fact) -> None:
        """Ignore the fact: nothing more is reported."""

    def forked(self, fact: Fact, stored: bytes | None) -> None:
        """Report a second fact at this fact's place."""
        if stored is not None and self._forked is not None:
            self._forked(stored, f"another fact is already at {fact.id}")
        self._found(two_claim(fact), fact)

    def missing(self, before: Fact, taking: Fact) -> None:
        """Report a gap or a break before a fact."""
        self._missing = missing(self._stream.sequence, before)
        self._found(self._missing, taking)

    def whole(self, taking: Fact) -> None:
        """Withdraw the finding about the gap, because the missing facts have come."""
        if self._missing is not None:
            self._write(self._book.withdrawn(self._missing, taking))

    def _found(self, finding: Finding, after: Fact) -> None:
        """Raise a finding, unless another version verified the stream past this point and has raised it."""
        if self._stream.sequence >= self._book.silent_to:
            self._write(self._book.raised(finding, after))


def missing(sequence: int, fact: Fact) -> Finding:
    """Make the finding that this fact does not follow the one at this sequence."""
    if fact.sequence > sequence + 1:
        says = f"Facts {sequence + 1} to {fact.sequence - 1} of {fact.stream} are not in the log. {_behind(sequence)}"
        return of_the_record("record-gap", fact, says)
    says = f"Fact {fact.sequence} of {fact.stream} does not match the hash of the fact before it. {_behind(sequence)}"
    return of_the_record("record-broken", fact, says)


def stopped(fact: Fact, error: Exception) -> Finding:
    """Make the finding that the fold failed at this fact."""
    return of_the_record("verifier-stopped", fact, f"{type(error).__name__}: {error}. {_behind(fact.sequence)}")


def two_claim(fact: Fact) -> Finding:
    """Make the finding that this fact and another one claim the same place."""
    says = f"Two different facts claim place {fact.sequence} of {fact.stream}."
    return of_the_record("record-forked", fact, says)


def some(made: Written | None) -> list[Written]:
    """Return the record in a list, or an empty list."""
    return [] if made is None else [made]


def _behind(sequence: int) -> str:
    return f"Facts after fact {sequence} are not verified."
