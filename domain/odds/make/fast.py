"""A compiled evaluator of five to seven cards of one deck, with the same values as `domain.hands.standard`.

Ranks are thirteen-bit masks: `m1` holds the ranks seen at least once, `m2` at least twice, up to `m4`. Adding a
card of rank bit b is m4 |= m3 & b, m3 |= m2 & b, m2 |= m1 & b, m1 |= b. `checked()` compares the evaluator with
the domain's own ranker on random hands and is called before anything it counts is believed.
"""

import random
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from domain.hands import standard

Ints = npt.NDArray[np.int64]
Function = TypeVar("Function", bound=Callable[..., Any])

PAIR_FLOOR = 1 << 20


class EvaluatorMismatchError(Exception):
    """A fast evaluator and the domain's ranker disagree on a hand, so its counts are worthless."""


def compiled(function: Function) -> Function:
    """Return the function as machine code."""
    return cast(Function, numba.njit(function))


def compiled_parallel(function: Function) -> Function:
    """Return the function as machine code, with its `prange` loops over all of numba's threads."""
    return cast(Function, numba.njit(parallel=True)(function))


def _straight_top(mask: int) -> int:
    for top in range(12, 2, -1):
        wanted = sum(1 << (top - step) % 13 for step in range(5))
        if mask & wanted == wanted:
            return top
    return 0


def _highest_five(mask: int) -> int:
    held = [rank for rank in range(12, -1, -1) if mask >> rank & 1][:5]
    packed = 0
    for rank in held:
        packed = packed << 4 | rank
    return packed << 4 * (5 - len(held))


def _flush(mask: int) -> int:
    if mask.bit_count() < 5:
        return 0
    top = _straight_top(mask)
    if top == 12:
        return standard.ROYAL_FLUSH << 20 | 12 << 16
    if top:
        return standard.STRAIGHT_FLUSH << 20 | top << 16
    return standard.FLUSH << 20 | _highest_five(mask)


# TOP_FIVE holds the five highest ranks of a mask as nibbles; the highest alone is TOP_FIVE >> 16.
TOP_FIVE: Ints = np.array([_highest_five(mask) for mask in range(8192)], dtype=np.int64)
STRAIGHT: Ints = np.array([_straight_top(mask) for mask in range(8192)], dtype=np.int64)
FLUSH: Ints = np.array([_flush(mask) for mask in range(8192)], dtype=np.int64)


@compiled
def rank_value(m1: int, m2: int, m3: int, m4: int) -> int:
    """Return the best hand of five to seven cards by ranks alone."""
    if m4:
        top = TOP_FIVE[m4] >> 16
        return int((7 << 20) | (top << 16) | ((TOP_FIVE[m1 & ~(1 << top)] >> 16) << 12))
    if m3:
        top = TOP_FIVE[m3] >> 16
        pairs = m2 & ~(1 << top)
        if pairs:
            return int((6 << 20) | (top << 16) | ((TOP_FIVE[pairs] >> 16) << 12))
    if STRAIGHT[m1]:
        return int((4 << 20) | (STRAIGHT[m1] << 16))
    if m3:
        top = TOP_FIVE[m3] >> 16
        return int((3 << 20) | (top << 16) | ((TOP_FIVE[m1 & ~(1 << top)] >> 12) << 8))
    if m2:
        top = TOP_FIVE[m2] >> 16
        second = m2 & ~(1 << top)
        if second:
            low = TOP_FIVE[second] >> 16
            kicker = TOP_FIVE[m1 & ~(1 << top) & ~(1 << low)] >> 16
            return int((2 << 20) | (top << 16) | (low << 12) | (kicker << 8))
        return int((1 << 20) | (top << 16) | ((TOP_FIVE[m1 & ~(1 << top)] >> 8) << 4))
    return int(TOP_FIVE[m1])


@compiled
def hand_value(cards: Ints) -> int:
    """Return the value of the best five of five to seven cards."""
    m1 = m2 = m3 = m4 = 0
    s0 = s1 = s2 = s3 = 0
    for card in cards:
        bit = 1 << (card >> 2)
        m4 |= m3 & bit
        m3 |= m2 & bit
        m2 |= m1 & bit
        m1 |= bit
        suit = card & 3
        if suit == 0:
            s0 |= bit
        elif suit == 1:
            s1 |= bit
        elif suit == 2:
            s2 |= bit
        else:
            s3 |= bit
    return int(max(rank_value(m1, m2, m3, m4), FLUSH[s0], FLUSH[s1], FLUSH[s2], FLUSH[s3]))


def compare(fast: Callable[[Ints], int], slow: Callable[[list[int]], int], deal: Callable[[], list[int]]) -> None:
    """Raise an error at the first of 100,000 deals on which the two disagree."""
    for _ in range(100_000):
        cards = deal()
        if int(fast(np.array(cards, dtype=np.int64))) != slow(cards):
            raise EvaluatorMismatchError(f"the fast evaluator and the domain's ranker disagree on {cards}")


def checked() -> None:
    """Compare this evaluator with the domain's ranker on five, six and seven cards."""
    chance = random.Random(20261118)  # noqa: S311 - repeatable test hands
    for size in (5, 6, 7):
        compare(hand_value, standard.value, lambda size=size: chance.sample(range(52), size))  # type: ignore[misc]
