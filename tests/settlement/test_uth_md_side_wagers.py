"""Maryland's ultimate pairs, bad beat and play the board: every line of their fifteen tables, and who is beaten."""

import pytest

from tests.rulecard import check, lines
from tests.settlement.paytables import pay_lines

PAIRS = """
hand                        | own   | dealer | community
aces, the dealer's as well  | Ac As | Ad Ah  | Kh 9d 7c 4s 2c
red aces, dealer's as well  | Ah Ad | Ac As  | Kh 9d 7c 4s 2c
red aces                    | Ah Ad | Kd Qs  | Kh 9d 7c 4s 2c
aces, one of them red       | Ah As | Kd Qs  | Kh 9d 7c 4s 2c
aces, the dealer with one   | Ac As | Ad Qs  | Kh 9d 7c 4s 2c
ace and king suited         | Ah Kh | Kd Qs  | Ts 9d 7c 4s 2c
ace and queen suited        | Ah Qh | Kd Qs  | Ts 9d 7c 4s 2c
ace and jack suited         | Jh Ah | Kd Qs  | Ts 9d 7c 4s 2c
ace and king                | Ah Kc | Kd Qs  | Ts 9d 7c 4s 2c
kings                       | Kh Kc | Ad Qs  | Ts 9d 7c 4s 2c
queens                      | Qh Qc | Kd Qs  | Ts 9d 7c 4s 2c
jacks                       | Jh Jc | Kd Qs  | Ts 9d 7c 4s 2c
ace and queen               | Ah Qc | Kd Qs  | Ts 9d 7c 4s 2c
ace and jack                | Jc Ah | Kd Qs  | Ts 9d 7c 4s 2c
tens                        | Th Tc | Kd Qs  | Ks 9d 7c 4s 2c
twos                        | 2h 2d | Kd Qs  | Ks 9d 7c 4s 2c
ace and ten suited          | Ah Th | Kd Qs  | Ks 9d 7c 4s 2c
king and queen suited       | Kh Qh | Kd Qs  | Ts 9d 7c 4s 2c
ace and king on the board   | Ah 3c | Kd Qs  | Ks Ad Ac 4s 2c
"""
PAIR_TABLES = """
hand                        | UTH-MD 12.E#2(1) | UTH-MD 12.E#2(2) | UTH-MD 12.E#2(3) | UTH-MD 12.E#2(4) | UTH-MD 12.E#2(5) | UTH-MD 12.E#2(6)
house                       | ultimate_pairs_table=A | ultimate_pairs_table=B | ultimate_pairs_table=C | ultimate_pairs_table=D | ultimate_pairs_table=E | ultimate_pairs_table=F
aces, the dealer's as well  | 30 to 1          | 1,000 to 1       | 30 to 1          | 30 to 1          | 25 to 1          | 25 to 1
red aces, dealer's as well  | 30 to 1          | 1,000 to 1       | 30 to 1          | 100 to 1         | 50 to 1          | 25 to 1
red aces                    | 30 to 1          | 30 to 1          | 30 to 1          | 100 to 1         | 50 to 1          | 25 to 1
aces, one of them red       | 30 to 1          | 30 to 1          | 30 to 1          | 30 to 1          | 25 to 1          | 25 to 1
aces, the dealer with one   | 30 to 1          | 30 to 1          | 30 to 1          | 30 to 1          | 25 to 1          | 25 to 1
ace and king suited         | 25 to 1          | 25 to 1          | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1
ace and queen suited        | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1
ace and jack suited         | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1
ace and king                | 15 to 1          | 15 to 1          | 10 to 1          | 10 to 1          | 10 to 1          | 10 to 1
kings                       | 10 to 1          | 10 to 1          | 5 to 1           | 4 to 1           | 5 to 1           | 5 to 1
queens                      | 10 to 1          | 10 to 1          | 5 to 1           | 4 to 1           | 5 to 1           | 5 to 1
jacks                       | 10 to 1          | 10 to 1          | 5 to 1           | 4 to 1           | 5 to 1           | 5 to 1
ace and queen               | 5 to 1           | 5 to 1           | 10 to 1          | 10 to 1          | 10 to 1          | 10 to 1
ace and jack                | 5 to 1           | 5 to 1           | 10 to 1          | 10 to 1          | 10 to 1          | 10 to 1
tens                        | 3 to 1           | 3 to 1           | 5 to 1           | 4 to 1           | 5 to 1           | 5 to 1
twos                        | 3 to 1           | 3 to 1           | 5 to 1           | 4 to 1           | 5 to 1           | 5 to 1
ace and ten suited          | lost             | lost             | lost             | lost             | lost             | lost
king and queen suited       | lost             | lost             | lost             | lost             | lost             | lost
ace and king on the board   | lost             | lost             | lost             | lost             | lost             | lost
"""

