"""Rows of cases: clauses by book, each shown on that book's own day by one and the same edit."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.clauses import BOOKS
from domain.simulation.edits import Edit
from domain.simulation.scripted import Step
from tests.watch.harness import Case
from tests.watch.lawful import TWO_SEATS, day


def rows(
    code: str,
    edit: Edit,
    text: str,
    *,
    method: str = "manual-shoe",
    options: Mapping[str, Any] | None = None,
    rounds: Sequence[Step] = TWO_SEATS,
    **setup: Any,
) -> list[Case]:
    """A case for each line: its clauses, separated by semicolons, are those of the book it begins with."""
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        book = next(book for book in BOOKS if line.startswith(f"{book} "))
        found.append(Case(line, code, day(book, method, options, rounds, **setup), edit))
    return found
