"""The gateway's one loop: read, check, number, chain, seal, make durable, append.

It writes for every stream it serves and is the only one that does. A batch is durable in the outbox before the log
hears of it; after a crash the same bytes are appended again.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from hmac import compare_digest
from typing import Protocol

import msgspec

from consumers.gateway.clients import CONSOLE, REGISTRAR, Client
from consumers.gateway.clocks import Clocks
from consumers.gateway.greeting import Greeting, greeting, is_secret, without_secret
from consumers.gateway.keys import KeyStore, verify
from consumers.gateway.letter_records import Letter
from consumers.gateway.outbox import Outbox
from consumers.gateway.reading_lines import Unreadable, read_line
from consumers.gateway.refusals import Kind, Refusals
from consumers.gateway.standing import Standing, counts
from consumers.logs.log import StoredFact
from domain.facts.codec import decode, encode, name_of
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRevoked, KeyRotated, PropertyOpened
from domain.facts.seals import ChainSealed
from domain.facts.sources import ClockCorrected, InputRefused, SourceRevoked
from domain.facts.streams import PROPERTY, owner
from domain.ledger.admission import GATEWAY, Denied, denied
from domain.ledger.seals import words
from domain.ledger.writer import Day, Placed, Refused, Writer, content, located, place

UNREADABLE = "unreadable"
_AT_ONCE = (KeyRevoked, SourceRevoked)
_NO_DAY = ("day closed", "day not open")
_THIS_MOMENT = 60_000_000  # microseconds within which a rotation is one from now on
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
    client: Client = msgspec.field(default_factory=lambda: CONSOLE)
    cut: str = ""  # why it is no whole line, where it was cut: no piece of a line is a fact


class Report(msgspec.Struct):
    """What became of the inputs so far: placed, repeated, dead and greetings add up to the lines read."""

    read: int = 0
    placed: int = 0
    repeated: int = 0
    dead: int = 0
    greetings: int = 0
    sealed: int = 0
    held: int = 0  # revocations that are obeyed and wait for the property's next day
    said: int = 0  # facts of the gateway's own: what it refused, which clocks were off


class _Batch(msgspec.Struct):
    placed: list[tuple[Placed, str, str]]
    letters: list[Letter]
    said: dict[tuple[str, str], str]
    now: int
    released: bool = False  # whether what was held has its place in it


class Gateway:
    """Takes inputs in batches. Not to be shared between threads: the caller has one loop."""

    def __init__(
        self,
        outbox: Outbox,
        log: Appender,
        keys: KeyStore,
        dead: Letters,
        clock: Clock,
        *,
        here: str = "",
        ticks: Clock | None = None,
        token: str = "",
    ) -> None:
        self.outbox = outbox
        self.log = log
        self.keys = keys
        self.dead = dead
        self.clock = clock
        self.here = here  # the machine, where letters of several are read together
        self.token = token  # of a command at the console that speaks through the socket
        self.standing: Standing = outbox.standing()
        self.refusals = Refusals()
        self.clocks = Clocks(clock, ticks)
        self.writer: Writer = outbox.writer()
        self.report = Report()
        self._heard = {name: 0 for name, day in self.writer.days.items() if day.unsealed}
        self.flush()

    def take(self, lines: Sequence[Line]) -> None:
        """Takes a batch of inputs; when this returns each is on record, a known repeat, or a dead letter."""
        facts = [(line, _said(line)) for line in lines]
        keys = [(fact.source, fact.source_key) for _, fact in facts if isinstance(fact, Fact)]
        batch = _Batch([], [], self.outbox.known(keys), self.clock())
        for line, fact in facts:
            self.report.read += 1
            if isinstance(fact, Unreadable):
                self._refuse(
                    batch, msgspec.structs.replace(line, stored=without_secret(line.stored)), UNREADABLE, fact.says
                )
            elif isinstance(fact, Greeting):
                self._greet(batch, line, fact)
            else:
                self._take(batch, line, fact)
        self._say(batch)
        self.dead.put(batch.letters)
        self._keep(batch)
        self._heard.update(dict.fromkeys({owner(placed.fact.stream) for placed, _, _ in batch.placed}, self.clock()))

    def seal_quiet(self, quiet: int = 0) -> None:
        """Seals streams that have said nothing for so long, so that no fact waits for the next one to be sealed."""
        batch = _Batch([], [], {}, self.clock())
        self._say(batch, all_of_it=not quiet)
        for name in [name for name, heard in self._heard.items() if batch.now - heard >= quiet]:
            del self._heard[name]
            day = self.writer.days[name]
            if day.unsealed:
                self._seal(batch, name, day, day.last_at)
        self._keep(batch)

    def _keep(self, batch: _Batch) -> None:
        if batch.placed:
            self.outbox.put(batch.placed, self.writer, released=batch.released)
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
        standing = self.standing
        why = denied(standing.sources, line.client.speaker, fact, now=batch.now, bounds=standing.bounds, verify=verify)
        if why is not None:
            self._deny(batch, line, why, fact)
            return
        if known is not None:
            says = f"{fact.source} used the key {fact.source_key} before, for something else: a key is used once"
            self._refuse(batch, line, "key used for another fact", says)
            return
        whole = located(self.writer, self._from_here(fact, batch.now))
        if isinstance(whole, Refused):
            if line.client.registrar and isinstance(fact, _AT_ONCE) and whole.reason in _NO_DAY:
                self._hold(line, fact)
            else:
                self._refuse(batch, line, whole.reason, whole.says)
            return
        batch.said[key] = said
        self.clocks.agrees(fact.source)
        name = owner(whole.stream)
        before = self.writer.days.get(name)
        if before is not None and before.unsealed and whole.stream != before.stream:
            self._seal(batch, name, before, before.last_at)  # a day left open is sealed before the next one names it
            whole = msgspec.structs.replace(whole, previous_head=before.head)
        self._place(batch, whole, said)
        if (day := self.writer.days[name]).seal_due:
            self._seal(batch, name, day, whole.at)
        if isinstance(whole, PropertyOpened):
            batch.released = True
            for number, stored in enumerate(self.outbox.held(), 1):
                self._take(batch, Line("held", number, stored, REGISTRAR), decode(stored))

    def _hold(self, line: Line, fact: Fact) -> None:
        """Obeys a revocation at once, and puts it on record as the property's next day is opened."""
        stored = encode(fact)
        if stored not in self.outbox.held():
            self.outbox.hold(stored)
            self.standing.take(fact)
        line.client.held += 1
        self.report.held += 1

    def _from_here(self, fact: Fact, now: int) -> Fact:
        """A key that is told of from now on holds, and the one before it ends, with the table's next record.

        By time, seals made between the command and its fact were bad, and what is said late would stay unsealed.
        """
        if not isinstance(fact, KeyRegistered | KeyRotated) or fact.from_stream or abs(now - fact.at) > _THIS_MOMENT:
            return fact
        old = self.standing.keys.keys.get(fact.old) if isinstance(fact, KeyRotated) else None
        table = fact.table if isinstance(fact, KeyRegistered) else old.table if old is not None else ""
        day = self.writer.days.get(table)
        if day is None or day.closed:
            return fact
        return msgspec.structs.replace(fact, from_stream=day.stream, from_sequence=day.sequence + 1)

    def _place(self, batch: _Batch, fact: Fact, said: str) -> None:
        placed = place(self.writer, fact)
        batch.placed.append((placed, name_of(fact), said))
        if counts(placed.fact):
            self.standing.take(placed.fact)
        self.report.placed += 1

    def _greet(self, batch: _Batch, line: Line, said: Greeting) -> None:
        """A client says who it is; one that says it wrongly is told apart by a dead letter without the secret."""
        client, terms = line.client, self.standing.sources.now(said.source)
        ours = client.uid in (os.geteuid(), 0) and self.token
        if not said.source and ours and compare_digest(said.secret.encode(), self.token.encode()):
            client.console = client.registrar = True
        elif terms is not None and not terms.revoked and is_secret(said.secret, terms.secret):
            client.proved[said.source] = terms.secret
        else:
            says = f"this is not the secret of {said.source!r}: catwalk sources register gives it another"
            kept = msgspec.structs.replace(line, stored=said.kept)
            self._deny(batch, kept, Denied("secret-wrong", says), None, said.source)
            return
        self.report.greetings += 1

    def _deny(self, batch: _Batch, line: Line, why: Denied, fact: Fact | None, claimed: str = "") -> None:
        """Keeps what a rule turned away, and counts it for the fact that tells of it."""
        letter = self._refuse(batch, line, why.rule, why.says)
        if fact is not None and why.rule == "time-out-of-bounds":
            self.clocks.off(fact.source, fact.at - batch.now)
        if not line.client.counted:
            return
        about = "" if fact is None else owner(fact.stream)
        kind = Kind(why.rule, line.client.label, claimed if fact is None else fact.source, about)
        self.refusals.add(kind, letter.name)

    def _say(self, batch: _Batch, *, all_of_it: bool = False) -> None:
        """Puts on record what the gateway itself has to say; where no day of the property is open, later."""
        day = self.writer.days.get(PROPERTY)
        if day is None or day.closed:
            return
        own: list[InputRefused | ClockCorrected] = [
            *self.clocks.due(),
            *self.refusals.due(batch.now, all_of_it=all_of_it),
        ]
        for fact in own:
            self.report.said += 1
            key = f"said:{self.writer.epoch}:{self.report.said}"
            whole = msgspec.structs.replace(fact, source=GATEWAY, source_key=key, stream=day.stream)
            batch.placed.append((place(self.writer, whole), name_of(whole), content(whole)))
            self._heard[PROPERTY] = batch.now
            if day.seal_due:
                self._seal(batch, PROPERTY, day, day.last_at)

    def _seal(self, batch: _Batch, name: str, day: Day, at: int) -> None:
        """Signs a stream as it stands, if a key lives here that may."""
        signer = self.keys.signer(name, day.stream, day.sequence + 1, at, self.standing.keys)
        if signer is None:
            return
        seal = ChainSealed(
            signer.name,
            day.sequence,
            signer.sign(words(day.stream, day.sequence, day.head)),
            at=at,
            source=GATEWAY,
            source_key=f"seal:{day.stream}:{day.sequence}",
            stream=day.stream,
        )
        batch.placed.append((place(self.writer, seal), name_of(seal), content(seal)))
        self.report.sealed += 1

    def _refuse(self, batch: _Batch, line: Line, reason: str, says: str) -> Letter:
        letter = Letter(self.here + line.came_from, line.place, reason, says, line.stored, batch.now)
        batch.letters.append(letter)
        line.client.refused += 1
        self.report.dead += 1
        return letter


def _said(line: Line) -> Fact | Greeting | Unreadable:
    """What a line is: a fact, somebody who says who they are, or nothing anybody can read."""
    if line.cut:
        return Unreadable(line.cut)
    return greeting(line.stored) or read_line(line.stored)
