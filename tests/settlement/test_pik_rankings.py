"""Pik-it's two orders of hands, shown by who wins: five cards by play 5, three by play 3."""

from typing import Any

import pytest

from domain.cards import RANKS
from domain.clauses import clause as clause_of
from domain.settlement import settle
from tests.rulecard import case_of

FIVE = """
PIK 39.4(b)1 | a royal flush over a straight flush          | As Ks Qs Js Ts | Kh Qh Jh Th 9h
PIK 39.4(b)2 | king high is the highest straight flush      | Kh Qh Jh Th 9h | Qd Jd Td 9d 8d
PIK 39.4(b)2 | and five high the lowest                     | 6c 5c 4c 3c 2c | 5d 4d 3d 2d Ad
PIK 39.4(b)2 | the lowest straight flush over quads         | 5d 4d 3d 2d Ad | Kc Kd Kh Ks Qc
PIK 39.4(b)3 | aces over kings                              | Ac Ad Ah As 3c | Kc Kd Kh Ks Qc
PIK 39.4(b)3 | deuces over a full house                     | 2c 2d 2h 2s 3c | Ac Ad Ah Kc Kd
PIK 39.4(b)4 | the three decide before the pair             | 3c 3d 3h 4c 4d | 2c 2d 2h Ac Ad
PIK 39.4(b)4 | the lowest full house over a flush           | 2c 2d 2h 3c 3d | As Ks Qs Js 9s
PIK 39.4(b)5 | seven high over the highest straight         | 7s 5s 4s 3s 2s | Ac Kd Qh Jc Td
PIK 39.4(b)5 | flushes by their highest card, then down     | As 5s 4s 3s 2s | Kh Qh Jh Th 8h
PIK 39.4(b)6 | ace high over king high                      | Ac Kd Qh Jc Td | Kc Qd Js Th 9c
PIK 39.4(b)6 | six high over the wheel                      | 6h 5d 4h 3s 2c | Ac 2d 3c 4s 5c
PIK 39.4(b)6 | the wheel over three aces                    | Ac 2d 3c 4s 5c | Ad Ah As Kc Qd
PIK 39.4(b)6 | queen king ace two three is no straight      | 4c 4d 5h 6s 8c | Qc Kd Ah 2s 3c
PIK 39.4(b)7 | threes over twos                             | 3c 3d 3h 4s 5c | 2c 2d 2h As Kc
PIK 39.4(b)7 | three twos over aces and kings               | 2c 2d 2h 4s 3c | Ac Ad Kh Ks Qd
PIK 39.4(b)8 | aces and twos over kings and queens          | Ac Ad 2h 2s 3d | Kc Kd Qh Qs Jd
PIK 39.4(b)8 | the lower pair decides next                  | Ac Ad 3h 3s 4d | Ah As 2c 2d Kd
PIK 39.4(b)8 | threes and twos over a pair of aces          | 3c 3d 2h 2s 4c | Ac Ad Kh Qs Jc
PIK 39.4(b)9 | aces over kings                              | Ac Ad 4h 3s 2c | Kc Kd Qh Js 9d
PIK 39.4(b)9 | a pair of twos over ace high                 | 2c 2d 3h 4s 5c | Ac Kd Qh Js 9d
PIK 39.4(d)/s1 | the last card of a pair decides            | 9c 9d Ah Ks 4c | 9h 9s Ac Kd 3c
PIK 39.4(d)/s1 | no hand: the highest card not in the other | Ac 9d 5h 4s 3c | Kc Qd Jh 9s 8d
PIK 39.4(d)/s1 | no hand: the fifth card                    | Ac Kd Qh Js 3c | Ad Kc Qs Jh 2c
PIK 39.4(a)/s3 | the ace is low in a straight of five       | 6h 5d 4h 3s 2c | Ac 2d 3c 4s 5c
"""

