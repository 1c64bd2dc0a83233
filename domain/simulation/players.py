"""The players of the simulated floor: when and where they come, how long they stay, and their favorite wagers."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

import msgspec

from domain.rulebooks import House
from domain.simulation.pace import MINUTE
from domain.simulation.property_time import moment
from domain.simulation.seed import World, chance
from domain.simulation.strategies import Whim
from domain.simulation.table import Setup

# Occupancy by the hour of the day, in percent of a table's positions.
_FULL = (70, 62, 50, 38, 26, 18, 12, 12, 14, 18, 26, 34, 40, 44, 46, 50, 56, 64, 72, 80, 84, 86, 84, 78)
_SHORTEST, _SPREAD = 12, 75  # minutes of a stay: the minimum, and twice up to this many more
_USUAL_STAY = _SHORTEST + _SPREAD
BETWEEN_TABLES = (16, 45)  # minutes a player spends between tables: longer than any round takes
_REGULARS_A_TABLE = 12
_NOT_BEFORE_CLOSE = 20 * MINUTE  # nobody comes to a table about to close
_BUY_INS = (10, 20, 20, 40)  # antes
# Optional wagers, and the percentage of rounds in which players who like them make them.
_SIDE = {
    "UTH-MA": ("trips", "cover_all", "progressive"),
    "UTH-MD": ("trips", "six_card", "ultimate_pairs", "bad_beat", "play_the_board", "progressive"),
    "PIK": ("bonus3",),
    "FAH": (),
    "COL": ("bonus",),
}
_CHIP = 500
_CHIPS = (1, 1, 1, 2, 5)


class Taste(msgspec.Struct, frozen=True):
    """A player's tastes, at every table and on every day."""

    units: int  # the usual ante in table minimums
    likes: dict[str, int]  # side wagers, in percent of rounds
    slips: int  # of 256 decisions, those that differ from the best
    coupons: int  # per thousand rounds
    sits_out: int  # per hundred rounds


class TableVisit(msgspec.Struct, frozen=True):
    """A player's stay at one table."""

    player: str
    comes: int
    goes: int
    pick: int  # chooses among the free seats
    positions: int
    buys_again: tuple[int, ...]
    moves_at: int | None
    taste: Taste


def taste_of(world: World, player: str) -> Taste:
    """Return a player's tastes, which are the same everywhere."""
    own = chance(world, "taste", player)
    sides = {wager for wagers in _SIDE.values() for wager in wagers}
    return Taste(
        own.choice((1, 1, 1, 2, 2, 3, 5)),
        {wager: own.choice((0, 0, 20, 60, 95)) for wager in sorted(sides)},
        own.choice((0, 3, 8, 13, 26)),
        own.choice((0, 0, 0, 20)),
        own.choice((0, 1, 3)),
    )


def visits(
    world: World, gaming_day: str, setups: Sequence[Setup], hours: Sequence[tuple[int, int]]
) -> list[list[TableVisit]]:
    """Return who comes to each table on this day, in order; nobody is at two tables at a time."""
    return _Traffic(world, gaming_day, setups, hours).visits()


