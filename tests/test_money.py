"""Odds as they are printed, what they pay in cents, and money as people read it."""

import re

import pytest

from domain.money import PUSH, BadOddsError, Odds, dollars, odds, total

# printed | stake in cents | winnings in cents
PAID = """
1 to 1      | 500     | 500
3 to 2      | 1000    | 1500
3 to 2      | 501     | 751
3 to 2      | 1       | 1
500 to 1    | 12345   | 6172500
10,000 to 1 | 100     | 1000000
1000 to 1   | 100     | 100000
50 for 1    | 100     | 4900
1 for 1     | 100     | 0
9 for 1     | 500     | 4000
6 to 5      | 1000    | 1200
$100,000    | 100     | 10000000
$300        | 500     | 30000
push        | 500     | 0
100% of main | 500    | 0
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in PAID.strip().splitlines()]


@pytest.mark.parametrize(("printed", "stake", "winnings"), ROWS, ids=[f"{row[0]} on {row[1]}" for row in ROWS])
def test_winnings_are_whole_cents_without_the_stake(printed: str, stake: str, winnings: str) -> None:
    """`for` has the stake in it; half a cent stays with the house; a meter's share is not the stake's business."""
    assert odds(printed).winnings(int(stake)) == int(winnings)


def test_a_share_of_a_meter_is_read_with_its_meter() -> None:
    """The award is the meter's, not a multiple of the wager."""
    assert odds("10% of main") == Odds(meter="main", percent=10)
    assert odds("push") == PUSH


UNREADABLE = """
3:2 | 3-2 | 3 on 2 | 3 to | to 2 | 3.5 to 1 | -3 to 1 | 3 to 0 | 1 for 2 | 0 for 1 | 3 to  2 | 3 To 2
$ | $1.50 | $-1 | 101% of main | 10% of | 10 % of main | Push | 1,0 to 1 | 10,00 to 1 | ٣ to 1
"""


@pytest.mark.parametrize("text", ["", " push", "3 to 2\n", *re.split(r" \| |\n", UNREADABLE.strip())])
def test_what_no_pay_table_prints_is_refused(text: str) -> None:
    """A line is read whole or not at all."""
    with pytest.raises(BadOddsError, match="is not a pay-table line"):
        odds(text)


# these | pay less than these
LESS = """
3 to 1   | 4 to 1
4 for 1  | 4 to 1
7 to 2   | 4 to 1
0 to 1   | 1 to 1
1 for 1  | 1 to 1
49 to 1  | 50 to 1
"""
LESS_ROWS = [[cell.strip() for cell in row.split("|")] for row in LESS.strip().splitlines()]


@pytest.mark.parametrize(("less", "more"), LESS_ROWS, ids=[" | ".join(row) for row in LESS_ROWS])
def test_odds_are_compared_by_what_they_pay(less: str, more: str) -> None:
    """The word `for` makes odds one less than the word `to`."""
    assert odds(less).less_than(odds(more))
    assert not odds(more).less_than(odds(less))


def test_equal_odds_in_other_words_are_not_less() -> None:
    """5 for 1 is 4 to 1, and 8 to 2 is too."""
    for same in ("5 for 1", "8 to 2", "4 to 1"):
        assert not odds(same).less_than(odds("4 to 1"))
        assert not odds("4 to 1").less_than(odds(same))


# cents | as people read them
READ = [
    (0, "$0"),
    (1, "$0.01"),
    (50, "$0.50"),
    (500, "$5"),
    (123_450, "$1,234.50"),
    (100_000_000, "$1,000,000"),
    (-250, "-$2.50"),
    (-123_456_700, "-$1,234,567"),
    (None, "-"),
]


@pytest.mark.parametrize(("cents", "text"), READ)
def test_money_as_people_read_it(cents: int | None, text: str) -> None:
    """Cents only where there are some; a dash where nothing can be said."""
    assert dollars(cents) == text


def test_a_sum_with_an_unknown_amount_is_not_known() -> None:
    assert (total([100, 250, 0]), total([100, None, 250]), total([])) == (350, None, 0)
