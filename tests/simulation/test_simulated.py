"""Simulated floors: the same seed gives the same bytes, lawful to the last fact, and only incidents differ."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random

import msgspec
import pytest

from domain.facts import deal, payments, players, property_day, table_day, table_money, wagers
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.hands import standard
from domain.rulebooks import house, newest
from domain.settlement.played import Irregularity
from domain.simulation import strategies
from domain.simulation.edits import drop
from domain.simulation.floor import SimulatedFloor, setups
from domain.simulation.houses import GAMES, METHODS
from domain.simulation.plans import RoundPlan
from domain.simulation.property_time import moment
from domain.simulation.seed import World
from domain.simulation.table import TableInPlay
from domain.simulation.weaving import DayWeave, Facts, Today, Weave, hands_to_come
from tests.simulation.seeds import any_world, command, findings, recorded

SMALL = World(seed=7, tables=6, days=2, hours=2)


@pytest.fixture(scope="module")
def small() -> list[Fact]:
    """Two short days of six tables."""
    return list(SimulatedFloor(SMALL).facts())


def stored(facts: Iterable[Fact]) -> list[bytes]:
    return [encode(fact) for fact in facts]


def at(facts: Iterable[Fact], table: str) -> list[Fact]:
    return [fact for fact in facts if fact.stream == table]


def test_the_same_world_gives_the_same_bytes_and_another_seed_gives_others(small: list[Fact]) -> None:
    assert stored(SimulatedFloor(SMALL).facts()) == stored(small)
    other = msgspec.structs.replace(SMALL, seed=8)
    told = {fact for fact in stored(SimulatedFloor(other).facts()) if b'"stream":"T' in fact}
    assert told
    assert not told & set(stored(small))


@pytest.mark.parametrize("seed", range(10))
def test_a_clean_floor_raises_nothing_and_no_fact_is_refused(seed: int) -> None:
    """Any mix of games, methods, options and sensors; the message is the command that plays it again."""
    world = msgspec.structs.replace(any_world(seed), tables=5, days=1, hours=1)
    raised = [(one.code, one.clauses, one.stream, one.round, one.says) for one in findings(world)]
    assert not raised, f"{command(world)}: {raised}"


def test_all_games_by_all_methods_are_among_fifteen_tables() -> None:
    for seed in range(5):
        made = setups(World(seed=seed, tables=15))
        assert {(one.book, one.method) for one in made} == {(book, how) for book in GAMES for how in METHODS[book]}
        assert all(not house(newest(one.book), one.options, one.method).findings for one in made)
        assert len({one.options["version"] for one in made if one.book == "COL"}) == 1


def test_facts_come_in_the_order_of_time_across_tables_and_within_the_propertys_day(small: list[Fact]) -> None:
    assert [fact.at for fact in small] == sorted(fact.at for fact in small)
    assert isinstance(small[0], property_day.PropertyOpened)
    assert isinstance(small[-1], property_day.PropertyClosed)
    assert len(list(recorded(SimulatedFloor(SMALL)))) == len(small)


def test_the_days_of_a_table_are_linked(small: list[Fact]) -> None:
    """The tray and the meters at the close are those at the next opening."""
    for table in (setup.table for setup in setups(SMALL)):
        first, second = (fact for fact in at(small, table) if isinstance(fact, table_day.TableOpened))
        closed = next(fact for fact in at(small, table) if isinstance(fact, table_day.TableClosed))
        assert second.opener_cents == closed.closer_cents
        assert second.meters_cents == closed.meters_cents
        assert second.options == first.options


def test_nobody_sits_at_two_tables(small: list[Fact]) -> None:
    seated: dict[str, str] = {}
    for fact in small:
        if isinstance(fact, players.PlayerSeated):
            assert seated.setdefault(fact.player, fact.stream) == fact.stream
        elif isinstance(fact, players.PlayerLeft):
            seated.pop(fact.player, None)


def test_a_table_deals_about_as_many_hands_an_hour_as_tables_do() -> None:
    """Twenty to fifty rounds with a few players; Fast Action, dealt from a shoe, more."""
    facts = list(SimulatedFloor(World(seed=3, tables=5, hours=3)).facts())
    for setup in setups(World(seed=3, tables=5)):
        mine = at(facts, setup.table)
        opened = [fact.at for fact in mine if isinstance(fact, deal.RoundOpened)]
        gaps = sorted(later - earlier for earlier, later in pairwise(opened))
        an_hour = 3_600_000_000 // gaps[len(gaps) // 2]
        assert 20 <= an_hour <= (90 if setup.book == "FAH" else 50), (setup.book, an_hour)


class Changing(Weave):
    """One day's weave at one table, every other day clean."""

    def __init__(self, table: str, made: type[DayWeave]) -> None:
        self.table, self.made = table, made
        self.days: list[DayWeave] = []

    def day(self, today: Today) -> DayWeave | None:
        if today.table != self.table or today.number:
            return None
        self.days.append(self.made(today))
        return self.days[-1]


