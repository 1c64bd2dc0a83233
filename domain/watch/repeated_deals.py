"""A round without deals that repeat another one, and the cards that it shows more often than its decks hold them.

A source may send a card again under a new key. If a place has as many cards too many as it has repeated deals, those do
not count: they are one finding, and the round is judged as it was dealt. If the place has the right number of cards
with them, the deck holds a card twice.
"""

from collections import Counter
from collections.abc import Iterator

import msgspec

from domain.cards import UNKNOWN
from domain.facts.deal import CardBurned, CardDealt, StackDelivered
from domain.facts.envelope import Fact
from domain.settlement.played import Cards
from domain.table.round import RoundInPlay, fold
from domain.table.spots import BOX_CARDS, CODE, Spot, codes


def once(told: RoundInPlay) -> RoundInPlay:
    """Return the round without repeated deals, cached until another fact arrives; mostly it is the round itself."""
    held: RoundInPlay | None = told.worked_out.get("once")
    if held is None:
        held = _once(told)
        told.worked_out["once"] = held
    return held


def _once(told: RoundInPlay) -> RoundInPlay:
    again = [fact for spot, due in _places(told) if len(spot.cards) > due for fact in _repeats(told, spot, due)]
    if not again:
        return told
    left_out = {fact.sequence for fact in again}
    bare = msgspec.structs.replace(
        told,
        told={},
        moves=[],
        seats={},
        dealer=Spot(),
        community=Spot(),
        box=Spot(),
        betting_over=False,
        dealing=False,
        over=False,
        voided=False,
        contradictions=[],
        worked_out={},
        repeats=tuple(again),
    )
    return fold(bare, [fact for fact in told.facts if fact.sequence not in left_out])


def _places(told: RoundInPlay) -> Iterator[tuple[Spot, int]]:
    each, dealer, community = told.game.cards
    yield from ((spot, each) for spot in told.seats.values())
    yield from ((told.dealer, dealer), (told.community, community), (told.box, BOX_CARDS))


def _repeats(told: RoundInPlay, spot: Spot, due: int) -> list[Fact]:
    """Return the facts that dealt cards here a second time, if the place has the right number without them."""
    extra, seen, again = len(spot.cards) - due, set[object](), list[Fact]()
    for fact in spot.dealt:
        cards = _dealt(fact)
        # Several decks hold a card several times: there, only the same fact of the same source is the same card.
        same = (cards, fact.source, fact.at) if told.game.many_rounds_a_shoe else cards
        if UNKNOWN in cards:
            continue
        if same in seen:
            again.append(fact)
            extra -= len(cards)
        seen.add(same)
    return again if extra == 0 else []


def _dealt(fact: Fact) -> Cards:
    if isinstance(fact, CardDealt):
        return (CODE[fact.card],)
    return tuple(sorted(codes(fact.cards))) if isinstance(fact, StackDelivered) else ()


def impossible(told: RoundInPlay) -> frozenset[int]:
    """Return the cards seen more often in this round than its decks hold them, cached until another fact arrives."""
    held: frozenset[int] | None = told.worked_out.get("impossible")
    if held is None:
        held = told.worked_out["impossible"] = _impossible(told)
    return held


def _impossible(told: RoundInPlay) -> frozenset[int]:
    copies = int(told.house["decks"]) if told.game.many_rounds_a_shoe else 1
    seen = [*told.dealer.cards, *told.community.cards, *told.box.cards]
    for spot in told.seats.values():
        seen += spot.cards
    seen += [CODE[burned.card] for burned in told.of(CardBurned)]
    if len(seen) - len(set(seen)) < copies:  # no card can be seen once too often
        return frozenset()
    return frozenset(card for card, many in Counter(seen).items() if many > copies and card != UNKNOWN)
