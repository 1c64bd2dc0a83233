"""Short lawful days for the cases, told once and kept: cases only read them."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, cast

from domain.facts.envelope import Fact
from domain.facts.words import Book, Dealing
from domain.simulation.edits import Edit, broken
from domain.simulation.scripted import Step, round_, seat
from domain.simulation.scripted import day as scripted
from tests.watch.harness import Day

TWO_SEATS = (round_(seat(1), seat(3)),)


def day(
    book: str,
    method: str = "manual-shoe",
    options: Mapping[str, Any] | None = None,
    rounds: Sequence[Step] = TWO_SEATS,
    **setup: Any,
) -> Day:
    """A day of this book and dealing method; where it needs a shuffler there is one."""
    chosen = {"shuffler": "none" if method == "manual-shoe" else _shuffler(book)} | dict(options or {})

    @cache
    def told() -> Sequence[Fact]:
        return tuple(scripted(cast(Book, book), chosen, method=cast(Dealing, method), rounds=list(rounds), **setup))

    return told


def _shuffler(book: str) -> str:
    return "continuous" if book == "FAH" else "automated"


def edits(*each: Edit) -> Callable[[Sequence[Fact]], list[Fact]]:
    """Several edits, one after the other."""
    return lambda facts: broken(facts, *each)
