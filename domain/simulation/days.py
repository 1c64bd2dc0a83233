"""One simulated table's gaming day: opened, played round by round with everything between, and closed.

It comes in pieces, each a list of facts: the opening, what happens between two rounds, a round, the close.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random

import msgspec

from domain.facts.envelope import Fact
from domain.simulation import fast_action_idle, opening
from domain.simulation.dealers import DEALERS
from domain.simulation.house_script import HouseScript
from domain.simulation.mishaps import with_mishap
from domain.simulation.pace import SECOND
from domain.simulation.people import Crew, habits
from domain.simulation.planning import planned
from domain.simulation.plans import RoundPlan
from domain.simulation.players import TableVisit
from domain.simulation.seating import TableSeating
from domain.simulation.seed import World, chance
from domain.simulation.slots import slot
from domain.simulation.table import Setup, TableInPlay
from domain.simulation.uth_in_play import PlanError
from domain.simulation.weaving import DayWeave

_LEAST_GAP = 2 * SECOND  # between two rounds
_STEP = 0x9E3779B97F4A7C15  # odd, so that no two rounds of a day share a seed
_FIRST_LIMIT = 500


class DayPlan(msgspec.Struct, frozen=True):
    """The plan of a table's day: its setup, its hours, its staff and its players."""

    world: World
    setup: Setup
    crew: Crew
    visits: Sequence[TableVisit]
    opens_at: int
    closes_at: int
    decks_seen: int = 0  # on earlier days


