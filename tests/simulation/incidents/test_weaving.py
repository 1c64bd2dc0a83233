"""Incidents on a simulated floor: found one and all, the same from the same seed, and told like everything else."""

from collections.abc import Iterable
from functools import cache
from random import Random

import msgspec
import pytest

from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid
from domain.facts.players import PlayerSeated
from domain.facts.property_day import DeckIssued
from domain.facts.streams import PROPERTY, owner
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.table_money import BoughtIn, CreditSent, FillReceived
from domain.facts.wagers import ProgressiveBanked, WagerPlaced
from domain.scoring import Label
from domain.simulation.floor import SimulatedFloor
from domain.simulation.houses import GAMES
from domain.simulation.incidents import IncidentWeave, chosen, names
from domain.simulation.incidents.incident import all_incidents
from domain.simulation.seed import World
from tests.simulation.incidents.floors import inexact, scored, watched

WORLD = World(seed=3, tables=5, hours=4)


@cache
def _told(asked: str = "all", world: World = WORLD) -> tuple[tuple[Fact, ...], tuple[Label, ...]]:
    floor = SimulatedFloor(world, IncidentWeave(chosen(asked)))
    return tuple(floor.facts()), tuple(floor.labels)


def _at_tables(facts: Iterable[Fact]) -> list[Fact]:
    return [fact for fact in facts if owner(fact.stream) != PROPERTY]


def _world(seed: int) -> World:
    """A floor of this seed: eight tables of the five games, or of one or two; options and methods are chance."""
    chance = Random(f"incidents {seed}")  # noqa: S311 - a seed, so that a floor repeats
    games = tuple(chance.sample(GAMES, chance.choice((1, 2, 5, 5))))
    return World(seed=seed, tables=8, hours=3, games=games)


@pytest.mark.parametrize("seed", range(10))
def test_every_incident_of_a_floor_is_found_and_nothing_else(seed: int) -> None:
    """Precision and recall are 1, code by code, each by its clause and in its amount."""
    facts, labels = _told(world=_world(seed))
    found = watched(facts)
    result = scored(labels, found)
    assert result.total.labels > 40
    assert [(label.incident, label.own) for label in result.missed] == []
    assert [(finding.code, finding.stream, finding.round) for finding in result.false] == []
    assert {code: (count.precision, count.recall) for code, count in result.codes.items() if count.labels} == {
        code: (1.0, 1.0) for code, count in result.codes.items() if count.labels
    }
    assert inexact(labels, found) == []


WRONG = [("expected_cents", 1), ("observed_cents", 1), ("clauses", ("UTH-MA 1 (Burn)",)), ("seat", 1), ("round", 1)]


def test_a_finding_by_another_clause_or_of_another_amount_is_false_and_its_incident_missed() -> None:
    """One cent is enough."""
    facts, (label, *others) = _told("wager-overpaid", World(seed=3, tables=2, hours=2))
    found = watched(facts)
    assert scored([label, *others], found).perfect
    own = next(each for each in found if (each.stream, each.round) == (label.own.stream, label.own.first_round))
    rest = [each for each in found if each is not own]
    for field, more in WRONG:
        value = getattr(own, field) + more if field != "clauses" else more
        result = scored([label, *others], [*rest, msgspec.structs.replace(own, **{field: value})])
        assert ([each.own for each in result.missed], len(result.false)) == ([label.own], 1), field
    unpriced = msgspec.structs.replace(label, own=msgspec.structs.replace(label.own, expected_cents=None))
    assert inexact([unpriced, *others], found)


def test_the_same_seed_weaves_the_same_incidents() -> None:
    """Byte for byte."""
    floor = SimulatedFloor(WORLD, IncidentWeave(chosen("all")))
    again = list(floor.facts())
    facts, labels = _told()
    assert [encode(fact) for fact in again] == [encode(fact) for fact in facts]
    assert floor.labels == list(labels)


def test_what_only_two_tables_show_is_found() -> None:
    """The vault's slip about a deck has a key of its own among those of the vault."""
    facts, labels = _told("deck-elsewhere,versions-mixed", World(seed=2, tables=2, hours=6, games=("COL",)))
    assert {label.incident for label in labels} == {each.name for each in all_incidents().values() if each.across}
    assert scored(labels, watched(facts)).perfect
    assert len({fact.source_key for fact in facts}) == len(facts)
    slips = [fact for fact in facts if isinstance(fact, DeckIssued)]
    assert len({fact.source for fact in slips}) == 1


