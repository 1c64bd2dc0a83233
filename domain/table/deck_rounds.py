"""The effect of a round on its deck: used, unshuffled, closer to the next count, cards seen.

The ledger takes in a round's deal when the round ends, or when the next one opens.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from domain.cards import UNKNOWN
from domain.facts.deal import (
    CardBurned,
    CardDealt,
    CardDrawnInError,
    CardExposed,
    CardFoundFaceUp,
    CardSetAside,
    RoundOpened,
    StackDelivered,
    StackDispensed,
)
from domain.facts.decks import DiscardRackEmptied
from domain.facts.envelope import Fact
from domain.facts.payments import (
    HandsCollected,
    MisdealDetermined,
    RoundCompleted,
    RoundVoided,
    StubCounted,
    StubDiscarded,
)
from domain.facts.shuffles import ShuffleCompleted
from domain.table.deck import CONTINUOUS, HOUR, Deck, life_hours
from domain.table.decks import Decks, Step
from domain.table.old_order import shows
from domain.table.round import RoundInPlay
from domain.table.seen import DECK, after, with_round
from domain.table.spots import CODE, Spot, codes
from domain.table.stubs import left_the_deck, stub, wrong_places

Kept = TypeVar("Kept", bound=Fact)


def deals_from(state: Decks, fact: Fact) -> str:
    """Return the deck of a round that opens; the ledger treats the round before it as ended."""
    if state.told is not None:
        _take(state, state.told)
    named = fact.deck if isinstance(fact, RoundOpened) else ""
    deck = state.meant(named)
    state.in_play = deck.name if deck is not None else named
    return state.in_play


def _completed(state: Decks, fact: RoundCompleted) -> None:
    told = state.told
    if told is not None and fact.round in (None, told.number):
        _take(state, told)


def _take(state: Decks, told: RoundInPlay) -> None:
    if told.number <= state.taken:
        return
    state.taken = told.number
    state.mixed, state.mixed_with = None, ""
    state.last_void = told.voided
    if not _used(told):
        return
    since = _NextRoundFacts(told)
    deck = state.known.get(told.deck)
    if told.method in state.methods[-1:]:
        state.rounds_by_method += 1
    state.device_lost = False
    state.began = True
    state.idled = since.kept(state.idled)
    if deck is None or any(state.meant(opened.deck) is not deck for opened in told.of(RoundOpened)):
        for each in state.known.values():
            each.outside = None  # nobody knows which shoe the cards left
    if deck is not None:
        _counted(state, deck, told)
        _dealt(deck, told, since)
        state.last = deck


def _used(told: RoundInPlay) -> bool:
    """Return whether the round used the deck; a card found face up before the first was dealt counts too."""
    return told.dealing or CardFoundFaceUp in told.told or (told.over and told.dealt_unseen)


class _NextRoundFacts(msgspec.Struct):
    """The facts about the cards that belong to the next round: those after the end of this one.

    For the cards, a void round ends when it is called off, and an open one when its last card is dealt.
    """

    told: RoundInPlay

    def kept(self, fact: Kept | None) -> Kept | None:
        """Return this fact if it already belongs to the next round, else None."""
        told = self.told
        if fact is None or (told.over and not told.voided):
            return None
        void = told.of(RoundVoided)
        last = max(_last_dealt(told), void[0].sequence if void else 0)
        return fact if fact.sequence > last else None


def _dealt(deck: Deck, told: RoundInPlay, since: _NextRoundFacts) -> None:
    """Enter the effect of the deal into the deck's ledger."""
    deck.rounds += 1
    if since.kept(deck.steps[-1] if deck.steps else None) is None:
        deck.cycle, deck.steps, deck.parts = "", [], {}
    deck.first_dealt_at = deck.first_dealt_at or _began_at(told)
    deck.by_hand = deck.by_hand or told.method == "hand"
    hours = life_hours(told.house.book, by_hand=deck.by_hand)
    if hours is not None and deck.since is not None:
        deck.overdue = _began_at(told) - deck.since > hours * HOUR
    deck.jammed, deck.ordered, deck.recut = since.kept(deck.jammed), since.kept(deck.ordered), since.kept(deck.recut)
    loaded_since = since.kept(deck.loaded) is not None
    deck.rounds_since_load = 0 if loaded_since else deck.rounds_since_load + 1
    # This round was dealt although these facts called for a shuffle; that is reported once.
    deck.reshuffle = {why: fact for why, fact in deck.reshuffle.items() if fact.sequence >= told.first}
    if deck.reached is not None and deck.reached.sequence >= told.first:  # that round is played to its end
        deck.reshuffle["cutting card"] = deck.reached
    if told.game.many_rounds_a_shoe:
        _shoe(deck, told)
    else:
        deck.loaded = since.kept(deck.loaded)
        if deck.cut is not None and since.kept(deck.cut.performed) is None:
            deck.cut = None
        _seen(deck, told)
    _unshuffled(deck, told, since)


