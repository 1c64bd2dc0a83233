"""Irregularities in Massachusetts: void hands, hands settled all the same, and hands only a ruling can settle."""

import pytest

from tests.rulecard import check, lines

# Two seats on a board that gives both trips: a straight of 5 to 1 (table B) and nothing.
HOUSE = "trips_table=B cover_all=true shuffler=cover-all dealing_method=automated-shoe"
BOARD = {"community": "8h 7d 6c Kd Kh", "dealer": "As 4d", "house": HOUSE}
SEATS = "1: Ts 9s ante 25 blind 25 trips 15 cover_all 5 play 3x / 2: Qd Qc ante 25 blind 25 trips 10"
PLAYED = "1: Ts 9s ante 25 blind 25 trips 15 cover_all 5 play 3x / 2: Qd Qc ante 25 blind 25 trips 10 play 1x"
FOLDED = "1: Ts 9s ante 25 blind 25 trips 15 cover_all 5 fold / 2: Qd Qc ante 25 blind 25 trips 10"

TRIPS_STAND = "1 ante 25 blind 25 trips 90 cover_all 5 play 75 / 2 ante 25 blind 25 trips 0"
ALL_BACK = "1 ante 25 blind 25 trips 15 cover_all 5 play 75 / 2 ante 25 blind 25 trips 10"
SETTLED = "1 ante 50 blind 50 trips 90 cover_all 0 play 150 / 2 ante 50 blind 25 trips 0 play 50"
OPEN = "1 ante - blind - trips - cover_all - play - / 2 ante - blind - trips - play -"

