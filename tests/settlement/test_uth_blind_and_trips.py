"""The printed tables of blind and trips, every line of every table in both states, and the hands just below."""

import pytest

from domain.cards import cards
from domain.rulebooks import house, newest
from domain.settlement import PlayedRound, Seat, settle
from tests.rulecard import check, lines
from tests.settlement.paytables import BEATS_THE_DEALER, pay_lines

MA_BLIND = """
hand            | UTH-MA 11(c)
house           |
royal flush     | 500 to 1
straight flush  | 50 to 1
four of a kind  | 10 to 1
full house      | 3 to 1
flush           | 3 to 2
straight        | 1 to 1
three of a kind | push
two pair        | push
pair            | push
high card       | push
"""

MD_BLIND = """
hand            | UTH-MD 12.B(1) | UTH-MD 12.B(2)
house           | blind_table=A  | blind_table=B
royal flush     | 500 to 1       | 500 to 1
straight flush  | 50 to 1        | 50 to 1
four of a kind  | 10 to 1        | 10 to 1
full house      | 3 to 1         | 3 to 1
flush           | 3 to 2         | 3 to 2
straight        | 1 to 1         | push
three of a kind | push           | push
two pair        | push           | push
pair            | push           | push
high card       | push           | push
"""

MA_TRIPS = """
hand            | UTH-MA 11(d) Paytable A | UTH-MA 11(d) Paytable B | UTH-MA 11(d) Paytable C | UTH-MA 11(d) Paytable D
house           | trips_table=A           | trips_table=B           | trips_table=C           | trips_table=D
royal flush     | 50 to 1                 | 50 to 1                 | 50 to 1                 | 50 to 1
straight flush  | 40 to 1                 | 40 to 1                 | 40 to 1                 | 40 to 1
four of a kind  | 30 to 1                 | 30 to 1                 | 30 to 1                 | 20 to 1
full house      | 9 to 1                  | 8 to 1                  | 8 to 1                  | 7 to 1
flush           | 7 to 1                  | 6 to 1                  | 7 to 1                  | 6 to 1
straight        | 4 to 1                  | 5 to 1                  | 4 to 1                  | 5 to 1
three of a kind | 3 to 1                  | 3 to 1                  | 3 to 1                  | 3 to 1
two pair        | lost                    | lost                    | lost                    | lost
high card       | lost                    | lost                    | lost                    | lost
"""

MD_TRIPS = """
hand            | UTH-MD 12.C(1) | UTH-MD 12.C(2) | UTH-MD 12.C(3) | UTH-MD 12.C(4) | UTH-MD 12.C(5)
house           | trips_table=A  | trips_table=B  | trips_table=C  | trips_table=D  | trips_table=E
royal flush     | 50 to 1        | 50 to 1        | 50 to 1        | 50 to 1        | 50 to 1
straight flush  | 40 to 1        | 40 to 1        | 40 to 1        | 40 to 1        | 40 to 1
four of a kind  | 30 to 1        | 30 to 1        | 30 to 1        | 20 to 1        | 30 to 1
full house      | 9 to 1         | 8 to 1         | 8 to 1         | 7 to 1         | 7 to 1
flush           | 7 to 1         | 6 to 1         | 7 to 1         | 6 to 1         | 6 to 1
straight        | 4 to 1         | 5 to 1         | 4 to 1         | 5 to 1         | 5 to 1
three of a kind | 3 to 1         | 3 to 1         | 3 to 1         | 3 to 1         | 3 to 1
two pair        | lost           | lost           | lost           | lost           | lost
high card       | lost           | lost           | lost           | lost           | lost
"""


@pytest.mark.parametrize("line", pay_lines("UTH-MA", "blind", BEATS_THE_DEALER, MA_BLIND))
def test_massachusetts_pays_a_winning_blind_by_its_one_table(line: dict[str, str]) -> None:
    """Each line of 11(c), and a push below a straight."""
    check(line)


