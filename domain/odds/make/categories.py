"""Counts of categories over all sets of three, five, six and seven cards."""

from itertools import combinations
from typing import Any

import numpy as np
from numba import prange

from domain.hands import six_card, standard, three_card
from domain.odds.make import deals, fast
from domain.odds.make.fast import Ints, compiled, compiled_parallel


@compiled
def _count_below(prefix: Ints, more: int, from_card: int, counts: Ints) -> None:
    """Add the categories of all sets that begin with `prefix` and take `more` cards from `from_card` on.

    An odometer runs over the remaining cards. The masks are rebuilt for each hand, which costs some 30 ns.
    """
    chosen = np.zeros(more, dtype=np.int64)
    for place in range(more):
        chosen[place] = from_card + place
    if from_card + more > 52:
        return
    cards = np.zeros(len(prefix) + more, dtype=np.int64)
    cards[: len(prefix)] = prefix
    while True:
        cards[len(prefix) :] = chosen
        counts[fast.hand_value(cards) >> 20] += 1
        place = more - 1
        while place >= 0 and chosen[place] == 52 - more + place:
            place -= 1
        if place < 0:
            return
        chosen[place] += 1
        for later in range(place + 1, more):
            chosen[later] = chosen[later - 1] + 1


@compiled_parallel
def _count_all(size: int, prefixes: Ints) -> Ints:
    counts = np.zeros((len(prefixes), 10), dtype=np.int64)
    for number in prange(len(prefixes)):
        prefix = prefixes[number]
        _count_below(prefix, size - 2, prefix[1] + 1, counts[number])
    total: Ints = counts.sum(axis=0)
    return total


def standard_counts(size: int) -> dict[str, int]:
    """Return how many of all sets of `size` cards have each category as their best five."""
    fast.checked()
    prefixes = np.array(list(combinations(range(52), 2)), dtype=np.int64)
    counts = _count_all(size, prefixes)
    return {name: int(count) for name, count in zip(standard.CATEGORIES, counts, strict=True)}


def five_card() -> dict[str, Any]:
    """Return five-card counts with pairs by rank, because tens or better have their own line in play the board."""
    counts: dict[str, int] = dict.fromkeys(standard.CATEGORIES, 0)
    ten_or_better = 0
    for held in combinations(range(52), 5):
        value = standard.value(held)
        category = standard.category(value)
        counts[standard.CATEGORIES[category]] += 1
        ten_or_better += category == standard.PAIR and value >> 16 & 15 >= 8
    pairs = counts.pop("pair")
    return {"counts": {**counts, "pair_of_tens_or_better": ten_or_better, "pair_below_tens": pairs - ten_or_better}}


def seven_card() -> dict[str, Any]:
    """Return seven-card counts: two hole cards and five community cards."""
    return {"counts": standard_counts(7)}


def six_card_bonus() -> dict[str, Any]:
    """Return six-card counts: the best five, with super royals, which need a sixth card, taken out of the royals."""
    counts = standard_counts(6)
    for suit in range(4):
        royal = [rank << 2 | suit for rank in range(8, 13)]
        for sixth in set(range(52)) - set(royal):
            line = six_card.line([*royal, sixth])
            if line != "royal_flush":
                counts["royal_flush"] -= 1
                counts[line] = counts.get(line, 0) + 1
    return {"counts": counts}


def three_card_plain() -> dict[str, Any]:
    """Return three-card counts as dealt, in Pik-it's three-card order."""
    counts = dict.fromkeys(three_card.CATEGORIES, 0)
    for held in combinations(range(52), 3):
        counts[three_card.CATEGORIES[three_card.category(three_card.of_three(held))]] += 1
    return {"counts": counts}


def three_of_five() -> dict[str, Any]:
    """Return five-card counts by the set of three-card categories that their ten selections offer.

    The best selection under any pay table follows: it is the best-paid category of the set.
    """
    sets, weights = deals.canonical(5)
    counts: dict[int, int] = {}
    for held, weight in zip(sets.tolist(), weights.tolist(), strict=True):
        offered = 0
        for three in combinations(held, 3):
            offered |= 1 << three_card.category(three_card.of_three(three))
        counts[offered] = counts.get(offered, 0) + weight
    return {
        "counts": {
            " ".join(name for number, name in enumerate(three_card.CATEGORIES) if offered >> number & 1): count
            for offered, count in sorted(counts.items())
        }
    }
