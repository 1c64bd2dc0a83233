"""An investigation: its findings, hands and people, notes, deadlines, and video to keep.

Everything said in a case stays on record. A case is closed with an outcome and may be reopened. A sealed case is
visible only to the people named in the seal, which may exclude its own authors, as a regulator may require.
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from domain.desk.acting import DeskAct, NoteAdded, RefusedError, by, once, words
from domain.desk.case_records import (
    CaseAssigned,
    CaseClosed,
    CaseNoted,
    CaseOpened,
    CaseReopened,
    CaseSealed,
    CaseUnsealed,
    ClaimMade,
    FindingLinked,
    HandLinked,
    LinkRemoved,
    Outcome,
    PersonAs,
    PersonLinked,
    RulingMade,
    Subject,
    VideoHeld,
    VideoSecured,
)
from domain.facts.envelope import Fact


class VideoHold(msgspec.Struct, frozen=True):
    """A stretch of video to keep."""

    recorder: str
    channel: str
    from_at: int
    to_at: int
    gone_at: int | None
    copied_to: str = ""

    @property
    def place(self) -> tuple[str, str, int]:
        """The identity of this stretch: its recorder, channel and start."""
        return self.recorder, self.channel, self.from_at


class Case(msgspec.Struct):
    """A case in its current state."""

    number: str
    opened: CaseOpened | None = None
    lead: str = ""
    findings: tuple[str, ...] = ()
    hands: tuple[HandLinked, ...] = ()
    people: tuple[PersonLinked, ...] = ()
    notes: tuple[NoteAdded, ...] = ()
    claim: ClaimMade | None = None
    ruling: RulingMade | None = None
    holds: tuple[VideoHold, ...] = ()
    sealed: CaseSealed | None = None
    closed: CaseClosed | None = None
    keys: set[str] = set()
    version: int = 0

    @property
    def id(self) -> str:
        """The name of its stream in the event-sourcing library."""
        return stream_of(self.number)


def stream_of(number: str) -> str:
    """Return the stream of a case."""
    return f"case/{number}"


def initial(number: str) -> Case:
    """Return a case before it is opened."""
    return Case(number)


def hand_name(fact: HandLinked) -> str:
    """Return the name of a linked hand."""
    seat = "" if fact.seat is None else f" seat {fact.seat}"
    return f"{fact.of_stream} round {fact.of_round}{seat}"


def _opened(state: Case, fact: CaseOpened) -> None:
    state.opened, state.lead = fact, fact.by


def _assigned(state: Case, fact: CaseAssigned) -> None:
    state.lead = fact.to


def _finding(state: Case, fact: FindingLinked) -> None:
    state.findings = (*state.findings, fact.finding)


def _hand(state: Case, fact: HandLinked) -> None:
    state.hands = (*state.hands, fact)


def _person(state: Case, fact: PersonLinked) -> None:
    state.people = (*state.people, fact)


def _unlinked(state: Case, fact: LinkRemoved) -> None:
    state.findings = tuple(each for each in state.findings if each != fact.what)
    state.hands = tuple(each for each in state.hands if hand_name(each) != fact.what)
    state.people = tuple(each for each in state.people if each.person != fact.what)


def _noted(state: Case, fact: CaseNoted) -> None:
    state.notes = (*state.notes, NoteAdded(fact.by, fact.at, fact.text))


def _claim(state: Case, fact: ClaimMade) -> None:
    state.claim = fact


def _ruling(state: Case, fact: RulingMade) -> None:
    state.ruling = fact


def _held(state: Case, fact: VideoHeld) -> None:
    state.holds = (*state.holds, VideoHold(fact.recorder, fact.channel, fact.from_at, fact.to_at, fact.gone_at))


def _secured(state: Case, fact: VideoSecured) -> None:
    place = (fact.recorder, fact.channel, fact.from_at)
    state.holds = tuple(
        msgspec.structs.replace(hold, copied_to=fact.copied_to) if hold.place == place else hold for hold in state.holds
    )


def _sealed(state: Case, fact: CaseSealed) -> None:
    state.sealed = fact


def _unsealed(state: Case, _: CaseUnsealed) -> None:
    state.sealed = None


def _closed(state: Case, fact: CaseClosed) -> None:
    state.closed = fact


def _reopened(state: Case, _: CaseReopened) -> None:
    state.closed = None


_EVOLVE: dict[type[Fact], Callable[[Case, Any], None]] = {
    CaseOpened: _opened,
    CaseAssigned: _assigned,
    FindingLinked: _finding,
    HandLinked: _hand,
    PersonLinked: _person,
    LinkRemoved: _unlinked,
    CaseNoted: _noted,
    ClaimMade: _claim,
    RulingMade: _ruling,
    VideoHeld: _held,
    VideoSecured: _secured,
    CaseSealed: _sealed,
    CaseUnsealed: _unsealed,
    CaseClosed: _closed,
    CaseReopened: _reopened,
}


def evolve(state: Case, fact: Fact) -> Case:
    """Return the case after this record."""
    _EVOLVE[type(fact)](state, fact)
    state.version = fact.sequence
    state.keys.add(fact.source_key)
    return state


def fold(number: str, facts: Iterable[Fact]) -> Case:
    """Return the case after these records."""
    state = initial(number)
    for fact in facts:
        state = evolve(state, fact)
    return state


@once
def open_case(
    state: Case, act: DeskAct, subject: Subject, title: str, *, jurisdiction: str = "", happened_at: int | None = None
) -> list[Fact]:
    """Open an investigation."""
    if state.opened is not None:
        raise RefusedError("already-there", f"Case {state.number} already exists. {state.opened.by} opened it.")
    named = words(title, "what the case is about")
    return [CaseOpened(**by(act), subject=subject, title=named, jurisdiction=jurisdiction, happened_at=happened_at)]


@once
def assign(state: Case, act: DeskAct, to: str) -> list[Fact]:
    """Assign a lead."""
    _may_act(state, act)
    lead = words(to, "who will lead it")
    return [] if state.lead == lead else [CaseAssigned(**by(act), to=lead)]


@once
def link_finding(state: Case, act: DeskAct, finding: str) -> list[Fact]:
    """Link a finding; linking it twice changes nothing."""
    _may_act(state, act)
    return [] if finding in state.findings else [FindingLinked(**by(act), finding=finding)]


@once
def link_hand(state: Case, act: DeskAct, stream: str, round_number: int, seat: int | None = None) -> list[Fact]:
    """Link a hand; linking it twice changes nothing."""
    _may_act(state, act)
    made = HandLinked(**by(act), of_stream=stream, of_round=round_number, seat=seat)
    return [] if hand_name(made) in map(hand_name, state.hands) else [made]


@once
def link_person(state: Case, act: DeskAct, person: str, role: PersonAs) -> list[Fact]:
    """Link a person."""
    _may_act(state, act)
    there = any(each.person == person and each.role == role for each in state.people)
    return [] if there else [PersonLinked(**by(act), person=words(person, "who it is"), role=role)]


@once
def unlink(state: Case, act: DeskAct, what: str, why: str) -> list[Fact]:
    """Remove a mistaken link; the record keeps both the link and its removal."""
    _may_act(state, act)
    linked = {*state.findings, *map(hand_name, state.hands), *(each.person for each in state.people)}
    if what not in linked:
        raise RefusedError("not-there", f"{what} is not linked to case {state.number}.")
    return [LinkRemoved(**by(act), what=what, why=words(why, "why it does not belong here"))]


@once
def note(state: Case, act: DeskAct, text: str) -> list[Fact]:
    """Add a note, even to a closed case."""
    _may_see(state, act.who)
    return [CaseNoted(**by(act), text=words(text, "what you want to note"))]


@once
def make_claim(state: Case, act: DeskAct, claims: str, cents: int | None = None) -> list[Fact]:
    """Record the player's claim."""
    _may_act(state, act)
    return [ClaimMade(**by(act), claims=words(claims, "what is claimed"), cents=cents)]


