"""Fast Action's shoe: loaded, dealt, burned and left add up, or a finding; silent where one of them is not on record."""

import re

import pytest

from domain.simulation.edits import Edit, FactSelector, broken, change, insert_after, move_after, said, where
from domain.simulation.scripted import round_, seat, wrong
from tests.watch.cases_decks import left_over
from tests.watch.harness import verified
from tests.watch.lawful import day

SHORT = "deck-composition-wrong"
MISSING = left_over(-16)
LAST = round_(seat(1), parts={"shuffle_ordered": "directed"})
SHOE = day("FAH", rounds=[round_(seat(1), seat(3)), round_(seat(1)), LAST])


def _found(*edits: Edit) -> list[str]:
    return [one.says for one in verified(broken(SHOE(), *edits)) if one.code == SHORT]


def test_sixteen_cards_that_stay_behind_show_in_the_sum() -> None:
    """SugarHouse's case: nobody counts what is loaded, and the four figures show what is missing."""
    (says,) = _found(MISSING)
    loaded, gone, left = map(int, re.findall(r"(?<![-\w])\d+", says)[:3])
    assert (loaded, loaded - gone - left) == (312, 16)
    assert says.endswith("16 cards too few.")


def test_one_card_too_many_shows_too() -> None:
    (says,) = _found(left_over(1))
    assert says.endswith("1 card too many.")


UNKNOWN = [
    ("nobody counted the cards that were left", change("shoe-emptied", nth=1, to={"cards": None})),
    ("nobody counted the cards that were loaded", change("shoe-loaded", nth=1, to={"cards": None})),
    ("the burns are not recorded", change("table-opened", to={"unrecorded": ("card-burned",)})),
    ("the deal is not recorded", change("table-opened", to={"unrecorded": ("card-dealt",)})),
    ("the shoe failed", insert_after(where("round-completed"), said("device-failed", "T7-shoe", "shoe", "jammed"))),
    (
        "the reader of the cards failed between two rounds",
        insert_after(
            where("round-completed"),
            said("device-failed", "T7-reader", "table-reader", "offline"),
            said("device-restored", "T7-reader"),
        ),
    ),
    (
        "a supervisor had the shoe emptied before a round was dealt to its end",
        move_after(where("shoe-emptied"), where("card-dealt", -1, round=2)),
    ),
    ("a card came late", insert_after(where("round-completed"), said("card-burned", "dealer", card="2c", round=1))),
]


@pytest.mark.parametrize(("why", "edit"), UNKNOWN, ids=[why for why, _ in UNKNOWN])
def test_it_is_silent_where_a_movement_is_not_on_record(why: str, edit: Edit) -> None:
    assert why
    edits = (MISSING, edit) if "left" not in why else (edit,)
    assert _found(*edits) == []


def test_a_shoe_loaded_wrongly_is_told_at_its_load_alone() -> None:
    (says,) = _found(change("shoe-loaded", nth=1, to={"cards": lambda held: held - 1}))
    assert "was loaded with" in says


PUT_BACK = day("FAH", "continuous-shoe", {"shuffler": "continuous"}, [round_(seat(1), seat(3)), round_(seat(1))])


def _returned(after: FactSelector, cards: int) -> list[str]:
    """The first round's 18 cards go back into the continuous shoe only here, or so many of them."""
    late = move_after(where("shoe-loaded", 2), after)
    facts = broken(PUT_BACK(), late, change("shoe-loaded", nth=2, to={"cards": cards}))
    return [one.says for one in verified(facts) if one.code == SHORT]


def test_cards_put_back_when_the_next_round_is_open_must_be_those_dealt() -> None:
    """Bets are placed, and no card of the round has left the shoe yet."""
    opened = where("round-opened", 2)
    assert _returned(opened, 18) == []
    (says,) = _returned(opened, 16)
    assert says.endswith(
        "18 cards of T7-batch-1 had been dealt from the shoe that shuffles continuously, but 16 went back into it."
    )


def test_cards_put_back_in_the_middle_of_a_deal_are_not_compared() -> None:
    """A card of the new round may be among them, such as one exposed by mistake."""
    assert _returned(where("card-dealt", 3, round=2), 19) == []


LAWFUL = {
    "a card face up": round_(seat(1), seat(3), irregularity=wrong("card-face-up", ("2c", 3))),
    "a short hand completed": round_(seat(1), irregularity=wrong("short-hand", seat=1, dealt=2, election="complete")),
    "a short hand void": round_(seat(1), irregularity=wrong("short-hand", seat=1, dealt=3, election="void")),
    "a long hand": round_(seat(1), irregularity=wrong("long-hand", seat=1, dealt=5)),
    "a dealer with five cards": round_(
        seat(1), irregularity=wrong("wrong-count", of="dealer", dealt=5, stage="reveal")
    ),
    "the shoe runs out": round_(seat(1), irregularity=wrong("insufficient-cards", stage="dealing", at_dealt=6)),
    "a new dealer": round_(seat(1), new_dealer="dealer-2"),
}


@pytest.mark.parametrize("what", LAWFUL)
def test_what_moves_cards_lawfully_adds_up(what: str) -> None:
    told = day("FAH", rounds=[round_(seat(1)), LAWFUL[what], LAST])
    assert verified(told()) == []
