"""The staff of the simulated floor: dealers with their habits, reliefs and supervisors."""

from collections.abc import Sequence
from random import Random

import msgspec

from domain.simulation.pace import MINUTE, TablePace
from domain.simulation.seed import World, chance

CREW = 3  # dealers who take turns at a table in one shift
SHIFTS = 2
TABLES_A_PIT = 4
_RELIEF_AFTER = (20, 30, 40, 60)  # minutes
_FASTEST, _SLOWEST = 66, 102  # percent of the usual times


class Relief(msgspec.Struct, frozen=True):
    """The time at which a person starts to work at a table."""

    at: int
    person: str


class Crew(msgspec.Struct, frozen=True):
    """A table's staff of one day, each list in the order of time; the first of each opens the table."""

    dealers: tuple[Relief, ...]
    floorpersons: tuple[Relief, ...]


def habits(world: World, dealer: str) -> TablePace:
    """Return how fast a dealer works, on all days; no habit causes errors."""
    own = chance(world, "habits", dealer)
    return TablePace(own.randrange(_FASTEST, _SLOWEST), own.randrange(15, 40))


def dealers_of(world: World) -> list[str]:
    """Return everyone who deals at this property."""
    return [f"dealer-{number}" for number in range(1, world.tables * CREW * SHIFTS + 1)]


def pit_of(number: int) -> str:
    """Return the pit of a table by its number from 0."""
    return f"pit-{number // TABLES_A_PIT + 1}"


def crews(world: World, gaming_day: str, hours: Sequence[tuple[int, int]]) -> list[Crew]:
    """Return who works where on this day, for tables open at these hours; nobody works at two tables."""
    roster = dealers_of(world)
    own = chance(world, "roster", gaming_day)
    own.shuffle(roster)
    made = []
    for number, (opens, closes) in enumerate(hours):
        mine = roster[number * CREW * SHIFTS : (number + 1) * CREW * SHIFTS]
        half = opens + (closes - opens) // 2
        first, second = f"floor-{number // TABLES_A_PIT * 2 + 1}", f"floor-{number // TABLES_A_PIT * 2 + 2}"
        made.append(
            Crew(
                tuple(_reliefs(mine, opens, half, closes, own)),
                (Relief(opens, first), Relief(half, second)),
            )
        )
    return made


def _reliefs(mine: Sequence[str], opens: int, half: int, closes: int, own: Random) -> list[Relief]:
    """Return the reliefs: the next dealer of the shift after a fixed time; the second shift from midday on."""
    every = own.choice(_RELIEF_AFTER)
    found, at, turn = [], opens, 0
    while at < closes:
        shift = mine[:CREW] if at < half else mine[CREW:]
        found.append(Relief(at, shift[turn % CREW]))
        at += (every + own.randrange(-4, 5)) * MINUTE
        turn += 1
    return found
