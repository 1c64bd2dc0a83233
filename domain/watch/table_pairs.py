"""The watch across tables: each pair of tables that can contradict each other, in an order of its own.

Time is the only order between tables, and any table may lag. So two tables are compared up to the point both have
reached, and their findings go to a stream of their own. The output follows from these two tables alone, whatever the
others do and in whatever order the log holds them. A silent table delays only the tables that share a subject with it.
A growing record is compared as facts come, and a complete record day by day at its end.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, pairwise

import msgspec

from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.watch.claims import PLAYER, START, DayClaims, Key, OpenClaim, asked_within, concern, contradicting
from domain.watch.corrected import WatchedRecord
from domain.watch.finding import Finding
from domain.watch.findings_stream import Book, Written
from domain.watch.pair_rules import one_stay, shown
from domain.watch.record import of_two
from domain.watch.table_claims import KINDS, REMEMBERED, KeptDay, Table, Version
from domain.watch.table_watch import written
from domain.watch.verifier import differences

_KEPT = 400_000  # the most claims and questions of past days to keep for tables that lag
_Edge = tuple[Key, int]  # a place, before or after the fact at its key
_FIRST: _Edge = (START, 0)


class TablePair(msgspec.Struct):
    """Two tables on one day, and how far they are compared."""

    one: list[Version]
    other: list[Version]
    book: Book
    shared: set[str]
    done: _Edge = _FIRST

    def compared(self, one_latest: Key, other_latest: Key) -> Iterator[Written]:
        """Compare the two up to the point both have reached, and return the records to write."""
        ready = (self._ready(one_latest, other_latest), 1)
        if ready <= self.done:
            return
        causes = {
            (version.since, 0): version.cause
            for version in (*self.one, *self.other)
            if version.cause is not None and self.done < (version.since, 0) <= ready
        }
        for after, before in pairwise([self.done, *sorted(causes), ready]):
            if (cause := causes.get(after)) is not None:
                changes = differences(dict(self.book.standing), self._standing(after), cause)
                yield from written(self.book, changes)
            for question, finding in self._shown(after, before):
                if (made := self.book.raised(finding, question)) is not None:
                    yield made
        self.done = ready

    def left(self) -> bool:
        """Whether part of either day is still to be judged."""
        for versions in (self.one, self.other):
            if (versions[-1].since, 0) > self.done:
                return True
            for what in self.shared:
                asked = versions[-1].told.questions.get(what)
                if asked is not None and (asked[-1].key, 1) > self.done:
                    return True
        return False

    def _ready(self, one_latest: Key, other_latest: Key) -> Key:
        """Return the point both have reached; a closed table is silent until its next day."""
        one, other = self.one[-1].told, self.other[-1].told
        ahead = max(one_latest, other.last) if one.closed else one_latest
        return min(ahead, max(other_latest, one.last) if other.closed else other_latest)

    def _standing(self, at: _Edge) -> dict[str, Finding]:
        return {finding.id: finding for _, finding in self._shown(_FIRST, at, at)}

    def _shown(self, after: _Edge, before: _Edge, told: _Edge | None = None) -> Iterator[tuple[OpenClaim, Finding]]:
        """Return the findings of the facts between two places, by the days as known at the first or at `told`."""
        one, other = (_as_of(versions, told or after) for versions in (self.one, self.other))
        asked = [
            (question.key, what, question, here, there)
            for here, there in ((one, other), (other, one))
            for what in sorted(self.shared)
            for question in asked_within(here, what, after, before)
        ]
        for _, what, question, here, there in sorted(asked, key=lambda each: each[:2]):
            claim = contradicting(question, there.claims.get(what, []))
            if claim is None:
                continue
            if what.startswith(PLAYER):
                yield question, one_stay(what, question, here, there)
                continue
            for finding in shown(what, question, here, claim, there):
                yield question, finding


class TablePairs:
    """The watch across tables, over the facts of their chains as they come."""

    def __init__(self, record: WatchedRecord, book: Callable[[str], Book] = Book) -> None:
        self._record = record
        self._book = book
        self._tables: dict[str, Table] = {}
        self._told_of: dict[str, dict[str, set[str]]] = {}  # by day and subject, the tables concerned
        self._pairs: dict[tuple[str, str, str], TablePair] = {}
        self._waiting: set[tuple[str, str, str]] = set()
        self._asked: dict[str, int] = {}  # the number of claims and questions, by day
        self._gone = ""  # the newest day that was released
        self._made: list[Written] = []  # records made before a day was released

    def take(self, fact: Fact) -> None:
        """Process the next fact of its table."""
        if type(fact) not in KINDS:
            return
        name = owner(fact.stream)
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = Table(name, self._record)
        before = table.stream
        told = table.take(fact)
        if table.repeats:
            self._repeats(table)
        if told and (day := _day(fact.stream)) > self._gone:
            self._asked[day] = self._asked.get(day, 0) + len(told)
            self._meet(day, table, told)
        if table.stream != before:
            self._let_go()

    def found(self) -> Iterator[Written]:
        """Return the records to write for all facts so far."""
        made, self._made = self._made, []
        yield from made
        for name in sorted(self._waiting):
            _, one, other = name
            pair = self._pairs[name]
            yield from pair.compared(self._tables[one].latest, self._tables[other].latest)
            if not pair.left():
                self._waiting.discard(name)

    def _repeats(self, table: Table) -> None:
        for day in table.repeats:
            told = table.days[day][-1].told
            self._meet(day, table, {*told.claims, *told.questions})
            self._waiting.update(name for name in self._pairs if name[0] == day and table.name in name)
        table.repeats.clear()

    def _meet(self, day: str, table: Table, told: Iterable[str]) -> None:
        """Pair a table with every other table that has a claim or question on the same subject."""
        for what in told:
            there = self._told_of.setdefault(day, {}).setdefault(what, set())
            there.add(table.name)
            for other in [other for other in there - {table.name} if concern(what, table.name, other)]:
                one, two = sorted((table.name, other))
                name = (day, one, two)
                pair = self._pairs.get(name)
                if pair is None:
                    one_day, other_day = self._tables[one].days[day], self._tables[two].days[day]
                    pair = self._pairs[name] = TablePair(one_day, other_day, self._book(of_two(one, two, day)), set())
                pair.shared.add(what)
                self._waiting.add(name)

    def _let_go(self) -> None:
        """Release the oldest days when more is kept than lagging tables can need."""
        while sum(self._asked.values()) > _KEPT and len(self._asked) > REMEMBERED + 1:
            self._made = list(self.found())
            day = self._gone = min(self._asked)  # later claims and questions of that day are no longer counted
            del self._asked[day]
            self._told_of.pop(day, None)
            for table in self._tables.values():
                table.forget(day)
            for name in [name for name in self._pairs if name[0] == day]:
                del self._pairs[name]
                self._waiting.discard(name)


def compared(day: Iterable[KeptDay], latest: Mapping[str, Key]) -> Iterator[Written]:
    """Compare the tables of one complete day, and return the records to write.

    A watch that follows the tables writes the same, pair after pair.
    """
    tables = {owner(table.stream): table for table in day}
    told_of: dict[str, list[str]] = {}
    for name in sorted(tables):
        for what in tables[name].subjects:
            told_of.setdefault(what, []).append(name)
    shared: dict[tuple[str, str], set[str]] = {}
    for what, names in told_of.items():
        for two in [two for two in combinations(names, 2) if concern(what, *two)]:
            shared.setdefault(two, set()).add(what)
    for two in sorted(shared):
        one, other = two
        of_one, of_other = (tables[name].versions(shared[two]) for name in two)
        book = Book(of_two(one, other, _day(tables[one].stream)))
        yield from TablePair(of_one, of_other, book, shared[two]).compared(latest[one], latest[other])


def _as_of(versions: list[Version], at: _Edge) -> DayClaims:
    """Return the version of the day that was known at a place."""
    return versions[bisect_right(versions, at, key=lambda version: (version.since, 0)) - 1].told


def _day(stream: str) -> str:
    return stream.partition("/")[2]
