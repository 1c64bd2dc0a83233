"""The review of one finding: claimed, acknowledged, escalated, and closed with a disposition.

A finding without records here is new. After a claim, only the claimant works on it, until they release it or a manager
takes it over. Closing a finding about money or integrity needs a second person's agreement. A closed finding is
reopened if later evidence changes it or a person asks for it.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args

import msgspec

from domain.desk.acting import ActRecord, DeskAct, NoteAdded, RefusedError, Words, by, once, words
from domain.facts.envelope import Count, Fact, Name

State = Literal["new", "claimed", "escalated", "proposed", "closed"]
Disposition = Literal[
    "no-error",
    "dealer-error",
    "player-error",
    "supervisor-error",
    "equipment",
    "record-wrong",
    "explained",
    "repaid",
    "referred",
]
DISPOSITIONS: tuple[Disposition, ...] = get_args(Disposition)
# Severities, on the vocabulary's scale, that need two people to close.
TWO_PEOPLE = frozenset({"money", "integrity"})


class FindingClaimed(ActRecord, frozen=True, tag="finding-claimed.1"):
    """The record that a person claimed the finding."""

    taken_over: bool = False


class FindingReleased(ActRecord, frozen=True, tag="finding-released.1"):
    """The record that the claimant returned the finding to the queue."""

    why: str = ""


class FindingAcknowledged(ActRecord, frozen=True, tag="finding-acknowledged.1"):
    """The record that a person has seen the finding."""


class FindingNoted(ActRecord, frozen=True, tag="finding-noted.1"):
    """The record of a note on the finding."""

    text: Words


class FindingEscalated(ActRecord, frozen=True, tag="finding-escalated.1"):
    """The record that the finding was escalated to people with more authority."""

    to: Name
    why: str


class DispositionProposed(ActRecord, frozen=True, tag="disposition-proposed.1"):
    """The record that the claimant proposes a disposition, which a second person must agree to."""

    disposition: Disposition
    why: str
    edition: Count  # the edition of the finding that the person saw


class DispositionRejected(ActRecord, frozen=True, tag="disposition-rejected.1"):
    """The record that a second person rejects the proposal."""

    why: str


class FindingClosed(ActRecord, frozen=True, tag="finding-closed.1"):
    """The record that the finding was closed."""

    disposition: Disposition
    why: str
    edition: Count


class FindingReopened(ActRecord, frozen=True, tag="finding-reopened.1"):
    """The record that the finding was reopened."""

    why: str


class Proposal(msgspec.Struct, frozen=True):
    """A proposed disposition."""

    by: str
    disposition: Disposition
    why: str
    edition: int


class Review(msgspec.Struct):
    """The review of a finding in its current state."""

    finding: str
    state: State = "new"
    holder: str = ""  # the claimant
    held_since: int = 0
    acknowledged_by: tuple[str, ...] = ()
    escalated_to: str = ""
    proposal: Proposal | None = None
    closed: FindingClosed | None = None
    notes: tuple[NoteAdded, ...] = ()
    keys: set[str] = set()  # the keys of past acts
    version: int = 0

    @property
    def id(self) -> str:
        """The name of its stream in the event-sourcing library."""
        return stream_of(self.finding)


def stream_of(finding: str) -> str:
    """Return the stream of a finding's review."""
    return f"review/{finding}"


def initial(finding: str) -> Review:
    """Return the review of a new finding."""
    return Review(finding)


def _claimed(state: Review, fact: FindingClaimed) -> None:
    state.state, state.holder, state.held_since = "claimed", fact.by, fact.at
    state.proposal = None
    _see(state, fact.by)


def _released(state: Review, _: FindingReleased) -> None:
    state.state, state.holder, state.proposal = "new", "", None


def _acknowledged(state: Review, fact: FindingAcknowledged) -> None:
    _see(state, fact.by)


def _see(state: Review, who: str) -> None:
    if who not in state.acknowledged_by:
        state.acknowledged_by = (*state.acknowledged_by, who)


def _noted(state: Review, fact: FindingNoted) -> None:
    state.notes = (*state.notes, NoteAdded(fact.by, fact.at, fact.text))


def _escalated(state: Review, fact: FindingEscalated) -> None:
    state.state, state.holder, state.escalated_to, state.proposal = "escalated", "", fact.to, None


def _proposed(state: Review, fact: DispositionProposed) -> None:
    state.state = "proposed"
    state.proposal = Proposal(fact.by, fact.disposition, fact.why, fact.edition)


def _rejected(state: Review, _: DispositionRejected) -> None:
    state.state, state.proposal = "claimed", None


def _closed(state: Review, fact: FindingClosed) -> None:
    state.state, state.closed, state.holder = "closed", fact, ""


def _reopened(state: Review, _: FindingReopened) -> None:
    state.state, state.closed, state.proposal, state.holder = "new", None, None, ""


