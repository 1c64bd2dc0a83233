"""Pik-it's two bonus wagers: every line of every table, and the three cards a player selected."""

from typing import Any

import pytest

from domain.rulebooks import house, newest
from domain.settlement import settle
from tests.rulecard import case_of, check, lines
from tests.settlement.paytables import handed_back

FIVE_CARDS = """
hand            | dealt          | PIK 39.11(b)/Pay Table 1 | PIK 39.11(b)/Pay Table 2
royal flush     | As Ks Qs Js Ts | 1000 to 1                | 750 to 1
straight flush  | 5d 4d 3d 2d Ad | 250 to 1                 | 250 to 1
four of a kind  | 2c 2d 2h 2s 3c | 50 to 1                  | 50 to 1
full house      | 9c 9d 9h 4s 4c | 10 to 1                  | 10 to 1
flush           | 7h 5h 4h 3h 2h | 8 to 1                   | 6 to 1
straight        | 5c 4d 3h 2s Ac | 5 to 1                   | 4 to 1
three of a kind | 2c 2d 2h 4s 5c | 2 to 1                   | 2 to 1
two pair        | 3c 3d 2h 2s 4c | 1 to 1                   | 1 to 1
pair of aces    | Ac Ad Kh Qs Jc | lost                     | lost
ace high        | Ac Kd Qh Js 9c | lost                     | lost
"""

THREE_CARDS = """
hand            | dealt          | PIK 39.11(c)/Pay Table 1 | PIK 39.11(c)/Pay Table 2 | PIK 39.11(c)/Pay Table 3
royal flush     | As Ks Qs 7d 2c | 200 to 1                 | 100 to 1                 | 80 to 1
straight flush  | 3h 2h Ah 9d 7c | 40 to 1                  | 50 to 1                  | 35 to 1
three of a kind | 2c 2d 2h 9s 7c | 30 to 1                  | 30 to 1                  | 25 to 1
straight        | 3c 2d Ah 9s 7c | 6 to 1                   | 6 to 1                   | 6 to 1
flush           | 5h 3h 2h 9s Kc | 3 to 1                   | 3 to 1                   | 4 to 1
pair            | 2c 2d Ah 9s 7c | 1 to 1                   | 1 to 1                   | 1 to 1
king ace two    | Kc Ad 2h 9s 7c | lost                     | lost                     | lost
ace high        | Ac Kd Jh 9s 7c | lost                     | lost                     | lost
"""


def printed(card: str, wager: str, seat: str) -> list[Any]:
    """Each cell of a printed table as a round: the table's number is its column."""
    head, *rows = [[cell.strip() for cell in row.split("|")] for row in card.strip().splitlines()]
    params = []
    for hand, dealt, *cells in rows:
        for number, (clause, odds) in enumerate(zip(head[2:], cells, strict=True), start=1):
            line = {
                "book": "PIK",
                "clause": clause,
                "says": hand,
                "house": f"{wager}_table={number}",
                "dealer": "8c 8d 8h 8s 6c",
                "seats": seat.format(dealt=dealt, three=dealt[:8]),
                "returns": f"1 {wager} {handed_back(odds, 10)}",
                "by": f"1 {wager} {clause}",
                "sure": f"1 {wager} certain",
            }
            params.append(pytest.param(line, id=f"{clause}: {hand} {odds}"))
    return params


@pytest.mark.parametrize("line", printed(FIVE_CARDS, "bonus5", "1: {dealt} ante 10 bonus5 10 fold"))
def test_the_5_card_bonus_pays_each_line_of_its_table(line: dict[str, str]) -> None:
    """PIK 39.11(b)/s1: once, for the highest hand; below two pair it loses. The dealer's quads do not matter."""
    check(line)


@pytest.mark.parametrize(
    "line", printed(THREE_CARDS, "bonus3", "1: {dealt} ante 10 bonus5 10 bonus3 10 select {three} fold")
)
def test_the_3_card_bonus_pays_each_line_of_its_table(line: dict[str, str]) -> None:
    """PIK 39.11(c)/s1: once, for the highest hand the three selected cards make; below a pair it loses."""
    check(line)


