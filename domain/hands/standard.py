"""The standard order: the best five of five, six or seven cards of one deck.

UTH-MA 5, UTH-MD 6, PIK 39.4(b) and COL 3(b) print the same nine hands. Their sentence on ties ("the highest ranking
card not contained in the other") applies after the grouping printed in the same sections: quads, trips and pairs first,
then the kickers from the top. The wheel is a five-high straight.
"""

from collections.abc import Sequence

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
    "straight_flush",
    "royal_flush",
)
(
    HIGH_CARD,
    PAIR,
    TWO_PAIR,
    THREE_OF_A_KIND,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR_OF_A_KIND,
    STRAIGHT_FLUSH,
    ROYAL_FLUSH,
) = range(10)

_BY_GROUPS = {
    (4, 1): FOUR_OF_A_KIND,
    (3, 2): FULL_HOUSE,
    (3, 1, 1): THREE_OF_A_KIND,
    (2, 2, 1): TWO_PAIR,
    (2, 1, 1, 1): PAIR,
    (1, 1, 1, 1, 1): HIGH_CARD,
}


def of_five(cards: Sequence[int]) -> int:
    """Return the value of exactly five cards, by the printed definitions in turn."""
    refuse_unseen(cards)
    groups = grouped(cards)
    category = _BY_GROUPS.get(tuple(count for count, _ in groups))
    if category is None or len(set(cards)) != 5:
        raise ImpossibleHandError(f"{len(set(cards))} different cards are not five cards of one deck")
    ranks = [held for _, held in groups]
    suited = len({card & 3 for card in cards}) == 1
    top = straight_top(ranks)
    if suited and top is not None:
        return packed(ROYAL_FLUSH if top == 12 else STRAIGHT_FLUSH, [top])
    if suited:
        return packed(FLUSH, ranks)
    if top is not None:
        return packed(STRAIGHT, [top])
    return packed(category, ranks)


class _ByRanks(dict[int, int]):
    """Cached best values of five to seven cards by rank alone; each of the 73,775 cases is computed once."""

    def __missing__(self, key: int) -> int:
        counts = [(key >> RANK_BITS * held & 7, held) for held in range(13)]
        size = sum(count for count, _ in counts)
        if not 5 <= size <= 7 or max(counts)[0] > 4:
            raise ImpossibleHandError("a hand is five to seven cards of one deck")
        value = self[key] = _best_by_ranks(sorted((pair for pair in counts if pair[0]), reverse=True))
        return value


def _best_by_ranks(groups: list[tuple[int, int]]) -> int:
    """Return the best hand of these groups (count, rank) when no five cards are of one suit."""
    held = sorted((rank for _, rank in groups), reverse=True)
    (most, first), (next_most, second) = groups[0], groups[1]
    if most == 4:
        return packed(FOUR_OF_A_KIND, [first, max(rank for rank in held if rank != first)])
    if most == 3 and next_most >= 2:
        return packed(FULL_HOUSE, [first, second])
    for top in range(12, 2, -1):
        if {top, top - 1, top - 2, top - 3, (top - 4) % 13} <= set(held):
            return packed(STRAIGHT, [top])
    if most == 3:
        return packed(THREE_OF_A_KIND, [first, *(rank for rank in held if rank != first)][:3])
    if most == 2 and next_most == 2:
        return packed(TWO_PAIR, [first, second, max(rank for rank in held if rank not in (first, second))])
    if most == 2:
        return packed(PAIR, [first, *(rank for rank in held if rank != first)][:4])
    return packed(HIGH_CARD, held[:5])


class _ByFlushMask(dict[int, int]):
    """Cached best values of five to seven cards of one suit; the ranks held are thirteen bits."""

    def __missing__(self, mask: int) -> int:
        held = [rank for rank in range(12, -1, -1) if mask >> rank & 1]
        value = packed(FLUSH, held[:5])
        for top in range(12, 2, -1):
            if {top, top - 1, top - 2, top - 3, (top - 4) % 13} <= set(held):
                value = packed(ROYAL_FLUSH if top == 12 else STRAIGHT_FLUSH, [top])
                break
        self[mask] = value
        return value


BY_RANKS = _ByRanks()
_BY_FLUSH_MASK = _ByFlushMask()


def value(cards: Sequence[int]) -> int:
    """Return the value of the best five of five, six or seven cards.

    Ranks alone decide most hands, so this function notices a repeated card only in a flush; `best` always does.
    """
    key = START
    for card in cards:
        key += KEY[card]
    if key & SUITED_OR_UNSEEN:
        return flush_value(key, cards)
    return BY_RANKS[key & RANK_MASK]


def flush_value(key: int, cards: Sequence[int]) -> int:
    """Return the value when five cards are of one suit.

    Only a better flush can beat it: with five ranks of one suit, seven cards leave no room for quads or a full house.
    """
    refuse_unseen(cards)
    if len(cards) > 7 or len(set(cards)) < len(cards):
        raise ImpossibleHandError("a hand is five to seven cards of one deck")
    suit = next(suit for suit in range(4) if key & FIVE_SUITED[suit])
    mask = 0
    for card in cards:
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
    return _BY_FLUSH_MASK[mask]


def category(value: int) -> int:
    """Return the category number of a value, from 0 (high card) to 9 (royal flush)."""
    return value >> CATEGORY_BITS


def named(value: int) -> str:
    """Return the name a dealer would announce for a value."""
    return announced(CATEGORIES[category(value)], value)


def best(cards: Sequence[int]) -> Hand:
    """Return the best five of these cards, with their name."""
    if len(set(cards)) < len(cards):
        refuse_unseen(cards)
        raise ImpossibleHandError("a card occurs twice in this hand")
    best_value = value(cards)
    return Hand(
        value=best_value,
        category=CATEGORIES[category(best_value)],
        cards=used(cards, 5, best_value, of_five),
        name=named(best_value),
    )
