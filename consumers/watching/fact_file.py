"""A file of facts as a log of its own: numbered ones as they stand, others numbered as a gateway would.

Nothing of it is kept in memory. What was told before, which only a correction or a late fact asks for, is read again.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.ledger.writer import Refused, Writer, located, place
from domain.watch.table_watch import Record

Report = Callable[[int, str], None]  # the number of a line, and what is wrong with it


def stored_lines(file: Path, report: Report) -> Iterator[bytes]:
    """The stored bytes of each fact of a file, in its order."""
    writer = Writer(epoch=1)
    with file.open("rb") as lines:
        for number, text in enumerate(lines, start=1):
            stored = text.rstrip(b"\r\n")
            if not stored.strip():
                continue
            try:
                fact = decode(stored)
            except UnreadableFactError as error:
                report(number, str(error))
                continue
            if fact.sequence:
                yield stored
                continue
            whole = located(writer, fact)
            if isinstance(whole, Refused):
                report(number, whole.says)
            else:
                yield place(writer, whole).stored


def _silent(_: int, __: str) -> None:
    """The first reading said it."""


def record_of(file: Path) -> Record:
    """What was told before, out of the file."""

    def facts(stream: str) -> Iterator[Fact]:
        mark = f'"{stream}"'.encode()
        for stored in stored_lines(file, _silent):
            if mark in stored and (fact := decode(stored)).stream == stream:
                yield fact

    def from_day(stream: str) -> list[str]:
        table = owner(stream)
        names = {decode(stored).stream for stored in stored_lines(file, _silent) if table.encode() in stored}
        return sorted(name for name in names if owner(name) == table and name >= stream)

    return Record(facts, from_day)


def stored_of(file: Path) -> Callable[[str], Iterator[bytes]]:
    """The stored bytes of one stream."""

    def stored(stream: str) -> Iterator[bytes]:
        mark = f'"{stream}"'.encode()
        return (each for each in stored_lines(file, _silent) if mark in each and decode(each).stream == stream)

    return stored
