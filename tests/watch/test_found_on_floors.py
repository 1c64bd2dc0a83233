"""Faults that simulated floors brought to light, each by itself: of two about one round or deck, one hid the other."""

import pytest

from domain.facts.payments import RulingGiven
from domain.simulation import decks, opening
from domain.simulation.edits import broken, drop
from domain.simulation.scripted import day, round_, seat
from domain.simulation.table import TableInPlay
from tests.watch.harness import verified

TENS = round_(seat(2, "Th 9h 6d", "play", kept="Th 9h"), community="Qh Jd Tc")
PLAIN = round_(seat(1), seat(2))


def test_a_ruling_on_a_wager_is_none_on_the_number_of_cards() -> None:
    """A hand of two cards is a pair of tens, which the floor rules on; all hands are void, and nobody ruled on that."""
    lawful = day("COL", {"version": "permissible"}, rounds=[TENS])
    assert [fact.wager for fact in lawful if isinstance(fact, RulingGiven)] == ["ante"]
    assert verified(lawful) == []
    found = {one.code: one.clauses for one in verified(broken(lawful, drop("card-dealt", seat=2, card="6d")))}
    assert found["round-not-voided"] == ("COL 14(c)",)
    assert "void-wager-not-returned" not in found


def _changed_and_left(table: TableInPlay) -> None:
    """A deck that was inspected elsewhere takes the place of a worn one, and everybody leaves before it is dealt."""
    decks.change(table, table.deck, "worn")
    for place in list(table.seated):
        opening.leave(table, place)
    opening.idle(table)
    opening.resume(table, 1, "player-1")


def test_a_new_deck_spread_at_an_idle_table_is_shown_like_any_other() -> None:
    """A deck that needed no opening still has to be shown."""
    lawful = day("COL", preinspected=True, rounds=[PLAIN, _changed_and_left, PLAIN])
    assert verified(lawful) == []
    (found,) = verified(broken(lawful, drop("inspection-offered")))
    assert (found.code, found.clauses) == ("inspection-not-offered", ("COL 5(e)/s2",))


UNDECIDED = round_(seat(1, "7h 2c", "check check play"), seat(2, "As Kd", "play"))
# The player of the first seat is not asked any more on the last street, and nothing is wagered there.
NOT_ASKED = (
    drop("decision-asked", seat=1, street="river"),
    drop("decision-made", seat=1, street="river"),
    drop("wager-placed", seat=1, wager="play"),
    drop("wager-collected", seat=1, wager="play"),
)


@pytest.mark.parametrize(
    ("unrecorded", "codes"),
    [
        ((), ["decision-missing"]),
        (("hand-revealed",), ["decision-missing"]),
        (("hand-announced", "hand-revealed"), []),
    ],
)
def test_a_hand_that_went_to_the_showdown_is_not_taken_for_one_taken_away_before(
    unrecorded: tuple[str, ...], codes: list[str]
) -> None:
    """Without facts about turned-up hands, the dealer's announcement shows that the showdown had come."""
    facts = broken(day("UTH-MD", rounds=[UNDECIDED], unrecorded=unrecorded), *NOT_ASKED)
    assert [one.code for one in verified(facts)] == codes
