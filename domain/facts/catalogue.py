"""Catalogue of every type of fact, by the name it is stored under."""

from types import ModuleType

from domain.facts import (
    deal,
    decisions,
    decks,
    devices,
    payments,
    players,
    property_day,
    seals,
    shuffles,
    sources,
    table_day,
    table_money,
    wagers,
    watching,
)
from domain.facts.envelope import Fact

SUBJECTS: tuple[ModuleType, ...] = (
    table_day,
    players,
    decks,
    shuffles,
    wagers,
    deal,
    decisions,
    payments,
    devices,
    table_money,
    watching,
    property_day,
    sources,
    seals,
)


def _types() -> dict[str, type[Fact]]:
    found: dict[str, type[Fact]] = {}
    for subject in SUBJECTS:
        for kind in vars(subject).values():
            if (
                isinstance(kind, type)
                and issubclass(kind, Fact)
                and kind is not Fact
                and kind.__module__ == subject.__name__
            ):
                found[str(kind.__struct_config__.tag)] = kind
    return found


TYPES: dict[str, type[Fact]] = _types()

# Fields that a source may leave out, unless it signs its lines: they are filled in as a line is read or recorded.
FILLED_IN = frozenset({"book_digest", "slip"})

__all__ = ["FILLED_IN", "SUBJECTS", "TYPES", "Fact"]
