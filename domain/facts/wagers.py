"""Wagers before and during a round, and the call that closes them."""

from domain.facts.envelope import Cents, Fact, Rounds, Seat
from domain.facts.words import Form, Wager


class WagerPlaced(Fact, frozen=True, tag="wager-placed.1"):
    """A wager was placed; an amount nobody saw is left out."""

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
    """A wager was taken back."""

    seat: Seat
    wager: Wager


class BetsClosed(Fact, frozen=True, tag="bets-closed.1"):
    """The dealer announced "No more bets"."""


class ProgressiveAccepted(Fact, frozen=True, tag="progressive-accepted.1"):
    """The progressive system acknowledged a wager at a position."""

    seat: Seat
    cents: Cents | None = None


class ProgressiveLockedOut(Fact, frozen=True, tag="progressive-locked-out.1"):
    """The progressive system was closed to further wagers."""


class ProgressiveCollected(Fact, frozen=True, tag="progressive-collected.1"):
    """Progressive chips were collected and counted against the system."""

    chips: Rounds
    accepted: Rounds | None = None


class ProgressiveBanked(Fact, frozen=True, tag="progressive-banked.1"):
    """Progressive chips went into the table inventory."""

    chips: Rounds


class MeterRead(Fact, frozen=True, tag="meter-read.1"):
    """A progressive meter stood at this amount."""

    meter: str
    cents: Cents


class MeterIncremented(Fact, frozen=True, tag="meter-incremented.1"):
    """A progressive meter rose."""

    meter: str
    by_cents: Cents
    cents: Cents | None = None


class MeterReset(Fact, frozen=True, tag="meter-reset.1"):
    """A progressive meter fell back after an award."""

    meter: str
    cents: Cents
