"""The data of a dispute pack: one hand and its surroundings, the claim, the ruling, the clocks, the video."""

from datetime import date, datetime

import msgspec

from domain.watch.reconstruction import Reconstruction, Step
from projections.export.report.told import Attached, ReportEdition


class Neighbour(msgspec.Struct, frozen=True):
    """The round before or after."""

    relation: str
    round: int
    began: int
    ended: int
    dealer: str
    void: bool
    hands: int
    staked_cents: int | None
    back_cents: int | None
    findings: int


class CaseHead(msgspec.Struct, frozen=True):
    """The case of a dispute."""

    number: str
    title: str
    lead: str
    state: str
    jurisdiction: str


class DisputeStatement(msgspec.Struct, frozen=True):
    """A claim, or a ruling on it: who said what, and about which amount."""

    says: str
    by: str
    at: datetime
    cents: int | None = None


class Clock(msgspec.Struct, frozen=True):
    """A deadline, and its source."""

    name: str
    until: date | None
    source: str


class Video(msgspec.Struct, frozen=True):
    """A video recording of the hand."""

    recorder: str
    channel: str
    stretch: str  # start and end, or the time codes
    kept: str  # where it was copied, that it is held, or until when it is stored


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """The whole content of a dispute pack."""

    property: str
    zone: str
    software: str
    as_of: datetime  # the time of the newest record used; the only date in the file
    to_sequence: int  # the last fact of the day that it uses
    head: str
    hand: Reconstruction
    edition: ReportEdition
    clauses: dict[str, str]  # those that decide its wagers
    seat: int | None = None  # the disputed seat
    neighbours: tuple[Neighbour, ...] = ()
    around: tuple[Step, ...] = ()  # facts before and after the round that belong to no other
    case: CaseHead | None = None
    claim: DisputeStatement | None = None
    ruling: DisputeStatement | None = None
    at_the_table: tuple[Step, ...] = ()  # rulings on record in the hand itself
    clocks: tuple[Clock, ...] = ()
    video: tuple[Video, ...] = ()
    attached: tuple[Attached, ...] = ()


def name_of(dispute: Dispute) -> str:
    """Return the name of the hand in question."""
    seat = "" if dispute.seat is None else f", seat {dispute.seat}"
    return f"{dispute.hand.stream} round {dispute.hand.round}{seat}"
