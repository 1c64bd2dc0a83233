"""The wagers of a round as they were placed: when betting closed, late wagers, changes, and amounts.

Almost every round is plain. One pass over its wagers shows this, and the detectors of wager faults return at once.
"""

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from domain.facts.deal import CardDealt, CommunityRevealed
from domain.facts.decisions import DecisionMade
from domain.facts.payments import RoundCompleted, RoundVoided
from domain.facts.players import PlayerLeft, PlayerSeated
from domain.facts.wagers import BetsClosed, WagerChanged, WagerPlaced, WagerWithdrawn
from domain.games import Game
from domain.table.round import RoundInPlay
from domain.table.spots import Spot, Wagered
from domain.watch.dealing import first_dealt

NEVER = 1 << 62
LATER = frozenset({"play", "play3", "play5", "split", "bet"})  # wagers that follow a decision
STREETS = ("preflop", "flop", "river")
_FLOP, _BOARD = 3, 5  # open community cards after each
_DEALT = frozenset({"card-dealt", "stack-delivered"})  # what says whether community cards lie there


class Placing(msgspec.Struct, gc=False):
    """The close of betting before the deal, later wagers, and everything unusual."""

    closed: int  # the sequence of the call, or of the first card if that came earlier
    dealt: int  # the sequence of the first card
    spots: list[Spot]  # the seats with wagers, from the dealer's left
    kinds: set[str] = set()
    whole: bool = True  # every seat has its required wagers, and each was seen to be placed
    later: list[WagerPlaced] = []  # wagers that follow a decision
    late: list[WagerPlaced] = []  # other wagers after the call
    changed: list[
        WagerPlaced | WagerChanged | WagerWithdrawn
    ] = []  # changed, withdrawn, or placed again with another amount after the call
    odd: list[WagerPlaced] = []  # not in chips, or outside their own area
    strangers: list[WagerPlaced] = []  # by a person not known to sit at the table


def _ended(told: RoundInPlay) -> int:
    """Return the sequence of the fact that ended the round; beyond every sequence if none did."""
    return min((fact.sequence for kind in (RoundCompleted, RoundVoided) for fact in told.of(kind)), default=NEVER)


def placing(told: RoundInPlay) -> Placing:
    """Return how the wagers of a round were placed, cached until another fact arrives."""
    found: Placing | None = told.worked_out.get("placing")
    if found is None:
        found = told.worked_out["placing"] = _placing(told)
    return found


def _placing(told: RoundInPlay) -> Placing:
    calls, card = told.of(BetsClosed), first_dealt(told)
    dealt = card.sequence if card is not None else NEVER
    closed = min(calls[0].sequence, dealt) if calls else dealt
    found = Placing(closed, dealt, told.wagering)
    sitting = set(told.seated.values())
    if PlayerSeated in told.told:
        sitting |= {fact.player for fact in told.of(PlayerSeated)}
    if PlayerLeft in told.told:
        sitting.clear()  # sitters at each time are looked up wager by wager
    kinds, later = found.kinds, found.later
    for placed in told.of(WagerPlaced):
        wager = placed.wager
        kinds.add(wager)
        if wager in LATER:
            later.append(placed)
        elif placed.sequence > closed:
            held = told.seats[placed.seat].wagers.get(wager)
            again = held is not None and held.placed[0].sequence < closed and placed.sequence < _ended(told)
            (found.changed if again else found.late).append(placed)
        if placed.form != "chips" or placed.coupon_cents or (placed.area and placed.area != wager):
            found.odd.append(placed)
        if placed.player not in sitting:
            found.strangers.append(placed)
    if WagerChanged in told.told or WagerWithdrawn in told.told:
        changes: list[WagerChanged | WagerWithdrawn] = [*told.of(WagerChanged), *told.of(WagerWithdrawn)]
        found.changed += [change for change in changes if change.sequence > closed and change.wager not in LATER]
    for spot in found.spots:
        wagers = spot.wagers
        if not _complete(told.game, tuple(wagers)) or not all([held.placed for held in wagers.values()]):  # noqa: C419
            found.whole = False
            break
    return found


@lru_cache(maxsize=1024)
def _complete(game: Game, names: tuple[str, ...]) -> bool:
    """Whether these wagers of a seat include all that the game and each of them requires."""
    needed = [*game.required, *(each for name in names for each in game.beside.get(name, ()))]
    return set(needed) <= set(names)


def firsts(facts: Iterable[WagerPlaced]) -> list[WagerPlaced]:
    """Return these facts without those that place a seat's same wager again: each wager is judged once."""
    first: dict[tuple[int, str], WagerPlaced] = {}
    for placed in facts:
        first.setdefault((placed.seat, placed.wager), placed)
    return list(first.values())


def known(told: RoundInPlay, wager: str) -> bool:
    """Whether wagers of this kind are recorded when they are placed."""
    return wager not in told.unseen_wagers and "wager-placed" not in told.unrecorded


def took_part(told: RoundInPlay, spot: Spot) -> bool:
    """Whether a seat was dealt in; if the deal is unrecorded, whether it has the wagers it needs."""
    return bool(spot.dealt) or (
        "card-dealt" in told.unrecorded and all(name in spot.wagers for name in told.game.required)
    )


def held_at(told: RoundInPlay, seat: int, wager: str) -> Wagered | None:
    """Return a wager of a seat, unless the player took it back before the call."""
    spot = told.seats.get(seat)
    return spot.wagers.get(wager) if spot is not None else None


def settled(wagered: Wagered) -> bool:
    """Whether the house collected or paid anything on this wager."""
    return bool(wagered.collected_cents or wagered.paid_cents)


def amount(spot: Spot, wager: str) -> int | None:
    """Return the amount of a wager at the close of betting, or None if it was unseen or absent."""
    held = spot.wagers.get(wager)
    return held.staked if held is not None else None


def street_at(told: RoundInPlay, seat: int, at: int) -> str | None:
    """Return the street of a play wager by the open community cards, or by its decision; None if nothing says it."""
    dealt = told.community.dealt
    if dealt and isinstance(dealt[0], CardDealt):
        if len(dealt) < _FLOP or at < dealt[_FLOP - 1].sequence:
            return "preflop"
        return "flop" if len(dealt) < _BOARD or at < dealt[_BOARD - 1].sequence else "river"
    if dealt and "community-revealed" not in told.unrecorded:
        return STREETS[min(sum(fact.sequence < at for fact in told.of(CommunityRevealed)), 2)]
    said = [made.street for made in told.of(DecisionMade) if made.seat == seat and made.decision == "play"]
    if said and said[-1] is not None:
        return said[-1]
    return "preflop" if not dealt and told.unrecorded.isdisjoint(_DEALT) else None
