"""Bad beat: how often the beaten hand, the player's or the dealer's, has each category when nobody folds."""

from typing import Any

import numpy as np
from numba import prange

from domain.hands import standard
from domain.odds.make import deals, fast
from domain.odds.make.boards import HOLES, OPPONENTS, Dense, dense_values, lay_out, no_pairs
from domain.odds.make.fast import Ints, compiled_parallel

CHUNKS = 16


@compiled_parallel
def _count(boards: Ints, weights: Ints, dense: Dense) -> Ints:
    """Return ordered pairs of player and dealer by the category of the beaten hand; the last column holds ties."""
    counts = np.zeros((CHUNKS, 11), dtype=np.int64)
    for chunk in prange(CHUNKS):
        pairs = no_pairs()
        for number in range(chunk, len(boards), CHUNKS):
            lay_out(boards[number], dense, pairs)
            for hole in range(HOLES):
                beats_it = OPPONENTS - pairs.below[hole] - pairs.level[hole]
                counts[chunk, dense.category[pairs.values[hole]]] += 2 * weights[number] * beats_it
                counts[chunk, 10] += weights[number] * pairs.level[hole]
    total: Ints = counts.sum(axis=0)
    return total


def bad_beat() -> dict[str, Any]:
    """Return the counts over all boards and all pairs of hands, in both roles."""
    fast.checked()
    boards, weights = deals.canonical(5)
    counts = _count(boards, weights, dense_values())
    return {"counts": {name: int(count) for name, count in zip((*standard.CATEGORIES, "tie"), counts, strict=True)}}
