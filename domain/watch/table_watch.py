"""The watch over one table, day after day: facts in, records of findings out.

A correction folds its day again with every correction known so far, and the new findings are compared with the old
ones. The watch asks a function for the facts of a day, because it keeps none. After a restart, a watch folds the day
from its opening; the book knows which records are already written.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import takewhile

from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.watching import Corrected
from domain.following import Usual, never
from domain.table.day import REMEMBERED, recall, remember
from domain.watch.corrected import Corrections, WatchedRecord, also, corrected, corrections, unreadable, within_reach
from domain.watch.finding import Finding
from domain.watch.findings_stream import Book, Written
from domain.watch.record import OF_THE_LOG, VERSION
from domain.watch.verifier import FindingChange, Verifier, differences

MARKED = (TableOpened, RoundCompleted, TableClosed)  # facts after which a stream is marked as verified


Make = Callable[[str, int | None], Verifier]  # of a stream and the number of rounds to remember


def folded(
    facts: Iterable[Fact], stream: str, known: Corrections, before: int | None = None, make: Make = Verifier
) -> Verifier:
    """Fold a day's facts with these corrections, all of them or only those before sequence `before`."""
    verifier = make(stream, None)
    folded_on(verifier, facts if before is None else takewhile(lambda fact: fact.sequence < before, facts), known)
    return verifier


def folded_on(verifier: Verifier, facts: Iterable[Fact], known: Corrections) -> None:
    """Fold a day's next facts with these corrections."""
    for fact in facts:
        read = corrected(fact, known.get(fact.sequence))
        if read is not None:
            verifier.take(read)


def written(book: Book, changes: Iterable[FindingChange]) -> list[Written]:
    """Return the records of these changes that are not written yet."""
    records = (
        book.withdrawn(change.finding, change.after)
        if change.kind == "withdrawn"
        else book.raised(change.finding, change.after)
        for change in changes
    )
    return [record for record in records if record is not None]


def judged(standing: Mapping[str, Finding]) -> dict[str, Finding]:
    """Return the findings of detectors, without those about the log itself."""
    return {name: finding for name, finding in standing.items() if finding.code not in OF_THE_LOG}


def mark(book: Book, verifier: Verifier, fact: Fact, head: str) -> list[Written]:
    """Return the record that the stream is verified up to this fact, if it is not written yet."""
    opened = verifier.day.opened
    made = book.verified(
        fact,
        head,
        book_digest=opened.book_digest if opened else "",
        rounds=verifier.rounds_judged,
        closed=isinstance(fact, TableClosed),
        undecided=dict(sorted(verifier.undecided.items())),
        wagers={what: count for what, count in sorted(verifier.wagers.items()) if count},
    )
    return [made] if made else []


class TableWatch:
    """The watch over one table."""

    def __init__(self, record: WatchedRecord, book: Callable[[str], Book], make: Make = Verifier) -> None:
        self._make = make
        self._record = record
        self._book_of = book
        self._today: Corrections = {}
        self.verifier: Verifier | None = None
        self.book: Book | None = None  # of the current day

    def take(self, fact: Fact, head: str) -> list[Written]:
        """Process the table's next fact, given the hash of its bytes, and return the records to write."""
        verifier, book = self.verifier, self.book
        if verifier is None or book is None or verifier.day.stream != fact.stream:
            verifier, book = self._turn(fact.stream)
        made: list[Written] = []
        if isinstance(fact, Corrected):
            made += self._correct(fact, verifier, book)
            verifier = self.verifier or verifier
        changes = verifier.take(fact)
        if changes:
            made += written(book, _unless_silent(book, fact, changes))
        if verifier.day.too_late:
            before = dict(verifier.standing)
            verifier = self.verifier = self._again(fact)
            verifier.take(fact)
            recall(verifier.day, fact)
            made += written(book, _unless_silent(book, fact, differences(before, verifier.standing, fact)))
        if book.differs and fact.sequence >= book.silent_to:
            made += self._what_differs(book, verifier, fact, head)
        if isinstance(fact, MARKED) and not book.silent(fact.sequence):
            made += mark(book, verifier, fact, head)
        return made

    @property
    def usual(self) -> Usual:
        """The function that folds a next fact needing no record."""
        if self.verifier is None or self.book is None or self.book.differs:
            return never
        return self.verifier.usual

    def _turn(self, stream: str) -> tuple[Verifier, Book]:
        """Start a new day of the table and release the old one."""
        self._today = {}
        self.verifier, self.book = self._make(stream, REMEMBERED), self._book_of(stream)
        return self.verifier, self.book

    def _what_differs(self, book: Book, verifier: Verifier, fact: Fact, head: str) -> list[Written]:
        """Return the records in which these detectors differ from another version's, once its last mark is reached."""
        book.differs = False
        made = written(book, differences(judged(book.standing), verifier.standing, fact))
        return made + (mark(book, verifier, fact, head) if book.detectors != VERSION else [])

    def _again(self, fact: Fact) -> Verifier:
        """Fold the day again up to the fact before this one, with every known correction."""
        return folded(self._record.facts(fact.stream), fact.stream, self._today, fact.sequence, self._make)

    def _correct(self, fact: Corrected, current: Verifier, today: Book) -> list[Written]:
        """Fold the day that a correction is about, and report an invalid correction."""
        stream = fact.corrects_stream
        unread = unreadable(self._record, fact)
        made = written(today, _unless_silent(today, fact, [FindingChange("raised", unread, fact)] if unread else []))
        if not within_reach(fact):
            return made
        if stream == current.day.stream:
            before: Mapping[str, Finding] = current.standing
            also(self._today, fact)
            now = self.verifier = self._again(fact)
            remember(now.day, current.day.remembers)  # the fold needed every round; what follows needs the newest
            book = today
        else:
            known, facts = corrections(self._record, stream, fact), list(self._record.facts(stream))
            before = folded(facts, stream, known).standing
            also(known, fact)
            now = folded(facts, stream, known)
            book = self._book_of(stream)
        return made + written(book, _unless_silent(today, fact, differences(dict(before), now.standing, fact)))


def _unless_silent(today: Book, fact: Fact, changes: Iterable[FindingChange]) -> Iterable[FindingChange]:
    """Return these changes, or none if this fact of today is only folded."""
    return (change for change in changes if not today.silent(fact.sequence))
