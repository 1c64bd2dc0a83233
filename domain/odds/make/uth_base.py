"""The base game of Ultimate Texas Hold'em under optimal play: ante, blind and play, by enumeration.

For each of the 1,755 representative flops, each turn and river and each two hole cards, the 990 hands the dealer may
hold are won, tied or lost; a dealer below a pair is counted separately. The choices follow backward from the river:
play once the ante or fold; on the flop play twice or check; before it play four times, three times or check. The stored
figure is the number of deals of every outcome under the best choices, not a mean. So mean, spread, hit rate and total
wagered all follow from it exactly.
"""

from typing import Any

import numpy as np
from numba import prange

from domain.cards import RANKS
from domain.hands import standard
from domain.odds.make import deals, fast
from domain.odds.make.boards import HOLES, OPPONENTS, Dense, Pairs, dense_values, lay_out, no_pairs
from domain.odds.make.fast import Ints, compiled, compiled_parallel

CHUNKS = 16
CLASSES = 169
# Columns of an outcome row: wins by category against a qualifying dealer, wins against a non-qualifying one, ties,
# losses against the one and the other, folds.
WIN_QUALIFIED, WIN_UNQUALIFIED, TIE, LOSS_QUALIFIED, LOSS_UNQUALIFIED, FOLD, COLUMNS = 0, 10, 20, 21, 22, 23, 24

# The blind's payout for each category when the player wins, in half antes.
BLIND_HALVES = {
    "A": np.array([0, 0, 0, 0, 2, 3, 6, 20, 100, 1000], dtype=np.int64),
    "B": np.array([0, 0, 0, 0, 0, 3, 6, 20, 100, 1000], dtype=np.int64),
}


@compiled
def hole_class(one: int, two: int) -> int:
    """Return the class of two hole cards: thirteen rows of thirteen, pairs on the diagonal, suited hands above it."""
    high, low = max(one >> 2, two >> 2), min(one >> 2, two >> 2)
    return high * 13 + low if one & 3 == two & 3 else low * 13 + high


@compiled
def half_antes(row: Ints, multiple: int, blind: Ints) -> int:
    """Return the total win of an outcome row's deals, in half antes, at one multiple of the play wager."""
    total = 0
    for category in range(10):
        qualified, unqualified = row[WIN_QUALIFIED + category], row[WIN_UNQUALIFIED + category]
        total += qualified * (2 * multiple + 2 + blind[category])
        total += unqualified * (2 * multiple + blind[category])
    total -= row[LOSS_QUALIFIED] * (2 * multiple + 4) + row[LOSS_UNQUALIFIED] * (2 * multiple + 2)
    return int(total - 4 * row[FOLD])


@compiled
def _add_board(pairs: Pairs, dense: Dense, blind: Ints, stays: Ints, river: Ints) -> None:
    """Add one board to the rows of each two hole cards: staying in regardless, and the river's best choice."""
    holes, values, first_pair = pairs.holes, pairs.values, dense.first_pair
    unqualified_with = np.zeros(52, dtype=np.int64)
    unqualified = 0
    for hole in range(HOLES):
        if values[hole] < first_pair:
            unqualified += 1
            unqualified_with[holes[hole, 0]] += 1
            unqualified_with[holes[hole, 1]] += 1
    for hole in range(HOLES):
        one, two = holes[hole]
        place = one * 52 + two
        held = dense.category[values[hole]]
        wins, ties = pairs.below[hole], pairs.level[hole]
        losses = OPPONENTS - wins - ties
        weak = unqualified - unqualified_with[one] - unqualified_with[two]
        if values[hole] < first_pair:
            # The player's own cards are among the weak pairs and were subtracted twice.
            weak += 1
            wins_weak, losses_weak = wins, weak - wins - ties
        else:
            wins_weak, losses_weak = weak, 0
        wins_strong, losses_strong = wins - wins_weak, losses - losses_weak
        stays[place, WIN_QUALIFIED + held] += wins_strong
        stays[place, WIN_UNQUALIFIED + held] += wins_weak
        stays[place, TIE] += ties
        stays[place, LOSS_QUALIFIED] += losses_strong
        stays[place, LOSS_UNQUALIFIED] += losses_weak
        playing = wins_strong * (4 + blind[held]) + wins_weak * (2 + blind[held]) - 6 * losses_strong - 4 * losses_weak
        if playing > -4 * OPPONENTS:
            river[place, WIN_QUALIFIED + held] += wins_strong
            river[place, WIN_UNQUALIFIED + held] += wins_weak
            river[place, TIE] += ties
            river[place, LOSS_QUALIFIED] += losses_strong
            river[place, LOSS_UNQUALIFIED] += losses_weak
        else:
            river[place, FOLD] += OPPONENTS


