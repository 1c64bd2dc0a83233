"""Maryland's six card bonus: the box's four cards and the player's two, every line of both tables."""

import pytest

from domain.cards import cards
from domain.hands import six_card
from tests.rulecard import check, lines
from tests.settlement.paytables import pay_lines

SIX = """
hand                        | own   | box         | dealer | community
super royal of diamonds     | Ad Kd | Qd Jd Td 9d | 7s 7d  | 3h 3s 5c 8c 2h
super royal of hearts       | Ah Kh | Qh Jh Th 9h | 7s 7d  | 3h 3s 5c 8c 2h
super royal of spades       | Qs Js | As Ks Ts 9s | 7s 7d  | 3h 3c 5c 8c 2h
super royal of clubs        | 9c Tc | Ac Kc Qc Jc | 7s 7d  | 3h 3s 5d 8c 2h
royal flush                 | Ad Kd | Qd Jd Td 9h | 7s 7d  | 3h 3s 5c 8c 2h
straight flush              | Qd Kd | 9d Jd Td Ah | 7s 7d  | 3h 3s 5c 8c 2h
steel wheel                 | Ad 2d | 3d 4d 5d 9h | 7s 7c  | 3h 3s 5c 8c 2h
four of a kind              | Qd Jd | Jh Js Jc 2c | 7s 7d  | 3h 3s 5c 8c 2h
full house                  | Qd Jd | Jh Js Qc 2c | 7s 7d  | 3h 3s 5c 8c 2h
two threes of a kind        | Qd Qh | Jh Js Qc Jc | 7s 7d  | 3h 3s 5c 8c 2h
flush                       | 2d 4d | 6d 8d Td Kc | 7s 7d  | 3h 3s 5c 8c 2h
six of one suit             | 2d 4d | 6d 8d Td Kd | 7s 7d  | 3h 3s 5c 8c 2h
straight                    | 9d Tc | Jd Qh Kd 2c | 7s 7d  | 3h 3s 5c 8c 2h
wheel                       | Ad 2c | 3d 4h 5d 9c | 7s 7d  | 3h 3s 5c 8c 2h
three of a kind             | Qd Jd | Jh Js 5d 2c | 7s 7d  | 3h 3s 5c 8c 2h
three of a kind in the box  | Qd 4d | Jh Js Jd 2c | 7s 7d  | 3h 3s 5c 8c 2h
two pair                    | Qd Jd | Jh Qs 5d 2c | 7s 7d  | 3h 3s 5c 8c 2h
aces                        | Ad Ac | Jh Qs 5d 2c | 7s 7d  | 3h 3s 5c 8c 2h
"""
BOX = "dealing_method=automated-shoe six_card_table"

TABLES = f"""
hand                        | UTH-MD 12.E(1) | UTH-MD 12.E(2)
house                       | {BOX}=A        | {BOX}=B
super royal of diamonds     | $1,000,000     | $100,000
super royal of hearts       | $100,000       | $100,000
super royal of spades       | $100,000       | $100,000
super royal of clubs        | $100,000       | $100,000
royal flush                 | 1,000 to 1     | 1,000 to 1
straight flush              | 200 to 1       | 200 to 1
steel wheel                 | 200 to 1       | 200 to 1
four of a kind              | 50 to 1        | 50 to 1
full house                  | 20 to 1        | 20 to 1
two threes of a kind        | 20 to 1        | 20 to 1
flush                       | 15 to 1        | 15 to 1
six of one suit             | 15 to 1        | 15 to 1
straight                    | 10 to 1        | 10 to 1
wheel                       | 10 to 1        | 10 to 1
three of a kind             | 5 to 1         | 5 to 1
three of a kind in the box  | 5 to 1         | 5 to 1
two pair                    | lost           | lost
aces                        | lost           | lost
"""


@pytest.mark.parametrize("line", pay_lines("UTH-MD", "six_card", SIX, TABLES))
def test_each_line_of_both_tables(line: dict[str, str]) -> None:
    """Dollar awards are flat, odds follow the wager, and the stake comes back with either."""
    check(line)


