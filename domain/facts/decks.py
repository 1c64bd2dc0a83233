"""Decks at the table: received, prepared, changed and removed."""

from typing import Literal

from domain.facts.envelope import Cards, Fact, Name
from domain.facts.words import Rack, Role


class DeckReceived(Fact, frozen=True, tag="deck-received.1"):
    """A deck, or a batch of decks, came to the table."""

    deck: Name
    cards: Cards | None = None
    decks: Cards = 1
    cover_cards: Cards | None = None
    cover_color: str = ""
    back_color: str = ""
    design: str = ""
    route: Literal["inspect", "preinspected"] = "inspect"
    preshuffled: bool = False
    from_place: str = ""


class DeckSorted(Fact, frozen=True, tag="deck-sorted.1"):
    """A deck was sorted into sequence."""

    deck: Name


class DeckInspected(Fact, frozen=True, tag="deck-inspected.1"):
    """A deck was inspected for defects."""

    deck: Name
    by: Role = "dealer"
    defects: Cards = 0


class InspectionVerified(Fact, frozen=True, tag="inspection-verified.1"):
    """The inspection of a deck was verified."""

    deck: Name
    by: Role


class CardsSpread(Fact, frozen=True, tag="cards-spread.1"):
    """Cards were spread on the table."""

    deck: Name
    face_up: bool | None = None


class CardsTurned(Fact, frozen=True, tag="cards-turned.1"):
    """Spread cards were turned over."""

    deck: Name
    face_up: bool


class CardsWashed(Fact, frozen=True, tag="cards-washed.1"):
    """Cards were mixed by washing."""

    deck: Name


class CardsStacked(Fact, frozen=True, tag="cards-stacked.1"):
    """Cards were put together into stacks."""

    deck: Name
    stacks: Cards = 1


class CoverCardIntroduced(Fact, frozen=True, tag="cover-card-introduced.1"):
    """A cover or cutting card was put into use."""

    card: Name
    color: str = ""
    role: Literal["cover", "cutting", "conceal"] = "cover"


class CoverCardPlaced(Fact, frozen=True, tag="cover-card-placed.1"):
    """A cover card was placed."""

    on: Literal["before-deck", "in-deck", "dealer-hand", "dealer-stack", "bottom", "shoe-end"]
    card: str = ""


class CoverCardRemoved(Fact, frozen=True, tag="cover-card-removed.1"):
    """A cover card was removed."""

    to: Rack
    card: str = ""


class DeckRemoved(Fact, frozen=True, tag="deck-removed.1"):
    """A deck was taken from the table."""

    deck: Name
    to: Rack | None = None
    reason: str = ""


class DeckChanged(Fact, frozen=True, tag="deck-changed.1"):
    """One deck replaced another."""

    old: Name
    new: Name
    reason: str = ""


class DiscardRackEmptied(Fact, frozen=True, tag="discard-rack-emptied.1"):
    """The discard rack was emptied."""

    deck: str = ""
