"""The higher of two five-card hands, as the four books that use the standard order say it."""

import pytest

from domain.cards import RANKS, cards
from domain.hands import standard

# clauses | says | the higher hand | the lower hand
HIGHER = """
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | the rank of quads comes before the fifth card   | 3c 3d 3h 3s 2c | 2c 2d 2h 2s Ac
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | the three of a full house come before its pair  | 3c 3d 3h 2s 2c | 2c 2d 2h As Ac
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | the pair decides between equal threes           | Qc Qd Qh 3s 3c | Qc Qd Qh 2s 2c
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | the rank of trips comes before its kickers      | 3c 3d 3h 4s 2c | 2c 2d 2h As Kc
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | the second kicker of trips decides              | 9c 9d 9h As 4c | 9c 9d 9h Ad 3c
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | the higher pair comes before the lower          | 5c 5d 2h 2s 3c | 4c 4d 3h 3s Ac
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | the lower pair comes before the odd card        | 5c 5d 3h 3s 2c | 5h 5s 2h 2s Ac
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | the odd card decides between equal pairs        | 5c 5d 3h 3s 8c | 5h 5s 3c 3d 7c
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | a pair comes before any kicker                  | 3c 3d Kh Qs Jc | 2c 2d Ah Ks Qc
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | the third kicker of a pair decides              | 8c 8d Ah Ks 5c | 8h 8s Ac Kd 4c
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | a flush is compared card by card                | Ah 7h 5h 4h 3h | As 7s 5s 4s 2s
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1 | the fifth of five odd cards can decide          | Ac Kd Qh Js 9c | Ad Kh Qs Jc 8d
UTH-MA 5(b)(6); UTH-MD 6.D(6); PIK 39.4(b)6   | an ace below a two makes the lowest straight    | 6c 5d 4h 3s 2c | 5c 4d 3h 2s Ac
UTH-MA 5(b)(2); UTH-MD 6.D(2); PIK 39.4(b)2   | an ace below a two makes the lowest of them     | 6c 5c 4c 3c 2c | 5s 4s 3s 2s As
UTH-MA 5(a) s2; UTH-MD 6.B; PIK 39.4(a)/s3; COL 3(a)/s2 | the ace completes 2-3-4-5 to a straight | 5c 4d 3h 2s Ac | Ac Ad Ah Ks Qc
UTH-MA 5(a) s2; UTH-MD 6.B; PIK 39.4(a)/s3; COL 3(a)/s2 | and in one suit to a straight flush     | 5c 4c 3c 2c Ac | Ac Ad Ah As Kc
UTH-MA 5(b)(6); UTH-MD 6.B; PIK 39.4(b)6; COL 3(a)/s2   | queen, king, ace, two, three is no run  | 2c 2d 3h 4s 5c | Qc Kd Ah 2s 3c
UTH-MA 5(b)(2); UTH-MD 6.B; COL 3(b)(2)                 | nor in one suit more than a flush       | Ac Kc Qc Jc 9c | Qc Kc Ac 2c 3c
"""

# clauses | says | one hand | another of the same rank
EQUAL = """
UTH-MA 1 (Suit); UTH-MD 6.C; PIK 39.4(a)/s2; COL 3(a)/s3 | no royal flush is above another          | As Ks Qs Js Ts | Ac Kc Qc Jc Tc
UTH-MA 1 (Suit); UTH-MD 6.C; PIK 39.4(a)/s2; COL 3(a)/s3 | no suit makes a flush higher             | Ah 7h 5h 4h 3h | Ac 7c 5c 4c 3c
UTH-MA 5(c) s2; UTH-MD 6.E(2); PIK 39.4(d)/s2            | the same five ranks are the same hand    | Ac Kd Qh Js 9c | Ad Kh Qs Jc 9d
UTH-MA 5(c) s2; UTH-MD 6.E(2); PIK 39.4(d)/s2            | two pairs with the same odd card tie     | 5c 5d 3h 3s 8c | 5h 5s 3c 3d 8d
UTH-MA 5(c) s2; UTH-MD 6.E(2); PIK 39.4(d)/s2            | straights with the same top card tie     | 9c 8d 7h 6s 5c | 9d 8h 7s 6c 5d
"""