class _Traffic:
    """One day's arrivals and departures."""

    def __init__(
        self, world: World, gaming_day: str, setups: Sequence[Setup], hours: Sequence[tuple[int, int]]
    ) -> None:
        self.world, self.setups, self.hours = world, setups, hours
        self.own = chance(world, "traffic", gaming_day)
        self.midnight = moment(gaming_day, 0)
        self.found: list[list[TableVisit]] = [[] for _ in setups]
        many = _REGULARS_A_TABLE * world.tables
        self.regulars = [f"p-{chance(world, 'regular', number).getrandbits(40):010x}" for number in range(many)]
        self.own.shuffle(self.regulars)

    def visits(self) -> list[list[TableVisit]]:
        """Return every table's visits."""
        for number, setup in enumerate(self.setups):
            opens, closes = self.hours[number]
            busy = self.own.randrange(60, 130)
            for at in range(opens, closes - _NOT_BEFORE_CLOSE, MINUTE):
                hour = (at - self.midnight) // MINUTE // 60 % 24
                # This many players a minute give the table the hour's occupancy.
                if self.own.randrange(100 * 100 * _USUAL_STAY) < _FULL[hour] * busy * setup.positions:
                    known = self.regulars and self.own.random() < 0.5
                    player = self.regulars.pop() if known else f"p-{self.own.getrandbits(40):010x}"
                    self._wanders(player, at, number)
        for at_table in self.found:
            at_table.sort(key=lambda visit: (visit.comes, visit.player))
        return self.found

    def _wanders(self, player: str, comes: int, number: int) -> None:
        """Add a player's visits to one table after another, with pauses between."""
        own, taste = self.own, taste_of(self.world, player)
        while True:
            opens, closes = self.hours[number]
            goes = min(comes + (_SHORTEST + own.randrange(_SPREAD) + own.randrange(_SPREAD)) * MINUTE, closes)
            if opens <= comes < closes - _NOT_BEFORE_CLOSE:
                self.found[number].append(self._visit(player, comes, goes, number, taste))
            if own.random() >= 0.3:
                return
            comes = max(goes, comes) + own.randrange(*BETWEEN_TABLES) * MINUTE
            number = own.randrange(len(self.setups))

    def _visit(self, player: str, comes: int, goes: int, number: int, taste: Taste) -> TableVisit:
        own, most = self.own, int(self.setups[number].options.get("max_positions") or 1)
        several = own.randrange(1, most + 1) if own.random() < 0.2 else 1
        again = tuple(at for at in range(comes + 25 * MINUTE, goes, 30 * MINUTE) if own.random() < 0.5)
        moves = comes + own.randrange(10, 40) * MINUTE if own.random() < 0.08 and several == 1 else None
        return TableVisit(player, comes, goes, own.randrange(60), several, again, moves, taste)


def buys_in_for(taste: Taste, least_cents: int, own: Random) -> int:
    """Return chips for some dozen rounds, in whole twenties."""
    cents = least_cents * taste.units * own.choice(_BUY_INS)
    return max(cents // 2_000, 1) * 2_000


def wagers(house: House, taste: Taste, least_cents: int, own: Random) -> dict[str, int]:
    """Return a player's wagers before the deal: the required ones, and liked ones that are offered."""
    required, sides = _to_choose_from(house)
    drawn = own.random() * 5
    placed = dict.fromkeys(required, least_cents * max(1, taste.units + (-1 if drawn < 1 else drawn > 4)))
    for wager in sides:
        if own.random() * 100 < taste.likes[wager] and placed.keys() >= _BESIDES.get((house.book.book, wager), set()):
            placed[wager] = _side_cents(house, wager, own)
    return placed


# Side wagers accepted only together with another.
_BESIDES = {("UTH-MA", "progressive"): {"trips"}, ("UTH-MD", "six_card"): {"trips"}}


@lru_cache(maxsize=1024)
def _to_choose_from(house: House) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the required wagers of a house, and its optional ones."""
    book = house.book.book
    required = {"PIK": ("ante", "bonus5"), "FAH": ("original",), "COL": ("ante",)}.get(book, ("ante", "blind"))
    return required, tuple(wager for wager in _SIDE[book] if _offered(house, wager))


def _offered(house: House, wager: str) -> bool:
    options = house.options
    if wager in ("cover_all", "progressive"):
        return bool(options.get(wager))
    if wager == "bonus":
        return bool(options["bonus_offered"])
    return house.offers(wager) and (wager != "six_card" or options["dealing_method"] == "automated-shoe")


def _side_cents(house: House, wager: str, own: Random) -> int:
    if wager == "bonus":
        return 100
    if wager == "progressive":
        if house.book.book == "UTH-MA":
            return _CHIP
        allowed: tuple[int, ...] = house["progressive.allowed"]
        return own.choice(allowed)
    return _CHIP * _CHIPS[int(own.random() * len(_CHIPS))]


def coupons(house: House, taste: Taste, placed: Mapping[str, int], own: Random) -> dict[str, int]:
    """Return an occasional match play coupon, if the house accepts them."""
    if own.random() * 1000 >= taste.coupons or not house.options.get("match_play.accepted"):
        return {}
    return {"ante": own.choice((placed["ante"], min(placed["ante"], _CHIP)))} if "ante" in placed else {}


def whim(own: Random) -> Whim:
    """Return a player's random bits for one round."""
    return own.getrandbits(32)
