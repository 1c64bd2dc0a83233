"""What a watch asks of the log it reads."""

from collections.abc import Callable, Iterable, Iterator

from consumers.logs.log import Log
from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.watch.record import Book
from domain.watch.table_watch import Record


def record_of(log: Log, book: Callable[[str], Book] = Book) -> Record:
    """What was told before, out of a log."""

    def facts(stream: str) -> Iterator[Fact]:
        for stored in log.read_stream(stream):
            try:
                yield decode(stored)
            except UnreadableFactError:
                continue  # the watch named it when it passed

    def from_day(stream: str) -> Iterable[str]:
        return [name for name in log.streams(owner(stream)) if name >= stream]

    return Record(facts, from_day, book)
