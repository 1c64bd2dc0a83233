"""Fast Action's wagers: naturals, splits, surrenders, copy hands and a dealer's natural."""

import pytest

from domain.settlement import announce, settle
from tests.rulecard import case_of, check, lines

# The dealer keeps 9c 8c (running in clubs) and the board is As Kd Qh 3c 2s unless a line says otherwise.
SET = """
clause                              | says                                                  | house               | dealer      | dealer_kept | community      | seats                                    | returns                 | by                           | sure
FAH (h)(12)/s1                      | a pair of kings is paid 1 to 1                        |                     | 9c 8c 5d 2h | 9c 8c       | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set Ks Jh     | 1 original 50           | 1 original FAH (h)(12)/s1    | certain
FAH (h)(11)/s1                      | a lower pair is collected                             |                     | Ah Jc 5d 4h | Ah Jc       | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set Ks Jh     | 1 original 0            | 1 original FAH (h)(11)/s1    | certain
FAH (h)(12)/s1                      | a wager of an odd cent is paid to the cent            |                     | 9c 8c 5d 2h | 9c 8c       | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 0.07 set Ks Jh   | 1 original 0.14         |                              |
FAH (a)(1)(ii); FAH (h)(11)/s2      | both play the board: a copy, and lost                 |                     | 9c 8c 5d 2h | 9c 8c       | As Kd Qh Jc Ts | 1: Ks Kh 7d 3c original 40 set Ks Kh     | 1 original 0            | 1 original FAH (h)(11)/s2    | reading
FAH (a)(1)(ii); FAH (h)(11)/s2      | a copy pushes where the house says so                 | copy_hand_rule=push | 9c 8c 5d 2h | 9c 8c       | As Kd Qh Jc Ts | 1: Ks Kh 7d 3c original 40 set Ks Kh     | 1 original 40           | 1 original FAH (h)(11)/s2    | reading
FAH (c)(3)/s2; FAH (c)(1)/s3        | the same ranks in other suits are a copy              |                     | Ac Qh 7d 3s | Ac Qh       | Ks Qd 8c 5h 2s | 1: Ad Qs 9d 4h original 25 set Ad Qs     | 1 original 0            | 1 original FAH (h)(11)/s2    | reading
FAH (a)(1)(iv)                      | one kept card plays                                   |                     | 9c 8c 5d 2h | 9c 8c       | As Kd Qh Jc 2s | 1: Th 4h 7d 3c original 25 set Th 4h     | 1 original 50           |                              |
FAH (a)(1)(iv)                      | neither plays when the board is better                |                     | Th 8c 5d 2h | Th 8c       | As Ks Qs Js 2d | 1: 4h 4c 7d 3c original 25 set 4h 4c     | 1 original 0            | 1 original FAH (h)(11)/s1    |
FAH (a)(1)(iv)                      | the discards never play                               |                     | 9c 8c 5d 2h | 9c 8c       | As Kd Qh 3c 2s | 1: Ks Kh 7d 4c original 25 set 7d 4c     | 1 original 0            |                              |
FAH (f)(2)/s2                       | a player who left without setting: no text says       |                     | 9c 8c 5d 2h | 9c 8c       | As Kd Qh 3c 2s | 1: Ks Kh 7d 4c original 25 left          | 1 original -            | 1 original FAH (f)(2)/s2     | ruling
FAH (f)(2)/s2                       | one who left a set hand is settled                    |                     | 9c 8c 5d 2h | 9c 8c       | As Kd Qh 3c 2s | 1: Ks Kh 7d 4c original 25 set Ks Kh left | 1 original 50          |                              | certain
FAH (h)(1)/s1                       | nobody saw how the hand was set                       |                     | 9c 8c 5d 2h | 9c 8c       | As Kd Qh 3c 2s | 1: Ks Kh 7d 4c original 25               | 1 original ?            |                              |
"""

