"""The records of a case."""

from typing import Literal

from domain.desk.acting import ActRecord, Words
from domain.facts.envelope import Cents, Count, Microseconds, Name, Seat

Subject = Literal["dispute", "irregularity", "suspected-crime", "dealer-error", "close-watch", "other"]
Outcome = Literal["paid", "not-paid", "split", "no-fault", "fault-found", "referred", "withdrawn"]
PersonAs = Literal["player", "dealer", "supervisor", "witness", "claimant", "other"]


class CaseNumbered(ActRecord, frozen=True, tag="case-numbered.1"):
    """The record that a case received the year's next number."""

    number: Name


class CaseOpened(ActRecord, frozen=True, tag="case-opened.1"):
    """The record that an investigation began."""

    subject: Subject
    title: Words
    jurisdiction: str = ""
    happened_at: Microseconds | None = None  # when the disputed event happened; the deadlines of a dispute run from it


class CaseAssigned(ActRecord, frozen=True, tag="case-assigned.1"):
    """The record that a person was assigned as lead."""

    to: Name


class FindingLinked(ActRecord, frozen=True, tag="finding-linked.1"):
    """The record that a finding was linked."""

    finding: Name


class HandLinked(ActRecord, frozen=True, tag="hand-linked.1"):
    """The record that a hand was linked: a round, and one of its seats if the case is about one."""

    of_stream: Name
    of_round: Count
    seat: Seat | None = None


class PersonLinked(ActRecord, frozen=True, tag="person-linked.1"):
    """The record that a person was linked, by token or license."""

    person: Name
    role: PersonAs


class LinkRemoved(ActRecord, frozen=True, tag="link-removed.1"):
    """The record that a mistaken link was removed."""

    what: Name
    why: str


class CaseNoted(ActRecord, frozen=True, tag="case-noted.1"):
    """The record of a note."""

    text: Words


class ClaimMade(ActRecord, frozen=True, tag="claim-made.1"):
    """The record that a player claims an amount."""

    claims: Words
    cents: Cents | None = None


class RulingMade(ActRecord, frozen=True, tag="ruling-made.1"):
    """The record of a ruling on the claim."""

    ruling: Words
    ruled_by: Name
    cents: Cents | None = None


class VideoHeld(ActRecord, frozen=True, tag="video-held.1"):
    """The record that a stretch of video must be kept; without a hold, it is overwritten at the time given."""

    recorder: Name
    channel: str
    from_at: Microseconds
    to_at: Microseconds
    gone_at: Microseconds | None = None


class VideoSecured(ActRecord, frozen=True, tag="video-secured.1"):
    """The record that the video was copied, and where the copy is."""

    recorder: Name
    channel: str
    from_at: Microseconds
    copied_to: Name


class CaseSealed(ActRecord, frozen=True, tag="case-sealed.1"):
    """The record that only these people may see the case from here on."""

    for_people: tuple[Name, ...]
    why: str


class CaseUnsealed(ActRecord, frozen=True, tag="case-unsealed.1"):
    """The record that everyone with the right to see cases may see it again."""

    why: str


class CaseClosed(ActRecord, frozen=True, tag="case-closed.1"):
    """The record that the investigation ended."""

    outcome: Outcome
    why: str
    cents: Cents | None = None


class CaseReopened(ActRecord, frozen=True, tag="case-reopened.1"):
    """The record that the investigation was reopened."""

    why: str
