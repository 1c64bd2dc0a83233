"""The record-taker of one table: what is said becomes a fact with its time, its source and the source's own key."""

from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

import msgspec

from domain.facts import (
    deal,
    decks,
    devices,
    payments,
    players,
    property_day,
    shuffles,
    table_day,
    table_money,
    wagers,
)
from domain.facts.envelope import Fact
from domain.simulation.pace import Pace
from domain.simulation.sensors import Sight

Kind = TypeVar("Kind", bound=Fact)

_OF_THE_TABLE = (table_day, players, decks, shuffles, devices, table_money, property_day)
_COVER_CARDS = (decks.CoverCardPlaced, decks.CoverCardRemoved)
_ROUNDLESS = frozenset(module.__name__ for module in _OF_THE_TABLE)

# Who says what; whatever is left is entered at the pit.
_CHIPS = (wagers.WagerPlaced, wagers.WagerChanged, wagers.WagerWithdrawn)
_CHIPS_MOVED = (payments.WagerCollected, payments.WagerPaid, payments.WagerReturned)
_CARDS_MOVED = (payments.HandsCollected, payments.StubRemoved, payments.StubDiscarded)
_PROGRESSIVE = (wagers.ProgressiveAccepted, wagers.ProgressiveLockedOut, wagers.ProgressiveCollected)
_METERS = (wagers.MeterRead, wagers.MeterIncremented, wagers.MeterReset)
_MACHINES = (shuffles.ShuffleStarted, shuffles.ShuffleCompleted, shuffles.BatchSecured, shuffles.BatchReleased)
_SAID_BY: dict[type[Fact], str] = {
    **dict.fromkeys((*_CHIPS, *_CHIPS_MOVED), "chips"),
    **dict.fromkeys(_CARDS_MOVED, "cards"),
    **dict.fromkeys((*_PROGRESSIVE, *_METERS), "progressive"),
    **dict.fromkeys(_MACHINES, "shuffler"),
}


def of_a_round(kind: type[Fact]) -> bool:
    """Whether facts of this kind carry the number of the round they happen in."""
    return kind in _COVER_CARDS or kind.__module__ not in _ROUNDLESS


def post_of(kind: type[Fact]) -> str:
    """The device or post that says facts of this kind."""
    return _SAID_BY.get(kind, "cards" if kind.__module__ == deal.__name__ else "pit")


class _Manner(msgspec.Struct, gc=False):
    """How facts of one kind are said here, worked out once: saying is the floor's hot path."""

    usual: int  # microseconds before it
    source: str
    key: str  # of the source, the number left out
    said: list[int]  # how much the source has said, one list a source
    of_a_round: bool
    seen: bool  # recorded as it is, whatever it says


class Post:
    """One table's day as it is being written: `facts` holds what is recorded, in order."""

    def __init__(
        self,
        table: str,
        gaming_day: str,
        at: int,
        *,
        pace: Pace | None = None,
        sight: Sight | None = None,
        chance: Random | None = None,
    ) -> None:
        self.table = table
        self.gaming_day = gaming_day
        self.at = at
        self.round: int | None = None
        self.facts: list[Fact] = []
        self.heard: dict[type[Fact], Callable[[Fact], None]] = {}  # who is told of facts of a kind, recorded or not
        self._sight = sight or Sight()
        self._chance = chance
        self._said: dict[str, list[int]] = {}
        self.keep_pace(pace or Pace())

    def keep_pace(self, pace: Pace) -> None:
        """Things take as long as this from here on: another dealer, another pace."""
        self._pace = pace
        spread = pace.spread_percent
        self._draw = self._chance.random if self._chance is not None and spread else None
        self._least, self._wide = 100 - spread, 2 * spread + 1
        self._manners: dict[type[Fact], _Manner] = {}

    def say(
        self,
        kind: type[Kind],
        /,
        *values: Any,
        after: int | None = None,
        round: int | msgspec.UnsetType | None = msgspec.UNSET,  # noqa: A002 - the envelope's own word
        source: str = "",
        **fields: Any,
    ) -> Kind:
        """Something happened, `after` so many microseconds or after the usual time for its kind."""
        manner = self._manners.get(kind) or self._learned(kind)
        if after is None:
            after = (
                manner.usual
                if self._draw is None
                else manner.usual * (self._least + int(self._draw() * self._wide)) // 100
            )
        at = self.at = self.at + after
        if source and source != manner.source:
            key, said = f"{source}:{self.gaming_day}:", self._said.setdefault(source, [0])
        else:
            source, key, said = manner.source, manner.key, manner.said
        said[0] += 1
        fact = kind(
            *values,
            at=at,
            source=source,
            source_key=f"{key}{said[0]}",
            stream=self.table,
            round=(self.round if manner.of_a_round else None) if round is msgspec.UNSET else round,
            **fields,
        )
        if kind in self.heard:
            self.heard[kind](fact)
        if manner.seen:
            self.facts.append(fact)
        elif (seen := self._sight.of(fact)) is not None:
            self.facts.append(seen)
        return fact

    def _learned(self, kind: type[Fact]) -> _Manner:
        source = f"{self.table}-{post_of(kind)}"
        key, seen = f"{source}:{self.gaming_day}:", self._sight.plain(kind)
        said = self._said.setdefault(source, [0])
        manner = _Manner(self._pace.before(kind), source, key, said, of_a_round(kind), seen)
        self._manners[kind] = manner
        return manner

    def key(self, source: str) -> str:
        """The next key of this source, for a fact put in between later."""
        said = self._said.setdefault(source, [0])
        said[0] += 1
        own = (
            source if source.startswith(f"{self.table}-") else f"{source}:{self.table}"
        )  # others speak of other tables
        return f"{own}:{self.gaming_day}:{said[0]}"

    def wait(self, microseconds: int) -> None:
        """Nothing happens for a while."""
        self.at += microseconds

    def taken(self) -> list[Fact]:
        """What was recorded since this was last asked; from here on it is the asker's."""
        facts, self.facts = self.facts, []
        return facts
