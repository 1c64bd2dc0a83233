"""Payout limits: Massachusetts' own two and their conflict, Maryland's chosen one, each side of the figure."""

from typing import Any

import pytest

from domain.clauses import clause as clause_of
from domain.rulebooks import house, newest
from domain.settlement import settle
from tests.rulecard import case_of

# With Ah Kh a royal flush over the dealer's two pair: 505 antes and 50 trips are won on a play of four antes.
BOARD = {"says": "", "dealer": "9s 9c", "community": "Qh Jh Th 7c 7d"}
MAIN = ("ante", "blind", "play", "trips")

# The sum is law, how a cut is shared is a reading: `together` is all that ante, blind, play and trips hand back.
MA = """
clause       | says                                                          | house                         | ante | trips | together
UTH-MA 11(e) | fifty cents short of $50,000 is paid in full                  |                               | 99   | 0.09  | 50593.59
UTH-MA 11(e) | exactly $50,000 is paid in full                               |                               | 99   | 0.10  | 50594.10
UTH-MA 11(e) | fifty cents over $50,000 are not paid; stakes go back besides |                               | 99   | 0.11  | 50594.11
UTH-MA 11(e) | far over it the four together win $50,000                     |                               | 200  | 100   | 51300
UTH-MA 11(e) | the most at the minimums is greater at a $125 table           | ante_min=12500 trips_min=2500 | 125  | 25    | 65150
UTH-MA 11(e) | and above that figure one more dollar of trips wins nothing   | ante_min=12500 trips_min=2500 | 125  | 26    | 65151
UTH-MA 11(e) | 505 antes of $98 and 50 trips of $5 are less: $50,000 holds   | ante_min=9800 trips_min=500   | 200  | 100   | 51300
UTH-MA 11(e) | a limit the house posted may raise it                         | payout_cap=6000000            | 200  | 100   | 61300
UTH-MA 11(e) | a limit the house posted never lowers it                      | payout_cap=1000000            | 200  | 100   | 51300
UTH-MA 14(d) | where 11(e) allows more, $75,000 holds for all bets           | ante_min=20000 trips_min=500  | 200  | 100   | 76300
UTH-MA 14(d) | a posted limit over $75,000 does not lift $75,000             | payout_cap=9000000            | 200  | 100   | 76300
"""
MD = """
clause       | says                                                  | house              | ante | trips | together
UTH-MD 12.F  | no operator's limit: everything is paid               |                    | 200  | 100   | 107300
UTH-MD 12.F  | fifty cents short of the operator's limit are paid    | payout_cap=5000000 | 99   | 0.09  | 50593.59
UTH-MD 12.F  | exactly the operator's limit is paid                  | payout_cap=5000000 | 99   | 0.10  | 50594.10
UTH-MD 12.F  | fifty cents over it are not                           | payout_cap=5000000 | 99   | 0.11  | 50594.11
UTH-MD 12.F  | a limit of $60,000                                    | payout_cap=6000000 | 200  | 100   | 61300
"""


def _rows(text: str) -> list[Any]:
    names, *rows = [[cell.strip() for cell in row.split("|")] for row in text.strip().splitlines()]
    found = [dict(zip(names, row, strict=True)) for row in rows]
    return [pytest.param(line, id=f"{clause_of(line['clause']).id}: {line['says']}") for line in found]


def _returned(book: str, wagers: str, options: str = "", own: str = "Ah Kh", box: str = "") -> dict[str, int]:
    case = case_of(BOARD | {"book": book, "house": options, "box": box, "seats": f"2: {own} {wagers}"})
    return {wager: one.returned or 0 for wager, one in settle(case.house, case.played).seats[2].items()}


@pytest.mark.parametrize(("book", "line"), [pytest.param("UTH-MA", *p.values, id=p.id) for p in _rows(MA)])
def test_massachusetts_limits_what_the_four_wagers_win(book: str, line: dict[str, str]) -> None:
    """$50,000 or the most at the minimums, whichever is greater, and $75,000 over all."""
    _sum_is(book, line)


