"""The way a wager was settled, compared with the amount owed."""

from domain.facts.payments import WagerCollected, WagerPaid, WagerReturned
from domain.settlement.outcome import Settlement
from domain.table.spots import Wagered

PAID, LEFT, TAKEN, UNSEEN = "paid", "left", "taken", "?"


def handled(wagered: Wagered) -> str:
    """Return whether a wager was paid, left or taken; a coupon kept on a win is no loss."""
    if not wagered.unseen:
        if wagered.paid_cents:
            return PAID
        if wagered.collected_cents and not wagered.returned_cents:
            return TAKEN
    kinds = {type(move) for move in wagered.moves}
    if WagerPaid in kinds:
        return PAID
    if kinds == {WagerCollected}:
        return TAKEN
    return LEFT if kinds == {WagerReturned} else UNSEEN


def as_owed(settlement: Settlement, seat: int, wagered: Wagered) -> bool | None:
    """Whether a wager got the amount owed, or None if that is unknown."""
    outcome = settlement.seats.get(seat, {}).get(wagered.wager)
    if outcome is None or outcome.returned is None or wagered.staked is None or wagered.unseen or not wagered.moves:
        return None
    return wagered.staked - wagered.collected_cents + wagered.paid_cents == outcome.returned
