"""Whole simulated days with two or three types of fact unrecorded: nothing is found. `make unrecorded` tries every pair."""

from functools import cache

import pytest

from domain.facts.wagers import BetsClosed
from tests.watch import unrecorded
from tests.watch.unrecorded import LawfulDay

SEED = 5
ONCE_SPOKEN = [  # what was once found because of it
    (5, "FAH manual-shoe", ("shoe-loaded", "shuffle-completed")),
    (5, "FAH manual-shoe", ("cards-stacked", "shoe-loaded", "shuffle-completed")),
    (5, "COL automated-shoe", ("deck-received",)),
    (5, "COL automated-shoe", ("deck-received", "shuffle-started")),
    # neither the cards on the table nor a decision says on which street a play was made
    (1, "UTH-MD automated-shoe", ("community-revealed", "decision-made")),
    (1, "UTH-MD automated-shoe", ("decision-made", "stack-delivered")),
    # no sensor for antes and blinds, and no card says how many hands were dealt
    (1, "UTH-MA hand", ("card-dealt", "hands-collected")),
]


@cache
def days(seed: int = SEED) -> dict[str, LawfulDay]:
    return {day.title: day for day in unrecorded.days(seed)}


def test_the_days_are_of_every_game_and_dealing_method() -> None:
    assert {title.split()[0] for title in days()} == {"UTH-MA", "UTH-MD", "PIK", "FAH", "COL"}
    assert {title.split()[1] for title in days()} >= {"manual-shoe", "hand", "automated-shoe", "continuous-shoe"}


@pytest.mark.parametrize("size", [2, 3])
def test_no_judge_rests_on_what_nobody_records(size: int) -> None:
    """A few pairs and triples of each day, drawn by a seed."""
    found = [
        line for day in days().values() for line in unrecorded.spoken(day, unrecorded.drawn(day, size, 3, seed=size))
    ]
    assert found == []


@pytest.mark.parametrize(("seed", "title", "kinds"), ONCE_SPOKEN, ids=str)
def test_what_was_found_for_want_of_facts_is_found_no_more(seed: int, title: str, kinds: tuple[str, ...]) -> None:
    assert list(unrecorded.spoken(days(seed)[title], [kinds])) == []


def test_a_day_with_something_wrong_is_named() -> None:
    """A day that can raise nothing would prove nothing: one call of "no more bets" is missing."""
    whole = days()["COL hand"]
    third = [fact for fact in whole.facts if isinstance(fact, BetsClosed)][2]
    facts = [fact for fact in whole.facts if fact is not third]
    (line,) = unrecorded.spoken(LawfulDay("COL hand", facts), [("cut-offered",)])
    assert line.startswith("COL hand without cut-offered: 1 found: no-more-bets-missing")