@pytest.mark.parametrize("line", pay_lines("UTH-MD", "blind", BEATS_THE_DEALER, MD_BLIND))
def test_maryland_pays_a_winning_blind_by_the_table_of_its_rules_submission(line: dict[str, str]) -> None:
    """Each line of both tables; table B prints no straight, which pushes."""
    check(line)


@pytest.mark.parametrize("line", pay_lines("UTH-MA", "trips", BEATS_THE_DEALER, MA_TRIPS))
def test_massachusetts_pays_trips_by_the_table_selected(line: dict[str, str]) -> None:
    """Each line of the four tables; two pair and less lose."""
    check(line)


@pytest.mark.parametrize("line", pay_lines("UTH-MD", "trips", BEATS_THE_DEALER, MD_TRIPS))
def test_maryland_pays_trips_by_the_table_selected(line: dict[str, str]) -> None:
    """Each line of the five tables; two pair and less lose."""
    check(line)


MA = """
clause                                  | says                                               | house                                        | dealer | community      | seats                                        | returns                            | by                                  | sure
UTH-MA 10(h)(2); UTH-MA 11(c)           | winning three of a kind gets its blind back        |                                              | Kc Jd  | 8c 8d Kh 5s 2c | 1: 8h Ah ante 10 blind 10 play 4x            | 1 blind 10                         | 1 blind UTH-MA 10(h)(2)             |
UTH-MA 11(c)                            | a losing straight flush loses its blind            |                                              | Ah Kh  | Qh Jh Th 2c 2d | 1: 9h 8h ante 10 blind 10 play 4x            | 1 blind 0 ante 0 play 0            | 1 blind UTH-MA 10(h)(1)             |
UTH-MA 11(c)                            | 3 to 2 on an odd dollar pays the half dollar       |                                              | Kc Ks  | Ah 9h 4h Kd 2c | 1: Jh 3h ante 5 blind 5 play 4x              | 1 blind 12.50                      |                                     |
UTH-MA 11(c)                            | half a cent stays with the house                   |                                              | Kc Ks  | Ah 9h 4h Kd 2c | 1: Jh 3h ante 0.05 blind 0.05 play 4x        | 1 blind 0.12                       |                                     |
UTH-MA 10(h)(4) s2; UTH-MA 6(c) s2      | trips is paid on a hand that loses all else        |                                              | Jc Td  | 9c 8d 7h 2s Kc | 1: 6h 5h ante 10 blind 10 trips 10 play 3x   | 1 ante 0 blind 0 play 0 trips 50   | 1 trips UTH-MA 11(d) Paytable A     | certain
UTH-MA 10(h)(4) s2                      | trips is paid on a tie                             |                                              | 9h 9d  | As Ks Qs Js Ts | 1: 2c 2d ante 10 blind 10 trips 10 play 1x   | 1 ante 10 blind 10 play 10 trips 510 |                                   |
UTH-MA 10(h)(4) s2; UTH-MA 10(e)(2)(i)  | trips is paid on a folded hand kept under it       |                                              | Qs Jc  | 7c 7d 7h Ks 2d | 3: 4c 3s ante 20 blind 20 trips 10 fold      | 3 ante 0 blind 0 trips 40          |                                     |
UTH-MA 10(h)(4) s1                      | trips loses on a pair though the hand wins         |                                              | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 10 blind 10 trips 10 play 4x   | 1 ante 20 blind 10 play 80 trips 0 |                                     |
UTH-MA 6(c) s2                          | a lost trips takes nothing from the other wagers   |                                              | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 10 blind 10 trips 500 play 4x  | 1 ante 20 blind 10 play 80 trips 0 |                                     |
"""

