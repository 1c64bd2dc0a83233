"""The watch across tables: every two of them that have to do with one another, each pair in an order of its own.

Between tables there is no order but time, and no telling how far behind one is. So two tables are judged together up
to where both have come, and what is found is written to a stream of theirs: it follows from the two tables alone,
whatever the others do and however the log has them side by side. A table that says nothing more holds up nobody but
who has to do with it. What comes late and what is corrected counts from the end of the table's next round on.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from itertools import pairwise, takewhile

import msgspec

from domain.facts.envelope import Fact
from domain.facts.property_day import DeckIssued, DeckReturned, OptionsApproved, PropertyClosed
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.watch.claims import START, STEPS, Approved, Key, Told, alike, approvals, asked_within, contradicting
from domain.watch.corrected import Record, corrected, corrections, within_reach
from domain.watch.finding import Finding
from domain.watch.findings_stream import Book, Written
from domain.watch.pair_rules import shown
from domain.watch.record import of_two
from domain.watch.table_watch import MARKED, written
from domain.watch.verifier import differences

KINDS: frozenset[type[Fact]] = frozenset({*STEPS, Corrected})
REMEMBERED = 2  # days before a table's own of which late facts and corrections count
_KEPT = 400_000  # wagers of past days that are kept for tables that are days behind
_Edge = tuple[Key, int]  # a place: before what stands at its key, or behind it
# Late and corrected facts count from the next of these on.
_ENDS = (*MARKED, DeckIssued, DeckReturned, OptionsApproved, PropertyClosed)
_FIRST: _Edge = (START, 0)


class Version(msgspec.Struct):
    """A table's day as it was told from a place on."""

    since: Key
    told: Told
    cause: Fact | None = None  # what was late or corrected


class Table(msgspec.Struct):
    """A table, day after day."""

    name: str
    now: Told
    clock: int = 0
    latest: Key = START
    stream: str = ""
    days: dict[str, list[Version]] = {}
    clocks: dict[str, int] = {}  # where its time stood when each day began
    changed: dict[str, Fact] = {}  # days of which something came late or was corrected, and that


class Pair(msgspec.Struct):
    """Two tables on one day."""

    day: str
    one: Table
    other: Table
    book: Book
    shared: set[str]
    done: _Edge = _FIRST


