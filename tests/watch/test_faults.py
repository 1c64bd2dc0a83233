"""A fault of Catwalk's own in one round: it is a finding on that round, and everything else is judged as before."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from domain.facts.deal import CardDealt
from domain.games import BOOKS
from domain.simulation.edits import broken, drop
from domain.simulation.scripted import day, round_, seat
from domain.table.round import RoundInPlay
from domain.watch import detecting, owed, verifier
from domain.watch.faults import NOT_JUDGED
from domain.watch.finding import Finding
from domain.watch.verifier import Verifier
from tests.watch.harness import recorded

OTHER = "no-more-bets-missing"  # in every book


@pytest.fixture(params=BOOKS)
def facts(request: pytest.FixtureRequest) -> list[Any]:
    """Three rounds of a book; in the second and the third nobody announced "no more bets"."""
    whole = day(request.param, rounds=[round_(seat(1), seat(2)) for _ in range(3)])
    return recorded(broken(whole, drop("bets-closed", round=2), drop("bets-closed", round=3)))


def judged(facts: list[Any]) -> Verifier:
    made = Verifier(facts[0].stream)
    for fact in facts:
        made.take(fact)
    return made


def standing(made: Verifier) -> set[tuple[str, int | None]]:
    return {(one.code, one.round) for one in made.standing.values()}


def one(made: Verifier) -> Finding:
    (found,) = [each for each in made.standing.values() if each.code == NOT_JUDGED]
    return found


def fails_in_round_two(run: Callable[..., Any], number: Callable[..., int | None]) -> Callable[..., Any]:
    def failing(*given: Any) -> Any:
        if number(*given) == 2:
            raise ZeroDivisionError("division by zero")
        return run(*given)

    failing.__name__ = "the_failing_one"
    return failing


def test_a_settlement_that_fails_is_a_finding_of_its_round(facts: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = judged(facts)
    assert standing(whole) == {(OTHER, 2), (OTHER, 3)}
    monkeypatch.setattr(owed, "_regular", fails_in_round_two(owed._regular, lambda told: told.number))
    made = judged(facts)
    assert standing(made) == {(OTHER, 2), (OTHER, 3), (NOT_JUDGED, 2)}
    assert "its settlement (ZeroDivisionError: division by zero)" in one(made).says
    lost = made.wagers.pop(owed.FAILED)
    assert lost > 0
    assert {**made.wagers, "decided": made.wagers["decided"] + lost} == whole.wagers


def test_a_judge_that_fails_leaves_the_others_their_say(facts: list[Any]) -> None:
    def everything(told: RoundInPlay) -> Iterator[Finding]:
        yield from ()

    judge = detecting.JUDGES[0]
    failing = fails_in_round_two(everything, lambda told: told.number)
    added = detecting.Detector("the_failing_one", judge.laws, frozenset(), frozenset(BOOKS), failing)
    detecting.JUDGES.insert(0, added)
    verifier.detectors_changed()
    try:
        made = judged(facts)
    finally:
        detecting.JUDGES.remove(added)
        verifier.detectors_changed()
    assert standing(made) == {(OTHER, 2), (OTHER, 3), (NOT_JUDGED, 2)}
    assert "the_failing_one (ZeroDivisionError: division by zero)" in one(made).says


def test_a_watcher_that_fails_leaves_the_others_their_say(facts: list[Any]) -> None:
    def nothing(*_: Any) -> Iterator[Finding]:
        yield from ()

    failing = fails_in_round_two(nothing, lambda _, fact: fact.round)
    added = detecting.Detector("the_failing_one", (), frozenset(), frozenset(BOOKS), failing)
    begins = detecting.WATCHERS[detecting.DealBegins]
    begins.insert(0, added)
    verifier.detectors_changed()
    try:
        made = judged(facts)
    finally:
        begins.remove(added)
        verifier.detectors_changed()
    assert standing(made) == {(OTHER, 2), (OTHER, 3), (NOT_JUDGED, 2)}
    assert isinstance(next(fact for fact in facts if fact.sequence == one(made).trigger), CardDealt)
