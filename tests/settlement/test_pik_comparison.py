"""Pik-it's ante and play wagers: one comparison decides both, and a dealer who does not qualify."""

import pytest

from domain.rulebooks import house, newest
from domain.settlement import announce, settle
from tests.rulecard import case_of, check, lines

ANTE_AND_PLAY = """
clause                               | says                                               | house                             | dealer         | seats                                        | returns                        | by                       | sure
PIK 39.11(a)/s1; PIK 39.1 "Hand"     | play 5 compares five cards with five               |                                   | Kc Kd 9s 5h 2s | 1: Ks Kh 9d 8c 4c ante 20 bonus5 20 play5    | 1 ante 40 play5 40 bonus5 0    | 1 ante PIK 39.11(a)/s1   | certain
PIK 39.4(d)/s2; PIK 39.1 "Hand"      | play 3 compares the best three, and these tie      |                                   | Kc Kd 9s 5h 2s | 1: Ks Kh 9d 8c 4c ante 20 bonus5 20 play3    | 1 ante 20 play3 20 bonus5 0    | 1 ante PIK 39.4(d)/s2    | 1 ante reading / 1 play3 reading
PIK 39.11(a)/s1; PIK 39.1 "Hand"     | a three-card straight wins where five would lose   |                                   | Ad Jd 6d 4d 2c | 1: 9h 8c 7d Ks 3s ante 10 bonus5 10 play3    | 1 ante 20 play3 20             | 1 play3 PIK 39.11(a)/s1  |
PIK 39.11(a)/s1; PIK 39.1 "Hand"     | and the same cards lose ante and play 5            |                                   | Ad Jd 6d 4d 2c | 1: 9h 8c 7d Ks 3s ante 10 bonus5 10 play5    | 1 ante 0 play5 0               | 1 ante PIK 39.11(a)/s1   | certain
PIK 39.4(d)/s2; PIK 39.4(a)/s2       | five ranks alike in other suits: both go back      |                                   | Ah Kc 9s 5d 2c | 1: As Kd 9h 5c 2d ante 10 bonus5 10 play5    | 1 ante 10 play5 10             | 1 play5 PIK 39.4(d)/s2   | 1 ante reading / 1 play5 reading
PIK 39.11(a)/s1                      | twice the ante pays 1 to 1 on its own amount       | play5_multiple=2                  | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 15 bonus5 15 play5    | 1 ante 30 play5 60             |                          | 1 play5 certain
PIK 39.11(a)/s1                      | twice the ante is lost whole                       | play3_multiple=2                  | 7c 7d 7h 5s 2c | 1: As Ah 4c 3d Js ante 15 bonus5 15 play3    | 1 ante 0 play3 0               |                          |
PIK 39.4(d)/s2                       | a tied play 3 of twice the ante goes back whole    | play3_multiple=2                  | Kd 8d 3d 4h Qh | 1: Ks 8s 3s Td 4c ante 20 bonus5 20 play3    | 1 ante 20 play3 40             |                          |
PIK 39.11(a)/s1                      | without the qualifier queen high plays and loses   | dealer_qualifies=false            | Qc Td 7h 5s 2c | 1: Ks Jh 9c 6d 4s ante 10 bonus5 10 play5    | 1 ante 20 play5 20             | 1 play5 PIK 39.11(a)/s1  | certain
PIK 39.3(b)/s2; PIK 39.10(c)4        | a fold forfeits the ante and nothing else          |                                   | Qc Td 7h 5s 2c | 1: 3c 3d 2h 2s 4c ante 10 bonus5 10 fold     | 1 ante 0 bonus5 20             | 1 ante PIK 39.3(b)/s2    | certain
PIK 39.3(b)/s2                       | a fold against a dealer who does not qualify       | dealer_qualifies=true             | Qc Td 7h 5s 2c | 1: 9c 8d 6h 4s 3c ante 10 bonus5 10 fold     | 1 ante 0 bonus5 0              | 1 ante PIK 39.3(b)/s2    | certain
PIK 39.3(b)/s1                       | nobody saw the decision: the ante cannot be said   |                                   | Qc Td 7h 5s 2c | 1: 9c 8d 6h 4s 3c ante 10 bonus5 10          | 1 ante ? bonus5 0              |                          |
PIK 39.3(d)/s2                       | a player who left without a play wager folds       |                                   | Qc Td 7h 5s 2c | 1: 3c 3d 2h 2s 4c ante 10 bonus5 10 left     | 1 ante 0 bonus5 20             | 1 ante PIK 39.3(d)/s2    | 1 ante reading / 1 bonus5 certain
PIK 39.3(d)/s2                       | a player who left a play wager is settled          |                                   | Qc Td 7h 5s 2c | 1: 3c 3d 2h 2s 4c ante 10 bonus5 10 play5 left | 1 ante 20 play5 20 bonus5 20 |                          |
PIK 39.3(b)/s1-exclusive             | of two play wagers the last counts, one goes back  |                                   | Qc Td 7h 5s 2c | 1: 3c 3d 2h 2s 4c ante 10 bonus5 10 play3 play5 | 1 ante 20 play5 20 play3 10 | 1 play3 PIK 39.3(b)/s1-exclusive | 1 play3 reading / 1 play5 certain
PIK 39.3(b)/s1-exclusive             | a lost play 5 leaves the other wager alone         |                                   | 7c 7d 7h 5s 2c | 1: 3c 3d 2h 2s 4c ante 10 bonus5 10 play3 play5 | 1 ante 0 play5 0 play3 10   |                          |
"""

