"""A day that is over and still gets facts: sent again after a crash, or in the log only after the next day began.

What is there already changes nothing. Where the chain grows, the day is folded again with everything corrected that
is known, and what it says now is compared with what was written about it. So is a day before it that it corrects.
"""

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.following import Chain, Link
from domain.watch.corrected import UNREADABLE, Record, corrections, unreadable, within_reach
from domain.watch.finding import Finding
from domain.watch.findings_stream import Book, Written
from domain.watch.stream_watch import missing, some, two_claim
from domain.watch.table_watch import MARKED, folded, judged, mark, written
from domain.watch.verifier import Verifier, differences


class LateDay:
    """What the log holds of such a day, and how far that is one chain."""

    def __init__(self, stream: str, from_day: Iterable[str]) -> None:
        self.stream = stream
        self.from_day = tuple(from_day)  # the table's days from this one on: till another begins they are the same
        self.facts: list[Fact] = []  # of the chain
        self.contested = False  # the fact taken last claims a place another one has
        self.news: list[Link] = []  # what the chain grew by with it
        self._chain = Chain()
        self._places: dict[int, set[str]] = {}

    @property
    def sequence(self) -> int:
        """How far the chain goes."""
        return self._chain.sequence

    @property
    def waits(self) -> Fact | None:
        """The first fact behind what is missing."""
        waiting = self._chain.waiting
        return waiting[min(waiting)][0].fact if waiting else None

    def take(self, link: Link) -> bool:
        """The next fact of the day in the log; whether it was not there yet."""
        held = self._places.setdefault(link.fact.sequence, set())
        self.contested, self.news = bool(held), []
        if link.own in held:
            return False
        held.add(link.own)
        self.news = self._chain.take(link)
        self.facts += (each.fact for each in self.news)
        return True


def told_late(record: Record, late: LateDay, book_of: Callable[[str], Book], fact: Fact) -> Iterator[Written]:
    """What is to be written by a fact the day has just taken."""
    book = book_of(late.stream)
    now = replace(record, facts=lambda name: late.facts if name == late.stream else record.facts(name))
    if late.contested:
        yield from some(book.raised(two_claim(fact), fact))
    news = [link for link in late.news if isinstance(link.fact, MARKED)]
    if news:
        yield from _verified_on(now, late, book, news[-1], fact)
    came = [link.fact for link in late.news if isinstance(link.fact, Corrected)]
    for correction in came:
        if unread := unreadable(now, correction):
            yield from some(book.raised(unread, fact))
    if late.news:
        yield from _read_by_now(now, late.from_day, book_of, fact)
    about = {each.corrects_stream for each in came if within_reach(each) and owner(late.stream) != PROPERTY}
    for stream in sorted(about):
        verifier = folded(now.facts(stream), stream, corrections(now, stream))
        yield from _compared(book_of(stream), verifier, fact)
    if (waits := late.waits) is not None and waits.sequence > book.up_to and not _said(book):
        yield from some(book.raised(missing(late.sequence, waits), fact))


def _verified_on(record: Record, late: LateDay, book: Book, last: Link, fact: Fact) -> Iterator[Written]:
    if last.fact.sequence <= book.up_to:
        return  # written before this watch began
    for held in _said(book):
        if held.trigger <= late.sequence:
            yield from some(book.withdrawn(held, fact))
    known = corrections(record, late.stream)
    verifier = folded(record.facts(late.stream), late.stream, known, last.fact.sequence + 1)
    yield from _compared(book, verifier, fact)
    yield from mark(book, verifier, last.fact, last.own)


def _read_by_now(record: Record, days: Iterable[str], book_of: Callable[[str], Book], fact: Fact) -> Iterator[Written]:
    """What was corrected before it was there and is there now: the correction is read."""
    for name in days:
        book = book_of(name)
        held = {finding.trigger: finding for finding in book.standing.values() if finding.code == UNREADABLE}
        for correction in record.facts(name) if held else ():
            if isinstance(correction, Corrected) and correction.sequence in held and not unreadable(record, correction):
                yield from some(book.withdrawn(held[correction.sequence], fact))


def _compared(book: Book, verifier: Verifier, fact: Fact) -> list[Written]:
    return written(book, differences(judged(book.standing), verifier.standing, fact))


def _said(book: Book) -> list[Finding]:
    """The findings that say that something of the day is missing."""
    return [held for held in book.standing.values() if held.code in ("record-gap", "record-broken")]
