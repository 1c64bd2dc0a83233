"""Sets of cards up to a renaming of suits, each with the number of sets it represents."""

from itertools import combinations
from math import factorial

import numpy as np

from domain.odds.make.fast import Ints, compiled


@compiled
def canonical_weight(cards: Ints) -> int:
    """Return how many sets this one represents; 0 if another set represents it.

    A set is four masks of ranks, one a suit. The set whose masks are in falling order represents all its renamings.
    """
    masks = np.zeros(4, dtype=np.int64)
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    weight, run = 24, 1
    for suit in range(1, 4):
        if masks[suit] > masks[suit - 1]:
            return 0
        run = run + 1 if masks[suit] == masks[suit - 1] else 1
        weight //= run
    return weight


@compiled
def weights(sets: Ints) -> Ints:
    """Return the weight of each set."""
    found = np.zeros(len(sets), dtype=np.int64)
    for number in range(len(sets)):
        found[number] = canonical_weight(sets[number])
    return found


def canonical(size: int) -> tuple[Ints, Ints]:
    """Return the sets of `size` cards that represent all others, with weights: 1,755 of three, 134,459 of five."""
    sets = all_sets(size)
    found = weights(sets)
    return sets[found > 0], found[found > 0]


def all_sets(size: int) -> Ints:
    """Return every set of `size` cards of the deck, in order."""
    count = factorial(52) // factorial(52 - size) // factorial(size)
    flat = np.fromiter((card for held in combinations(range(52), size) for card in held), np.int64, count * size)
    return flat.reshape(count, size)
