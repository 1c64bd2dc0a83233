"""Ante, blind and play against the dealer: win, lose and tie, with and without a pair in the dealer's hand, and folds."""

import pytest

from domain.settlement.outcome import CERTAIN
from tests.rulecard import check, lines

# In both states the same; `by` differs.
MA = """
clause                               | says                                                          | dealer | community      | seats                                   | returns                       | by
UTH-MA 11(b)                         | a win over a dealer's pair pays ante and play even money      | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 25 blind 25 play 4x       | 1 ante 50 blind 25 play 200   | 1 ante UTH-MA 11(b) / 1 play UTH-MA 11(b)
UTH-MA 11(b)                         | a play of three antes pays even money                         | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 25 blind 25 play 3x       | 1 ante 50 blind 25 play 150   |
UTH-MA 11(b)                         | a play after the flop pays even money                         | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 25 blind 25 play 2x       | 1 ante 50 blind 25 play 100   |
UTH-MA 10(h)(1)                      | a loss to a dealer's pair loses all three                     | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad 9h ante 25 blind 25 play 1x       | 1 ante 0 blind 0 play 0       | 1 ante UTH-MA 10(h)(1) / 1 blind UTH-MA 10(h)(1) / 1 play UTH-MA 10(h)(1)
UTH-MA 10(h)(3); UTH-MA 5(c) s2      | a tie returns all three                                       | Kd 3s  | Kh 9d 7c 4s Qc | 1: Kc 3d ante 25 blind 25 play 1x       | 1 ante 25 blind 25 play 25    | 1 ante UTH-MA 10(h)(3) / 1 blind UTH-MA 10(h)(3) / 1 play UTH-MA 10(h)(3)
UTH-MA 10(h)(3)                      | a royal on the board is a tie and pays no blind               | 9h 9d  | As Ks Qs Js Ts | 1: 2c 2d ante 25 blind 25 play 1x       | 1 ante 25 blind 25 play 25    | 1 blind UTH-MA 10(h)(3)
UTH-MA 10(g)                         | dealer below a pair: a losing hand still gets its ante back   | Ah Jc  | Ks 9d 7h 4c 2s | 2: Qd Jd ante 25 blind 25 play 1x       | 2 ante 25 blind 0 play 0      | 2 ante UTH-MA 10(g) / 2 blind UTH-MA 10(h)(1)
UTH-MA 10(g)                         | dealer below a pair: a winning ante is returned, not paid     | Kh 7c  | Qs Td 8h 5c 3d | 4: Js 9c ante 20 blind 20 play 1x       | 4 ante 20 blind 40 play 40    | 4 ante UTH-MA 10(g) / 4 play UTH-MA 11(b)
UTH-MA 10(g)                         | dealer below a pair: a tie returns the ante as well           | 2h 3c  | Ks Qd 9h 7c 5s | 1: 2d 3d ante 25 blind 25 play 1x       | 1 ante 25 blind 25 play 25    | 1 ante UTH-MA 10(g) / 1 blind UTH-MA 10(h)(3)
UTH-MA 10(h)(1)                      | a pair on the board qualifies the dealer                      | Ah Jc  | Ks 9d 9h 4c 2s | 2: Qd Jd ante 25 blind 25 play 1x       | 2 ante 0 blind 0 play 0       | 2 ante UTH-MA 10(h)(1)
UTH-MA 10(h)(1)                      | the lowest pair qualifies the dealer                          | 2h Jc  | Ks 9d 7h 4c 2s | 2: Ad Qd ante 25 blind 25 play 1x       | 2 ante 0 blind 0 play 0       | 2 ante UTH-MA 10(h)(1)
UTH-MA 10(e)(2)                      | a fold loses ante and blind                                   | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 25 blind 25 fold          | 1 ante 0 blind 0              | 1 ante UTH-MA 10(e)(2) / 1 blind UTH-MA 10(e)(2)
UTH-MA 10(e)(2); UTH-MA 10(g)        | a dealer below a pair does not bring a folded ante back       | Kh 7c  | Qs Td 8h 5c 3d | 1: 2c 4h ante 20 blind 20 fold          | 1 ante 0 blind 0              | 1 ante UTH-MA 10(e)(2)
"""

