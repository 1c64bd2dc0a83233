"""Table money outside the rounds, and what the rounds moved: opener, fills, credits, drop, closer."""

from collections.abc import Callable
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.table_money import BoughtIn, CreditSent, DropCounted, FillReceived, InventoryCounted


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

    @property
    def win(self) -> int | None:
        """The house's win: what left the table's inventory by slips, plus what went into the box."""
        if self.opener is None or self.closer is None or self.drop is None:
            return None
        return self.closer + self.credits + self.drop - self.opener - self.fills


def _opened(state: BankMoney, fact: TableOpened) -> None:
    state.opener = fact.opener_cents


def _fill(state: BankMoney, fact: FillReceived) -> None:
    state.fills += fact.cents


def _credit(state: BankMoney, fact: CreditSent) -> None:
    state.credits += fact.cents


def _drop(state: BankMoney, fact: DropCounted) -> None:
    state.drop = (state.drop or 0) + fact.cents


def _bought(state: BankMoney, fact: BoughtIn) -> None:
    state.bought_in += fact.cents or 0


def _counted(state: BankMoney, fact: InventoryCounted) -> None:
    state.counted = fact.cents


def _closed(state: BankMoney, fact: TableClosed) -> None:
    state.closer = fact.closer_cents


def _collected(state: BankMoney, fact: WagerCollected) -> None:
    state.collected += fact.cents or 0
    state.unseen = state.unseen or fact.cents is None


def _paid(state: BankMoney, fact: WagerPaid) -> None:
    state.paid += fact.cents or 0
    state.unseen = state.unseen or fact.cents is None


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
