"""What every question to the room shares: the right it takes, the trace it leaves, the generation that answers."""

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
from domain.desk.acting import Act, by
from domain.desk.roles import ForbiddenError, Person, Right, require

Value = TypeVar("Value")
_KEY_LETTERS = 128  # as long as a name in a record may be
_VISITS_KEPT = 1_000  # whose looks are remembered; what an older visit looks at again is written down again
_ANSWERS_KEPT = 64  # of those that many are given alike
_LOOKS_KEPT = 5_000  # of one visit; after so many it begins anew


class SignInOverError(Exception):
    """Something was asked for by a sign-in that was over."""

    def __init__(self, person: Person) -> None:
        super().__init__(f"The sign-in of {person.name} is over. Sign in again.")


class Shown(msgspec.Struct, Generic[Value], frozen=True):
    """An answer, and when what it rests on was published."""

    value: Value
    made_at: datetime


class Visit(msgspec.Struct, frozen=True):
    """Somebody at work: who, a key of this visit, by which a look is written down once, and until when it holds."""

    person: Person
    key: str
    until: int | None = None  # microseconds since 1970; a page that is still drawn may ask later than that


def now() -> int:
    """Microseconds since 1970."""
    return time_ns() // 1_000


class Looking:
    """Asks for a right, answers from the newest generation, and writes the look or the refusal down."""

    def __init__(self, readings: Readings, desk: Desk, clock: Callable[[], int] = now) -> None:
        self._readings = readings
        self._desk = desk
        self._clock = clock
        self._reviews = ReviewsHeld(desk)
        self._seen: OrderedDict[str, set[str]] = OrderedDict()
        self._remembering = Lock()
        self._answers: dict[str, tuple[tuple[int, datetime, int], Any]] = {}
        self._answering = Lock()

    def came_in(self, visit: Visit) -> None:
        """Writes down that somebody came in, once a visit."""
        seen = self._seen_by(visit)
        key = f"{visit.key} came in"
        if key not in seen:
            act = Act(visit.person.name, self._clock(), key[:_KEY_LETTERS])
            self._desk.looked([SignedIn(**by(act), roles=visit.person.roles)])
            seen.add(key)

    def left(self, visit: Visit, *, expired: bool = False) -> None:
        """Writes down that somebody left, or that their time was over."""
        act = Act(visit.person.name, self._clock(), f"{visit.key} left"[:_KEY_LETTERS])
        self._desk.looked([SignedOut(**by(act), expired=expired)])
        self._seen.pop(visit.key, None)

    def require(self, visit: Visit, right: Right, what: Looked, of: str) -> None:
        """Nothing but the right: whoever asks without it is told so, and it is written down."""
        with self._allowed(visit, right, what, of):
            pass

    @contextmanager
    def _look(self, visit: Visit, right: Right, what: Looked, of: str) -> Iterator[Look]:
        self.require(visit, right, what, of)
        with self._readings.look() as look:
            self._looked(visit, what, of)  # before anything is told: who asks for what is not there has looked for it
            yield look

    def _shared(self, look: Look, asked: str, answer: Callable[[], Value], changes: int = 0) -> Value:
        """What everybody is told alike, asked once of what was published: a hundred who look cost what one does.

        Where it hangs on the desk as well, `changes` says how much was done there so far.
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
    def _allowed(self, visit: Visit, right: Right, what: Looked, of: str) -> Iterator[None]:
        """Whoever asks for what they may not see, or after their time, is told so, and it is written down."""
        if visit.until is not None and self._clock() >= visit.until:
            self._refused(visit, what, of)
            raise SignInOverError(visit.person)
        try:
            require(visit.person, right)
            yield
        except ForbiddenError:
            self._refused(visit, what, of)
            raise

    def _refused(self, visit: Visit, what: Looked, of: str) -> None:
        """Writes down that somebody asked for what they may not see."""
        act = Act(visit.person.name, self._clock(), f"{visit.key} refused {what} {of}"[:_KEY_LETTERS])
        self._desk.looked([AccessRefused(**by(act), what=what, of=of, role=_roles(visit.person))])

    def _looked(self, visit: Visit, what: Looked, of: str) -> None:
        """Writes down a look, once a visit; pages that refresh themselves look once."""
        seen = self._seen_by(visit)
        key = f"{visit.key} {what} {of}"
        if key in seen:
            return
        act = Act(visit.person.name, self._clock(), key[:_KEY_LETTERS])
        self._desk.looked([access.looked(act, what, of, role=_roles(visit.person))])
        seen.add(key)

    def _seen_by(self, visit: Visit) -> set[str]:
        """The looks of this visit that are written down, as far as they are remembered: the visits at work last."""
        with self._remembering:
            seen = self._seen.setdefault(visit.key, set())
            self._seen.move_to_end(visit.key)
            while len(self._seen) > _VISITS_KEPT:
                self._seen.popitem(last=False)
            if len(seen) >= _LOOKS_KEPT:
                seen.clear()
            return seen

    def _taken(self, visit: Visit, of: str, shown: int, why: str = "") -> None:
        """Writes down that something was taken away: each time."""
        at = self._clock()
        act = Act(visit.person.name, at, f"{visit.key} {at} export {of}"[:_KEY_LETTERS])
        role = _roles(visit.person)
        self._desk.looked([access.looked(act, "export", of, role=role, why=why, shown=shown)])


def _roles(person: Person) -> str:
    return ", ".join(person.roles)
