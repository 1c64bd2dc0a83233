"""Rounds of which not everything was seen: settled as far as it goes, and what is missing by name."""

import pytest

from domain.settlement import settle
from tests.rulecard import case_of, check, lines

COVER = "cover_all=true shuffler=cover-all"
PROG = "progressive.table=A"
BOTH = "six_card_table=A ultimate_pairs_table=B bad_beat_table=A play_board_table=A dealing_method=automated-shoe"

MA = f"""
clause                  | says                                                         | house   | dealer | community      | seats                                                                                     | returns
UTH-MA 10(h)(1)         | an unseen dealer leaves the three open and settles trips     |         | ?? ??  | 8c 8d Kh 5s 2c | 1: 8h Ah ante 10 blind 10 trips 5 play 4x                                                   | 1 ante ? blind ? play ? trips 20
UTH-MA 10(h)(2)         | nothing the dealer can hold beats a royal                    |         | ?? ??  | Qh Jh Th 7c 7d | 1: Ah Kh ante 10 blind 10 trips 5 play 4x                                                   | 1 ante 20 blind 5010 play 80 trips 255
UTH-MA 10(e)(2)         | a fold loses ante and blind whatever was seen                |         | ?? ??  | ?? ?? ?? ?? ?? | 1: ?? ?? ante 10 blind 10 trips 5 fold                                                      | 1 ante 0 blind 0 trips ?
UTH-MA 10(h)(4) s2      | a folded hand nobody saw has trips if the board has          |         | Kd Qs  | 7c 7d 7h 7s Ad | 1: ?? ?? ante 10 blind 10 trips 5 fold                                                      | 1 trips 155
UTH-MA 10(h)(4) s2      | and may have them otherwise                                  |         | Kd Qs  | 7c 7d 2h 9s Ad | 1: ?? ?? ante 10 blind 10 trips 5 fold                                                      | 1 trips ?
UTH-MA 10(h)(1)         | another seat's unseen cards leave this one's wagers alone    |         | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 10 blind 10 play 4x / 2: ?? ?? ante 10 blind 10 trips 5 fold                  | 1 ante 20 blind 10 play 80 / 2 ante 0 blind 0 trips ?
UTH-MA 10(h)(1)         | one card of two may be enough to lose                        |         | Kd ??  | Kh Kc 7c 4s 2d | 1: Jd Qc ante 10 blind 10 play 1x                                                           | 1 ante 0 blind 0 play 0
UTH-MA 10(g)            | a dealer who may or may not have a pair leaves the ante open |         | Ah ??  | Ks 9d 7h 4c 2s | 1: Qd Jd ante 10 blind 10 play 1x                                                           | 1 ante ? blind 0 play 0
UTH-MA 11(b)            | an amount nobody saw is open where it wins                   |         | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante ? blind 10 play ?                                                             | 1 ante ? blind 10 play ?
UTH-MA 10(h)(1)         | and is lost where it loses                                   |         | Kd Qs  | Kh 9d 7c 4s 2c | 1: 8d 3c ante ? blind ? trips ? play ?                                                      | 1 ante 0 blind 0 play 0 trips 0
UTH-MA 13(b)            | Cover All waits for a hand that may be the highest           | {COVER} | Kc Jd  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 play 1x / 2: ?? ?? ante 5 blind 5 fold                  | 1 cover_all ?
UTH-MA 13(b)            | and not for one that cannot                                  | {COVER} | Kc Jd  | 9c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 play 1x / 2: 9d ?? ante 5 blind 5 fold                  | 1 cover_all 0
UTH-MA 13(g)            | nor for one that cannot be higher than what lies             | {COVER} | Kc Jd  | Qh Jh Th 7c 7d | 1: Ah Kh ante 5 blind 5 cover_all 5 play 4x / 2: ?? ?? ante 5 blind 5 fold                  | 1 cover_all 755
UTH-MA 13(b)            | one card seen may make sure of a line                        | {COVER} | Kc Jd  | 8c 8d 8s 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 play 1x / 2: 8h ?? ante 5 blind 5 fold                  | 1 cover_all 255
UTH-MA 13(b)            | Cover All waits for a board nobody saw                       | {COVER} | Kc Jd  | 8c 8d ?? 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all 5 play 1x                                                 | 1 cover_all ?
UTH-MA 13(b)            | its amount unseen, it is still lost below the matrix         | {COVER} | Kc Jd  | 9c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 cover_all ? play 1x                                                 | 1 cover_all 0
UTH-MA 14(c)            | without the house's awards the progressive needs a ruling    | progressive.amount=500 | Kc Jd | 9c 8d Kh 5s 2c | 1: 3c 4d ante 5 blind 5 trips 5 progressive 5 play 1x                               | 1 progressive - trips 0
UTH-MA 14(c)            | there is no envy to wait for, whatever was not seen          | progressive.amount=500 | Kc ?? | 9c 8d Kh 5s 2c | 1: 3c ?? ante 5 blind 5 progressive 5 play 1x / 2: ?? ?? ante 5 blind 5 play 1x     | 1 progressive - envy 0 ante ?
"""

