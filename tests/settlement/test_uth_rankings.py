"""The ranking of hands in both hold'em books: each clause orders two hands, and the dealer who holds the other loses."""

from typing import Any

import pytest

from domain.cards import cards
from domain.clauses import clause as clause_of
from domain.hands import standard
from domain.hands.ranked import announced
from domain.rulebooks import house, newest
from domain.settlement import PlayedRound, Seat, settle
from tests.rulecard import check, lines

# Massachusetts | Maryland | the higher five cards | the lower five | what the higher is called
ORDERED = """
UTH-MA 5(a) s1  | UTH-MD 6.A    | As 8d 6h 4c 2s | Ks Qd 9h 7c 3s | ace high
UTH-MA 5(a) s1  | UTH-MD 6.A    | Ks 8d 6h 4c 2s | Qs Jd 9h 7c 3s | king high
UTH-MA 5(a) s1  | UTH-MD 6.A    | Qs 8d 6h 4c 2s | Js Td 9h 7c 3s | queen high
UTH-MA 5(a) s1  | UTH-MD 6.A    | Js 8d 6h 4c 2s | Ts 9d 7h 5c 3s | jack high
UTH-MA 5(a) s1  | UTH-MD 6.A    | Ts 8d 6h 4c 2s | 9s 8d 7h 4c 2s | ten high
UTH-MA 5(a) s2  | UTH-MD 6.B    | As 2d 3h 4c 5s | As Ad Ah Kc Qs | five-high straight
UTH-MA 5(a) s2  | UTH-MD 6.B    | 6s 2d 3h 4c 5s | As 2d 3h 4c 5h | six-high straight
UTH-MA 5(a) s2  | UTH-MD 6.B    | Ah 2h 3h 4h 5h | As Ad Ac Ah Ks | five-high straight flush
UTH-MA 5(a) s2  | UTH-MD 6.B    | 2s 2d 3h 4c 5s | Ks Ad 2h 3c 4s | pair of twos
UTH-MA 5(b)(1)  | UTH-MD 6.D(1) | As Ks Qs Js Ts | Kh Qh Jh Th 9h | royal flush
UTH-MA 5(b)(2)  | UTH-MD 6.D(2) | Kh Qh Jh Th 9h | Qs Js Ts 9s 8s | king-high straight flush
UTH-MA 5(b)(2)  | UTH-MD 6.D(2) | 6h 5h 4h 3h 2h | 5s 4s 3s 2s As | six-high straight flush
UTH-MA 5(b)(2)  | UTH-MD 6.D(2) | Ah 2h 3h 4h 5h | As Ad Ac Ah Ks | five-high straight flush
UTH-MA 5(b)(3)  | UTH-MD 6.D(3) | As Ad Ac Ah 2s | Ks Kd Kc Kh As | four aces
UTH-MA 5(b)(3)  | UTH-MD 6.D(3) | 2s 2d 2c 2h 3s | As Ad Ac Ks Kd | four twos
UTH-MA 5(b)(4)  | UTH-MD 6.D(4) | As Ad Ac Ks Kd | As Ad Ac Qs Qd | aces full of kings
UTH-MA 5(b)(4)  | UTH-MD 6.D(4) | 3s 3d 3c 2s 2d | 2s 2d 2c As Ad | threes full of twos
UTH-MA 5(b)(4)  | UTH-MD 6.D(4) | 2s 2d 2c 3s 3d | Ah Kh Qh Jh 9h | twos full of threes
UTH-MA 5(b)(5)  | UTH-MD 6.D(5) | Ah Kh Qh Jh 9h | As Ks Qs Js 8s | ace-high flush
UTH-MA 5(b)(5)  | UTH-MD 6.D(5) | 2h 3h 4h 5h 7h | As Kd Qh Jc Ts | seven-high flush
UTH-MA 5(b)(6)  | UTH-MD 6.D(6) | As Kd Qh Jc Ts | Ks Qd Jh Tc 9s | ace-high straight
UTH-MA 5(b)(6)  | UTH-MD 6.D(6) | As 2d 3h 4c 5s | As Ad Ac Ks Qd | five-high straight
UTH-MA 5(b)(6)  | UTH-MD 6.D(6) | As Ks Qs Js Th | Ks Qd Jh Tc 9s | ace-high straight
UTH-MA 5(b)(7)  | UTH-MD 6.D(7) | As Ad Ac 3s 2d | Ks Kd Kc As Qd | three aces
UTH-MA 5(b)(7)  | UTH-MD 6.D(7) | 2s 2d 2c 4s 3d | As Ad Ks Kd Qc | three twos
UTH-MA 5(b)(8)  | UTH-MD 6.D(8) | As Ad Ks Kd 2c | As Ad Qs Qd Kc | two pair, aces and kings
UTH-MA 5(b)(8)  | UTH-MD 6.D(8) | As Ad 2s 2d 3c | Ks Kd Qs Qd Ac | two pair, aces and twos
UTH-MA 5(b)(8)  | UTH-MD 6.D(8) | 3s 3d 2s 2d 4c | As Ad Ks Qd Jc | two pair, threes and twos
UTH-MA 5(b)(9)  | UTH-MD 6.D(9) | As Ad 4s 3d 2c | Ks Kd As Qd Jc | pair of aces
UTH-MA 5(b)(9)  | UTH-MD 6.D(9) | 2s 2d 5s 4d 3c | As Kd Qs Jd 9c | pair of twos
UTH-MA 5(c) s1  | UTH-MD 6.E(1) | 3s 3d Ks 4d 2c | 2s 2h As Kd Qc | pair of threes
UTH-MA 5(c) s1  | UTH-MD 6.E(1) | 9s 9d Ks 4d 2c | 9c 9h Qs Jd Tc | pair of nines
UTH-MA 5(c) s1  | UTH-MD 6.E(1) | As Kd Qs Jd 9c | Ah Kh Qd Jc 8c | ace high
UTH-MA 5(c) s1  | UTH-MD 6.E(1) | 8s 8d 5s 5d Kc | 8c 8h 5c 5h Qc | two pair, eights and fives
UTH-MA 5(c) s1  | UTH-MD 6.E(1) | Kh Qh Jh 9h 3h | Ks Qs Js 9s 2s | king-high flush
UTH-MA 5(c) s1  | UTH-MD 6.E(1) | 6s 5d 4h 3c 2s | As 2d 3h 4c 5h | six-high straight
"""

