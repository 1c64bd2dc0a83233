"""One payment made wrongly: one certain finding, with the money. What the dealer may have seen in the cards is a reading."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid, WagerReturned
from domain.facts.words import Book
from domain.simulation.scripted import day, round_, seat
from domain.watch.finding import Finding
from tests.watch.harness import verified

ROUNDS = 6
DAYS: list[tuple[Book, dict[str, Any], dict[str, int]]] = [
    ("UTH-MA", {}, {"trips": 500}),
    ("UTH-MD", {}, {"trips": 500}),
    ("PIK", {}, {"bonus3": 500}),
    ("FAH", {}, {}),
    ("COL", {}, {"bonus": 100}),
    ("COL", {"version": "permissible"}, {"bonus": 100}),
]
WRONG = (WagerPaid, WagerCollected, WagerReturned)


def _wrongly(facts: Sequence[Fact]) -> Iterator[tuple[str, Any, list[Fact]]]:
    """The day with each movement of chips in turn doubled, or made another one."""
    for at, fact in enumerate(facts):
        if not isinstance(fact, WRONG) or not fact.cents:
            continue
        others = [kind for kind in WRONG if kind is not type(fact)]
        same = {name: getattr(fact, name) for name in ("at", "source", "source_key", "stream", "round")}
        made = [kind(fact.seat, fact.wager, fact.cents, **same) for kind in others]
        for wrong in (msgspec.structs.replace(fact, cents=2 * fact.cents), *made):
            says = f"round {fact.round}: {fact.wager} of seat {fact.seat}: {type(fact).__name__} as {wrong}"
            yield says, fact, [*facts[:at], wrong, *facts[at + 1 :]]


def _about(findings: Sequence[Finding], move: Any) -> list[Finding]:
    """The certain findings on this wager, without the comparison of hands, which says what the money finding says."""
    where = (move.round, move.seat, move.wager)
    about = [one for one in findings if (one.round, one.seat, one.wager) == where and one.basis == "certain"]
    return [one for one in about if one.code != "winner-misjudged"]


@pytest.mark.parametrize(("book", "options", "wagers"), DAYS, ids=lambda part: str(part)[:24])
def test_a_wrong_payment_is_explained_once(book: Book, options: dict[str, Any], wagers: dict[str, int]) -> None:
    facts = list(day(book, options, rounds=[round_(seat(1, **wagers), seat(3, **wagers)) for _ in range(ROUNDS)]))
    several, found = [], 0
    for says, move, wrong in _wrongly(facts):
        about = _about(verified(wrong), move)
        found += bool(about)
        if len(about) > 1:
            several.append((says, [(one.code, one.says) for one in about]))
    assert several == []
    assert found > ROUNDS
