"""The watch over a record as it lies in a log: bytes in, records of findings out, table by table.

A fact counts once per place and hash: a repeat is harmless. Behind a gap, a fork, a broken chain or bytes that are no
fact, a stream is not verified any further until the log holds what was missing; every other table goes on.
"""

from collections.abc import Callable, Iterable

import msgspec

from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.ledger.chain import digest
from domain.watch.finding import Finding
from domain.watch.record import Book, Written
from domain.watch.table_watch import Record, TableWatch

Report = Callable[[bytes, str], None]  # bytes that are no fact, and why


class Stream(msgspec.Struct, gc=False):
    """How far one stream has been read, and its table's watch."""

    name: str
    watch: TableWatch | None  # none for the property's stream, which no table detector looks at
    book: Book
    sequence: int = 0
    head: str = ""
    stopped: bool = False
    done: bool = False  # verified to its end before this watch began, or given up
    known: dict[int, set[str]] = {}  # the hashes at each place, read from the log when something came again


class RecordWatch:
    """Every table of a log, or of some partitions of it, under watch."""

    def __init__(
        self,
        record: Record,
        report: Report,
        stored: Callable[[str], Iterable[bytes]],
        also: Callable[[Fact], object] | None = None,  # who else hears each fact of a table, once
    ) -> None:
        self._also = also
        self._record = Record(record.facts, record.from_day, self.book)
        self._written_before = record.book
        self._report = report
        self._stored = stored
        self._books: dict[str, Book] = {}
        self._tables: dict[str, TableWatch] = {}
        self._newest: dict[str, str] = {}
        self._earlier: dict[str, Stream] = {}
        self.streams: dict[str, Stream] = {}
        self.read = 0

    def book(self, stream: str) -> Book:
        """What was written about a stream, before and since."""
        held = self._books.get(stream)
        if held is None:
            held = self._books[stream] = self._written_before(stream)
        return held

    def take(self, stored: bytes) -> list[Written]:
        """The next record of the log: what is to be written by it."""
        self.read += 1
        try:
            fact = decode(stored)
        except UnreadableFactError as error:
            self._report(stored, str(error))
            return []
        own = digest(stored)
        stream = self.streams.get(fact.stream)
        if stream is None:
            if fact.stream < self._newest.get(owner(fact.stream), ""):
                return self._of_an_earlier_day(fact, own)
            stream = self._begin(fact.stream)
        if stream.done:
            return []
        if stream.stopped or fact.sequence != stream.sequence + 1 or fact.previous != stream.head:
            return self._out_of_line(stream, fact, own)
        return self._next(stream, fact, own)

    def _next(self, stream: Stream, fact: Fact, own: str) -> list[Written]:
        stream.sequence, stream.head = fact.sequence, own
        if stream.watch is None:
            return []
        if self._also is not None:
            self._also(fact)
        try:
            return stream.watch.take(fact, own)
        except Exception as error:  # a fault of ours at one table must not blind the room to the others
            stream.done = True  # what follows would be judged on a fold that is not whole
            return self._stop(stream, fact, "verifier-stopped", f"{type(error).__name__}: {error}.")

    def _begin(self, name: str) -> Stream:
        table = owner(name)
        watch = None
        if table != PROPERTY:
            watch = self._tables.setdefault(table, TableWatch(self._record))
            self._let_go(table)
        self._newest[table] = name
        book = self.book(name)
        made = self.streams[name] = Stream(name, watch, book, done=book.closed)
        return made

    def _of_an_earlier_day(self, fact: Fact, own: str) -> list[Written]:
        """A fact of a day that is done: one sent again after a crash, or one that nobody wrote in its time."""
        earlier = self._earlier.get(fact.stream)
        if earlier is None:
            earlier = Stream(fact.stream, None, self.book(fact.stream), known=self._places(fact.stream))
            self._earlier = {fact.stream: earlier}
        return self._again(earlier, fact, own)

    def _places(self, name: str) -> dict[int, set[str]]:
        """The hashes that stand at each place of a stream, as the log has it now."""
        found: dict[int, set[str]] = {}
        for stored in self._stored(name):
            found.setdefault(decode(stored).sequence, set()).add(digest(stored))
        return found

    def _again(self, stream: Stream, fact: Fact, own: str) -> list[Written]:
        """A place that was read before: the same fact again is harmless, another one is a fork."""
        if stream.known.get(fact.sequence, {own}) <= {own}:
            return []
        says = f"Two different facts claim place {fact.sequence} of {stream.name}."
        return self._found(stream, fact, "record-forked", says)

    def _let_go(self, table: str) -> None:
        """A table's days before its newest are done with: years are read in the memory of a day."""
        for name in [name for name in self.streams if owner(name) == table]:
            del self.streams[name]
            self._books.pop(name, None)

    def _out_of_line(self, stream: Stream, fact: Fact, own: str) -> list[Written]:
        """A fact that is not the next one: a repeat, or trouble, or what had been missing."""
        if fact.sequence <= stream.sequence:
            if fact.sequence not in stream.known:
                stream.known = self._places(stream.name)
            return self._again(stream, fact, own)
        if stream.stopped:
            return self._go_on(stream) if fact.sequence == stream.sequence + 1 else []
        if fact.sequence > stream.sequence + 1:
            missing = f"{stream.sequence + 1} to {fact.sequence - 1}"
            return self._stop(stream, fact, "record-gap", f"Facts {missing} of {stream.name} are not in the log.")
        says = f"Fact {fact.sequence} of {stream.name} names another hash than the fact before it has."
        return self._stop(stream, fact, "record-broken", says)

    def _go_on(self, stream: Stream) -> list[Written]:
        """What was missing has come: the stream is read again from where it stopped, as far as it is one chain."""
        stream.stopped = False
        written: list[Written] = []
        for stored in self._stored(stream.name):
            fact = decode(stored)
            if fact.sequence == stream.sequence + 1 and fact.previous == stream.head:
                written += self._next(stream, fact, digest(stored))
        return written

    def _stop(self, stream: Stream, fact: Fact, code: str, says: str) -> list[Written]:
        stream.stopped = True
        return self._found(stream, fact, code, f"{says} Nothing behind fact {stream.sequence} is verified.")

    def _found(self, stream: Stream, fact: Fact, code: str, says: str) -> list[Written]:
        finding = Finding(
            code=code, clauses=(), says=says, stream=stream.name, trigger=fact.sequence, at=fact.at, round=fact.round
        )
        written = stream.book.raised(finding)
        return [written] if written else []
