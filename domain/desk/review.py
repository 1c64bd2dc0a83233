"""The review of one finding: claimed, acknowledged, escalated, closed with a disposition, by two where it must be.

A finding nobody has touched has no record here and is new. Who claims it is the only one to go on with it until it is
released or a manager takes it over. Closing what concerns money or integrity wants a second person who agrees; what
was closed is opened again where later evidence changed the finding, or somebody asks for it.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args

import msgspec

from domain.desk.acting import Act, Done, Noted, RefusedError, Words, by, once, words
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
# What closing needs two people for, on the scale of the vocabulary of findings.
TWO_PEOPLE = frozenset({"money", "integrity"})


class FindingClaimed(Done, frozen=True, tag="finding-claimed.1"):
    """Somebody took the finding on."""

    taken_over: bool = False


class FindingReleased(Done, frozen=True, tag="finding-released.1"):
    """Whoever had it gave it back to the queue."""

    why: str = ""


class FindingAcknowledged(Done, frozen=True, tag="finding-acknowledged.1"):
    """Somebody has seen it."""


class FindingNoted(Done, frozen=True, tag="finding-noted.1"):
    """Somebody made a remark about it."""

    text: Words


class FindingEscalated(Done, frozen=True, tag="finding-escalated.1"):
    """It was passed on to those who decide more."""

    to: Name
    why: str


class DispositionProposed(Done, frozen=True, tag="disposition-proposed.1"):
    """Whoever had it says what it was, for a second person to agree to."""

    disposition: Disposition
    why: str
    edition: Count  # of the finding, as it was seen


class DispositionRejected(Done, frozen=True, tag="disposition-rejected.1"):
    """A second person does not agree."""

    why: str


class FindingClosed(Done, frozen=True, tag="finding-closed.1"):
    """It is done with."""

    disposition: Disposition
    why: str
    edition: Count


class FindingReopened(Done, frozen=True, tag="finding-reopened.1"):
    """It is to be looked at again."""

    why: str


class Proposal(msgspec.Struct, frozen=True):
    """What somebody says a finding was."""

    by: str
    disposition: Disposition
    why: str
    edition: int


class Review(msgspec.Struct):
    """How far the review of a finding has come."""

    finding: str
    state: State = "new"
    holder: str = ""  # who has it
    held_since: int = 0
    acknowledged_by: tuple[str, ...] = ()
    escalated_to: str = ""
    proposal: Proposal | None = None
    closed: FindingClosed | None = None
    notes: tuple[Noted, ...] = ()
    keys: set[str] = set()  # of the acts done
    version: int = 0

    @property
    def id(self) -> str:
        """Its stream, as the event-sourcing library calls it."""
        return stream_of(self.finding)


def stream_of(finding: str) -> str:
    """The stream of a finding's review."""
    return f"review/{finding}"


def initial(finding: str) -> Review:
    """A finding nobody has touched."""
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
    state.notes = (*state.notes, Noted(fact.by, fact.at, fact.text))


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
    """The review after this record."""
    _EVOLVE[type(fact)](state, fact)
    state.version = fact.sequence
    state.keys.add(fact.source_key)
    return state


def fold(finding: str, facts: Iterable[Fact]) -> Review:
    """The review after these records."""
    state = initial(finding)
    for fact in facts:
        state = evolve(state, fact)
    return state


@once
def claim(state: Review, act: Act, *, take_over: bool = False) -> list[Fact]:
    """Takes the finding on; one that another has only with leave to take it over."""
    _open(state)
    if state.holder == act.who:
        raise RefusedError("already-so", "It is yours already.")
    if state.holder and not take_over:
        raise RefusedError("claimed-by-another", f"It is with {state.holder}. A manager may take it over.")
    return [FindingClaimed(**by(act), taken_over=bool(state.holder))]


@once
def release(state: Review, act: Act, why: str = "") -> list[Fact]:
    """Gives it back to the queue."""
    _mine(state, act)
    return [FindingReleased(**by(act), why=why.strip())]


@once
def acknowledge(state: Review, act: Act) -> list[Fact]:
    """Says that it was seen. Once seen by somebody it stays so for them."""
    if act.who in state.acknowledged_by:
        return []
    return [FindingAcknowledged(**by(act))]


@once
def note(state: Review, act: Act, text: str) -> list[Fact]:
    """A remark; anybody may make one, on what is closed too."""
    return [FindingNoted(**by(act), text=words(text, "what you want to remark"))]


@once
def escalate(state: Review, act: Act, to: str, why: str) -> list[Fact]:
    """Passes it on."""
    _mine(state, act)
    return [FindingEscalated(**by(act), to=to, why=words(why, "why it is passed on"))]


@once
def close(state: Review, act: Act, disposition: Disposition, why: str, *, severity: str, edition: int) -> list[Fact]:
    """Closes it, or proposes to where a second person has to agree."""
    _mine(state, act)
    reason = words(why, "what was looked at and what came of it")
    if state.proposal is not None:
        raise RefusedError("second-review-due", "It waits for a second person to agree.")
    if severity in TWO_PEOPLE:
        return [DispositionProposed(**by(act), disposition=disposition, why=reason, edition=edition)]
    return [FindingClosed(**by(act), disposition=disposition, why=reason, edition=edition)]


@once
def agree(state: Review, act: Act, edition: int) -> list[Fact]:
    """A second person agrees to what was proposed, which closes it; not to what was changed meanwhile."""
    proposal = _proposal(state, act)
    if edition != proposal.edition:
        raise RefusedError("too-late", "The finding was revised since this was proposed. Reject it, and look again.")
    return [FindingClosed(**by(act), disposition=proposal.disposition, why=proposal.why, edition=edition)]


@once
def reject(state: Review, act: Act, why: str) -> list[Fact]:
    """A second person does not agree: it goes back to whoever has it."""
    _proposal(state, act)
    return [DispositionRejected(**by(act), why=words(why, "why you do not agree"))]


@once
def reopen(state: Review, act: Act, why: str) -> list[Fact]:
    """Has a closed finding looked at again."""
    if state.closed is None:
        raise RefusedError("open", "It is open.")
    return [FindingReopened(**by(act), why=words(why, "why it is opened again"))]


def changed_since(state: Review, edition: int) -> bool:
    """Whether the finding was revised after it was closed."""
    return state.closed is not None and edition > state.closed.edition


def _open(state: Review) -> None:
    if state.closed is not None:
        raise RefusedError("closed", f"{state.closed.by} closed it as {state.closed.disposition}. Open it again first.")


def _mine(state: Review, act: Act) -> None:
    _open(state)
    if not state.holder:
        raise RefusedError("not-claimed", "This finding is not assigned. Claim it first.")
    if state.holder != act.who:
        raise RefusedError("not-yours", f"{state.holder} has it.")


def _proposal(state: Review, act: Act) -> Proposal:
    _open(state)
    if state.proposal is None:
        raise RefusedError("nothing-proposed", "Nobody has proposed to close it.")
    if state.proposal.by == act.who:
        raise RefusedError("same-person", "You proposed it: another person has to look.")
    return state.proposal
