"""Players at the table, as opaque tokens: who they are stands outside the record."""

from typing import Literal

from domain.facts.envelope import Fact, Name, Seat


class PlayerArrived(Fact, frozen=True, tag="player-arrived.1"):
    """The first player came to an open table without play."""

    player: Name


class PlayerSeated(Fact, frozen=True, tag="player-seated.1"):
    """A player sat down."""

    seat: Seat
    player: Name


class PlayerLeft(Fact, frozen=True, tag="player-left.1"):
    """A player left the seat."""

    seat: Seat
    player: str = ""


class InspectionOffered(Fact, frozen=True, tag="inspection-offered.1"):
    """A player was given the chance to look the cards over."""

    player: str = ""
    deck: str = ""


class PlayerAsked(Fact, frozen=True, tag="player-asked.1"):
    """A player asked for something the rules let a player ask."""

    request: Literal["spread", "face-up", "recount", "shuffle"]
    seat: Seat | None = None
    deck: str = ""
