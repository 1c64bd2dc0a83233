"""What happened in casinos, found when it would have been: in the first round, or at the first count of the stub."""

import pytest

from domain.facts.deal import CardDealt
from domain.facts.envelope import Fact
from domain.facts.payments import StubCounted
from domain.facts.shuffles import ShoeLoaded
from domain.facts.wagers import WagerPlaced
from domain.incidents.incident import all_incidents
from domain.incidents.real import HANDS, LEFT_BEHIND, ROUNDS, SORTED_HANDS
from domain.incidents.weaving import stands_for
from tests.incidents.bases import BASES
from tests.incidents.floors import Told, dealt, found_in

ONE_BY_ONE = ("UTH-MA", "UTH-MD", "PIK", "COL")


def _day(name: str, book: str) -> Told:
    incident = all_incidents()[name]
    stands = stands_for(incident, BASES[book][0])
    assert stands is not None
    return dealt(stands, [incident], 1, incident.rounds + incident.before + 4)


def _stretch(told: Told, rounds: int) -> list[Fact]:
    first = min(label.own.first_round or 1 for label in told.labels)
    begin = min(trace.first_round or first for label in told.labels for trace in (label.own, *label.besides))
    return [fact for fact in told.facts if fact.round is not None and begin <= fact.round < begin + rounds]


def _hands(facts: list[Fact]) -> int:
    return len({(fact.round, fact.seat) for fact in facts if isinstance(fact, WagerPlaced)})


@pytest.mark.parametrize("book", ONE_BY_ONE)
def test_a_sorted_deck_is_found_in_its_first_round(book: str) -> None:
    """SugarHouse dealt it for sixteen hands."""
    told = _day("sugarhouse-sorted-deck", book)
    first = told.labels[0].own.first_round
    found = [each.round for each in found_in(told.facts) if each.code == "shuffle-missing"]
    assert _hands(_stretch(told, 6)) == SORTED_HANDS
    assert min(each for each in found if each is not None) == first


@pytest.mark.parametrize("book", ONE_BY_ONE)
def test_a_short_single_deck_is_found_by_the_first_count_of_its_stub(book: str) -> None:
    """SugarHouse dealt sixteen cards short for 46 rounds and 122 hands."""
    told = _day("sugarhouse-single-deck", book)
    facts = _stretch(told, ROUNDS)
    counted = next(fact for fact in facts if isinstance(fact, StubCounted))
    rounds = [each.round for each in found_in(told.facts) if each.round is not None]
    dealt_cards = {fact.card for fact in facts if isinstance(fact, CardDealt)}
    assert _hands(facts) == HANDS
    assert len({fact.round for fact in facts}) == ROUNDS
    assert len(dealt_cards) <= 52 - LEFT_BEHIND
    assert min(rounds) <= (counted.round or 0)


def test_six_short_decks_are_dealt_as_they_were() -> None:
    """Sixteen cards never come, for 46 rounds and 122 hands, and nobody has told how many were loaded."""
    told = _day("sugarhouse-six-decks", "FAH")
    own = told.labels[0].own
    assert own.first_round is not None
    facts = _stretch(told, ROUNDS)
    assert own.last_round == own.first_round + ROUNDS - 1
    assert _hands(facts) == HANDS
    assert any(isinstance(fact, ShoeLoaded) and fact.cards is None for fact in told.facts)


@pytest.mark.parametrize("book", ONE_BY_ONE)
def test_unshuffled_cards_are_found_in_the_second_round(book: str) -> None:
    """Golden Nugget dealt them for 41."""
    told = _day("golden-nugget", book)
    found = {each.round for each in found_in(told.facts) if each.code == "shuffle-missing"}
    assert told.labels[0].own.first_round in found
    assert len(found) >= 40


@pytest.mark.parametrize("book", ["UTH-MA", "UTH-MD", "PIK", "FAH", "COL"])
def test_every_gift_to_the_friend_is_found(book: str) -> None:
    """Tropicana had not noticed thirty of them; every one is a label of its own, beside the pattern."""
    told = _day("tropicana", book)
    pattern, *gifts = told.labels
    friend = pattern.own.seat
    assert len(gifts) >= 10
    assert {gift.own.seat for gift in gifts} == {friend}
    found = {(each.round, each.seat, each.code) for each in found_in(told.facts)}
    assert all((gift.own.first_round, friend, gift.own.code) in found for gift in gifts)
