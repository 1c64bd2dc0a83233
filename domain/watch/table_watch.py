"""The watch over one table, day after day: facts in, records of findings out.

A correction of any day folds that day again, with everything corrected that is known by then; what the day says now is
compared with what it said. The facts of a day are asked for by a function, for nobody keeps them here. What was written
before is in the books: a watch that starts anew folds a day from its opening in silence up to the last mark, and
writes nothing twice.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.watching import Corrected
from domain.watch.finding import Finding
from domain.watch.record import VERSION, Book, Written
from domain.watch.verifier import Change, Verifier, differences

Corrections = dict[int, Corrected]  # the last correction of each sequence of a stream


class Record(msgspec.Struct, frozen=True):
    """How a watch asks for what was told before."""

    facts: Callable[[str], Iterable[Fact]]  # a stream by sequence, from its opening
    from_day: Callable[[str], Iterable[str]]  # the streams of the same table, this one and later ones, in order
    book: Callable[[str], Book] = Book  # what was written about a stream


def corrected(fact: Fact, correction: Corrected | None) -> Fact | None:
    """The fact as it should have been entered; None where it never happened.

    A correction nobody can read changes nothing.
    """
    if correction is None:
        return fact
    if correction.reads is msgspec.UNSET:
        return None
    fields: dict[str, Any] = msgspec.structs.asdict(fact)
    place = {name: fields[name] for name in ("stream", "sequence", "previous", "source", "source_key")}
    fields.update(correction.reads)
    fields.update(place)
    try:
        return msgspec.convert(fields, type(fact), strict=True)
    except msgspec.ValidationError:
        return fact


class TableWatch:
    """One table under watch."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._today: Corrections = {}
        self.verifier: Verifier | None = None
        self.book: Book | None = None  # of the day being watched

    def take(self, fact: Fact, head: str) -> list[Written]:
        """The next fact of the table and the hash of its bytes: what is to be written by it."""
        verifier, book = self.verifier, self.book
        if verifier is None or book is None or verifier.day.stream != fact.stream:
            verifier, book = self._turn(fact.stream)
        silent = fact.sequence <= book.up_to
        written: list[Written] = []
        if isinstance(fact, Corrected):
            written += self._correct(fact, verifier, silent=silent)
            verifier = self.verifier or verifier
        changes = verifier.take(fact)
        if changes and not silent:
            written += _written(book, changes)
        if verifier.day.too_late:
            before = dict(verifier.standing)
            verifier = self.verifier = self._folded(fact.stream, self._today, fact.sequence)
            written += [] if silent else _written(book, differences(before, verifier.standing, fact))
        if silent:
            written += self._other_detectors(book, verifier, fact)
        elif isinstance(fact, (TableOpened, RoundCompleted, TableClosed)):
            written.append(_mark(book, verifier, fact, head))
        return written

    def _turn(self, stream: str) -> tuple[Verifier, Book]:
        """A new day of the table: the one before is let go."""
        self._today = {}
        self.verifier, self.book = Verifier(stream), self._record.book(stream)
        return self.verifier, self.book

    def _other_detectors(self, book: Book, verifier: Verifier, fact: Fact) -> list[Written]:
        """Where other detectors wrote the book, what these say is written when the last mark is reached."""
        if fact.sequence < book.up_to or book.detectors == VERSION:
            return []
        book.detectors = VERSION
        return _written(book, differences(dict(book.standing), verifier.standing, fact))

    def _correct(self, fact: Corrected, current: Verifier, *, silent: bool) -> list[Written]:
        stream = fact.corrects_stream
        if stream == current.day.stream:
            before: Mapping[str, Finding] = current.standing
            self._today[fact.corrects_sequence] = fact
            now = self.verifier = self._folded(stream, self._today, current.day.sequence)
            book = self.book
        else:
            known = self._corrections(stream, fact)
            before = self._folded(stream, known, None).standing
            now = self._folded(stream, {**known, fact.corrects_sequence: fact}, None)
            book = self._record.book(stream)
        if silent or book is None:
            return []
        return _written(book, differences(dict(before), now.standing, fact))

    def _corrections(self, stream: str, before: Corrected) -> Corrections:
        """What had been corrected of an earlier day before this correction came."""
        found: Corrections = {}
        for name in self._record.from_day(stream):
            for fact in self._record.facts(name):
                if fact.stream == before.stream and fact.sequence >= before.sequence:
                    return found
                if isinstance(fact, Corrected) and fact.corrects_stream == stream:
                    found[fact.corrects_sequence] = fact
        return found

    def _folded(self, stream: str, corrections: Corrections, up_to: int | None) -> Verifier:
        verifier = Verifier(stream, remembers=None)
        for fact in self._record.facts(stream):
            if up_to is not None and fact.sequence > up_to:
                break
            read = corrected(fact, corrections.get(fact.sequence))
            if read is not None:
                verifier.take(read)
        return verifier


def _written(book: Book, changes: Iterable[Change]) -> list[Written]:
    """The records of these changes, those left out that are written already."""
    records = (
        book.withdrawn(change.finding, change.after) if change.kind == "withdrawn" else book.raised(change.finding)
        for change in changes
    )
    return [record for record in records if record is not None]


def _mark(book: Book, verifier: Verifier, fact: Fact, head: str) -> Written:
    opened = verifier.day.opened
    return book.verified(
        fact,
        head,
        book_digest=opened.book_digest if opened else "",
        rounds=verifier.rounds_judged,
        closed=isinstance(fact, TableClosed),
        undecided=dict(sorted(verifier.undecided.items())),
    )