@pytest.mark.parametrize(("book", "line"), [pytest.param("UTH-MD", *p.values, id=p.id) for p in _rows(MD)])
def test_maryland_limits_what_the_four_wagers_win_where_its_operator_chose_to(book: str, line: dict[str, str]) -> None:
    """Winnings, never stakes, and nothing without an operator's figure."""
    _sum_is(book, line)


def _sum_is(book: str, line: dict[str, str]) -> None:
    ante, trips = line["ante"], line["trips"]
    held = _returned(book, f"ante {ante} blind {ante} trips {trips} play 4x", line["house"])
    assert sum(held[wager] for wager in MAIN) == round(float(line["together"]) * 100)


COVER_ALL = "cover_all=true shuffler=cover-all "
# One player and the dealer: a royal flush pays 200 to 1. The four wagers win $50,000 already.
OVER_ALL = [
    pytest.param("100", 100_00 * 201, id="UTH-MA 14(d): $70,000 in all is paid in full"),
    pytest.param("125", 125_00 * 201, id="UTH-MA 14(d): exactly $75,000 is paid in full"),
    pytest.param("126", 126_00 + 25_000_00, id="UTH-MA 14(d): the part over $75,000 is not"),
    pytest.param("500", 500_00 + 25_000_00, id="UTH-MA 14(d): nor is more of it"),
]


@pytest.mark.parametrize(("bonus", "back"), OVER_ALL)
def test_cover_all_is_outside_the_first_limit_and_inside_the_second(bonus: str, back: int) -> None:
    """The four wagers keep their $50,000; with Cover All they come to $75,000 and no more."""
    held = _returned("UTH-MA", f"ante 200 blind 200 trips 100 cover_all {bonus} play 4x", COVER_ALL)
    assert sum(held[wager] for wager in MAIN) == 51_300_00
    assert held["cover_all"] == back


def test_the_massachusetts_progressive_is_outside_both_limits() -> None:
    """UTH-MA 14(d): all bets combined, excluding the progressive payout."""
    awards = 'progressive.amount=500 progressive.house_awards={"royal_flush":20000000}'
    held = _returned("UTH-MA", "ante 200 blind 200 trips 100 cover_all 125 progressive 5 play 4x", COVER_ALL + awards)
    assert held["progressive"] == 200_000_00
    assert held["cover_all"] == 125_00 * 201
    assert sum(held[wager] for wager in MAIN) == 51_300_00


def test_a_losing_hand_is_nowhere_near_a_limit() -> None:
    """Stakes that go back are no winnings: UTH-MA 11(e) cuts nothing from a $60,000 tie."""
    seats = "1: 2c 2d ante 10000 blind 10000 play 4x"
    tie = case_of({"book": "UTH-MA", "says": "", "dealer": "9h 9d", "community": "As Ks Qs Js Ts", "seats": seats})
    held = settle(tie.house, tie.played).seats[1]
    assert [held[wager].returned for wager in ("ante", "blind", "play")] == [10_000_00, 10_000_00, 40_000_00]


SIDES = "payout_cap=6000000 ultimate_pairs_table=A play_board_table=A bad_beat_table=A "
# Suited ace and king pay 25 to 1, sevens on the board nothing, the beaten two pair nothing.
SIDE_WAGERS = "ante 200 blind 200 trips 100 ultimate_pairs 40 play 4x"


