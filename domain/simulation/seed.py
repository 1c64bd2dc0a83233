"""What makes a simulated world: a seed and a handful of numbers; and the one way chance comes into it.

Everything in a world that is left to chance has a generator of its own, seeded by the world's seed and the names of
what it decides. So nothing that is added in one place moves anything in another.
"""

from random import Random

import msgspec

from domain.facts.words import Book
from domain.simulation.houses import GAMES


class World(msgspec.Struct, frozen=True):
    """A property of so many tables over so many gaming days. The same world gives the same facts, byte for byte."""

    seed: int = 1
    tables: int = 10
    days: int = 1
    games: tuple[Book, ...] = GAMES
    start: str = "2026-11-18"
    hours: int | None = None  # a table is open no longer than this
    mishaps: int = 4  # of a thousand rounds, those in which something goes wrong and is lawfully put right

    @property
    def property(self) -> str:
        """The property's name."""
        return f"simulated-{self.seed}"


def chance(world: World, *names: object) -> Random:
    """The generator of whatever these names name."""
    return Random("/".join(map(str, (world.seed, *names))))  # noqa: S311 - a seed, so that a world repeats
