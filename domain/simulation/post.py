"""The recorder of one table: it turns an event into a fact with its time, its source and the source's own key."""

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
from domain.simulation.pace import TablePace
from domain.simulation.sensors import Sight

Kind = TypeVar("Kind", bound=Fact)

_OF_THE_TABLE = (table_day, players, decks, shuffles, devices, table_money, property_day)
_COVER_CARDS = (decks.CoverCardPlaced, decks.CoverCardRemoved)
_ROUNDLESS = frozenset(module.__name__ for module in _OF_THE_TABLE)

# The source of each kind; all others are entered at the pit.
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
    """Return whether facts of this kind carry the number of their round."""
    return kind in _COVER_CARDS or kind.__module__ not in _ROUNDLESS


def post_of(kind: type[Fact]) -> str:
    """Return the device or post that reports facts of this kind."""
    return _SAID_BY.get(kind, "cards" if kind.__module__ == deal.__name__ else "pit")


class _Manner(msgspec.Struct, gc=False):
    """The details of one kind of fact here, computed once, because this is the floor's hot path."""

    usual: int  # microseconds before it
    source: str
    key: str  # the source, without the number
    said: list[int]  # how much the source has reported, one shared list per source
    of_a_round: bool
    seen: bool  # always recorded unchanged


class TableScript:
    """One table's day in progress: `facts` holds the recorded facts, in order."""

    def __init__(
        self,
        table: str,
        gaming_day: str,
        at: int,
        *,
        pace: TablePace | None = None,
        sight: Sight | None = None,
        chance: Random | None = None,
    ) -> None:
        self.table = table
        self.gaming_day = gaming_day
        self.at = at
        self.round: int | None = None
        self.facts: list[Fact] = []
        self.heard: dict[type[Fact], Callable[[Fact], None]] = {}  # listeners for facts of a kind, recorded or not
        self._sight = sight or Sight()
        self._chance = chance
        self._said: dict[str, list[int]] = {}
        self.keep_pace(pace or TablePace())

    def keep_pace(self, pace: TablePace) -> None:
        """Use this pace from now on: another dealer, another pace."""
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
        """Record an event `after` this many microseconds, or after the usual time for its kind."""
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
        """Return the next key of this source, for a fact inserted later."""
        said = self._said.setdefault(source, [0])
        said[0] += 1
        own = (
            source if source.startswith(f"{self.table}-") else f"{source}:{self.table}"
        )  # others report for other tables
        return f"{own}:{self.gaming_day}:{said[0]}"

    def wait(self, microseconds: int) -> None:
        """Let time pass without an event."""
        self.at += microseconds

    def taken(self) -> list[Fact]:
        """Return what was recorded since the last call, and hand it over to the caller."""
        facts, self.facts = self.facts, []
        return facts
