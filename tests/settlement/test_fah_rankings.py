"""Fast Action's seventeen hands, shown by who wins: every category over the next, and the bounds the text prints."""

from typing import Any

import pytest

from domain.cards import cards
from domain.clauses import clause as clause_of
from domain.hands import multideck
from domain.settlement import settle
from tests.rulecard import case_of

HANDS = """
FAH (c)(2)(i)     | five aces of spades over five kings of spades     | As As As As As | Ks Ks Ks Ks Ks
FAH (c)(2)(i)     | five suited twos over a royal flush              | 2d 2d 2d 2d 2d | As Ks Qs Js Ts
FAH (c)(2)(ii)    | a royal flush over four suited aces              | As Ks Qs Js Ts | Ah Ah Ah Ah Kh
FAH (c)(2)(iii)   | four suited aces with a two over four kings      | Ah Ah Ah Ah 2h | Kh Kh Kh Kh Ah
FAH (c)(2)(iii)   | four suited twos over the highest straight flush | 2c 2c 2c 2c 3c | Ks Qs Js Ts 9s
FAH (c)(2)(iv)    | king high over queen high                        | Ks Qs Js Ts 9s | Qd Jd Td 9d 8d
FAH (c)(2)(iv)    | six high over five high, the lowest              | 6c 5c 4c 3c 2c | 5c 4c 3c 2c Ac
FAH (c)(2)(iv)    | the lowest straight flush over aces full, suited | 5c 4c 3c 2c Ac | As As As Ks Ks
FAH (c)(2)(v)     | the three decide before the pair                 | 3s 3s 3s 2s 2s | 2h 2h 2h Ah Ah
FAH (c)(2)(v)     | twos full of threes, suited, over five aces      | 2s 2s 2s 3s 3s | Ac Ad Ah As As
FAH (c)(2)(vi)    | five aces over five kings                        | Ac Ad Ah As As | Kc Kd Kh Ks Ks
FAH (c)(2)(vi)    | five twos over three suited aces                 | 2c 2d 2h 2s 2s | Ah Ah Ah Kh Qh
FAH (c)(2)(vii)   | three suited aces over three suited kings        | Ah Ah Ah 3h 2h | Kh Kh Kh Ah Qh
FAH (c)(2)(vii)   | three suited twos over suited aces and kings     | 2h 2h 2h 4h 3h | As As Ks Ks Qs
FAH (c)(2)(viii)  | the higher pair, then the lower                  | As As 3s 3s 2s | Ah Ah 2h 2h Kh
FAH (c)(2)(viii)  | suited threes and twos over a suited pair        | 3s 3s 2s 2s 4s | Ah Ah Kh Qh Jh
FAH (c)(2)(ix)    | a suited pair of aces over one of kings          | Ah Ah 4h 3h 2h | Ks Ks As Qs Js
FAH (c)(2)(ix)    | a suited pair of twos over four aces             | 2h 2h 3h 4h 5h | Ac Ad Ah As Kc
FAH (c)(2)(x)     | four aces over four kings                        | Ac Ad Ah As 2c | Kc Kd Kh Ks Ac
FAH (c)(2)(x)     | four twos over aces full of kings                | 2c 2d 2h 2s 3c | Ac Ad Ah Ks Kc
FAH (c)(2)(xi)    | aces full over kings full                        | Ac Ad Ah 2s 2c | Kc Kd Kh As Ac
FAH (c)(2)(xi)    | twos full of threes over the highest flush       | 2c 2d 2h 3s 3c | As Ks Qs Js 9s
FAH (c)(2)(xii)   | flushes by their highest card                    | As 5s 4s 3s 2s | Kh Qh Jh Th 8h
FAH (c)(2)(xii)   | a seven-high flush over the highest straight     | 7s 5s 4s 3s 2s | Ac Kd Qh Js Tc
FAH (c)(2)(xiii)  | ace high over king high                          | Ac Kd Qh Js Tc | Kc Qd Jh Ts 9c
FAH (c)(2)(xiii)  | six high over five high, the lowest              | 6c 5d 4h 3s 2c | 5d 4d 3h 2s Ac
FAH (c)(2)(xiii)  | the lowest straight over three aces              | 5d 4d 3h 2s Ac | Ac Ad Ah Ks Qc
FAH (c)(2)(xiv)   | three aces over three kings                      | Ac Ad Ah 3s 2c | Kc Kd Kh As Qc
FAH (c)(2)(xiv)   | three twos over aces and kings                   | 2c 2d 2h 4s 3c | Ac Ad Ks Kc Qc
FAH (c)(2)(xv)    | aces and twos over kings and queens              | Ac Ad 2s 2c 3c | Kc Kd Qs Qc Ac
FAH (c)(2)(xv)    | threes and twos over a pair of aces              | 3c 3d 2s 2c 4c | Ac Ad Ks Qc Jc
FAH (c)(2)(xvi)   | kings with a nine over queens with an ace        | Kc Kd 9s 8c 5h | Qc Qd As Kh 8s
FAH (c)(2)(xvi)   | a pair of twos over ace high                     | 2c 2d 3s 4c 5c | Ac Kd Qs Jc 9c
FAH (c)(2)(xvii)  | ace high over king high                          | Ac 7d 5s 3c 2c | Kc Qd Js Tc 8c
FAH (c)(2)(xvii)  | queen king ace two three is no straight          | Ac Kd Qs 4c 3c | Ad Kh Qd 3s 2h
FAH (c)(3)/s1     | the fifth card decides                           | Ac Kd Qs Jc 3c | Ad Kh Qd Js 2h
FAH (c)(3)/s1     | the odd card of two pair decides                 | Ac Ad 9s 9c 4c | Ah As 9d 9h 3c
FAH (c)(3)/s1     | the odd card of a suited pair decides            | 9h 9h Ah 5h 3h | 9h 9h Ah 5h 2h
FAH (c)(1)/s2     | five high is a straight with the ace below       | 5d 4d 3h 2s Ac | Kc Kd Kh As Qc
FAH (c)(1)/s1     | an ace over a king                               | Ac 7d 5s 3c 2c | Kd 7h 5c 3d 2d
FAH (c)(1)/s1     | a ten over a nine                                | Tc 7d 5s 3c 2c | 9d 7h 5c 3d 2d
"""


