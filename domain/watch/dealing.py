"""The deal as the rule books prescribe it: the place of each card or stack, in turn.

Each turn carries the key of its clauses in the laws of the deal: the method, then the place and the pass.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from domain.facts.deal import CardDealt, MarkerPlaced, StackDelivered
from domain.facts.decisions import DecisionMade
from domain.facts.devices import DeviceFailed
from domain.facts.envelope import Fact
from domain.facts.payments import HandVoided, MisdealDetermined
from domain.facts.shuffles import ShoeRanOut
from domain.games import Game
from domain.table.layout import position
from domain.table.round import RoundInPlay
from domain.table.spots import Spot

Place = tuple[str, int | None]  # ("seat", 2), ("dealer", None), ("community", None), ("box", None)
Served = CardDealt | StackDelivered

DEALER: Place = ("dealer", None)
COMMUNITY: Place = ("community", None)
BOX: Place = ("box", None)
AT_DEAL, AFTER_DECISIONS = "at-deal", "after-decisions"
STACKS = "automated-shoe"


class Order(NamedTuple):
    """The places to serve, in turn, with the key of each turn's clauses."""

    places: tuple[Place, ...]
    keys: tuple[str, ...]


class DealOrder(NamedTuple):
    """Everything else that the order depends on."""

    start: int = 0  # the place of Fast Action's marker, 0 for the dealer
    delivery: str = ""  # the time of the dealer's stack, in books that allow two
    box: bool = False  # the six card box is dealt


class Deal(msgspec.Struct, gc=False):
    """The cards and stacks dealt before any decision, in order, and everything notable about them."""

    served: list[Served]
    places: list[Place]
    seats: tuple[int, ...]  # the seats to serve: those with the required wagers
    seats_known: bool  # all wagers that decide this were seen
    order: Order
    noticed: bool  # the table treated the whole round as irregular
    face_up: list[Served]
    method: str  # as the cards show it, if that differs from the table's method
    how: DealOrder = DealOrder()


def deal(told: RoundInPlay) -> Deal:
    """Return the deal of a round, cached until another fact arrives."""
    found: Deal | None = told.worked_out.get("deal")
    if found is None:
        found = told.worked_out["deal"] = _deal(told)
    return found


def _deal(told: RoundInPlay) -> Deal:
    method = _method(told)
    served: list[Served]
    if method == STACKS:
        served = list(told.of(StackDelivered))
    elif told.game.stub_aside:
        served = list(told.of(CardDealt))
    else:
        served = [fact for fact in told.of(CardDealt) if fact.to != "community"]
    places: list[Place] = [(fact.to, fact.seat) for fact in served]
    required = told.game.required
    known = told.unseen_wagers.isdisjoint(required) and "wager-placed" not in told.unrecorded
    if known:
        seats = tuple(
            number for number in sorted(told.seats) if all(lies(told.seats[number], name) for name in required)
        )
    else:
        seats = tuple(sorted({seat for to, seat in places if to == "seat" and seat is not None}))
    how = DealOrder(
        start_of(told, served),
        _delivery(told, places) if method == STACKS else "",
        told.game.stacks_board_first and method == STACKS and told.house.offers("six_card"),
    )
    face_up = [fact for fact in served if fact.face_up]
    return Deal(served, places, seats, known, due(told.game, method, seats, how), noticed(told), face_up, method, how)


def _method(told: RoundInPlay) -> str:
    """Return the dealing method: the table's, unless the cards came in stacks or one by one anyway."""
    stacks, cards = StackDelivered in told.told, told.of(CardDealt)
    if told.method != STACKS:
        return STACKS if stacks else told.method
    if stacks or not any(card.to == "seat" for card in cards):
        return STACKS
    return "hand" if cards[0].source_of_card == "hand" else "manual-shoe"


def lies(spot: Spot, wager: str) -> bool:
    """Whether a wager was seen to be placed at a seat, and not only settled there."""
    held = spot.wagers.get(wager)
    return held is not None and bool(held.placed)


def noticed(told: RoundInPlay) -> bool:
    """Whether the table treated the whole round as irregular, because it noticed a fault in the deal."""
    if told.voided or DeviceFailed in told.told or ShoeRanOut in told.told:
        return True
    return any(fact.misdealt for fact in told.of(MisdealDetermined))


def seats_noticed(told: RoundInPlay) -> set[int]:
    """Return the seats with a noticed miscount: void, given up, completed, or set with more discards."""
    found = {fact.seat for fact in told.of(HandVoided)}
    found |= {fact.seat for fact in told.of(DecisionMade) if fact.decision in ("void", "complete")}
    if told.game.fast_action:
        found |= {spot.seat for spot in told.seats.values() if (spot.discarded or 0) > 2}
        found |= _noticed_unsaid(told)
    return found