CARD = f"""
clause                           | says                                                          | seats    | wrong                                                                     | void | returns       | by
UTH-MA 15(a) s1; UTH-MA 15(a) s2 | a dealer's card seen before the last decision                 | {SEATS}  | card-exposed of=dealer cards=["As"] stage=flop pending_seats=[2]          | yes  | {TRIPS_STAND} | 1 ante UTH-MA 15(a) s1 / 1 trips UTH-MA 11(d) Paytable B
UTH-MA 15(a) s1; UTH-MA 15(a) s2 | the same where nobody wrote down who was pending              | {SEATS}  | card-exposed of=dealer cards=["As"] stage=river                           | yes  | {TRIPS_STAND} |
UTH-MA 15(a) s1                  | seen on the deal, whatever was decided after                  | {PLAYED} | card-exposed of=dealer cards=["As"] stage=dealing                         | yes  | 1 trips 90 ante 25 play 75 / 2 trips 0 ante 25 play 25 |
UTH-MA 15(a) s1                  | seen at the flop: the one who played at the river was pending | {PLAYED} | card-exposed of=dealer cards=["As"] stage=flop                            | yes  | 1 trips 90 ante 25 play 75 / 2 trips 0 ante 25 play 25 |
UTH-MA 15(a) s1                  | a hand folded before gets ante and blind back                 | {FOLDED} | card-exposed of=dealer cards=["As"] stage=river pending_seats=[2]         | yes  | 1 ante 25 blind 25 trips 90 cover_all 5 / 2 ante 25 blind 25 trips 0 |
UTH-MA 15(a) s1                  | seen on the street of the last decision, no more is known     | {PLAYED} | card-exposed of=dealer cards=["As"] stage=river                           |      | {SETTLED}     |
UTH-MA 15(a) s1                  | seen after the last decision: nothing is void                 | {PLAYED} | card-exposed of=dealer cards=["As"] stage=river pending_seats=[]          |      | {SETTLED}     | 1 trips UTH-MA 11(d) Paytable B
UTH-MA 15(a) s1                  | seen at the reveal: nothing is void                           | {PLAYED} | card-exposed of=dealer cards=["As"] stage=reveal                          |      | {SETTLED}     |
UTH-MA 15(a) s1                  | a player's card seen voids nothing                            | {PLAYED} | card-exposed of=seat:1 cards=["Ts"] stage=flop pending_seats=[2]          |      | {SETTLED}     |
UTH-MA 15(b) s1                  | one card face up is set aside                                 | {PLAYED} | card-face-up found=[{{"card":"2h","after_cards":4}}]                      |      | {SETTLED}     | 1 ante UTH-MA 11(b)
UTH-MA 15(b) s1                  | one card face up after the hands is set aside too             | {PLAYED} | card-face-up found=[{{"card":"2h","when":"after-initial"}}]               |      | {SETTLED}     |
UTH-MA 15(b) s2                  | two before everyone has two cards: all goes back              | {SEATS}  | card-face-up found=[{{"card":"2h","after_cards":1}},{{"card":"2d","after_cards":5}}] | yes | {ALL_BACK} | 1 trips UTH-MA 15(b) s2
UTH-MA 15(b) s2                  | the same by `when`                                            | {SEATS}  | card-face-up found=[{{"card":"2h","when":"before-initial"}},{{"card":"2d","when":"before-initial"}}] | yes | {ALL_BACK} |
UTH-MA 15(b) s2; UTH-MA 15(b) s3 | two when the six hole cards lie: trips is settled             | {SEATS}  | card-face-up found=[{{"card":"2h","after_cards":6}},{{"card":"2d","after_cards":6}}] | yes | {TRIPS_STAND} | 1 ante UTH-MA 15(b) s2 / 1 trips UTH-MA 11(d) Paytable B
UTH-MA 15(b) s3                  | the second decides: one before, one after                     | {SEATS}  | card-face-up found=[{{"card":"2h","after_cards":3}},{{"card":"2d","after_cards":9}}] | yes | {TRIPS_STAND} |
UTH-MA 15(b) s3                  | the same by `when`                                            | {SEATS}  | card-face-up found=[{{"card":"2h","when":"before-initial"}},{{"card":"2d","when":"after-initial"}}] | yes | {TRIPS_STAND} |
UTH-MA 15(b) s3                  | the second of three, not the third, decides                   | {SEATS}  | card-face-up found=[{{"card":"2h","after_cards":1}},{{"card":"2d","after_cards":5}},{{"card":"2c","when":"after-initial"}}] | yes | {ALL_BACK} |
UTH-MA 15(c)                     | drawn in error unseen: it is the next card                    | {PLAYED} | card-drawn-in-error card="Ts" exposed=false used_as=seat:1                |      | {SETTLED}     | 1 ante UTH-MA 11(b)
UTH-MA 15(c); UTH-MA 15(a) s1    | drawn in error and seen, the dealer's                         | {SEATS}  | card-drawn-in-error card="As" exposed=true used_as=dealer                 | yes  | {TRIPS_STAND} | 1 ante UTH-MA 15(a) s1
UTH-MA 15(d) s1                  | a player with three cards: that hand alone                    | 1: Ts 9s ante 25 blind 25 trips 15 cover_all 5 play 3x / 2: Qd Qc 2d ante 25 blind 25 trips 10 | wrong-count of=seat:2 dealt=3 stage=dealing | | 1 ante 50 blind 50 play 150 trips 90 cover_all 0 / 2 ante 25 blind 25 trips 10 | 2 trips UTH-MA 15(d) s1
UTH-MA 15(d) s1                  | a player with one card: that hand alone                       | 1: Ts 9s ante 25 blind 25 trips 15 cover_all 5 play 3x / 2: Qd ante 25 blind 25 trips 10 | wrong-count of=seat:2 dealt=1 stage=dealing | | 1 ante 50 blind 50 play 150 trips 90 cover_all 0 / 2 ante 25 blind 25 trips 10 |
UTH-MA 15(d) s1                  | noticed when he had played: his play goes back too            | 1: Ts 9s ante 25 blind 25 trips 15 cover_all 5 play 3x / 2: Qd Qc 2d ante 25 blind 25 trips 10 play 2x | wrong-count of=seat:2 dealt=3 stage=flop | | 1 ante 50 / 2 ante 25 blind 25 trips 10 play 50 |
UTH-MA 15(d) s1                  | noticed after settlement: his hand waits for a ruling         | 1: Ts 9s ante 25 blind 25 trips 15 cover_all 5 play 3x / 2: Qd Qc 2d ante 25 blind 25 trips 10 play 2x | wrong-count of=seat:2 dealt=3 stage=after-settlement | | 1 ante 50 blind 50 play 150 / 2 ante - blind - trips - play - | 2 ante UTH-MA 15(d) s1
UTH-MA 15(d) s2                  | a dealer one card short is dealt it in sequence               | {PLAYED} | wrong-count of=dealer dealt=1 missing_card_face_up=false deck_correct=true stage=dealing | | {SETTLED} | 1 ante UTH-MA 11(b)
UTH-MA 15(d) s2                  | not if the card already lies face up                          | {SEATS}  | wrong-count of=dealer dealt=1 missing_card_face_up=true deck_correct=true stage=flop  | yes | {ALL_BACK} | 1 ante UTH-MA 15(d) s2
UTH-MA 15(d) s2                  | not if the deck is wrong                                      | {SEATS}  | wrong-count of=dealer dealt=1 missing_card_face_up=false deck_correct=false stage=flop | yes | {ALL_BACK} |
UTH-MA 15(d) s2                  | a dealer with three cards cannot be made right                | {SEATS}  | wrong-count of=dealer dealt=3 missing_card_face_up=false deck_correct=true stage=flop | yes | {ALL_BACK} | 1 trips UTH-MA 15(d) s2
UTH-MA 15(d) s1                  | a community area miscounted is not mentioned: a ruling        | {PLAYED} | wrong-count of=community dealt=6 stage=river                              |      | {OPEN}        |
UTH-MA 7(f)(2) s2                | a stub count shows a misdeal: all goes back, trips too        | {PLAYED} | stub-count finding=misdealt of=seat:2 stage=before-settlement             | yes  | {ALL_BACK}    | 2 trips UTH-MA 7(f)(2) s2
UTH-MA 7(f)(2) s2                | also of the dealer, who is not made right any more            | {PLAYED} | stub-count finding=misdealt of=dealer stage=before-settlement             | yes  | {ALL_BACK}    |
UTH-MA 7(f)(2) s3                | a stub count shows a wrong deck: all goes back                | {PLAYED} | stub-count finding=not-misdealt stage=before-settlement                   | yes  | {ALL_BACK}    | 2 trips UTH-MA 7(f)(2) s3
UTH-MA 7(f)(2) s3                | found after settlement: it stays as settled, to be reviewed   | {PLAYED} | stub-count finding=not-misdealt stage=after-settlement                    |      | {SETTLED}     | 1 ante UTH-MA 11(b)
UTH-MA 7(f)(2) s3                | found after settlement, ruled to stand                        | {PLAYED} | stub-count finding=not-misdealt stage=after-settlement ruling=stands      | yes  | {SETTLED}     |
UTH-MA 7(f)(2) s3                | found after settlement, ruled reversed                        | {PLAYED} | stub-count finding=not-misdealt stage=after-settlement ruling=reversed    | yes  | {ALL_BACK}    |
UTH-MA 7(f)(2) s3                | found after settlement and void, the ruling is missing        | {PLAYED} | stub-count finding=not-misdealt stage=after-settlement ruling=null        | yes  | {OPEN}        |
UTH-MA 7(f)(2) s2                | a misdeal found after settlement: nobody can say what stood   | {PLAYED} | stub-count finding=misdealt of=seat:2 stage=after-settlement              |      | {OPEN}        | 1 ante UTH-MA 7(f)(2) s2
UTH-MA 15(e)                     | a shuffler that jams costs nobody a wager                     | {PLAYED} | jam device=shuffler deck=playing stage=during-round                       |      | {SETTLED}     | 1 ante UTH-MA 11(b)
UTH-MA 15(e)                     | nor does one with the other deck in it                        | {PLAYED} | jam device=shuffler deck=idle stage=during-round                          |      | {SETTLED}     |
UTH-MA 15(f)                     | a dealing shoe that jams in a round voids it, trips too       | {SEATS}  | jam device=shoe stage=flop                                                | yes  | {ALL_BACK}    | 1 trips UTH-MA 15(f)
UTH-MA 15(f)                     | one that jammed before the round was put right                | {PLAYED} | jam device=shoe stage=before-deal                                         |      | {SETTLED}     |
UTH-MA 15(g)                     | a device left on the table is a fault and costs nobody        | {PLAYED} | device-not-removed device=shuffler                                        |      | {SETTLED}     |
"""


