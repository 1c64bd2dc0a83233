"""Pik-it's three-card order (PIK 39.4(c)): trips above a straight, a straight above a flush."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from domain.hands.ranked import (
    CATEGORY_BITS,
    Hand,
    ImpossibleHandError,
    announced,
    grouped,
    packed,
    refuse_unseen,
    straight_top,
    used,
)

CATEGORIES = (
    "high_card",
    "pair",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
    "royal_flush",
)
HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH, ROYAL_FLUSH = range(7)


class _ByCards(dict[int, int]):
    """Cached values of three cards, by their three bits of fifty-two; each of the 22,100 cases is computed once."""

    def __missing__(self, bits: int) -> int:
        cards = [card for card in range(52) if bits >> card & 1]
        if len(cards) != 3:
            raise ImpossibleHandError("a three-card hand is three different cards of one deck")
        suited = len({card & 3 for card in cards}) == 1
        value = self[bits] = _of_ranks(tuple([card >> 2 for card in cards]), suited=suited)
        return value


@cache
def _of_ranks(held: tuple[int, ...], *, suited: bool) -> int:
    """Return the value of three ranks in order, all of one suit or not."""
    groups = grouped(rank << 2 for rank in held)
    ranks = [held for _, held in groups]
    top = straight_top(ranks, length=3)
    if suited and top is not None:
        return packed(ROYAL_FLUSH if top == 12 else STRAIGHT_FLUSH, [top])
    if groups[0][0] == 3:
        return packed(THREE_OF_A_KIND, ranks)
    if top is not None:
        return packed(STRAIGHT, [top])
    if suited:
        return packed(FLUSH, ranks)
    return packed(PAIR if groups[0][0] == 2 else HIGH_CARD, ranks)


_BY_CARDS = _ByCards()


def of_three(cards: Sequence[int]) -> int:
    """Return the value of exactly three cards as they are; nobody reselects for the player (PIK 39.4(e))."""
    refuse_unseen(cards)
    if len(cards) != 3:
        raise ImpossibleHandError("a three-card hand is three cards")
    one, two, three = cards
    return _BY_CARDS[1 << one | 1 << two | 1 << three]


def value(cards: Sequence[int]) -> int:
    """Return the value of the best three of these cards."""
    refuse_unseen(cards)
    if len(cards) < 3:
        raise ImpossibleHandError("a three-card hand needs at least three cards")
    bits = [1 << card for card in cards]
    return max([_BY_CARDS[one | two | three] for one, two, three in combinations(bits, 3)])


def category(value: int) -> int:
    """Return the category number of a value, from 0 (high card) to 6 (royal flush)."""
    return value >> CATEGORY_BITS


def named(value: int) -> str:
    """Return the name a dealer would announce for a value."""
    return announced(CATEGORIES[category(value)], value)


def best(cards: Sequence[int]) -> Hand:
    """Return the best three of these cards, with their name."""
    best_value = value(cards)
    return Hand(
        value=best_value,
        category=CATEGORIES[category(best_value)],
        cards=used(cards, 3, best_value, of_three),
        name=named(best_value),
    )
