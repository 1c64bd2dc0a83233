"""Edits of facts that are at hand: exactly this one is left out, told otherwise, moved, or followed by another."""

from collections.abc import Iterable
from typing import Any

from domain.facts.envelope import Fact
from domain.facts.payments import StubCounted, StubRemoved
from domain.simulation import edits
from domain.simulation.edits import Edit, Said
from domain.simulation.incidents.scene import Scene, this


def gone(*facts: Fact) -> Edit:
    """These facts were never told."""
    keys = {fact.source_key for fact in facts}
    return lambda held: [fact for fact in held if fact.source_key not in keys]


def told(fact: Fact, **fields: Any) -> Edit:
    """This fact says something else."""
    return edits.change(type(fact), source_key=fact.source_key, to=fields)


def later(fact: Fact, behind: Fact) -> Edit:
    """This fact comes after another."""
    return edits.move_after(this(fact), this(behind))


def earlier(fact: Fact, before: Fact) -> Edit:
    """This fact comes before another."""
    return edits.move_before(this(fact), this(before))


def all_later(facts: Iterable[Fact], behind: Fact) -> tuple[Edit, ...]:
    """These facts come after another, in their order."""
    return tuple(later(fact, behind) for fact in reversed(list(facts)))


def all_earlier(facts: Iterable[Fact], before: Fact) -> tuple[Edit, ...]:
    """These facts come before another, in their order."""
    return tuple(earlier(fact, before) for fact in facts)


def stub_larger(scene: Scene, by: int) -> tuple[Edit, ...]:
    """So many more cards were left when the round had been dealt."""
    stubs = [fact for fact in scene.facts if isinstance(fact, StubCounted | StubRemoved) and fact.cards is not None]
    return tuple(told(fact, cards=(fact.cards or 0) + by) for fact in stubs)


def swapped(one: Fact, other: Fact) -> Edit:
    """Two facts change places."""
    return edits.swap(this(one), this(other))


def after(fact: Fact, *said: Said) -> Edit:
    """New facts follow this one."""
    return edits.insert_after(this(fact), *said)


def before(fact: Fact, *said: Said) -> Edit:
    """New facts come before this one."""
    return edits.insert_before(this(fact), *said)
