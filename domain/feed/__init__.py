"""Whether a table's feed can be true: counts over finished rounds, and the doubts that they raise."""

from domain.feed.counts import FeedCounts, evolve, initial
from domain.feed.doubts import ALL_DOUBTS, DOUBTFUL, WRONG, Doubt, doubts
from domain.feed.due import expected
from domain.feed.times import TEXT, TIME_UNITS, unit_of

__all__ = [
    "ALL_DOUBTS",
    "DOUBTFUL",
    "TEXT",
    "TIME_UNITS",
    "WRONG",
    "Doubt",
    "FeedCounts",
    "counts",
    "decks",
    "doubts",
    "evolve",
    "expected",
    "initial",
    "little",
    "openings",
    "questions",
    "unit_of",
    "whole",
]
