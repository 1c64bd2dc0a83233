"""Incidents in the room: findings with one root cause, as one row to claim, note, escalate and close.

An act on an incident is an act on the reviews of its findings, on all of them or on none. So a later grouping loses no
act, and a finding that joins a claimed incident shows as new in it.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from consumers.desk.application import Desk
from consumers.desk.kept_up import KeptUp
from consumers.room.looking import Looking, RoomVisit, ShownAnswer, now
from consumers.room.readings import Look, Readings
from consumers.room.reviews import ReviewState, Whose
from domain.desk import regrouping, review
from domain.desk.acting import DeskAct, NoteAdded
from domain.desk.regrouping import Regrouping
from domain.desk.review import Disposition, Proposal, Review
from domain.desk.roles import Right
from domain.facts.envelope import Fact
from domain.incidents import DEFAULT, Decision, FoundIncident, HumanScale, incidents, valued
from projections.questions.asking import NothingFitsError
from projections.questions.findings import FindingFilter, FindingRow, Reviewing, findings
from projections.questions.incidents import standing, waiting, won_against_expectation

IncidentState = Literal["new", "claimed", "escalated", "proposed", "closed"]
_MOST_FINDINGS = 5_000  # of one incident


class IncidentRow(msgspec.Struct, frozen=True):
    """An incident with the state of its reviews."""

    incident: FoundIncident
    state: IncidentState
    holder: str
    held_since: int
    escalated_to: str
    proposal: Proposal | None
    open: tuple[str, ...]  # the findings that still wait
    joined_since: int  # of these, how many came after the others were claimed
    notes: tuple[NoteAdded, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all its findings."""
        return tuple(item.finding for item in self.incident.findings)


class _Desk(NamedTuple):
    """The part of the desk that incidents depend on."""

    reviews: ReviewState
    decisions: tuple[Decision, ...]
    changes: int


class IncidentsRoom(Looking):
    """Questions about incidents, and actions on them."""

    def __init__(self, readings: Readings, desk: Desk, clock: Callable[[], int] = now) -> None:
        super().__init__(readings, desk, clock)
        self._regrouped: KeptUp[Regrouping] = KeptUp(desk, regrouping.PREFIX, _decided)
        self.scale: HumanScale = DEFAULT

    def incidents(
        self, visit: RoomVisit, *, whose: Whose = "anybody", for_the_log: bool = False
    ) -> ShownAnswer[list[IncidentRow]]:
        """The incidents that wait, gravest first; those for the log only if asked for."""
        with self._look(visit, "see-findings", "page", "incidents") as look:
            rows = [row for row in self._rows(look) if for_the_log or row.incident.needs_human]
            return ShownAnswer([row for row in rows if _is(row, whose, visit.person.name)], look.made_at)

    def incident(self, visit: RoomVisit, finding: str) -> ShownAnswer[IncidentRow]:
        """The incident of a finding, even if it is closed."""
        with self._look(visit, "see-findings", "finding", finding) as look:
            row = next((row for row in self._rows(look) if finding in row.names), None)
            if row is None:
                row = self._of(look, finding)
            return ShownAnswer(row, look.made_at)

    def claim_incident(self, visit: RoomVisit, names: Sequence[str], key: str, *, take_over: bool = False) -> None:
        """Claim every open finding of an incident that this person does not hold yet."""
        right: Right = "take-over" if take_over else "review"

        def decide(state: Review, act: DeskAct) -> list[Fact]:
            if state.closed is not None or state.holder == act.who:
                return []
            return review.claim(state, act, take_over=take_over)

        self._on(visit, right, names, key, decide)

    def note_incident(self, visit: RoomVisit, names: Sequence[str], key: str, text: str) -> None:
        """Add a note to an incident; it stands at its first finding."""
        self._on(visit, "review", names[:1], key, lambda state, act: review.note(state, act, text))

    def escalate_incident(self, visit: RoomVisit, names: Sequence[str], key: str, to: str, why: str) -> None:
        """Escalate every open finding of an incident."""
        self._on(visit, "review", names, key, _open_only(lambda state, act: review.escalate(state, act, to, why)))

    def close_incident(
        self, visit: RoomVisit, names: Sequence[str], key: str, disposition: Disposition, why: str
    ) -> None:
        """Close every open finding of an incident, or propose it where two people must agree."""
        now_by_name = self._rows_of(names)
        gravest = min((row.severity for row in now_by_name.values()), key=_by_people)

        def decide(state: Review, act: DeskAct) -> list[Fact]:
            edition = now_by_name[state.finding].edition
            return review.close(state, act, disposition, why, severity=gravest, edition=edition)

        self._on(visit, "review", names, key, _open_only(decide))

    def agree_incident(self, visit: RoomVisit, names: Sequence[str], key: str) -> None:
        """Agree to close an incident, as another person proposed."""
        now_by_name = self._rows_of(names)
        self._on(
            visit,
            "second-review",
            names,
            key,
            _open_only(lambda state, act: review.agree(state, act, now_by_name[state.finding].edition)),
        )

    def reject_incident(self, visit: RoomVisit, names: Sequence[str], key: str, why: str) -> None:
        """Reject the proposal to close an incident."""
        self._on(visit, "second-review", names, key, _open_only(lambda state, act: review.reject(state, act, why)))

    def set_apart(self, visit: RoomVisit, taken: Sequence[str], names: Sequence[str], key: str, why: str) -> None:
        """Take findings out of an incident."""
        day = self._day_of(names)
        self._regroup(visit, day, key, lambda state, act: regrouping.set_apart(state, act, taken, names, why))

    def join(self, visit: RoomVisit, together: Sequence[Sequence[str]], key: str, why: str) -> None:
        """Join incidents."""
        day = self._day_of([name for names in together for name in names])
        self._regroup(visit, day, key, lambda state, act: regrouping.join(state, act, together, why))

    def _day_of(self, names: Iterable[str]) -> str:
        """Return the last gaming day of these findings, which keeps the decision about them."""
        return max((row.stream.rpartition("/")[2] for row in self._rows_of(names).values()), default="")

    def _regroup(
        self, visit: RoomVisit, day: str, key: str, decide: Callable[[Regrouping, DeskAct], list[Fact]]
    ) -> None:
        with self._allowed(visit, "review", "finding", f"incidents of {day}"):
            act = DeskAct(visit.person.name, self._clock(), key)
            self._desk.on_regrouping(day, lambda state: decide(state, act))

    def _on(
        self,
        visit: RoomVisit,
        right: Right,
        names: Sequence[str],
        key: str,
        decide: Callable[[Review, DeskAct], list[Fact]],
    ) -> None:
        with self._allowed(visit, right, "finding", names[0]):
            act = DeskAct(visit.person.name, self._clock(), key)
            self._desk.on_findings(names, lambda state: decide(state, act))

    def _at_desk(self) -> _Desk:
        held = self._reviews.now()
        regrouped, changes = self._regrouped.now_and_changes()
        decisions = tuple(decision for day in sorted(regrouped) for decision in regrouped[day].decisions)
        return _Desk(held, decisions, held.changes + changes)

    def _rows(self, look: Look) -> list[IncidentRow]:
        """Return every incident with a finding that waits, gravest first, for all readers of a generation."""
        desk = self._at_desk()

        def found() -> list[IncidentRow]:
            waits = waiting(look, desk.reviews.worked)
            items = standing(look, set(waits.values())) if waits else []
            told = [each for each in incidents(items, desk.decisions, scale=self.scale) if _waits(each, set(waits))]
            return [_row(each, set(waits), desk.reviews) for each in self._valued(look, told)]

        return self._shared(look, "incidents", found, desk.changes)

    def _of(self, look: Look, finding: str) -> IncidentRow:
        """Return the incident of a finding that no longer waits."""
        rows = findings(look, FindingFilter(finding=finding, state="any"), limit=1)
        if not rows:
            raise NothingFitsError(f"there is no finding {finding}")
        desk = self._at_desk()
        every = incidents(standing(look, {rows[0].stream}), desk.decisions, scale=self.scale)
        own = [each for each in every if any(item.finding == finding for item in each.findings)]
        if not own:
            raise NothingFitsError(f"finding {finding} was withdrawn")
        return _row(self._valued(look, own)[0], set(waiting(look, desk.reviews.worked)), desk.reviews)

    def _valued(self, look: Look, told: Sequence[FoundIncident]) -> list[FoundIncident]:
        """Return these incidents with what players won in them, gravest first."""
        found = valued(told, lambda spans: won_against_expectation(look, spans), self.scale)
        return sorted(found, key=lambda each: each.gravity)

    def _rows_of(self, names: Iterable[str]) -> dict[str, FindingRow]:
        with self._readings.look() as look:
            only = Reviewing(only=tuple(names))
            rows = findings(look, FindingFilter(state="any"), limit=_MOST_FINDINGS, reviewing=only)
        return {row.finding: row for row in rows}