QUALIFYING = """
clause                                         | says                                                 | house | dealer         | seats                                     | returns                 | by                         | sure
PIK 39.1 "Qualifying hand"                     | A-K-4-3-2 exactly qualifies: play 5 is paid          |       | Ac Kd 4h 3s 2d | 1: As Kh 5d 3c 2c ante 10 bonus5 10 play5 | 1 ante 20 play5 20      | 1 play5 PIK 39.11(a)/s1    | certain
PIK 39.1 "Qualifying hand"                     | and takes a hand below it                            |       | Ac Kd 4h 3s 2d | 1: As Qh Jd 9c 8c ante 10 bonus5 10 play5 | 1 ante 0 play5 0        | 1 ante PIK 39.11(a)/s1     | certain
PIK 39.1 "Qualifying hand"; PIK 39.10(f)/play5 | A-Q-J-10-9 does not                                  |       | Ac Qd Jh Ts 9d | 1: As Kh 5d 3c 2c ante 10 bonus5 10 play5 | 1 ante 20 play5 10      | 1 play5 PIK 39.11(a)/s2    | certain
PIK 39.1 "Qualifying hand"                     | K-Q-J-10-8 does not                                  |       | Kc Qd Jh Ts 8d | 1: As Kh 5d 3c 2c ante 10 bonus5 10 play5 | 1 ante 20 play5 10      | 1 ante PIK 39.10(f)/ante   | certain
PIK 39.1 "Qualifying hand"                     | a pair of twos qualifies                             |       | 2c 2d 3h 4s 6d | 1: As Ah 5d 3c 7c ante 10 bonus5 10 play5 | 1 ante 20 play5 20      |                            |
PIK 39.1 "Qualifying hand"; PIK 39.4(a)/s3     | A-2-3-4-5 is a straight and qualifies                |       | Ac 2d 3h 4s 5d | 1: As Ah Kd Jc 9c ante 10 bonus5 10 play5 | 1 ante 0 play5 0        | 1 play5 PIK 39.11(a)/s1    |
PIK 39.10(f)/ante; PIK 39.10(f)/play5          | no qualify, player higher: ante paid, play 5 back    |       | Qc Td 7h 5s 2c | 1: Ks Jh 9c 6d 4s ante 10 bonus5 10 play5 | 1 ante 20 play5 10      | 1 ante PIK 39.10(f)/ante   | certain
PIK 39.10(f)/ante; PIK 39.11(a)/s2             | no qualify, player lower: ante lost, play 5 back     |       | Kc Qd Js 9h 7d | 1: Kd Qs Jh 9c 6c ante 15 bonus5 15 play5 | 1 ante 0 play5 15       | 1 ante PIK 39.10(f)/ante   | 1 ante reading / 1 play5 certain
PIK 39.10(f)/ante; PIK 39.4(d)/s2              | no qualify, alike: both go back                      |       | Kc Qd Js 9h 7d | 1: Kd Qs Jh 9c 7c ante 15 bonus5 15 play5 | 1 ante 15 play5 15      | 1 ante PIK 39.4(d)/s2      | 1 ante reading / 1 play5 certain
PIK 39.11(a)/s2; PIK 39.10(f)/play5            | no qualify voids the play 5 of a royal flush         | bonus5_table=2 | Qd 9c 7d 4c 2h | 1: As Ks Qs Js Ts ante 5 bonus5 5 play5 | 1 ante 10 play5 5 bonus5 3755 | 1 play5 PIK 39.11(a)/s2 |
PIK 39.11(a)/s2                                | no qualify gives back a play 5 of twice the ante     | play5_multiple=2 | Ac Qd Js 9h 7d | 1: Ad Qs Jh Tc 2c ante 15 bonus5 15 play5 | 1 ante 30 play5 30 |                            |
PIK 1.13Y(d)2ii                                | no qualify, play 3 higher: both are paid             |       | Qc Td 7h 5s 2c | 1: Ks Kh 9c 6d 4s ante 10 bonus5 10 play3 | 1 ante 20 play3 20      | 1 play3 PIK 1.13Y(d)2ii    | certain
PIK 1.13Y(d)2ii                                | no qualify, play 3 lower: both are lost              |       | Qc Jc Td 5h 2s | 1: Kd 8d 3d 9s 5c ante 25 bonus5 25 play3 | 1 ante 0 play3 0        | 1 play3 PIK 1.13Y(d)2ii    | 1 play3 certain / 1 ante reading
PIK 1.13Y(d)2ii; PIK 39.4(d)/s2                | no qualify, play 3 alike: both go back               |       | Qc Td 7h 5s 2c | 1: Qs Tc 7d 4c 3h ante 10 bonus5 10 play3 | 1 ante 10 play3 10      | 1 play3 PIK 39.4(d)/s2     | 1 play3 reading
PIK 1.13Y(d)2ii                                | five cards may qualify and three still lose          |       | 2c 2d 9h 5s 4c | 1: 3s 3h Jc Td 8s ante 10 bonus5 10 play3 | 1 ante 20 play3 20      | 1 play3 PIK 39.11(a)/s1    | certain
"""


