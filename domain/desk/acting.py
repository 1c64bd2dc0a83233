"""What every act at the desk shares: who acts and when, what stands behind a record, and how one is refused.

Facts of the floor are never refused; acts of the people in the room may be. A refusal has a code and one sentence that
says why and what to do. An act done twice by one key, a double click or a command sent again, is done once.
"""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Concatenate, Literal, ParamSpec, Protocol, TypeVar

import msgspec

from domain.facts.envelope import Fact, Microseconds, Name

SOURCE = "desk"
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]  # what somebody writes: a page at most

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
    """An act that cannot be done as things stand."""

    def __init__(self, code: Refusal, says: str) -> None:
        super().__init__(says)
        self.code = code


class Act(msgspec.Struct, frozen=True):
    """Somebody does something, at a time, by a key of their own."""

    who: Name
    at: Microseconds
    key: Name


class Done(Fact, frozen=True):
    """What every record of the desk says besides its own news: who did it."""

    by: Name


class Noted(msgspec.Struct, frozen=True):
    """A remark: who made it, when, and its words."""

    by: str
    at: int
    text: str


class Acted(Protocol):
    """What is acted on: it knows the keys of the acts done."""

    @property
    def keys(self) -> set[str]:
        """The keys of the acts done."""


State = TypeVar("State", bound=Acted)
Rest = ParamSpec("Rest")


def once(
    decide: Callable[Concatenate[State, Act, Rest], list[Fact]],
) -> Callable[Concatenate[State, Act, Rest], list[Fact]]:
    """An act whose key was seen before gives nothing more to record."""

    @wraps(decide)
    def decided(state: State, act: Act, /, *rest: Rest.args, **named: Rest.kwargs) -> list[Fact]:
        return [] if act.key in state.keys else decide(state, act, *rest, **named)

    return decided


def by(act: Act) -> dict[str, Any]:
    """The envelope of what an act records, but for its place."""
    return {"by": act.who, "at": act.at, "source": SOURCE, "source_key": act.key}


def words(text: str, what: str) -> str:
    """These words without the spaces around them; none are refused."""
    found = text.strip()
    if not found:
        raise RefusedError("words-missing", f"Say {what} in a few words.")
    return found
