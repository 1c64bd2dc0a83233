"""The cards of a round as rows, place by place, and what they say about the deck."""

from collections import Counter
from collections.abc import Iterator

from domain.cards import UNKNOWN
from domain.facts.deal import CardBurned, CardDealt, CardFoundFaceUp, CardSetAside
from domain.table.round import MOST_CARDS, RoundInPlay
from domain.table.spots import CODE, Spot
from projections.changes import Row

TEXT = {number: text for text, number in CODE.items()}
UNSEEN = "??"
_ASIDE = (CardFoundFaceUp, CardSetAside)


def cards_of(told: RoundInPlay, start: Row) -> list[Row]:
    """Return every card and its place; `start` holds the first cells of every row of the round."""
    rows: list[Row] = []
    for number in sorted(told.seats):
        _place(rows, (*start, "seat", number), told.seats[number])
    _place(rows, (*start, "dealer", 0), told.dealer)
    _place(rows, (*start, "community", 0), told.community)
    _place(rows, (*start, "box", 0), told.box)
    for number, burned in enumerate(told.of(CardBurned), start=1):
        rows.append((*start, "burn", 0, number, burned.card, burned.sequence))
    for number, (card, sequence) in enumerate(_aside(told), start=1):
        rows.append((*start, "aside", 0, number, card, sequence))
    return rows


def _place(rows: list[Row], start: Row, spot: Spot) -> None:
    cards = spot.cards
    if not cards:
        return
    brought: list[int | None] = []
    for fact in spot.dealt:
        if type(fact) is CardDealt:
            brought.append(fact.sequence)
        else:
            size = max(len(fact.cards), min(fact.size or 0, MOST_CARDS))  # type: ignore[attr-defined]
            brought += [fact.sequence] * size
    if len(brought) < len(cards):  # known only from being shown, because the deal is not recorded
        brought += [None] * (len(cards) - len(brought))
    for number, (card, sequence) in enumerate(zip(cards, brought, strict=False), start=1):
        rows.append((*start, number, TEXT[card], sequence))


def _aside(told: RoundInPlay) -> Iterator[tuple[str, int]]:
    """Cards that left the round, each once, in the order of the stream."""
    aside: list[CardFoundFaceUp | CardSetAside] = [*told.of(CardFoundFaceUp), *told.of(CardSetAside)]
    found = sorted(aside, key=lambda fact: fact.sequence)
    known = set()
    for fact in found:
        if fact.card == UNSEEN or fact.card not in known:
            known.add(fact.card)
            yield fact.card, fact.sequence


def seen_of(told: RoundInPlay) -> list[int]:
    """Return every card of the round that was seen, as often as it was seen."""
    found = [*told.dealer.cards, *told.community.cards, *told.box.cards]
    for spot in told.seats.values():
        found += spot.cards
    for burned in told.of(CardBurned):
        found.append(CODE[burned.card])
    if not told.told.keys().isdisjoint(_ASIDE):
        dealt = set(found)
        found += [code for card, _ in _aside(told) if (code := CODE[card]) not in dealt]
    return [card for card in found if card != UNKNOWN]


def too_often(cards: list[int], decks: int) -> tuple[str, ...]:
    """Return the cards that appear more often than so many decks hold them."""
    if len(set(cards)) == len(cards):
        return ()
    return tuple(TEXT[card] for card, count in sorted(Counter(cards).items()) if count > decks)