class NoBets(DayWeave):
    """In the third round nobody says that bets are closed, and a card of the dealer's is known beforehand."""

    def plan(self, table: TableInPlay, plan: RoundPlan) -> RoundPlan:
        self.today.chance.random()
        self.told = hands_to_come(table, plan)
        return plan

    def played(self, table: TableInPlay, plan: RoundPlan, facts: Facts) -> Facts:
        seen: dict[tuple[str, int], list[str]] = defaultdict(list)
        for fact in facts:
            if isinstance(fact, deal.CardDealt):
                seen[fact.to, fact.seat or 0].append(fact.card)
        assert all(len(seen[place]) == len(cards) for place, cards in self.told.items() if seen[place])
        return drop("bets-closed")(facts) if table.rounds == 3 else facts


def rounds(facts: Iterable[Fact]) -> Iterator[tuple[int | None, bytes]]:
    """Each fact's round and what it says, its key left out: a changed round moves the keys of later ones."""
    for fact in facts:
        yield fact.round, encode(msgspec.structs.replace(fact, source_key="-"))


def test_what_is_woven_into_a_round_changes_that_round_alone(small: list[Fact]) -> None:
    table = next(setup.table for setup in setups(SMALL) if setup.book == "UTH-MD")
    woven = list(SimulatedFloor(SMALL, Changing(table, NoBets)).facts())
    others = [fact for fact in small if fact.stream != table]
    assert stored(fact for fact in woven if fact.stream != table) == stored(others)
    clean, changed = list(rounds(at(small, table))), list(rounds(at(woven, table)))
    missing = [each for each in clean if each not in changed]
    assert [number for number, _ in missing] == [3]
    assert b"bets-closed" in missing[0][1]
    assert [each for each in clean if each not in missing] == changed


class Unlucky(DayWeave):
    """Every round costs the house all it has, and more."""

    def played(self, table: TableInPlay, plan: RoundPlan, facts: Facts) -> Facts:
        table.tray_cents = -1
        return facts


def test_a_table_that_paid_out_more_than_it_had_counts_what_was_brought() -> None:
    """In its last round too, after which no fill is due any more: nobody counts fewer chips than none."""
    table = setups(SMALL)[0].table
    told = at(list(SimulatedFloor(SMALL, Changing(table, Unlucky)).facts()), table)
    counts = [fact.cents for fact in told if isinstance(fact, table_money.InventoryCounted)]
    assert counts
    assert all(cents is not None and cents >= 0 for cents in counts)


class Impossible(DayWeave):
    """A shoe that is not there is to jam in every round."""

    refusals = 0

    def plan(self, table: TableInPlay, plan: RoundPlan) -> RoundPlan:
        return msgspec.structs.replace(plan, irregularity=Irregularity("jam", device="shoe"))

    def refused(self, table: TableInPlay, plan: RoundPlan, why: str) -> None:
        self.refusals += 1


