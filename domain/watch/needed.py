"""The clauses that cannot be decided at a table because its feed never says a type of fact.

They follow from the detectors' needs and their laws. A clause that depends on options counts only where the house has
chosen one of them.
"""

from collections.abc import Collection
from functools import cache

import msgspec

from domain.clauses import HOUSE, register
from domain.rulebooks import House
from domain.watch import detectors as _all_of_them  # noqa: F401 - registers every detector
from domain.watch.detecting import JUDGES, WATCHERS, Detector


class NeverSaid(msgspec.Struct, frozen=True):
    """A type of fact that a feed never says, and the clauses that it would decide."""

    type: str  # as `unrecorded` spells it: card-burned
    clauses: tuple[str, ...]


def never_said(house: House, said: Collection[str], unrecorded: Collection[str]) -> list[NeverSaid]:
    """Return the types of fact that detectors of this house need and nobody said, those with most clauses first.

    `said` and `unrecorded` have the names of types as `unrecorded` spells them.
    """
    found = [
        NeverSaid(name, tuple(clause for clause in clauses if _applies(house, clause)))
        for name, clauses in _needed(house.book.book).items()
        if name not in said and name not in unrecorded
    ]
    return sorted((each for each in found if each.clauses), key=lambda each: (-len(each.clauses), each.type))


def _applies(house: House, clause: str) -> bool:
    row = {**register(house.book.book), **register(HOUSE)}.get(clause)
    return row is None or not row.options or any(house.options.get(name.partition(".")[0]) for name in row.options)


@cache
def _needed(book: str) -> dict[str, tuple[str, ...]]:
    """Return the clauses that each needed type of fact decides."""
    found: dict[str, dict[str, None]] = {}
    for detector in _detectors():
        if book in detector.books:
            cited = [
                clause for law in detector.laws for (of, _), row in law.clauses.items() if of == book for clause in row
            ]
            for name in detector.needs:
                found.setdefault(name, {}).update(dict.fromkeys(cited))
    return {name: tuple(clauses) for name, clauses in found.items()}


def _detectors() -> list[Detector]:
    watchers = [watcher for held in WATCHERS.values() for watcher in held]
    return list({detector.name: detector for detector in (*JUDGES, *watchers)}.values())
