"""Every two hole cards on one board of five: their values, and how many disjoint pairs they beat.

Values are numbered densely from 1, the worst high card, to 7,462, so that the 1,081 pairs of a board sort in two passes
of seven bits. The number of disjoint pairs below a pair (a, b) is the number of all pairs below it, less those that
hold a, less those that hold b: no pair below it holds both.
"""

from typing import NamedTuple

import numpy as np

from domain.odds.make import deals
from domain.odds.make.fast import FLUSH, PAIR_FLOOR, Ints, compiled, hand_value, rank_value

HOLES = 1081
OPPONENTS = 990


class Dense(NamedTuple):
    """The 7,462 different values in order, with the tables that the compiled functions use."""

    values: Ints
    flush: Ints
    category: Ints
    first_pair: int


@compiled
def _values_of(hands: Ints) -> Ints:
    values = np.zeros(len(hands), dtype=np.int64)
    for number in range(len(hands)):
        values[number] = hand_value(hands[number])
    return values


def dense_values() -> Dense:
    """Return the dense numbering, from all hands of five cards."""
    values = np.unique(_values_of(deals.all_sets(5)))
    flush = np.where(FLUSH > 0, np.searchsorted(values, FLUSH) + 1, 0)
    category = np.concatenate([[0], values >> 20])
    return Dense(values, flush, category, int(np.searchsorted(values, PAIR_FLOOR)) + 1)


class Pairs(NamedTuple):
    """The 1,081 pairs of one board: their cards and values, their order, and the number each beats and ties."""

    holes: Ints
    values: Ints
    order: Ints
    spare: Ints
    below: Ints
    level: Ints


@compiled
def no_pairs() -> Pairs:
    """Return empty arrays for the pairs of one board, reused for the next."""
    return Pairs(
        np.zeros((HOLES, 2), dtype=np.int64),
        np.zeros(HOLES, dtype=np.int64),
        np.zeros(HOLES, dtype=np.int64),
        np.zeros(HOLES, dtype=np.int64),
        np.zeros(HOLES, dtype=np.int64),
        np.zeros(HOLES, dtype=np.int64),
    )


@compiled
def lay_out(board: Ints, dense: Dense, pairs: Pairs) -> None:
    """Compute everything about the pairs of one board."""
    hole_values(board, dense, pairs)
    sort_by_value(pairs.values, pairs.order, pairs.spare)
    beaten_and_tied(pairs)


@compiled
def hole_values(board: Ints, dense: Dense, pairs: Pairs) -> None:
    """Write the pairs of the cards not on the board, and their dense values."""
    taken = np.zeros(52, dtype=np.int64)
    masks = np.zeros(4, dtype=np.int64)
    b1 = b2 = b3 = b4 = 0
    for card in board:
        taken[card] = 1
        bit = 1 << (card >> 2)
        masks[card & 3] |= bit
        b4 |= b3 & bit
        b3 |= b2 & bit
        b2 |= b1 & bit
        b1 |= bit
    by_ranks = np.zeros((13, 13), dtype=np.int64)
    for one in range(13):
        bit = 1 << one
        c4, c3, c2, c1 = b4 | (b3 & bit), b3 | (b2 & bit), b2 | (b1 & bit), b1 | bit
        for two in range(one + 1):
            bit = 1 << two
            value = rank_value(c1 | bit, c2 | (c1 & bit), c3 | (c2 & bit), c4 | (c3 & bit))
            by_ranks[one, two] = by_ranks[two, one] = np.searchsorted(dense.values, value) + 1
    suit = -1
    for named in range(4):
        mask, held = masks[named], 0
        while mask:
            mask &= mask - 1
            held += 1
        if held >= 3:
            suit = named
    number = 0
    for one in range(52):
        if taken[one]:
            continue
        for two in range(one + 1, 52):
            if taken[two]:
                continue
            value = by_ranks[one >> 2, two >> 2]
            if suit >= 0:
                mask = masks[suit]
                if one & 3 == suit:
                    mask |= 1 << (one >> 2)
                if two & 3 == suit:
                    mask |= 1 << (two >> 2)
                value = max(value, dense.flush[mask])
            pairs.holes[number, 0], pairs.holes[number, 1], pairs.values[number] = one, two, value
            number += 1


@compiled
def sort_by_value(values: Ints, order: Ints, spare: Ints) -> None:
    """Write into `order` the places of `values` from the lowest up: a radix sort, seven bits a pass."""
    places = np.zeros(129, dtype=np.int64)
    for value in values:
        places[(value & 127) + 1] += 1
    for digit in range(128):
        places[digit + 1] += places[digit]
    for number in range(len(values)):
        digit = values[number] & 127
        spare[places[digit]] = number
        places[digit] += 1
    places[:] = 0
    for value in values:
        places[(value >> 7) + 1] += 1
    for digit in range(128):
        places[digit + 1] += places[digit]
    for number in spare:
        digit = values[number] >> 7
        order[places[digit]] = number
        places[digit] += 1


@compiled
def beaten_and_tied(pairs: Pairs) -> None:
    """Count for each pair how many of its 990 disjoint opponents it beats and ties."""
    holes, values, order = pairs.holes, pairs.values, pairs.order
    lower = np.zeros(52, dtype=np.int64)
    equal = np.zeros(52, dtype=np.int64)
    first = 0
    while first < len(order):
        last = first
        while last < len(order) and values[order[last]] == values[order[first]]:
            pair = holes[order[last]]
            equal[pair[0]] += 1
            equal[pair[1]] += 1
            last += 1
        for place in range(first, last):
            number = order[place]
            one, two = holes[number]
            pairs.below[number] = first - lower[one] - lower[two]
            pairs.level[number] = last - first - equal[one] - equal[two] + 1
        for place in range(first, last):
            one, two = holes[order[place]]
            lower[one] += 1
            lower[two] += 1
            equal[one] = equal[two] = 0
        first = last