def test_a_plan_nobody_can_deal_leaves_the_clean_floor(small: list[Fact]) -> None:
    table = next(setup.table for setup in setups(SMALL) if setup.method == "hand")
    weave = Changing(table, Impossible)
    assert stored(SimulatedFloor(SMALL, weave).facts()) == stored(small)
    assert sum(day.refusals for day in weave.days if isinstance(day, Impossible)) > 3


class Short(DayWeave):
    """A card is gone from every deck from the fourth round on, unnoticed; the day is reported at its end."""

    def __init__(self, today: Today) -> None:
        super().__init__(today)
        self.held: Facts = []

    def opened(self, table: TableInPlay, facts: Facts) -> Facts:
        return self._hold(facts)

    def told_between(self, table: TableInPlay, facts: Facts) -> Facts:
        return self._hold(facts)

    def between(self, table: TableInPlay) -> None:
        if table.rounds >= 3:
            for deck in table.decks:
                deck.cards = tuple(card for card in deck.cards if card)

    def played(self, table: TableInPlay, plan: RoundPlan, facts: Facts) -> Facts:
        return self._hold(facts)

    def closed(self, table: TableInPlay, facts: Facts) -> Facts:
        return [*self.held, *facts]

    def _hold(self, facts: Facts) -> Facts:
        self.held += facts
        return []


def test_a_short_deck_stays_short_and_its_stub_shows_it(small: list[Fact]) -> None:
    table = next(setup.table for setup in setups(SMALL) if setup.book == "UTH-MA")
    woven = list(SimulatedFloor(SMALL, Changing(table, Short)).facts())
    counts = [
        [fact.cards for fact in at(told, table) if isinstance(fact, payments.StubCounted)] for told in (small, woven)
    ]
    opened = len([fact for fact in at(small, table) if isinstance(fact, table_day.TableOpened)])
    assert opened == 2
    assert counts[0] != counts[1]
    fresh = {fact.source_key for fact in at(woven, table)}
    assert len(fresh) == len(at(woven, table))


def test_a_players_outs_are_counted_as_by_hand() -> None:
    """Against every card one by one, over boards of every kind."""
    chance, compared = Random("outs"), 0  # noqa: S311 - a seed, so that a failure repeats
    while compared < 600:
        cards = chance.sample(range(52), 7)
        own, board = cards[:2], cards[2:]
        value = standard.value(cards)
        ranks = {card >> 2 for card in board}
        improved = standard.category(value) > standard.category(standard.value(board))
        if improved or own[0] >> 2 == own[1] >> 2 or {card >> 2 for card in own} & ranks:
            continue
        compared += 1
        by_hand = sum(
            standard.value((*board, card)) > value for card in range(52) if card not in own and card not in board
        )
        assert strategies.dealer_outs(own, board, value) == by_hand, (own, board)


# day | minutes | the hour it is in UTC
CLOCKS = [
    ("2026-11-18", 12 * 60, 17),
    ("2026-07-01", 12 * 60, 16),
    ("2026-03-07", 26 * 60 - 1, 6),  # the last minute of winter
    ("2026-03-07", 27 * 60, 7),
    ("2026-10-31", 26 * 60 - 1, 5),
    ("2026-10-31", 26 * 60, 7),
]


@pytest.mark.parametrize(("day", "minutes", "hour"), CLOCKS)
def test_the_propertys_clock_is_eastern_time(day: str, minutes: int, hour: int) -> None:
    assert moment(day, minutes) // 3_600_000_000 % 24 == hour


def test_sensors_that_see_part_leave_the_rest_out() -> None:
    """A wager without a sensor, and a kind of fact nobody writes down, is nowhere in the table's day."""
    world = World(seed=11, tables=20, hours=1)
    partial = [setup for setup in setups(world) if setup.unrecorded or setup.unseen_wagers]
    assert partial
    facts = list(SimulatedFloor(world).facts())
    for setup in partial:
        for fact in at(facts, setup.table):
            assert str(type(fact).__struct_config__.tag).removesuffix(".1") not in setup.unrecorded
            if isinstance(fact, wagers.WagerPlaced):
                assert fact.wager not in setup.unseen_wagers
