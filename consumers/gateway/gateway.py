"""The gateway's one loop: read, check, number, chain, seal, make durable, append.

It is the only writer of every stream it serves. A batch is durable in the outbox before it goes to the log; after a
crash, the gateway appends the same bytes again.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from hmac import compare_digest
from typing import Protocol

import msgspec

from consumers.gateway.batch import InputBatch, Mark
from consumers.gateway.clients import CONSOLE, REGISTRAR, Answer, Client, InputReport, refused_answer
from consumers.gateway.clocks import ClockRecord
from consumers.gateway.dead_letters import DeadLetters, Refusal
from consumers.gateway.faults import FAULT, LineFaults
from consumers.gateway.greeting import Greeting, digest_of, is_secret, without_secret
from consumers.gateway.held import AT_ONCE
from consumers.gateway.key_starts import from_here
from consumers.gateway.keys import KeyStore, verify
from consumers.gateway.letter_budget import LetterBudget
from consumers.gateway.letter_records import Letter, shortened
from consumers.gateway.outbox import Outbox
from consumers.gateway.reading_lines import said_in
from consumers.gateway.refusals import Refusals
from consumers.gateway.standing import Registers, counts
from consumers.gateway.unsaid import RefusalKind
from consumers.logs.log import StoredFact
from consumers.zones import zones_but
from domain.facts.codec import encode, name_of
from domain.facts.envelope import Fact
from domain.facts.property_day import PropertyOpened
from domain.facts.refused import Refused
from domain.facts.seals import ChainSealed
from domain.facts.sources import ClockCorrected, InputRefused
from domain.facts.streams import PROPERTY, owner
from domain.ledger.admission import BEFORE_PROOF, GATEWAY, Denied, denied, unproved
from domain.ledger.keys_used import KEY_TAKEN, key_taken
from domain.ledger.plausible import implausible, unplaced
from domain.ledger.refusal_parts import with_parts
from domain.ledger.seals import words
from domain.ledger.writer import InputRefusal, Writer, WriterDay, content, located, place, with_edition

UNREADABLE = "unreadable"
_SEAL = "chain-sealed.1"
_NO_DAY = ("day closed", "day not open")
QUIET = 1_000_000  # microseconds of silence after which a stream is sealed
Clock = Callable[[], int]


class Appender(Protocol):
    """The gateway's view of the log: appending the same fact at the same place twice stores it once."""

    def append_once(self, facts: Sequence[StoredFact]) -> object:
        """Append these facts; they are durable and acknowledged when this returns."""


class Letters(Protocol):
    """The place where refused inputs are stored."""

    def refuse(self, refusals: Iterable[Refusal]) -> None:
        """Store refused inputs; they are durable when this returns."""


class InputLine(msgspec.Struct, frozen=True):
    """One input as it arrived."""

    came_from: str
    place: int
    stored: bytes
    client: Client = msgspec.field(default_factory=lambda: CONSOLE)
    cut: str = ""  # why the line was cut; a piece of a line is never a fact
    next: int = 0  # in a topic, the offset after it
    wrong: Refused | None = None  # in a topic, why there is no line that can be read


