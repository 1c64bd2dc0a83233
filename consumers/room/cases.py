"""Cases in the room. A sealed case is shown only to the people it names; other attempts are recorded."""

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, tzinfo
from zoneinfo import ZoneInfo

import msgspec

from consumers.desk.application import Desk
from consumers.room.case_files import CaseFile, CaseFileEntry, at, case_files
from consumers.room.looking import Looking, RoomVisit, ShownAnswer, now
from consumers.room.readings import Look, Readings
from domain.desk import case
from domain.desk.acting import DeskAct, RefusedError
from domain.desk.case import Case, VideoHold
from domain.desk.case_records import Outcome, PersonAs, Subject
from domain.desk.clocks import DisputeDeadlines, DisputeRules, clocks, rules
from domain.desk.roles import Right
from domain.facts.envelope import Fact
from projections.questions.asking import AskedWronglyError, NothingFitsError
from projections.questions.clock import zone_of
from projections.questions.findings import FindingFilter, FindingRow, findings
from projections.questions.rounds import Handle, RoundRow, find_rounds
from projections.questions.table_day import zone_of_floor

# An amount, with or without a currency sign before or after it.
_AMOUNT = re.compile(r"(?:[^\w\s.,+-]|[A-Za-z]{3})?\s*([0-9]{1,9})(?:\.([0-9]{1,2}))?\s*(?:[^\w\s.,+-]|[A-Za-z]{3})?")


class CaseLine(msgspec.Struct, frozen=True):
    """A case in the list."""

    case: Case
    clocks: DisputeDeadlines
    opened_at: datetime
    waiting: int  # stretches of video that are held but not copied yet
    gone_at: datetime | None  # when the first of them is overwritten


class CaseTold(msgspec.Struct, frozen=True):
    """A case with everything that belongs to it, its clocks, and every change."""

    case: Case
    clocks: DisputeDeadlines
    rules: DisputeRules | None
    findings: tuple[FindingRow, ...]
    hands: tuple[RoundRow, ...]  # the linked hands that are over
    history: tuple[CaseFileEntry, ...]
    zone: str


