"""The watch across tables on a log: one process at a time has the question, and reads every partition for it.

It keeps no state of its own either: it begins before the newest days of the log, and what it finds about two tables
follows from those two alone, so that one that takes the question over, or two that have it at once, write the same
bytes into the same streams.
"""

import threading
from collections.abc import Callable

from eventsourcing.persistence import IntegrityError, OperationalError

from consumers.logs.log import Batch, Log
from consumers.watching.reading import Reading
from consumers.watching.sealing import Sealer, Sign
from consumers.watching.writing import FindingsWriter, Heard, OvertakenError, Report
from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError
from domain.facts.streams import stream as taken_apart
from domain.following import Chains, UnansweredError
from domain.ledger.chain import digest
from domain.watch.findings_stream import Book, opened
from domain.watch.table_pairs import REMEMBERED, Abreast


class TablesWatcher:
    """One process's watch across tables."""

    def __init__(self, facts: Log, findings: Log, report: Report, heard: Heard, sign: Sign | None = None) -> None:
        self._facts = facts
        self._findings = findings
        self._writer = FindingsWriter(findings, report, heard, Sealer(findings, sign) if sign is not None else None)
        self._overtaken = ""
        self.begin()

    def begin(self) -> None:
        """Goes back before the newest days."""
        self.after = self._facts.recent(REMEMBERED + 1)
        self._reading = Reading(self._facts)
        self._abreast = Abreast(self._reading.record().answering(), self._book)
        self._chains = Chains()
        self._belongs: dict[str, bool] = {}

    def read_on(self) -> None:
        """Everything the log holds now."""
        again = True
        while again:
            again = False
            for batch in self._facts.drain(self.after):
                if not self.take(batch):
                    again = True
                    break

    def follow(self, stop: threading.Event) -> None:
        """Everything, and every later fact as it comes."""
        while not stop.is_set():
            for batch in self._facts.follow(self.after, stop):
                if not self.take(batch):
                    break

    def take(self, batch: Batch) -> bool:
        """Facts of a partition, in order: what is found is durable when this returns; no, where it began again."""
        at, partition = self._reading.at, batch.partition
        try:
            for position, stored in batch.facts:
                at[partition] = position
                fact = self._fact(stored, partition)
                if fact is not None:
                    for part in self._chains.take(fact, digest(stored)):
                        self._abreast.take(part)
            self.after[partition] = batch.facts[-1][0]
            self._writer.append(self._abreast.found())
        except UnansweredError as error:
            raise error.__cause__ or error from error
        except (OvertakenError, IntegrityError) as error:
            if self._overtaken == str(error):
                raise OperationalError(f"the findings log cannot be gone on with: {error}") from error
            self._overtaken = str(error)
            self.begin()
            return False
        self._overtaken = ""
        return True

    def _fact(self, stored: bytes, partition: int) -> Fact | None:
        """A fact in its place; what is none is told by who watches the partition."""
        try:
            fact = decode(stored)
        except UnreadableFactError:
            return None
        belongs = self._belongs.get(fact.stream)
        if belongs is None:
            try:
                taken_apart(fact.stream)
                belongs = self._facts.home(fact.stream) == partition
            except BadStreamError:
                belongs = False
            self._belongs[fact.stream] = belongs
        return fact if belongs and fact.sequence else None

    def _book(self, stream: str) -> Book:
        self._writer.seal([stream])
        return opened(stream, self._writer.chain(stream))


class Turns:
    """A thread that watches across tables while the question is this process's."""

    def __init__(self, made: Callable[[], TablesWatcher]) -> None:
        self._made = made
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._fault: BaseException | None = None

    def ours(self, so: bool) -> None:
        """The question is this process's now, or another's."""
        if so and self._thread is None:
            self._stop = threading.Event()
            self._thread = threading.Thread(target=self._watch, args=(self._stop,), name="catwalk-tables", daemon=True)
            self._thread.start()
        elif not so and self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def check(self) -> None:
        """Raises what ended the thread."""
        if self._fault is not None:
            raise self._fault

    def _watch(self, stop: threading.Event) -> None:
        try:
            self._made().follow(stop)
        except BaseException as error:
            self._fault = error
