"""Fast Action's seventeen hands (FAH (c)(2)): the best of seven cards from six or eight decks.

The same card may occur more than once, so a flush can hold pairs: "flush with one pair" beats four of a kind. Ranks
alone decide whether two hands are identical, and so whether a hand is a copy hand (FAH (c)(3)).
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from domain.hands.ranked import (
    CATEGORY_BITS,
    FIVE_SUITED,
    KEY,
    RANK_BITS,
    RANK_MASK,
    START,
    SUITED_OR_UNSEEN,
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
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "flush_with_pair",
    "flush_with_two_pair",
    "flush_with_three_of_a_kind",
    "five_of_a_kind",
    "flush_with_full_house",
    "straight_flush",
    "flush_with_four_of_a_kind",
    "royal_flush",
    "flush_with_five_of_a_kind",
)
NUMBER = {name: number for number, name in enumerate(CATEGORIES)}

# groups of equal ranks -> (category of mixed suits, category when all five are of one suit)
_BY_GROUPS = {
    (5,): ("five_of_a_kind", "flush_with_five_of_a_kind"),
    (4, 1): ("four_of_a_kind", "flush_with_four_of_a_kind"),
    (3, 2): ("full_house", "flush_with_full_house"),
    (3, 1, 1): ("three_of_a_kind", "flush_with_three_of_a_kind"),
    (2, 2, 1): ("two_pair", "flush_with_two_pair"),
    (2, 1, 1, 1): ("pair", "flush_with_pair"),
    (1, 1, 1, 1, 1): ("high_card", "flush"),
}


def of_five(cards: Sequence[int]) -> int:
    """Return the value of exactly five cards, by the printed definitions in turn."""
    refuse_unseen(cards)
    if len(cards) != 5:
        raise ImpossibleHandError("a hand is five cards")
    return _of_five(grouped(cards), suited=len({card & 3 for card in cards}) == 1)


def _of_five(groups: list[tuple[int, int]], *, suited: bool) -> int:
    ranks = [held for _, held in groups]
    top = straight_top(ranks)
    if top is not None and suited:
        return packed(NUMBER["royal_flush" if top == 12 else "straight_flush"], [top])
    if top is not None:
        return packed(NUMBER["straight"], [top])
    mixed, flush = _BY_GROUPS[tuple(count for count, _ in groups)]
    return packed(NUMBER[flush if suited else mixed], ranks)


@cache
def _of_ranks(ranks: tuple[int, ...], *, suited: bool) -> int:
    """Return the value of five ranks in order, all of one suit or not; each of the 6,188 cases is computed once."""
    return _of_five(grouped(rank << 2 for rank in ranks), suited=suited)


class _BestOf(dict[int, int]):
    """Cached best values of five to seven ranks, over every choice of five, all of one suit or not."""

    def __init__(self, *, suited: bool) -> None:
        super().__init__()
        self.suited = suited

    def __missing__(self, key: int) -> int:
        held = [rank for rank in range(13) for _ in range(key >> RANK_BITS * rank & 7)]
        if not 5 <= len(held) <= 7:
            raise ImpossibleHandError("a hand is five to seven cards")
        best = max([_of_ranks(five, suited=self.suited) for five in set(combinations(held, 5))])
        self[key] = best
        return best


_MIXED = _BestOf(suited=False)
_SUITED = _BestOf(suited=True)


def value(cards: Sequence[int]) -> int:
    """Return the value of the best five of five to seven cards under the seventeen-hand order."""
    key = START
    for card in cards:
        key += KEY[card]
    if not key & SUITED_OR_UNSEEN:
        return _MIXED[key & RANK_MASK]
    refuse_unseen(cards)
    mixed = _MIXED[key & RANK_MASK]
    suit = next(suit for suit in range(4) if key & FIVE_SUITED[suit])
    suited_key = sum(1 << RANK_BITS * (card >> 2) for card in cards if card & 3 == suit)
    return max(mixed, _SUITED[suited_key])


def category(value: int) -> int:
    """Return the category number of a value, from 0 (high card) to 16 (flush with five of a kind)."""
    return value >> CATEGORY_BITS


def named(value: int) -> str:
    """Return the name a dealer would announce for a value."""
    return announced(CATEGORIES[category(value)], value)


def best(cards: Sequence[int]) -> Hand:
    """Return the best five of these cards, with their name."""
    best_value = value(cards)
    return Hand(
        value=best_value,
        category=CATEGORIES[category(best_value)],
        cards=used(cards, 5, best_value, of_five),
        name=named(best_value),
    )
