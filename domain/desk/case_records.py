"""What can happen to a case: the records its story is told in."""

from typing import Literal

from domain.desk.acting import Done, Words
from domain.facts.envelope import Cents, Count, Microseconds, Name, Seat

Subject = Literal["dispute", "irregularity", "suspected-crime", "dealer-error", "close-watch", "other"]
Outcome = Literal["paid", "not-paid", "split", "no-fault", "fault-found", "referred", "withdrawn"]
PersonAs = Literal["player", "dealer", "supervisor", "witness", "claimant", "other"]


class CaseNumbered(Done, frozen=True, tag="case-numbered.1"):
    """The year's next number was given to a case."""

    number: Name


class CaseOpened(Done, frozen=True, tag="case-opened.1"):
    """An investigation began."""

    subject: Subject
    title: Words
    jurisdiction: str = ""
    happened_at: Microseconds | None = None  # what it is about; the clocks of a dispute run from it


class CaseAssigned(Done, frozen=True, tag="case-assigned.1"):
    """Somebody is to lead it."""

    to: Name


class FindingLinked(Done, frozen=True, tag="finding-linked.1"):
    """A finding belongs to it."""

    finding: Name


class HandLinked(Done, frozen=True, tag="hand-linked.1"):
    """A hand belongs to it: a round, and a seat of it where it is about one."""

    of_stream: Name
    of_round: Count
    seat: Seat | None = None


class PersonLinked(Done, frozen=True, tag="person-linked.1"):
    """A person belongs to it, by token or licence."""

    person: Name
    role: PersonAs


class LinkRemoved(Done, frozen=True, tag="link-removed.1"):
    """Something was linked by mistake."""

    what: Name
    why: str


class CaseNoted(Done, frozen=True, tag="case-noted.1"):
    """A remark."""

    text: Words


class ClaimMade(Done, frozen=True, tag="claim-made.1"):
    """A player claims a sum."""

    claims: Words
    cents: Cents | None = None


class RulingMade(Done, frozen=True, tag="ruling-made.1"):
    """Somebody in charge ruled on the claim."""

    ruling: Words
    ruled_by: Name
    cents: Cents | None = None


class VideoHeld(Done, frozen=True, tag="video-held.1"):
    """A stretch of video must not be overwritten; where nobody holds it, it is gone at the time given."""

    recorder: Name
    channel: str
    from_at: Microseconds
    to_at: Microseconds
    gone_at: Microseconds | None = None


class VideoSecured(Done, frozen=True, tag="video-secured.1"):
    """The stretch was copied, and where to."""

    recorder: Name
    channel: str
    from_at: Microseconds
    copied_to: Name


class CaseSealed(Done, frozen=True, tag="case-sealed.1"):
    """Only these may see it from here on."""

    for_people: tuple[Name, ...]
    why: str


class CaseUnsealed(Done, frozen=True, tag="case-unsealed.1"):
    """Whoever may see cases may see it again."""

    why: str


class CaseClosed(Done, frozen=True, tag="case-closed.1"):
    """The investigation ended."""

    outcome: Outcome
    why: str
    cents: Cents | None = None


class CaseReopened(Done, frozen=True, tag="case-reopened.1"):
    """It goes on."""

    why: str
