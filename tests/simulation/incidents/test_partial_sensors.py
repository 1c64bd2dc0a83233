"""Floors with every incident whose tables see only a part: each finding is true, and unseen parts are reported."""

import pytest

from domain.simulation.floor import SimulatedFloor
from domain.simulation.incidents.settings import seen as all_seen
from domain.simulation.seed import World
from domain.simulation.sensors import Sight
from domain.simulation.table import Setup
from domain.simulation.weaving import DayWeave, Today, Weave
from domain.watch.owed_vs_paid import CARD, DECIDED, NO_SENSOR, NOT_RECORDED
from domain.watch.verifier import Verifier
from tests.simulation.incidents.partial import seen, seen_in_part, wrong

# Of 4 a deck comes unshuffled where cards are not read, of 6 a dealer dumps chips where wagers are not seen.
SEEDS = (1, 4, 6)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_finding_belongs_to_an_incident_and_no_day_that_missed_one_says_that_all_was_decided(seed: int) -> None:
    made = seen_in_part(seed)
    assert wrong(made) == []
    assert made.score.total.findings > 50
    assert made.score.missed, "everything was seen"


TABLES = ("T1", "T2", "T3", "T4", "T5")  # one of each game
UNREAD, UNSEEN = Sight(reading="none"), Sight(unseen_wagers=frozenset({"ante", "blind", "original"}))
UNTOLD, WHOLE = Sight(frozenset({"wager-collected"})), Sight()


class Whole(Weave):
    """A floor without incidents, of which every table has all its sensors."""

    def day(self, today: Today) -> DayWeave:
        return WholeDay(today)


class WholeDay(DayWeave):
    def setup(self, setup: Setup) -> Setup:
        return all_seen(setup)


def _clean(*sights: Sight) -> dict[str, Verifier]:
    """Each table's day of some clean hours, seen so."""
    made = seen(SimulatedFloor(World(seed=2, tables=5, hours=3), Whole()), dict(zip(TABLES, sights, strict=True)))
    assert made.found == []
    return {stream.partition("/")[0]: day for stream, day in made.days.items()}


def test_coverage_says_how_many_wagers_could_not_be_decided_and_for_want_of_what() -> None:
    """The same hours seen whole, its cards unread, wagers unseen, and chips taken that nobody writes down."""
    whole, unread, unseen, untold = (_clean(*[sight] * 5) for sight in (WHOLE, UNREAD, UNSEEN, UNTOLD))
    for table in TABLES:
        in_all = sum(whole[table].wagers.values())
        assert whole[table].wagers[DECIDED] > in_all * 0.9
        assert unread[table].wagers[CARD] > in_all / 3
        assert sum(unread[table].wagers.values()) == in_all
        assert unseen[table].wagers[NO_SENSOR] > in_all / 4
        assert unseen[table].undecided["no sensor covers the wager: blind"] == unseen[table].rounds_judged
        assert untold[table].wagers.keys() == {NOT_RECORDED}


def test_cards_that_were_not_read_are_no_round_that_was_looked_through() -> None:
    """A search for cards counts each round of which it saw only a part."""
    shown = Sight(reading="shown")
    tables = _clean(WHOLE, UNREAD, shown, shown, shown)
    assert tables["T1"].undecided == {}
    for table in ("T2", "T3", "T4", "T5"):
        assert tables[table].undecided["no_card_is_there_twice"] == tables[table].rounds_judged > 5
