"""The common parts of every act at the desk: the person, the time, the record, and refusals.

Facts from the floor are never refused, but acts of people may be. A refusal has a code and one sentence that says why
and what to do. An act repeated under one key, by a double click or a resent command, happens once.
"""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Concatenate, Literal, ParamSpec, Protocol, TypeVar

import msgspec

from domain.facts.envelope import Fact, Microseconds, Name

SOURCE = "desk"
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]  # text that a person writes, at most a page

Refusal = Literal[
    "claimed-by-another",
    "not-claimed",
    "not-yours",
    "already-so",
    "closed",
    "open",
    "same-person",
    "nothing-proposed",
    "second-review-due",
    "words-missing",
    "too-long",
    "not-there",
    "already-there",
    "sealed",
    "too-late",
]


class RefusedError(Exception):
    """An act that is not possible in the current state."""

    def __init__(self, code: Refusal, says: str) -> None:
        super().__init__(says)
        self.code = code


class DeskAct(msgspec.Struct, frozen=True):
    """One act by a person, with its time and a key of its own."""

    who: Name
    at: Microseconds
    key: Name


class ActRecord(Fact, frozen=True):
    """A record of the desk, with the person who made it."""

    by: Name


class NoteAdded(msgspec.Struct, frozen=True):
    """A note: its author, time and words."""

    by: str
    at: int
    text: str


class Acted(Protocol):
    """The state that an act applies to; it remembers the keys of past acts."""

    @property
    def keys(self) -> set[str]:
        """The keys of past acts."""


State = TypeVar("State", bound=Acted)
Rest = ParamSpec("Rest")


def once(
    decide: Callable[Concatenate[State, DeskAct, Rest], list[Fact]],
) -> Callable[Concatenate[State, DeskAct, Rest], list[Fact]]:
    """Wrap an act so that a repeated key records nothing more."""

    @wraps(decide)
    def decided(state: State, act: DeskAct, /, *rest: Rest.args, **named: Rest.kwargs) -> list[Fact]:
        return [] if act.key in state.keys else decide(state, act, *rest, **named)

    return decided


def by(act: DeskAct) -> dict[str, Any]:
    """Return the envelope of an act's records, without their place."""
    return {"by": act.who, "at": act.at, "source": SOURCE, "source_key": act.key}


def words(text: str, what: str) -> str:
    """Return these words without surrounding spaces, or refuse empty ones."""
    found = text.strip()
    if not found:
        raise RefusedError("words-missing", f"Say {what} in a few words.")
    return found
