"""Table money outside the rounds: fills, credits, drop and buy-ins."""

from domain.facts.envelope import Cents, Fact, Seat


class FillReceived(Fact, frozen=True, tag="fill-received.1"):
    """Chips came to the table."""

    slip: str  # empty if there was none; a source that does not sign its lines may leave it out
    cents: Cents


class CreditSent(Fact, frozen=True, tag="credit-sent.1"):
    """Chips left the table."""

    slip: str  # as in a fill
    cents: Cents


class BoughtIn(Fact, frozen=True, tag="bought-in.1"):
    """A player bought chips at the table."""

    seat: Seat | None = None
    player: str = ""
    cents: Cents | None = None


class DropCounted(Fact, frozen=True, tag="drop-counted.1"):
    """The drop box was counted."""

    cents: Cents


class InventoryCounted(Fact, frozen=True, tag="inventory-counted.1"):
    """The chips in the table inventory were counted."""

    cents: Cents
    why: str = ""