class CasesRoom(Looking):
    """Questions about cases, and actions on them."""

    def __init__(self, readings: Readings, desk: Desk, clock: Callable[[], int] = now) -> None:
        super().__init__(readings, desk, clock)
        self._files = case_files(desk)

    def cases(self, visit: RoomVisit, *, closed: bool = False) -> ShownAnswer[list[CaseLine]]:
        """The cases this person may see, newest first."""
        with self._look(visit, "see-cases", "page", "cases") as look:
            zone = zone_of(zone_of_floor(look))
            held = [file for file in self._files.now().values() if case.seen_by(file.case, visit.person.name)]
            lines = [_line(file, zone) for file in held if (file.case.closed is not None) == closed]
            lines.sort(key=lambda line: line.case.number, reverse=True)
            return ShownAnswer(lines, at(self._clock()))

    def case(self, visit: RoomVisit, number: str) -> ShownAnswer[CaseTold]:
        """One complete case."""
        with self._allowed(visit, "see-cases", "case", number):
            file = self._files.now().get(number)
        if file is None or file.case.opened is None:
            raise RefusedError("not-there", f"There is no case {number}.")
        if not case.seen_by(file.case, visit.person.name):
            self._refused(visit, "case", number)
            raise RefusedError("sealed", f"Case {number} is sealed.")
        with self._look(visit, "see-cases", "case", number) as look:
            name = zone_of_floor(look)
            line = _line(file, zone_of(name))
            linked = [
                row for each in file.case.findings for row in findings(look, FindingFilter(finding=each, state="any"))
            ]
            hands = [row for each in file.case.hands for row in _rounds(look, each.of_stream, each.of_round)]
            told = CaseTold(
                case=file.case,
                clocks=line.clocks,
                rules=rules().get(file.case.opened.jurisdiction),
                findings=tuple(linked),
                hands=tuple(hands),
                history=file.history,
                zone=name,
            )
            return ShownAnswer(told, at(self._clock()))

    def cases_to_add_to(self, visit: RoomVisit) -> list[Case]:
        """The open cases this person may add to, newest first."""
        with self._allowed(visit, "keep-cases", "case", "those to add to"):
            held = [file.case for file in self._files.now().values()]
        mine = [each for each in held if each.closed is None and case.seen_by(each, visit.person.name)]
        return sorted(mine, key=lambda each: each.number, reverse=True)

    def jurisdictions(self) -> dict[str, str]:
        """The jurisdictions whose deadlines are known, by their letters."""
        return {letters: each.name for letters, each in rules().items()}

    def open_case(
        self,
        visit: RoomVisit,
        key: str,
        subject: Subject,
        *,
        title: str,
        jurisdiction: str,
        happened_at: datetime | None,
    ) -> Case:
        """Open a case under the year's next number."""
        with self._allowed(visit, "keep-cases", "case", "a new one"):
            when = None if happened_at is None else micros(happened_at)
            act = DeskAct(visit.person.name, self._clock(), key)
            return self._desk.open_case(act, subject, title, jurisdiction=jurisdiction, happened_at=when)

    def assign(self, visit: RoomVisit, number: str, key: str, to: str) -> Case:
        """Assign a case to a person."""
        return self._act(visit, number, key, lambda state, act: case.assign(state, act, to))

    def link_finding(self, visit: RoomVisit, number: str, key: str, finding: str) -> Case:
        """Link a finding on record, and the hand it is about."""
        with self._allowed(visit, "keep-cases", "case", number), self._readings.look() as look:
            found = findings(look, FindingFilter(finding=finding, state="any"), limit=1) if finding else []
        if not found:
            raise RefusedError("not-there", f"There is no finding {finding or 'without a name'}.")
        row = found[0]

        def decide(state: Case, act: DeskAct) -> list[Fact]:
            made = case.link_finding(state, act, finding)
            return made if row.round is None else made + case.link_hand(state, act, row.stream, row.round, row.seat)

        return self._act(visit, number, key, decide)

    def link_hand(
        self, visit: RoomVisit, number: str, key: str, stream: str, round_number: int, *, seat: int | None
    ) -> Case:
        """Link a hand that is over."""
        with self._allowed(visit, "keep-cases", "case", number), self._readings.look() as look:
            if not _rounds(look, stream, round_number):
                raise RefusedError("not-there", f"{stream} has no finished round {round_number}.")
        return self._act(visit, number, key, lambda state, act: case.link_hand(state, act, stream, round_number, seat))

    def link_person(self, visit: RoomVisit, number: str, key: str, person: str, role: PersonAs) -> Case:
        """Link a person."""
        return self._act(visit, number, key, lambda state, act: case.link_person(state, act, person, role))

    def unlink(self, visit: RoomVisit, number: str, key: str, what: str, why: str) -> Case:
        """Remove a link made by mistake."""
        return self._act(visit, number, key, lambda state, act: case.unlink(state, act, what, why))

    def note_case(self, visit: RoomVisit, number: str, key: str, text: str) -> Case:
        """Add a note."""
        return self._act(visit, number, key, lambda state, act: case.note(state, act, text))

    def make_claim(self, visit: RoomVisit, number: str, key: str, claims: str, cents: int | None) -> Case:
        """Record the player's claim."""
        return self._act(visit, number, key, lambda state, act: case.make_claim(state, act, claims, cents))

    def rule(self, visit: RoomVisit, number: str, key: str, ruling: str, ruled_by: str, *, cents: int | None) -> Case:
        """Record the ruling."""
        return self._act(visit, number, key, lambda state, act: case.rule(state, act, ruling, ruled_by, cents))

    def hold_video(self, visit: RoomVisit, number: str, key: str, hold: VideoHold) -> Case:
        """Hold a stretch of video."""
        return self._act(visit, number, key, lambda state, act: case.hold_video(state, act, hold))

    def secure_video(self, visit: RoomVisit, number: str, key: str, hold: VideoHold, copied_to: str) -> Case:
        """Record where held video was copied."""
        return self._act(visit, number, key, lambda state, act: case.secure_video(state, act, hold.place, copied_to))

    def seal_case(self, visit: RoomVisit, number: str, key: str, people: Iterable[str], why: str) -> Case:
        """Restrict the case to these people."""
        named = tuple(people)
        return self._act(visit, number, key, lambda state, act: case.seal(state, act, named, why), "seal-cases")

    def unseal_case(self, visit: RoomVisit, number: str, key: str, why: str) -> Case:
        """Remove the restriction."""
        return self._act(visit, number, key, lambda state, act: case.unseal(state, act, why), "seal-cases")

    def close_case(
        self, visit: RoomVisit, number: str, key: str, outcome: Outcome, why: str, *, cents: int | None
    ) -> Case:
        """Close the case."""
        return self._act(visit, number, key, lambda state, act: case.close(state, act, outcome, why, cents))

    def reopen_case(self, visit: RoomVisit, number: str, key: str, why: str) -> Case:
        """Reopen the case."""
        return self._act(visit, number, key, lambda state, act: case.reopen(state, act, why))

    def _act(
        self,
        visit: RoomVisit,
        number: str,
        key: str,
        decide: Callable[[Case, DeskAct], list[Fact]],
        right: Right = "keep-cases",
    ) -> Case:
        with self._allowed(visit, right, "case", number):
            act = DeskAct(visit.person.name, self._clock(), key)
            try:
                return self._desk.on_case(number, lambda state: decide(state, act))
            except RefusedError as refused:
                if refused.code == "sealed":
                    self._refused(visit, "case", number)
                raise


def cents_of(text: str) -> int | None:
    """The amount in this text, such as $1,250, 1250.50 or EUR 1250; None if the text is empty."""
    written = text.strip().replace(",", "")
    if not written:
        return None
    found = _AMOUNT.fullmatch(written)
    if found is None:
        raise RefusedError("words-missing", f"{text.strip()} is not an amount: write 1250 or 1250.50.")
    return int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0"))


def micros(moment: datetime) -> int:
    """A moment in microseconds, as in records."""
    return int(moment.timestamp() * 1_000_000)


def _rounds(look: Look, stream: str, number: int) -> list[RoundRow]:
    """The round of this name, if it is over."""
    try:
        return find_rounds(look, Handle(named=f"{stream}:{number}"))
    except (NothingFitsError, AskedWronglyError):
        return []


def _line(file: CaseFile, zone: ZoneInfo) -> CaseLine:
    held = file.case
    opened_at = file.history[0].at
    waiting = [hold for hold in held.holds if not hold.copied_to]
    gone_at = min((at(hold.gone_at) for hold in waiting if hold.gone_at is not None), default=None)
    if held.opened is None:
        return CaseLine(held, DisputeDeadlines(), opened_at, len(waiting), gone_at)
    happened = opened_at if held.opened.happened_at is None else at(held.opened.happened_at)
    claimed = None if held.claim is None else _day(at(held.claim.at), zone)
    cents = None if held.claim is None else held.claim.cents
    ends = clocks(held.opened.jurisdiction, _day(happened, zone), claimed, cents)
    return CaseLine(held, ends, opened_at, len(waiting), gone_at)


def _day(moment: datetime, zone: tzinfo) -> date:
    return moment.astimezone(zone).date()