# The other two cards of each hand add nothing to its best three.
THREE = """
PIK 39.4(c)1 | ace king queen suited over king queen jack suited | As Ks Qs 8c 2d | Kh Qh Jh 7c 3d
PIK 39.4(c)2 | king high is the highest straight flush           | Kh Qh Jh 7c 3d | Qd Jd Td 6s 2c
PIK 39.4(c)2 | three two ace suited is the lowest                | 4c 3c 2c 9s Kd | 3h 2h Ah 9d Tc
PIK 39.4(c)2 | and still over three aces                         | 3h 2h Ah 9d Tc | Ac Ad As 8h 6c
PIK 39.4(c)3 | three twos over the highest straight              | 2c 2d 2h 9s 6c | Ac Kd Qh 7s 5s
PIK 39.4(c)3 | three aces over three kings                       | Ac Ad As 8h 6c | Kc Kd Ks 8d 5h
PIK 39.4(c)4 | three two ace over the highest flush              | 3c 2d Ah 9s Tc | As Ks Js 7d 4h
PIK 39.4(c)4 | four three two over three two ace                 | 4c 3d 2h 9d Ks | 3c 2d Ah 9s Tc
PIK 39.4(c)4 | king ace two is no straight                       | 2c 2h 5d 8s Tc | Kc Ad 2s 9h 6d
PIK 39.4(c)4 | ace king queen over king queen jack               | Ac Kd Qh 7s 5s | Kc Qd Jh 8s 5d
PIK 39.4(c)5 | the lowest flush over a pair of aces              | 5h 3h 2h 9s Kc | Ac Ad 9h 7s 4c
PIK 39.4(c)5 | flushes by their highest card                     | 9h 3h 2h Js Kc | 8d 7d 3d Qs Tc
PIK 39.4(c)6 | kings with a ten over queens with an ace          | Kc Kd 2s Th 8d | Qs Qh Ad 7c 6s
PIK 39.4(c)6 | the odd card decides between equal pairs          | Kc Kd Ah 9s 6d | Kh Ks Qd 9c 6s
PIK 39.4(c)6 | a pair of twos over ace high                      | 2c 2h 5d 8s Tc | Ah Js 9c 7d 4h
PIK 39.4(d)/s1 | no hand: the third card                         | Ah Js 9c 7d 4h | Ac Jd 8h 6s 3c
PIK 39.4(a)/s3 | the ace is low with a two and a three           | 3c 2d Ah 9s Tc | Ac Ad 9h 7s 4c
"""


def _rows(*cards: tuple[str, str]) -> list[Any]:
    rows = []
    for play, card in cards:
        for row in card.strip().splitlines():
            clause, says, higher, lower = (cell.strip() for cell in row.split("|"))
            clause_of(clause)
            rows.append(pytest.param(play, higher, lower, id=f"{clause}: {play}: {says}"))
    return rows


def won(play: str, player: str, dealer: str) -> int | None:
    """The return on ten dollars staked on the comparison."""
    line = {"book": "PIK", "says": "", "house": "", "dealer": dealer}
    case = case_of(line | {"seats": f"1: {player} ante 10 bonus5 10 {play}"})
    return settle(case.house, case.played).seats[1][play].returned


@pytest.mark.parametrize(("play", "higher", "lower"), _rows(("play5", FIVE), ("play3", THREE)))
def test_the_higher_hand_wins_from_either_side(play: str, higher: str, lower: str) -> None:
    """Paid when the player holds it, collected when the dealer does."""
    assert (won(play, higher, lower), won(play, lower, higher)) == (20_00, 0)


@pytest.mark.parametrize("place", range(1, 13), ids=[RANKS[place] for place in range(1, 13)])
def test_each_rank_stands_above_the_next(place: int) -> None:
    """PIK 39.4(a)/s1: by the highest card of hands that hold nothing else apart, or by a pair."""
    kickers = [rank for rank in "2468TQ" if rank not in (RANKS[place], RANKS[place - 1])][:3]
    higher, lower = (
        " ".join((f"{rank}c", f"{rank}d", *(kicker + suit for kicker, suit in zip(kickers, suits, strict=True))))
        for rank, suits in ((RANKS[place], "hsc"), (RANKS[place - 1], "shd"))
    )
    assert (won("play5", higher, lower), won("play5", lower, higher)) == (20_00, 0)


@pytest.mark.parametrize("suits", ["cdhsc", "dhscd", "hscdh"])
def test_no_suit_stands_above_another(suits: str) -> None:
    """PIK 39.4(a)/s2: the same ranks in other suits tie, in five cards and in three."""
    player = " ".join(rank + suit for rank, suit in zip("AK952", suits, strict=True))
    dealer = " ".join(rank + suit for rank, suit in zip("AK952", "scdhs", strict=True))
    assert (won("play5", player, dealer), won("play3", player, dealer)) == (10_00, 10_00)
