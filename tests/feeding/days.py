"""Simulated days as the text of a feed, and the check of a text."""

from functools import cache

from consumers.feeding.checker import FeedChecker
from consumers.feeding.report import FeedReport, reported
from consumers.gateway.gateway import InputLine
from domain.facts.codec import encode
from domain.simulation.floor import SimulatedFloor
from domain.simulation.houses import GAMES
from domain.simulation.seed import World

__all__ = ["GAMES", "WHOLE", "checked", "day"]

AFTERWARDS = 1_796_000_000_000_000  # a clock some days after the simulated day
# Seeds whose only table records everything and has several players: a day of each game and dealing method.
WHOLE = {
    "UTH-MA": (4, 24, 33),
    "UTH-MD": (15, 17, 54),
    "PIK": (3, 12, 17),
    "FAH": (7, 14),
    "COL": (12, 17, 24),
}


@cache
def day(game: str, seed: int, tables: int = 1, hours: int | None = 2) -> str:
    """Return a whole day of a game, one fact a line."""
    floor = SimulatedFloor(World(seed, tables, 1, games=(game,), hours=hours))
    return "".join(encode(fact).decode() + "\n" for fact in floor.facts())


def checked(text: str) -> FeedReport:
    """Return the report on a feed."""
    checker = FeedChecker(lambda: AFTERWARDS)
    checker.take([InputLine("day", number, line.encode()) for number, line in enumerate(text.splitlines(), 1)])
    return reported(checker)