MD = """
clause                               | says                                                          | dealer | community      | seats                                   | returns                       | by
UTH-MD 12.A; UTH-MD 11.H(3)(b)       | a win over a dealer's pair pays ante and play even money      | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 25 blind 25 play 4x       | 1 ante 50 blind 25 play 200   | 1 ante UTH-MD 12.A / 1 play UTH-MD 12.A
UTH-MD 12.A                          | a play of three antes pays even money                         | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 25 blind 25 play 3x       | 1 ante 50 blind 25 play 150   |
UTH-MD 12.A                          | a play after the flop pays even money                         | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 25 blind 25 play 2x       | 1 ante 50 blind 25 play 100   |
UTH-MD 11.H(3)(b)                    | a winning straight pays its blind too                         | Kd Qs  | 9c 8d 7h 2s Kc | 1: Jc Td ante 25 blind 25 play 4x       | 1 ante 50 blind 50 play 200   | 1 blind UTH-MD 12.B(1)
UTH-MD 11.H(3)(a)                    | a loss to a dealer's pair loses all three                     | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad 9h ante 25 blind 25 play 1x       | 1 ante 0 blind 0 play 0       | 1 ante UTH-MD 11.H(3)(a) / 1 blind UTH-MD 11.H(3)(a) / 1 play UTH-MD 11.H(3)(a)
UTH-MD 11.H(3)(d); UTH-MD 6.E(2)     | a tie returns all three                                       | Kd 3s  | Kh 9d 7c 4s Qc | 1: Kc 3d ante 25 blind 25 play 1x       | 1 ante 25 blind 25 play 25    | 1 ante UTH-MD 11.H(3)(d) / 1 blind UTH-MD 11.H(3)(d) / 1 play UTH-MD 11.H(3)(d)
UTH-MD 11.H(3)(d)                    | a royal on the board is a tie and pays no blind               | 9h 9d  | As Ks Qs Js Ts | 1: 2c 2d ante 25 blind 25 play 1x       | 1 ante 25 blind 25 play 25    | 1 blind UTH-MD 11.H(3)(d)
UTH-MD 11.H(1)                       | dealer below a pair: a losing hand still gets its ante back   | Ah Jc  | Ks 9d 7h 4c 2s | 2: Qd Jd ante 25 blind 25 play 1x       | 2 ante 25 blind 0 play 0      | 2 ante UTH-MD 11.H(1) / 2 blind UTH-MD 11.H(3)(a)
UTH-MD 11.H(1)                       | dealer below a pair: a winning ante is returned, not paid     | Kh 7c  | Qs Td 8h 5c 3d | 4: Js 9c ante 20 blind 20 play 1x       | 4 ante 20 blind 40 play 40    | 4 ante UTH-MD 11.H(1) / 4 play UTH-MD 12.A
UTH-MD 11.H(1)                       | dealer below a pair: a tie returns the ante as well           | 2h 3c  | Ks Qd 9h 7c 5s | 1: 2d 3d ante 25 blind 25 play 1x       | 1 ante 25 blind 25 play 25    | 1 ante UTH-MD 11.H(1) / 1 blind UTH-MD 11.H(3)(d)
UTH-MD 11.H(3)(a)                    | a pair on the board qualifies the dealer                      | Ah Jc  | Ks 9d 9h 4c 2s | 2: Qd Jd ante 25 blind 25 play 1x       | 2 ante 0 blind 0 play 0       | 2 ante UTH-MD 11.H(3)(a)
UTH-MD 11.H(3)(a)                    | the lowest pair qualifies the dealer                          | 2h Jc  | Ks 9d 7h 4c 2s | 2: Ad Qd ante 25 blind 25 play 1x       | 2 ante 0 blind 0 play 0       | 2 ante UTH-MD 11.H(3)(a)
UTH-MD 11.F(2)                       | a fold loses ante and blind                                   | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 25 blind 25 fold          | 1 ante 0 blind 0              | 1 ante UTH-MD 11.F(2) / 1 blind UTH-MD 11.F(2)
UTH-MD 11.F(2); UTH-MD 11.H(1)       | a dealer below a pair does not bring a folded ante back       | Kh 7c  | Qs Td 8h 5c 3d | 1: 2c 4h ante 20 blind 20 fold          | 1 ante 0 blind 0              | 1 ante UTH-MD 11.F(2)
"""


@pytest.mark.parametrize("line", lines("UTH-MA", MA))
def test_massachusetts_settles_ante_blind_and_play_by_its_clauses(line: dict[str, str]) -> None:
    """Every relation to the dealer, with and without a pair in the dealer's hand."""
    settlement = check(line)
    assert {one.basis for held in settlement.seats.values() for one in held.values()} == {CERTAIN}


@pytest.mark.parametrize("line", lines("UTH-MD", MD))
def test_maryland_settles_ante_blind_and_play_by_its_clauses(line: dict[str, str]) -> None:
    """Every relation to the dealer, with and without a pair in the dealer's hand."""
    settlement = check(line)
    assert {one.basis for held in settlement.seats.values() for one in held.values()} == {CERTAIN}