@once
def rule(state: Case, act: DeskAct, ruling: str, ruled_by: str, cents: int | None = None) -> list[Fact]:
    """Record the ruling."""
    _may_act(state, act)
    who = words(ruled_by, "who ruled")
    return [RulingMade(**by(act), ruling=words(ruling, "what was ruled"), ruled_by=who, cents=cents)]


@once
def hold_video(state: Case, act: DeskAct, hold: VideoHold) -> list[Fact]:
    """Order a stretch of video to be kept."""
    _may_act(state, act)
    if hold.to_at <= hold.from_at:
        raise RefusedError("too-late", "The end of the video is before its beginning. Enter a later end.")
    if any(each.place == hold.place for each in state.holds):
        return []
    return [
        VideoHeld(
            **by(act),
            recorder=hold.recorder,
            channel=hold.channel,
            from_at=hold.from_at,
            to_at=hold.to_at,
            gone_at=hold.gone_at,
        )
    ]


@once
def secure_video(state: Case, act: DeskAct, place: tuple[str, str, int], copied_to: str) -> list[Fact]:
    """Record the copy of held video."""
    _may_act(state, act)
    if not any(each.place == place for each in state.holds):
        raise RefusedError(
            "not-there",
            f"No video of {place[0]} {place[1]} is held from that time. Check the recorder, channel and start.",
        )
    recorder, channel, from_at = place
    to = words(copied_to, "where the copy is")
    return [VideoSecured(**by(act), recorder=recorder, channel=channel, from_at=from_at, copied_to=to)]


