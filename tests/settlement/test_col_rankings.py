"""Colorado's hands, shown by what they are paid as: each better hand is paid more than the one below it."""

from typing import Any

import pytest

from domain.clauses import clause as clause_of
from domain.hands import standard
from domain.settlement import announce, settle
from tests.rulecard import case_of

# clause | kept | community | what it is paid to one | the name announced
HANDS = """
COL 3(b)(1)              | Ac Kc | Qc Jc Tc | 500 | royal flush
COL 3(b)(2)              | Ks Qs | Js Ts 9s | 100 | king-high straight flush
COL 3(b)(2); COL 3(a)/s2 | 5h 4h | 3h 2h Ah | 100 | five-high straight flush
COL 3(b)(3)              | 2c 2d | 2h 2s 3c | 40  | four twos
COL 3(b)(4)              | 2c 2d | 2h 3s 3c | 11  | twos full of threes
COL 3(b)(5)              | 7s 5s | 4s 3s 2s | 8   | seven-high flush
COL 3(b)(6)              | Ac Kd | Qh Js Tc | 5   | ace-high straight
COL 3(b)(6); COL 3(a)/s2 | 5c 4d | 3h 2s Ac | 5   | five-high straight
COL 3(b)(7)              | 2c 2d | 2h 4s 5c | 3   | three twos
COL 3(b)(8)              | 3c 3d | 2h 2s 4c | 2   | two pair, threes and twos
COL 3(b)(9)              | Tc Td | 2h 3s 4c | 1   | pair of tens
"""


def _rows() -> list[Any]:
    rows = []
    for row in HANDS.strip().splitlines():
        clauses, kept, community, odds, name = (cell.strip() for cell in row.split("|"))
        for clause in clauses.split("; "):
            clause_of(clause)
        rows.append(pytest.param(kept, community, int(odds), name, id=f"{clauses}: {name}"))
    return rows


@pytest.mark.parametrize(("kept", "community", "odds", "name"), _rows())
def test_a_hand_is_paid_as_what_it_is(kept: str, community: str, odds: int, name: str) -> None:
    """Two kept cards and three community cards, named and paid."""
    line = {"book": "COL", "says": "", "house": "", "community": community}
    case = case_of(line | {"seats": f"1: {kept} 9d ante 10 keep {kept} bet"})
    settlement = settle(case.house, case.played)
    assert settlement.seats[1]["bet"].returned == (odds + 1) * 10_00
    assert announce(case.house, settlement.hands[1]) == name


def test_the_nine_hands_stand_in_the_printed_order() -> None:
    """Each row of the list above the next, COL 3(b)(1) to COL 3(b)(9)."""
    values = []
    for row in HANDS.strip().splitlines():
        _, kept, community, *_ = (cell.strip() for cell in row.split("|"))
        case = case_of(
            {
                "book": "COL",
                "says": "",
                "house": "",
                "community": community,
                "seats": f"1: {kept} 9d ante 10 keep {kept} bet",
            }
        )
        values.append(settle(case.house, case.played).hands[1])
    assert values == sorted(values, reverse=True)
    assert len({standard.category(value) for value in values}) == 9


@pytest.mark.parametrize(
    ("kept", "returned"),
    [("Ac", 20_00), ("Kc", 20_00), ("Qc", 20_00), ("Jc", 20_00), ("Tc", 20_00), ("9c", 10_00), ("8c", 10_00), ("7c", 10_00), ("6c", 0), ("5c", 0), ("4c", 0), ("3c", 0), ("2c", 0)],
)  # fmt: skip
def test_each_rank_stands_where_the_ladder_has_it(kept: str, returned: int) -> None:
    """COL 3(a)/s1: pairs of ten to ace win, seven to nine push, two to six lose."""
    rank = kept[0]
    board = " ".join(
        [
            f"{rank}s",
            *[
                f"{other}{suit}"
                for other, suit in (("J", "d"), ("8", "h"), ("3", "d"), ("K", "d"), ("5", "h"))
                if other != rank
            ][:2],
        ]
    )
    line = {"book": "COL", "says": "", "house": "", "community": board}
    odd = "2h" if rank != "2" else "4h"
    case = case_of(line | {"seats": f"1: {kept} {odd} 6d ante 10 keep {kept} {odd} bet"})
    assert settle(case.house, case.played).seats[1]["ante"].returned == returned


@pytest.mark.parametrize("suits", ["cdhsc", "dhscd", "hscdh", "scdhs"])
def test_no_suit_stands_above_another(suits: str) -> None:
    """COL 3(a)/s3: a pair of tens is paid alike in all suits, and none is worth more."""
    one, two, *board = (rank + suit for rank, suit in zip("TT952", suits, strict=True))
    case = case_of(
        {
            "book": "COL",
            "says": "",
            "house": "",
            "community": " ".join(board),
            "seats": f"1: {one} {two} 3c ante 10 keep {one} {two} bet",
        }
    )
    settlement = settle(case.house, case.played)
    assert settlement.seats[1]["ante"].returned == 20_00
    assert settlement.hands[1] == standard.value((33, 32, 29, 12, 0))