BEFORE_THE_DEALER = """
clause                              | says                                                  | house                                        | dealer      | community      | seats                                                                                       | returns                          | by                          | sure
FAH (h)(2)/s2; FAH (a)(1)(v)        | a natural is paid 5 to 1                              |                                              | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: 7s 7d 7h 7c original 20 natural                                                          | 1 original 120                   | 1 original FAH (h)(2)/s2    | certain
FAH (h)(2)/s2                       | a dealer natural does not undo it                     |                                              | Qs Qs Qd Qh |                | 1: 7s 7d 7h 7c original 20 natural / 2: As Ah 6c 3d original 30 set As Ah                   | 1 original 120 / 2 original 0    | 2 original FAH (h)(8)/s1    | certain
FAH (a)(1)(v)                       | four of a rank in one suit twice are a natural        |                                              | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: 7s 7s 7h 7h original 20 natural                                                          | 1 original 120                   |                             |
FAH (a)(1)(v)                       | three of a rank are none: only a ruling can say       |                                              | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: 7s 7d 7h 6c original 20 natural                                                          | 1 original -                     |                             | ruling
FAH (h)(2)/s1                       | a natural nobody announced is settled as it was set   |                                              | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: 7s 7d 7h 7c original 20 set 7s 7d                                                        | 1 original 40                    | 1 original FAH (h)(12)/s1   |
FAH (h)(6)/s2                       | a surrender keeps half                                |                                              | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: Th 7c 4d 2s original 30 surrender                                                        | 1 original 15                    | 1 original FAH (h)(6)/s2    | certain
FAH (h)(6)/s2                       | a surrender keeps half against a dealer natural       |                                              | Qs Qs Qd Qh |                | 1: Th 7c 4d 2s original 30 surrender                                                        | 1 original 15                    |                             | certain
FAH (h)(6)/s2                       | half of $25 exactly                                   |                                              | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: Th 7c 4d 2s original 25 surrender                                                        | 1 original 12.50                 |                             | certain
FAH (h)(6)/s2                       | an odd cent stays with the house                      |                                              | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: Th 7c 4d 2s original 0.05 surrender                                                      | 1 original 0.02                  |                             | reading
FAH (h)(6)/s2                       | exact halves whatever the chip                        | surrender_rounding=exact surrender_unit=500  | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: Th 7c 4d 2s original 25 surrender                                                        | 1 original 12.50                 |                             | certain
FAH (h)(6)/s2                       | in whole dollars for the house                        | surrender_rounding=house surrender_unit=100  | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: Th 7c 4d 2s original 25 surrender                                                        | 1 original 12                    |                             | reading
FAH (h)(6)/s2                       | in whole dollars for the player                       | surrender_rounding=player surrender_unit=100 | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: Th 7c 4d 2s original 25 surrender                                                        | 1 original 13                    |                             | reading
FAH (h)(6)/s2                       | in five dollar chips for the house                    | surrender_rounding=house surrender_unit=500  | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: Th 7c 4d 2s original 35 surrender                                                        | 1 original 15                    |                             |
FAH (h)(6)/s2                       | in five dollar chips for the player                   | surrender_rounding=player surrender_unit=500 | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: Th 7c 4d 2s original 35 surrender                                                        | 1 original 20                    |                             |
FAH (h)(6)/s2                       | an even half is not rounded                           | surrender_rounding=player surrender_unit=500 | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: Th 7c 4d 2s original 30 surrender                                                        | 1 original 15                    |                             | certain
FAH (h)(8)/s1                       | a dealer natural takes a hand that would have won     |                                              | 2s 2d 2h 2c |                | 1: As Ah 6c 3d original 30 set As Ah                                                        | 1 original 0                     | 1 original FAH (h)(8)/s1    | certain
FAH (h)(8)/s1                       | a board dealt all the same changes nothing            |                                              | 2s 2d 2h 2c | Ad Ac Kh 9s 4d | 1: As Ah 6c 3d original 30 set As Ah                                                        | 1 original 0                     | 1 original FAH (h)(8)/s1    | certain
FAH (h)(8)/s2                       | and of a split only the original                      |                                              | Qs Qs Qd Qh |                | 1: Kh 9d Ad Qs original 50 split Kh 9d & Ad Qs                                              | 1 original 0 split 50            | 1 split FAH (h)(8)/s2       | certain
FAH (h)(3)/s2; FAH (h)(12)/s1       | each half of a split is settled for itself            |                                              | Ac Qh 7d 3s | Ks Qd 8c 5h 2s | 1: Kh 9d Ad Qs original 25 split Kh 9d & Ad Qs                                              | 1 original 50 split 0            | 1 split FAH (h)(11)/s2      | 1 original certain / 1 split reading
FAH (h)(3)/s2; FAH (h)(11)/s2       | a copied half pushes where the house says so          | copy_hand_rule=push                          | Ac Qh 7d 3s | Ks Qd 8c 5h 2s | 1: Kh 9d Ad Qs original 25 split Kh 9d & Ad Qs                                              | 1 original 50 split 25           |                             |
FAH (h)(3)/s2                       | the second half may win where the first loses         |                                              | Ac Qh 7d 3s | Ks Qd 8c 5h 2s | 1: 9d 4d Kh Jd original 25 split 9d 4d & Kh Jd                                              | 1 original 0 split 50            |                             |
"""


@pytest.mark.parametrize("line", lines("FAH", SET))
def test_a_set_hand_against_the_dealers(line: dict[str, str]) -> None:
    """The best five of the two kept cards and the board, against the dealer's."""
    check(line)


@pytest.mark.parametrize("line", lines("FAH", BEFORE_THE_DEALER))
def test_naturals_surrenders_and_splits(line: dict[str, str]) -> None:
    """Hands settled before the dealer's cards are opened, and the wagers a dealer's natural takes."""
    check(line)


@pytest.mark.parametrize(
    ("house", "half"),
    [
        ("", 12_50),
        ("surrender_rounding=house surrender_unit=2500", 0),
        ("surrender_rounding=player surrender_unit=2500", 25_00),
    ],
)
def test_a_chip_bigger_than_half_the_wager_gives_all_or_nothing(house: str, half: int) -> None:
    """FAH (h)(6)/s2 gives one half; how an odd half is rounded is the house's to say."""
    line = {"book": "FAH", "says": "", "house": house, "dealer": "9c 8c 5d 2h", "community": ""}
    case = case_of(line | {"seats": "1: Th 7c 4d 2s original 25 surrender"})
    assert settle(case.house, case.played).seats[1]["original"].returned == half


def test_the_hands_compared_are_named_by_the_seventeen_hand_order() -> None:
    """FAH (c)(2)(ix): a flush with a pair is announced as one; the round is settled from the far right."""
    line = {"book": "FAH", "says": "", "house": "", "dealer": "4c 4s Ad Ts", "dealer_kept": "4c 4s"}
    line |= {"community": "4h 4h Jh Jc Jd"}
    case = case_of(line | {"seats": "1: Ah 9h 6c 2d original 25 set Ah 9h / 4: Qc Qd 6c 2d original 25 set Qc Qd"})
    settlement = settle(case.house, case.played)
    assert settlement.order == (4, 1)
    assert announce(case.house, settlement.hands[1]) == "flush with a pair of fours"
    assert announce(case.house, settlement.hands[0]) == "four fours"
