"""Money and cards that move at the end of a round, each with its amount, in order."""

from domain.facts.envelope import Cards, Cents, Fact, Seat
from domain.facts.words import CardText, Rack, Role, Wager


class WagerCollected(Fact, frozen=True, tag="wager-collected.1"):
    """A wager, or part of it, was collected."""

    seat: Seat
    wager: Wager
    cents: Cents | None = None
    reason: str = ""


class WagerPaid(Fact, frozen=True, tag="wager-paid.1"):
    """Winnings were paid on a wager. The stake is not included."""

    seat: Seat
    wager: Wager
    cents: Cents | None = None
    meter: str = ""


class WagerReturned(Fact, frozen=True, tag="wager-returned.1"):
    """A stake was returned to its player."""

    seat: Seat
    wager: Wager
    cents: Cents | None = None


class AwardVerified(Fact, frozen=True, tag="award-verified.1"):
    """A progressive or instant award was verified: the hand, the light, or a supervisor's approval."""

    seat: Seat
    what: str
    by: Role = "dealer"


class HandsCollected(Fact, frozen=True, tag="hands-collected.1"):
    """The cards of one position were collected."""

    seat: Seat | None = None  # none: the dealer's or the community cards
    of: str = "seat"
    count: Cards | None = None
    to: Rack = "discard-rack"
    cards: tuple[CardText, ...] = ()


class StubRemoved(Fact, frozen=True, tag="stub-removed.1"):
    """The stub was taken from the shoe or device."""

    cards: Cards | None = None


class StubCounted(Fact, frozen=True, tag="stub-counted.1"):
    """The stub was counted."""

    cards: Cards
    face_down: bool = True
    on_layout: bool = True
    by: Role = "dealer"


class MisdealDetermined(Fact, frozen=True, tag="misdeal-determined.1"):
    """The dealer determined whether the cards had been misdealt."""

    misdealt: bool
    of: str = ""


class StubDiscarded(Fact, frozen=True, tag="stub-discarded.1"):
    """The stub went to the discard rack."""

    exposed: bool = False


class RoundCompleted(Fact, frozen=True, tag="round-completed.1"):
    """The round ended, with all wagers paid or collected."""


class HandVoided(Fact, frozen=True, tag="hand-voided.1"):
    """One hand was declared void."""

    seat: Seat
    reason: str = ""


class RoundVoided(Fact, frozen=True, tag="round-voided.1"):
    """The round was declared void."""

    reason: str = ""
    by: Role = "dealer"


class RulingGiven(Fact, frozen=True, tag="ruling-given.1"):
    """A supervisor gave a ruling."""

    subject: str
    ruling: str
    by: Role
    seat: Seat | None = None
    wager: Wager | None = None
