"""Copies in Fast Action: a seeded run in which player and dealer both set by the house way.

Dealt and set alike, each hand wins as often as the other, so the house edge needs no count of wins. It follows from
naturals, which are counted exactly where they are used, and from how often two hands copy each other. The run estimates
the copies under all four readings of the house way on the same deals. Wins and losses are stored as a check of the
symmetry.
"""

import random
from typing import Any

import numpy as np
from numba import prange

from domain import house_way
from domain.hands import multideck
from domain.odds.make import fast
from domain.odds.make.fast import STRAIGHT, TOP_FIVE, Ints, compiled, compiled_parallel

SEED = 20261118
CHUNKS = 64
ROUNDS = 100_000_000
READINGS = (("both", "both"), ("high-only", "both"), ("both", "high-only"), ("high-only", "high-only"))
TEN, JACK, ACE = 8, 9, 12

# Categories of `multideck` for cards of mixed suits and for cards of one suit: five alike, four alike, full
# house, straight, three alike, two pair, pair, all different. The straights of one suit have their royal above.
FIVE, FOUR, FULL, RUN, THREE, TWO_PAIR, PAIR, DIFFERENT = range(8)
CATEGORY: Ints = np.array([[11, 7, 6, 4, 3, 2, 1, 0], [16, 14, 12, 13, 10, 9, 8, 5]], dtype=np.int64)


@compiled
def _best_of_ranks(masks: tuple[int, int, int, int, int], suited: int) -> int:
    """Return the best five by these masks of ranks, all of mixed suits or all of one."""
    name = CATEGORY[suited]
    m1, m2, m3, m4, m5 = masks
    if m5:
        return int(name[FIVE] << 20 | TOP_FIVE[m5])
    run = STRAIGHT[m1]
    if suited and run == ACE:
        return (15 << 20) | (ACE << 16)
    if m4:
        top = TOP_FIVE[m4] >> 16
        return int(name[FOUR] << 20 | top << 16 | (TOP_FIVE[m1 & ~(1 << top)] >> 16) << 12)
    if suited and run:
        return int(name[RUN] << 20 | run << 16)
    top = TOP_FIVE[m3] >> 16
    others = m1 & ~(1 << top)
    if m3 and m2 & others:
        return int(name[FULL] << 20 | top << 16 | (TOP_FIVE[m2 & others] >> 16) << 12)
    if run:
        return int(name[RUN] << 20 | run << 16)
    if m3:
        return int(name[THREE] << 20 | top << 16 | (TOP_FIVE[others] >> 12) << 8)
    if m2 == 0:
        return int(name[DIFFERENT] << 20 | TOP_FIVE[m1])
    top = TOP_FIVE[m2] >> 16
    others = m1 & ~(1 << top)
    if m2 & others == 0:
        return int(name[PAIR] << 20 | top << 16 | (TOP_FIVE[others] >> 8) << 4)
    low = TOP_FIVE[m2 & others] >> 16
    return int(name[TWO_PAIR] << 20 | top << 16 | low << 12 | (TOP_FIVE[others & ~(1 << low)] >> 16) << 8)


@compiled
def hand_value(cards: Ints) -> int:
    """Return the value of the best five of seven cards of several decks."""
    m1 = m2 = m3 = m4 = m5 = 0
    suits = 0
    for card in cards:
        bit = 1 << (card >> 2)
        m5 |= m4 & bit
        m4 |= m3 & bit
        m3 |= m2 & bit
        m2 |= m1 & bit
        m1 |= bit
        suits += 1 << 4 * (card & 3)
    value = _best_of_ranks((m1, m2, m3, m4, m5), 0)
    for suit in range(4):
        if suits >> 4 * suit & 15 >= 5:
            m1 = m2 = m3 = m4 = m5 = 0
            for card in cards:
                if card & 3 == suit:
                    bit = 1 << (card >> 2)
                    m5 |= m4 & bit
                    m4 |= m3 & bit
                    m3 |= m2 & bit
                    m2 |= m1 & bit
                    m1 |= bit
            value = max(value, _best_of_ranks((m1, m2, m3, m4, m5), 1))
    return value


@compiled
def _row(high: int, low: int, suited: bool, viii_high_only: bool, ix_high_only: bool) -> int:
    """Return the first row of the house way that two cards satisfy."""
    running = high - low == 1
    if high == low:
        return 1 if suited else 2
    if high == ACE and low >= TEN:
        return 3 if suited else 5
    if suited and running and low >= TEN:
        return 4
    if not suited and running and low >= JACK:
        return 6
    if high == ACE:
        if suited:
            return 7
        return 9 if ix_high_only else 10
    if suited and (high if viii_high_only else low) >= TEN:
        return 8
    if (high if ix_high_only else low) >= JACK:
        return 9
    if suited:
        return 11 if running else 12
    return 13 if running else 14


