"""Colorado Hold'em: for each three cards and each discard, the five-card hands of all 18,424 boards.

The counts themselves are stored, so that the best play and its exact value follow for any posted odds. Of the 22,100
hands, 1,755 represent all; choices of discard that meet the same boards share one row of counts.
"""

from math import comb
from typing import Any

import numpy as np
from numba import prange

from domain.cards import show
from domain.odds.make import deals, fast
from domain.odds.make.fast import Ints, compiled, compiled_parallel, hand_value

BOARDS = comb(49, 3)
# Pairs are counted by rank in the ranges the text distinguishes: 2 to 6, then 7, 8, 9, ten, jack to ace.
COLUMNS = (
    "high_card",
    "pair_of_twos_to_sixes",
    "pair_of_sevens",
    "pair_of_eights",
    "pair_of_nines",
    "pair_of_tens",
    "pair_of_jacks_to_aces",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)


@compiled
def column(value: int) -> int:
    """Return the column of a five-card value."""
    category = value >> 20
    if category == 0:
        return 0
    if category == 1:
        return 1 + min(max((value >> 16 & 15) - 4, 0), 5)
    return category + 5


@compiled_parallel
def _count(hands: Ints) -> Ints:
    counts = np.zeros((len(hands), 3, 15), dtype=np.int64)
    for number in prange(len(hands)):
        rest = np.array([card for card in range(52) if card not in hands[number]])
        five = np.zeros(5, dtype=np.int64)
        for discard in range(3):
            five[0], five[1] = hands[number][(discard + 1) % 3], hands[number][(discard + 2) % 3]
            for one in range(47):
                five[2] = rest[one]
                for two in range(one + 1, 48):
                    five[3] = rest[two]
                    for three in range(two + 1, 49):
                        five[4] = rest[three]
                        counts[number, discard, column(hand_value(five))] += 1
    return counts


def colorado() -> dict[str, Any]:
    """Return `hands`: the three cards, how many hands they represent, and the row of counts for each discard."""
    fast.checked()
    hands, weights = deals.canonical(3)
    counts = _count(hands)
    rows: dict[tuple[int, ...], int] = {}
    chosen: dict[str, list[int]] = {}
    for hand, weight, of_hand in zip(hands.tolist(), weights.tolist(), counts.tolist(), strict=True):
        numbers = [rows.setdefault(tuple(row), len(rows)) for row in of_hand]
        chosen[show(hand)] = [weight, *numbers]
    return {
        "columns": list(COLUMNS),
        "rows": {str(number): list(row) for row, number in rows.items()},
        "hands": chosen,
    }
