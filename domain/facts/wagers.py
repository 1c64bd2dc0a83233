"""Wagers before and during a round, and the call that closes betting."""

from domain.facts.envelope import Cents, Fact, Rounds, Seat
from domain.facts.words import Form, Wager


class WagerPlaced(Fact, frozen=True, tag="wager-placed.1"):
    """A wager was placed. An unseen amount is left out."""

    seat: Seat
    wager: Wager
    cents: Cents | None = None
    form: Form = "chips"
    coupon_cents: Cents = 0
    player: str = ""
    area: str = ""


class WagerChanged(Fact, frozen=True, tag="wager-changed.1"):
    """The amount of a wager changed."""

    seat: Seat
    wager: Wager
    cents: Cents | None = None
    by: str = ""


class WagerWithdrawn(Fact, frozen=True, tag="wager-withdrawn.1"):
    """A wager was withdrawn."""

    seat: Seat
    wager: Wager


class BetsClosed(Fact, frozen=True, tag="bets-closed.1"):
    """The dealer announced "No more bets"."""


class ProgressiveAccepted(Fact, frozen=True, tag="progressive-accepted.1"):
    """The progressive system acknowledged a wager at a seat."""

    seat: Seat
    cents: Cents | None = None


class ProgressiveLockedOut(Fact, frozen=True, tag="progressive-locked-out.1"):
    """The progressive system was locked against further wagers."""


class ProgressiveCollected(Fact, frozen=True, tag="progressive-collected.1"):
    """Progressive chips were collected, and their count compared with the system's."""

    chips: Rounds
    accepted: Rounds | None = None


class ProgressiveBanked(Fact, frozen=True, tag="progressive-banked.1"):
    """Progressive chips went into the table inventory."""

    chips: Rounds


class MeterRead(Fact, frozen=True, tag="meter-read.1"):
    """A progressive meter showed this amount."""

    meter: str
    cents: Cents


class MeterIncremented(Fact, frozen=True, tag="meter-incremented.1"):
    """A progressive meter increased."""

    meter: str
    by_cents: Cents
    cents: Cents | None = None


class MeterReset(Fact, frozen=True, tag="meter-reset.1"):
    """A progressive meter was reset after an award."""

    meter: str
    cents: Cents
