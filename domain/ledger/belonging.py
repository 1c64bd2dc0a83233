"""The stream each type of fact belongs in: a table's, the property's, or either.

A table's source may not report for the property. A closing of the property's day in a table's stream would close the
day in the signed head.
"""

from domain.facts import property_day, seals, sources, watching
from domain.facts.catalogue import TYPES
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner

Kinds = frozenset[type[Fact]]


def _of(*subjects: object) -> Kinds:
    names = {getattr(subject, "__name__", "") for subject in subjects}
    return frozenset(kind for kind in TYPES.values() if kind.__module__ in names)


OF_THE_PROPERTY: Kinds = _of(property_day, sources)
OF_EITHER: Kinds = _of(watching, seals)  # what people watching report about any fact, and the writer's own seals
OF_A_TABLE: Kinds = frozenset(TYPES.values()) - OF_THE_PROPERTY - OF_EITHER


def belongs(kind: type[Fact], stream: str) -> bool:
    """Return whether this type of fact may be in this stream, given its full name or its owner."""
    return kind not in (OF_A_TABLE if owner(stream) == PROPERTY else OF_THE_PROPERTY)
