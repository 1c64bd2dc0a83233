"""Read every record: check its place in the tree, its chain, the day before and its seal, and derive the tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from projections.export.verifier.answered import Answered, Days
from projections.export.verifier.container import Export
from projections.export.verifier.derived import Tables
from projections.export.verifier.device_keys import KeyRegister
from projections.export.verifier.faults import GAP, Faults
from projections.export.verifier.files import first_other_line
from projections.export.verifier.notes import Head
from projections.export.verifier.paid import Corrections
from projections.export.verifier.places import DEVICES, LEFT_OUT, TOLD_ROUNDS
from projections.export.verifier.question import Question
from projections.export.verifier.records import Records, Taken, gap
from projections.export.verifier.seals import Seals
from projections.export.verifier.sources import Sources
from projections.export.verifier.stretches import Shown, Stretch, shown_streams
from projections.export.verifier.texts import laid_down, parsed, record_of
from projections.export.verifier.trouble import AlteredError, Line, altered
from projections.export.verifier.verdict import Asked, Tally

OPENS = ("table-opened.1", "property-opened.1")
CLOSES = ("table-closed.1", "property-closed.1")
SEALING = ("chain-sealed.1", "findings-sealed.1")
_KNOWN_BEFORE = (b'{"type":"corrected.1"', b'{"type":"key-', b'{"type":"source-re')


class Reading:
    """All streams of an export, read one after the other."""

    def __init__(self, export: Export, head: Head, question: Question, asked: Asked, tally: Tally) -> None:
        self._export, self._head, self._question, self._tally = export, head, question, tally
        self.streams = shown_streams(export)
        self.answered = Answered(question)
        self.records = 0
        self.closing: dict[str, tuple[bool, Stretch]] = {}  # by whole stream: True if closed, and its last stretch
        self.firsts: dict[str, tuple[int, str]] = {}  # by path: its first leaf in the export, and the stream
        self.leaves: set[int] = set()  # the places of all leaves in the export
        self.reach = 0  # the size of the smallest tree that holds every leaf this export relies on
        self.parts: dict[tuple[str, str], list[int]] = {}  # the records shown of streams in part
        self.gaps: list[str] = []
        self.unlinked: list[AlteredError] = []
        self._faults, self._holds = Faults(export, tally), asked.holds
        self._sources, self._which_seals = Sources(asked.holds), asked.seals
        corrections, self._register = self._read_before()
        self._seals = Seals(self._register, asked.seals, self._faults)
        self._tables = Tables(export, corrections, self._pairs(TOLD_ROUNDS, "round"), question)
        self._days = Days(question.scope)

    @property
    def begins(self) -> dict[str, int]:
        """The first leaf of each whole stream."""
        return {path: place for path, (place, _) in self.firsts.items() if path in self.closing}

    def run(self) -> None:
        """Read all streams, and report what that proves."""
        for shown in self.streams:
            self._tally.is_at(shown.stream)
            self._read(shown)
        self._faults.end()
        rows_of_tables = self._tables.finish()
        self.answered.players = self._tables.rounds.players
        with self.telling():
            self.answered.check(self.streams)
        self._check_devices()
        whole = sum(shown.whole for shown in self.streams)
        says = f"{self.records} records of {len(self.streams)} streams are in the property's tree"
        self._tally.proves(f"{says}, {whole} streams unbroken")
        self._tell_of_seals()
        said = ", ".join(f"{name} {count}" for name, count in rows_of_tables.items())
        self._tally.proves(f"derived again from the records, rows of {said}")
        self._tell_what_is_believed()

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Report days that do not link instead of other errors, since they name a missing part best."""
        try:
            yield
        except AlteredError:
            if self.unlinked:
                raise self.unlinked[0] from None
            raise

    def settle(self, *, known: bool) -> None:
        """Settle days that do not link: if every leaf is known, the record itself has the fault."""
        for error in self.unlinked:
            if not known:
                raise error
            self._tally.reports(error)

    def _read(self, shown: Shown) -> None:
        """Read one stream. Its records are proved to be in the tree before they are judged."""
        reading, last = Records(self._export, self._head, shown, self._faults), ""
        place: Line | None = None
        part: list[int] = []
        self._seals.begin(shown)
        self._tables.begin(shown)
        try:
            for taken in reading.each():
                record, place = taken.record, taken.line
                if not shown.whole:
                    part.append(taken.sequence)
                if record:
                    self._take(shown, taken)
                self._seals.take(taken)
                kind = record["type"] if record else ""
                last = last if kind in SEALING else kind
            self._seals.end()
            self._tables.end(part, lambda first, last: self._is_gap(reading, first, last))
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise shown.wrong(f"it is not written like a record of its type: {error}", reading.count, place) from error
        self.firsts[shown.path] = (reading.first_place, shown.stream)
        self.leaves.update(reading.places)
        self.reach = max([self.reach, *(place + 1 for place in reading.places)])
        if part and not self._question.scope.in_part:
            self.parts[shown.kind, shown.stream] = part  # compared with the list of leaves later
        self.gaps += [f"{shown.stream} record {first}" for first, _ in reading.gaps]
        if shown.whole and reading.last_stretch:
            self.closing[shown.path] = (last in CLOSES, reading.last_stretch)
            self._days.ended(shown, reading.head)
        self.records += reading.count

    def _is_gap(self, reading: Records, first: int, last: int) -> bool:
        """Return whether the property reports a gap here and no stretch in the export covers any of it."""
        shown = reading.shown
        if not self._faults.tells(shown, first, GAP) or any(a <= last and first <= b for a, b in reading.ranges):
            return False
        self._faults.found(shown, first, GAP, gap(shown, first, last))
        self.gaps.append(f"{shown.stream} record {first}")
        return True

    def _take(self, shown: Shown, taken: Taken) -> None:
        """Take a readable record. The start of its day may be a fault of the record, which is settled later."""
        record = taken.record
        if taken.sequence == 1 and shown.kind == "facts":
            try:
                self._days.opened(shown, record)
            except AlteredError as error:
                self.unlinked.append(error)
            if record["type"] in OPENS:
                self.answered.opened(shown, record)
        self._tables.take(record)
        if shown.kind == "facts":
            self._sources.take(shown, taken, self._faults, signed=self._which_seals == "all")
        if shown.kind != "facts":
            self.answered.take(shown, record)

    def _check_devices(self) -> None:
        """Check the list of keys line by line, because a key may have very many ends."""
        due = self._register.lines()
        for line in self._export.lines(DEVICES):
            wanted = next(due, "")
            if line.text.decode(errors="replace") + "\n" != wanted:
                found = first_other_line(DEVICES, line.text.decode(errors="replace") + "\n", wanted)
                raise AlteredError(found.says, DEVICES, line=line.number, byte=line.byte)
        if (missing := next(due, None)) is not None:
            raise AlteredError(f"the line {missing.strip()!r} is missing", DEVICES)

    def _read_before(self) -> tuple[Corrections, KeyRegister]:
        """Return what must be known before the records are read: corrections, and the keys of devices."""
        corrections, register = Corrections(set(self._pairs(LEFT_OUT, ""))), KeyRegister(self._holds)
        for path in self._export.members:
            if not path.startswith("data/facts/") or not self._export.holds(path, _KNOWN_BEFORE):
                continue
            for line in self._export.lines(path):
                if line.text.startswith(_KNOWN_BEFORE):
                    with altered(path, line, "it is not written like a fact of its type"):
                        fact = self._known(path, line)
                        if fact is None:
                            continue
                        if fact["type"] == "corrected.1":
                            corrections.take(fact)
                        elif fact["stream"].startswith("property/"):
                            register.take(fact)
                            self._sources.know(fact)
        return corrections, register

    def _known(self, path: str, line: Line) -> dict[str, Any] | None:
        """Return a record read ahead of the others; None if it is unreadable."""
        try:
            fact = record_of(line.text)
        except ValueError:  # its error is reported when its turn comes
            return None
        stream = path[len("data/facts/") : -len(".jsonl")]
        shown = Shown("facts", stream, False, 0, 0, [])
        sequence = fact.get("sequence")
        own = fact.get("stream") == stream and type(sequence) is int and not self._faults.unread(shown, sequence)
        return fact if own else None

    def _pairs(self, path: str, third: str) -> dict[tuple[str, int], int]:
        """Return what a file says about single records, which has to be trusted."""
        found: dict[tuple[str, int], int] = {}
        last = ("", 0)
        for line in self._export.lines(path) if path in self._export.members else ():
            with altered(path, line, "it is not written like such a line"):
                said = parsed(line.text)
                again = {name: said[name] for name in ("stream", "sequence", third) if name}
                if [type(value) for value in again.values()] != [str, int, int][: len(again)]:
                    raise ValueError
                place = (said["stream"], said["sequence"])
                if laid_down(again).encode() != line.text or last >= place:
                    raise ValueError
                found[place], last = said[third] if third else 0, place
        return found

    def _tell_of_seals(self) -> None:
        seals, leaves_open = self._seals, self._tally.leaves_open
        sources = self._sources
        if seals.checked:
            self._tally.proves(f"{seals.checked} seals by the gateway's keys hold")
        if sources.held:
            self._tally.proves(f"{sources.held} facts carry a valid signature of their own source")
        if sources.unsigned:
            leaves_open(f"which source stated {sources.unsigned} facts that no source signed: the gateway attests them")
        if sources.passed_over:
            leaves_open(f"{sources.passed_over} signatures of sources, which were not checked (--seals)")
        if seals.passed_over:
            leaves_open(f"{seals.passed_over} seals of the gateway, which were not checked (--seals)")
        if self._faults.unchecked:
            leaves_open(f"{self._faults.unchecked} unchecked seals that the table faults lists as invalid")
        if not any(shown.whole for shown in self.streams if shown.owner == "property"):
            leaves_open(
                "that the property registered no other key and revoked none: only single facts of its days are shown"
            )
        elif any(not shown.whole for shown in self.streams if shown.owner == "property"):
            leaves_open(
                "that the property revoked no key on days outside the question: only single facts of them are shown"
            )
        if seals.apart:
            says = f"{seals.apart} seals over records that are not here"
            leaves_open(f"{says}: they hold, but cover no record that is here")
        if count := seals.unsealed_in_part:
            leaves_open(f"whether the gateway wrote {count} facts of streams in part: no seal here covers them")
        if seals.unsealed:
            leaves_open(f"whether the gateway wrote the last {seals.unsealed} facts that no seal covers yet")

    def _tell_what_is_believed(self) -> None:
        """Report what tables say about records that are not in the export."""
        tables, rounds, leaves_open = self._tables, self._tables.rounds, self._tally.leaves_open
        if rounds.untold:
            leaves_open(f"{rounds.untold} rows of wagers without facts: the rule books alone give the amounts owed")
        if rounds.unnamed:
            leaves_open(f"who sat at {rounds.unnamed} hands of streams in part: no wager shown names the player")
        if count := rounds.open_ended:
            leaves_open(f"{count} rounds of streams in part, which are shown without their opening or their end")
        if any(not shown.whole and shown.rounds for shown in self.streams):
            leaves_open("what changed the rounds of streams in part later, and what was in force before them")
        if count := tables.clock.strange:
            leaves_open(f"the offset of {count} moments: this machine knows a different one for {self._question.zone}")
        if count := tables.statistics.believed:
            leaves_open(f"{count} figures to date in statistics, which include days that are not here")
        if tables.statistics.to_date:
            leaves_open("the holds that statistics are compared with, and the notes about the comparison")
        if count := tables.openers.apart:
            leaves_open(f"the closers before {count} openings whose previous day is not here")
