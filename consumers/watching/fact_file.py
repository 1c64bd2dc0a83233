"""A file of facts read as a log: numbered facts as they are, others checked and numbered as a gateway would.

A numbered fact has passed its gateway. Of each line only its place is kept in memory, and of a line without a number
the digests of its key and content. Earlier facts, which only a correction or a late fact needs, are read again from
their places.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from consumers.zones import zones_but
from domain.facts.codec import readable
from domain.facts.envelope import Fact
from domain.facts.inputs import RefusedInputError, read_input
from domain.facts.property_day import PropertyOpened
from domain.facts.refused import Refused
from domain.facts.streams import owner
from domain.following import Link, Placed, chain_of
from domain.ledger.keys_used import KeysUsed, key_taken
from domain.ledger.plausible import admitted
from domain.ledger.writer import InputRefusal, Writer, WriterDay, located, place, with_edition
from domain.watch.corrected import WatchedRecord

Takes = Callable[[bytes], bool]
# The number of a line that is left out, the line, and what is wrong with it: nothing if it repeats a fact.
Report = Callable[[int, bytes, Refused | None], None]


class SharedKeyError(Exception):
    """A line with the key of another table's line; its number. To know which one counts, read both tables."""


class _StreamLines(msgspec.Struct):
    """The lines of one stream, and its owner's day before: a line without a number gets the same one again."""

    before: WriterDay | None = None
    lines: "array[int]" = msgspec.field(default_factory=lambda: array("L"))


class FactFile:
    """A file being read, and the facts before the current line."""

    def __init__(self, file: Path, takes: Takes | None = None, *, admits_all: bool = False) -> None:
        self._file = file
        self._takes = takes  # the lines to read; of a table's or the property's lines, all or none
        self._admits_all = admits_all  # whether the keys of the other lines count too
        self._begins = array("Q", [0])  # the place of each line; lines count from 1
        self._streams: dict[str, _StreamLines] = {}
        self.at = {0: 0}  # the current line

    def facts(self, report: Report, shares_key: Takes | None = None) -> Iterator[Placed]:
        """The number and the stored bytes of each line that is a fact; a repeat is none.

        With `shares_key`, the reading ends at a line whose key another table's line has.
        """
        admission = _Admission()
        for number, stored in self._lines():
            if shares_key is not None and shares_key(stored):
                raise SharedKeyError(number)
            taken = self._takes is None or self._takes(stored)
            if not (taken or self._admits_all):
                continue
            try:
                fact = read_input(stored)
            except RefusedInputError as error:
                if taken:
                    report(number, stored, error.refused)
                continue
            if fact.sequence:
                if taken:
                    self._note(number, fact, None)
                    yield number, stored
                continue
            whole = admission.admitted(fact)
            if isinstance(whole, Fact):
                if taken:
                    self._note(number, whole, admission.writer)
                placed = place(admission.writer, whole).stored
                if taken:
                    yield number, placed
            elif taken:
                report(number, stored, whole)

    def _lines(self) -> Iterator[Placed]:
        """The number and the text of each line that is not empty; their places are kept."""
        ends = 0
        with self._file.open("rb") as lines:
            for number, text in enumerate(lines, start=1):
                self._begins.append(ends)
                ends += len(text)
                stored = text.rstrip(b"\r\n")
                if stored.strip():
                    yield number, stored

    def _note(self, number: int, fact: Fact, writer: Writer | None) -> None:
        here = self._streams.setdefault(fact.stream, _StreamLines())
        before = writer.days.get(owner(fact.stream)) if writer is not None else None
        if before is not None and before.stream != fact.stream:
            here.before = before
        here.lines.append(number)

    def stored(self, stream: str) -> Iterator[bytes]:
        """The stored bytes of one stream's facts before the current line."""
        here = self._streams.get(stream)
        if here is None:
            return
        writer = Writer(epoch=1, days={owner(stream): here.before} if here.before is not None else {})
        with self._file.open("rb") as lines:
            for number in here.lines:
                if number >= self.at[0]:
                    return
                lines.seek(self._begins[number])
                stored = lines.readline().rstrip(b"\r\n")
                fact = with_edition(read_input(stored))
                whole = fact if fact.sequence else located(writer, fact)
                if not isinstance(whole, InputRefusal):  # it was located when its line was read first
                    yield stored if fact.sequence else place(writer, whole).stored

    def record(self, held: Callable[[str], Sequence[Link]]) -> WatchedRecord:
        """The record for a watcher; `held` returns the findings about a stream."""

        def facts(stream: str) -> list[Fact]:
            return [link.fact for link in chain_of(readable(self.stored(stream)))]

        def from_day(stream: str) -> list[str]:
            table = owner(stream)
            return sorted(name for name in self._streams if owner(name) == table and name >= stream)

        return WatchedRecord(facts, from_day, held)


class _Admission:
    """The checks of a gateway for lines without a number, in order."""

    def __init__(self) -> None:
        self.writer = Writer(epoch=1)
        self._keys = KeysUsed()
        self._most_cents: int | None = None

    def admitted(self, fact: Fact) -> Fact | Refused | None:
        """Return the fact in its stream, why a gateway would refuse it, or None if it is a repeat."""
        use = self._keys.use(fact)
        if use.repeats:
            return None
        if use.conflicts:
            return key_taken(use.fact)
        whole = admitted(self.writer, use.fact, self._most_cents, zones_but=zones_but)
        if isinstance(whole, Fact):
            self._keys.take(use)
            if isinstance(whole, PropertyOpened):
                self._most_cents = whole.most_cents
        return whole
