"""The room: everything that a page or a command may ask or do for a person, with their rights, and on record.

Every question goes through here. The right is checked where the data is requested. A look at a hand, a player or a
case, a search and a refusal are written to the access log. Each action is decided on the state at that moment.
"""

from collections.abc import Callable, Iterable

import msgspec

from consumers.desk.application import Desk
from consumers.room.cases import CasesRoom
from consumers.room.decks import DecksRoom
from consumers.room.exports import ExportsRoom
from consumers.room.hands import Hands, HandView
from consumers.room.incidents import IncidentsRoom
from consumers.room.looking import RoomVisit, ShownAnswer, now
from consumers.room.numbers import NumbersRoom
from consumers.room.people import PeopleRoom
from consumers.room.readings import Look, Readings
from consumers.room.record import RecordRoom
from consumers.room.reviews import ReviewState, Whose
from consumers.room.tables import TablesRoom
from consumers.watching.finding_hands import NoSuchHandError
from domain.clauses import UnknownClauseError, clause
from domain.desk import review
from domain.desk.acting import DeskAct
from domain.desk.review import Disposition, Review
from domain.desk.roles import ForbiddenError, Person, Right
from domain.facts.envelope import Fact
from domain.watch.reconstruction import Step
from projections.questions.asking import NothingFitsError
from projections.questions.findings import FindingFilter, FindingRow, Order, Reviewing, findings, how_many
from projections.questions.floor import TableNow, floor_now
from projections.questions.rounds import Handle, RoundRow, find_rounds
from projections.questions.table_day import currency_of_floor

MOST_QUEUED = 500
QUEUE_PAGE = 50


class Queued(msgspec.Struct, frozen=True):
    """A finding with its review."""

    finding: FindingRow
    review: Review
    changed: bool = False  # revised or withdrawn after it was closed


class ToldFinding(msgspec.Struct, frozen=True):
    """A finding with the texts of its clauses."""

    queued: Queued
    clauses: dict[str, str]


