"""Options that say no machine shuffles: a table that lets one shuffle is found once, and a shoe that shuffles is not."""

from collections.abc import Sequence

import pytest

from domain.facts.envelope import Fact
from domain.facts.table_day import DeviceHere
from domain.simulation.edits import Edit, broken, change
from domain.simulation.scripted import round_, seat
from tests.watch.harness import verified
from tests.watch.lawful import day

ROUNDS = [round_(seat(1), seat(3)) for _ in range(3)]
SHUFFLER, SHOE = DeviceHere("T7-shuffler", "shuffler"), DeviceHere("T7-shoe", "shoe")
BOOKS = ("UTH-MA", "UTH-MD", "PIK", "COL")


def _told(facts: Sequence[Fact], *edits: Edit) -> list[str]:
    found = [one.says for one in verified(broken(facts, *edits)) if one.code == "house-option-invalid"]
    return [says for says in found if "no machine shuffles" in says]


def _by_machine(nth: int = 0, device: str = "T7-shuffler") -> Edit:
    return change("shuffle-completed", nth=nth, to={"method": "device", "device": device})


@pytest.mark.parametrize("book", BOOKS)
def test_a_machine_that_shuffles_round_after_round_is_told_once(book: str) -> None:
    (says,) = _told(day(book, rounds=ROUNDS)(), _by_machine())
    assert says == "The options state that no machine shuffles, but a device shuffled the cards."


@pytest.mark.parametrize("book", BOOKS)
def test_a_machine_that_comes_in_after_a_shuffle_by_hand_is_told(book: str) -> None:
    assert len(_told(day(book, rounds=ROUNDS)(), _by_machine(nth=-1))) == 1


@pytest.mark.parametrize("book", BOOKS)
def test_a_shuffler_at_the_table_is_told_at_the_opening_alone(book: str) -> None:
    stands = change("table-opened", to={"devices": lambda held: (*held, SHUFFLER)})
    (says,) = _told(day(book, rounds=ROUNDS)(), stands, _by_machine())
    assert says.endswith("but the shuffler T7-shuffler does.")


@pytest.mark.parametrize("book", BOOKS)
def test_a_dealing_shoe_that_shuffles_is_no_shuffler(book: str) -> None:
    lawful = day(book, "automated-shoe", rounds=ROUNDS)()
    no_shuffler = change("table-opened", to={"options": lambda held: {**held, "shuffler": "none"}, "devices": (SHOE,)})
    assert _told(lawful, no_shuffler, _by_machine(device=SHOE.device)) == []