class PlayedTableDay:
    """A table on one day; `pieces` plays it, and afterward `table` is in the state at the day's end."""

    def __init__(self, plan: DayPlan, weave: DayWeave | None = None) -> None:
        self.plan, self.weave = plan, weave
        setup = plan.setup if weave is None else weave.setup(plan.setup)
        self._seed = chance(plan.world, "day", setup.table, setup.gaming_day).getrandbits(64)
        self._mind = Random(self._seed)  # noqa: S311 - a seed, so that a world repeats
        self._hands = Random(self._seed)  # noqa: S311 - what hands do: how long it takes, how a shoe is shuffled
        self.table = TableInPlay(setup, self._hands)
        self.table.decks_seen = plan.decks_seen
        self.table.post.keep_pace(habits(plan.world, setup.dealer))
        least = next(iter(setup.limits.values())).least_cents or _FIRST_LIMIT
        self._seating = TableSeating(self.table, plan.visits, least)
        self._script = HouseScript(plan.world, self.table, plan.crew, (plan.opens_at, plan.closes_at), self._mind)
        self._handed: set[str] = set()  # keys of facts the weave received and has not returned

    def pieces(self) -> Iterator[list[Fact]]:
        """Yield the day's facts in order, piece by piece."""
        table, weave = self.table, self.weave
        opening.open_table(table)
        facts = table.post.taken()
        yield facts if weave is None else self._kept(facts, weave.opened(table, list(facts)))
        if self._first_player():
            yield from self._rounds()
        self._script.wind_up()
        opening.close_table(table)
        facts = table.post.taken()
        yield facts if weave is None else self._kept(facts, weave.closed(table, list(facts)))

    def _first_player(self) -> bool:
        """Begin the game with the first player; return False if nobody comes before the table closes."""
        self._reseed(0)
        comes = self._seating.next_comes()
        if comes is None:
            self._wait_until(self.plan.closes_at)
            return False
        self._wait_until(comes)
        visit = self._seating.take_next()
        seats = self._seating.seats_for(visit)
        opening.begin(self.table, {seats[0]: visit.player})
        self._seating.add(visit, seats)
        return True

    def _rounds(self) -> Iterator[list[Fact]]:
        table, post = self.table, self.table.post
        while True:
            self._reseed(table.rounds + 1)
            playing = self._made_ready()
            if not playing:
                yield from self._between()
                playing = self._resumed()
            if playing and self.weave is not None:
                self.weave.between(table)
            yield from self._between()
            if not playing:
                return
            plan = planned(table, self._seating, self._mind)
            if self._mind.random() * 1000 < self.plan.world.mishaps:
                plan = with_mishap(table, plan, self._mind)
            over = post.at + slot(table, len(plan.seats), self._mind)
            yield self._dealt(plan)
            self._wait_until(max(over, post.at + _LEAST_GAP))

    def _made_ready(self) -> bool:
        """Handle arrivals, departures and staff between two rounds; return whether anyone plays on."""
        seating, post = self._seating, self.table.post
        seating.go()
        if post.at >= self.plan.closes_at:
            return False
        self._script.relieve()
        seating.come(self._mind)
        if not seating.here:
            return False
        seating.stir(self._mind)
        self._script.tend(seating)
        return True

    def _resumed(self) -> bool:
        """Spread the cards until a player comes; return False if nobody does before the table closes."""
        table, seating = self.table, self._seating
        comes = seating.next_comes()
        if table.post.at >= self.plan.closes_at:
            return False
        fast_action = table.book == "FAH"
        (fast_action_idle if fast_action else opening).idle(table)
        if comes is None:
            self._wait_until(self.plan.closes_at)
            return False
        self._wait_until(comes)
        self._script.relieve()
        visit = seating.take_next()
        seats = seating.seats_for(visit)
        (fast_action_idle if fast_action else opening).resume(table, seats[0], visit.player)
        seating.add(visit, seats)
        return True

    def _between(self) -> Iterator[list[Fact]]:
        facts = self.table.post.taken()
        if self.weave is not None:
            facts = self._kept(facts, self.weave.told_between(self.table, list(facts)))
        if facts:
            yield facts

    def _dealt(self, plan: RoundPlan) -> list[Fact]:
        """Return a round's facts, dealt as planned or as the weave changed the plan."""
        table, weave = self.table, self.weave
        other = plan if weave is None else weave.plan(table, plan)
        if other is plan and plan.irregularity is None:
            DEALERS[table.setup.book](table, plan)
        else:
            other = self._tried(plan, other)
        facts = table.post.taken()
        return facts if weave is None else self._kept(facts, weave.played(table, other, list(facts)))

    def _tried(self, plan: RoundPlan, other: RoundPlan) -> RoundPlan:
        """Deal the other plan; if no dealer can deal it, restore the table and deal the plain round."""
        table, post, weave = self.table, self.table.post, self.weave
        stays = (table.house, table.setup, post, self._hands)
        before = deepcopy((vars(table), vars(post)), {id(one): one for one in stays})
        drawn = self._hands.getstate()
        try:
            DEALERS[table.setup.book](table, other)
        except PlanError as error:
            vars(table).update(before[0])
            vars(post).update(before[1])
            self._hands.setstate(drawn)
            if weave is not None and other is not plan:
                weave.refused(table, other, str(error))
            plain = msgspec.structs.replace(plan, irregularity=None)
            DEALERS[table.setup.book](table, plain)
            return plain
        return other

    def _kept(self, told: list[Fact], edited: list[Fact]) -> list[Fact]:
        """Return the weave's version of these facts: each with a unique key, and later facts later in time."""
        known, kept = self._handed, []
        known.update(fact.source_key for fact in told)
        for fact in edited:
            if fact.source_key in known:
                known.remove(fact.source_key)
                kept.append(fact)
            else:
                kept.append(msgspec.structs.replace(fact, source_key=self.table.post.key(fact.source)))
        if kept:
            self._wait_until(kept[-1].at)
        return kept

    def _wait_until(self, at: int) -> None:
        post = self.table.post
        post.wait(max(0, at - post.at))

    def _reseed(self, number: int) -> None:
        """Seed each round separately, so that a change in one does not move the next."""
        self._mind.seed(self._seed + 2 * number * _STEP)
        self._hands.seed(self._seed + (2 * number + 1) * _STEP)