CARD = """
clause                               | says                                                 | house          | dealer         | seats                                                                            | returns                              | by                                  | sure
PIK 39.11(c)/s1; PIK 39.10(b)/s2     | a selected pair is paid, the royal beside it is not  |                | 7c 7d 7s Js 2d | 1: As Ah Kh Qh 4c ante 10 bonus5 10 bonus3 5 select As Ah Kh play3                | 1 bonus3 10 bonus5 0 ante 20 play3 20 |                                     |
PIK 39.4(e)                          | three cards that are nothing are nothing             |                | 7c 7d 7s Js 2d | 1: As Ah Kh Qh 4c ante 10 bonus5 10 bonus3 5 select As Kh 4c play3                | 1 bonus3 0 ante 20 play3 20          | 1 bonus3 PIK 39.11(c)/Pay Table 1   | 1 bonus3 certain
PIK 39.11(c)/s1                      | a pair inside a straight flush is paid once          | bonus3_table=2 | 7c 7d 7s Js 2d | 1: 9h 8h 7h 9c 2c ante 10 bonus5 10 bonus3 5 select 9h 8h 7h fold                 | 1 bonus3 255                         |                                     |
PIK 39.10(c)2; PIK 39.3(b)/s2        | both bonuses are paid on a hand that folds           |                | Kc Qd 7h 5s 2c | 1: 9s 9h 4c 4d Js ante 10 bonus5 10 bonus3 5 select 9s 9h Js fold                 | 1 bonus3 10 bonus5 20 ante 0         | 1 ante PIK 39.3(b)/s2               | certain
PIK 39.10(c)2                        | both are paid on a hand that loses to the dealer     | bonus3_table=2 | 2s 3d 4c 5h 6c | 1: As 2d 3c 4h 5s ante 20 bonus5 20 bonus3 10 select As 2d 3c play5               | 1 bonus3 70 bonus5 120 ante 0 play5 0 |                                     |
PIK 39.11(b)/s1                      | a lost bonus takes nothing from a winning ante       |                | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 10 bonus5 10 play5                                         | 1 bonus5 0 ante 20 play5 20          |                                     |
PIK 39.3(a)/s2                       | a 3 card bonus of any amount stands for itself       |                | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 10 bonus5 10 bonus3 700 select As Ah 4c fold               | 1 bonus3 1400 bonus5 0 ante 0        |                                     |
PIK 39.10(b)/s2                      | four cards selected: no text says what of them       |                | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 10 bonus5 10 bonus3 5 select As Ah 4c 3d fold              | 1 bonus3 - bonus5 0 ante 0           |                                     | 1 bonus3 ruling / 1 ante certain
PIK 39.10(b)/s2                      | two cards selected: no text says what of them        |                | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 10 bonus5 10 bonus3 5 select As Ah fold                    | 1 bonus3 - ante 0                    |                                     | 1 bonus3 ruling
PIK 39.10(b)/s2                      | a selected card that was not dealt: for a ruling     |                | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 10 bonus5 10 bonus3 5 select As Ah Ac fold                 | 1 bonus3 - ante 0                    |                                     | 1 bonus3 ruling
PIK 39.10(b)/s2                      | nobody saw which three were selected                 |                | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 10 bonus5 10 bonus3 5 fold                                 | 1 bonus3 ? bonus5 0 ante 0           |                                     |
PIK 39.10(b)/s2                      | whichever three were selected, they lose             |                | Kc Qd 7h 5s 2c | 1: As Kh 8c 6d 3s ante 10 bonus5 10 bonus3 5 fold                                 | 1 bonus3 0 bonus5 0 ante 0           |                                     | certain
PIK 39.3(d)/s2; PIK 39.10(b)/s2      | a player who left selected nothing                   |                | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 10 bonus5 10 bonus3 5 left                                 | 1 bonus3 - bonus5 0 ante 0           | 1 ante PIK 39.3(d)/s2               | 1 bonus3 ruling / 1 bonus5 certain / 1 ante reading
"""


@pytest.mark.parametrize("line", lines("PIK", CARD))
def test_the_bonuses_of_pik_it(line: dict[str, str]) -> None:
    """The cards a bonus looks at, and those it leaves alone."""
    check(line)


@pytest.mark.parametrize(
    ("clause", "wager", "hand", "posted", "code"),
    [
        ("PIK 39.11(b)/Pay Table 1", "bonus5", "flush", "9 to 1", ""),
        ("PIK 39.11(b)/Pay Table 1", "bonus5", "flush", "7 to 1", "pay-table-below-floor"),
        ("PIK 39.11(c)/Pay Table 1", "bonus3", "straight", "7 to 1", ""),
        ("PIK 39.11(c)/Pay Table 1", "bonus3", "straight", "5 to 1", "pay-table-below-floor"),
        ("PIK 39.11(a)/s1", "play5", "any_win", "2 to 1", "pay-table-altered"),
    ],
)
def test_a_bonus_may_be_posted_above_its_table_and_never_below(
    clause: str, wager: str, hand: str, posted: str, code: str
) -> None:
    """PIK 39.11(b)/s1 and PIK 39.11(c)/s1 say "no less than"; the ante and play odds of 39.11(a) are exact."""
    found = house(newest("PIK"), {"posted_odds": {wager: {hand: posted}}}).findings
    assert [(finding.code, finding.clause) for finding in found] == ([(code, clause)] if code else [])


def test_odds_posted_above_the_table_are_paid() -> None:
    """PIK 39.11(b)/s1: nine to one on a flush where the house says so."""
    line = {"book": "PIK", "says": "", "house": "", "dealer": "Kc Qd 7s 5s 2c"}
    case = case_of(line | {"seats": "1: 7h 5h 4h 3h 2h ante 10 bonus5 10 fold"})
    posted = house(newest("PIK"), {"posted_odds": {"bonus5": {"flush": "9 to 1"}}})
    assert settle(posted, case.played).seats[1]["bonus5"].returned == 100_00
