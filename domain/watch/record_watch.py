"""The watch over a record in a log: bytes in, records of findings out, table by table.

Repeats of a fact are harmless. The output follows only from the log up to the current position, so it is the same
whether the log is read at once or years later.
"""

from collections.abc import Callable, Container, Iterable, Mapping, MutableMapping
from functools import partial
from typing import Protocol

import msgspec

from domain.facts.codec import readable
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.following import Follower, Link, Stream, Usual, answering, links, never
from domain.watch.corrected import WatchedRecord, unreadable
from domain.watch.expected_seals import KEY_FACTS, ExpectedSeals
from domain.watch.feed_watch import FeedWatch, with_counts
from domain.watch.findings_stream import Book, Place, Written, opened, reopened
from domain.watch.late_facts import LateDay, told_late
from domain.watch.record import StreamVerified
from domain.watch.sealing import Sealing
from domain.watch.stream_watch import Report, StreamWatch, Watch, some
from domain.watch.table_watch import TableWatch
from domain.watch.turned_away import turned_away
from domain.watch.verifier import Verifier


class Companion(Protocol):
    """A second user of the fold of each followed day."""

    def verifier(self, stream: str, remembers: int | None) -> Verifier:
        """Make the verifier of a day from its opening."""

    def parts(self, stream: str) -> None:
        """Note that a stream is no longer verified."""


class RecordWatch:
    """The watch over every table of a log, or of one partition.

    The record and `stored` (a stream's facts in log order) answer as of the position before the current fact, which the
    watch sets in `at`. A watch that starts in the middle of a log receives each table's newest day and the last fact
    that led to a record. Everything before that fact is verified, so the watch folds it only if the day is open. The
    watch passes each new record to `write`.
    """

    def __init__(
        self,
        record: WatchedRecord,
        report: Report,
        stored: Callable[[str], Iterable[bytes]],
        write: Callable[[Written], object],
        also: Callable[[Fact], object] | None = None,  # another receiver of each fact of a table, once
        *,
        at: MutableMapping[int, int] | None = None,
        heard: frozenset[type[Fact]] = frozenset(),  # the types that `also` receives
        forked: Report | None = None,  # called when a second fact claims a place
        misplaced: Callable[[str], str] | None = None,  # the reason why a stream does not belong here, or nothing
        newest: Mapping[str, str] | None = None,
        written_by: tuple[str, int] | None = None,
        beside: Companion | None = None,
    ) -> None:
        self._record = record.answering()
        self.unreadable = report
        self._stored = answering(stored)
        self._write = write
        self._also = also
        self._beside = beside
        self._heard = heard
        self._forked = forked
        self._passed: set[str] = set()  # verified streams whose old facts are skipped
        self._begun_before: set[str] = set()  # skipped streams that now have new facts
        self._books: dict[str, Book] = {}
        self._seals = ExpectedSeals(self._record, self._stored)
        self._late: dict[str, LateDay] = {}  # by table, the last earlier day that received a late fact
        self._made: list[Written] = []  # the records of the current fact
        self.follower = Follower(
            self, self._stored, {} if at is None else at, newest=newest, misplaced=misplaced, awaited=written_by
        )
        self.take = self.follower.take

    @property
    def read(self) -> int:
        """The number of records read."""
        return self.follower.read

    def awaited(self) -> None:
        """Start processing every fact; a fact and its position may both report this place."""
        self.follower.awaited = None
        self._begun_before |= self._passed
        self._passed = set()

    def passes(self, fact: Fact) -> bool:
        """Whether to skip a fact, because it is verified and its day needs no folding."""
        name = fact.stream
        if isinstance(fact, KEY_FACTS):
            self._seals.forget_keys()
            self._ask_again()
        if self.follower.awaited is None or name in self._passed:
            return name in self._passed
        if name < self.follower.newest.get(owner(name), "") or self._goes_on(fact) or self._closed(name):
            self._passed.add(name)
        return name in self._passed

    def _goes_on(self, fact: Fact) -> bool:
        """Whether the log has earlier facts of the stream, so that the day did not begin here."""
        return fact.sequence != 1 and bool(self._stored(fact.stream))

    def _closed(self, name: str) -> bool:
        held = self._record.held(name)
        return any(isinstance(link.fact, StreamVerified) and link.fact.closed for link in held)

    def begins(self, stream: Stream[StreamWatch], fact: Fact, *, known: bool) -> None:
        """Start the table's newest day and release earlier ones, so that reading years takes the memory of a day."""
        name, table = stream.name, owner(stream.name)
        self._late.pop(table, None)  # its list of days is outdated
        for gone in [each for each in self._books if owner(each) == table]:
            del self._books[gone]
        book = self._books[name] = opened(name, self._record.held(name))
        record = msgspec.structs.replace(self._record, facts=partial(self._facts, stream))
        watch: Watch = _Property(record, book, self._key_told)
        if table != PROPERTY:
            make = with_counts(self._beside.verifier if self._beside is not None else Verifier)
            watch = FeedWatch(TableWatch(record, lambda wanted: self._book((name, stream.sequence), wanted), make))
        if self._also is not None:
            watch = _Heard(watch, self._also, self._heard)
        sealing = Sealing(self._seals.due)
        parted = self._beside.parts if self._beside is not None else None
        stream.listener = StreamWatch(
            stream, book, watch, self._put, sealing=sealing, forked=self._forked, parted=parted
        )
        if fact.sequence != 1 or name in self._begun_before:
            stream.read_again()

    def lets_go(self, stream: Stream[StreamWatch]) -> None:
        """Release a day, because the next day of its table begins."""
        self._seals.day_over(stream.name, stream.listener.sealing)

    def taken(self, _: Stream[StreamWatch] | None) -> None:
        """Write the records of the current fact."""
        if self._made:
            made, self._made = self._made, []
            for each in made:
                self._write(each)

    def _put(self, made: Written | None) -> None:
        if made is not None:
            self._made.append(made)

    def _facts(self, stream: Stream[StreamWatch], name: str) -> Iterable[Fact]:
        """Return the chain of a stream; for the followed stream, it includes the current fact."""
        return stream.facts() if name == stream.name else self._record.facts(name)

    def _key_told(self, fact: Fact) -> None:
        self._seals.key_told(fact)
        self._ask_again()

    def _ask_again(self) -> None:
        for stream in self.follower.streams.values():
            stream.listener.sealing.ask_again()

    def _book(self, taking: Place, name: str) -> Book:
        """Return the book of a stream; for an earlier day, as it was before the current fact."""
        held = self._books.get(name)
        if held is None:
            held = self._books[name] = reopened(name, self._record.held(name))
        return held if name in self.follower.streams else held.caught_up(taking, self._before)

    def _before(self, name: str) -> Container[int]:
        """Return the sequences of a stream processed so far, without facts that wait behind a gap."""
        stream = self.follower.streams.get(name)
        if stream is not None:
            return range(1, stream.sequence + 1)
        return {fact.sequence for fact, _ in readable(self._stored(name))}

    def late(self, fact: Fact, stored: bytes, own: str) -> None:
        """Process a fact of an earlier day than its table's newest."""
        late = self._late.get(owner(fact.stream))
        if late is None or late.stream != fact.stream:
            late = LateDay(fact.stream, self._record.from_day(fact.stream))
            for link in links(readable(self._stored(fact.stream))):
                late.take(link)
            self._late[owner(fact.stream)] = late
        if late.take(Link(fact, own)):
            self._seals.told_late(late.stream, late.news)
            if late.contested and self._forked is not None:
                self._forked(stored, f"another fact is already at {fact.id}")
            if self._also is not None:
                for link in late.news:
                    if type(link.fact) in self._heard:
                        self._also(link.fact)
            for made in told_late(self._record, late, partial(self._book, (fact.stream, fact.sequence)), fact):
                self._put(made)


