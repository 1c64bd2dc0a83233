"""The claims and questions of one table, day after day, and its days in bytes for comparison.

Late facts and corrections count from the end of the table's next round, which is a place in its own order. The day is
then folded again, and the new version is kept beside the first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import takewhile
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.facts.property_day import DeckIssued, DeckReturned, OptionsApproved, PropertyClosed
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.watch.claims import START, STEPS, Approved, Claim, DayClaims, Key, OpenClaim, alike, approvals
from domain.watch.corrected import WatchedRecord, corrected, corrections, within_reach
from domain.watch.table_watch import MARKED

KINDS: frozenset[type[Fact]] = frozenset({*STEPS, Corrected})
REMEMBERED = 2  # earlier days for which late facts and corrections count
# Facts from which late facts and corrections count.
_ENDS = (*MARKED, DeckIssued, DeckReturned, OptionsApproved, PropertyClosed)
_NOTHING: tuple[str, ...] = ()


class LateCause(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A late fact or a correction, with all that a finding needs of it."""

    stream: str
    sequence: int
    at: int
    round: int | None


class Version(msgspec.Struct):
    """A version of a table's day, from one place on."""

    since: Key
    told: DayClaims
    cause: LateCause | None = None


class Table:
    """A table, day after day, from the facts of its chains in order."""

    def __init__(self, name: str, record: WatchedRecord) -> None:
        self.name = name
        self.stream = ""
        self.latest: Key = START
        self.days: dict[str, list[Version]] = {}
        self.repeats: list[str] = []  # days that got a new version with the last fact
        self._record = record
        self._now = DayClaims("")
        self._clock = 0
        self._clocks: dict[str, int] = {}  # the table's time at the start of each day
        self._approved: dict[str, dict[str, Approved]] = {}  # of the property, the options approved on each earlier day
        self._changed: dict[str, Fact] = {}  # by stream, the last late fact or correction

    def take(self, fact: Fact) -> Sequence[str]:
        """Process the next fact of these types, and return the subjects it claims or asks about."""
        if isinstance(fact, Corrected):
            if within_reach(fact):
                self._changed[fact.corrects_stream] = fact
            return _NOTHING
        if fact.stream != self.stream:
            if fact.stream < self.stream:
                self._changed[fact.stream] = fact
                self._approved.pop(fact.stream, None)  # that day is read again
                return _NOTHING
            self._turn(fact.stream)
        clock = self._clock = max(self._clock, fact.at)
        if self._changed and isinstance(fact, _ENDS):
            self._tell_again(fact, (clock, fact.stream, fact.sequence))
        self.latest = (clock, fact.stream, fact.sequence)
        return self._now.take(fact, clock)

    def over(self) -> list[str]:
        """Return the days that nothing can change any more."""
        oldest = _before(_day(self.stream), REMEMBERED)
        return [day for day in self.days if day < oldest]

    def forget(self, day: str) -> None:
        """Release a day."""
        self.days.pop(day, None)
        self._clocks.pop(f"{self.name}/{day}", None)

    def _turn(self, stream: str) -> None:
        """Start the table's next day."""
        if self.stream:
            self._now.cut()
        self.stream = stream
        self._clocks[stream] = self._clock
        self._now = DayClaims(stream, approved=self._approved_before(stream))
        self.days[_day(stream)] = [Version(START, self._now)]

    def _tell_again(self, fact: Fact, key: Key) -> None:
        """Fold the table's days again with every late fact and correction."""
        oldest = _before(_day(self.stream), REMEMBERED)
        for stream, cause in sorted(self._changed.items()):
            day = _day(stream)
            versions = self.days.get(day)
            if day >= oldest and versions is not None:
                now = stream == self.stream
                facts = [one for one in self._record.facts(stream) if not now or one.sequence < fact.sequence]
                if now and len(facts) < fact.sequence - 1:
                    continue  # the record includes them when the next one comes
                told = self._again(stream, facts)
                if not now:
                    told.cut()
                if not alike(told, versions[-1].told):
                    versions.append(Version(key, told, LateCause(cause.stream, cause.sequence, cause.at, cause.round)))
                    self._now = told if now else self._now
                    self.repeats.append(day)
            del self._changed[stream]

    def _again(self, stream: str, facts: Iterable[Fact]) -> DayClaims:
        """Fold a day from its opening, with each fact at the time first recorded for it."""
        told = DayClaims(stream, approved=self._approved_before(stream))
        known, clock = corrections(self._record, stream), self._clocks[stream]
        for fact in facts:
            if type(fact) in STEPS:
                clock = max(clock, fact.at)
                read = corrected(fact, known.get(fact.sequence))
                if read is not None:
                    told.take(read, clock)
        return told

    def _approved_before(self, stream: str) -> dict[str, Approved]:
        """Return the options the property had approved when this day of its stream began."""
        if self.name != PROPERTY:
            return {}
        found: dict[str, Approved] = {}
        for name in takewhile(lambda name: name < stream, self._record.from_day(f"{PROPERTY}/")):
            if name not in self._approved:
                self._approved[name] = approvals(self._record.facts(name))
            for book, held in self._approved[name].items():
                found.setdefault(book, {}).update(held)
        return found