MD = f"""
clause                  | says                                                         | house   | dealer | community      | box         | seats                                                                                                                | returns                                                                     | meters
UTH-MD 11.I(3)          | the six card bonus needs neither dealer nor board            | {BOTH}  | ?? ??  | ?? ?? ?? ?? ?? | Jh Js Jc 2c | 1: Qd Jd ante 10 blind 10 trips 5 six_card 5 play 4x                                                                   | 1 six_card 255 trips ? ante ?                                               |
UTH-MD 11.I(3)          | an unseen card of the box may matter                         | {BOTH}  | Kd Qs  | Kh 9d 7c 4s 2c | Jh Js ?? 3c | 1: 9h 8h ante 10 blind 10 trips 5 six_card 5 play 4x                                                                   | 1 six_card ? trips 0                                                        |
UTH-MD 12.E#2(2)        | ultimate pairs B waits for the dealer's cards on aces        | {BOTH}  | ?? ??  | Kh 9d 7c 4s 2c |             | 1: Ad Ac ante 10 blind 10 ultimate_pairs 5 play 4x / 2: 9h 9c ante 10 blind 10 ultimate_pairs 5 fold                   | 1 ultimate_pairs ? / 2 ultimate_pairs 20                                    |
UTH-MD 12.E#2(2)        | not where one seen card is no ace                            | {BOTH}  | Kd ??  | Kh 9d 7c 4s 2c |             | 1: Ad Ac ante 10 blind 10 ultimate_pairs 5 play 4x                                                                     | 1 ultimate_pairs 155                                                        |
UTH-MD 12.F#2(1)        | bad beat waits for the dealer, a folded one does not         | {BOTH}  | ?? ??  | 9c 8d 7h 2s Kc |             | 1: Jc Td ante 10 blind 10 bad_beat 5 play 4x / 2: Jd Ts ante 10 blind 10 bad_beat 5 fold                               | 1 bad_beat ? / 2 bad_beat 0                                                 |
UTH-MD 12.G(1)          | play the board needs the board alone                         | {BOTH}  | ?? ??  | 8c 8d 5h 5s 4c |             | 1: ?? ?? ante 10 blind 10 play_the_board 5 fold                                                                        | 1 play_the_board 20 ante 0                                                  |
UTH-MD 11.J(2)(e)(i)    | envy waits for a hand that may be a straight flush           | {PROG}  | 2h 2d  | Qs Js Ts 3c 4d |             | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: ?? ?? ante 5 blind 5 trips 5 play 4x                                | 1 envy ? progressive 0                                                      | main 10000
UTH-MD 11.J(2)(e)(i)    | not for one that was folded and racked                       | {PROG}  | 2h 2d  | Qs Js Ts 3c 4d |             | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: ?? ?? ante 5 blind 5 fold                                           | 1 envy 0                                                                    | main 10000
UTH-MD 11.J(2)(e)(i)    | but for one folded under its trips                           | {PROG}  | 2h 2d  | Qs Js Ts 3c 4d |             | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: ?? ?? ante 5 blind 5 trips 5 fold                                   | 1 envy ?                                                                    |
UTH-MD 1.B(3)           | no board, no envy: nothing can be a straight flush           | {PROG}  | 2h 2d  | Qs Jd 7h 3c 3d |             | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 3: ?? ?? ante 5 blind 5 play 1x / 4: ?? ?? ante 5 blind 5 trips 5 fold  | 1 envy 0 progressive 0                                                      | main 10000
UTH-MD 12.D(4)          | a royal waits for an earlier unseen hand at the meter        | {PROG}  | 2h 2d  | Qs Js Ts 3c 4d |             | 1: As Ks ante 5 blind 5 progressive 1 play 1x / 4: ?? ?? ante 5 blind 5 progressive 5 play 4x                          | 1 progressive ? / 4 progressive ?                                           |
UTH-MD 12.D(4)          | not for one whose turn is after it                           | {PROG}  | 2h 2d  | Qs Js Ts 3c 4d |             | 4: As Ks ante 5 blind 5 progressive 1 play 1x / 1: ?? ?? ante 5 blind 5 progressive 5 play 4x                          | 4 progressive 10000 / 1 progressive ?                                       |
UTH-MD 12.D(4)          | nor for one that was folded and comes at the end             | {PROG}  | 2h 2d  | Qs Js Ts 3c 4d |             | 1: As Ks ante 5 blind 5 progressive 1 play 1x / 4: ?? ?? ante 5 blind 5 progressive 5 fold                             | 1 progressive 10000 / 4 progressive ?                                       |
UTH-MD 12.D(4)          | two unseen seats that cannot touch the meter                 | {PROG}  | 2h 2d  | 9c 9d 9h 9s 4d |             | 1: As Ks ante 5 blind 5 progressive 1 play 1x / 3: ?? ?? ante 5 blind 5 progressive 5 fold / 4: ?? ?? ante 5 blind 5 progressive 5 fold | 1 progressive 301 / 3 progressive 1505 / 4 progressive 1505     | main 10000
UTH-MD 12.D(1)(a)       | an amount nobody saw: a meter pays all the same              | {PROG}  | 2h 2d  | Qs Js Ts 3c 4d |             | 1: As Ks ante 5 blind 5 progressive ? play 1x                                                                          | 1 progressive 10000                                                         | main 10000
UTH-MD 12.D(1)(a)       | odds do not, and a lost one is lost                          | {PROG}  | 2h 2d  | 8c 8d Kh 5s 2c |             | 1: 8h Ah ante 5 blind 5 progressive ? play 1x / 2: 3c 4d ante 5 blind 5 progressive ? fold                             | 1 progressive ? / 2 progressive 0                                           |
UTH-MD 12.D(5)(a)       | envy goes by an amount somebody must have seen               | {PROG}  | 2h 2d  | Qs Js Ts 3c 4d |             | 1: 6c 7d ante 5 blind 5 progressive ? play 1x / 4: As Ks ante 5 blind 5 play 4x                                        | 1 envy ? progressive 0                                                      |
UTH-MD 7.C(2)           | an abandoned hand nobody saw is lost all the same            | {PROG} abandoned_wagers_lose=true | ?? ?? | ?? ?? ?? ?? ?? |    | 1: ?? ?? ante 5 blind 5 trips 5 progressive 5 play 1x left                                                             | 1 ante 0 blind 0 play 0 trips 0 progressive 0 envy 0                        | main 10000
UTH-MD 13.G             | trips after a void waits for the hand nobody saw             |         | As 4d  | 8h 7d 6c Kd Kh |             | 1: ?? ?? ante 5 blind 5 trips 5 play 4x                                                                                | 1 ante 5 blind 5 play 20 trips ?                                            |
"""