@once
def seal(state: Case, act: DeskAct, people: Iterable[str], why: str) -> list[Fact]:
    """Seal the case, so that only these people may see it."""
    _may_see(state, act.who)
    named = tuple(dict.fromkeys(who.strip() for who in people if who.strip()))
    if not named:
        raise RefusedError(
            "words-missing", "Name at least one person who may see it: otherwise nobody could unseal it."
        )
    return [CaseSealed(**by(act), for_people=named, why=words(why, "why it is sealed"))]


@once
def unseal(state: Case, act: DeskAct, why: str) -> list[Fact]:
    """Unseal the case."""
    if state.sealed is None:
        raise RefusedError("already-so", "The case is not sealed.")
    _may_see(state, act.who)
    return [CaseUnsealed(**by(act), why=words(why, "why it no longer needs a seal"))]


@once
def close(state: Case, act: DeskAct, outcome: Outcome, why: str, cents: int | None = None) -> list[Fact]:
    """Close the case; held video must be copied first, because it would be lost."""
    _may_act(state, act)
    waiting = [hold for hold in state.holds if not hold.copied_to]
    if waiting:
        raise RefusedError(
            "open", f"Video of {waiting[0].recorder} is held but not copied yet. Copy it and record where the copy is."
        )
    return [CaseClosed(**by(act), outcome=outcome, why=words(why, "the outcome"), cents=cents)]


@once
def reopen(state: Case, act: DeskAct, why: str) -> list[Fact]:
    """Reopen the case."""
    _may_see(state, act.who)
    if state.closed is None:
        raise RefusedError("open", "The case is already open.")
    return [CaseReopened(**by(act), why=words(why, "why you reopen it"))]


def seen_by(state: Case, who: str) -> bool:
    """Whether this person may see the case if it is sealed."""
    return state.sealed is None or who in state.sealed.for_people


def _may_see(state: Case, who: str) -> None:
    if state.opened is None:
        raise RefusedError("not-there", f"There is no case {state.number}.")
    if not seen_by(state, who):
        raise RefusedError("sealed", f"Case {state.number} is sealed.")


def _may_act(state: Case, act: DeskAct) -> None:
    _may_see(state, act.who)
    if state.closed is not None:
        raise RefusedError("closed", f"{state.closed.by} closed the case: {state.closed.outcome}. Reopen it first.")
