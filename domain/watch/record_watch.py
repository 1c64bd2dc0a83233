"""The watch over a record as it lies in a log: bytes in, records of findings out, table by table.

A fact counts once per place and hash: a repeat is harmless. What is written follows from the log as far as it has been
taken and from nothing behind that, so that it is the same whenever it is taken, at once or years later.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

import msgspec

from domain.facts.codec import UnreadableFactError, decode, readable
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, BadStreamError, owner
from domain.facts.streams import stream as taken_apart
from domain.facts.watching import Corrected
from domain.ledger.chain import digest
from domain.watch.book import Book, Place, Written, opened, reopened
from domain.watch.chained import Link, chained, links
from domain.watch.corrected import Record, unreadable
from domain.watch.expected_seals import KEY_FACTS, ExpectedSeals
from domain.watch.late import LateDay, told_late
from domain.watch.record import StreamVerified
from domain.watch.sealing import Sealing
from domain.watch.stream_watch import Report, StreamWatch, UnansweredError, Watch, some
from domain.watch.table_watch import TableWatch
from domain.watch.turned_away import turned_away
from domain.watch.verifier import Usual, never

Answer = TypeVar("Answer")


class RecordWatch:
    """Every table of a log, or of one partition of it, under watch.

    What the watch asks of the record, and of `stored` (a stream's facts in the order of the log), stands before the
    fact being taken. A watch that starts in the middle of a log is told each table's newest day, and the last fact by
    which anything was written: what stands before that was verified, and needs folding only where the day is open.
    """

    def __init__(
        self,
        record: Record,
        report: Report,
        stored: Callable[[str], Iterable[bytes]],
        also: Callable[[Fact], object] | None = None,  # who else hears each fact of a table, once
        *,
        heard: frozenset[type[Fact]] = frozenset(),  # of these types
        forked: Report | None = None,  # who hears of a second fact at a place
        misplaced: Callable[[str], str] | None = None,  # why a stream does not belong here, or nothing
        newest: Mapping[str, str] | None = None,
        written_by: tuple[str, int] | None = None,
    ) -> None:
        self._record = answering(record)
        self._report = report
        self._stored = _asked(stored)
        self._also = also
        self._heard = heard
        self._forked = forked
        self._misplaced = misplaced
        self._newest: dict[str, str] = dict(newest or {})
        self._written_by = written_by
        self._passed: set[str] = set()  # streams whose facts before that are not looked at
        self._begun_before: set[str] = set()  # those that have facts before it
        self._books: dict[str, Book] = {}
        self._seals = ExpectedSeals(self._record, self._stored)
        self._late: LateDay | None = None
        self._taking: Link | None = None  # where a stream waits for something: the log before it does not have it yet
        self.streams: dict[str, StreamWatch] = {}
        self.read = 0

    def take(self, stored: bytes) -> list[Written]:
        """The next record of the log: what is to be written by it."""
        return list(self.take_all((stored,)))

    def take_all(self, records: Iterable[bytes]) -> Iterator[Written]:
        """The next records of the log: what is to be written by each, before the next one is asked for.

        A hot path, entered once for many facts: most are the next of their stream and change nothing but the round
        that is played, and past decoding, hashing and folding them nothing is done here but to see that they are.
        """
        streams = self.streams
        for stored in records:
            self.read += 1
            try:
                fact = decode(stored)
            except UnreadableFactError as error:
                self._report(stored, str(error))
                continue
            if self._written_by is not None and (fact.stream, fact.sequence) == self._written_by:
                self.all_is_new()
            stream = streams.get(fact.stream)
            if stream is None:
                yield from self._elsewhere(fact, stored)
                continue
            try:
                usual = fact.sequence == stream.sequence + 1 and fact.previous == stream.head and stream.usual(fact)
            except Exception as error:  # a fault of ours, told like any other
                yield from stream.give_up(fact, digest(stored), error)
                continue
            if usual:
                stream.sequence, stream.head = fact.sequence, digest(stored)
                if not stream.sealing.least <= fact.at <= stream.sealing.most:
                    yield from stream.waited(fact)
            else:
                yield from self._take(stream, fact, stored)

    def _take(self, stream: StreamWatch, fact: Fact, stored: bytes) -> list[Written]:
        """A fact of a stream that is followed; what had been missing counts for whoever folds the day again by it."""
        self._taking = Link(fact, digest(stored)) if stream.stopped is not None else None
        made = stream.take(fact, stored)
        self._taking = None
        return made

    def _facts(self, name: str) -> Iterable[Fact]:
        """The chain of a stream with the fact being taken, where that may be what the chain was waiting for."""
        taking = self._taking
        if taking is None or taking.fact.stream != name:
            return self._record.facts(name)
        return [link.fact for link in chained([*links(readable(self._stored(name))), taking])]

    def all_is_new(self) -> None:
        """Nothing of what comes now was verified before; that may be said twice, by a fact and by its position."""
        self._written_by = None
        self._begun_before |= self._passed
        self._passed = set()

    def _elsewhere(self, fact: Fact, stored: bytes) -> list[Written]:
        """A fact of a stream this watch does not follow, or not yet."""
        name = fact.stream
        if isinstance(fact, KEY_FACTS):
            self._seals.forget_keys()
            self._ask_again()
        if name in self._passed:
            return []
        if wrong := self._nowhere(fact):
            self._report(stored, wrong)
            return []
        newest = self._newest.get(owner(name), "")
        if self._written_by is not None and (name < newest or self._goes_on(fact) or self._closed(name)):
            self._passed.add(name)
            return []
        if name < newest:
            return list(self._told_late(fact, stored))
        before = [] if fact.sequence == 1 and name not in self._begun_before else self._stored(name)
        stream = self._begun(name)
        return [*self._read_again(stream, before), *self._take(stream, fact, stored)]

    def _read_again(self, stream: StreamWatch, before: Sequence[bytes]) -> Iterator[Written]:
        """What stands in the log already, each fact as if nothing stood behind it."""
        known, whole = list(readable(before)), stream.stored
        for count, (fact, stored) in enumerate(known):
            stream.stored = partial(_first, known, count)
            yield from stream.take(fact, stored)
        stream.stored = whole

    def _nowhere(self, fact: Fact) -> str:
        """Why a fact has no place in this record, or nothing."""
        if not fact.sequence:
            return "it has no sequence: nobody has put it on record"
        try:
            taken_apart(fact.stream)
        except BadStreamError as error:
            return str(error)
        return self._misplaced(fact.stream) if self._misplaced is not None else ""

    def _goes_on(self, fact: Fact) -> bool:
        """Whether the log has facts of the stream before this one: it is not folded from where it begins there."""
        return fact.sequence != 1 and bool(self._stored(fact.stream))

    def _closed(self, name: str) -> bool:
        held = self._record.held(name)
        return any(isinstance(link.fact, StreamVerified) and link.fact.closed for link in held)

    def _begun(self, name: str) -> StreamWatch:
        """The table's newest day; those before it are let go: years are read in the memory of a day."""
        table = owner(name)
        self._newest[table] = name
        if self._late is not None and owner(self._late.stream) == table:
            self._late = None  # it knows the days there were
        for gone in [each for each in self.streams if owner(each) == table]:
            self._seals.day_over(gone, self.streams[gone].sealing)
            del self.streams[gone]
        for gone in [each for each in self._books if owner(each) == table]:
            del self._books[gone]
        book = self._books[name] = opened(name, self._record.held(name))
        record = msgspec.structs.replace(self._record, facts=self._facts)
        watch: Watch = _Property(record, book, self._key_told)
        if table != PROPERTY:
            watch = TableWatch(record, self._by(name))
        if self._also is not None:
            watch = _Heard(watch, self._also, self._heard)
        sealing = Sealing(self._seals.due)
        made = StreamWatch(name, book, watch, self._stored, sealing=sealing, forked=self._forked)
        self.streams[name] = made
        return made

    def _key_told(self, fact: Fact) -> None:
        self._seals.key_told(fact)
        self._ask_again()

    def _ask_again(self) -> None:
        for stream in self.streams.values():
            stream.sealing.ask_again()

    def _book(self, taking: Place, name: str) -> Book:
        """The book of a stream: of an earlier day, as it was before the fact being taken."""
        held = self._books.get(name)
        if held is None:
            held = self._books[name] = reopened(name, self._record.held(name))
        return held if name in self.streams else held.caught_up(taking, self._before)

    def _by(self, name: str) -> Callable[[str], Book]:
        """The books as they were before the fact a followed stream takes."""
        return lambda wanted: self._book((name, self.streams[name].sequence), wanted)

    def _before(self, name: str) -> Container[int]:
        """The sequences of a stream that were taken by now: what waits behind a gap was not."""
        stream = self.streams.get(name)
        if stream is not None:
            return range(1, stream.sequence + 1)
        return {fact.sequence for fact, _ in readable(self._stored(name))}

    def _told_late(self, fact: Fact, stored: bytes) -> Iterator[Written]:
        """A fact of an earlier day than the table's newest."""
        late = self._late
        if late is None or late.stream != fact.stream:
            late = self._late = LateDay(fact.stream, self._record.from_day(fact.stream))
            for link in links(readable(self._stored(fact.stream))):
                late.take(link)
        if late.take(Link(fact, digest(stored))):
            self._seals.told_late(late.stream, late.news)
            if late.contested and self._forked is not None:
                self._forked(stored, f"another fact stands at {fact.id}, which came before")
            if self._also is not None:
                for link in late.news:
                    if type(link.fact) in self._heard:
                        self._also(link.fact)
            yield from told_late(self._record, late, partial(self._book, (fact.stream, fact.sequence)), fact)


def _first(known: Sequence[tuple[Fact, bytes]], count: int, _: str) -> list[bytes]:
    return [stored for _, stored in known[:count]]


class _Property:
    """The property's stream: what it tells of keys, what it corrects, and what the gateway turned away."""

    usual = staticmethod(never)

    def __init__(self, record: Record, book: Book, told: Callable[[Fact], None]) -> None:
        self._record = record
        self._book = book
        self._told = told

    def take(self, fact: Fact, _: str) -> list[Written]:
        """The next fact."""
        if isinstance(fact, KEY_FACTS):
            self._told(fact)
        if self._book.silent(fact.sequence):
            return []
        found = unreadable(self._record, fact) if isinstance(fact, Corrected) else turned_away(fact)
        return some(self._book.raised(found, fact)) if found else []


class _Heard:
    """A stream's watch, and who else hears its facts of some types."""

    def __init__(self, watch: Watch, also: Callable[[Fact], object], heard: frozenset[type[Fact]]) -> None:
        self._watch = watch
        self._also = also
        self._heard = heard
        self._usual: Usual = never  # of the watch, and the same for both
        self._of_both: Usual = never

    def take(self, fact: Fact, head: str) -> list[Written]:
        """Both hear the next fact."""
        if type(fact) in self._heard:
            self._also(fact)
        return self._watch.take(fact, head)

    @property
    def usual(self) -> Usual:
        """The same for facts that only have to be folded in."""
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


def answering(record: Record) -> Record:
    """The record, and where it cannot be read that is told apart from a fault of the watch."""
    return msgspec.structs.replace(
        record, facts=_asked(record.facts), from_day=_asked(record.from_day), held=_asked(record.held)
    )


def _asked(question: Callable[[str], Iterable[Answer]]) -> Callable[[str], list[Answer]]:
    """A question whose failure is told apart from a fault of the watch."""

    def answer(stream: str) -> list[Answer]:
        try:
            return list(question(stream))
        except Exception as error:
            raise UnansweredError(f"{stream} cannot be read") from error

    return answer