def _noticed_unsaid(told: RoundInPlay) -> set[int]:
    """Return the seats whose miscount may have been corrected by an unrecorded decision.

    A long hand is set with more discards (FAH (i)(4)); a short one is completed after all others (FAH (i)(3)).
    """
    found: set[int] = set()
    if "hand-set" in told.unrecorded:
        found |= {spot.seat for spot in told.seats.values() if len(spot.cards) > told.game.cards[0]}
    if "decision-made" in told.unrecorded:
        hands = [fact for fact in told.of(CardDealt) if fact.to != "community"]
        found |= {fact.seat for fact in hands[-1:] if fact.seat is not None}
    return found


def start_of(told: RoundInPlay, served: Sequence[Served]) -> int:
    """Return the start of Fast Action's deal: the marker, or the first place served if the marker is unrecorded."""
    if not told.game.fast_action:
        return 0
    first = served[0].sequence if served else 0
    placed = [fact for fact in told.of(MarkerPlaced) if fact.sequence < first]
    stands = position(placed[-1]) if placed else told.marker
    if stands is None and served:
        stands = served[0].seat or 0
    return stands or 0


def _delivery(told: RoundInPlay, places: Sequence[Place]) -> str:
    """Return the time of the dealer's stack, in books that allow two."""
    if told.game.stacks_board_first:
        seats = [at for at, (to, _) in enumerate(places) if to == "seat"]
        if DEALER in places and seats:
            return AT_DEAL if places.index(DEALER) < seats[-1] else AFTER_DECISIONS
        return AFTER_DECISIONS
    if told.game.pik_it:
        asked = told.of(DecisionMade)
        stack = next((fact for fact in told.of(StackDelivered) if fact.to == "dealer"), None)
        if stack is not None and (not asked or stack.sequence < asked[0].sequence):
            return AT_DEAL
        return AFTER_DECISIONS
    return AT_DEAL


@lru_cache(maxsize=4096)
def due(game: Game, method: str, seats: tuple[int, ...], how: DealOrder) -> Order:
    """Return the prescribed order for these seats."""
    players: list[Place] = [("seat", seat) for seat in seats]
    if method == STACKS:
        return _stacks(game, method, players, how)
    each = game.cards[0]
    if game.fast_action:
        return _from_marker(players, how.start, each)
    last = COMMUNITY if game.serves_board_in_turn else DEALER
    turns = [(place, number) for number in range(1, each + 1) for place in (*players, last)]
    return Order(tuple(place for place, _ in turns), tuple(f"{method} {place[0]} {number}" for place, number in turns))


def _stacks(game: Game, method: str, players: list[Place], how: DealOrder) -> Order:
    hands = [(place, "seat rest" if at else "seat first") for at, place in enumerate(players)]
    if game.stacks_board_first:
        hands = [(place, how.delivery) for place in players]
        dealer = [(DEALER, how.delivery)]
        hands = [*dealer, *hands] if how.delivery == AT_DEAL else [*hands, *dealer]
        hands = [*([(BOX, "box")] if how.box else []), (COMMUNITY, "community"), *hands]
    elif game.serves_board_in_turn:
        hands.append((COMMUNITY, "community"))
    else:
        hands.append((DEALER, f"dealer {how.delivery}"))
    return Order(tuple(place for place, _ in hands), tuple(f"{method} {key}" for _, key in hands))


def _from_marker(players: list[Place], start: int, each: int) -> Order:
    """Return the places clockwise from the marker: up the seats, the dealer, then seat 1 (FAH (g)(3)/s2)."""
    circle: list[Place] = [DEALER, *players]
    first = next((at for at, (_, seat) in enumerate(circle) if (seat or 0) >= start), 0)
    circle = circle[first:] + circle[:first]
    turns = [(place, number) for number in range(1, each + 1) for place in circle]
    keys = tuple("first" if not at else "pass 1" if number == 1 else "pass" for at, (_, number) in enumerate(turns))
    return Order(tuple(place for place, _ in turns), keys)


def place_name(place: Place) -> str:
    """Return a place in words."""
    to, seat = place
    return {"seat": f"seat {seat}", "dealer": "the dealer", "community": "the community cards"}.get(
        to, "the six card box"
    )


def first_dealt(told: RoundInPlay) -> Fact | None:
    """Return the first card or stack of the round, at any place."""
    cards, stacks = told.of(CardDealt), told.of(StackDelivered)
    if not stacks:
        return cards[0] if cards else None
    return stacks[0] if not cards or stacks[0].sequence < cards[0].sequence else cards[0]
