"""Massachusetts' Cover All: every cell of the matrix, whose hand counts, and which hands make the column."""

from typing import Any

import pytest

from domain.clauses import clause as clause_of
from tests.rulecard import check, lines
from tests.settlement.paytables import BEATS_THE_DEALER, handed_back

# As printed; the column is the number of hands dealt, the dealer's among them.
MATRIX = """
hand            | UTH-MA 13(k) column 7 | UTH-MA 13(k) column 6 | UTH-MA 13(k) column 5 | UTH-MA 13(k) column 4 | UTH-MA 13(k) column 3 | UTH-MA 13(k) column 2
royal flush     | 70 to 1               | 80 to 1               | 100 to 1              | 125 to 1              | 150 to 1              | 200 to 1
straight flush  | 30 to 1               | 40 to 1               | 40 to 1               | 70 to 1               | 80 to 1               | 100 to 1
four of a kind  | 20 to 1               | 30 to 1               | 35 to 1               | 40 to 1               | 50 to 1               | 70 to 1
full house      | 4 to 1                | 4 to 1                | 5 to 1                | 6 to 1                | 8 to 1                | 12 to 1
flush           | lost                  | lost                  | lost                  | lost                  | lost                  | lost
straight        | lost                  | lost                  | lost                  | lost                  | lost                  | lost
three of a kind | lost                  | lost                  | lost                  | lost                  | lost                  | lost
pair            | lost                  | lost                  | lost                  | lost                  | lost                  | lost
"""
# Hands that outrank none of the above on their boards.
OTHERS = ("3c 4d", "3d 6h", "6s 6c", "2d Qc", "3s Ts")
HOUSE = "cover_all=true shuffler=cover-all"


def _cells() -> list[Any]:
    deals = {row.split("|")[0].strip(): row.split("|")[1:] for row in BEATS_THE_DEALER.strip().splitlines()}
    (_, *clauses), *rows = [[cell.strip() for cell in row.split("|")] for row in MATRIX.strip().splitlines()]
    params = []
    for hand, *cells in rows:
        own, dealer, board = deals[hand]
        for clause, odds in zip(clauses, cells, strict=True):
            clause_of(clause)
            hands = int(clause[-1])
            others = [f"{number}: {held} ante 5 blind 5 fold" for number, held in enumerate(OTHERS[: hands - 2], 2)]
            line = {
                "book": "UTH-MA",
                "says": odds,
                "house": HOUSE,
                "dealer": dealer,
                "community": board,
                "seats": " / ".join([f"1: {own} ante 5 blind 5 cover_all 5 play 4x", *others]),
                "returns": f"1 cover_all {float(handed_back(odds, 5)):.2f}",
                "by": f"1 cover_all {clause}",
            }
            params.append(pytest.param(line, id=f"{clause}: {hand} {odds}"))
    return params


@pytest.mark.parametrize("line", _cells())
def test_cover_all_pays_by_the_column_of_the_hands_dealt(line: dict[str, str]) -> None:
    """UTH-MA 13(k), UTH-MA 13(f), UTH-MA 13(c): each printed cell; below a full house the matrix has no line."""
    check(line)


CARD = """
clause                      | says                                                        | dealer | community      | seats                                                                                        | returns                           | wrong                               | house
UTH-MA 13(b)                | the highest hand may be another player's                    | Kc Jd  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 play 1x / 2: 8h 8s ante 5 blind 5 play 4x                | 1 cover_all 255                   |                                     |
UTH-MA 13(b)                | the highest hand may be the dealer's                        | 8h 8s  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 play 1x                                                  | 1 cover_all 355 ante 0            |                                     |
UTH-MA 13(b)                | the highest hand may be a folded one                        | Kc Jd  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 play 1x / 2: 8h 8s ante 5 blind 5 fold                   | 1 cover_all 255                   |                                     |
UTH-MA 13(b)                | a folded player's own bonus is still on the table's highest | 8h 8s  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 fold                                                     | 1 cover_all 355 ante 0            |                                     |
UTH-MA 13(b)                | three of a kind is below the matrix                         | Kc Jd  | 8c 8d Kh 5s 2c | 1: 8h Ah ante 5 blind 5 cover_all 5 play 4x                                                  | 1 cover_all 0                     |                                     |
UTH-MA 13(g)                | dealer's trips, a player's straight flush: the latter once  | Qc Qd  | Qh Jh Th 7c 2d | 1: 9h 8h ante 5 blind 5 cover_all 5 play 4x / 2: 3c 4d ante 5 blind 5 cover_all 10 fold      | 1 cover_all 405 / 2 cover_all 810 |                                     |
UTH-MA 13(g)                | two paying hands: the higher line alone                     | 8h 8s  | 8c 8d Kh 5s Kd | 1: Kc Ks ante 5 blind 5 cover_all 5 play 4x                                                  | 1 cover_all 355                   |                                     |
UTH-MA 13(g)                | a royal on the board pays each wager once                   | 9h 9d  | As Ks Qs Js Ts | 1: 2c 2d ante 5 blind 5 cover_all 5 play 1x / 2: 3c 3d ante 5 blind 5 cover_all 5 play 1x    | 1 cover_all 755 / 2 cover_all 755 |                                     |
UTH-MA 13(c)                | a hand folded before still counts for the column            | 8h 8s  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 fold / 2: 3d 6h ante 5 blind 5 fold                      | 1 cover_all 255                   |                                     |
UTH-MA 13(c)                | a void hand was dealt and counts for the column             | 8h 8s  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 play 1x / 2: 3d 6h 9h ante 5 blind 5 cover_all 5         | 1 cover_all 255 / 2 cover_all 5   | wrong-count of=seat:2 dealt=3       |
UTH-MA 13(b)                | a void hand is no hand at the table                         | Kc Jd  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 play 1x / 2: 8h 8s 9h ante 5 blind 5                     | 1 cover_all 0                     | wrong-count of=seat:2 dealt=3       |
UTH-MA 13(k)                | the matrix ends at six players: a seventh needs a ruling    | 8h 8s  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 fold / 2: 3d 6h ante 5 blind 5 fold / 3: 4s 6c ante 5 blind 5 fold / 4: 3h Qc ante 5 blind 5 fold / 5: 3s Td ante 5 blind 5 fold / 6: 9c 9d ante 5 blind 5 fold / 7: 9h 9s ante 5 blind 5 fold | 1 cover_all - | |
UTH-MA 13(d)                | where it is not offered only a ruling can settle it         | 8h 8s  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 fold                                                     | 1 cover_all -                     |                                     | cover_all=false
"""


@pytest.mark.parametrize("line", lines("UTH-MA", CARD))
def test_cover_all_is_on_the_highest_hand_at_the_table(line: dict[str, str]) -> None:
    """The highest hand may be anyone's, the dealer's too: one line, once."""
    settlement = check(line | {"house": line["house"] or HOUSE})
    sure = {outcome.basis for held in settlement.seats.values() for outcome in [held.get("cover_all")] if outcome}
    assert sure <= {"reading", "ruling"}