@pytest.mark.parametrize("line", lines("UTH-MA", MA) + lines("UTH-MD", MD))
def test_what_was_seen_decides_as_far_as_it_goes(line: dict[str, str]) -> None:
    """A wager is settled if every way the unseen cards can lie gives one amount."""
    if line["clause"] == "UTH-MD 13.G":
        line = line | {"wrong": "card-exposed of=dealer stage=flop pending_seats=[1]", "void": "yes"}
    check(line)


def test_what_is_missing_is_named() -> None:
    """Each undecidable wager names the cards, the decision or the amount that would decide it."""
    seats = (
        "1: 8h Ah ante 10 blind 10 play 4x / 2: 9d ?? ante 10 blind 10 trips 5 fold / 3: Ac Ad ante ? blind 10 trips ?"
    )
    line = {"book": "UTH-MD", "says": "", "dealer": "Kc ??", "community": "8c 8d Kh 5s 2c", "seats": seats}
    case = case_of(line)
    held = settle(case.house, case.played).seats
    assert held[1]["ante"].needs == ("the dealer's second card",)
    assert held[2]["trips"].needs == ("seat 2's second card",)
    assert held[2]["ante"].returned == 0
    assert "the dealer's second card" in held[3]["blind"].needs or "seat 3's decision" in held[3]["blind"].needs


