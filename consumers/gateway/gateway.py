"""The gateway's one loop: read, check, number, chain, seal, make durable, append.

It writes for every stream it serves and is the only one that does. A batch is durable in the outbox before the log
hears of it; after a crash the same bytes are appended again.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from consumers.gateway.keys import KeyStore
from consumers.gateway.letter_records import Letter
from consumers.gateway.outbox import Outbox
from consumers.logs.log import StoredFact
from domain.facts.cloudevents import from_cloudevent
from domain.facts.codec import UnreadableFactError, decode, name_of
from domain.facts.envelope import Fact
from domain.facts.seals import ChainSealed
from domain.facts.streams import owner
from domain.ledger.seals import words
from domain.ledger.writer import Day, Placed, Refused, Writer, content, located, place

SOURCE = "gateway"
UNREADABLE = "unreadable"
# Kafka takes records of a megabyte, and a fact grows by its place; what is nested like this is no fact of ours.
LONGEST = 1_000_000
DEEPEST = 100
_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
QUIET = 1_000_000  # microseconds of silence after which what a stream has said is sealed
Clock = Callable[[], int]


class Appender(Protocol):
    """The end of the log that the gateway needs: the same fact at the same place twice is one."""

    def append_once(self, facts: Sequence[StoredFact]) -> object:
        """Appends these facts, durable and acknowledged when it returns."""


class Letters(Protocol):
    """Where what has no place is kept."""

    def put(self, letters: Iterable[Letter]) -> None:
        """Keeps these letters, durable when it returns."""


class Line(msgspec.Struct, frozen=True):
    """One input as it came."""

    came_from: str
    place: int
    stored: bytes


def says_something(stored: bytes) -> bool:
    """Whether a line is not empty: an empty one carries nothing to be kept, and devices send them to stay connected."""
    return bool(stored.strip())


class Report(msgspec.Struct):
    """What became of the inputs so far; the four add up to the lines read."""

    read: int = 0
    placed: int = 0
    repeated: int = 0
    dead: int = 0
    sealed: int = 0


class _Batch(msgspec.Struct):
    placed: list[tuple[Placed, str, str]]
    letters: list[Letter]
    said: dict[tuple[str, str], str]


class Gateway:
    """Takes inputs in batches. Not to be shared between threads: the caller has one loop."""

    def __init__(
        self, outbox: Outbox, log: Appender, keys: KeyStore, dead: Letters, clock: Clock, *, here: str = ""
    ) -> None:
        self.outbox = outbox
        self.log = log
        self.keys = keys
        self.dead = dead
        self.clock = clock
        self.here = here  # the machine, where letters of several are read together
        self.writer: Writer = outbox.writer()
        self.report = Report()
        self._heard = {name: 0 for name, day in self.writer.days.items() if day.unsealed}
        self.flush()

    def take(self, lines: Sequence[Line]) -> None:
        """Takes a batch of inputs; when this returns each is on record, a known repeat, or a dead letter."""
        facts = [(line, _read(line)) for line in lines]
        keys = [(fact.source, fact.source_key) for _, fact in facts if isinstance(fact, Fact)]
        batch = _Batch([], [], self.outbox.known(keys))
        for line, fact in facts:
            self.report.read += 1
            if isinstance(fact, _Unreadable):
                self._refuse(batch, line, UNREADABLE, fact.says)
            else:
                self._take(batch, line, fact)
        self.dead.put(batch.letters)
        self._keep(batch)
        self._heard.update(dict.fromkeys({owner(placed.fact.stream) for placed, _, _ in batch.placed}, self.clock()))

    def seal_quiet(self, quiet: int = 0) -> None:
        """Seals streams that have said nothing for so long, so that no fact waits for the next one to be sealed."""
        batch = _Batch([], [], {})
        now = self.clock()
        for name in [name for name, heard in self._heard.items() if now - heard >= quiet]:
            del self._heard[name]
            day = self.writer.days[name]
            if day.unsealed:
                self._seal(batch, name, day, day.last_at)
        self._keep(batch)

    def _keep(self, batch: _Batch) -> None:
        if batch.placed:
            self.outbox.put(batch.placed, self.writer)
            self.flush()

    def flush(self) -> None:
        """Appends what the outbox holds to the log and strikes it off."""
        while pending := self.outbox.pending():
            self.log.append_once([StoredFact(one.stream, one.sequence, one.topic, one.stored) for one in pending])
            self.outbox.strike(pending[-1].place)

    def _take(self, batch: _Batch, line: Line, fact: Fact) -> None:
        key = (fact.source, fact.source_key)
        said = content(fact)
        known = batch.said.get(key)
        if known == said:
            self.report.repeated += 1
            return
        if known is not None:
            says = f"{fact.source} used the key {fact.source_key} before, for something else: a key is used once"
            self._refuse(batch, line, "key used for another fact", says)
            return
        whole = located(self.writer, fact)
        if isinstance(whole, Refused):
            self._refuse(batch, line, whole.reason, whole.says)
            return
        batch.said[key] = said
        name = owner(whole.stream)
        before = self.writer.days.get(name)
        if before is not None and before.unsealed and whole.stream != before.stream:
            self._seal(batch, name, before, before.last_at)  # a day left open is sealed before the next one names it
            whole = msgspec.structs.replace(whole, previous_head=before.head)
        self._place(batch, whole, said)
        if (day := self.writer.days[name]).seal_due:
            self._seal(batch, name, day, whole.at)

    def _place(self, batch: _Batch, fact: Fact, said: str) -> None:
        batch.placed.append((place(self.writer, fact), name_of(fact), said))
        self.report.placed += 1

    def _seal(self, batch: _Batch, name: str, day: Day, at: int) -> None:
        """Signs a stream as it stands, if a key lives here that may."""
        signer = self.keys.signer(name, day.stream, day.sequence + 1, at)
        if signer is None:
            return
        seal = ChainSealed(
            signer.name,
            day.sequence,
            signer.sign(words(day.stream, day.sequence, day.head)),
            at=at,
            source=SOURCE,
            source_key=f"seal:{day.stream}:{day.sequence}",
            stream=day.stream,
        )
        batch.placed.append((place(self.writer, seal), name_of(seal), content(seal)))
        self.report.sealed += 1

    def _refuse(self, batch: _Batch, line: Line, reason: str, says: str) -> None:
        batch.letters.append(Letter(self.here + line.came_from, line.place, reason, says, line.stored, self.clock()))
        self.report.dead += 1


class _Unreadable(msgspec.Struct, frozen=True):
    says: str


def _read(line: Line) -> Fact | _Unreadable:
    """The fact a line tells, in our form or as a CloudEvent."""
    if len(line.stored) > LONGEST:
        return _Unreadable(f"it has {len(line.stored):,} bytes, and a fact has {LONGEST:,} at most")
    if line.stored.count(b"[") + line.stored.count(b"{") > DEEPEST and _depth(line.stored) > DEEPEST:
        return _Unreadable(f"it is nested deeper than {DEEPEST}")
    try:
        return _fact(line.stored)
    except UnreadableFactError as error:
        return _Unreadable(str(error))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return _Unreadable(f"it is not JSON: {error}")


def _fact(stored: bytes) -> Fact:
    if b'"specversion"' in stored:
        event = msgspec.json.decode(stored)
        if isinstance(event, dict) and "specversion" in event:
            return from_cloudevent(event)
    return decode(stored)


def _depth(stored: bytes) -> int:
    """How deep its brackets are nested at most, those within texts left out."""
    deepest = depth = 0
    for byte in _TEXT.sub(b"", stored):
        depth += (byte in b"[{") - (byte in b"]}")
        deepest = max(deepest, depth)
    return deepest
