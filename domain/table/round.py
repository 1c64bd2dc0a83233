"""One round at a table: state, evolve, and the common queries.

A round keeps the house, the dealer and the meters from its beginning, so that it alone is enough to judge it, and to
judge it again when a late fact arrives. Facts of one type are kept together, in the order of the stream.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from domain.cards import UNKNOWN
from domain.facts.deal import (
    BoxRevealed,
    CardDealt,
    CardExposed,
    CommunityRevealed,
    SlotAssigned,
    StackDelivered,
    StackDispensed,
)
from domain.facts.decisions import CardsSelected, DecisionMade, HandRevealed, HandSet
from domain.facts.envelope import Fact
from domain.facts.payments import (
    HandsCollected,
    RoundCompleted,
    RoundVoided,
    WagerCollected,
    WagerPaid,
    WagerReturned,
)
from domain.facts.players import PlayerLeft
from domain.facts.table_day import WagerLimits
from domain.facts.wagers import BetsClosed, WagerChanged, WagerPlaced, WagerWithdrawn
from domain.games import UNKNOWN as UNKNOWN_GAME
from domain.games import Game
from domain.rulebooks import House
from domain.table.spots import BOX_CARDS, CODE, Spot, Wagered, codes, fill

Kind = TypeVar("Kind", bound=Fact)


class RoundInPlay(msgspec.Struct, gc=False):
    """The state of a round so far."""

    stream: str
    number: int
    book: str  # the rule book in force
    house: House
    method: str  # the dealing method: manual-shoe, hand, automated-shoe, continuous-shoe
    positions: int
    unrecorded: frozenset[str] = frozenset()  # names of fact types the table does not record
    unseen_wagers: frozenset[str] = frozenset()
    dealer_person: str = ""
    deck: str = ""
    meters: dict[str, int] = {}
    limits: Mapping[str, WagerLimits] = {}  # as posted when the round began
    marker: int | None = None  # the place of Fast Action's marker when the round began: a seat, or 0 for the dealer
    seated: dict[int, str] = {}  # the players by seat when the round began
    first: int = 0  # its first and last sequence
    last: int = 0
    at: int = 0
    told: dict[type[Fact], list[Any]] = {}
    moves: list[WagerPaid | WagerCollected | WagerReturned] = []  # every movement of a wager, in order
    seats: dict[int, Spot] = {}
    dealer: Spot = msgspec.field(default_factory=Spot)
    community: Spot = msgspec.field(default_factory=Spot)
    box: Spot = msgspec.field(default_factory=Spot)
    betting_over: bool = False
    dealing: bool = False
    over: bool = False
    voided: bool = False
    contradictions: list[Fact] = []
    repeats: tuple[Fact, ...] = ()  # deals that are left out, because each repeats another one
    worked_out: dict[str, Any] = {}  # results that judges cache; cleared when a fact comes in
    game: Game = UNKNOWN_GAME  # of the house

    def __post_init__(self) -> None:
        self.game = self.house.game

    def of(self, kind: type[Kind]) -> Sequence[Kind]:
        """Return the facts of one type, in order."""
        return self.told.get(kind, ())

    def spot(self, place: str, seat: int | None) -> Spot:
        """Return the place a card went to: a seat, the dealer's place, the community cards or the box."""
        if place == "seat":
            return self.seat(seat or 0)
        return self.community if place == "community" else self.box if place == "box" else self.dealer

    def seat(self, number: int) -> Spot:
        """Return a seat's place, creating it the first time."""
        spot = self.seats.get(number)
        if spot is None:
            spot = self.seats[number] = Spot(number, self.seated.get(number, ""))
        return spot

    @property
    def dealt_unseen(self) -> bool:
        """Whether the round was played without any record of its cards at a table that does not record the deal."""
        if self.dealing or self.voided or "card-dealt" not in self.unrecorded:
            return False
        return self.method != "automated-shoe" or "stack-delivered" in self.unrecorded

    @property
    def wagering(self) -> list[Spot]:
        """The seats with a wager in this round, from the dealer's left."""
        return [self.seats[number] for number in sorted(self.seats) if self.seats[number].wagers]

    @property
    def facts(self) -> list[Fact]:
        """Return every fact of the round in the order of the stream."""
        return sorted((fact for kind in self.told.values() for fact in kind), key=_sequence)


def _sequence(fact: Fact) -> int:
    return fact.sequence


def evolve(state: RoundInPlay, fact: Fact) -> None:
    """Take the next fact of the round into its state."""
    kind = type(fact)
    same = state.told.get(kind)
    if same is None:
        state.told[kind] = [fact]
    else:
        same.append(fact)
    state.last = fact.sequence
    if state.worked_out:
        state.worked_out = {}
    step = EVOLVE.get(kind)
    if step is not None:
        step(state, fact)


