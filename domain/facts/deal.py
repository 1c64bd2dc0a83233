"""The deal: every card that left the shoe, where it went, and every dealing error."""

from typing import Literal

from domain.facts.envelope import Cards, Fact, Name, Seat
from domain.facts.words import CardText, Place, Rack, Source


class RoundOpened(Fact, frozen=True, tag="round-opened.1"):
    """A round began, dealt from this deck or shoe."""

    deck: str = ""


class CardDealt(Fact, frozen=True, tag="card-dealt.1"):
    """One card was dealt to a place. The card may be unknown."""

    to: Place
    seat: Seat | None = None
    slot: Cards | None = None
    card: CardText = "??"
    face_up: bool = False
    source_of_card: Source | None = None


class StackDispensed(Fact, frozen=True, tag="stack-dispensed.1"):
    """A device dispensed a stack of cards."""

    size: Cards
    device: str = ""
    cards: tuple[CardText, ...] = ()


class StackDelivered(Fact, frozen=True, tag="stack-delivered.1"):
    """A dispensed stack was delivered to a place."""

    to: Place
    seat: Seat | None = None
    size: Cards | None = None
    face_up: bool = False
    cards: tuple[CardText, ...] = ()


class SlotAssigned(Fact, frozen=True, tag="slot-assigned.1"):
    """A community card was assigned its position in front of the dealer."""

    slot: Literal["left", "middle", "right"]
    index: Cards
    card: CardText = "??"


class CardBurned(Fact, frozen=True, tag="card-burned.1"):
    """A card was burned."""

    reason: Literal["shoe", "dealer", "community", "flop", "turn-river", ""] = ""
    face_up: bool = False
    to: Rack = "discard-rack"
    card: CardText = "??"


class CommunityRevealed(Fact, frozen=True, tag="community-revealed.1"):
    """Face-down community cards were turned up."""

    cards: tuple[CardText, ...] = ()


class BoxRevealed(Fact, frozen=True, tag="box-revealed.1"):
    """The cards of the six card bonus box were turned up."""

    cards: tuple[CardText, ...] = ()


class CardFoundFaceUp(Fact, frozen=True, tag="card-found-face-up.1"):
    """A card was found face up in the shoe or deck."""

    card: CardText = "??"
    to: Rack = "discard-rack"


class CardDrawnInError(Fact, frozen=True, tag="card-drawn-in-error.1"):
    """A card was drawn when none was due."""

    card: CardText = "??"
    exposed: bool = False


class CardExposed(Fact, frozen=True, tag="card-exposed.1"):
    """The face of a face-down card was seen."""

    of: Place
    seat: Seat | None = None
    card: CardText = "??"


class CardSetAside(Fact, frozen=True, tag="card-set-aside.1"):
    """A card was taken out of the round and put into the rack."""

    card: CardText = "??"
    to: Rack = "discard-rack"


class MarkerPlaced(Fact, frozen=True, tag="marker-placed.1"):
    """The dealing marker was placed before the dealer or a seat."""

    position: Literal["dealer", "seat"]
    seat: Seat | None = None


class HandsDetermined(Fact, frozen=True, tag="hands-determined.1"):
    """A device reported how many hands were dealt."""

    device: Name
    hands: Cards