def test_order_and_seen_hands_are_known_however_the_unseen_cards_lie() -> None:
    """UTH-MA 10(h) s1, UTH-MD 11.H(2): folded seats last, and hands that were seen are announced."""
    seats = "1: Ad Ac ante 10 blind 10 play 4x / 2: 3c ?? ante 10 blind 10 fold / 5: 9h 9c ante 10 blind 10 play 2x"
    for book in ("UTH-MA", "UTH-MD"):
        line = {"book": book, "says": "", "dealer": "Kd Qs", "community": "Kh 9d 7c 4s 2c", "seats": seats}
        case = case_of(line)
        settlement = settle(case.house, case.played)
        assert settlement.order == (5, 1, 2)
        assert settlement.hands.keys() == {0, 1, 5}


@pytest.mark.parametrize(("bonus", "answer"), [("100", 15_100_00), ("500", 25_500_00)])
def test_cover_all_keeps_to_the_limit_of_all_bets_with_a_card_unseen(bonus: str, answer: int) -> None:
    """UTH-MA 14(d): the folded seat's unseen card changes nothing, the $75,000 still holds."""
    seats = f"1: Ah Kh ante 200 blind 200 trips 100 cover_all {bonus} play 4x / 2: 3c ?? ante 5 blind 5 fold"
    line = {"book": "UTH-MA", "says": "", "house": COVER, "dealer": "9s 9c", "community": "Qh Jh Th 7c 7d"}
    case = case_of(line | {"seats": seats})
    assert settle(case.house, case.played).seats[1]["cover_all"].returned == answer


def test_a_limit_leaves_trips_open_while_the_other_wagers_are() -> None:
    """UTH-MD 12.F: with $60,000 in reach, what is cut from trips hangs on a dealer nobody saw."""
    seats = "1: 9h 8h ante 2000 blind 2000 trips 500 play 4x"
    line = {"book": "UTH-MD", "says": "", "dealer": "?? ??", "community": "Qh Jh Th 7c 7d", "seats": seats}
    check(line | {"returns": "1 trips 20500"})
    check(line | {"house": "payout_cap=6000000", "returns": "1 trips ?"})


def test_a_dealer_made_right_keeps_a_card_nobody_wrote_down() -> None:
    """UTH-MA 15(d) s2: the second card was dealt in sequence; unseen, it leaves open what hangs on it."""
    wrong = "wrong-count of=dealer dealt=1 missing_card_face_up=false deck_correct=true stage=dealing"
    seats = "1: 8h Ah ante 10 blind 10 trips 5 play 4x"
    line = {"book": "UTH-MA", "says": "", "dealer": "Kc", "community": "8c 8d Kh 5s 2c", "seats": seats, "wrong": wrong}
    check(line | {"returns": "1 ante ? trips 20"})


@pytest.mark.parametrize(
    ("line", "clauses"),
    [
        ({"book": "COL", "seats": "1: ante 5 bonus 1 keep ?? ?? bet"}, {"ante", "bet", "bonus"}),
        (
            {"book": "UTH-MD", "house": PROG, "seats": "1: ante 5 blind 5 progressive 1 play 4x / 2: ante 5 blind 5"},
            {"envy"},
        ),
    ],
)
def test_where_nothing_was_seen_the_pay_table_is_still_named(line: dict[str, str], clauses: set[str]) -> None:
    """COL 12(b), UTH-MD 12.D(5)(b): too much is unseen to say which line decides."""
    case = case_of({"says": "", **line})
    outcomes = settle(case.house, case.played).seats[1]
    assert {wager for wager, one in outcomes.items() if one.clause} >= clauses


@pytest.mark.parametrize(("book", "clause"), [("UTH-MA", "UTH-MA 15(b) s2"), ("UTH-MD", "UTH-MD 13.B")])
def test_trips_hangs_on_when_two_cards_lay_face_up(book: str, clause: str) -> None:
    """UTH-MA 15(b) s3, UTH-MD 13.C: settled if the hands were dealt, returned if not; nobody wrote down which."""
    wrong = 'card-face-up found=[{"card":"2h"},{"card":"2d"}]'
    seats = "1: 8h Ah ante 10 blind 10 trips 5 play 4x"
    line = {"book": book, "says": "", "dealer": "Kc Jd", "community": "8c 8d Kh 5s 2c", "seats": seats, "wrong": wrong}
    settlement = check(
        line | {"returns": "1 ante 10 blind 10 play 40 trips ?", "void": "yes", "by": f"1 trips {clause}"}
    )
    assert settlement.seats[1]["trips"].needs == ("when it happened",)
