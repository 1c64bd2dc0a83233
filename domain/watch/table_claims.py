"""What one table claims and asks, day after day, as its facts come; and its days in bytes, for whoever compares them.

What comes late and what is corrected counts from the end of the table's next round on, which is a place in its own
order: the day is told again, and stands beside its first telling.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.facts.property_day import DeckIssued, DeckReturned, PropertyClosed
from domain.facts.streams import owner
from domain.facts.watching import Corrected
from domain.watch.claims import START, STEPS, Claim, Key, Question, Told, alike
from domain.watch.corrected import Record, corrected, corrections, within_reach
from domain.watch.table_watch import MARKED

KINDS: frozenset[type[Fact]] = frozenset({*STEPS, Corrected})
REMEMBERED = 2  # days before a table's own of which late facts and corrections count
_ENDS = (*MARKED, DeckIssued, DeckReturned, PropertyClosed)  # from which on counts what was late or corrected
_NOTHING: tuple[str, ...] = ()


class Cause(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What was late or corrected: what a finding tells of it."""

    stream: str
    sequence: int
    at: int
    round: int | None


class Version(msgspec.Struct):
    """A table's day as it was told from a place on."""

    since: Key
    told: Told
    cause: Cause | None = None


class Table:
    """A table, day after day, by the facts of its chains in their order."""

    def __init__(self, name: str, record: Record) -> None:
        self.name = name
        self.stream = ""
        self.latest: Key = START
        self.days: dict[str, list[Version]] = {}
        self.told_again: list[str] = []  # days of which the fact taken last made another version
        self._record = record
        self._now = Told("")
        self._clock = 0
        self._clocks: dict[str, int] = {}  # where its time stood when each day began
        self._changed: dict[str, Fact] = {}  # streams of which something came late or was corrected, and that

    def take(self, fact: Fact) -> Sequence[str]:
        """The next fact, of one of these kinds: what it claims or asks about."""
        if isinstance(fact, Corrected):
            if within_reach(fact):
                self._changed[fact.corrects_stream] = fact
            return _NOTHING
        if fact.stream != self.stream:
            if fact.stream < self.stream:
                self._changed[fact.stream] = fact
                return _NOTHING
            self._turn(fact.stream)
        clock = self._clock = max(self._clock, fact.at)
        if self._changed and isinstance(fact, _ENDS):
            self._tell_again(fact, (clock, fact.stream, fact.sequence))
        self.latest = (clock, fact.stream, fact.sequence)
        return self._now.take(fact, clock)

    def over(self) -> list[str]:
        """The days that nothing can change any more."""
        oldest = _before(_day(self.stream), REMEMBERED)
        return [day for day in self.days if day < oldest]

    def forget(self, day: str) -> None:
        """Lets a day go."""
        self.days.pop(day, None)
        self._clocks.pop(f"{self.name}/{day}", None)

    def _turn(self, stream: str) -> None:
        """The table's next day begins."""
        if self.stream:
            self._now.cut()
        self.stream = stream
        self._clocks[stream] = self._clock
        self._now = Told(stream)
        self.days[_day(stream)] = [Version(START, self._now)]

    def _tell_again(self, fact: Fact, key: Key) -> None:
        """The table's days as they read with everything that came late or was corrected."""
        oldest = _before(_day(self.stream), REMEMBERED)
        for stream, cause in sorted(self._changed.items()):
            day = _day(stream)
            versions = self.days.get(day)
            if day >= oldest and versions is not None:
                now = stream == self.stream
                facts = [one for one in self._record.facts(stream) if not now or one.sequence < fact.sequence]
                if now and len(facts) < fact.sequence - 1:
                    continue  # the record has them when the next one comes
                told = self._again(stream, facts)
                if not now:
                    told.cut()
                if not alike(told, versions[-1].told):
                    versions.append(Version(key, told, Cause(cause.stream, cause.sequence, cause.at, cause.round)))
                    self._now = told if now else self._now
                    self.told_again.append(day)
            del self._changed[stream]

    def _again(self, stream: str, facts: Iterable[Fact]) -> Told:
        """A day from its opening. Each fact stands at the time it was said to be of at first."""
        told, known, clock = Told(stream), corrections(self._record, stream), self._clocks[stream]
        for fact in facts:
            if type(fact) in STEPS:
                clock = max(clock, fact.at)
                read = corrected(fact, known.get(fact.sequence))
                if read is not None:
                    told.take(read, clock)
        return told


