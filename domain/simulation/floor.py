"""The simulated floor: all facts of a world in the order of time across its tables, as devices would send them.

`SimulatedFloor(World(seed=7)).facts()` is a generator. A table's day is played only as its facts are requested, a round
at a time, so that millions of facts stream in constant memory. The same world gives the same facts, byte for byte.
`domain.simulation.weaving` describes the incidents that may be added.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from operator import attrgetter

import msgspec

from domain.facts.envelope import Fact
from domain.facts.words import Book
from domain.scoring import Label
from domain.simulation import property_stream
from domain.simulation.days import DayPlan, PlayedTableDay
from domain.simulation.houses import METHODS, setup_of
from domain.simulation.pace import MINUTE
from domain.simulation.people import crews, pit_of
from domain.simulation.players import visits
from domain.simulation.property_time import gaming_days, moment
from domain.simulation.seed import World, chance
from domain.simulation.slots import rounds_in
from domain.simulation.table import Setup, TableInPlay
from domain.simulation.weaving import Today, Weave

_OPENS = (9 * 60, 18 * 60)  # minutes after midnight, between which tables open
_CLOSES = (26 * 60, 29 * 60 + 30)
_AHEAD = 300 * MINUTE  # microseconds of table time fetched ahead, shared by all tables: some thousands of facts
_AT = attrgetter("at")


class SimulatedFloor:
    """A world's floor. `labels` collects the labels of the weave; the caller may remove them."""

    def __init__(self, world: World, weave: Weave | None = None) -> None:
        self.world = world
        self.weave = weave or Weave()
        self.labels: list[Label] = []
        self.setups = setups(world)
        self.rounds = 0
        self._left: dict[str, TableInPlay] = {}  # each table in its state after the last day

    def facts(self) -> Iterator[Fact]:
        """Yield every fact of the world, from the first day's opening to the last day's close."""
        for told in self.batches():
            yield from told

    def batches(self) -> Iterator[list[Fact]]:
        """Yield the same facts in lists of some hundreds, for bulk writers."""
        for number, gaming_day in enumerate(gaming_days(self.world.start, self.world.days)):
            yield list(property_stream.opened(self.world, gaming_day, self.setups if not number else ()))
            yield from merged([self._day(number, gaming_day, plan) for plan in self._plans(gaming_day)])
            yield list(property_stream.closed(self.world, gaming_day, len(self.setups) + 1))

    def _plans(self, gaming_day: str) -> list[DayPlan]:
        hours = [opening_hours(self.world, setup.table, gaming_day) for setup in self.setups]
        staff = crews(self.world, gaming_day, hours)
        who = visits(self.world, gaming_day, self.setups, hours)
        plans = []
        for setup, crew, comes, (opens, closes) in zip(self.setups, staff, who, hours, strict=True):
            today = msgspec.structs.replace(
                setup,
                gaming_day=gaming_day,
                opens_at=opens,
                dealer=crew.dealers[0].person,
                floorperson=crew.floorpersons[0].person,
            )
            seen = 0
            if (left := self._left.get(setup.table)) is not None:
                seen = left.decks_seen
                today = msgspec.structs.replace(today, opener_cents=left.tray_cents, meters_cents=dict(left.meters))
            plans.append(DayPlan(self.world, today, crew, comes, opens, closes, seen))
        return plans

    def _day(self, number: int, gaming_day: str, plan: DayPlan) -> Iterator[list[Fact]]:
        """Yield one table's day; the vault and the labels take their parts."""
        setup = plan.setup
        rounds = rounds_in(setup.book, plan.closes_at - plan.opens_at)
        own = chance(self.world, "weave", setup.table, gaming_day)
        today = Today(setup.table, gaming_day, number, setup, plan.opens_at, plan.closes_at, rounds, own)
        weave = self.weave.day(today)
        day = PlayedTableDay(plan, weave)
        for piece in day.pieces():
            yield property_stream.with_vault(piece)
            if weave is not None and weave.labels:
                self.labels += weave.labels
                weave.labels.clear()
        if weave is not None:
            self.labels += weave.labels
        self.rounds += day.table.rounds
        self._left[setup.table] = day.table


def setups(world: World) -> list[Setup]:
    """Return the tables: games and dealing methods alternate; the rest is chance."""
    version = chance(world, "version").choice(("required", "permissible"))
    turn = chance(world, "methods").randrange(6)
    found = []
    for number in range(world.tables):
        book: Book = world.games[number % len(world.games)]
        methods = METHODS[book]
        method = methods[(number // len(world.games) + turn) % len(methods)]
        setup = setup_of(f"T{number + 1}", book, method, chance(world, "table", number + 1), version)
        found.append(msgspec.structs.replace(setup, pit=pit_of(number)))
    return found


def opening_hours(world: World, table: str, gaming_day: str) -> tuple[int, int]:
    """Return the opening hours of a table on this day."""
    own = chance(world, "hours", table, gaming_day)
    opens = moment(gaming_day, own.randrange(*_OPENS, 15))
    closes = moment(gaming_day, own.randrange(*_CLOSES, 15))
    if world.hours is not None:
        closes = min(closes, opens + world.hours * 60 * MINUTE)
    return opens, closes


class _Line(msgspec.Struct):
    """One table's facts not yet merged, with their times, none earlier than the one before."""

    pieces: Iterator[list[Fact]]
    facts: list[Fact] = []
    times: list[int] = []

    def more(self, ahead: int) -> bool:
        """Return whether any facts are left; pieces are fetched this many microseconds ahead."""
        while not self.facts or self.times[-1] < self.times[0] + ahead:
            piece = next(self.pieces, None)
            if piece is None:
                return bool(self.facts)
            last = self.times[-1:] or [0]
            self.facts += piece
            self.times += list(accumulate(map(_AT, piece), max, initial=last[0]))[1:]
        return True

    def until(self, time: int) -> tuple[list[Fact], list[int]]:
        """Return everything up to this time; keep the rest."""
        place = bisect_right(self.times, time)
        facts, times = self.facts[:place], self.times[:place]
        self.facts, self.times = self.facts[place:], self.times[place:]
        return facts, times


def merged(days: Iterable[Iterator[list[Fact]]]) -> Iterator[list[Fact]]:
    """Yield the facts of several tables in the order of time, in lists; each table's keep their order.

    Sorting all facts up to the earliest end of a table's fetched piece is much quicker than taking them off a heap one
    by one.
    """
    lines = [_Line(pieces) for pieces in days]
    ahead = _AHEAD // max(1, len(lines))
    while lines := [line for line in lines if line.more(ahead)]:
        first = min(line.times[-1] for line in lines)
        facts: list[Fact] = []
        times: list[int] = []
        for line in lines:
            told, when = line.until(first)
            facts += told
            times += when
        yield [facts[place] for place in sorted(range(len(facts)), key=times.__getitem__)]
