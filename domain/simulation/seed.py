"""The definition of a simulated world: a seed and a few numbers; and the only source of chance in it.

Everything random in a world has a generator of its own, seeded by the world's seed and the names of what it decides. So
an addition in one place moves nothing in another.
"""

from random import Random

import msgspec

from domain.facts.words import Book
from domain.simulation.houses import GAMES


class World(msgspec.Struct, frozen=True):
    """A property with some tables and gaming days. The same world gives the same facts, byte for byte."""

    seed: int = 1
    tables: int = 10
    days: int = 1
    games: tuple[Book, ...] = GAMES
    start: str = "2026-11-18"
    hours: int | None = None  # the longest opening time of a table
    mishaps: int = 4  # per thousand rounds, those with a mishap that is lawfully corrected

    @property
    def property(self) -> str:
        """The property's name."""
        return f"simulated-{self.seed}"


def chance(world: World, *names: object) -> Random:
    """Return the generator for the decisions under these names."""
    return Random("/".join(map(str, (world.seed, *names))))  # noqa: S311 - a seed, so that a world repeats
