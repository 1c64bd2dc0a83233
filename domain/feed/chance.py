"""The number of rounds that a lawful table reaches at most once in a million times, in exact whole numbers."""

from functools import cache
from math import comb

IN = 1_000_000  # a lawful table reaches the number at most once in so many times


@cache
def least(trials: int, top: int, bottom: int) -> int:
    """Return the least count whose chance is at most one in a million, if each trial counts with chance top/bottom.

    If even all trials are too likely, the result is one more than the trials.
    """
    total, whole = 0, bottom**trials
    for hits in range(trials, -1, -1):
        total += comb(trials, hits) * top**hits * (bottom - top) ** (trials - hits)
        if total * IN > whole:
            return hits + 1
    return 0