@compiled
def kept_places(four: Ints, viii_high_only: bool, ix_high_only: bool) -> int:
    """Return the two places kept, as the earlier times four plus the later; -1 for a natural."""
    ranks = four >> 2
    if ranks[0] == ranks[1] and ranks[1] == ranks[2] and ranks[2] == ranks[3]:
        return -1
    best, places = 1 << 20, 0
    for one in range(3):
        for two in range(one + 1, 4):
            high, low = max(ranks[one], ranks[two]), min(ranks[one], ranks[two])
            row = _row(high, low, four[one] & 3 == four[two] & 3, viii_high_only, ix_high_only)
            score = row << 8 | (15 - high) << 4 | (15 - low)
            if score < best:
                best, places = score, one * 4 + two
    return places


@compiled
def _random32(state: Ints) -> int:
    """Return the upper half of the next of a xorshift64* sequence; its state is one word that is never zero."""
    word = np.uint64(state[0])
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    state[0] = np.int64(word)
    return int((word * np.uint64(2685821657736338717)) >> np.uint64(32))


@compiled
def _deal(state: Ints, decks: int, cards: Ints) -> None:
    """Deal thirteen different cards of a shoe, every choice equally likely."""
    size = 52 * decks
    least = (1 << 32) % size
    taken = np.zeros(13, dtype=np.int64)
    for number in range(13):
        fresh = False
        while not fresh:
            wide = _random32(state) * size
            taken[number] = wide >> 32
            fresh = wide & 0xFFFFFFFF >= least
            for before in range(number):
                fresh = fresh and taken[before] != taken[number]
        cards[number] = taken[number] % 52


@compiled_parallel
def _run(seeds: Ints, rounds: int, decks: int) -> Ints:
    """Return wins, losses and copies of the player by reading, without naturals."""
    counts = np.zeros((len(seeds), 4, 3), dtype=np.int64)
    for chunk in prange(len(seeds)):
        state = seeds[chunk : chunk + 1].copy()
        cards = np.zeros(13, dtype=np.int64)
        seven = np.zeros((2, 7), dtype=np.int64)
        for _ in range(rounds):
            _deal(state, decks, cards)
            if kept_places(cards[:4], False, False) < 0 or kept_places(cards[4:8], False, False) < 0:
                continue
            seven[0, 2:] = cards[8:]
            seven[1, 2:] = cards[8:]
            before, result = -1, 0
            for reading in range(4):
                mine = kept_places(cards[:4], reading & 1 == 1, reading & 2 == 2)
                theirs = kept_places(cards[4:8], reading & 1 == 1, reading & 2 == 2)
                if mine << 4 | theirs != before:
                    before = mine << 4 | theirs
                    seven[0, 0], seven[0, 1] = cards[mine >> 2], cards[mine & 3]
                    seven[1, 0], seven[1, 1] = cards[4 + (theirs >> 2)], cards[4 + (theirs & 3)]
                    one, two = hand_value(seven[0]), hand_value(seven[1])
                    result = 0 if one > two else (1 if one < two else 2)
                counts[chunk, reading, result] += 1
    total: Ints = counts.sum(axis=0)
    return total


def checked() -> None:
    """Compare the evaluator and the house way with the domain's on 100,000 random hands each."""
    chance = random.Random(SEED)  # noqa: S311 - repeatable test hands

    def shoe(size: int) -> list[int]:
        return [place % 52 for place in chance.sample(range(312), size)]

    def alike(size: int) -> list[int]:
        return [place % 12 for place in chance.sample(range(72), size)]

    fast.compare(hand_value, multideck.value, lambda: shoe(7))
    fast.compare(hand_value, multideck.value, lambda: alike(7))
    for number, (viii, ix) in enumerate(READINGS):
        fast.compare(
            lambda four, number=number: kept_places(four, number & 1 == 1, number & 2 == 2),  # type: ignore[misc]
            lambda four, viii=viii, ix=ix: _places(four, viii, ix),  # type: ignore[misc]
            lambda: shoe(4),
        )


def _places(four: list[int], viii: str, ix: str) -> int:
    """Return the domain's choice in the form of the compiled one."""
    kept = house_way.kept(four, viii, ix)
    if kept is None:
        return -1
    return next(one * 4 + two for one in range(3) for two in range(one + 1, 4) if (four[one], four[two]) == kept)


def fast_action() -> dict[str, Any]:
    """Return the counts for both numbers of decks and all four readings; readers of the counts compute the interval."""
    checked()
    runs: dict[str, dict[str, int]] = {}
    for decks in (6, 8):
        chance = random.Random(SEED + decks)  # noqa: S311 - a seed for each chunk, the same ones every time
        seeds = np.array([chance.randrange(1, 1 << 62) for _ in range(CHUNKS)], dtype=np.int64)
        counts = _run(seeds, ROUNDS // CHUNKS, decks)
        for (viii, ix), (wins, losses, copies) in zip(READINGS, counts.tolist(), strict=True):
            name = f"{decks} decks, viii {viii}, ix {ix}"
            runs[name] = {"rounds": ROUNDS, "wins": wins, "losses": losses, "copies": copies}
    return {"seed": SEED, "runs": runs}
