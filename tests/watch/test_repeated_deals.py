"""A card event that is sent again under a new key is one finding, and a doubled card decides no hand."""

from collections.abc import Sequence

import msgspec
import pytest

from domain.facts.deal import CardDealt
from domain.facts.envelope import Fact
from domain.simulation.edits import broken, change, repeat, where
from domain.simulation.scripted import round_, seat
from domain.watch.finding import Finding
from domain.watch.verifier import Verifier
from tests.watch.harness import recorded, verified
from tests.watch.lawful import day

DAYS = {
    f"{book} {method}": day(book, method, rounds=[round_(seat(1), seat(3))])
    for book, method in (
        ("UTH-MA", "manual-shoe"),
        ("UTH-MD", "hand"),
        ("PIK", "hand"),
        ("FAH", "manual-shoe"),
        ("COL", "manual-shoe"),
    )
}


def sent_again(facts: Sequence[Fact], nth: int, behind: int) -> list[Fact]:
    """The day with the `nth` dealt card sent again under a new key, so many cards later."""
    dealt = [place for place, fact in enumerate(facts) if isinstance(fact, CardDealt)]
    again = msgspec.structs.replace(facts[dealt[nth]], source_key=f"{facts[dealt[nth]].source_key}:again")
    place = dealt[min(nth + behind, len(dealt) - 1)] + 1
    return [*facts[:place], again, *facts[place:]]


def wagers(facts: Sequence[Fact]) -> dict[str, int]:
    """The wagers decided, and undecided by what is missing."""
    numbered = recorded(facts)
    verifier = Verifier(numbered[0].stream)
    for fact in numbered:
        verifier.take(fact)
    return {what: many for what, many in verifier.wagers.items() if many}


@pytest.mark.parametrize("behind", [0, 1, 5])
@pytest.mark.parametrize("nth", [0, 3, -1])
@pytest.mark.parametrize("title", DAYS)
def test_a_card_event_sent_again_is_one_finding_and_costs_no_decision(title: str, nth: int, behind: int) -> None:
    facts = list(DAYS[title]())
    assert verified(facts) == []
    many = sum(isinstance(fact, CardDealt) for fact in facts)
    again = sent_again(facts, nth % many, behind)
    found = verified(again)
    assert [(each.code, each.basis) for each in found] == [("card-duplicated", "reading")], found
    assert "was recorded twice" in found[0].says
    assert len(found[0].evidence) == 2
    assert wagers(again) == wagers(facts)


def _doubled() -> list[Fact]:
    """Seat 1 holds a card that the dealer holds as well; seat 3 folds."""
    return broken(
        day(
            "UTH-MD", rounds=[round_(seat(1, "Ah Kd", "play:4"), seat(3, "4h 3c", "check check fold"), dealer="9c 9d")]
        )(),
        change("card-dealt", to={"card": "9c"}, card="Kd"),
        change("hand-revealed", to={"cards": ("Ah", "9c")}, seat=1),
        change("hands-collected", to={"cards": ()}),
    )


def test_no_hand_is_judged_by_a_card_that_is_there_twice() -> None:
    found = verified(_doubled())
    assert [each.code for each in found] == ["card-duplicated"], found


def test_what_a_fold_forfeits_is_decided_beside_a_card_that_is_there_twice() -> None:
    told = wagers(_doubled())
    assert told["decided"] == 2, told  # seat 3's ante and blind
    assert told["the record contradicts itself"] == 3, told


def test_a_fold_that_keeps_its_ante_is_found_beside_a_card_that_is_there_twice() -> None:
    facts = [fact for fact in _doubled() if not _takes_the_ante(fact)]
    codes = {each.code for each in _certain(verified(facts))}
    assert "folded-wager-not-collected" in codes, codes


def _takes_the_ante(fact: Fact) -> bool:
    return (type(fact).__name__, getattr(fact, "seat", 0), getattr(fact, "wager", "")) == ("WagerCollected", 3, "ante")


def _certain(found: Sequence[Finding]) -> list[Finding]:
    return [each for each in found if each.basis == "certain"]


@pytest.mark.parametrize("book", ["UTH-MA", "UTH-MD", "PIK", "FAH", "COL"])
def test_two_unread_cards_in_a_hand_with_one_too_many_are_no_repetition(book: str) -> None:
    """The reader missed the last card of the first seat, and the one that came too many."""
    last = where("card-dealt", -1, seat=1)
    facts = broken(day(book)(), change("card-dealt", nth=-1, seat=1, to={"card": "??"}), repeat(last))
    codes = {each.code for each in verified(facts)}
    assert codes & {"hand-not-voided", "round-not-voided", "card-count-wrong"}, codes
    assert "card-duplicated" not in codes


def test_two_cards_of_one_kind_in_a_hand_of_two_are_no_repetition() -> None:
    """Then the deck holds the card twice."""
    facts = broken(
        day("UTH-MD", rounds=[round_(seat(1, "Ah Kd", "play:4"))])(),
        change("card-dealt", to={"card": "Ah"}, card="Kd"),
        change("hand-revealed", to={"cards": ("Ah", "Ah")}, seat=1),
        change("hands-collected", to={"cards": ()}),
    )
    found = [each for each in verified(facts) if each.code == "card-duplicated"]
    assert [(each.basis, "Ah was seen twice" in each.says) for each in found] == [("certain", True)]
