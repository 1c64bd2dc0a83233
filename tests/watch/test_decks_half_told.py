"""Decks where rounds are left open, void, idle or only half recorded: nothing is held against what nobody told."""

from typing import Any

import pytest

from domain.facts import deal, decks, devices, payments, players, shuffles, table_day
from domain.facts.envelope import Fact
from domain.simulation.edits import broken, drop, insert_after, move_after, said, where
from domain.simulation.scripted import Step, day, round_, seat, wrong
from domain.watch.detecting import name_of
from domain.watch.detectors import (
    bad_decks,
    cut_offers,
    cuts,
    decks_in_use,
    duplicates,
    idling,
    opening,
    stubs,
    unseen,
    unshuffled,
)
from domain.watch.detectors import (
    shuffles as shuffle_detectors,
)
from domain.watch.laws import Law
from tests.simulation.test_three_irregular_rounds import ROWS as THREE
from tests.simulation.test_uth_irregular_rounds import ROWS as UTH
from tests.watch.cases_shuffles import idle
from tests.watch.harness import verified

OURS = {
    law.code
    for module in (
        *(bad_decks, cut_offers, cuts, decks_in_use, duplicates, idling, opening),
        *(shuffle_detectors, stubs, unseen, unshuffled),
    )
    for law in vars(module).values()
    if isinstance(law, Law)
}
KINDS = sorted(
    name_of(kind)
    for module in (deal, decks, devices, payments, players, shuffles, table_day)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Fact) and kind.__module__ == module.__name__
)
OF_THE_DECK = ("card-face-up", "card-drawn-in-error", "wrong-count", "stub-count", "jam", "insufficient-cards")
DAYS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "one deck by hand": ("UTH-MA", "manual-shoe", {}),
    "two decks in turn": ("UTH-MD", "automated-shoe", {"shuffler": "automated", "decks": 2}),
    "a counting machine": ("PIK", "hand", {"shuffler": "counting", "decks": 2}),
    "a shoe": ("FAH", "manual-shoe", {}),
    "two batches": ("FAH", "manual-shoe", {"shuffler": "batch"}),
}


def told(row: tuple[Any, Any, dict[str, Any]], **setup: Any) -> list[Fact]:
    """A day with an idle table, a void round, a shuffle by order, and five rounds to be counted."""
    book, method, options = row
    shoe = book == "FAH"
    void = None if shoe else wrong("card-face-up", ("2c", 3), ("3c", 4))
    ordered = {"shuffle_ordered": "directed"} if shoe else {}
    rounds: list[Step] = [
        *(round_(seat(1), seat(3)), idle, round_(seat(1)), round_(seat(1), irregularity=void)),
        *(round_(seat(1), parts=ordered), round_(seat(1)), round_(seat(1)), round_(seat(1))),
    ]
    return day(book, options, method=method, rounds=rounds, **setup)


def ours(facts: list[Fact]) -> list[tuple[str, int | None, str]]:
    """The findings about decks."""
    return [(one.code, one.round, one.says) for one in verified(facts) if one.code in OURS]


@pytest.mark.parametrize("row", DAYS.values(), ids=DAYS)
def test_what_nobody_records_is_not_held_against_the_decks(row: tuple[Any, Any, dict[str, Any]]) -> None:
    """Each kind of fact left out of a long day, and all of them but what makes a round."""
    some = {"table-opened", "table-closed", "round-opened", "card-dealt", "stack-delivered"}
    for unrecorded in ((), *((kind,) for kind in KINDS if kind not in some), tuple(set(KINDS) - some)):
        assert not ours(told(row, unrecorded=unrecorded)), unrecorded


@pytest.mark.parametrize("row", DAYS.values(), ids=DAYS)
@pytest.mark.parametrize("reading", ["shown", "none"])
def test_cards_nobody_reads_say_nothing_of_the_deck(row: tuple[Any, Any, dict[str, Any]], reading: str) -> None:
    assert not ours(told(row, reading=reading))


# All facts about a card.
CARDS = (
    *("card-dealt", "stack-delivered", "stack-dispensed", "card-burned", "card-found-face-up", "slot-assigned"),
    *("community-revealed", "hand-revealed", "hands-collected", "cards-selected", "hand-set"),
)


@pytest.mark.parametrize("row", DAYS.values(), ids=DAYS)
def test_a_table_that_records_no_card_has_its_decks_watched_all_the_same(row: tuple[Any, Any, dict[str, Any]]) -> None:
    """Lawful, it is silent; and a shuffle or a count left out is found when the round is completed."""
    facts = told(row, unrecorded=CARDS)
    assert not ours(facts)
    if row[0] == "UTH-MA":
        assert [code for code, _, _ in ours(broken(facts, drop("shuffle-completed", nth=5)))] == ["shuffle-missing"]
        assert [code for code, _, _ in ours(broken(facts, drop("stub-counted")))] == ["stub-count-overdue"]


@pytest.mark.parametrize("number", [1, 2, 4])
def test_a_round_left_open_costs_the_next_deck_nothing(number: int) -> None:
    """Shuffled, cut and loaded after its last card, the cards are ready for the next round."""
    facts = told(DAYS["one deck by hand"])
    assert not ours(broken(facts, drop("round-completed", round=number)))


def test_cards_shuffled_within_their_round_are_unshuffled_for_the_next() -> None:
    facts = broken(
        day("COL", {}, rounds=[round_(seat(1), seat(3))] * 2),
        move_after(where("round-completed"), where("shuffle-completed", 2)),
    )
    assert [code for code, _, _ in ours(facts)] == ["shuffle-missing"]


def test_cards_of_a_void_round_may_be_shuffled_before_its_last_word() -> None:
    void = round_(seat(1), seat(3), irregularity=wrong("card-face-up", ("2c", 3), ("3c", 4)))
    facts = day("COL", {}, rounds=[void, round_(seat(1), seat(3))])
    assert not ours(broken(facts, move_after(where("round-completed"), where("shuffle-completed", 2))))


def test_a_recount_corrects_a_miscount() -> None:
    facts = day("COL", {}, rounds=[round_(seat(1), seat(3), count_stub=True), round_(seat(1))])
    miscounted = insert_after(where("stub-removed"), said("stub-counted", 42))
    assert not ours(broken(facts, miscounted))


@pytest.mark.parametrize("place", [0, 4])
@pytest.mark.parametrize("rows", [UTH, THREE], ids=["Ultimate", "three games"])
def test_incidents_handled_as_they_must_be_leave_the_decks_alone(rows: list[Any], place: int) -> None:
    """In the first round and in the one whose stub is due; only a deck that is not whole is a finding by itself."""
    for book, method, options, what, _ in rows:
        if what.kind not in OF_THE_DECK or (what.kind == "jam" and what.deck == "idle"):
            continue
        rounds = [round_(seat(1), seat(2), seat(4)) for _ in range(6)]
        trips: dict[str, Any] = {"trips": 500} if book.startswith("UTH") else {}
        rounds[place] = round_(seat(1, **trips), seat(2, **trips), seat(4), irregularity=what)
        found = ours(day(book, options, method=method, rounds=rounds))
        not_whole = what.kind == "stub-count" and what.finding != "misdealt"
        short = {"stub-count-mismatch", "deck-composition-wrong"}  # by the stub, and by the cards loaded into the shoe
        codes = {code for code, _, _ in found}
        assert codes <= short if not_whole else not codes, (book, what)
        assert not not_whole or "stub-count-mismatch" in codes, (book, what)