class _Property:
    """The watch over the property's stream: keys, corrections, and inputs that the gateway refused."""

    usual = staticmethod(never)

    def __init__(self, record: WatchedRecord, book: Book, told: Callable[[Fact], None]) -> None:
        self._record = record
        self._book = book
        self._told = told

    def take(self, fact: Fact, _: str) -> list[Written]:
        """Process the next fact."""
        if isinstance(fact, KEY_FACTS):
            self._told(fact)
        if self._book.silent(fact.sequence):
            return []
        found = unreadable(self._record, fact) if isinstance(fact, Corrected) else turned_away(fact)
        return some(self._book.raised(found, fact)) if found else []


class _Heard:
    """A stream's watch, plus a second receiver of some types of facts."""

    def __init__(self, watch: Watch, also: Callable[[Fact], object], heard: frozenset[type[Fact]]) -> None:
        self._watch = watch
        self._also = also
        self._heard = heard
        self._usual: Usual = never  # the watch's function, and the same for both
        self._of_both: Usual = never

    def take(self, fact: Fact, head: str) -> list[Written]:
        """Pass the next fact to both."""
        if type(fact) in self._heard:
            self._also(fact)
        return self._watch.take(fact, head)

    @property
    def usual(self) -> Usual:
        """The function that folds a usual fact, for both."""
        usual = self._watch.usual
        if usual != self._usual:
            self._usual, self._of_both = usual, self._both(usual)
        return self._of_both

    def _both(self, usual: Usual) -> Usual:
        also, heard = self._also, self._heard

        def both(fact: Fact) -> bool:
            if not usual(fact):
                return False
            if type(fact) in heard:
                also(fact)
            return True

        return both
