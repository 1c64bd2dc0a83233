"""Players at the table, as opaque tokens; the record holds no names."""

from typing import Literal

from domain.facts.envelope import Fact, Name, Seat


class PlayerArrived(Fact, frozen=True, tag="player-arrived.1"):
    """The first player arrived at an open table that had no play."""

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
    """A player was offered a look at the cards."""

    player: str = ""
    deck: str = ""


class PlayerAsked(Fact, frozen=True, tag="player-asked.1"):
    """A player asked for something the rules allow a player to ask for."""

    request: Literal["spread", "face-up", "recount", "shuffle"]
    seat: Seat | None = None
    deck: str = ""