def _with_play(returns: str, seats: str) -> str:
    """The wagers returned: if seat 2 has played before, its play is returned as well."""
    return f"{returns} play 25" if returns == ALL_BACK and seats == PLAYED else returns


@pytest.mark.parametrize("line", lines("UTH-MA", CARD))
def test_massachusetts_irregularities(line: dict[str, str]) -> None:
    """By stage, by who was served, and by what the ruling said."""
    check({**BOARD, **line, "returns": _with_play(line["returns"], line["seats"])})


def test_a_jam_before_any_card_is_dealt_gives_the_wagers_back() -> None:
    """UTH-MA 15(f): with no card on the table there is nothing to settle the wagers by."""
    line = {"book": "UTH-MA", "says": "", "house": HOUSE, "wrong": "jam device=shoe stage=before-deal", "void": "yes"}
    seats = "1: ante 25 blind 25 trips 15 cover_all 5"
    check(line | {"seats": seats, "returns": "1 ante 25 blind 25 trips 15 cover_all 5"})


def test_a_progressive_goes_back_with_the_rest_and_no_envy_is_known() -> None:
    """UTH-MA 15(a) s1: only trips is settled; the progressive is returned by the reading."""
    line = {
        **BOARD,
        "book": "UTH-MA",
        "says": "",
        "void": "yes",
        "wrong": "card-exposed of=dealer stage=flop pending_seats=[1]",
    }
    line["house"] = 'trips_table=A progressive.amount=500 progressive.house_awards={"straight":15000}'
    seats = "1: Ts 9s ante 25 blind 25 trips 15 progressive 5"
    check(
        line
        | {
            "seats": seats,
            "returns": "1 progressive 5 envy 0 trips 75",
            "sure": "1 progressive reading / 1 trips certain",
        }
    )


