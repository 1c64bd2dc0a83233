"""The wagers of a round as they were placed: when betting closed, what came late, what was changed, what lay there."""

import msgspec

from domain.facts.deal import CardDealt, CommunityRevealed
from domain.facts.decisions import DecisionMade
from domain.facts.envelope import Fact
from domain.facts.wagers import BetsClosed, WagerChanged, WagerPlaced, WagerWithdrawn
from domain.table.played import REQUIRED
from domain.table.round import Round
from domain.table.spots import Spot, Wagered
from domain.watch.dealing import first_dealt

NEVER = 1 << 62
LATER = frozenset({"play", "play3", "play5", "split", "bet"})  # wagers that ride on a decision


_STREETS = ("preflop", "flop", "river")
_FLOP, _BOARD = 3, 5  # community cards that lie open after each


class Placing(msgspec.Struct, gc=False):
    """When betting before the deal ended, and the facts about wagers that came after."""

    closed: int  # the place in the stream of the call, or of the first card where that came before it
    dealt: int  # the place of the first card
    late: list[WagerPlaced] = []
    changed: list[Fact] = []  # changed, withdrawn, or placed again for another amount


def placing(told: Round) -> Placing:
    """How the wagers of a round were placed, kept with it until another fact comes in."""
    found: Placing | None = told.worked_out.get("placing")
    if found is None:
        found = told.worked_out["placing"] = _placing(told)
    return found


def _placing(told: Round) -> Placing:
    calls, card = told.of(BetsClosed), first_dealt(told)
    dealt = card.sequence if card is not None else NEVER
    closed = min(calls[0].sequence, dealt) if calls else dealt
    found = Placing(closed, dealt)
    for placed in told.of(WagerPlaced):
        if placed.sequence > closed and placed.wager not in LATER:
            held = told.seats[placed.seat].wagers.get(placed.wager)
            again = held is not None and held.placed[0].sequence < closed
            (found.changed if again else found.late).append(placed)
    changes: list[WagerChanged | WagerWithdrawn] = [*told.of(WagerChanged), *told.of(WagerWithdrawn)]
    found.changed += [change for change in changes if change.sequence > closed and change.wager not in LATER]
    return found


def known(told: Round, wager: str) -> bool:
    """Whether a wager of this kind is seen where it is placed."""
    return wager not in told.unseen_wagers and "wager-placed" not in told.unrecorded


def took_part(told: Round, spot: Spot) -> bool:
    """Whether a seat was dealt in; where nobody records the deal, whether it has what it needs to be."""
    return bool(spot.dealt) or (
        "card-dealt" in told.unrecorded and all(name in spot.wagers for name in REQUIRED[told.book])
    )


def settled(wagered: Wagered) -> bool:
    """Whether the house took or paid anything on this wager."""
    return bool(wagered.collected_cents or wagered.paid_cents)


def amount(spot: Spot, wager: str) -> int | None:
    """What lay on a wager when betting on it ended; None where nobody saw it, or none lay there."""
    held = spot.wagers.get(wager)
    return held.staked if held is not None else None


def street_at(told: Round, seat: int, at: int) -> str | None:
    """The street of a play wager by the community cards that lay open; as its decision says, where nobody saw them."""
    dealt = [fact.sequence for fact in told.community.dealt if isinstance(fact, CardDealt)]
    if dealt:
        seen = sum(place < at for place in dealt)
        return "preflop" if seen < _FLOP else "flop" if seen < _BOARD else "river"
    if told.community.dealt and "community-revealed" not in told.unrecorded:
        return _STREETS[min(sum(fact.sequence < at for fact in told.of(CommunityRevealed)), 2)]
    said = [made.street for made in told.of(DecisionMade) if made.seat == seat and made.decision == "play"]
    if said and said[-1] is not None:
        return said[-1]
    return None if "card-dealt" in told.unrecorded else "preflop"