def _rows(card: str) -> list[Any]:
    rows = []
    for row in card.strip().splitlines():
        clause, says, higher, lower = (cell.strip() for cell in row.split("|"))
        clause_of(clause)
        rows.append(pytest.param(higher, lower, id=f"{clause}: {says}"))
    return rows


@pytest.mark.parametrize(("higher", "lower"), _rows(HANDS))
def test_each_hand_stands_above_the_next(higher: str, lower: str) -> None:
    """Five cards against five."""
    assert multideck.of_five(cards(higher)) > multideck.of_five(cards(lower))
    assert multideck.value(cards(higher)) > multideck.value(cards(lower))


@pytest.mark.parametrize("suits", ["cdhsc", "sshhc", "dcdsh"])
def test_identity_is_by_ranks_alone(suits: str) -> None:
    """FAH (c)(1)/s3, FAH (c)(3)/s2: no suit stands above another, so equal ranks are a copy."""
    one = [rank + suit for rank, suit in zip("AAK72", suits, strict=True)]
    assert multideck.of_five(cards(one)) == multideck.of_five(cards("Ac Ad Kh 7s 2c"))


# board | player's two | dealer's four (by the house way the first two) | who wins
SEVEN = """
FAH (a)(1)(iv); FAH (c)(2)(ix)   | a flush with a pair over four fours          | 4h 4h Jh Jc Jd | Ah 9h | 4c 4s Ad Ts | player
FAH (a)(1)(iv); FAH (c)(2)(iii)  | four suited eights over a straight flush     | 8d 8d 7d 6d 2c | 8d 8d | Td 9d 4s 2h | player
FAH (a)(1)(iv); FAH (c)(2)(xi)   | a full house over a plain flush              | Kc 9c 4c 5d 5h | Ac 2c | 9d 9h 5s 2c | dealer
FAH (a)(1)(iv); FAH (c)(2)(ix)   | a flush with a pair over a full house        | Kc 9c 4c 5d 5h | Ac Kc | 9d 9h 5s 2c | player
FAH (a)(1)(iv); FAH (c)(2)(viii) | of six suited cards the two pair are taken   | Ah Ah Kh Kh 2c | Qh 3h | 7d 7c 9s 4h | player
FAH (a)(1)(iv); FAH (c)(2)(v)    | of seven suited cards the full house         | Ah Ah Kh Kh 2h | Ah 3h | 8h 7h 9s 4c | player
FAH (a)(1)(iv); FAH (c)(2)(xvi)  | kings with a queen over kings with a ten     | Kd Th 7c 4s 3d | Ks 9s | Kh Qh 6s 2s | dealer
"""


def _sevens() -> list[Any]:
    rows = []
    for row in SEVEN.strip().splitlines():
        clauses, says, *rest = (cell.strip() for cell in row.split("|"))
        for clause in clauses.split("; "):
            clause_of(clause)
        rows.append(pytest.param(*rest, id=f"{clauses}: {says}"))
    return rows


@pytest.mark.parametrize(("board", "two", "dealer", "winner"), _sevens())
def test_the_best_five_of_seven_are_taken_under_this_order(board: str, two: str, dealer: str, winner: str) -> None:
    """No standard hand is picked first and renamed after."""
    line = {"book": "FAH", "says": "", "house": "", "community": board, "dealer": dealer, "dealer_kept": dealer[:5]}
    case = case_of(line | {"seats": f"1: {two} 6c 3s original 10 set {two}"})
    returned = settle(case.house, case.played).seats[1]["original"].returned
    assert returned == (20_00 if winner == "player" else 0)