class TableClaims:
    """Every table's days in bytes, each passed on once nothing can change it.

    A reader of a whole record keeps these bytes until everything is read, and then compares the tables day by day. The
    bytes contain no facts.
    """

    def __init__(self, record: WatchedRecord, tell: Callable[[str, bytes], object]) -> None:
        self._record = record
        self._tell = tell  # receives a stream, with its day's claims and questions
        self._tables: dict[str, Table] = {}
        self._by_stream: dict[str, Table] = {}  # the newest days

    def take(self, fact: Fact) -> None:
        """Process the next fact of these types."""
        table = self._by_stream.get(fact.stream)
        if table is None:
            self._elsewhere(fact)
        else:
            table.take(fact)

    def end(self) -> dict[str, Key]:
        """Pass on the remaining days at the end of the record, and return how far each table has come."""
        for table in self._tables.values():
            for day in sorted(table.days):
                self._tell_day(table, day)
        return {name: table.latest for name, table in self._tables.items()}

    def _elsewhere(self, fact: Fact) -> None:
        """Process a fact of a day other than its table's newest, or of a new table."""
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
    """A version in bytes; the part on a subject is decoded only if two tables share that subject."""

    since: Key
    cause: LateCause | None
    book: str
    closed: bool
    clock: int
    sequence: int
    claims: dict[str, msgspec.Raw]
    questions: dict[str, msgspec.Raw]


_ENCODER = msgspec.msgpack.Encoder()
_VERSIONS = msgspec.msgpack.Decoder(list[_Kept])
_CLAIMS = msgspec.msgpack.Decoder(list[Claim])
_QUESTIONS = msgspec.msgpack.Decoder(list[OpenClaim])


def as_bytes(versions: Iterable[Version]) -> bytes:
    """Return a day's claims and questions in bytes, version by version."""
    return _ENCODER.encode([_parts(version, version.told) for version in versions])


def _parts(version: Version, told: DayClaims) -> tuple[Any, ...]:
    at = (told.clock, told.sequence)
    return (version.since, version.cause, told.book, told.closed, *at, told.claims, told.questions)


class KeptDay:
    """A table's day, read from its bytes."""

    def __init__(self, stream: str, stored: bytes) -> None:
        self.stream = stream
        self._versions = _VERSIONS.decode(stored)
        self.subjects = {what for each in self._versions for what in (*each.claims, *each.questions)}

    def versions(self, subjects: Iterable[str]) -> list[Version]:
        """Return the versions of the day on these subjects."""
        return list(self._of(sorted(subjects)))

    def _of(self, subjects: Sequence[str]) -> Iterator[Version]:
        for each in self._versions:
            told = DayClaims(self.stream, each.clock, each.sequence, each.book, closed=each.closed)
            told.claims = {what: _CLAIMS.decode(held) for what, held in _picked(each.claims, subjects)}
            told.questions = {what: _QUESTIONS.decode(held) for what, held in _picked(each.questions, subjects)}
            yield Version(each.since, told, each.cause)


def _picked(held: Mapping[str, msgspec.Raw], subjects: Iterable[str]) -> Iterator[tuple[str, msgspec.Raw]]:
    return ((what, held[what]) for what in subjects if what in held)


def _day(stream: str) -> str:
    return stream.partition("/")[2]


def _before(day: str, days: int) -> str:
    """Return the day that many days earlier, or the first of the calendar: an opening may name any day."""
    return date.fromordinal(max(date.fromisoformat(day).toordinal() - days, 1)).isoformat()