class TableClaims:
    """Every table's days in bytes, each told once nothing can change it any more.

    Whoever reads a whole record keeps these bytes until all of it is read, and compares the tables then, day by day.
    No fact is among them.
    """

    def __init__(self, record: Record, tell: Callable[[str, bytes], object]) -> None:
        self._record = record
        self._tell = tell  # a stream, and what its day claims and asks
        self._tables: dict[str, Table] = {}
        self._by_stream: dict[str, Table] = {}  # of the newest days

    def take(self, fact: Fact) -> None:
        """The next fact of its table, of one of these kinds."""
        table = self._by_stream.get(fact.stream)
        if table is None:
            self._elsewhere(fact)
        else:
            table.take(fact)

    def end(self) -> dict[str, Key]:
        """Tells what was not told yet: everything was read. How far each table has come."""
        for table in self._tables.values():
            for day in sorted(table.days):
                self._tell_day(table, day)
        return {name: table.latest for name, table in self._tables.items()}

    def _elsewhere(self, fact: Fact) -> None:
        """A fact of another day than its table's newest, or of a table nobody has heard of."""
        name = owner(fact.stream)
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = Table(name, self._record)
        before = table.stream
        table.take(fact)
        if table.stream != before:
            self._by_stream.pop(before, None)
            self._by_stream[table.stream] = table
            for day in table.over():
                self._tell_day(table, day)
                table.forget(day)

    def _tell_day(self, table: Table, day: str) -> None:
        self._tell(f"{table.name}/{day}", as_bytes(table.days[day]))


class _Kept(msgspec.Struct, array_like=True):
    """A version in bytes. What is said of each subject is only decoded where two tables speak of it."""

    since: Key
    cause: Cause | None
    book: str
    closed: bool
    clock: int
    sequence: int
    claims: dict[str, msgspec.Raw]
    questions: dict[str, msgspec.Raw]


_ENCODER = msgspec.msgpack.Encoder()
_VERSIONS = msgspec.msgpack.Decoder(list[_Kept])
_CLAIMS = msgspec.msgpack.Decoder(list[Claim])
_QUESTIONS = msgspec.msgpack.Decoder(list[Question])


def as_bytes(versions: Iterable[Version]) -> bytes:
    """What a day claims and asks, version by version."""
    return _ENCODER.encode([_parts(version, version.told) for version in versions])


def _parts(version: Version, told: Told) -> tuple[Any, ...]:
    at = (told.clock, told.sequence)
    return (version.since, version.cause, told.book, told.closed, *at, told.claims, told.questions)


class KeptDay:
    """A table's day, out of its bytes."""

    def __init__(self, stream: str, stored: bytes) -> None:
        self.stream = stream
        self._versions = _VERSIONS.decode(stored)
        self.subjects = {what for each in self._versions for what in (*each.claims, *each.questions)}

    def versions(self, subjects: Iterable[str]) -> list[Version]:
        """The day as far as it is about these subjects."""
        return list(self._of(sorted(subjects)))

    def _of(self, subjects: Sequence[str]) -> Iterator[Version]:
        for each in self._versions:
            told = Told(self.stream, each.clock, each.sequence, each.book, closed=each.closed)
            told.claims = {what: _CLAIMS.decode(held) for what, held in _picked(each.claims, subjects)}
            told.questions = {what: _QUESTIONS.decode(held) for what, held in _picked(each.questions, subjects)}
            yield Version(each.since, told, each.cause)


def _picked(held: Mapping[str, msgspec.Raw], subjects: Iterable[str]) -> Iterator[tuple[str, msgspec.Raw]]:
    return ((what, held[what]) for what in subjects if what in held)


def _day(stream: str) -> str:
    return stream.partition("/")[2]


def _before(day: str, days: int) -> str:
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat()
