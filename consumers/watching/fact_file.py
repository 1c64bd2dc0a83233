"""A file of facts read as a log: numbered facts as they are, others checked and numbered as a gateway would.

A numbered fact has passed its gateway. Nothing is kept in memory. Earlier facts, which only a correction or a late fact
needs, are read again.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from consumers.zones import zones_but
from domain.facts.codec import decode, readable
from domain.facts.envelope import Fact
from domain.facts.inputs import RefusedInputError, read_input
from domain.facts.property_day import PropertyOpened
from domain.facts.refused import Refused
from domain.facts.streams import owner
from domain.following import Link, Placed, chain_of
from domain.ledger.plausible import implausible, unplaced
from domain.ledger.writer import InputRefusal, Writer, located, place, with_edition
from domain.watch.corrected import WatchedRecord

Takes = Callable[[bytes], bool]
Report = Callable[[int, bytes, Refused], None]  # the number of a line, the line, and what is wrong with it


class FactFile:
    """A file being read, and the facts before the current line."""

    def __init__(self, file: Path, takes: Takes | None = None) -> None:
        self._file = file
        self._takes = takes  # which lines are read: all of a table's or the property's, or none
        self.at = {0: 0}  # the current line

    def facts(self, report: Report) -> Iterator[Placed]:
        """The number and the stored bytes of each line that is a fact."""
        return self._stored_lines(report)

    def stored(self, stream: str) -> Iterator[bytes]:
        """The stored bytes of one stream's facts before the current line."""
        mark = f'"{stream}"'.encode()
        for line, stored in self._stored_lines(_silent):
            if line >= self.at[0]:
                return
            if mark in stored and decode(stored).stream == stream:
                yield stored

    def record(self, held: Callable[[str], Sequence[Link]]) -> WatchedRecord:
        """The record for a watcher; `held` returns the findings about a stream."""

        def facts(stream: str) -> list[Fact]:
            return [link.fact for link in chain_of(readable(self.stored(stream)))]

        def from_day(stream: str) -> list[str]:
            table = owner(stream)
            lines = (stored for _, stored in self._stored_lines(_silent) if table.encode() in stored)
            names = {decode(stored).stream for stored in lines}
            return sorted(name for name in names if owner(name) == table and name >= stream)

        return WatchedRecord(facts, from_day, held)

    def _stored_lines(self, report: Report) -> Iterator[Placed]:
        writer, most_cents = Writer(epoch=1), None
        with self._file.open("rb") as lines:
            for number, text in enumerate(lines, start=1):
                stored = text.rstrip(b"\r\n")
                if not stored.strip() or (self._takes is not None and not self._takes(stored)):
                    continue
                try:
                    fact = with_edition(read_input(stored))
                except RefusedInputError as error:
                    report(number, stored, error.refused)
                    continue
                if fact.sequence:
                    yield number, stored
                    continue
                whole = _admitted(writer, fact, most_cents)
                if isinstance(whole, Refused):
                    report(number, stored, whole)
                    continue
                if isinstance(whole, PropertyOpened):
                    most_cents = whole.most_cents
                yield number, place(writer, whole).stored


def _admitted(writer: Writer, fact: Fact, most_cents: int | None) -> Fact | Refused:
    """Return the fact in its stream, or why a gateway would refuse it."""
    whole = located(writer, fact)
    if isinstance(whole, InputRefusal):
        return unplaced(writer, fact, whole)
    return implausible(whole, writer.declared.get(owner(whole.stream)), most_cents, zones_but=zones_but) or whole


def _silent(_: int, __: bytes, ___: Refused) -> None:
    """Ignore a bad line: the first reading reported it."""