def fold(state: RoundInPlay, facts: Sequence[Fact]) -> RoundInPlay:
    """Return the round after these facts."""
    for fact in facts:
        evolve(state, fact)
    return state


def _dealt(state: RoundInPlay, fact: CardDealt) -> None:
    state.dealing = state.betting_over = True
    spot = state.spot(fact.to, fact.seat)
    spot.cards.append(CODE[fact.card])
    spot.dealt.append(fact)


MOST_CARDS = 8 * 52  # cards in the fullest shoe; a stack cannot have more


def _stack_dispensed(state: RoundInPlay, _: StackDispensed) -> None:
    state.dealing = state.betting_over = True


def _stack(state: RoundInPlay, fact: StackDelivered) -> None:
    state.dealing = state.betting_over = True
    spot = state.spot(fact.to, fact.seat)
    held = codes(fact.cards)
    size = fact.size if fact.size is not None else len(held) or _lacking(state, spot)
    spot.cards += held + [UNKNOWN] * (min(size, MOST_CARDS) - len(held))
    spot.dealt.append(fact)


def _lacking(state: RoundInPlay, spot: Spot) -> int:
    """Return the number of cards that the game still deals to a place."""
    each, dealer, community = state.game.cards
    due = {id(state.dealer): dealer, id(state.community): community, id(state.box): BOX_CARDS}.get(id(spot), each)
    return max(0, due - len(spot.cards))


def _placed(state: RoundInPlay, fact: WagerPlaced) -> None:
    spot = state.seat(fact.seat)
    if fact.player:
        spot.player = fact.player
    wagered = spot.wagers.get(fact.wager)
    if wagered is None:
        wagered = spot.wagers[fact.wager] = Wagered(fact.wager, fact.cents, fact.cents, fact.coupon_cents)
    else:
        _lies_now(state, wagered, fact.cents)
    wagered.placed.append(fact)


def _changed(state: RoundInPlay, fact: WagerChanged) -> None:
    wagers = state.seat(fact.seat).wagers
    wagered = wagers.get(fact.wager)
    if wagered is None:
        wagered = wagers[fact.wager] = Wagered(fact.wager, fact.cents, fact.cents)
    else:
        _lies_now(state, wagered, fact.cents)
    wagered.placed.append(fact)


def _lies_now(state: RoundInPlay, wagered: Wagered, cents: int | None) -> None:
    """Note the amount on the table now; what is owed depends on the amount when betting ended.

    Chips that come after the round's end are none of it: they change no amount of this round.
    """
    if state.over:
        return
    wagered.cents = cents
    if not state.betting_over:
        wagered.staked = cents
        wagered.withdrawn = False


def _withdrawn(state: RoundInPlay, fact: WagerWithdrawn) -> None:
    wagered = state.seat(fact.seat).wagers.get(fact.wager)
    if wagered is None:
        wagered = state.seat(fact.seat).wagers[fact.wager] = Wagered(fact.wager)
    wagered.placed.append(fact)
    wagered.cents = 0
    if not state.betting_over:
        del state.seat(fact.seat).wagers[fact.wager]
    else:
        wagered.withdrawn = True


def _closed(state: RoundInPlay, _: BetsClosed) -> None:
    state.betting_over = True


# Settlement's names for decisions. A check decides nothing, and a hand that is completed continues.
_CHOICES = {"check": "", "complete": "", "void": "short-void"}


def _decided(state: RoundInPlay, fact: DecisionMade) -> None:
    choice = _CHOICES.get(fact.decision, fact.decision)
    if choice:
        state.seat(fact.seat).choice = choice


def _set(state: RoundInPlay, fact: HandSet) -> None:
    spot = state.dealer if fact.seat is None else state.seat(fact.seat)
    spot.kept, spot.second = tuple(codes(fact.kept)), tuple(codes(fact.second))
    spot.discarded = fact.discarded
    _seen(state, spot, fact, (*fact.kept, *fact.second))
    if fact.seat is not None and state.game.keeping_says == "set" and not spot.choice:
        spot.choice = "set"


def _selected(state: RoundInPlay, fact: CardsSelected) -> None:
    spot = state.seat(fact.seat)
    spot.selected = tuple(codes(fact.cards))
    _seen(state, spot, fact, fact.cards)


def _revealed(state: RoundInPlay, fact: HandRevealed) -> None:
    spot = state.dealer if fact.seat is None else state.seat(fact.seat)
    _seen(state, spot, fact, fact.cards)
    if len(fact.cards) == 2 and state.game.keeps:  # two cards play on, seen perhaps only when turned up
        if len(spot.kept) < 2 or UNKNOWN in spot.kept:
            spot.kept = tuple(codes(fact.cards))
        elif UNKNOWN in spot.second:
            spot.second = tuple(codes(fact.cards))