@compiled_parallel
def _count(flops: Ints, weights: Ints, dense: Dense, blind: Ints) -> Ints:
    """Return outcome rows by class of hole cards: playing before the flop, on the flop, and on the river."""
    counts = np.zeros((CHUNKS, 3, CLASSES, COLUMNS), dtype=np.int64)
    for chunk in prange(CHUNKS):
        pairs = no_pairs()
        stays = np.zeros((52 * 52, COLUMNS), dtype=np.int64)
        river = np.zeros((52 * 52, COLUMNS), dtype=np.int64)
        board = np.zeros(5, dtype=np.int64)
        for number in range(chunk, len(flops), CHUNKS):
            stays[:] = 0
            river[:] = 0
            board[:3] = flops[number]
            for turn in range(52):
                if turn in board[:3]:
                    continue
                board[3] = turn
                for last in range(turn + 1, 52):
                    if last in board[:3]:
                        continue
                    board[4] = last
                    lay_out(board, dense, pairs)
                    _add_board(pairs, dense, blind, stays, river)
            for one in range(52):
                for two in range(one + 1, 52):
                    place = one * 52 + two
                    held = hole_class(one, two)
                    counts[chunk, 0, held] += weights[number] * stays[place]
                    if half_antes(stays[place], 2, blind) > half_antes(river[place], 1, blind):
                        counts[chunk, 1, held] += weights[number] * stays[place]
                    else:
                        counts[chunk, 2, held] += weights[number] * river[place]
    total: Ints = counts.sum(axis=0)
    return total


def class_name(number: int) -> str:
    """Return the name of a class: AA, AKs, AKo (diagonal, above it, below it)."""
    row, column = divmod(number, 13)
    if row == column:
        return RANKS[row] * 2
    high, low = max(row, column), min(row, column)
    return RANKS[high] + RANKS[low] + ("s" if row > column else "o")


def _rows(multiple: int, row: Ints) -> dict[str, int]:
    """Return an outcome row in stored form: only outcomes that occur, under readable names."""
    named: dict[str, int] = {}
    for category, name in enumerate(standard.CATEGORIES):
        named[f"{multiple} win qualified {name}"] = int(row[WIN_QUALIFIED + category])
        named[f"{multiple} win unqualified {name}"] = int(row[WIN_UNQUALIFIED + category])
    named[f"{multiple} tie"] = int(row[TIE])
    named[f"{multiple} loss qualified"] = int(row[LOSS_QUALIFIED])
    named[f"{multiple} loss unqualified"] = int(row[LOSS_UNQUALIFIED])
    named["0 fold"] = int(row[FOLD])
    return {name: count for name, count in named.items() if count}


def _under(blind: Ints) -> dict[str, Any]:
    """Return the outcomes under the best choices for one blind table, and the choice before the flop."""
    flops, weights = deals.canonical(3)
    counts = _count(flops, weights, dense_values(), blind)
    outcomes: dict[str, int] = {}
    preflop: dict[str, list[int]] = {}
    for number in range(CLASSES):
        before, flop, river = counts[:, number]
        four, three = half_antes(before, 4, blind), half_antes(before, 3, blind)
        check = half_antes(flop, 2, blind) + half_antes(river, 1, blind)
        preflop[class_name(number)] = [int(before.sum()), int(four), int(three), int(check)]
        if max(four, three) > check:
            rows = [_rows(4 if four >= three else 3, before)]
        else:
            rows = [_rows(2, flop), _rows(1, river)]
        for named in rows:
            for name, count in named.items():
                outcomes[name] = outcomes.get(name, 0) + count
    return {"counts": outcomes, "preflop": preflop}


def uth_base() -> dict[str, Any]:
    """Return both blind tables.

    `preflop` holds for each class of hole cards its deals and the win, in half antes, of four times, three times and a
    check. A perfect player makes the choice with the greatest win.
    """
    fast.checked()
    return {f"blind_{letter}": _under(blind) for letter, blind in BLIND_HALVES.items()}
