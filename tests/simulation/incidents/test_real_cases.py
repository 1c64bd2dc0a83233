"""Real casino cases, found in time: in the first round, or at the first count of the cards.

Each test reads from the record which rounds and hands the label touches, as the cashier who pays the players back
would.
"""

from collections import Counter
from collections.abc import Iterable

import pytest

from domain.facts.deal import CardDealt, RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import StubCounted, WagerCollected, WagerPaid, WagerReturned
from domain.facts.shuffles import ShoeEmptied, ShoeLoaded
from domain.facts.table_day import TableOpened
from domain.facts.wagers import WagerPlaced
from domain.scoring import Label
from domain.simulation.edits import broken, change, drop
from domain.simulation.floor import SimulatedFloor
from domain.simulation.incidents import IncidentWeave, chosen
from domain.simulation.incidents.incident import all_incidents
from domain.simulation.incidents.real import HANDS, LEFT_BEHIND, ROUNDS, SORTED_HANDS
from domain.simulation.incidents.weaving import stands_for
from domain.simulation.seed import World
from domain.watch.finding import Finding
from tests.simulation.incidents.bases import BASES
from tests.simulation.incidents.floors import Told, dealt, found_in, scored, watched

ONE_BY_ONE = ("UTH-MA", "UTH-MD", "PIK", "COL")
SHORT = [*(("sugarhouse-single-deck", book) for book in ONE_BY_ONE), ("sugarhouse-six-decks", "FAH")]


def _day(name: str, book: str) -> Told:
    incident = all_incidents()[name]
    stands = stands_for(incident, BASES[book][0])
    assert stands is not None
    return dealt(stands, [incident], 1, incident.rounds + incident.before + 4)


def _touched(facts: Iterable[Fact], label: Label) -> list[Fact]:
    assert label.first_round is not None
    assert label.last_round is not None
    rounds = range(label.first_round, label.last_round + 1)
    table = label.own.stream.partition("/")[0]
    return [fact for fact in facts if fact.stream == table and fact.round in rounds]


def _rounds(facts: Iterable[Fact]) -> int:
    return len([fact for fact in facts if isinstance(fact, RoundOpened)])


def _hands(facts: Iterable[Fact]) -> int:
    return len({(fact.round, fact.seat) for fact in facts if isinstance(fact, CardDealt) and fact.seat is not None})


def _codes(found: Iterable[Finding], code: str) -> list[int]:
    return sorted(each.round for each in found if each.code == code and each.round is not None)


@pytest.mark.parametrize(("name", "book"), SHORT)
def test_sixteen_cards_are_missing_for_46_rounds_and_122_hands(name: str, book: str) -> None:
    """Every round of them is dealt from that deck or shoe, and never a card of the sixteen."""
    told = _day(name, book)
    facts = _touched(told.facts, told.labels[0])
    assert (_rounds(facts), _hands(facts)) == (ROUNDS, HANDS) == (46, 122)
    assert len({fact.deck for fact in facts if isinstance(fact, RoundOpened)}) == 1
    cards = {fact.card for fact in facts if isinstance(fact, CardDealt)}
    assert len(cards) == 52 if book == "FAH" else len(cards) <= 52 - LEFT_BEHIND


@pytest.mark.parametrize(("name", "book"), SHORT)
def test_what_each_player_is_owed_is_read_from_the_rounds_touched(name: str, book: str) -> None:
    """Every player dealt a hand staked something in each; their losses together are the table's win in these rounds."""
    told = _day(name, book)
    facts = _touched(told.facts, told.labels[0])
    owner = {(fact.round, fact.seat): fact.player for fact in facts if isinstance(fact, WagerPlaced)}
    assert all(owner.values())
    assert len(owner) == HANDS
    lost, won = Counter[str](), Counter[str]()
    for fact in facts:
        if isinstance(fact, WagerCollected):
            lost[owner[fact.round, fact.seat]] += fact.cents or 0
        elif isinstance(fact, WagerPaid):
            won[owner[fact.round, fact.seat]] += fact.cents or 0
    staked = sum(fact.cents or 0 for fact in facts if isinstance(fact, WagerPlaced))
    returned = sum(fact.cents or 0 for fact in facts if isinstance(fact, WagerReturned))
    assert sum(lost.values()) == staked - returned > 0
    assert len(lost) > 1
    assert set(won) <= set(owner.values())


@pytest.mark.parametrize("book", ONE_BY_ONE)
def test_a_short_single_deck_is_found_by_the_first_count_of_its_stub(book: str) -> None:
    """Within the five rounds in which one is due; nothing is found before it."""
    told = _day("sugarhouse-single-deck", book)
    (label,) = told.labels
    counted = next(fact for fact in _touched(told.facts, label) if isinstance(fact, StubCounted))
    found = found_in(told.facts)
    assert scored(told.labels, found).perfect
    assert _codes(found, "stub-count-mismatch")[0] == counted.round
    assert min(each.round or 0 for each in found) == counted.round
    assert (counted.round or 0) - (label.first_round or 0) < 5


