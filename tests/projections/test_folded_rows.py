"""Rows of a day: amounts nobody saw are null, differences go both ways, decks are accounted for."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted, WagerPaid
from domain.facts.words import Book
from domain.ledger.chain import digest
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.simulation.edits import Edit, broken, change, drop
from domain.simulation.scripted import day
from domain.simulation.table import NOON
from projections.schema import SCHEMA
from tests.projections.folded import Folding
from tests.watching.pits import Pit

BOOKS: tuple[Book, ...] = ("COL", "FAH", "PIK")


def stored(facts: Sequence[Fact]) -> list[bytes]:
    """The facts of one table as a log holds them."""
    writer, found = Writer(epoch=1), []
    for fact in facts:
        whole = located(writer, fact)
        assert not isinstance(whole, InputRefusal), whole
        found.append(place(writer, whole).stored)
    return found


def folded(book: Book, *edits: Edit, rounds: int = 3) -> Folding:
    lawful = day(book, rounds=rounds, table="T1", gaming_day="2026-11-18", opens_at=NOON)
    return Folding(stored(broken(lawful, *edits))).take()


@pytest.mark.parametrize("book", BOOKS)
def test_each_row_has_the_columns_of_its_table_and_a_lawful_day_adds_up(book: Book) -> None:
    folding = folded(book)
    whole = folding.plain.whole()
    for name, rows in whole.rows.items():
        assert all(len(row) == len(SCHEMA[name].names) for row in rows), name
    rounds, wagers, hands = folding.rows("rounds"), folding.rows("wagers"), folding.rows("hands")
    assert [row["round"] for row in rounds] == [1, 2, 3]
    assert {row["difference_cents"] for row in wagers} == {0}
    assert {row["undecided"] for row in wagers} == {""}
    for row in rounds:
        mine = [each for each in wagers if each["round"] == row["round"]]
        assert row["staked_cents"] == sum(each["staked_cents"] for each in mine)
        assert row["back_cents"] == row["owed_cents"] == sum(each["back_cents"] for each in mine)
        assert (row["decided"], row["undecided"]) == (len(mine), 0)
        assert row["hands"] == sum(each["round"] == row["round"] and each["seat"] > 0 for each in hands)
    (table,), (money,) = folding.rows("tables"), folding.rows("money")
    assert (table["state"], table["rounds"], table["unread_from"]) == ("closed", 3, None)
    assert table["hands"] == sum(row["hands"] for row in rounds)
    assert money["rounds_win_cents"] == sum(row["staked_cents"] - row["back_cents"] for row in rounds)
    assert sum(row["wagers"] for row in folding.rows("coverage")) == len(wagers)


def first(folding: Folding, table: str, **where: Any) -> dict[str, Any]:
    """The first row that is so."""
    return next(row for row in folding.rows(table) if all(row[name] == value for name, value in where.items()))


def moved(folding: Folding) -> dict[str, Any]:
    """A wager something was paid on."""
    return next(row for row in folding.rows("wagers") if row["paid_cents"])


def test_what_was_paid_too_much_or_too_little_stands_in_wager_hand_and_round() -> None:
    lawful = moved(folded("PIK"))
    at = {name: lawful[name] for name in ("round", "seat", "wager")}
    for cents in (300, -300):
        folding = folded("PIK", change("wager-paid", **at, to={"cents": lawful["paid_cents"] + cents}))
        wager = first(folding, "wagers", **at)
        assert wager["difference_cents"] == cents
        assert wager["owed_cents"] == lawful["owed_cents"]
        assert first(folding, "hands", round=at["round"], seat=at["seat"])["difference_cents"] == cents


def test_an_amount_nobody_saw_is_null_and_makes_every_sum_it_is_part_of_null() -> None:
    lawful = moved(folded("PIK"))
    at = {name: lawful[name] for name in ("round", "seat", "wager")}
    folding = folded("PIK", change("wager-paid", **at, to={"cents": None}))
    wager = first(folding, "wagers", **at)
    assert (wager["paid_cents"], wager["back_cents"], wager["difference_cents"]) == (None, None, None)
    assert wager["owed_cents"] == lawful["owed_cents"]
    assert wager["undecided"]
    told = first(folding, "rounds", round=at["round"])
    assert (told["back_cents"], told["undecided"]) == (None, 1)
    assert told["owed_cents"] is not None
    assert first(folding, "money")["rounds_win_cents"] is None
    assert first(folding, "money")["paid_cents"] is not None


def test_a_round_that_is_played_is_not_told_before_it_is_over() -> None:
    """None of its cards stands in any row."""
    folding = folded("PIK")
    half = Folding(folding.log.stored)
    ends = first(folding, "rounds", round=2)["last"]
    half.take(ends - 1)
    assert {row["round"] for name in ("rounds", "hands", "wagers", "cards") for row in half.rows(name)} == {1}
    half.take(1)
    assert {row["round"] for row in half.rows("cards")} == {1, 2}


def test_a_round_left_open_is_told_when_the_next_one_opens() -> None:
    folding = folded("PIK", drop("round-completed", round=2))
    assert [row["round"] for row in folding.rows("rounds")] == [1, 2, 3]
    assert first(folding, "rounds", round=2)["ended_at"] is None
    assert first(folding, "rounds", round=3)["ended_at"] is not None


def test_a_payment_after_the_table_closed_over_an_open_round_is_in_its_rows() -> None:
    lawful = day("PIK", rounds=1, table="T1", gaming_day="2026-11-18", opens_at=NOON)
    paid = next(fact for fact in lawful if isinstance(fact, WagerPaid))
    others = [fact for fact in lawful if fact is not paid and not isinstance(fact, RoundCompleted)]
    before = stored(others)
    late = replace(paid, stream="T1/2026-11-18", sequence=len(before) + 1, previous=digest(before[-1]))
    folding = Folding([*before, encode(late)]).take()  # the gateway would refuse it
    row = first(folding, "wagers", round=1, seat=paid.seat, wager=paid.wager)
    assert row["paid_cents"] == paid.cents


def test_a_deck_has_its_rounds_its_cards_seen_and_what_became_of_it() -> None:
    folding = folded("PIK")
    decks = folding.rows("decks")
    assert sum(row["rounds"] for row in decks) == 3
    for row in decks:
        assert row["size"] == 52
        never = row["never_seen"].split()
        assert not row["rounds"] or row["seen"] + len(never) == 52
        dealt = {
            card["card"]
            for card in folding.rows("cards")
            if first(folding, "rounds", round=card["round"])["deck"] == row["deck"] and card["card"] != "??"
        }
        assert row["seen"] == len(dealt)
        assert not dealt.intersection(never)


def test_a_card_seen_twice_in_a_round_of_one_deck_stands_in_its_ledger() -> None:
    lawful = folded("PIK")
    one, other = [row for row in lawful.rows("cards") if row["round"] == 1 and row["card"] != "??"][:2]
    folding = folded("PIK", change("card-dealt", round=1, card=other["card"], to={"card": one["card"]}))
    assert [row["duplicates"] for row in folding.rows("decks") if row["duplicates"]] == [one["card"]]


@pytest.mark.parametrize(("book", "every"), [("COL", 5), ("PIK", 5), ("FAH", None)])
def test_how_often_a_stub_is_to_be_counted_is_what_the_book_in_force_says(book: Book, every: int | None) -> None:
    """Fast Action's shoe has no stub to count."""
    assert {row["count_every"] for row in folded(book).rows("decks")} == {every}


@pytest.mark.parametrize("sealed", [True, False])
def test_a_closed_and_sealed_day_has_nothing_unsealed(sealed: bool) -> None:
    """The closing seal itself is the day's last fact: it needs no other seal."""
    record = Pit(3, days=1, corrections=0, seals=lambda _: sealed).record()
    days = [row for row in Folding(record).take().rows("tables") if row["state"] == "closed"]
    assert len(days) == 2
    assert all((row["sealed_to"] == row["sequence"]) is sealed for row in days)