def _unshuffled(deck: Deck, told: RoundInPlay, since: _NextRoundFacts) -> None:
    """Note that the dealt cards need a shuffle; one that ended within the round did not cover the whole deck."""
    if since.kept(deck.shuffled) is not None:
        deck.rounds_since_shuffle = 0
    else:
        deck.rounds_since_shuffle += 1
        if deck.within_round is not None:
            deck.shuffled = None
        for why, fact in reshuffles(told):
            deck.reshuffle.setdefault(why, fact)
    deck.within_round = None


def reshuffles(told: RoundInPlay) -> Iterator[tuple[str, Fact]]:
    """Yield what in a round calls for a new shuffle, besides the round's own end."""
    face_up = told.of(CardFoundFaceUp)
    if len(face_up) > 1:
        yield "face-up", face_up[1]
    if not told.voided:
        return
    for determined in told.of(MisdealDetermined):
        if determined.misdealt:
            yield "misdealt", determined
    for exposed in told.of(CardExposed):
        if exposed.of == "dealer":
            yield "exposed", exposed
    wrong = wrong_places(told)
    if wrong:
        yield "count", wrong[0].dealt[-1]


def _began_at(told: RoundInPlay) -> int:
    """Return when the first card or stack of the round was dealt."""
    for kind in (StackDispensed, StackDelivered, CardDealt):
        dealt = told.of(kind)
        if dealt:
            return dealt[0].at
    return told.at


def _last_dealt(told: RoundInPlay) -> int:
    last = [*told.of(CardDealt)[-1:], *told.of(StackDelivered)[-1:]]
    return max((fact.sequence for fact in last), default=0)


def counted_by_device(deck: Deck) -> bool:
    """Return whether the shuffle before this round counted the deck, so that no stub count is due (PIK 39.7(f)/s1)."""
    return deck.shuffled is not None and deck.shuffled.counted is not None and not deck.rounds_since_shuffle


def _counted(state: Decks, deck: Deck, told: RoundInPlay) -> None:
    """Update the rounds since the last count, and whether that count was right."""
    exempt = told.game.device_count_excuses and counted_by_device(deck)
    if exempt or told.of(StubCounted):
        state.rounds_since_count = deck.rounds_since_count = 0
    elif not told.voided or not told.game.counts_completed_rounds:
        state.rounds_since_count += 1
        deck.rounds_since_count += 1
    found = stub(told)
    if found is not None and found.deck_wrong:
        deck.miscounted = found.counted
    elif isinstance(deck.miscounted, ShuffleCompleted) or (found is not None and found.expected is not None):
        deck.miscounted = None  # by this stub the deck is whole; a device counts again at its next shuffle


def _seen(deck: Deck, told: RoundInPlay) -> None:
    """Note which cards were read at the deal, and the orders of dealing and collecting."""
    order = dealt_order(told)
    opened = told.facts[0] if deck.seen.first is None else None
    drawn = drawn_at_random(deck, told, order)
    deck.seen = after(with_round(deck.seen, read_at_the_deal(told, order), opened, drawn=drawn))
    deck.dealt_at = places(order)
    deck.picked_at = places(picked_up(told))


def drawn_at_random(deck: Deck, told: RoundInPlay, order: list[int]) -> bool:
    """Return whether nothing on record shows that a round was dealt from cards nobody had shuffled."""
    if deck.rounds_since_shuffle and "shuffle-completed" not in told.unrecorded:
        return False
    return not shows(order, deck.dealt_at, deck.picked_at)


