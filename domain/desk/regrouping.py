"""Decisions of people about the incidents of one gaming day: findings set apart, and findings joined.

The machine groups findings by their cause; a person who knows better has the last word. Both sides of a decision are
named by their findings, so that no later finding and no later grouping undoes it.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from domain.desk.acting import DeskAct, RefusedError, by, once, words
from domain.desk.regrouping_records import FindingsJoined, FindingsSetApart
from domain.facts.envelope import Fact
from domain.incidents import Decision, Joined, KeptApart

PREFIX = "regrouping/"


class Regrouping(msgspec.Struct):
    """The decisions of one gaming day, in their order."""

    day: str
    decisions: tuple[Decision, ...] = ()
    keys: set[str] = set()
    version: int = 0

    @property
    def id(self) -> str:
        """The name of its stream in the event-sourcing library."""
        return stream_of(self.day)


def stream_of(day: str) -> str:
    """Return the stream of a gaming day's decisions."""
    return f"{PREFIX}{day}"


def initial(day: str) -> Regrouping:
    """Return a day without decisions."""
    return Regrouping(day)


def _set_apart(state: Regrouping, fact: FindingsSetApart) -> None:
    state.decisions = (*state.decisions, KeptApart(fact.taken, fact.left))


def _joined(state: Regrouping, fact: FindingsJoined) -> None:
    state.decisions = (*state.decisions, Joined(fact.findings))


_EVOLVE: dict[type[Fact], Callable[[Regrouping, Any], None]] = {
    FindingsSetApart: _set_apart,
    FindingsJoined: _joined,
}


def evolve(state: Regrouping, fact: Fact) -> Regrouping:
    """Return the day's decisions after this record."""
    _EVOLVE[type(fact)](state, fact)
    state.version = fact.sequence
    state.keys.add(fact.source_key)
    return state


def fold(day: str, facts: Iterable[Fact]) -> Regrouping:
    """Return the day's decisions after these records."""
    state = initial(day)
    for fact in facts:
        state = evolve(state, fact)
    return state


@once
def set_apart(state: Regrouping, act: DeskAct, taken: Sequence[str], incident: Sequence[str], why: str) -> list[Fact]:
    """Take findings out of an incident, given by all of its findings."""
    left = tuple(name for name in incident if name not in set(taken))
    if not taken or not set(taken) <= set(incident):
        raise RefusedError("not-there", "Choose findings of this incident to take out.")
    if not left:
        raise RefusedError("already-so", "These are all findings of the incident. Leave at least one in it.")
    reason = words(why, "why these findings have another cause")
    return [FindingsSetApart(**by(act), taken=tuple(taken), left=left, why=reason)]


@once
def join(state: Regrouping, act: DeskAct, incidents: Sequence[Sequence[str]], why: str) -> list[Fact]:
    """Join incidents, each given by all of its findings."""
    together = tuple(dict.fromkeys(name for incident in incidents for name in incident))
    if len({frozenset(incident) for incident in incidents}) < 2:
        raise RefusedError("already-so", "Choose two incidents or more to join.")
    return [FindingsJoined(**by(act), findings=together, why=words(why, "why these have one cause"))]