# Massachusetts | Maryland | five cards | five others of the same rank
EQUAL = """
UTH-MA 1 (Suit)  | UTH-MD 6.C    | Ah Kh Qh Jh 9h | As Ks Qs Js 9s
UTH-MA 1 (Suit)  | UTH-MD 6.C    | As Ks Qs Js Ts | Ac Kc Qc Jc Tc
UTH-MA 1 (Suit)  | UTH-MD 6.C    | As Kd Qs Jd 9c | Ah Kc Qh Jc 9d
UTH-MA 5(c) s2   | UTH-MD 6.E(2) | As Ad Ks Qd Jc | Ah Ac Kh Qc Jd
UTH-MA 5(c) s2   | UTH-MD 6.E(2) | 9s 8d 7h 6c 5s | 9h 8h 7d 6d 5d
"""


def _rows(text: str, book: int) -> list[Any]:
    params = []
    for row in text.strip().splitlines():
        cells = [cell.strip() for cell in row.split("|")]
        clause_of(cells[book])
        params.append(pytest.param(*cells[2:], id=f"{cells[book]}: {cells[2]} and {cells[3]}"))
    return params


@pytest.mark.parametrize(("higher", "lower", "name"), _rows(ORDERED, 0) + _rows(ORDERED, 1))
def test_the_first_hand_is_higher(higher: str, lower: str, name: str) -> None:
    """The first five cards outrank the others, both as five cards and as the printed definitions say, and by name."""
    first, second = cards(higher), cards(lower)
    assert standard.value(first) > standard.value(second)
    assert standard.of_five(first) > standard.of_five(second)
    value = standard.value(first)
    assert announced(standard.CATEGORIES[standard.category(value)], value) == name


@pytest.mark.parametrize(("one", "other"), _rows(EQUAL, 0) + _rows(EQUAL, 1))
def test_neither_hand_is_higher(one: str, other: str) -> None:
    """Suits never decide, and ranks that are all the same tie."""
    assert standard.value(cards(one)) == standard.value(cards(other)) == standard.of_five(cards(other))


def test_the_categories_stand_in_the_printed_order() -> None:
    """The lowest hand of each category beats the highest of the next."""
    lowest = ["5h 4h 3h 2h Ah", "2s 2d 2c 2h 3s", "2s 2d 2c 3s 3d", "2h 3h 4h 5h 7h", "As 2d 3h 4c 5s"]
    lowest += ["2s 2d 2c 4s 3d", "3s 3d 2s 2d 4c", "2s 2d 5s 4d 3c"]
    highest = ["As Ad Ac Ah Ks", "As Ad Ac Ks Kd", "Ah Kh Qh Jh 9h", "As Kd Qh Jc Ts"]
    highest += ["As Ad Ac Ks Qd", "As Ad Ks Kd Qc", "As Ad Ks Qd Jc", "As Kd Qs Jd 9c"]
    for low, high in zip(lowest, highest, strict=True):
        assert standard.value(cards(low)) > standard.value(cards(high)), f"{low} beats {high}"


