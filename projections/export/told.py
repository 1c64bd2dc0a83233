"""Amounts per wager, table money and counts of one stream, from its facts alone, without any rule book.

A verifier without rule books derives these again, so docs/export-format.md describes each step here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from domain.facts.deal import CardDealt, RoundOpened, StackDelivered, StackDispensed
from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid, WagerReturned
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.table_money import BoughtIn, CreditSent, DropCounted, FillReceived
from domain.facts.wagers import BetsClosed, WagerChanged, WagerPlaced, WagerWithdrawn
from projections.export.columns import Cells

_ENDS_BETTING: tuple[type[Fact], ...] = (BetsClosed, CardDealt, StackDispensed, StackDelivered)
_PLACES: tuple[type[Fact], ...] = (WagerPlaced, WagerChanged)
_MOVES: Mapping[type[Fact], str] = {WagerCollected: "collected", WagerPaid: "paid", WagerReturned: "returned"}
ACTS: frozenset[type[Fact]] = frozenset({*_ENDS_BETTING, *_PLACES, *_MOVES, WagerWithdrawn})
BANK: tuple[type[Fact], ...] = (TableOpened, TableClosed, FillReceived, CreditSent, DropCounted)


class Rounds:
    """The round of each fact."""

    def __init__(self) -> None:
        self.newest = 0

    def of(self, fact: Fact) -> int:
        """Return the round the next fact names, or the newest; 0 means none."""
        if fact.round is None:
            self.newest += isinstance(fact, RoundOpened)
            return self.newest
        self.newest = max(self.newest, fact.round)
        return fact.round


class PaidWager(msgspec.Struct, gc=False):
    """The recorded amounts of one wager."""

    staked: int | None
    collected: int | None = 0
    paid: int | None = 0
    returned: int | None = 0

    def move(self, what: str, cents: int | None) -> None:
        """Add an amount collected, paid or returned; an amount that was not seen makes the sum unknown."""
        held = getattr(self, what)
        setattr(self, what, None if held is None or cents is None else held + cents)


class PaidWagers:
    """The wagers of a stream, round by round."""

    def __init__(self) -> None:
        self._rounds = Rounds()
        self._over: set[int] = set()
        self._wagers: dict[int, dict[tuple[int, str], PaidWager]] = {}

    def take(self, fact: Fact) -> int:
        """Take the next corrected fact and return its round."""
        number = self._rounds.of(fact)
        if number and type(fact) in ACTS:
            self._act(number, fact)
        return number

    def _act(self, number: int, fact: Any) -> None:
        kind = type(fact)
        if kind in _ENDS_BETTING:
            self._over.add(number)
            return
        wagers = self._wagers.setdefault(number, {})
        place = (fact.seat, fact.wager)
        held = wagers.get(place)
        if kind is WagerWithdrawn:
            if number not in self._over:
                wagers.pop(place, None)
            elif held is None:
                wagers[place] = PaidWager(None)
        elif kind in _PLACES:
            if held is None:
                wagers[place] = PaidWager(fact.cents)
            elif number not in self._over:
                held.staked = fact.cents
        else:
            if held is None:
                held = wagers[place] = PaidWager(None)
            held.move(_MOVES[kind], fact.cents)

    def rows(self, stream: str, rounds: Iterable[int] | None = None) -> list[Cells]:
        """Return the rows of these rounds, or of all."""
        wanted = self._wagers if rounds is None else {number: self._wagers.get(number, {}) for number in rounds}
        return [
            (stream, number, seat, wager, *_cells(held.staked, held.collected, held.paid, held.returned))
            for number, wagers in sorted(wanted.items())
            for (seat, wager), held in sorted(wagers.items())
        ]


def _cells(*amounts: int | None) -> Cells:
    return tuple("" if cents is None else cents for cents in amounts)


class ListedTableDay(msgspec.Struct, frozen=True):
    """A table's gaming day in the regulator's lists: its game, and its bank."""

    stream: str
    game: str = ""
    opened_at: int | None = None
    opener_cents: int | None = None
    closer_cents: int | None = None
    drop_cents: int | None = None
    win_cents: int | None = None
    shown: bool = True  # all of its records are in the export

    @property
    def table(self) -> str:
        """The table."""
        return self.stream.partition("/")[0]

    @property
    def gaming_day(self) -> str:
        """The gaming day."""
        return self.stream.partition("/")[2]


class TableMoney(msgspec.Struct):
    """A table's bank over its day, as corrected."""

    game: str = ""
    opened_at: int | None = None
    opener: int | None = None
    fills: int = 0
    credits: int = 0
    drop: int | None = None
    closer: int | None = None
    bought_in: int = 0

    def take(self, fact: Fact) -> None:
        """Take the next fact."""
        match fact:
            case TableOpened():
                self.opener, self.opened_at, self.game = fact.opener_cents, fact.at, fact.book
            case TableClosed():
                self.closer = fact.closer_cents
                if fact.drop_cents is not None:
                    self.drop = (self.drop or 0) + fact.drop_cents
            case FillReceived():
                self.fills += fact.cents
            case CreditSent():
                self.credits += fact.cents
            case DropCounted():
                self.drop = (self.drop or 0) + fact.cents
            case BoughtIn():
                self.bought_in += fact.cents or 0

    @property
    def win(self) -> int | None:
        """The win, once all its parts are known."""
        if self.opener is None or self.closer is None or self.drop is None:
            return None
        return self.closer + self.credits + self.drop - self.opener - self.fills

    def row(self, stream: str) -> Cells:
        """Return the row of a stream."""
        table, _, day = stream.partition("/")
        bank = (self.opener, self.fills, self.credits, self.drop, self.closer, self.bought_in, self.win)
        return stream, table, day, *_cells(*bank)

    def day(self, stream: str, *, shown: bool) -> ListedTableDay:
        """Return the day for the regulator's lists."""
        return ListedTableDay(stream, self.game, self.opened_at, self.opener, self.closer, self.drop, self.win, shown)


def counts(kind: str, stream: str, types: Iterable[str]) -> list[Cells]:
    """Return the number of records of each type."""
    return [(kind, stream, name, count) for name, count in sorted(Counter(types).items())]
