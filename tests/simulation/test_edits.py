"""Edits break a lawful day in one place and leave the rest of it as it was."""

from typing import Any

import pytest

from domain.facts.codec import decode, encode, name_of
from domain.facts.envelope import Fact
from domain.simulation.edits import (
    Edit,
    NothingToEditError,
    broken,
    change,
    delay,
    drop,
    insert_after,
    insert_before,
    move_after,
    move_before,
    repeat,
    said,
    swap,
    until,
    where,
)
from domain.simulation.scripted import day, round_, seat
from tests.simulation.told import recorded

ROUND = round_(seat(1, "Ah Ad", "check check play", trips=500), seat(3, "2c 7d", "check check fold"))
FACTS = day("UTH-MA", rounds=[ROUND, ROUND])


def kinds(facts: list[Fact], **fields: Any) -> list[str]:
    return [
        name_of(fact).removesuffix(".1")
        for fact in facts
        if all(getattr(fact, name, None) == wanted for name, wanted in fields.items())
    ]


# what is done | the kind looked at, in round 1 | how many there are before and after
COUNTED: list[tuple[Edit, str, int, int]] = [
    (drop("card-burned"), "card-burned", 2, 0),
    (drop("card-burned", 2), "card-burned", 2, 1),
    (drop("card-burned", reason="flop"), "card-burned", 2, 1),
    (drop("wager-placed", 1, seat=3, wager="ante", round=1), "wager-placed", 6, 5),
    (drop("card-dealt", -1, to="seat", round=1), "card-dealt", 11, 10),
    (drop("card-dealt", to="community", slot=lambda slot: slot > 3, round=1), "card-dealt", 11, 9),
    (repeat(where("card-burned")), "card-burned", 2, 3),
    (insert_after(where("bets-closed"), said("wager-placed", 3, "trips", 500)), "wager-placed", 6, 7),
    (insert_before(where("bets-closed"), said("player-left", 3, "player-3")), "player-left", 0, 0),
]


@pytest.mark.parametrize(("edit", "kind", "before", "after"), COUNTED)
def test_so_many_more_or_fewer(edit: Edit, kind: str, before: int, after: int) -> None:
    assert kinds(FACTS, round=1).count(kind) == before
    assert kinds(broken(FACTS, edit), round=1).count(kind) == after


EDITS: list[Edit] = [
    *(edit for edit, *_ in COUNTED),
    change("wager-paid", 1, to={"cents": 900}),
    change("wager-paid", to={"cents": lambda cents: cents + 100}),
    move_before(where("stub-discarded"), where("card-burned", 2)),
    move_after(where("decision-made", 1, seat=3), where("hand-revealed")),
    swap(where("decision-asked", 1), where("decision-asked", 2)),
    delay(where("round-opened", 2), 5_000_000),
]


@pytest.mark.parametrize("edit", EDITS)
def test_what_is_left_can_still_be_recorded(edit: Edit) -> None:
    """Each fact is still a fact by a key of its own, and time never runs back."""
    facts = broken(FACTS, edit)
    assert facts != FACTS
    assert all(decode(encode(fact)) == fact for fact in facts)
    assert len({(fact.source, fact.source_key) for fact in facts}) == len(facts)
    assert [fact.at for fact in facts] == sorted(fact.at for fact in facts)
    assert len(recorded(facts)) == len(facts)


def test_a_day_can_be_broken_off() -> None:
    assert kinds(broken(FACTS, until(where("round-completed", 2)))).count("round-completed") == 1


def test_edits_compose_and_the_lawful_day_stays_as_it_was() -> None:
    before = list(FACTS)
    facts = broken(FACTS, drop("card-burned"), change("bets-closed", 1, to={"source": "another"}))
    assert (len(facts), FACTS) == (len(before) - 4, before)


def test_moved_facts_stand_where_they_were_put() -> None:
    facts = broken(FACTS, move_before(where("card-burned", 1), where("decision-asked", 1)))
    found = kinds(facts)
    assert found[found.index("card-burned") + 1] == "decision-asked"


def test_a_fact_put_in_belongs_to_the_round_it_is_put_into() -> None:
    """A fact of the table carries no round, in any place."""
    facts = broken(
        FACTS,
        insert_after(where("round-opened", 2), said("card-burned", "flop"), said("shuffle-ordered", "floorperson")),
    )
    at = kinds(facts).index("card-burned", kinds(facts).index("round-opened", 60))
    assert (facts[at].round, facts[at + 1].round) == (2, None)


@pytest.mark.parametrize(
    "edit",
    [
        drop("box-revealed"),
        drop("card-burned", 5),
        drop("card-burned", reason="shoe"),
        drop("card-burnt"),
        change("wager-paid", 99, to={"cents": 1}),
        move_before(where("bets-closed"), where("bets-closed")),
        repeat(where("hand-voided")),
    ],
)
def test_an_edit_that_finds_nothing_raises(edit: Edit) -> None:
    with pytest.raises(NothingToEditError):
        broken(FACTS, edit)


def test_an_edit_cannot_make_what_is_no_fact() -> None:
    with pytest.raises(ValueError, match="Expected `int"):
        broken(FACTS, change("wager-paid", 1, to={"cents": "much"}))