# Which of the seven cards play: each line ends in a win, a loss or a tie.
SEVEN = """
clause                                      | says                                            | dealer | community      | seats                            | returns
UTH-MA 1 (Hand); UTH-MA 1 (Community card)  | both own cards may play                         | Kd Qs  | Kh 9d 7c 4s 2c | 1: 9h 9c ante 10 blind 10 play 4x | 1 play 80
UTH-MA 1 (Hand)                             | one own card may play                           | Kd Qs  | 9h 8d 7c 6s 2c | 1: Td 2h ante 10 blind 10 play 4x | 1 play 80
UTH-MA 1 (Community card)                   | all five community cards may play, for everyone | Kd Qd  | 9h 8d 7c 6s 5c | 1: 2d 2h ante 10 blind 10 play 4x | 1 ante 10 play 40
UTH-MA 1 (Hand)                             | a sixth card never breaks a tie                 | Kd 3s  | Kh 9d 7c Js Qc | 1: Kc 4d ante 10 blind 10 play 4x | 1 ante 10 play 40
UTH-MA 5(c) s1                              | the highest card the other has not decides      | Ks Qd  | Kh 9d 7c 4s 2c | 1: Kc Jd ante 10 blind 10 play 4x | 1 ante 0 play 0
UTH-MA 5(c) s1                              | the pair decides before an ace beside it        | As 2d  | Kh 9d 7c 3s 2c | 1: 3h 4d ante 10 blind 10 play 4x | 1 ante 20 play 80
UTH-MA 5(c) s1                              | a wheel is a five-high straight                 | Ad Qs  | 2h 3d 4c 5s Kc | 1: 6h Jd ante 10 blind 10 play 4x | 1 ante 20 play 80
UTH-MA 5(a) s2                              | an ace does not wrap around                     | 9h 9d  | Qh Kd 2c 3s 7c | 1: Ah Jd ante 10 blind 10 play 4x | 1 ante 0 play 0
"""

SEVEN_MD = """
clause                                 | says                                            | dealer | community      | seats                            | returns
UTH-MD 11.H(2)(b)                      | both of the player's own cards may play         | Kd Qs  | Kh 9d 7c 4s 2c | 1: 9h 9c ante 10 blind 10 play 4x | 1 play 80
UTH-MD 11.H(2)(b)                      | one own card may play                           | Kd Qs  | 9h 8d 7c 6s 2c | 1: Td 2h ante 10 blind 10 play 4x | 1 play 80
UTH-MD 11.G(2)                         | both of the dealer's cards may play             | 9h 9c  | Kh 9d 7c 4s 2c | 1: Kd Qs ante 10 blind 10 play 4x | 1 play 0
UTH-MD 11.G(2)                         | one of the dealer's cards may play              | Td 2h  | 9h 8d 7c 6s 2c | 1: Kd Qs ante 10 blind 10 play 4x | 1 play 0
UTH-MD 11.G(2); UTH-MD 11.H(2)(b)      | all five community cards may play, for everyone | Kd Qd  | 9h 8d 7c 6s 5c | 1: 2d 2h ante 10 blind 10 play 4x | 1 ante 10 play 40
UTH-MD 6.E(2)                          | a sixth card never breaks a tie                 | Kd 3s  | Kh 9d 7c Js Qc | 1: Kc 4d ante 10 blind 10 play 4x | 1 ante 10 play 40
UTH-MD 6.E(1)                          | the highest card the other has not decides      | Ks Qd  | Kh 9d 7c 4s 2c | 1: Kc Jd ante 10 blind 10 play 4x | 1 ante 0 play 0
UTH-MD 6.E(1)                          | the pair decides before an ace beside it        | As 2d  | Kh 9d 7c 3s 2c | 1: 3h 4d ante 10 blind 10 play 4x | 1 ante 20 play 80
UTH-MD 6.B                             | an ace does not wrap around                     | 9h 9d  | Qh Kd 2c 3s 7c | 1: Ah Jd ante 10 blind 10 play 4x | 1 ante 0 play 0
"""


@pytest.mark.parametrize("line", lines("UTH-MA", SEVEN) + lines("UTH-MD", SEVEN_MD))
def test_the_best_five_of_seven_decide(line: dict[str, str]) -> None:
    """Two own cards and five of the community, as many of either as make the best five."""
    check(line)


@pytest.mark.parametrize("book", ["UTH-MA", "UTH-MD"])
def test_no_suit_wins_at_the_table(book: str) -> None:
    """UTH-MA 1 (Suit), UTH-MD 6.C: the same ranks in any suits push, whichever side holds spades."""
    board = cards("Kh 9d 7c 4s 2c")
    for own, dealer in (("As Qs", "Ad Qd"), ("Ad Qd", "As Qs"), ("Ac Qh", "Ah Qc")):
        seat = Seat(seat=1, wagers={"ante": 100, "blind": 100, "play": 400}, cards=cards(own), choice="play")
        settlement = settle(
            house(newest(book)), PlayedRound(book=book, seats=(seat,), dealer=cards(dealer), community=board)
        )
        assert settlement.seats[1]["play"].returned == 400