class Abreast:
    """The watch across tables over the facts of their chains, each table's in its order."""

    def __init__(self, record: Record, book: Callable[[str], Book] = Book) -> None:
        self._record = record
        self._book = book
        self._tables: dict[str, Table] = {}
        self._by_stream: dict[str, Table] = {}  # of the newest days
        self._told_of: dict[str, dict[str, set[str]]] = {}  # by day and subject, the tables that say something of it
        self._pairs: dict[tuple[str, str, str], Pair] = {}
        self._waiting: set[tuple[str, str, str]] = set()
        self._asked: dict[str, int] = {}  # how much was told, by day
        self._made: list[Written] = []  # before a day was let go
        self._approved: dict[str, dict[str, Approved]] = {}  # by day of the property, the options approved on it

    def take(self, fact: Fact) -> None:
        """The next fact of its table."""
        if type(fact) not in KINDS:
            return
        table = self._by_stream.get(fact.stream)
        if table is not None and type(fact) is not Corrected:
            self._next(table, fact)
            return
        name = owner(fact.stream)
        self._approved.pop(fact.stream, None)  # a late fact: read that day again
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = Table(name, Told(""))
        if isinstance(fact, Corrected):
            if within_reach(fact):
                table.changed[fact.corrects_stream] = fact
        elif fact.stream < table.stream:
            table.changed[fact.stream] = fact
        else:
            self._next(table, fact)

    def found(self) -> Iterator[Written]:
        """What is to be written by all that was taken."""
        made, self._made = self._made, []
        yield from made
        for name in sorted(self._waiting):
            pair = self._pairs[name]
            yield from self._together(pair)
            if not any(self._left(pair)):
                self._waiting.discard(name)

    def _next(self, table: Table, fact: Fact) -> None:
        if fact.stream != table.stream:
            self._turn(table, fact.stream)
        table.clock = max(table.clock, fact.at)
        key = (table.clock, fact.stream, fact.sequence)
        if table.changed and isinstance(fact, _ENDS):
            self._tell_again(table, fact, key)
        table.latest = key
        for what in table.now.take(fact, key):
            day = _day(fact.stream)
            self._asked[day] = self._asked.get(day, 0) + 1
            self._meet(day, table, what)

    def _turn(self, table: Table, stream: str) -> None:
        """The table's next day begins."""
        if table.stream:
            table.now.cut()
            del self._by_stream[table.stream]
        table.stream = stream
        self._by_stream[stream] = table
        table.clocks[stream] = table.clock
        table.now = Told(stream, approved=self._approved_before(stream))
        table.days[_day(stream)] = [Version(START, table.now)]
        self._let_go()

    def _tell_again(self, table: Table, fact: Fact, key: Key) -> None:
        """The table's days as they read with everything that came late or was corrected."""
        oldest = _before(_day(table.stream), REMEMBERED)
        for stream, cause in sorted(table.changed.items()):
            day = _day(stream)
            versions = table.days.get(day)
            if day >= oldest and versions is not None:
                now = stream == table.stream
                facts = [one for one in self._record.facts(stream) if not now or one.sequence < fact.sequence]
                if now and len(facts) < fact.sequence - 1:
                    continue  # the record has them when the next one comes
                told = self._again(stream, facts, table.clocks[stream])
                if not now:
                    told.cut()
                if not alike(told, versions[-1].told):
                    versions.append(Version(key, told, cause))
                    table.now = told if now else table.now
                    for what in {*told.claims, *told.questions}:
                        self._meet(day, table, what)
                    self._waiting.update(name for name in self._pairs if name[0] == day and table.name in name)
            del table.changed[stream]

    def _again(self, stream: str, facts: Iterable[Fact], clock: int) -> Told:
        """A day from its opening. Each fact stands at the time it was said to be of at first."""
        told = Told(stream, approved=self._approved_before(stream))
        known = corrections(self._record, stream)
        for fact in facts:
            if type(fact) in STEPS:
                clock = max(clock, fact.at)
                read = corrected(fact, known.get(fact.sequence))
                if read is not None:
                    told.take(read, (clock, stream, fact.sequence))
        return told

    def _approved_before(self, stream: str) -> dict[str, Approved]:
        """Return the options the property had approved when this day of its stream began."""
        if owner(stream) != PROPERTY:
            return {}
        found: dict[str, Approved] = {}
        for name in takewhile(lambda name: name < stream, self._record.from_day(f"{PROPERTY}/")):
            if name not in self._approved:
                self._approved[name] = approvals(self._record.facts(name))
            for book, held in self._approved[name].items():
                found.setdefault(book, {}).update(held)
        return found

    def _meet(self, day: str, table: Table, what: str) -> None:
        """Another table that says something of the same has to do with this one."""
        there = self._told_of.setdefault(day, {}).setdefault(what, set())
        there.add(table.name)
        for other in there - {table.name}:
            one, two = sorted((table.name, other))
            name = (day, one, two)
            pair = self._pairs.get(name)
            if pair is None:
                book = self._book(of_two(one, two, day))
                pair = self._pairs[name] = Pair(day, self._tables[one], self._tables[two], book, set())
            pair.shared.add(what)
            self._waiting.add(name)

    def _together(self, pair: Pair) -> Iterator[Written]:
        """The two tables as far as both have come."""
        ready = (self._ready(pair), 1)
        if ready <= pair.done:
            return
        causes = {
            (version.since, 0): version.cause
            for table in (pair.one, pair.other)
            for version in table.days[pair.day]
            if version.cause is not None and pair.done < (version.since, 0) <= ready
        }
        for after, before in pairwise([pair.done, *sorted(causes), ready]):
            if (cause := causes.get(after)) is not None:
                changes = differences(dict(pair.book.standing), self._standing(pair, after), cause)
                yield from written(pair.book, changes)
            for question, finding in self._shown(pair, after, before):
                if (made := pair.book.raised(finding, question)) is not None:
                    yield made
        pair.done = ready

    def _ready(self, pair: Pair) -> Key:
        """How far both have come. A table that has closed says nothing more of the day until its next one."""
        one, other = (table.days[pair.day][-1].told for table in (pair.one, pair.other))
        ahead = max(pair.one.latest, other.last) if one.closed else pair.one.latest
        return min(ahead, max(pair.other.latest, one.last) if other.closed else pair.other.latest)

    def _left(self, pair: Pair) -> Iterator[bool]:
        """Whether something of either is still to be judged."""
        for table in (pair.one, pair.other):
            versions = table.days[pair.day]
            yield (versions[-1].since, 0) > pair.done
            for what in pair.shared:
                asked = versions[-1].told.questions.get(what)
                yield asked is not None and (asked[-1].key, 1) > pair.done

    def _standing(self, pair: Pair, at: _Edge) -> dict[str, Finding]:
        return {finding.id: finding for _, finding in self._shown(pair, _FIRST, at, at)}

    def _shown(
        self, pair: Pair, after: _Edge, before: _Edge, told: _Edge | None = None
    ) -> Iterator[tuple[Fact, Finding]]:
        """What the facts between two places show, as both days are told at the first of them or where it is said."""
        one, other = (_as_of(table.days[pair.day], told or after) for table in (pair.one, pair.other))
        asked = [
            (question.key, what, question, here, there)
            for here, there in ((one, other), (other, one))
            for what in sorted(pair.shared)
            for question in asked_within(here, what, after, before)
        ]
        for _, what, question, here, there in sorted(asked, key=lambda each: each[:2]):
            claim = contradicting(question, there.claims.get(what, []))
            if claim is not None:
                for finding in shown(what, question, here, claim, there):
                    yield question.fact, finding

    def _let_go(self) -> None:
        """The oldest days, where more is kept than tables that are behind can need."""
        while sum(self._asked.values()) > _KEPT and len(self._asked) > REMEMBERED + 1:
            self._made = list(self.found())
            day = min(self._asked)
            del self._asked[day]
            self._told_of.pop(day, None)
            for table in self._tables.values():
                table.days.pop(day, None)
            for name in [name for name in self._pairs if name[0] == day]:
                del self._pairs[name]
                self._waiting.discard(name)


def _as_of(versions: list[Version], at: _Edge) -> Told:
    """The day as it was told at a place."""
    return versions[bisect_right(versions, at, key=lambda version: (version.since, 0)) - 1].told


def _day(stream: str) -> str:
    return stream.partition("/")[2]


def _before(day: str, days: int) -> str:
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat()