# The beaten hand is the dealer's in the first half and the player's in the second.
BEATEN = """
hand                          | own   | dealer | community
dealer's straight flush       | Kh Ah | 8h 7d  | Qh Jh Th 9h 2c
dealer's four of a kind       | 9h 9s | 7s 2s  | 9c 7c 7d 7h 9d
dealer's full house           | 9h 9s | Kd 4d  | 9c 9d Kh Ks 4c
dealer's flush                | Kh 4h | Qh 3h  | Ah 9h 2h 8d 7c
dealer's straight             | Jc Td | 6h 5h  | 9c 8d 7h 2s Kc
dealer's three of a kind      | 9h 9s | 8h 8s  | 9c 8d Kh 5s 2c
dealer's two pair             | 8h Ah | Kc Jd  | 8c 8d Kh 5s 2c
player's straight flush       | 8h 7d | Kh Ah  | Qh Jh Th 9h 2c
player's four of a kind       | 7s 2s | 9h 9s  | 9c 7c 7d 7h 9d
player's full house           | Kd 4d | 9h 9s  | 9c 9d Kh Ks 4c
player's flush                | Qh 3h | Kh 4h  | Ah 9h 2h 8d 7c
player's straight             | 6h 5h | Jc Td  | 9c 8d 7h 2s Kc
player's three of a kind      | 8h 8s | 9h 9s  | 9c 8d Kh 5s 2c
player's two pair             | Kc Jd | 8h Ah  | 8c 8d Kh 5s 2c
"""
BEAT_TABLES = """
hand                          | UTH-MD 12.F#2(1) | UTH-MD 12.F#2(2) | UTH-MD 12.F#2(3)
house                         | bad_beat_table=A | bad_beat_table=B | bad_beat_table=C
dealer's straight flush       | 10,000 to 1      | 7,500 to 1       | 2,500 to 1
dealer's four of a kind       | 500 to 1         | 500 to 1         | 500 to 1
dealer's full house           | 40 to 1          | 50 to 1          | 50 to 1
dealer's flush                | 25 to 1          | 30 to 1          | 30 to 1
dealer's straight             | 20 to 1          | 20 to 1          | 20 to 1
dealer's three of a kind      | 9 to 1           | 9 to 1           | 9 to 1
dealer's two pair             | lost             | lost             | lost
player's straight flush       | 10,000 to 1      | 7,500 to 1       | 2,500 to 1
player's four of a kind       | 500 to 1         | 500 to 1         | 500 to 1
player's full house           | 40 to 1          | 50 to 1          | 50 to 1
player's flush                | 25 to 1          | 30 to 1          | 30 to 1
player's straight             | 20 to 1          | 20 to 1          | 20 to 1
player's three of a kind      | 9 to 1           | 9 to 1           | 9 to 1
player's two pair             | lost             | lost             | lost
"""

BOARDS = """
hand                 | own   | dealer | community
royal flush          | 2c 2d | 9h 9d  | As Ks Qs Js Ts
straight flush       | As 2d | 9h 9d  | Ks Qs Js Ts 9s
four of a kind       | As 2d | 9h 9d  | 8c 8d 8h 8s 2c
full house           | As 2d | 9h 9d  | 8c 8d 8h 2s 2c
flush                | As 2d | 9h 9d  | Qs Js 8s 4s 2s
straight             | As 2d | 9h 9d  | 8c 7d 6h 5s 4c
three of a kind      | As 2d | 9h 9d  | 8c 8d 8h 5s 4c
two pair             | As 2d | 9h 9d  | 8c 8d 5h 5s 4c
pair of aces         | As 2d | 9h 9d  | Ac Ad 8h 5s 4c
pair of tens         | As 2d | 9h 9c  | Tc Td 8h 5s 4c
pair of nines        | As 2d | 8h 8c  | 9c 9d 7h 5s 4c
pair of twos         | As 3d | 9h 9d  | 2c 2d 8h 5s 4c
nothing              | 9s 9c | 9h 9d  | Ac Kd 8h 5s 4c
"""
BOARD_TABLES = """
hand                 | UTH-MD 12.G(1)     | UTH-MD 12.G(2)     | UTH-MD 12.G(3)
house                | play_board_table=A | play_board_table=B | play_board_table=C
royal flush          | 1,000 to 1         | 1,000 to 1         | 1,000 to 1
straight flush       | 200 to 1           | 200 to 1           | 200 to 1
four of a kind       | 100 to 1           | 100 to 1           | 100 to 1
full house           | 50 to 1            | 50 to 1            | 50 to 1
flush                | 40 to 1            | 40 to 1            | 40 to 1
straight             | 25 to 1            | 25 to 1            | 20 to 1
three of a kind      | 7 to 1             | 6 to 1             | 6 to 1
two pair             | 3 to 1             | 3 to 1             | 3 to 1
pair of aces         | 1 to 1             | 1 to 1             | 1 to 1
pair of tens         | 1 to 1             | 1 to 1             | 1 to 1
pair of nines        | lost               | lost               | lost
pair of twos         | lost               | lost               | lost
nothing              | lost               | lost               | lost
"""


