"""What a round does to the deck it is dealt from: used, unshuffled, nearer to its next count, its cards seen.

The deal of a round goes into the ledger when the round is over, or when the next one opens.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from domain.cards import UNKNOWN
from domain.facts.deal import (
    CardBurned,
    CardDealt,
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
from domain.table.deck import HOUR, Deck, life_hours
from domain.table.decks import Decks, Step
from domain.table.round import Round
from domain.table.seen import DECK, after, with_round
from domain.table.spots import CODE, Spot, codes
from domain.table.stubs import left_the_deck, stub, wrong_places

Kept = TypeVar("Kept", bound=Fact)


def deals_from(state: Decks, fact: Fact) -> str:
    """The deck of a round that opens; the one before it is over for the ledger, whatever was said of it."""
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


def _take(state: Decks, told: Round) -> None:
    if told.number <= state.taken:
        return
    state.taken = told.number
    state.mixed, state.mixed_with = None, ""
    state.last_void = told.voided
    if not _used(told):
        return
    since = _Since(told)
    deck = state.known.get(told.deck)
    if told.method in state.methods[-1:]:
        state.rounds_by_method += 1
    state.device_lost = False
    state.began = True
    state.idled = since.kept(state.idled)
    if deck is not None:
        _counted(state, deck, told)
        _dealt(deck, told, since)
        state.last = deck


def _used(told: Round) -> bool:
    """Whether a card left the deck in this round: one found face up before the first was dealt did."""
    return told.dealing or CardFoundFaceUp in told.told or (told.over and told.dealt_unseen)


class _Since(msgspec.Struct):
    """What was done with the cards for the next round: nothing before the end of this one, where it came to its end.

    A void round is at its end for the cards when it is called off, one left open when its last card is dealt.
    """

    told: Round

    def kept(self, fact: Kept | None) -> Kept | None:
        """This fact, where it is of the next round already; else nothing."""
        told = self.told
        if fact is None or (told.over and not told.voided):
            return None
        void = told.of(RoundVoided)
        last = max(_last_dealt(told), void[0].sequence if void else 0)
        return fact if fact.sequence > last else None


def _dealt(deck: Deck, told: Round, since: _Since) -> None:
    """What the deal leaves behind in the deck's own ledger."""
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
    # What called for a shuffle before this round was dealt in spite of it, and is said once.
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


def _unshuffled(deck: Deck, told: Round, since: _Since) -> None:
    """Dealt from, the cards owe a shuffle; one that ended within the round was none of the whole deck."""
    if since.kept(deck.shuffled) is not None:
        deck.rounds_since_shuffle = 0
    else:
        deck.rounds_since_shuffle += 1
        if deck.within_round is not None:
            deck.shuffled = None
        for why, fact in reshuffles(told):
            deck.reshuffle.setdefault(why, fact)
    deck.within_round = None


def reshuffles(told: Round) -> Iterator[tuple[str, Fact]]:
    """What in a round calls for its cards to be shuffled anew, besides the round's own end."""
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


def _began_at(told: Round) -> int:
    """When the first card or stack of the round was dealt."""
    for kind in (StackDispensed, StackDelivered, CardDealt):
        dealt = told.of(kind)
        if dealt:
            return dealt[0].at
    return told.at


def _last_dealt(told: Round) -> int:
    last = [*told.of(CardDealt)[-1:], *told.of(StackDelivered)[-1:]]
    return max((fact.sequence for fact in last), default=0)


def counted_by_device(deck: Deck) -> bool:
    """Whether the shuffle before this round counted the deck: then the stub need not be counted (PIK 39.7(f)/s1)."""
    return deck.shuffled is not None and deck.shuffled.counted is not None and not deck.rounds_since_shuffle


def _counted(state: Decks, deck: Deck, told: Round) -> None:
    """How many rounds ago the cards were counted, and whether the count was what it had to be."""
    exempt = told.game.device_count_excuses and counted_by_device(deck)
    if exempt or told.of(StubCounted):
        state.rounds_since_count = deck.rounds_since_count = 0
    elif not told.voided or not told.game.counts_completed_rounds:
        state.rounds_since_count += 1
        deck.rounds_since_count += 1
    deck.miscounted = None  # dealt from in spite of it: said once
    found = stub(told)
    if found is not None and found.deck_wrong:
        deck.miscounted = found.counted


def _seen(deck: Deck, told: Round) -> None:
    """Which cards were read as they were dealt, and in what order cards were dealt and picked up."""
    order = dealt_order(told)
    opened = told.facts[0] if deck.seen.first is None else None
    deck.seen = after(with_round(deck.seen, read_at_the_deal(told, order), opened))
    deck.dealt_at = places(order)
    deck.picked_at = places(picked_up(told))


def read_at_the_deal(told: Round, order: Iterable[int]) -> set[int]:
    """The different cards told by the facts that dealt them: what is read later may be a choice."""
    cards = set(order)
    cards.update([CODE[burned.card] for burned in told.of(CardBurned)])
    for stack in told.of(StackDelivered):
        cards.update(codes(stack.cards))
    cards.discard(UNKNOWN)
    return cards


_NOWHERE = [-2 * card for card in range(1, DECK + 2)]  # no two of these places lie side by side


def places(order: Iterable[int]) -> list[int]:
    """The place of each card in an order."""
    found = _NOWHERE.copy()
    for place, card in enumerate(order):
        found[card] = place
    found[UNKNOWN] = _NOWHERE[UNKNOWN]
    return found


def dealt_order(told: Round) -> list[int]:
    """The cards dealt one by one, in order; what is in a stack may have lain in another order."""
    return [CODE[fact.card] for fact in told.of(CardDealt)]


def picked_up(told: Round) -> list[int]:
    """The cards in the order their hands were picked up."""
    common = {"community": told.community, "box": told.box}
    cards: list[int] = []
    for fact in told.of(HandsCollected):
        spot = common.get(fact.of, told.dealer) if fact.seat is None else told.seats.get(fact.seat)
        if spot is not None:
            cards += spot.cards
    return cards


def _shoe(deck: Deck, told: Round) -> None:
    """The cards that came out of the shoe in this round, added to those before."""
    deck.dealt_since_load += left_the_deck(told) or 0
    if told.method == "continuous-shoe":
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


def spots(told: Round) -> Iterator[Spot]:
    """Every place cards were dealt to."""
    yield from told.seats.values()
    yield told.dealer
    yield told.community
    yield told.box


def _to_rack(state: Decks, fact: CardBurned | CardFoundFaceUp | CardSetAside | HandsCollected | StubDiscarded) -> None:
    """A card of the deck in play lies in the rack from now on."""
    if getattr(fact, "to", "discard-rack") != "discard-rack":
        return
    between = isinstance(fact, CardBurned) and fact.round is None and (state.told is None or state.told.over)
    deck = state.last_loaded if between else state.in_play  # the first card of a fresh shoe is burned before its round
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