_DEAL = frozenset({"card-dealt", "stack-delivered"})


def _seen(state: RoundInPlay, spot: Spot, fact: Fact, cards: Sequence[str]) -> None:
    if not cards or (spot.disputed and UNKNOWN in spot.cards) or fill(spot.cards, cards):
        return
    if not spot.dealt and not state.unrecorded.isdisjoint(_DEAL):
        # The deal is unrecorded, so the cards seen later are all that is known of the hand.
        each, dealer, community = state.game.cards
        due = dealer if spot is state.dealer else community if spot is state.community else each
        spot.cards += [UNKNOWN] * (due - len(spot.cards))
        while not fill(spot.cards, cards):
            spot.cards.append(UNKNOWN)
        return
    state.contradictions.append(fact)
    _disputed(spot)


def _disputed(spot: Spot) -> None:
    """Note that two facts disagree on a hand: what the deal showed remains, and the rest becomes unknown."""
    spot.disputed = True
    read = _read_at_the_deal(spot)
    if all(card == UNKNOWN or card in read for card in spot.cards):
        return
    spot.cards = [card if card in read else UNKNOWN for card in spot.cards]
    spot.kept, spot.second = (UNKNOWN,) * len(spot.kept), (UNKNOWN,) * len(spot.second)
    spot.selected = (UNKNOWN,) * len(spot.selected)


def _read_at_the_deal(spot: Spot) -> set[int]:
    told = (getattr(fact, "cards", None) or (getattr(fact, "card", ""),) for fact in spot.dealt)
    return {CODE[card] for cards in told for card in cards if card in CODE}


def _community(state: RoundInPlay, fact: CommunityRevealed) -> None:
    _seen(state, state.community, fact, fact.cards)


def _box(state: RoundInPlay, fact: BoxRevealed) -> None:
    _seen(state, state.box, fact, fact.cards)


def _slot(state: RoundInPlay, fact: SlotAssigned) -> None:
    _seen(state, state.community, fact, (fact.card,))


def _exposed(state: RoundInPlay, fact: CardExposed) -> None:
    _seen(state, state.spot(fact.of, fact.seat), fact, (fact.card,))


def _collected_hand(state: RoundInPlay, fact: HandsCollected) -> None:
    if fact.cards:
        spot = state.seat(fact.seat) if fact.seat is not None else _of(state, fact.of)
        _seen(state, spot, fact, fact.cards)


def _of(state: RoundInPlay, place: str) -> Spot:
    return {"community": state.community, "box": state.box}.get(place, state.dealer)


def _moved(state: RoundInPlay, fact: WagerPaid | WagerCollected | WagerReturned) -> Wagered:
    wagers = state.seat(fact.seat).wagers
    wagered = wagers.get(fact.wager)
    if wagered is None:  # its placement was unseen; a detector decides what it was
        wagered = wagers[fact.wager] = Wagered(fact.wager)
    wagered.moves.append(fact)
    state.moves.append(fact)
    if fact.cents is None:
        wagered.unseen = True
    return wagered


def _paid(state: RoundInPlay, fact: WagerPaid) -> None:
    _moved(state, fact).paid_cents += fact.cents or 0


def _collected(state: RoundInPlay, fact: WagerCollected) -> None:
    _moved(state, fact).collected_cents += fact.cents or 0


def _returned(state: RoundInPlay, fact: WagerReturned) -> None:
    _moved(state, fact).returned_cents += fact.cents or 0


def _left(state: RoundInPlay, fact: PlayerLeft) -> None:
    spot = state.seats.get(fact.seat)
    unseen = bool(state.unseen_wagers) or "wager-placed" in state.unrecorded
    if spot is not None and state.dealing and (spot.wagers or (unseen and spot.dealt)):
        spot.left = True


def _voided(state: RoundInPlay, _: RoundVoided) -> None:
    state.voided = True


def _over(state: RoundInPlay, _: RoundCompleted) -> None:
    state.over = True


EVOLVE: dict[type[Fact], Callable[[RoundInPlay, Any], None]] = {
    CardDealt: _dealt,
    StackDispensed: _stack_dispensed,
    StackDelivered: _stack,
    WagerPlaced: _placed,
    WagerChanged: _changed,
    WagerWithdrawn: _withdrawn,
    BetsClosed: _closed,
    DecisionMade: _decided,
    HandSet: _set,
    CardsSelected: _selected,
    HandRevealed: _revealed,
    CommunityRevealed: _community,
    BoxRevealed: _box,
    SlotAssigned: _slot,
    CardExposed: _exposed,
    HandsCollected: _collected_hand,
    WagerPaid: _paid,
    WagerCollected: _collected,
    WagerReturned: _returned,
    PlayerLeft: _left,
    RoundVoided: _voided,
    RoundCompleted: _over,
}