@pytest.mark.parametrize("game", GAMES)
def test_options_nobody_approved_are_found(game: str) -> None:
    """The property approved what the table was to open with, and the table opened otherwise."""
    facts, labels = _told("options-not-approved", World(seed=3, tables=2, hours=2, games=(game,)))
    found = watched(facts)
    assert [label.incident for label in labels] == ["options-not-approved"]
    assert scored(labels, found).perfect
    assert all(finding.beside.startswith(f"{PROPERTY}/") for finding in found)


def test_a_table_opens_with_its_own_options_again_the_day_after_an_incident() -> None:
    """An approval for the day of an incident leaves the table's own approval in force."""
    facts, labels = _told("payout-cap-too-low", World(seed=5, tables=1, days=2, hours=1, games=("UTH-MD",)))
    first, second = [fact for fact in facts if isinstance(fact, TableOpened)]
    assert (first.options["payout_cap"], "payout_cap" in second.options) == (4_000_000, False)
    assert scored(labels, watched(facts)).perfect


def test_nothing_in_the_facts_tells_an_incident() -> None:
    """No fact names one, and every key is the next of its source."""
    facts = _at_tables(_told()[0])
    keys = [fact.source_key for fact in facts]
    assert len(set(keys)) == len(keys)
    assert all(key.rpartition(":")[2].isdigit() for key in keys)
    lines = b"\n".join(encode(fact) for fact in facts).decode()
    assert not [name for name in names() if "-" in name and f'"{name}"' in lines]


def test_a_table_with_incidents_closes_with_what_is_in_its_tray() -> None:
    """Each overpayment is missing from the tray."""
    facts = _at_tables(_told("wager-overpaid,loser-paid,winner-collected,loser-not-collected,capping")[0])
    for stream in {fact.stream for fact in facts}:
        day = [fact for fact in facts if fact.stream == stream]
        opened = next(fact for fact in day if isinstance(fact, TableOpened))
        closed = next(fact for fact in day if isinstance(fact, TableClosed))
        into = sum(fact.cents or 0 for fact in day if isinstance(fact, WagerCollected | FillReceived))
        out = sum(fact.cents or 0 for fact in day if isinstance(fact, WagerPaid | CreditSent | BoughtIn))
        chips = sum(fact.cents or 0 for fact in day if isinstance(fact, WagerPlaced) and fact.wager == "progressive")
        banked = chips if any(isinstance(fact, ProgressiveBanked) for fact in day) else 0
        assert closed.closer_cents == (opened.opener_cents or 0) + into + banked - out


def test_a_table_nobody_came_to_has_its_label_for_how_it_stood_all_day() -> None:
    """Wrong options are wrong even on a day without a round."""
    world = World(seed=5, tables=1, hours=1, games=("UTH-MD",))
    facts, labels = _told("payout-cap-too-low", world)
    assert {fact.round for fact in facts} == {None}
    assert scored(labels, watched(facts)).perfect
    assert len(labels) == 1


def test_a_stretch_belongs_to_one_incident() -> None:
    """No two labels of single rounds share a round, or lie in neighboring ones."""
    _, labels = _told("wager-overpaid,burn-missing,decision-missing,winner-unpaid,stub-exposed,card-dealt-face-up")
    rounds: dict[str, list[int]] = {}
    for label in labels:
        if label.own.first_round is not None:
            rounds.setdefault(label.own.stream, []).append(label.own.first_round)
    assert rounds
    for held in rounds.values():
        assert all(later - one > 1 for one, later in zip(sorted(held), sorted(held)[1:], strict=False))


def test_people_come_and_go_as_on_a_clean_floor() -> None:
    """The incidents do not change where people sit."""
    clean = [fact for fact in SimulatedFloor(WORLD).facts() if isinstance(fact, PlayerSeated)]
    facts, _ = _told("wager-overpaid,burn-exposed")
    woven = [fact for fact in facts if isinstance(fact, PlayerSeated)]
    assert {(fact.stream, fact.player) for fact in woven} == {(fact.stream, fact.player) for fact in clean}