class Gateway:
    """The writer of the record, which takes inputs in batches. Not thread-safe: the caller has one loop."""

    def __init__(
        self,
        outbox: Outbox,
        log: Appender,
        keys: KeyStore,
        dead: DeadLetters,
        clock: Clock,
        *,
        budget: LetterBudget | None = None,
        here: str = "",
        ticks: Clock | None = None,
        token: str = "",
    ) -> None:
        self.outbox = outbox
        self.log = log
        self.keys = keys
        self.letters = dead
        self.dead: Letters = dead  # where refused inputs go now
        self.clock = clock
        self.budget = budget
        self.here = here  # the machine, to tell letters of several machines apart
        self.token = token  # of a console command that uses the socket
        self.standing: Registers = outbox.standing()
        self._held = {_key(fact): content(fact) for fact in outbox.held()}  # no other fact may have these keys
        self._faults = LineFaults()
        self._unsaid = dead.unsaid
        self._strike_what_was_said()
        self.refusals = Refusals(self._unsaid)
        self.clocks = ClockRecord(clock, ticks, self._unsaid)
        self.writer: Writer = outbox.writer()
        self.report = InputReport()
        self._heard = {name: 0 for name, day in self.writer.days.items() if day.unsealed}
        self.flush()

    def take(self, lines: Sequence[InputLine]) -> None:
        """Take a batch of inputs; when this returns, each is on record, a known repeat, or a dead letter."""
        facts = [(line, self._read(line)) for line in lines]
        keys = [_key(fact) for _, fact in facts if isinstance(fact, Fact)]
        batch = InputBatch(self.clock(), self.outbox.known(keys))
        for line, fact in facts:
            if line.client.left_at is not None:
                continue  # it stays with its client, like the one before it
            before = batch.mark
            try:
                self._handle(batch, line, fact)
            except Exception as error:  # our mistake, whatever it is: it ends this line and no other
                refused = self._faults.refused(error, line.came_from, line.place)
                self._undo(batch, before)
                self._handle(batch, line, refused)
            if line.client.left_at is None:
                self.report.read += 1
                if line.client.topic is not None:
                    batch.read_to[line.client.topic] = line.next
        self.dead.refuse(batch.refusals)
        self._say(batch)
        self._keep(batch)
        self._heard.update(dict.fromkeys({owner(placed.fact.stream) for placed, _, _ in batch.placed}, self.clock()))

    def _read(self, line: InputLine) -> Fact | Greeting | Refused:
        try:
            return said_in(line.stored, cut=line.cut, wrong=line.wrong)
        except Exception as error:  # our mistake too
            return self._faults.refused(error, line.came_from, line.place)

    def _handle(self, batch: InputBatch, line: InputLine, fact: Fact | Greeting | Refused) -> None:
        if isinstance(fact, Refused) and fact.code == "records-lost" and line.client.topic is not None:
            self._deny(batch, line, Denied("records-lost", fact.says), None, claimed=line.client.topic.source)
        elif isinstance(fact, Refused):
            kept = msgspec.structs.replace(line, stored=without_secret(line.stored))
            self._refuse(batch, kept, FAULT if fact.code == FAULT else UNREADABLE, fact)
        elif isinstance(fact, Greeting):
            self._greet(batch, line, fact)
        else:
            self._take(batch, line, fact)

    def _undo(self, batch: InputBatch, before: Mark) -> None:
        """Take back what a line did before it failed: the state follows from the outbox and the lines before it."""
        for kind in batch.back_to(before):
            self.report.sealed -= kind == _SEAL
            self.report.placed -= kind != _SEAL
        self.outbox.bring_back(self.writer)
        self.standing = self.outbox.standing()
        self._held = {} if batch.released else {_key(fact): content(fact) for fact in self.outbox.held()}
        for placed, _, _ in batch.placed:
            place(self.writer, placed.fact)
            if counts(placed.fact):
                self.standing.take(placed.fact)

    def seal_quiet(self, quiet: int = 0) -> None:
        """Seal streams that were silent for this long, so that no fact has to wait for the next one."""
        batch = InputBatch(self.clock(), {})
        self._say(batch, all_of_it=not quiet)
        for name in [name for name, heard in self._heard.items() if batch.now - heard >= quiet]:
            del self._heard[name]
            day = self.writer.days[name]
            if day.unsealed:
                self._seal(batch, name, day, day.last_at)
        self._keep(batch)

    def _keep(self, batch: InputBatch) -> None:
        if batch.placed or batch.read_to:
            self.outbox.put(batch.placed, self.writer, released=batch.released, read_to=batch.read_to)
            self._unsaid.strike(batch.struck)
            self.flush()

    def flush(self) -> None:
        """Append the outbox's facts to the log and remove them from the outbox."""
        while pending := self.outbox.pending():
            self.log.append_once([StoredFact(one.stream, one.sequence, one.topic, one.stored) for one in pending])
            self.outbox.strike(pending[-1].place)

    def _take(self, batch: InputBatch, line: InputLine, fact: Fact) -> None:
        key = _key(fact)
        known = batch.said.get(key)
        fact = with_edition(fact, known or "")
        said = content(fact)
        standing = self.standing
        if known == said:
            why = unproved(standing.sources, line.client.speaker, fact, verify)
            if why is not None:
                self._deny(batch, line, why, fact)
                return
            for report in (self.report, line.client.report):
                report.repeated += 1
            line.client.answer(Answer(line.place, "repeat"))
            return
        why = denied(standing.sources, line.client.speaker, fact, now=batch.now, bounds=standing.bounds, verify=verify)
        if why is not None:
            self._deny(batch, line, why, fact)
            return
        if known is not None or self._held.get(key, said) != said:
            self._refuse(batch, line, KEY_TAKEN, key_taken(fact))
            return
        whole = located(self.writer, from_here(fact, batch.now, standing.keys, self.writer))
        if isinstance(whole, InputRefusal):
            if line.client.registrar and isinstance(fact, AT_ONCE) and whole.reason in _NO_DAY:
                self._hold(line, fact)
                line.client.answer(Answer(line.place, "taken"))
            else:
                self._refuse(batch, line, whole.reason, unplaced(self.writer, fact, whole))
            return
        impossible = None
        if not line.client.vouched:
            declared = self.writer.declared.get(owner(whole.stream))
            impossible = implausible(whole, declared, standing.bounds.most_cents, zones_but=zones_but)
        if impossible is not None:
            self._deny(batch, line, Denied("not-at-this-table", impossible.says), fact, refused=impossible)
            return
        self.clocks.agrees(fact.source)
        name = owner(whole.stream)
        before = self.writer.days.get(name)
        if before is not None and before.unsealed and whole.stream != before.stream:
            self._seal(batch, name, before, before.last_at)  # a day left open is sealed before the next one names it
            whole = msgspec.structs.replace(whole, previous_head=before.head)
        self._place(batch, whole, said)
        if (day := self.writer.days[name]).seal_due:
            line.client.report.sealed += self._seal(batch, name, day, whole.at)
        if isinstance(whole, PropertyOpened):
            self._release(batch)
        line.client.report.placed += 1
        line.client.answer(Answer(line.place, "taken"))

    def _hold(self, line: InputLine, fact: Fact) -> None:
        """Apply a revocation at once; it is recorded when the property's next day opens."""
        if _key(fact) not in self._held:
            self.standing.take(fact)
            self.outbox.hold(encode(fact))  # last: the next start takes it again
            self._held[_key(fact)] = content(fact)
        for report in (self.report, line.client.report):
            report.held += 1

    def _release(self, batch: InputBatch) -> None:
        """Record the held revocations, in force already; if another fact has taken a key meanwhile, change the key."""
        held, batch.released = self.outbox.held(), True
        known = self.outbox.known([_key(fact) for fact in held])
        for number, fact in enumerate(held, 1):
            if known.get(_key(fact), content(fact)) != content(fact):
                fact = msgspec.structs.replace(fact, source_key=f"{fact.source_key}:held:{self.writer.epoch}")  # noqa: PLW2901
            self._take(batch, InputLine("held", number, encode(fact), REGISTRAR), fact)
        self._held.clear()

    def _place(self, batch: InputBatch, fact: Fact, said: str) -> None:
        placed = place(self.writer, fact)
        batch.add(placed, name_of(fact), said)
        if counts(placed.fact):
            self.standing.take(placed.fact)
        self.report.placed += 1

    def _greet(self, batch: InputBatch, line: InputLine, said: Greeting) -> None:
        """Handle a client's greeting; a wrong one becomes a dead letter without the secret."""
        client, terms = line.client, self.standing.sources.now(said.source)
        ours = client.uid in (os.geteuid(), 0) and self.token
        if client.topic is not None:
            says = "a topic needs no secret: register the source again, because others may have read this one"
            kept = msgspec.structs.replace(line, stored=said.kept)
            self._deny(batch, kept, Denied("secret-wrong", says), None, claimed=said.source)
            return
        if not said.source and ours and compare_digest(said.secret.encode(), self.token.encode()):
            client.let_in(line.place, said.role, said.name)
        elif terms is not None and not terms.revoked and is_secret(said.secret, terms.secret):
            client.proved[said.source] = terms.secret
        elif client.peer and not said.source and (found := self.standing.sources.of_secret(digest_of(said.secret))):
            client.proved.update(found)
        else:
            whose = repr(said.source) if said.source else "any source"
            says = f"this is not the secret of {whose}; get a new one with catwalk sources register"
            kept = msgspec.structs.replace(line, stored=said.kept)
            self._deny(batch, kept, Denied("secret-wrong", says), None, claimed=said.source)
            return
        self.report.greetings += 1

    def _deny(
        self,
        batch: InputBatch,
        line: InputLine,
        why: Denied,
        fact: Fact | None,
        *,
        claimed: str = "",
        refused: Refused | None = None,
    ) -> None:
        """Store an input that a rule refused, and count it for the fact that reports refusals."""
        about = "" if fact is None else owner(fact.stream)
        kind = RefusalKind(why.rule, line.client.label, claimed if fact is None else fact.source, about)
        off = None
        if fact is not None and why.rule == "time-out-of-bounds":
            self.clocks.off(fact.source)
            off = (fact.source, fact.at - batch.now)
        refused = refused or with_parts(why.rule, why.says, fact)
        self._refuse(batch, line, why.rule, refused, kind=kind if line.client.counted else None, off=off)

    def _say(self, batch: InputBatch, *, all_of_it: bool = False) -> None:
        """Record the gateway's own facts; without an open day of the property, they wait."""
        self.clocks.look()
        day = self.writer.days.get(PROPERTY)
        if day is None or day.closed:
            return
        own: list[tuple[InputRefused | ClockCorrected, str]] = [
            *self.clocks.due(batch.now),
            *self.refusals.due(batch.now, all_of_it=all_of_it),
        ]
        for fact, token in own:
            self.report.said += 1
            whole = msgspec.structs.replace(fact, source=GATEWAY, source_key=_key_of(token), stream=day.stream)
            batch.placed.append((place(self.writer, whole), name_of(whole), content(whole)))
            batch.struck.append(token)
            self._heard[PROPERTY] = batch.now
            if day.seal_due:
                self._seal(batch, PROPERTY, day, day.last_at)

    def _strike_what_was_said(self) -> None:
        """Remove counts that are already recorded: a gateway may be killed between the two steps."""
        tokens = [counted.token for counted in self._unsaid.refused()] + [off.token for off in self._unsaid.clocks()]
        said = self.outbox.known([(GATEWAY, _key_of(token)) for token in tokens])
        self._unsaid.strike(token for token in tokens if (GATEWAY, _key_of(token)) in said)

    def _seal(self, batch: InputBatch, name: str, day: WriterDay, at: int) -> bool:
        """Sign a stream's head if a key here may; return whether one may."""
        signer = self.keys.signer(name, day.stream, day.sequence + 1, at, self.standing.keys)
        if signer is None:
            return False
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
        return True

    def _refuse(
        self,
        batch: InputBatch,
        line: InputLine,
        reason: str,
        refused: Refused,
        *,
        kind: RefusalKind | None = None,
        off: tuple[str, int] | None = None,
    ) -> None:
        client = line.client
        if client.is_stranger and reason in (*BEFORE_PROOF, UNREADABLE, FAULT):
            says = refused.says
            if reason == UNREADABLE:
                reason, says = "source-unproved", f"no source was proved here, and this is not a fact: {says}"
            client.leave(line.place, reason, shortened(says))
            counted = self.refusals.folded(kind or RefusalKind("source-unproved", client.label))
            batch.refusals.append(Refusal(None, counted))
            return
        here = self.here if client.topic is None else ""  # its place is the same on every machine
        letter = Letter(here + line.came_from, line.place, reason, refused.says, line.stored, batch.now, refused)
        budget = self.budget if client.counted else None
        if budget is not None and (why := budget.refuses(client, letter, batch.now)):
            client.leave(line.place, "letters-full", why)
            kind = self.refusals.folded(RefusalKind("letters-full", client.label))
            batch.refusals.append(Refusal(None, kind))
            return
        kind = self.refusals.folded(kind) if kind is not None else None
        batch.refusals.append(Refusal(letter, kind, off, console=client.console))
        client.answer(refused_answer(line.place, refused))
        for report in (self.report, client.report):
            report.dead += 1
            report.causes.add(refused, f"{line.came_from}:{line.place}", line=line.stored)


def _key(fact: Fact) -> tuple[str, str]:
    return (fact.source, fact.source_key)


def _key_of(token: str) -> str:
    """The gateway's own source key for the fact that reports the count of this token."""
    return f"said:{token}"