class Room(RecordRoom, TablesRoom, DecksRoom, PeopleRoom, NumbersRoom, IncidentsRoom, CasesRoom, ExportsRoom):
    """One property's room."""

    def __init__(self, readings: Readings, desk: Desk, hands: Hands, clock: Callable[[], int] = now) -> None:
        super().__init__(readings, desk, clock)
        self._hands = hands

    def currency(self) -> str:
        """The letters of the property's currency, used for the room's amounts."""
        with self._readings.look() as look:
            return self._shared(look, "currency", lambda: currency_of_floor(look))

    def floor(self, visit: RoomVisit) -> ShownAnswer[list[TableNow]]:
        """Every table's newest day."""
        with self._look(visit, "see-floor", "page", "floor") as look:
            held = self._reviews.now()
            told = self._shared(look, "floor", lambda: floor_now(look, worked=held.worked), held.changes)
            return ShownAnswer(told, look.made_at)

    def queue(
        self,
        visit: RoomVisit,
        wanted: FindingFilter,
        *,
        order: Order = "time",
        closed: bool = False,
        whose: Whose = "anybody",
        limit: int | None = None,
    ) -> ShownAnswer[list[Queued]]:
        """Findings to work on: those not closed, and withdrawn ones until they are acknowledged."""
        self._may_name(visit, wanted)
        with self._look(visit, "see-findings", "page", "findings") as look:
            held = self._reviews.now()
            reviewing = held.asked(whose, visit.person.name, done=closed)
            most = MOST_QUEUED if limit is None else min(limit, MOST_QUEUED)

            def found() -> list[FindingRow]:
                return findings(look, _any(wanted), order=order, limit=most, reviewing=reviewing)

            asked = f"queue {wanted} {order} {closed} {most}"
            rows = self._shared(look, asked, found, held.changes) if whose == "anybody" else found()
            return ShownAnswer([_queued(nameless(visit.person, row), held) for row in rows], look.made_at)

    def queued(self, visit: RoomVisit, names: Iterable[str]) -> list[Queued]:
        """The named findings in their current state, even if they are no longer in a queue."""
        with self._look(visit, "see-findings", "page", "findings") as look:
            held, asked = self._reviews.now(), Reviewing(only=tuple(names))
            if not asked.only:
                return []
            rows = findings(look, _any(FindingFilter()), limit=MOST_QUEUED, reviewing=asked)
            return [_queued(nameless(visit.person, row), held) for row in rows]

    def queue_length(
        self, visit: RoomVisit, wanted: FindingFilter, *, closed: bool = False, whose: Whose = "anybody"
    ) -> int:
        """The number of findings in that queue, even beyond its limit."""
        self._may_name(visit, wanted)
        with self._look(visit, "see-findings", "page", "findings") as look:
            held = self._reviews.now()
            reviewing = held.asked(whose, visit.person.name, done=closed)

            def length() -> int:
                return how_many(look, _any(wanted), reviewing)

            asked = f"queue length {wanted} {closed}"
            return self._shared(look, asked, length, held.changes) if whose == "anybody" else length()

    def finding(self, visit: RoomVisit, name: str) -> ShownAnswer[ToldFinding]:
        """One finding with its clauses."""
        with self._look(visit, "see-findings", "finding", name) as look:
            row = self._row(look, name)
            gists = {each: _gist(each) for each in row.clauses or ()}
            return ShownAnswer(
                ToldFinding(_queued(nameless(visit.person, row), self._reviews.now()), gists), look.made_at
            )

    def evidence(self, visit: RoomVisit, finding: FindingRow) -> tuple[Step, ...]:
        """The facts of its hand that show it, as far as this person may see that hand; the look is recorded."""
        if finding.round is None:
            return ()
        try:
            told = self._hands.hand(visit.person, finding.stream, finding.round).told
        except (ForbiddenError, NoSuchHandError):
            return ()
        self._looked(visit, "hand", f"{finding.stream} round {finding.round}")
        shows = set(finding.evidence or ())
        return tuple(step for step in told.steps if step.sequence in shows)

    def find_hands(self, visit: RoomVisit, handle: Handle) -> ShownAnswer[list[RoundRow]]:
        """The rounds that match a description; searching by player, or by a card held, needs the right to see those."""
        asked = ", ".join(f"{name} {value}" for name, value in msgspec.to_builtins(handle).items() if value)
        if handle.player:
            self.require(visit, "see-players", "search", asked)
        if handle.card:
            self.require(visit, "see-hidden-cards", "search", asked)
        with self._look(visit, "see-hands", "search", asked) as look:
            try:
                return ShownAnswer(find_rounds(look, handle), look.made_at)
            except NothingFitsError:
                return ShownAnswer([], look.made_at)

    def hand(self, visit: RoomVisit, stream: str, number: int) -> HandView:
        """One hand, scene by scene."""
        subject = f"{stream} round {number}"
        with self._allowed(visit, "see-hands", "hand", subject):
            found = self._hands.hand(visit.person, stream, number)
        self._looked(visit, "hand", subject)
        return found

    def claim(self, visit: RoomVisit, name: str, key: str, *, take_over: bool = False) -> Review:
        """Take on a finding."""
        right: Right = "take-over" if take_over else "review"
        return self._review(visit, right, name, key, lambda state, act: review.claim(state, act, take_over=take_over))

    def release(self, visit: RoomVisit, name: str, key: str, why: str = "") -> Review:
        """Release a finding."""
        return self._review(visit, "review", name, key, lambda state, act: review.release(state, act, why))

    def acknowledge(self, visit: RoomVisit, name: str, key: str) -> Review:
        """Acknowledge a finding."""
        return self._review(visit, "review", name, key, review.acknowledge)

    def note(self, visit: RoomVisit, name: str, key: str, text: str) -> Review:
        """Add a note."""
        return self._review(visit, "review", name, key, lambda state, act: review.note(state, act, text))

    def escalate(self, visit: RoomVisit, name: str, key: str, to: str, why: str) -> Review:
        """Escalate a finding."""
        return self._review(visit, "review", name, key, lambda state, act: review.escalate(state, act, to, why))

    def close_finding(self, visit: RoomVisit, name: str, key: str, disposition: Disposition, why: str) -> Review:
        """Close a finding, or propose it if two people must agree."""
        row = self._now(name)

        def decide(state: Review, act: DeskAct) -> list[Fact]:
            return review.close(state, act, disposition, why, severity=row.severity, edition=row.edition)

        return self._review(visit, "review", name, key, decide)

    def agree(self, visit: RoomVisit, name: str, key: str) -> Review:
        """Agree to another person's proposal."""
        edition = self._now(name).edition
        return self._review(visit, "second-review", name, key, lambda state, act: review.agree(state, act, edition))

    def reject(self, visit: RoomVisit, name: str, key: str, why: str) -> Review:
        """Reject a proposal."""
        return self._review(visit, "second-review", name, key, lambda state, act: review.reject(state, act, why))

    def reopen(self, visit: RoomVisit, name: str, key: str, why: str) -> Review:
        """Reopen a closed finding."""
        return self._review(visit, "second-review", name, key, lambda state, act: review.reopen(state, act, why))

    def _may_name(self, visit: RoomVisit, wanted: FindingFilter) -> None:
        """Check the right to see players if the search names one."""
        if wanted.player:
            self.require(visit, "see-players", "search", f"findings of {wanted.player}")

    def _review(
        self, visit: RoomVisit, right: Right, name: str, key: str, decide: Callable[[Review, DeskAct], list[Fact]]
    ) -> Review:
        with self._allowed(visit, right, "finding", name):
            act = DeskAct(visit.person.name, self._clock(), key)
            return self._desk.on_finding(name, lambda state: decide(state, act))

    def _now(self, name: str) -> FindingRow:
        with self._readings.look() as look:
            return self._row(look, name)

    def _row(self, look: Look, name: str) -> FindingRow:
        rows = findings(look, FindingFilter(finding=name, state="any"), limit=1)
        if not rows:
            raise NothingFitsError(f"there is no finding {name}")
        return rows[0]


def nameless(person: Person, row: FindingRow) -> FindingRow:
    """A finding without its player, for a person who may not see players."""
    return row if person.may("see-players") else msgspec.structs.replace(row, player=None)


def _any(wanted: FindingFilter) -> FindingFilter:
    """The same search with withdrawn findings; the reviews decide whether those wait."""
    return msgspec.structs.replace(wanted, state="any")


def _queued(row: FindingRow, held: ReviewState) -> Queued:
    state = held.of(row.finding)
    return Queued(row, state, review.changed_since(state, row.edition))


def _gist(name: str) -> str:
    try:
        return clause(name).gist
    except UnknownClauseError:
        return ""