@pytest.mark.parametrize(
    ("options", "pairs"),
    [
        pytest.param("", 40_00 * 26, id="UTH-MD 12.F(2): outside the limit by the reading"),
        pytest.param(
            "cap_includes_side_wagers=false", 40_00 * 26, id="UTH-MD 12.F(2): outside where the house says so"
        ),
        pytest.param("cap_includes_side_wagers=true", 40_00, id="UTH-MD 12.F(2): inside where the house says so"),
    ],
)
def test_side_wagers_are_in_marylands_limit_only_where_the_house_says_so(options: str, pairs: int) -> None:
    """Ultimate pairs wins $1,000 beside a hand that has reached the limit."""
    held = _returned("UTH-MD", SIDE_WAGERS, SIDES + options)
    assert held["ultimate_pairs"] == pairs
    assert sum(held[wager] for wager in MAIN) == 61_300_00


@pytest.mark.parametrize("inside", [False, True])
def test_a_bad_beat_of_ten_thousand_to_one_meets_the_limit_where_it_is_inside(inside: bool) -> None:
    """UTH-MD 12.F(2): $100,000 on a $10 bad beat is paid in full, or cut to $60,000 by the house's choice."""
    options = f"{SIDES} cap_includes_side_wagers={str(inside).lower()}"
    line = {"book": "UTH-MD", "says": "", "house": options, "dealer": "Kh Ah", "community": "Qh Jh Th 9h 2c"}
    case = case_of(line | {"seats": "1: 8h 7d ante 10 blind 10 bad_beat 10 play 4x"})
    held = settle(case.house, case.played).seats[1]
    assert held["bad_beat"].returned == 10_00 + (60_000_00 if inside else 100_000_00)


def test_progressive_envy_and_six_card_are_never_in_marylands_limit() -> None:
    """UTH-MD 12.F(2): meters, envy and the flat million are paid beside a hand that has reached the limit."""
    options = (
        "payout_cap=5000000 cap_includes_side_wagers=true six_card_table=A dealing_method=automated-shoe "
        'progressive.table=A progressive.meters={"main":9000000}'
    )
    seats = "2: Ah Kh ante 200 blind 200 trips 100 progressive 5 play 4x / 4: Kd Ad ante 5 blind 5 trips 5 six_card 5 progressive 5 fold"
    case = case_of(BOARD | {"book": "UTH-MD", "house": options, "box": "Qd Jd Td 9d", "seats": seats})
    held = settle(case.house, case.played).seats
    assert sum(held[2][wager].returned or 0 for wager in MAIN) == 51_300_00
    assert held[2]["progressive"].returned == 90_000_00
    assert held[4]["envy"].returned == 5_000_00
    assert held[4]["six_card"].returned == 1_000_005_00


FINDINGS = [
    ("UTH-MD", {"payout_cap": 4_999_999}, ["UTH-MD 12.F(1)"]),
    ("UTH-MD", {"payout_cap": 5_000_000}, []),
    ("UTH-MD", {"payout_cap": 6_437_499, "ante_min": 12_500, "trips_min": 2_500}, ["UTH-MD 12.F(1)"]),
    ("UTH-MD", {"payout_cap": 6_437_500, "ante_min": 12_500, "trips_min": 2_500}, []),
    ("UTH-MD", {"payout_cap": None}, []),
    ("UTH-MA", {"payout_cap": 4_999_999}, ["UTH-MA 11(e)"]),
    ("UTH-MA", {"payout_cap": 5_000_000}, []),
    ("UTH-MA", {"ante_min": 14_800, "trips_min": 500}, []),
    ("UTH-MA", {"ante_min": 14_900, "trips_min": 500}, ["UTH-MA 14(d)"]),
    ("UTH-MA", {"payout_cap": 7_500_001}, ["UTH-MA 14(d)"]),
]


@pytest.mark.parametrize(("book", "config", "clauses"), FINDINGS, ids=[f"{b} {c}: {f}" for b, c, f in FINDINGS])
def test_a_limit_the_text_does_not_allow_is_a_finding_on_the_house(
    book: str, config: dict[str, Any], clauses: list[str]
) -> None:
    """A cap under the least allowed, and two limits that contradict each other, stand beside the house."""
    assert [finding.clause for finding in house(newest(book), config).findings] == clauses