# The line each clause of the ranking names, by six cards: the box's four, then the player's two.
RANKED = """
UTH-MD 6.F(1)    | Qd Jd Td 9h Ad Kd | royal_flush
UTH-MD 6.F(2)    | 9d Jd Td Ah Qd Kd | straight_flush
UTH-MD 6.F(2)    | 3d 4d 5d 9h Ad 2d | straight_flush
UTH-MD 6.F(3)    | Jh Js Jc 2c Qd Jd | four_of_a_kind
UTH-MD 6.F(4)    | Jh Js Qc 2c Qd Jd | full_house
UTH-MD 6.F(4)    | Jh Js Qc Jc Qd Qh | full_house
UTH-MD 6.F(5)    | 6d 8d Td Kc 2d 4d | flush
UTH-MD 6.F(6)    | Jd Qh Kd 2c 9d Tc | straight
UTH-MD 6.F(6)    | 3d 4h 5d 9c Ad 2c | straight
UTH-MD 6.F(7)    | Jh Js 5d 2c Qd Jd | three_of_a_kind
UTH-MD 6.F(8)    | Qd Jd Td 9d Ad Kd | super_royal_of_diamonds
UTH-MD 6.F(8)    | Qh Jh Th 9h Ah Kd | flush
UTH-MD 6.F(8)    | Qd Jd Td 8d Ad Kd | royal_flush
UTH-MD 7.F(4)(a) | Kd Qd Jd 9d Ad Td | super_royal_of_diamonds
UTH-MD 7.F(4)(a) | Qd Jd Td 9c Ad Kd | royal_flush
"""
_RANKED = [[cell.strip() for cell in row.split("|")] for row in RANKED.strip().splitlines()]


@pytest.mark.parametrize(("_clause", "six", "line"), _RANKED, ids=[f"{row[0]}: {row[1]}" for row in _RANKED])
def test_six_cards_fall_on_the_highest_line_they_make(_clause: str, six: str, line: str) -> None:
    """Five of the six, and for the super royal all six."""
    assert six_card.line(cards(six)) == line


CARD = """
clause                                | says                                                       | house                                          | box         | dealer | community      | seats                                                                             | returns
UTH-MD 11.I(3)                        | the box counts, never the community cards                  | dealing_method=automated-shoe six_card_table=A | 9h 8c 6s 4c | 7s 7d  | Jh Js Jc 2c 3h | 1: Qd Jd ante 10 blind 10 trips 5 six_card 5 play 4x                                | 1 six_card 0 trips 155
UTH-MD 11.I(3)                        | and the hand against the dealer has none of the box        | dealing_method=automated-shoe six_card_table=A | Jh Js Jc 2c | 7s 7d  | 9h 8c 6s 4c 3h | 1: Qd Jd ante 10 blind 10 trips 5 six_card 5 play 4x                                | 1 six_card 255 trips 0 play 0
UTH-MD 11.I(4)                        | paid on a hand that loses to the dealer                    | dealing_method=automated-shoe six_card_table=B | Jh Js 5d 2c | 7s 7d  | 9h 8c 6s 4c 3h | 1: Qd Jd ante 10 blind 10 trips 5 six_card 5 play 4x                                | 1 six_card 30 ante 0 play 0
UTH-MD 11.I(4); UTH-MD 11.F(3)(c)     | paid on a folded hand whose cards waited under the wager   | dealing_method=automated-shoe six_card_table=B | 4d 4h 9s 7c | Kc 9d  | Qh Qs Qd 5c 2h | 6: 4c 3s ante 10 blind 10 trips 5 six_card 5 fold                                   | 6 six_card 30 trips 20 ante 0
UTH-MD 12.E(1)                        | the million is flat: the same on $1 and on $25             | dealing_method=automated-shoe six_card_table=A | Qd Jd Td 9d | 7s 7c  | 3h 3s 5c 8c 2h | 1: Ad Kd ante 10 blind 10 trips 5 six_card 25 play 4x                                | 1 six_card 1000025
UTH-MD 12.E(1)                        | the same box serves every player with his own two cards    | dealing_method=automated-shoe six_card_table=A | Qd Jd Td 9d | 7s 7c  | 3h 3s 5c 8c 2h | 1: Ad Kd ante 10 blind 10 trips 5 six_card 5 play 4x / 2: 8d 2c ante 10 blind 10 trips 5 six_card 5 play 4x / 3: 9c 9h ante 10 blind 10 trips 5 six_card 5 fold | 1 six_card 1000005 / 2 six_card 1005 / 3 six_card 30
UTH-MD 10.B(1)                        | no box is dealt from a manual shoe: only a ruling          | dealing_method=manual-shoe six_card_table=A    |             | 7s 7d  | 9h 8c 6s 4c 3h | 1: Qd Jd ante 10 blind 10 trips 5 six_card 5 play 4x                                | 1 six_card -
UTH-MD 7.F(4)                         | where it is not offered only a ruling can settle it        | dealing_method=automated-shoe                  | Jh Js Jc 2c | 7s 7d  | 9h 8c 6s 4c 3h | 1: Qd Jd ante 10 blind 10 trips 5 six_card 5 play 4x                                | 1 six_card -
"""


@pytest.mark.parametrize("line", lines("UTH-MD", CARD))
def test_the_six_card_bonus_lives_in_its_own_box(line: dict[str, str]) -> None:
    """Box and own cards alone, whatever becomes of the hand."""
    check(line)
