"""Match play coupons at Pik-it and Colorado, and one laid down at Fast Action, which knows none."""

import pytest

from tests.rulecard import check, lines

PIK = """
clause           | says                                                   | house                           | dealer         | seats                                                                                    | wrong                                                      | returns                      | void | sure
PIK 39.3(c)/s1   | a winning coupon counts for the odds and is kept       |                                 | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 15 bonus5 15 coupon ante 10 play5                                  |                                                            | 1 ante 20 play5 30           |      | 1 ante reading / 1 play5 certain
PIK 39.3(c)/s1   | or handed back by the house's terms                    | match_play.returned_on_win=true | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 15 bonus5 15 coupon ante 10 play5                                  |                                                            | 1 ante 30 play5 30           |      | 1 ante reading
PIK 39.3(c)/s1   | a losing coupon is lost                                |                                 | 7c 7d 7h 5s 2c | 1: As Ah 4c 3d Js ante 15 bonus5 15 coupon ante 10 play5                                  |                                                            | 1 ante 0 play5 0             |      |
PIK 39.3(c)/s1   | a coupon on a tie goes back                            |                                 | Ah Kc 9s 5d 2c | 1: As Kd 9h 5c 2d ante 15 bonus5 15 coupon ante 10 play5                                  |                                                            | 1 ante 15 play5 15           |      | 1 ante reading
PIK 39.3(c)/s1   | a coupon on a bonus is paid by its line                |                                 | Kc Qd 7h 5s 2c | 1: 9s 9h 4c 4d Js ante 15 bonus5 15 coupon bonus5 10 fold                                 |                                                            | 1 bonus5 20 ante 0           |      | 1 bonus5 reading
PIK 39.3(c)/s1   | where none is accepted only a ruling can say           | match_play.accepted=false       | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 15 bonus5 15 coupon ante 10 play5                                  |                                                            | 1 ante - play5 30            |      | 1 ante ruling / 1 play5 certain
PIK 39.3(c)/s1   | or where the house offers no match play                | match_play=null                 | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 15 bonus5 15 coupon ante 10 play5                                  |                                                            | 1 ante - play5 30            |      | 1 ante ruling
PIK 38.12(d)     | a void round hands an open coupon back                 |                                 | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 15 bonus5 15 coupon ante 10                                        | card-exposed of=dealer cards=["Kc"] stage=dealing          | 1 ante 15 bonus5 15          | yes  |
PIK 38.12(d)     | a bonus paid with a coupon stands at what was paid     |                                 | Kc Qd 7h 5s 2c | 1: 9s 9h 4c 4d Js ante 15 bonus5 15 coupon bonus5 10                                      | card-exposed of=dealer cards=["Kc"] stage=decision at_seat=1 ruling=stands   | 1 ante 15 bonus5 20 | yes |
PIK 38.12(d)     | reversed, the coupon goes back with the rest           |                                 | Kc Qd 7h 5s 2c | 1: 9s 9h 4c 4d Js ante 15 bonus5 15 coupon bonus5 10                                      | card-exposed of=dealer cards=["Kc"] stage=decision at_seat=1 ruling=reversed | 1 ante 15 bonus5 15 | yes |
"""

COL = """
clause           | says                                                   | house                           | community      | seats                                                                                    | wrong                                                      | returns                      | void | sure
COL 6(a)/s1      | a winning coupon counts for the odds and is kept       |                                 | 8s 8h 2c       | 1: Kd Kh 3s ante 15 coupon ante 10 keep Kd Kh bet                                         |                                                            | 1 ante 35 bet 45             |      | 1 ante reading / 1 bet certain
COL 6(a)/s1      | or handed back by the house's terms                    | match_play.returned_on_win=true | 8s 8h 2c       | 1: Kd Kh 3s ante 15 coupon ante 10 keep Kd Kh bet                                         |                                                            | 1 ante 45 bet 45             |      | 1 ante reading
COL 6(a)/s1      | a coupon on a push goes back                           |                                 | 9s Ah 2c       | 1: 9d Kh 3s ante 15 coupon ante 10 keep 9d Kh bet                                         |                                                            | 1 ante 15 bet 15             |      | 1 ante reading
COL 6(a)/s1      | a losing coupon is lost                                |                                 | 9s Ah 2c       | 1: Qd Kh 3s ante 15 coupon ante 10 keep Qd Kh bet                                         |                                                            | 1 ante 0 bet 0               |      |
COL 6(a)/s1      | where none is accepted only a ruling can say           | match_play.accepted=false       | 8s 8h 2c       | 1: Kd Kh 3s ante 15 coupon ante 10 keep Kd Kh bet                                         |                                                            | 1 ante - bet 45              |      | 1 ante ruling
COL 6(a)/s1      | a coupon leaves a ruling needed a ruling               | version=permissible v2_pair_of_tens=pay | Ts 8h 2c | 1: Td Kh 3s ante 15 coupon ante 10 keep Td Kh bet                                       |                                                            | 1 ante 20 bet 30             |      | ruling
COL 12(c)/s1     | the limit cuts what is won before the coupon is kept   | payout_cap=5000000              | Qs Js Ts       | 1: As Ks 2d ante 100 coupon ante 40 keep As Ks bet                                        |                                                            | 1 ante 25060 bet 25100       |      | reading
COL 14(c)        | an instant winner paid with a coupon stands so         |                                 | 8s 8h          | 1: 5c 6c 7c ante 15 coupon ante 10 declare                                                | wrong-count of=community dealt=2 stage=community ruling=stands   | 1 ante 80              | yes  |
COL 14(c)        | a void round hands it back                             |                                 | 8s 8h          | 1: 5c 6c 7c ante 15 coupon ante 10 declare                                                | wrong-count of=community dealt=2 stage=community ruling=reversed | 1 ante 15              | yes  |
"""

FAH = """
clause           | says                                                   | dealer      | community      | seats                                                          | wrong                                            | returns       | void | sure
FAH (f)(1)/s1    | the book knows no coupon: only a ruling can say        | 9c 8c 5d 2h | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 coupon original 10 set Ks Jh        |                                                  | 1 original -  |      | ruling
FAH (i)(5)       | in a void round it goes back as it lies                | 9c 8c 5d 2h | As Kd          | 1: Ks Jh 7d 4c original 25 coupon original 10 set Ks Jh        | insufficient-cards stage=community at_dealt=2    | 1 original 25 | yes  |
"""


@pytest.mark.parametrize("line", [*lines("PIK", PIK), *lines("COL", COL), *lines("FAH", FAH)])
def test_a_wager_that_is_partly_a_coupon(line: dict[str, str]) -> None:
    """The face counts for multiples and odds; on a win the house keeps it unless its terms say otherwise."""
    check(line)
