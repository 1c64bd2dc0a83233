"""A past day that still receives facts, sent again after a crash or late for another reason.

A repeat changes nothing. If the chain grows, the day is folded with every known correction and compared with the
findings written about it. So is any earlier day that it corrects. The fold resumes where it stopped, unless a
correction is about a fact in it.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.following import Chain, Link
from domain.watch.corrected import UNREADABLE, Corrections, WatchedRecord, corrections, unreadable, within_reach
from domain.watch.feed_watch import feed_changes, with_counts
from domain.watch.finding import Finding
from domain.watch.findings_stream import Book, Written
from domain.watch.stream_watch import missing, some, stopped, two_claim
from domain.watch.table_watch import MARKED, folded, folded_on, judged, mark, written
from domain.watch.verifier import Verifier, differences

_COUNTING: Final = with_counts(Verifier)  # a verifier that also counts what the feed says


class LateDay:
    """The facts of such a day in the log, its chain, and the fold of that up to the last round or the close."""

    def __init__(self, stream: str, from_day: Iterable[str]) -> None:
        self.stream = stream
        self.from_day = tuple(from_day)  # the table's days from this one on, until a new day begins
        self.facts: list[Fact] = []  # the chain
        self.contested = False  # whether the last fact claims a filled place
        self.news: list[Link] = []  # the links that the last fact added to the chain
        self._chain = Chain()
        self._verifier: Verifier | None = None  # of the first facts of the chain
        self._folded = 0  # the number of these facts
        self._known: Corrections = {}  # the corrections of the whole day at the last fold
        self._places: dict[int, set[str]] = {}

    @property
    def sequence(self) -> int:
        """The sequence of the chain's last fact."""
        return self._chain.sequence

    @property
    def waits(self) -> Fact | None:
        """The first fact behind the gap, or None."""
        waiting = self._chain.waiting
        return waiting[min(waiting)][0].fact if waiting else None

    def take(self, link: Link) -> bool:
        """Add the day's next fact in the log, and return whether it is new."""
        held = self._places.setdefault(link.fact.sequence, set())
        self.contested, self.news = bool(held), []
        if link.own in held:
            return False
        held.add(link.own)
        self.news = self._chain.take(link)
        self.facts += (each.fact for each in self.news)
        return True

    def folded_to(self, sequence: int, known: Corrections) -> Verifier:
        """Return the fold of the chain up to this fact, with these corrections."""
        verifier, begin = self._verifier, self._folded
        if verifier is None or _up_to(begin, known) != _up_to(begin, self._known):
            verifier, begin = _COUNTING(self.stream, None), 0
        self._verifier = None  # drop the fold if it fails in the middle
        folded_on(verifier, self.facts[begin:sequence], known)
        self._verifier, self._folded, self._known = verifier, sequence, known
        return verifier


def told_late(record: WatchedRecord, late: LateDay, book_of: Callable[[str], Book], fact: Fact) -> Iterator[Written]:
    """Make the records to write after a fact of the day."""
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
        try:
            verifier = folded(now.facts(stream), stream, corrections(now, stream))
        except Exception as error:  # our mistake: this day stays as it was judged, and every other is judged
            yield from some(book.raised(stopped(fact, error), fact))
            continue
        yield from _compared(book_of(stream), verifier, fact)
    if (waits := late.waits) is not None and waits.sequence > book.up_to and not _said(book):
        yield from some(book.raised(missing(late.sequence, waits), fact))


def _verified_on(record: WatchedRecord, late: LateDay, book: Book, last: Link, fact: Fact) -> Iterator[Written]:
    if last.fact.sequence <= book.up_to:
        return  # written before this watch began
    for held in _said(book):
        if held.trigger <= late.sequence:
            yield from some(book.withdrawn(held, fact))
    known = corrections(record, late.stream)
    try:
        verifier = late.folded_to(last.fact.sequence, known)
    except Exception as error:  # our mistake: this day is not verified further, and every other is
        yield from some(book.raised(stopped(last.fact, error), fact))
        return
    for held in [held for held in book.standing.values() if held.code == "verifier-stopped"]:
        yield from some(book.withdrawn(held, fact))
    yield from _compared(book, verifier, fact)
    yield from feed_changes(book, verifier, fact)
    yield from mark(book, verifier, last.fact, last.own)


def _read_by_now(
    record: WatchedRecord, days: Iterable[str], book_of: Callable[[str], Book], fact: Fact
) -> Iterator[Written]:
    """Withdraw the findings on corrections whose facts have now arrived."""
    for name in days:
        book = book_of(name)
        held = {finding.trigger: finding for finding in book.standing.values() if finding.code == UNREADABLE}
        for correction in record.facts(name) if held else ():
            if isinstance(correction, Corrected) and correction.sequence in held and not unreadable(record, correction):
                yield from some(book.withdrawn(held[correction.sequence], fact))


def _compared(book: Book, verifier: Verifier, fact: Fact) -> list[Written]:
    return written(book, differences(judged(book.standing), verifier.standing, fact))


def _up_to(sequence: int, known: Corrections) -> Corrections:
    return {place: told for place, told in known.items() if place <= sequence}


def _said(book: Book) -> list[Finding]:
    """Return the open findings about a gap or break in the day."""
    return [held for held in book.standing.values() if held.code in ("record-gap", "record-broken")]