@pytest.mark.parametrize("line", lines("PIK", ANTE_AND_PLAY))
def test_ante_and_play_go_by_one_comparison(line: dict[str, str]) -> None:
    """Three cards against three for play 3, five against five for play 5."""
    check(line)


@pytest.mark.parametrize("line", lines("PIK", QUALIFYING))
def test_the_version_in_which_the_dealer_must_qualify(line: dict[str, str]) -> None:
    """The dealer's five cards alone are tested, and play 5 and its ante alone feel it."""
    check(line | {"house": f"dealer_qualifies=true {line['house']}"})


@pytest.mark.parametrize("procedure", [1, 2])
def test_both_procedures_settle_from_the_far_right_and_alike(procedure: int) -> None:
    """PIK 39.10(e)1, PIK 39.10(e)2: the same amounts, losers collected (PIK 39.10(e)1ii) and winners paid
    (PIK 39.10(e)1iii, PIK 39.10(e)2ii), counterclockwise from the highest seat, whose cards go first
    (PIK 39.10(e)1iv, PIK 39.10(e)2iii), the dealer's after all of them (PIK 39.10(e)/s3)."""
    line = {"book": "PIK", "says": "", "house": f"settlement_procedure={procedure}", "dealer": "Qc Td 7h 5s 2c"}
    loser, winner = "2: Jc 9d 6h 4s 3c ante 10 bonus5 10 play5", "5: As Ah 4c 3d Js ante 10 bonus5 10 play5"
    case = case_of(line | {"seats": f"{loser} / 3: 8c 7d 6s 4h 2s ante 10 bonus5 10 fold / {winner}"})
    settlement = settle(case.house, case.played)
    assert settlement.order == (5, 3, 2)
    assert {seat: held["ante"].returned for seat, held in settlement.seats.items()} == {2: 0, 3: 0, 5: 20_00}


@pytest.mark.parametrize(
    ("choice", "three_cards", "says"), [("play3", True, "king-high straight"), ("play5", False, "pair of kings")]
)
def test_the_hand_announced_is_the_hand_compared(choice: str, three_cards: bool, says: str) -> None:
    """PIK 39.10(e)1i: the best three cards beside a play 3, the best five beside a play 5."""
    line = {"book": "PIK", "says": "", "house": "", "dealer": "9c 9d 7h 5s 2c"}
    case = case_of(line | {"seats": f"1: Ks Kh Qd Jc 4s ante 10 bonus5 10 {choice}"})
    settlement = settle(case.house, case.played)
    assert announce(case.house, settlement.hands[1], three_cards=three_cards) == says
    assert announce(case.house, settlement.hands[0]) == "pair of nines"


@pytest.mark.parametrize("multiple", [1, 2])
def test_a_play_5_of_twice_the_ante_is_allowed_and_reported(multiple: int) -> None:
    """PIK 39.1 "Play 5 wager" knows one ante, PIK 39.3(b)/s3 allows two."""
    found = house(newest("PIK"), {"play5_multiple": multiple}).findings
    assert [finding.clause for finding in found] == (['PIK 39.1 "Play 5 wager"'] if multiple == 2 else [])