_EVOLVE: dict[type[Fact], Callable[[Review, Any], None]] = {
    FindingClaimed: _claimed,
    FindingReleased: _released,
    FindingAcknowledged: _acknowledged,
    FindingNoted: _noted,
    FindingEscalated: _escalated,
    DispositionProposed: _proposed,
    DispositionRejected: _rejected,
    FindingClosed: _closed,
    FindingReopened: _reopened,
}


def evolve(state: Review, fact: Fact) -> Review:
    """Return the review after this record."""
    _EVOLVE[type(fact)](state, fact)
    state.version = fact.sequence
    state.keys.add(fact.source_key)
    return state


def fold(finding: str, facts: Iterable[Fact]) -> Review:
    """Return the review after these records."""
    state = initial(finding)
    for fact in facts:
        state = evolve(state, fact)
    return state


@once
def claim(state: Review, act: DeskAct, *, take_over: bool = False) -> list[Fact]:
    """Claim the finding; taking over another person's claim needs leave."""
    _open(state)
    if state.holder == act.who:
        raise RefusedError("already-so", "You have already claimed this finding.")
    if state.holder and not take_over:
        raise RefusedError("claimed-by-another", f"{state.holder} has claimed it. A manager may take it over.")
    return [FindingClaimed(**by(act), taken_over=bool(state.holder))]


@once
def release(state: Review, act: DeskAct, why: str = "") -> list[Fact]:
    """Return the finding to the queue."""
    _mine(state, act)
    return [FindingReleased(**by(act), why=why.strip())]


@once
def acknowledge(state: Review, act: DeskAct) -> list[Fact]:
    """Acknowledge the finding; a second time by one person changes nothing."""
    if act.who in state.acknowledged_by:
        return []
    return [FindingAcknowledged(**by(act))]


@once
def note(state: Review, act: DeskAct, text: str) -> list[Fact]:
    """Add a note, even to a closed finding."""
    return [FindingNoted(**by(act), text=words(text, "what you want to note"))]


@once
def escalate(state: Review, act: DeskAct, to: str, why: str) -> list[Fact]:
    """Escalate the finding."""
    _mine(state, act)
    return [FindingEscalated(**by(act), to=to, why=words(why, "why you escalate it"))]


@once
def close(
    state: Review, act: DeskAct, disposition: Disposition, why: str, *, severity: str, edition: int
) -> list[Fact]:
    """Close the finding, or propose to if a second person must agree."""
    _mine(state, act)
    reason = words(why, "what you checked and what you found")
    if state.proposal is not None:
        raise RefusedError("second-review-due", "A proposal already waits for a second person to agree.")
    if severity in TWO_PEOPLE:
        return [DispositionProposed(**by(act), disposition=disposition, why=reason, edition=edition)]
    return [FindingClosed(**by(act), disposition=disposition, why=reason, edition=edition)]


@once
def agree(state: Review, act: DeskAct, edition: int) -> list[Fact]:
    """Agree to the proposal, which closes the finding unless the finding was revised in the meantime."""
    proposal = _proposal(state, act)
    if edition != proposal.edition:
        raise RefusedError(
            "too-late", "The finding was revised after this proposal. Reject the proposal and review the finding again."
        )
    return [FindingClosed(**by(act), disposition=proposal.disposition, why=proposal.why, edition=edition)]


@once
def reject(state: Review, act: DeskAct, why: str) -> list[Fact]:
    """Reject the proposal, which returns the finding to its claimant."""
    _proposal(state, act)
    return [DispositionRejected(**by(act), why=words(why, "why you do not agree"))]


@once
def reopen(state: Review, act: DeskAct, why: str) -> list[Fact]:
    """Reopen a closed finding."""
    if state.closed is None:
        raise RefusedError("open", "The finding is already open.")
    return [FindingReopened(**by(act), why=words(why, "why you reopen it"))]


def changed_since(state: Review, edition: int) -> bool:
    """Whether the finding was revised after it was closed."""
    return state.closed is not None and edition > state.closed.edition


def _open(state: Review) -> None:
    if state.closed is not None:
        raise RefusedError("closed", f"{state.closed.by} closed it as {state.closed.disposition}. Reopen it first.")


def _mine(state: Review, act: DeskAct) -> None:
    _open(state)
    if not state.holder:
        raise RefusedError("not-claimed", "This finding is not assigned. Claim it first.")
    if state.holder != act.who:
        raise RefusedError(
            "not-yours",
            f"{state.holder} has claimed this finding. Ask them to release it, or a manager to take it over.",
        )


def _proposal(state: Review, act: DeskAct) -> Proposal:
    _open(state)
    if state.proposal is None:
        raise RefusedError(
            "nothing-proposed", "Nobody has proposed to close this finding. Propose a disposition first."
        )
    if state.proposal.by == act.who:
        raise RefusedError("same-person", "You made the proposal, so another person has to agree.")
    return state.proposal
