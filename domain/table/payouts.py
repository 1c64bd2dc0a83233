"""The chips of each wager: the total handed back to its player, and what stayed on the layout."""

from typing import NamedTuple

from domain.facts.payments import WagerCollected, WagerPaid
from domain.facts.wagers import ProgressiveCollected
from domain.table.round import RoundInPlay
from domain.table.spots import Wagered

NO_STAKE = "envy"


class Handed(NamedTuple):
    """The chips that a player got for one wager, and those neither collected nor handed back."""

    back: int
    lying: int
    late: int = 0  # chips added after betting closed, not part of the wager


def banked(told: RoundInPlay, wager: str) -> bool:
    """Whether this wager's chip went into the rack before the deal, so that the payment is the whole award."""
    if wager != "progressive" or not told.game.has_meters:
        return wager == NO_STAKE
    return bool(told.of(ProgressiveCollected)) or "progressive-collected" in told.unrecorded


def handed(told: RoundInPlay, wagered: Wagered) -> Handed | None:
    """Add up the movements of one wager, or return None if an amount that matters was not seen."""
    if wagered.unseen:
        return None
    gone = banked(told, wagered.wager)
    lies, staked = wagered.cents, wagered.staked
    if not gone and (lies is None or staked is None):
        return None
    lying = 0 if gone else lies or 0
    late = 0 if gone else lying - (staked or 0)
    back = max(0, -late)  # chips removed after betting closed stay with the player
    paid = False
    for move in wagered.moves:
        cents: int = move.cents  # type: ignore[attr-defined]
        if type(move) is WagerPaid:
            back += cents
            paid = paid or cents > 0
            continue
        from_layout = min(cents, lying)
        lying -= from_layout
        if type(move) is WagerCollected:
            back -= cents - from_layout  # collected beyond the wager: the player gave it back
        else:
            back += cents
    if paid:
        return Handed(back + lying, 0, max(0, late))
    return Handed(back, lying, max(0, late))