def test_what_stays_as_settled_after_a_late_count_waits_for_a_ruling() -> None:
    """UTH-MA 7(f)(2) s3: the amounts are those paid, and their basis says that only a ruling makes them stand."""
    wrong = "stub-count finding=not-misdealt stage=after-settlement"
    check(
        {**BOARD, "book": "UTH-MA", "says": "", "seats": PLAYED, "wrong": wrong, "returns": SETTLED, "sure": "ruling"}
    )


def test_a_missing_ruling_names_both_amounts() -> None:
    """UTH-MA 7(f)(2) s3: what was paid if it stands, the stake if it is reversed."""
    wrong = "stub-count finding=not-misdealt stage=after-settlement ruling=null"
    line = {**BOARD, "book": "UTH-MA", "says": "", "seats": PLAYED, "wrong": wrong, "returns": OPEN, "void": "yes"}
    held = check(line).seats
    assert {wager: one.alternatives for wager, one in held[1].items()} == {
        "ante": (50_00, 25_00),
        "blind": (50_00, 25_00),
        "trips": (90_00, 15_00),
        "cover_all": (0, 5_00),
        "play": (150_00, 75_00),
    }


def test_a_card_drawn_in_error_and_seen_waits_for_a_ruling_if_it_is_not_the_dealers() -> None:
    """UTH-MA 15(c) speaks of an unexposed card alone: the round is settled as it lies, by a ruling."""
    wrong = 'card-drawn-in-error card="Ts" exposed=true used_as=seat:1'
    check(
        {**BOARD, "book": "UTH-MA", "says": "", "seats": PLAYED, "wrong": wrong, "returns": SETTLED, "sure": "ruling"}
    )


def test_a_hand_that_waits_alone_names_the_stake_it_may_get_back() -> None:
    """UTH-MA 15(d) s1: after settlement nobody can say what three cards had won; a reversal returns the stakes."""
    seats = "1: Ts 9s ante 25 blind 25 play 3x / 2: Qd Qc 2d ante 25 blind 25 trips 10 play 2x"
    for ruled, back in (("", None), (" ruling=null", None), (" ruling=reversed", 25_00), (" ruling=stands", None)):
        wrong = f"wrong-count of=seat:2 dealt=3 stage=after-settlement{ruled}"
        returns = f"1 ante 50 / 2 ante {'-' if back is None else 25}"
        held = check({**BOARD, "book": "UTH-MA", "says": "", "seats": seats, "wrong": wrong, "returns": returns}).seats
        assert held[2]["ante"].alternatives == ((None, 25_00) if back is None else None)
        assert held[1]["ante"].basis == "certain"