@pytest.mark.parametrize("line", pay_lines("UTH-MD", "ultimate_pairs", PAIRS, PAIR_TABLES))
def test_ultimate_pairs_pays_the_highest_line_of_the_first_two_cards(line: dict[str, str]) -> None:
    """One line alone; table B looks at the dealer's cards too, D and E at the colors of the aces."""
    check(line)


@pytest.mark.parametrize("line", pay_lines("UTH-MD", "bad_beat", BEATEN, BEAT_TABLES))
def test_bad_beat_pays_by_the_beaten_hand_whoever_holds_it(line: dict[str, str]) -> None:
    """Player beaten and dealer beaten pay alike; two pair beaten is no bad beat."""
    check(line)


@pytest.mark.parametrize("line", pay_lines("UTH-MD", "play_the_board", BOARDS, BOARD_TABLES))
def test_play_the_board_pays_by_the_five_community_cards(line: dict[str, str]) -> None:
    """Players' own cards do not count; a pair below tens loses."""
    check(line)


CARD = """
clause           | says                                               | house                  | dealer | community      | seats                                                | returns                             | sure
UTH-MD 12.F#2(1) | a tie beats nobody                                 | bad_beat_table=A       | 9h 9d  | As Ks Qs Js Ts | 1: 2c 2d ante 5 blind 5 bad_beat 5 play 1x             | 1 bad_beat 0                        | 1 bad_beat reading
UTH-MD 12.F#2(1) | nobody is beaten by a fold                         | bad_beat_table=A       | 6h 5h  | 9c 8d 7h 2s Kc | 1: Jc Td ante 5 blind 5 bad_beat 5 fold                | 1 bad_beat 0                        |
UTH-MD 12.F#2(1) | who is beaten is a reading                         | bad_beat_table=A       | 6h 5h  | 9c 8d 7h 2s Kc | 1: Jc Td ante 5 blind 5 bad_beat 5 play 1x             | 1 bad_beat 105                      | 1 bad_beat reading / 1 play certain
UTH-MD 12.F#2(3) | equal straights beat nobody                        | bad_beat_table=C       | Jc Td  | 9c 8d 7h 2s Kc | 1: Jd Tc ante 5 blind 5 bad_beat 5 play 1x             | 1 bad_beat 0 play 5                 |
UTH-MD 12.F#2(2) | three of a kind beaten by its kicker               | bad_beat_table=B       | 8h Ad  | 8c 8d 9h 5s 2c | 1: 8s Kc ante 5 blind 5 bad_beat 5 play 1x             | 1 bad_beat 50 play 0                |
UTH-MD 12.E#2(1) | ultimate pairs stands on a folded hand             | ultimate_pairs_table=A | Kd Qs  | Kh 9d 7c 4s 2c | 1: 3h 3d ante 5 blind 5 ultimate_pairs 5 fold          | 1 ultimate_pairs 20 ante 0          |
UTH-MD 12.E#2(1) | ultimate pairs stands on a losing hand             | ultimate_pairs_table=A | Kd Qs  | Kh 9d 7c 4s 2c | 1: 3h 3d ante 5 blind 5 ultimate_pairs 5 play 1x       | 1 ultimate_pairs 20 ante 0          |
UTH-MD 12.E#2(2) | the thousand instead of the thirty, not besides    | ultimate_pairs_table=B | Ah As  | Kc 8d 6h 4s 2c | 2: Ac Ad ante 20 blind 20 ultimate_pairs 5 play 4x     | 2 ultimate_pairs 5005 ante 20       | 2 ultimate_pairs certain
UTH-MD 12.G(1)   | play the board stands on a folded hand             | play_board_table=A     | Kc 9d  | Qh Qs Qd 5c 2h | 6: 4c 3s ante 10 blind 10 play_the_board 5 fold        | 6 play_the_board 40                 |
UTH-MD 12.G(1)   | a hand made with own cards pays nothing there      | play_board_table=A     | Kc 9d  | Qh Qs Jd 5c 2h | 6: Qc 3s ante 10 blind 10 play_the_board 5 play 1x     | 6 play_the_board 10 ante 20         |
UTH-MD 7.F(5)    | ultimate pairs not offered: only a ruling          |                        | Kd Qs  | Kh 9d 7c 4s 2c | 1: 3h 3d ante 5 blind 5 ultimate_pairs 5 fold          | 1 ultimate_pairs -                  |
UTH-MD 7.F(6)    | bad beat not offered: only a ruling                |                        | Kd Qs  | Kh 9d 7c 4s 2c | 1: 3h 3d ante 5 blind 5 bad_beat 5 fold                | 1 bad_beat -                        |
UTH-MD 7.F(7)    | play the board not offered: only a ruling          |                        | Kd Qs  | Kh 9d 7c 4s 2c | 1: 3h 3d ante 5 blind 5 play_the_board 5 fold          | 1 play_the_board -                  |
"""


@pytest.mark.parametrize("line", lines("UTH-MD", CARD))
def test_these_wagers_stand_beside_the_hand(line: dict[str, str]) -> None:
    """The results for folds, ties and losses, and for a house that does not offer them."""
    check(line)
