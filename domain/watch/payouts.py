"""What became of each wager in chips: what its player was handed back in all, and what was left lying."""

from typing import NamedTuple

from domain.facts.payments import WagerCollected, WagerPaid
from domain.facts.wagers import ProgressiveCollected
from domain.table.round import Round
from domain.table.spots import Wagered

NO_STAKE = "envy"


class Handed(NamedTuple):
    """What a player got of one wager, and what of it was neither collected nor handed back."""

    back: int
    lying: int
    late: int = 0  # chips added after the betting closed, which are no part of the wager


def banked(told: Round, wager: str) -> bool:
    """Whether this wager's chip went into the rack before the deal, so that what is paid is the whole award."""
    if wager != "progressive" or not told.game.has_meters:
        return wager == NO_STAKE
    return bool(told.of(ProgressiveCollected)) or "progressive-collected" in told.unrecorded


def handed(told: Round, wagered: Wagered) -> Handed | None:
    """The account of one wager, movement by movement; None where an amount that matters was not seen."""
    if wagered.unseen:
        return None
    gone = banked(told, wagered.wager)
    lies, staked = wagered.cents, wagered.staked
    if not gone and (lies is None or staked is None):
        return None
    lying = 0 if gone else lies or 0
    late = 0 if gone else lying - (staked or 0)
    back = max(0, -late)  # what was taken back from a wager after the betting closed is the player's already
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
            back -= cents - from_layout  # more than lay there: the player gave it up again
        else:
            back += cents
    if paid:
        return Handed(back + lying, 0, max(0, late))
    return Handed(back, lying, max(0, late))
