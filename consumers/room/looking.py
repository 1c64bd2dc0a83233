"""The common part of all questions to the room: the right, the entry in the access log, the generation."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Lock
from time import time_ns
from typing import Any, Generic, TypeVar

import msgspec

from consumers.desk.application import Desk
from consumers.room.readings import Look, Readings
from consumers.room.reviews import ReviewsHeld
from domain.desk import access
from domain.desk.access import AccessRefused, Looked, SignedIn, SignedOut
from domain.desk.acting import DeskAct, by
from domain.desk.roles import ForbiddenError, Person, Right, require

Value = TypeVar("Value")
_KEY_LETTERS = 128  # the longest name in a record
_VISITS_KEPT = 1_000  # visits whose looks are remembered; an older visit's looks are recorded again
_ANSWERS_KEPT = 64  # answers shared by many people
_LOOKS_KEPT = 5_000  # of one visit; then its memory starts over


class SignInOverError(Exception):
    """A request from a session that is over."""

    def __init__(self, person: Person) -> None:
        super().__init__(f"The sign-in of {person.name} is over. Sign in again.")


class ShownAnswer(msgspec.Struct, Generic[Value], frozen=True):
    """An answer, and the time its data was published."""

    value: Value
    made_at: datetime


class RoomVisit(msgspec.Struct, frozen=True):
    """A person's visit: the person, a key under which each look is recorded once, and the end of the session."""

    person: Person
    key: str
    until: int | None = None  # microseconds since 1970; a page that is still being drawn may ask later


def now() -> int:
    """Microseconds since 1970."""
    return time_ns() // 1_000


class Looking:
    """The check of a right, the answer from the newest generation, and the record of the look or refusal."""

    def __init__(self, readings: Readings, desk: Desk, clock: Callable[[], int] = now) -> None:
        self._readings = readings
        self._desk = desk
        self._clock = clock
        self._reviews = ReviewsHeld(desk)
        self._seen: OrderedDict[str, set[str]] = OrderedDict()
        self._remembering = Lock()
        self._answers: dict[str, tuple[tuple[int, datetime, int], Any]] = {}
        self._answering = Lock()

    def came_in(self, visit: RoomVisit) -> None:
        """Record that a person signed in, once per visit."""
        seen = self._seen_by(visit)
        key = f"{visit.key} came in"
        if key not in seen:
            act = DeskAct(visit.person.name, self._clock(), key[:_KEY_LETTERS])
            self._desk.looked([SignedIn(**by(act), roles=visit.person.roles)])
            seen.add(key)

    def left(self, visit: RoomVisit, *, expired: bool = False) -> None:
        """Record that a person signed out, or that their session expired."""
        act = DeskAct(visit.person.name, self._clock(), f"{visit.key} left"[:_KEY_LETTERS])
        self._desk.looked([SignedOut(**by(act), expired=expired)])
        self._seen.pop(visit.key, None)

    def require(self, visit: RoomVisit, right: Right, what: Looked, of: str) -> None:
        """Check only the right; without it, raise an error and record the refusal."""
        with self._allowed(visit, right, what, of):
            pass

    @contextmanager
    def _look(self, visit: RoomVisit, right: Right, what: Looked, of: str) -> Iterator[Look]:
        self.require(visit, right, what, of)
        with self._readings.look() as look:
            self._looked(visit, what, of)  # before the answer: a request for something missing is a look too
            yield look

    def _shared(self, look: Look, asked: str, answer: Callable[[], Value], changes: int = 0) -> Value:
        """An answer that is the same for everyone, computed once per generation: a hundred readers cost as much as one.

        If it also depends on the desk, `changes` is the number of changes there so far.
        """
        of = (look.generation, look.made_at, changes)
        with self._answering:
            held = self._answers.get(asked)
            if held is None or held[0] != of:
                self._answers.pop(asked, None)
                held = self._answers[asked] = (of, answer())
                while len(self._answers) > _ANSWERS_KEPT:
                    self._answers.pop(next(iter(self._answers)))
        found: Value = held[1]
        return found

    @contextmanager
    def _allowed(self, visit: RoomVisit, right: Right, what: Looked, of: str) -> Iterator[None]:
        """Check the right and the session; raise an error and record the refusal otherwise."""
        if visit.until is not None and self._clock() >= visit.until:
            self._refused(visit, what, of)
            raise SignInOverError(visit.person)
        try:
            require(visit.person, right)
            yield
        except ForbiddenError:
            self._refused(visit, what, of)
            raise

    def _refused(self, visit: RoomVisit, what: Looked, of: str) -> None:
        """Record a request for something the person may not see."""
        act = DeskAct(visit.person.name, self._clock(), f"{visit.key} refused {what} {of}"[:_KEY_LETTERS])
        self._desk.looked([AccessRefused(**by(act), what=what, of=of, role=_roles(visit.person))])

    def _looked(self, visit: RoomVisit, what: Looked, of: str) -> None:
        """Record a look, once per visit; so pages that refresh themselves record one."""
        seen = self._seen_by(visit)
        key = f"{visit.key} {what} {of}"
        if key in seen:
            return
        act = DeskAct(visit.person.name, self._clock(), key[:_KEY_LETTERS])
        self._desk.looked([access.looked(act, what, of, role=_roles(visit.person))])
        seen.add(key)

    def _seen_by(self, visit: RoomVisit) -> set[str]:
        """The recorded looks of this visit, as far as they are remembered; the most recent visits are kept."""
        with self._remembering:
            seen = self._seen.setdefault(visit.key, set())
            self._seen.move_to_end(visit.key)
            while len(self._seen) > _VISITS_KEPT:
                self._seen.popitem(last=False)
            if len(seen) >= _LOOKS_KEPT:
                seen.clear()
            return seen

    def _taken(self, visit: RoomVisit, of: str, shown: int, why: str = "") -> None:
        """Record a download, every time."""
        at = self._clock()
        act = DeskAct(visit.person.name, at, f"{visit.key} {at} export {of}"[:_KEY_LETTERS])
        role = _roles(visit.person)
        self._desk.looked([access.looked(act, "export", of, role=role, why=why, shown=shown)])


def _roles(person: Person) -> str:
    return ", ".join(person.roles)
