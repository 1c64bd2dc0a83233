"""Decisions: what players and the dealer decided, set, showed and announced."""

from typing import Literal

from domain.facts.envelope import Cards, Cents, Fact, Seat
from domain.facts.words import CardText, Street


class DecisionAsked(Fact, frozen=True, tag="decision-asked.1"):
    """The dealer asked a player to decide."""

    seat: Seat
    street: Street | None = None


class DecisionMade(Fact, frozen=True, tag="decision-made.1"):
    """A player decided."""

    seat: Seat
    decision: Literal[
        "check", "play", "fold", "play3", "play5", "surrender", "split", "natural", "declare", "void", "complete"
    ]
    street: Street | None = None
    cents: Cents | None = None


class CardsSelected(Fact, frozen=True, tag="cards-selected.1"):
    """A player selected and showed three cards for the 3 card bonus."""

    seat: Seat
    cards: tuple[CardText, ...]


class HandSet(Fact, frozen=True, tag="hand-set.1"):
    """A player or the dealer set a hand: the cards kept, and the number discarded."""

    kept: tuple[CardText, ...]
    seat: Seat | None = None  # none: the dealer
    second: tuple[CardText, ...] = ()
    discarded: Cards | None = None


class CardDiscarded(Fact, frozen=True, tag="card-discarded.1"):
    """A player put cards down as discards."""

    seat: Seat
    cards: tuple[CardText, ...] = ()
    count: Cards = 1


class DiscardsCollected(Fact, frozen=True, tag="discards-collected.1"):
    """The dealer collected and counted discards."""

    count: Cards
    seat: Seat | None = None
    exposed: bool = False


class HandRevealed(Fact, frozen=True, tag="hand-revealed.1"):
    """A hand was turned face up. Without a seat, it is the dealer's hand."""

    seat: Seat | None = None
    cards: tuple[CardText, ...] = ()


class HandAnnounced(Fact, frozen=True, tag="hand-announced.1"):
    """The dealer announced a hand, or that the dealer does not qualify."""

    hand: str
    seat: Seat | None = None
    of_cards: Cards = 5


class ThreeDesignated(Fact, frozen=True, tag="three-designated.1"):
    """The dealer set apart the three cards of the dealer's best three-card hand."""

    cards: tuple[CardText, ...]


class NaturalConfirmed(Fact, frozen=True, tag="natural-confirmed.1"):
    """The dealer confirmed a player's natural or instant winner."""

    seat: Seat
    confirmed: bool = True