def read_at_the_deal(told: RoundInPlay, order: Iterable[int]) -> set[int]:
    """Return the different cards read by the facts that dealt them; cards read later may be a selection."""
    cards = set(order)
    cards.update([CODE[burned.card] for burned in told.of(CardBurned)])
    for stack in told.of(StackDelivered):
        cards.update(codes(stack.cards))
    cards.discard(UNKNOWN)
    return cards


_NOWHERE = [-2 * card for card in range(1, DECK + 2)]  # no two of these numbers are neighbors


def places(order: Iterable[int]) -> list[int]:
    """Return the place of each card in an order."""
    found = _NOWHERE.copy()
    for place, card in enumerate(order):
        found[card] = place
    found[UNKNOWN] = _NOWHERE[UNKNOWN]
    return found


def dealt_order(told: RoundInPlay) -> list[int]:
    """Return the cards dealt one by one, in order; cards in a stack may have been in another order."""
    return [CODE[fact.card] for fact in told.of(CardDealt)]


def picked_up(told: RoundInPlay) -> list[int]:
    """Return the cards in the order in which their hands were collected."""
    common = {"community": told.community, "box": told.box}
    cards: list[int] = []
    for fact in told.of(HandsCollected):
        spot = common.get(fact.of, told.dealer) if fact.seat is None else told.seats.get(fact.seat)
        if spot is not None:
            cards += spot.cards
    return cards


def _shoe(deck: Deck, told: RoundInPlay) -> None:
    """Add the cards that left the shoe in this round to those before."""
    left = left_the_deck(told)
    if told.voided and any(not drawn.exposed for drawn in told.of(CardDrawnInError)):
        left = None  # it would have been the next card dealt, and nobody says whether it was
    deck.dealt_since_load += left or 0
    deck.outside = None if left is None or deck.outside is None else deck.outside + left
    if told.method == CONTINUOUS:
        return
    counts = deck.out or [0] * DECK
    for spot in spots(told):
        for card in spot.cards:
            if card != UNKNOWN:
                counts[card] += 1
    for burned in told.of(CardBurned):
        if burned.card != "??":
            counts[CODE[burned.card]] += 1
    deck.out = counts


LEAVING = frozenset(
    {CardBurned, CardDealt, CardDrawnInError, CardFoundFaceUp, CardSetAside, StackDelivered, StackDispensed}
)


def too_late(state: Decks, told: RoundInPlay) -> None:
    """Note that a card left the shoe in a round whose cards were counted before."""
    if told.number <= state.taken and (deck := state.known.get(told.deck)) is not None:
        deck.outside = None


def spots(told: RoundInPlay) -> Iterator[Spot]:
    """Yield every place that cards were dealt to."""
    yield from told.seats.values()
    yield told.dealer
    yield told.community
    yield told.box


def _to_rack(state: Decks, fact: CardBurned | CardFoundFaceUp | CardSetAside | HandsCollected | StubDiscarded) -> None:
    """Note that a card of the deck in play is in the rack from now on."""
    between = isinstance(fact, CardBurned) and fact.round is None and (state.told is None or state.told.over)
    deck = state.last_loaded if between else state.in_play  # the first card of a fresh shoe is burned before its round
    if between and deck and (held := state.of(deck)).outside is not None:
        held.outside += 1
    if getattr(fact, "to", "discard-rack") != "discard-rack":
        return
    if deck and deck not in state.rack:
        if state.rack and state.mixed is None:
            state.mixed, state.mixed_with = fact, state.rack[0]
        state.rack.append(deck)


def _rack_emptied(state: Decks, fact: DiscardRackEmptied) -> None:
    if fact.deck:
        if fact.deck in state.rack:
            state.rack.remove(fact.deck)
    else:
        state.rack.clear()


STEPS: dict[type[Fact], Step] = {
    RoundCompleted: _completed,
    CardBurned: _to_rack,
    CardFoundFaceUp: _to_rack,
    CardSetAside: _to_rack,
    HandsCollected: _to_rack,
    StubDiscarded: _to_rack,
    DiscardRackEmptied: _rack_emptied,
}
