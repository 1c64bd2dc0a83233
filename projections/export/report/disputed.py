"""What a dispute pack is made of: one hand and what surrounds it, the claim, the ruling, the clocks, the video."""

from datetime import date, datetime

import msgspec

from domain.watch.reconstruction import Reconstruction, Step
from projections.export.report.told import Attached, Edition


class Neighbour(msgspec.Struct, frozen=True):
    """The round before, or the one after."""

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
    """The case a dispute is kept under."""

    number: str
    title: str
    lead: str
    state: str
    jurisdiction: str


class Said(msgspec.Struct, frozen=True):
    """A claim, or a ruling on it: who said what, and about which sum."""

    says: str
    by: str
    at: datetime
    cents: int | None = None


class Clock(msgspec.Struct, frozen=True):
    """Something that ends on a day, and who says so."""

    name: str
    until: date | None
    source: str


class Video(msgspec.Struct, frozen=True):
    """Where the hand can be seen."""

    recorder: str
    channel: str
    stretch: str  # from when to when, or the time codes
    kept: str  # copied to a place, held, or until when it lies there


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a dispute pack says."""

    property: str
    zone: str
    software: str
    as_of: datetime  # of the newest record it rests on; the only time the file bears
    to_sequence: int  # the last fact of the day it rests on, and its hash
    head: str
    hand: Reconstruction
    edition: Edition
    clauses: dict[str, str]  # those that decide its wagers
    seat: int | None = None  # whose hand is disputed
    neighbours: tuple[Neighbour, ...] = ()
    around: tuple[Step, ...] = ()  # facts before and after the round that belong to no other
    case: CaseHead | None = None
    claim: Said | None = None
    ruling: Said | None = None
    at_the_table: tuple[Step, ...] = ()  # rulings on record in the hand itself
    clocks: tuple[Clock, ...] = ()
    video: tuple[Video, ...] = ()
    attached: tuple[Attached, ...] = ()


def name_of(dispute: Dispute) -> str:
    """The hand in question."""
    seat = "" if dispute.seat is None else f", seat {dispute.seat}"
    return f"{dispute.hand.stream} round {dispute.hand.round}{seat}"