@pytest.mark.parametrize(("book", "within"), [("UTH-MA", 23), ("UTH-MD", 28), ("PIK", 18), ("COL", 31)])
def test_a_short_single_deck_nobody_counts_is_found_by_its_cards_that_never_come(book: str, within: int) -> None:
    """Before the 46 rounds are over."""
    told = _day("sugarhouse-single-deck", book)
    (label,) = told.labels
    silent = change("table-opened", to={"unrecorded": ("stub-counted", "misdeal-determined")})
    facts = broken(told.facts, silent, drop("stub-counted"))
    assert isinstance(facts[0], TableOpened)
    rounds = _codes(found_in(facts), "deck-composition-wrong")
    assert 0 <= rounds[0] - (label.first_round or 0) < within


def test_six_short_decks_are_found_when_the_shoe_is_emptied() -> None:
    """The number of cards put in is unknown: the first number on record is that of the cards taken out."""
    told = _day("sugarhouse-six-decks", "FAH")
    (found,) = found_in(told.facts)
    emptied = [fact for fact in told.facts if isinstance(fact, ShoeEmptied)]
    assert [fact.cards for fact in emptied] == [6 * 52, 6 * 52 - LEFT_BEHIND]
    assert (found.code, found.clauses) == ("deck-composition-wrong", ("FAH (b)(1)/s1",))
    assert "296 cards" in found.says
    assert scored(told.labels, [found]).perfect


def test_a_shoe_whose_load_is_counted_is_found_short_before_a_card_is_dealt() -> None:
    """By a dealer who shuffles by hand, or a machine that fills the shoe."""
    told = dealt(BASES["FAH"][0], [], 1, 3)
    short = change("shoe-loaded", to={"cards": 6 * 52 - LEFT_BEHIND})
    assert any(isinstance(fact, ShoeLoaded) for fact in told.facts)
    assert found_in(told.facts) == []
    assert {(each.code, each.round) for each in found_in(broken(told.facts, short))} == {
        ("deck-composition-wrong", None)
    }


@pytest.mark.parametrize("book", ONE_BY_ONE)
def test_a_sorted_deck_is_found_in_its_first_round(book: str) -> None:
    """SugarHouse dealt it for sixteen hands."""
    told = _day("sugarhouse-sorted-deck", book)
    (label,) = told.labels
    assert _hands(_touched(told.facts, label)) == SORTED_HANDS == 16
    assert _codes(found_in(told.facts), "shuffle-missing")[0] == label.first_round


@pytest.mark.parametrize("book", ONE_BY_ONE)
def test_a_deck_one_card_short_is_found_by_the_first_count_of_its_stub(book: str) -> None:
    """Hollywood dealt it for 42 hands."""
    told = _day("hollywood", book)
    (label,) = told.labels
    facts = _touched(told.facts, label)
    counted = next(fact for fact in facts if isinstance(fact, StubCounted))
    assert _hands(facts) == 42
    found = found_in(told.facts)
    assert _codes(found, "stub-count-mismatch")[0] == counted.round
    assert len(_codes(found, "deck-not-removed")) == 1, "that the deck stays is one state"
    assert (counted.round or 0) - (label.first_round or 0) < 5


@pytest.mark.parametrize("book", ONE_BY_ONE)
def test_unshuffled_cards_are_found_in_the_second_round(book: str) -> None:
    """Golden Nugget dealt them for 41. Every one after the first shows it: one finding, with its stretch."""
    told = _day("golden-nugget", book)
    (label,) = told.labels
    facts = _touched(told.facts, label)
    assert _rounds(facts) == 41
    first = label.first_round or 0
    (one,) = (finding for finding in found_in(told.facts) if finding.code == "shuffle-missing")
    assert one.round == first + 1
    assert one.says.endswith(f"It lasted for 40 rounds, up to round {first + 40}.")


@pytest.mark.parametrize("name", ["tropicana", "dealer-dumping"])
@pytest.mark.parametrize("book", ["UTH-MA", "UTH-MD", "PIK", "FAH", "COL"])
def test_every_gift_to_the_friend_is_found(name: str, book: str) -> None:
    """Tropicana had not noticed thirty of them; every one is a label of its own, beside the pattern."""
    told = _day(name, book)
    pattern, *gifts = told.labels
    friend = pattern.own.seat
    assert len(gifts) == {"tropicana": 30, "dealer-dumping": 12}[name]
    assert {gift.own.seat for gift in gifts} == {friend}
    found = {(each.round, each.seat, each.code, each.observed_cents) for each in found_in(told.facts)}
    owns = [gift.own for gift in gifts]
    assert all((own.first_round, friend, own.code, own.observed_cents) in found for own in owns)
    assert all((own.observed_cents or 0) > (own.expected_cents or 0) for own in owns)


@pytest.mark.parametrize(("name", "book"), SHORT)
def test_it_is_the_same_on_a_floor(name: str, book: str) -> None:
    """On a floor players come and go; 46 rounds and 122 hands all the same."""
    floor = SimulatedFloor(World(seed=4, tables=2, games=(book,)), IncidentWeave(chosen(name)))  # type: ignore[arg-type]
    facts = [fact for fact in floor.facts() if not fact.stream.startswith("property")]
    labels = [label for label in floor.labels if (label.last_round or 0) - (label.first_round or 0) == ROUNDS - 1]
    assert labels
    for label in labels:
        touched = _touched(facts, label)
        assert (_rounds(touched), _hands(touched)) == (ROUNDS, HANDS)
    assert scored(floor.labels, watched(facts)).perfect
