"""Facts of a stream that speak for themselves: rows of `paid`, as docs/export-format.md words them."""

import json

import pytest

from domain.facts.codec import encode
from domain.facts.deal import CardDealt, RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted, WagerCollected, WagerPaid, WagerReturned
from domain.facts.table_day import TableClosed
from domain.facts.table_money import BoughtIn, CreditSent, DropCounted, FillReceived
from domain.facts.wagers import BetsClosed, WagerChanged, WagerPlaced, WagerWithdrawn
from projections.export.told import PaidWagers, TableMoney
from projections.export.verifier.money import Money
from projections.export.verifier.stretches import Shown

_AT = {"at": 0, "source": "s", "source_key": "k"}
_KINDS = {
    "place": WagerPlaced, "change": WagerChanged, "withdraw": WagerWithdrawn, "collect": WagerCollected,
    "pay": WagerPaid, "return": WagerReturned,
}  # fmt: skip


def fact(text: str) -> Fact:
    """`place 2 ante 500 @3`: the act, seat, wager, cents (? is not seen), and the round where it is named."""
    words, _, named = text.partition("@")
    round_number = int(named) if named else None
    act, *rest = words.split()
    if act == "close":
        return BetsClosed(**_AT, round=round_number)
    if act == "deal":
        return CardDealt(to="seat", card="As", seat=1, **_AT, round=round_number)
    if act == "open":
        return RoundOpened("deck-1", **_AT, round=round_number)
    if act == "over":
        return RoundCompleted(**_AT, round=round_number)
    seat, wager, *cents = rest
    amount = {} if act == "withdraw" else {"cents": None if cents[0] == "?" else int(cents[0])}
    return _KINDS[act](int(seat), wager, **amount, **_AT, round=round_number)


# Facts, and the rows: round seat wager staked collected paid returned; - is not known.
TOLD = """
open; place 2 ante 500; close; pay 2 ante 500; return 2 ante 500            | 1 2 ante 500 0 500 500
open; place 2 ante 500; place 2 ante 700                                    | 1 2 ante 700 0 0 0
open; place 2 ante 500; close; change 2 ante 700                            | 1 2 ante 500 0 0 0
open; deal; place 2 ante 500                                                | 1 2 ante 500 0 0 0
open; place 2 ante ?; collect 2 ante 500                                    | 1 2 ante - 500 0 0
open; place 2 ante 500; withdraw 2 ante                                     |
open; place 2 ante 500; collect 2 ante 100; withdraw 2 ante; pay 2 ante 5   | 1 2 ante - 0 5 0
open; close; withdraw 2 ante                                                | 1 2 ante - 0 0 0
open; pay 2 ante 500                                                        | 1 2 ante - 0 500 0
open; place 2 ante 500; pay 2 ante ?; pay 2 ante 5                          | 1 2 ante 500 0 - 0
open; place 2 ante 5; open; place 2 ante 6                                  | 1 2 ante 5 0 0 0; 2 2 ante 6 0 0 0
place 2 ante 5                                                              |
place 2 ante 5 @4; place 1 blind 6; collect 2 ante 5 @3                     | 3 2 ante - 5 0 0; 4 1 blind 6 0 0 0; 4 2 ante 5 0 0 0
open @7; place 2 ante 5; over; pay 2 ante 5; open; place 2 ante 6           | 7 2 ante 5 0 5 0; 8 2 ante 6 0 0 0
open; close; open; place 1 ante 5; change 1 ante 6                          | 2 1 ante 6 0 0 0
"""


@pytest.mark.parametrize("row", TOLD.strip().splitlines(), ids=lambda row: row.partition("|")[0].strip())
def test_a_wager_is_told_by_its_facts(row: str) -> None:
    said, _, rows = row.partition("|")
    paid = PaidWagers()
    for each in said.split(";"):
        paid.take(fact(each.strip()))
    found = [" ".join("-" if cell == "" else str(cell) for cell in cells[1:]) for cells in paid.rows("T1/2026-11-18")]
    assert found == [each.strip() for each in rows.split(";") if each.strip()]


def test_table_money_is_known_when_all_of_it_is() -> None:
    money = TableMoney(opener=1_000)
    for each in (FillReceived("f", 300, **_AT), CreditSent("c", 200, **_AT), BoughtIn(cents=None, **_AT)):
        money.take(each)
    assert money.row("T1/2026-11-18")[3:] == (1_000, 300, 200, "", "", 0, "")
    for each in (DropCounted(40, **_AT), DropCounted(2, **_AT), TableClosed(closer_cents=1_500, **_AT)):
        money.take(each)
    assert money.row("T1/2026-11-18")[3:] == (1_000, 300, 200, 42, 1_500, 0, 442)


@pytest.mark.parametrize(
    ("counted", "late", "drop"), [(0, 600, 600), (200, 600, 800), (200, None, 200), (0, None, None)]
)
def test_the_verifier_adds_a_drop_that_the_closing_names(counted: int, late: int | None, drop: int | None) -> None:
    told, derived = TableMoney(), Money(Shown("facts", "T7/2026-11-18", True, 2, 2, []))
    facts: list[Fact] = [DropCounted(counted, **_AT)] if counted else []
    for each in (*facts, TableClosed(900, drop_cents=late, **_AT)):
        told.take(each)
        derived.take(json.loads(encode(each)))
    assert (told.drop, derived.drop) == (drop, drop)