def _waits(each: FoundIncident, waits: set[str]) -> bool:
    return any(item.finding in waits for item in each.findings)


def _row(each: FoundIncident, waits: set[str], held: ReviewState) -> IncidentRow:
    reviews = {item.finding: held.of(item.finding) for item in each.findings}
    opened = [reviews[item.finding] for item in each.findings if item.finding in waits]
    holders = [state for state in opened if state.holder]
    proposals = [state.proposal for state in opened if state.proposal is not None]
    escalated = next((state.escalated_to for state in opened if state.state == "escalated"), "")
    kind: IncidentState = "new"
    if not opened:
        kind = "closed"
    elif proposals and len(proposals) == len(opened):
        kind = "proposed"
    elif holders:
        kind = "claimed"
    elif escalated:
        kind = "escalated"
    return IncidentRow(
        incident=each,
        state=kind,
        holder=holders[0].holder if holders else "",
        held_since=min((state.held_since for state in holders), default=0),
        escalated_to="" if holders else escalated,
        proposal=proposals[0] if kind == "proposed" else None,
        open=tuple(state.finding for state in opened),
        joined_since=len(opened) - len(holders) if holders else 0,
        notes=tuple(sorted((note for state in reviews.values() for note in state.notes), key=lambda note: note.at)),
    )


def _is(row: IncidentRow, whose: Whose, me: str) -> bool:
    """Whether an incident is in these hands."""
    match whose:
        case "me":
            return row.holder == me
        case "nobody":
            return row.state == "new"
        case "to agree":
            return row.proposal is not None and row.proposal.by != me
        case "escalated":
            return row.state == "escalated"
    return True


def _open_only(decide: Callable[[Review, DeskAct], list[Fact]]) -> Callable[[Review, DeskAct], list[Fact]]:
    """Leave findings alone that were closed one by one."""
    return lambda state, act: [] if state.closed is not None else decide(state, act)


def _by_people(severity: str) -> bool:
    return severity not in review.TWO_PEOPLE


def _decided(held: Regrouping | None, day: str, record: Fact) -> Regrouping | None:
    state = held or regrouping.initial(day)
    if record.sequence != state.version + 1:
        return None
    return regrouping.evolve(msgspec.structs.replace(state, keys=set(state.keys)), record)
