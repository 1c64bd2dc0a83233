"""Every record read: in the tree, chained, linked to the day before, sealed, and made into the tables that follow."""

from __future__ import annotations

from projections.export.verifier.answered import Answered, Days
from projections.export.verifier.container import Export
from projections.export.verifier.derived import Tables
from projections.export.verifier.files import first_other_line
from projections.export.verifier.notes import Head
from projections.export.verifier.paid import Corrections
from projections.export.verifier.places import DEVICES, LEFT_OUT, STREAMS, TOLD_ROUNDS
from projections.export.verifier.question import Question
from projections.export.verifier.records import Records
from projections.export.verifier.seals import KeyRegister, Seals
from projections.export.verifier.stretches import Shown, Stretch, shown_streams
from projections.export.verifier.texts import laid_down, parsed
from projections.export.verifier.trouble import AlteredError, Line, altered
from projections.export.verifier.verdict import Tally

CLOSES = ("table-closed.1", "property-closed.1")
SEALING = ("chain-sealed.1", "findings-sealed.1")
_KNOWN_BEFORE = (b'{"type":"corrected.1"', b'{"type":"key-')


class Reading:
    """All streams of an export, one after the other."""

    def __init__(self, export: Export, head: Head, question: Question, which_seals: str, tally: Tally) -> None:
        self._export, self._head, self._question, self._tally = export, head, question, tally
        self.streams = shown_streams(export)
        self.answered = Answered(question)
        self.records = 0
        self.closing: dict[str, tuple[bool, Stretch]] = {}  # of whole streams: whether closed, and the last stretch
        corrections, self._register = self._read_before()
        self._seals = Seals(self._register, which_seals)
        self._tables = Tables(export, corrections, self._pairs(TOLD_ROUNDS, "round"), question)
        self._days = Days(question.scope)

    def run(self) -> None:
        """Reads them, and tells what that proves."""
        for shown in self.streams:
            self._tally.is_at(shown.stream)
            self._read(shown)
        rows_of_tables = self._tables.finish()
        self.answered.players = self._tables.rounds.players
        self.answered.check(self.streams)
        if (here := self._export.text(DEVICES)) != self._register.lines:
            raise first_other_line(DEVICES, here, self._register.lines)
        whole = sum(shown.whole for shown in self.streams)
        says = f"{self.records} records of {len(self.streams)} streams stand in the property's tree"
        self._tally.proves(f"{says}, {whole} streams unbroken")
        self._tell_of_seals()
        said = ", ".join(f"{name} {count}" for name, count in rows_of_tables.items())
        self._tally.proves(f"derived again from the records, rows of {said}")
        self._tell_what_is_believed()

    def _read(self, shown: Shown) -> None:
        """One stream. What its records say is judged once they are proved to be the ones in the tree."""
        reading, last = Records(self._export, self._head, shown), ""
        place: Line | None = None
        held: AlteredError | None = None
        self._seals.begin(shown)
        self._tables.begin(shown)
        try:
            for taken in reading.each():
                record, place = taken.record, taken.line
                try:
                    if place.number == 1 and shown.kind == "facts":
                        self._days.opened(shown, record)
                        self.answered.opened(shown, record)
                    self._seals.take(taken)
                except AlteredError as error:
                    held = held or error
                self._tables.take(record)
                if shown.kind != "facts":
                    self.answered.take(shown, record)
                if record["type"] not in SEALING:
                    last = record["type"]
            if held is not None:
                raise held
            self._seals.end()
            self._tables.end()
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise shown.wrong(f"it is not written as a record of its type is: {error}", reading.count, place) from error
        if shown.whole and reading.last_stretch:
            self.closing[shown.path] = (last in CLOSES, reading.last_stretch)
            self._days.ended(shown, reading.head)
        self.records += reading.count

    def _read_before(self) -> tuple[Corrections, KeyRegister]:
        """What has to be known before records are read: what corrects them, and the keys of devices."""
        corrections, register = Corrections(set(self._pairs(LEFT_OUT, ""))), KeyRegister()
        for path in self._export.members:
            if not path.startswith("data/facts/") or not self._export.holds(path, _KNOWN_BEFORE):
                continue
            for line in self._export.lines(path):
                if line.text.startswith(_KNOWN_BEFORE):
                    with altered(path, line, "it is not written as a fact of its type is"):
                        fact = parsed(line.text)
                        if fact["type"] == "corrected.1":
                            corrections.take(fact)
                        elif fact["stream"].startswith("property/"):
                            register.take(fact)
        return corrections, register

    def _pairs(self, path: str, third: str) -> dict[tuple[str, int], int]:
        """What a file says of single records, which has to be believed."""
        found: dict[tuple[str, int], int] = {}
        last = ("", 0)
        for line in self._export.lines(path) if path in self._export.members else ():
            with altered(path, line, "it is not written as such a line is"):
                said = parsed(line.text)
                again = {name: said[name] for name in ("stream", "sequence", third) if name}
                place = (said["stream"], said["sequence"])
                if laid_down(again).encode() != line.text or last >= place:
                    raise ValueError
                found[place], last = said[third] if third else 0, place
        return found

    def _tell_of_seals(self) -> None:
        seals, leaves_open = self._seals, self._tally.leaves_open
        if seals.checked:
            self._tally.proves(f"{seals.checked} seals by devices' keys hold")
        if seals.passed_over:
            leaves_open(f"{seals.passed_over} seals of devices, which were not checked (--seals)")
        if seals.apart:
            says = f"{seals.apart} seals over records that are not here"
            leaves_open(f"{says}: they hold, and say nothing of the records that are here")
        if count := seals.unsealed_in_part:
            leaves_open(f"which device wrote {count} facts of streams in part: no seal here covers them")
        if seals.unsealed:
            leaves_open(f"which device wrote the last {seals.unsealed} facts that no seal covers yet")

    def _tell_what_is_believed(self) -> None:
        """What tables say of what is not here."""
        tables, rounds, leaves_open = self._tables, self._tables.rounds, self._tally.leaves_open
        if rounds.untold:
            leaves_open(f"{rounds.untold} rows of wagers that no fact tells of: what is owed on them alone")
        if rounds.unnamed:
            leaves_open(f"who sat at {rounds.unnamed} hands of streams in part: no wager there names a player")
        if count := rounds.open_ended:
            leaves_open(f"all of {count} rounds of streams in part, which do not begin with their opening or end")
        if any(not shown.whole and shown.rounds for shown in self.streams):
            leaves_open("what came later to the rounds of streams in part, and what was in force before them")
        if any(not shown.whole for shown in self.streams):
            leaves_open(f"how many records streams in part have in all (last in {STREAMS})")
        if count := tables.clock.strange:
            leaves_open(f"the offset of {count} moments: this machine knows another for {self._question.zone}")
        if count := tables.statistics.believed:
            leaves_open(f"{count} figures to date in statistics, which begin with days that are not here")
        if tables.statistics.to_date:
            leaves_open("the holds that statistics are compared with, and the notes about them")
        if count := tables.openers.apart:
            leaves_open(f"the closers before {count} openings that name a day before which is not here")