MD = """
clause                             | says                                               | house          | dealer | community      | seats                                        | returns                              | by                                | sure
UTH-MD 11.H(3)(c)                  | table A: below a straight the blind goes back      | blind_table=A  | Kc Jd  | 8c 8d Kh 5s 2c | 1: 8h Ah ante 10 blind 10 play 4x            | 1 blind 10 ante 20 play 80           | 1 blind UTH-MD 11.H(3)(c)         | certain
UTH-MD 11.H(3)(c); UTH-MD 12.B(2)  | table B: a winning straight gets its blind back    | blind_table=B  | Kd Qs  | 9c 8d 7h 2s Kc | 1: Jc Td ante 10 blind 10 play 4x            | 1 blind 10 ante 20 play 80           | 1 blind UTH-MD 11.H(3)(c)         | 1 blind reading / 1 ante certain
UTH-MD 12.B(2)                     | table B: a flush is paid                           | blind_table=B  | Kc Ks  | Ah 9h 4h Kd 2c | 1: Jh 3h ante 10 blind 10 play 4x            | 1 blind 25                           | 1 blind UTH-MD 12.B(2)            | certain
UTH-MD 12.B(1)                     | half a cent of 3 to 2 stays with the house         |                | Kc Ks  | Ah 9h 4h Kd 2c | 1: Jh 3h ante 0.05 blind 0.05 play 4x        | 1 blind 0.12                         |                                   |
UTH-MD 11.H(3)(a)                  | a losing straight loses its blind under table A    | blind_table=A  | Jc Td  | 9c 8d 7h 2s Kc | 1: 6h 5h ante 10 blind 10 play 3x            | 1 ante 0 blind 0 play 0              | 1 blind UTH-MD 11.H(3)(a)         |
UTH-MD 11.I(2)                     | trips is paid on a hand that loses all else        |                | Jc Td  | 9c 8d 7h 2s Kc | 1: 6h 5h ante 10 blind 10 trips 10 play 3x   | 1 ante 0 blind 0 play 0 trips 50     | 1 trips UTH-MD 12.C(1)            |
UTH-MD 11.I(2)                     | trips is paid on a tie                             |                | 9h 9d  | As Ks Qs Js Ts | 1: 2c 2d ante 10 blind 10 trips 10 play 1x   | 1 ante 10 blind 10 play 10 trips 510 |                                   |
UTH-MD 11.F(3)(a)                  | trips is paid on a folded hand kept under it       | trips_table=C  | Qs Qc  | Jh Jd Js 9c 6s | 1: 3c 2d ante 10 blind 10 trips 5 fold       | 1 ante 0 blind 0 trips 20            |                                   |
UTH-MD 11.I(1)                     | trips loses on two pair though the hand wins       |                | Jc Jd  | 8c 8d Kh 5s 2c | 1: Kc Ad ante 10 blind 10 trips 10 play 4x   | 1 ante 20 blind 10 play 80 trips 0   |                                   |
"""


@pytest.mark.parametrize("line", lines("UTH-MA", MA))
def test_massachusetts_blind_and_trips(line: dict[str, str]) -> None:
    """Blind follows the win, trips the hand alone."""
    check(line)


@pytest.mark.parametrize("line", lines("UTH-MD", MD))
def test_maryland_blind_and_trips(line: dict[str, str]) -> None:
    """Blind follows the win and the table, trips the hand alone."""
    check(line)


@pytest.mark.parametrize(
    ("posted", "returned"), [("6 to 1", 70_00), ("7 for 1", 70_00), ("3 to 1", 50_00)], ids=["above", "for", "below"]
)
def test_posted_trips_odds_count_where_they_are_above_the_floor(posted: str, returned: int) -> None:
    """UTH-MA 11(d): paid at no less than the table; what was posted below it does not bind the player."""
    board, own, dealer = (cards(text) for text in ("9c 8d 7h 2s Kc", "Jc Td", "Kd Qs"))
    seat = Seat(seat=1, wagers={"ante": 10_00, "blind": 10_00, "trips": 10_00}, cards=own, choice="play")
    posting = house(newest("UTH-MA"), {"posted_odds": {"trips": {"straight": posted}}})
    settlement = settle(posting, PlayedRound(book="UTH-MA", seats=(seat,), dealer=dealer, community=board))
    assert settlement.seats[1]["trips"].returned == returned
