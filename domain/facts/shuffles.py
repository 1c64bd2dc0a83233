"""Shuffling, cutting and loading, by a person or a device, with the device's own count."""

from typing import Literal

from domain.facts.envelope import Cards, Fact, Name, Seat
from domain.facts.words import Method, Role


class ShuffleOrdered(Fact, frozen=True, tag="shuffle-ordered.1"):
    """A supervisor ordered a shuffle."""

    by: Role
    deck: str = ""
    reason: str = ""


class ShuffleStarted(Fact, frozen=True, tag="shuffle-started.1"):
    """A shuffle began."""

    deck: Name
    method: Method
    device: str = ""


class ShuffleCompleted(Fact, frozen=True, tag="shuffle-completed.1"):
    """A shuffle ended. A counting device reports how many cards it found."""

    deck: Name
    method: Method
    device: str = ""
    counted: Cards | None = None


class BatchSecured(Fact, frozen=True, tag="batch-secured.1"):
    """Shuffled cards were secured in the shuffler."""

    deck: Name
    device: str = ""


class BatchReleased(Fact, frozen=True, tag="batch-released.1"):
    """Shuffled cards were released from the shuffler and prepared for play."""

    deck: Name
    device: str = ""


class CutOffered(Fact, frozen=True, tag="cut-offered.1"):
    """The cut was offered to a player."""

    seat: Seat


class CutRefused(Fact, frozen=True, tag="cut-refused.1"):
    """The player declined to cut."""

    seat: Seat


class CutPerformed(Fact, frozen=True, tag="cut-performed.1"):
    """The deck was cut: the number of cards above the cover card, and in all."""

    deck: Name
    depth: Cards | None = None
    of_cards: Cards | None = None
    by: Role = "dealer"
    seat: Seat | None = None


class CutCompleted(Fact, frozen=True, tag="cut-completed.1"):
    """The cards below the cut were placed on top."""

    deck: Name


class RecutOrdered(Fact, frozen=True, tag="recut-ordered.1"):
    """A supervisor ordered another cut."""

    by: Role
    reason: str = ""


class CuttingCardInserted(Fact, frozen=True, tag="cutting-card-inserted.1"):
    """The cutting card was put into the stack, with this many cards behind it."""

    deck: Name
    cards_behind: Cards | None = None


class CuttingCardReached(Fact, frozen=True, tag="cutting-card-reached.1"):
    """The cutting card came out of the shoe."""

    position: Literal["seat", "dealer", "community", "burn"]
    seat: Seat | None = None
    card: str = ""


class ShoeLoaded(Fact, frozen=True, tag="shoe-loaded.1"):
    """Cards were put into the dealing shoe or device."""

    deck: Name
    by: Literal["dealer", "device"] = "dealer"
    device: str = ""
    cards: Cards | None = None


class ShoeEmptied(Fact, frozen=True, tag="shoe-emptied.1"):
    """The remaining cards were taken out of the shoe or device."""

    deck: Name
    device: str = ""
    cards: Cards | None = None


class ShoeRanOut(Fact, frozen=True, tag="shoe-ran-out.1"):
    """The shoe had no cards left to deal."""

    deck: str = ""
