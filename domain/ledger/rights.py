"""The rights a source may have, each a set of the types of fact it may report.

A right is named for what a device or post does. A source may also be given single types by name: `card-dealt`. No right
covers the facts that change who may report or seal; the commands that ask for the role record those.
"""

from collections.abc import Iterable

from domain.facts import property_day, seals, sources, table_day, watching
from domain.facts.catalogue import SUBJECTS, TYPES
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRevoked, KeyRotated, PropertyClosed, PropertyOpened
from domain.facts.sources import ClockCorrected, InputRefused, SourceRegistered, SourceRevoked
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.watching import Corrected

Kinds = frozenset[type[Fact]]

REGISTRARS: Kinds = frozenset({KeyRegistered, KeyRotated, KeyRevoked, SourceRegistered, SourceRevoked})
GATEWAYS: Kinds = frozenset({InputRefused, ClockCorrected})
_OPENINGS: Kinds = frozenset({TableOpened, TableClosed, PropertyOpened, PropertyClosed})
_CORRECTIONS: Kinds = frozenset({Corrected})
_APART: Kinds = REGISTRARS | GATEWAYS | _OPENINGS | _CORRECTIONS


def _of(subject: object) -> Kinds:
    return frozenset(kind for kind in TYPES.values() if kind.__module__ == getattr(subject, "__name__", "")) - _APART


# Rights are named after the modules of facts, in the floor's words; `play` covers everything that happens at an open
# table.
_SUBJECTS: dict[str, Kinds] = {
    "observations" if subject is watching else subject.__name__.rpartition(".")[2].replace("_", "-"): _of(subject)
    for subject in SUBJECTS
    if subject not in (property_day, seals, sources, table_day)
}
RIGHTS: dict[str, Kinds] = {
    "openings": _OPENINGS,
    "corrections": _CORRECTIONS,
    "property": _of(property_day),
    "table": _of(table_day),
    **_SUBJECTS,
}
RIGHTS["play"] = frozenset().union(RIGHTS["table"], *_SUBJECTS.values())


def bare(name: str) -> str:
    """Return a type's name without its version."""
    return name.rpartition(".")[0]


_SINGLE = {bare(name): kind for name, kind in TYPES.items() if kind not in REGISTRARS | GATEWAYS}


def kinds(words: Iterable[str]) -> Kinds:
    """Return the types of fact these rights cover; an unknown word adds none."""
    found: set[type[Fact]] = set()
    for word in words:
        found |= RIGHTS.get(word, frozenset())
        if word in _SINGLE:
            found.add(_SINGLE[word])
    return frozenset(found)


def unknown(words: Iterable[str]) -> list[str]:
    """Return the words that are neither a right nor a type a source may be given."""
    return [word for word in words if word not in RIGHTS and word not in _SINGLE]
