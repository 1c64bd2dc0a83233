"""Table money outside the rounds, and what the rounds moved: opener, fills, credits, drop, closer."""

from collections.abc import Callable
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.table_money import BoughtIn, CreditSent, DropCounted, FillReceived, InventoryCounted
from domain.money import total

_COUNTS = frozenset({"fill-received", "credit-sent", "drop-counted"})


class BankMoney(msgspec.Struct, gc=False):
    """The table's money so far, in cents."""

    opener: int | None = None
    fills: int = 0
    credits: int = 0
    drop: int | None = None
    bought_in: int = 0
    counted: int | None = None
    closer: int | None = None
    collected: int = 0
    paid: int = 0
    unseen: bool = False  # an amount that moved in a round was not seen
    unrecorded: frozenset[str] = frozenset()  # types of fact without which the counts say nothing
    rounds: dict[int, int | None] = {}  # what each round put into the tray; None if that is not on record
    slips: list[Fact] = []  # fills, credits and counts of the drop
    rounds_closed: int | None = None  # the number of rounds that the closing names

    @property
    def win(self) -> int | None:
        """The house's win: what left the table's inventory by slips, plus what went into the box."""
        if self.opener is None or self.closer is None or self.drop is None:
            return None
        return self.closer + self.credits + self.drop - self.opener - self.fills

    @property
    def from_rounds(self) -> int | None:
        """The chips that the rounds put into the tray, less those they took out; None if a round is undecided."""
        return total(self.rounds.values())

    @property
    def undecided(self) -> str:
        """The reason why the counts of a closed day cannot be compared with its rounds; empty if they can."""
        for why, here in (
            ("the counts are not recorded", bool(self.unrecorded)),
            ("the opener is not on record", self.opener is None),
            ("the closer is not on record", self.closer is None),
            ("the drop was not counted", self.drop is None),
            ("some rounds are not on record", self.rounds_closed not in (None, len(self.rounds))),
            ("a round was left open, or an amount in it was not seen", self.from_rounds is None),
        ):
            if here:
                return why
        return ""

    @property
    def off(self) -> int | None:
        """The win by the counts, less the win by the rounds; None if it cannot be decided."""
        win, explained = self.win, self.from_rounds
        return None if self.undecided or win is None or explained is None else win - explained


def _opened(state: BankMoney, fact: TableOpened) -> None:
    state.opener = fact.opener_cents
    state.unrecorded = _COUNTS.intersection(fact.unrecorded)


def _fill(state: BankMoney, fact: FillReceived) -> None:
    state.fills += fact.cents
    state.slips.append(fact)


def _credit(state: BankMoney, fact: CreditSent) -> None:
    state.credits += fact.cents
    state.slips.append(fact)


def _drop(state: BankMoney, fact: DropCounted) -> None:
    state.drop = (state.drop or 0) + fact.cents
    state.slips.append(fact)


def _bought(state: BankMoney, fact: BoughtIn) -> None:
    state.bought_in += fact.cents or 0


def _counted(state: BankMoney, fact: InventoryCounted) -> None:
    state.counted = fact.cents


def _closed(state: BankMoney, fact: TableClosed) -> None:
    state.closer = fact.closer_cents
    state.rounds_closed = fact.rounds
    if fact.drop_cents is not None:
        state.drop = (state.drop or 0) + fact.drop_cents


def _collected(state: BankMoney, fact: WagerCollected) -> None:
    state.collected += fact.cents or 0
    state.unseen = state.unseen or fact.cents is None


def _paid(state: BankMoney, fact: WagerPaid) -> None:
    state.paid += fact.cents or 0
    state.unseen = state.unseen or fact.cents is None


def at_the_close(state: BankMoney, fact: TableClosed) -> BankMoney:
    """Return the money as the closing leaves it, before the fold takes that fact."""
    closed = msgspec.structs.replace(state)
    _closed(closed, fact)
    return closed


STEPS: dict[type[Fact], Callable[[BankMoney, Any], None]] = {
    TableOpened: _opened,
    FillReceived: _fill,
    CreditSent: _credit,
    DropCounted: _drop,
    BoughtIn: _bought,
    InventoryCounted: _counted,
    TableClosed: _closed,
    WagerCollected: _collected,
    WagerPaid: _paid,
}