# clauses | says | own two cards | community | the best five
SEVEN = """
UTH-MA 1 (Hand); UTH-MD 11.H(2)(b)           | both own cards play             | Ah Kh | Qh Jh Th 2c 2d | Ah Kh Qh Jh Th
UTH-MA 1 (Hand); UTH-MD 11.G(2)              | one own card plays              | 9c 2d | 9d 9h 9s Ac Kd | 9c 9d 9h 9s Ac
UTH-MA 1 (Community card); UTH-MD 11.H(2)(b) | all five community cards play   | 2c 3d | Ah Ks Qc Jd Th | Ah Ks Qc Jd Th
UTH-MA 1 (Hand); UTH-MD 11.G(2)              | the higher of two trips is full | 9c 9d | 9h 4c 4d 4h Ks | 9c 9d 9h 4c 4d
UTH-MA 1 (Hand); UTH-MD 11.H(2)(b)           | a third pair is the odd card    | Ac Ad | Kc Kd Qs Qh 2c | Ac Ad Kc Kd Qs
UTH-MA 1 (Hand); UTH-MD 11.G(2)              | a flush is above the straight   | 6c 2c | 7c 8c 9d Tc 5h | 6c 2c 7c 8c Tc
UTH-MA 1 (Hand); UTH-MD 11.H(2)(b)           | six of a suit leave the lowest  | Ac 2c | 4c 6c 8c Tc Kd | Ac 4c 6c 8c Tc
UTH-MA 1 (Hand); UTH-MD 11.G(2)              | the longer run is the higher    | 8c 3d | 4c 5d 6h 7s 2c | 8c 4c 5d 6h 7s
"""


def _rows(table: str) -> list[list[str]]:
    rows = [[cell.strip() for cell in row.split("|")] for row in table.strip().splitlines()]
    return [pytest.param(*row, id=f"{row[0]}: {row[1]}") for row in rows]  # type: ignore[misc]


@pytest.mark.parametrize(("clauses", "says", "higher", "lower"), _rows(HIGHER))
def test_the_higher_hand(clauses: str, says: str, higher: str, lower: str) -> None:
    """Groups are compared before kickers, and the wheel is a five-high straight."""
    assert standard.value(cards(higher)) > standard.value(cards(lower))
    assert standard.of_five(cards(higher)) > standard.of_five(cards(lower))


@pytest.mark.parametrize(("clauses", "says", "one", "other"), _rows(EQUAL))
def test_hands_of_the_same_rank(clauses: str, says: str, one: str, other: str) -> None:
    """Suits never tell hands of the same ranks apart."""
    assert standard.value(cards(one)) == standard.value(cards(other))


@pytest.mark.parametrize(("clauses", "says", "own", "community", "five"), _rows(SEVEN))
def test_the_best_five_of_seven(clauses: str, says: str, own: str, community: str, five: str) -> None:
    """Own cards play or not as makes the hand highest."""
    best = standard.best(cards(f"{own} {community}"))
    assert best.cards == cards(five)
    assert best.value == standard.of_five(cards(five))


def test_cards_rank_from_ace_to_two() -> None:
    """A pair of each rank is above a pair of the next: UTH-MA 5(a) s1; UTH-MD 6.A; PIK 39.4(a)/s1; COL 3(a)/s1."""
    assert RANKS == "23456789TJQKA"
    pairs = [
        standard.value(cards([f"{rank}c", f"{rank}d", *(f"{other}h" for other in "234567" if other != rank)][:5]))
        for rank in RANKS
    ]
    assert pairs == sorted(set(pairs))
