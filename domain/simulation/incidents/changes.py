"""Edits of given facts: leave one out, change it, move it, or add others next to it."""

from collections.abc import Iterable
from typing import Any

from domain.facts.envelope import Fact
from domain.facts.payments import StubCounted, StubRemoved
from domain.simulation import edits
from domain.simulation.edits import Edit, PlannedFact
from domain.simulation.incidents.scene import PlayedStretch, this


def gone(*facts: Fact) -> Edit:
    """Return the edit that removes these facts."""
    keys = {fact.source_key for fact in facts}
    return lambda held: [fact for fact in held if fact.source_key not in keys]


def told(fact: Fact, **fields: Any) -> Edit:
    """Return the edit that changes fields of this fact."""
    return edits.change(type(fact), source_key=fact.source_key, to=fields)


def later(fact: Fact, behind: Fact) -> Edit:
    """Return the edit that moves this fact behind another."""
    return edits.move_after(this(fact), this(behind))


def earlier(fact: Fact, before: Fact) -> Edit:
    """Return the edit that moves this fact before another."""
    return edits.move_before(this(fact), this(before))


def all_later(facts: Iterable[Fact], behind: Fact) -> tuple[Edit, ...]:
    """Return the edits that move these facts behind another, in their order."""
    return tuple(later(fact, behind) for fact in reversed(list(facts)))


def all_earlier(facts: Iterable[Fact], before: Fact) -> tuple[Edit, ...]:
    """Return the edits that move these facts before another, in their order."""
    return tuple(earlier(fact, before) for fact in facts)


def stub_larger(scene: PlayedStretch, by: int) -> tuple[Edit, ...]:
    """Return the edits that leave this many more cards in the stub after the deal."""
    stubs = [fact for fact in scene.facts if isinstance(fact, StubCounted | StubRemoved) and fact.cards is not None]
    return tuple(told(fact, cards=(fact.cards or 0) + by) for fact in stubs)


def swapped(one: Fact, other: Fact) -> Edit:
    """Return the edit that exchanges two facts."""
    return edits.swap(this(one), this(other))


def after(fact: Fact, *said: PlannedFact) -> Edit:
    """Return the edit that adds new facts after this one."""
    return edits.insert_after(this(fact), *said)


def before(fact: Fact, *said: PlannedFact) -> Edit:
    """Return the edit that adds new facts before this one."""
    return edits.insert_before(this(fact), *said)
