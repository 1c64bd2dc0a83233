"""Findings over several rounds, and those a ruling must settle: a deck short of a card, a shoe with one extra."""

from collections.abc import Sequence
from functools import cache
from random import Random

from domain.cards import DECK, show
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected
from domain.facts.words import Book
from domain.simulation.edits import broken, change, drop
from domain.simulation.scripted import day, round_, seat
from tests.watch.harness import Case

SEATS = (seat(1), seat(3), seat(4))


def _shuffled(chance: Random, deck: Sequence[int] = DECK) -> str:
    return " ".join(show([each]) for each in chance.sample(deck, len(deck)))


@cache
def _rounds(book: Book, number: int, lacks: str = "") -> tuple[Fact, ...]:
    """A day dealt from shuffled decks, these cards at the bottom of each, where none is dealt from."""
    chance = Random(f"{book} {lacks}")  # noqa: S311 - a seed, so that a failure repeats
    rest = [each for each in DECK if show([each]) not in lacks.split()]
    rounds = [round_(*SEATS, order=f"{_shuffled(chance, rest)} {lacks}".strip()) for _ in range(number)]
    return tuple(day(book, rounds=rounds))


@cache
def _again() -> tuple[Fact, ...]:
    """The second round is dealt as the cards of the first were picked up."""
    first = _shuffled(Random(5)).split()  # noqa: S311 - a seed, so that a failure repeats
    facts = day("UTH-MA", rounds=[round_(*SEATS, order=" ".join(first))])
    picked = [text for fact in facts if isinstance(fact, HandsCollected) for text in fact.cards]
    then = [*picked[::-1], *(text for text in first if text not in picked)]
    return tuple(day("UTH-MA", rounds=[round_(*SEATS, order=" ".join(order)) for order in (first, then)]))


@cache
def _shoe() -> tuple[Fact, ...]:
    first = round_(seat(1, "As As As As"), seat(3))
    return tuple(day("FAH", rounds=[first, round_(seat(1, "As As 3d 2d"), seat(3))]))


@cache
def _ruled() -> tuple[Fact, ...]:
    """A suited ace, two and three declared, and ruled on."""
    return tuple(day("COL", rounds=[round_(seat(1, "As 2s 3s", "declare"), seat(3))]))


CASES = [
    Case("UTH-MA 2(a)", "deck-composition-wrong", lambda: _rounds("UTH-MA", 60), lambda _: _rounds("UTH-MA", 60, "7h")),
    Case("PIK 39.2(a)/s1", "deck-composition-wrong", lambda: _rounds("PIK", 30), lambda _: _rounds("PIK", 30, "7h As")),
    Case("COL 2(a)/s1", "deck-composition-wrong", lambda: _rounds("COL", 60), lambda _: _rounds("COL", 60, "7h As")),
    Case("UTH-MA 4(a) s1", "shuffle-missing", lambda: _rounds("UTH-MA", 2), lambda _: _again()),
    Case(
        "FAH (b)(1)/s1",
        "card-duplicated",
        _shoe,
        lambda facts: broken(facts, change("card-dealt", to={"card": "As"}, round=2, card="3d")),
    ),
    Case("COL 3(c)(1)", "ruling-needed", _ruled, lambda facts: broken(facts, drop("ruling-given", nth=0))),
]
