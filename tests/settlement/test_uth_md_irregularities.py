"""Irregularities in Maryland: void hands, hands settled all the same, and hands only a ruling can settle."""

import pytest

from tests.rulecard import check, lines

# Seat 1 has a straight on the board (trips A 4 to 1), seat 2 a pair; the box gives seat 1 three tens.
OPTIONS = (
    "trips_table=A six_card_table=A ultimate_pairs_table=A bad_beat_table=A play_board_table=A "
    'progressive.table=A progressive.meters={"main":2000000}'
)
BOARD = {
    "community": "8h 7d 6c Kd Kh",
    "dealer": "As 4d",
    "box": "Tc Td 2s 3h",
    "house": f"{OPTIONS} dealing_method=automated-shoe",
}
ONE = "1: Ts 9s ante 25 blind 25 trips 15 six_card 5 progressive 5 bad_beat 5 play_the_board 5"
TWO = "2: Qd Qc ante 25 blind 25 trips 10 ultimate_pairs 5"
SEATS = f"{ONE} play 3x / {TWO}"
PLAYED = f"{ONE} play 3x / {TWO} play 1x"
FOLDED = f"{ONE} fold / {TWO}"

SIDES = "six_card 5 progressive 5 envy 0 bad_beat 5 play_the_board 5"
TRIPS_STAND = f"1 ante 25 blind 25 trips 75 play 75 {SIDES} / 2 ante 25 blind 25 trips 0 ultimate_pairs 5"
ALL_BACK = f"1 ante 25 blind 25 trips 15 play 75 {SIDES} / 2 ante 25 blind 25 trips 10 ultimate_pairs 5"
ALL_BACK_TOO = f"{ALL_BACK} play 25"
SETTLED = (
    "1 ante 50 blind 50 trips 75 play 150 six_card 30 progressive 155 envy 0 bad_beat 0 play_the_board 10 "
    "/ 2 ante 50 blind 25 trips 0 ultimate_pairs 55 play 50"
)
OPEN = (
    "1 ante - blind - trips - play - six_card - progressive - envy - bad_beat - play_the_board - "
    "/ 2 ante - blind - trips - ultimate_pairs - play -"
)


def _face_up(*found: str) -> str:
    return "card-face-up found=[" + ",".join("{" + one + "}" for one in found) + "]"


LATE = "stub-count finding=not-misdealt stage=after-settlement"
CARD = f"""
clause                       | says                                                          | seats    | wrong                                                             | void | returns        | by
UTH-MD 13.F; UTH-MD 13.G     | a dealer's card seen before the last decision                 | {SEATS}  | card-exposed of=dealer cards=["As"] stage=flop pending_seats=[2]  | yes  | {TRIPS_STAND}  | 1 ante UTH-MD 13.F / 1 trips UTH-MD 12.C(1) / 1 six_card UTH-MD 13.F
UTH-MD 13.F                  | a hand folded before gets ante and blind back                 | {FOLDED} | card-exposed of=dealer cards=["As"] stage=river pending_seats=[2] | yes  | 1 ante 25 blind 25 trips 75 {SIDES} / 2 ante 25 blind 25 trips 0 ultimate_pairs 5 | 1 trips UTH-MD 12.C(1)
UTH-MD 13.F                  | seen after the last decision: nothing is void                 | {PLAYED} | card-exposed of=dealer cards=["As"] stage=river pending_seats=[]  |      | {SETTLED}      | 1 ante UTH-MD 12.A
UTH-MD 13.F                  | a community card seen too early is not covered                | {PLAYED} | card-exposed of=community cards=["8h"] stage=preflop              |      | {SETTLED}      |
UTH-MD 13.A                  | one card face up is set aside                                 | {PLAYED} | {_face_up('"card":"2h","after_cards":4')}                          |      | {SETTLED}      | 1 ante UTH-MD 12.A
UTH-MD 13.B                  | two before everyone has two cards: all goes back              | {SEATS}  | {_face_up('"card":"2h","when":"before-initial"', '"card":"2d","when":"before-initial"')} | yes | {ALL_BACK} | 1 trips UTH-MD 13.B
UTH-MD 13.B                  | box and board first: fourteen cards are not all hands yet     | {SEATS}  | {_face_up('"card":"2h","after_cards":14', '"card":"2d","after_cards":14')} | yes | {ALL_BACK}   | 1 trips UTH-MD 13.B
UTH-MD 13.C                  | two when box, board and the three hands lie: trips is settled | {SEATS}  | {_face_up('"card":"2h","after_cards":15', '"card":"2d","after_cards":15')} | yes | {TRIPS_STAND} | 1 ante UTH-MD 13.B / 1 trips UTH-MD 12.C(1)
UTH-MD 13.C                  | the second decides: one before, one after                     | {SEATS}  | {_face_up('"card":"2h","after_cards":3', '"card":"2d","when":"after-initial"')} | yes | {TRIPS_STAND} |
UTH-MD 13.D                  | drawn in error unseen: it is the next card                    | {PLAYED} | card-drawn-in-error card="Ts" exposed=false used_as=seat:1        |      | {SETTLED}      | 1 ante UTH-MD 12.A
UTH-MD 13.D; UTH-MD 13.F     | drawn in error and seen, the dealer's                         | {SEATS}  | card-drawn-in-error card="As" exposed=true used_as=dealer         | yes  | {TRIPS_STAND}  | 1 ante UTH-MD 13.F
UTH-MD 13.E                  | a player with three cards voids every hand, trips too         | {ONE} play 3x / 2: Qd Qc 2d ante 25 blind 25 trips 10 ultimate_pairs 5 | wrong-count of=seat:2 dealt=3 stage=dealing | yes | {ALL_BACK} | 1 trips UTH-MD 13.E
UTH-MD 13.E                  | a dealer one card short is not made right here                | {SEATS}  | wrong-count of=dealer dealt=1 missing_card_face_up=false deck_correct=true stage=dealing | yes | {ALL_BACK} |
UTH-MD 13.E                  | a dealer with three cards                                     | {SEATS}  | wrong-count of=dealer dealt=3 stage=flop                          | yes  | {ALL_BACK}     |
UTH-MD 13.E                  | a community area of six                                       | {PLAYED} | wrong-count of=community dealt=6 stage=river                      | yes  | {ALL_BACK_TOO} |
UTH-MD 13.E                  | a box of five is treated alike                                | {SEATS}  | wrong-count of=six-card-box dealt=5 stage=preflop                 | yes  | {ALL_BACK}     | 1 six_card UTH-MD 13.E
UTH-MD 13.E                  | a folded hand's ante, blind and trips go back too             | {FOLDED} | wrong-count of=community dealt=6 stage=river                      | yes  | 1 ante 25 blind 25 trips 15 {SIDES} / 2 ante 25 blind 25 trips 10 ultimate_pairs 5 |
UTH-MD 13.H(2)               | a shuffler that jams gives all wagers back                    | {PLAYED} | jam device=shuffler deck=playing stage=during-round               | yes  | {ALL_BACK_TOO} | 1 trips UTH-MD 13.H(2)
UTH-MD 13.H(2)               | with the other deck in it the round goes on                   | {PLAYED} | jam device=shuffler deck=idle stage=during-round                  |      | {SETTLED}      |
UTH-MD 13.I; UTH-MD 13.I(1)  | a dealing shoe that jams in a round voids it, trips too       | {SEATS}  | jam device=shoe stage=flop                                        | yes  | {ALL_BACK}     | 1 trips UTH-MD 13.I(1)
UTH-MD 13.I                  | one that jammed before the round was put right                | {PLAYED} | jam device=shoe stage=before-deal                                 |      | {SETTLED}      |
UTH-MD 13.J(1)               | a device left uncovered is a fault and costs nobody           | {PLAYED} | device-not-removed device=shuffler                                |      | {SETTLED}      |
UTH-MD 10.E(1)               | a stub count shows a misdeal: all goes back, trips too        | {PLAYED} | stub-count finding=misdealt of=seat:2 stage=before-settlement     | yes  | {ALL_BACK_TOO} | 1 trips UTH-MD 10.E(1)
UTH-MD 10.E(2)               | a stub count shows a wrong deck: all goes back                | {PLAYED} | stub-count finding=not-misdealt stage=before-settlement           | yes  | {ALL_BACK_TOO} | 1 trips UTH-MD 10.E(2)
UTH-MD 10.E(2)               | found after settlement: it stays as settled, to be reviewed   | {PLAYED} | {LATE}                                                            |      | {SETTLED}      | 1 ante UTH-MD 12.A
UTH-MD 10.E(2)               | found after settlement, ruled to stand                        | {PLAYED} | {LATE} ruling=stands                                              | yes  | {SETTLED}      |
UTH-MD 10.E(2)               | found after settlement, ruled reversed                        | {PLAYED} | {LATE} ruling=reversed                                            | yes  | {ALL_BACK_TOO} |
UTH-MD 10.E(2)               | found after settlement and void, the ruling is missing        | {PLAYED} | {LATE} ruling=null                                                | yes  | {OPEN}         |
UTH-MD 10.E(1)               | a misdeal found after settlement: nobody can say what stood   | {PLAYED} | stub-count finding=misdealt of=seat:2 stage=after-settlement      |      | {OPEN}         |
UTH-MD 13.E                  | a wrong count found after settlement: a ruling                | {PLAYED} | wrong-count of=community dealt=6 stage=after-settlement           |      | {OPEN}         | 1 ante UTH-MD 13.E
"""


@pytest.mark.parametrize("line", lines("UTH-MD", CARD))
def test_maryland_irregularities(line: dict[str, str]) -> None:
    """By stage, by who was served, and by what the ruling said."""
    check({**BOARD, **line})


# The clause of a stub count goes by the way the cards are dealt.
BY_METHOD = [
    ("manual-shoe", "misdealt", "UTH-MD 8.G(1)"),
    ("manual-shoe", "not-misdealt", "UTH-MD 8.G(2)"),
    ("hand", "misdealt", "UTH-MD 9.E(1)"),
    ("hand", "not-misdealt", "UTH-MD 9.E(2)"),
    ("automated-shoe", "misdealt", "UTH-MD 10.E(1)"),
    ("automated-shoe", "not-misdealt", "UTH-MD 10.E(2)"),
]


@pytest.mark.parametrize(("method", "finding", "clause"), BY_METHOD, ids=[row[2] for row in BY_METHOD])
def test_a_stub_count_voids_by_the_clause_of_its_dealing_method(method: str, finding: str, clause: str) -> None:
    """All wagers go back, certainly, whichever chapter deals."""
    line = {**BOARD, "book": "UTH-MD", "says": "", "seats": "1: Ts 9s ante 25 blind 25 trips 15 play 3x", "void": "yes"}
    line["house"] = f"trips_table=A dealing_method={method}"
    line["wrong"] = f"stub-count finding={finding} of=seat:1 stage=before-settlement"
    settlement = check(line | {"returns": "1 ante 25 blind 25 trips 15 play 75", "sure": "certain"})
    assert settlement.void_clause == clause


# method, six card bonus, players -> cards that lie when the last hand has its second card
HANDS_COMPLETE = [
    ("manual-shoe", False, 1, 4),
    ("manual-shoe", False, 2, 6),
    ("hand", False, 2, 6),
    ("automated-shoe", False, 2, 11),
    ("automated-shoe", True, 2, 15),
]


@pytest.mark.parametrize(("method", "box", "players", "cards"), HANDS_COMPLETE)
def test_trips_is_settled_from_the_card_that_completes_the_hands(
    method: str, box: bool, players: int, cards: int
) -> None:
    """UTH-MD 13.C: boards and boxes dealt first do not make the initial two cards."""
    seats = " / ".join(["1: Ts 9s ante 25 blind 25 trips 15", "2: Qd Qc ante 25 blind 25"][:players])
    options = f"trips_table=A dealing_method={method}" + (" six_card_table=A" if box else "")
    for after, trips in ((cards - 1, 15), (cards, 75)):
        wrong = _face_up(f'"card":"2h","after_cards":{after}', f'"card":"2d","after_cards":{after}')
        line = {**BOARD, "book": "UTH-MD", "says": "", "seats": seats, "house": options, "wrong": wrong, "void": "yes"}
        check(line | {"returns": f"1 trips {trips} ante 25 blind 25", "box": ""})


def test_what_the_text_names_is_certain_and_what_it_leaves_out_a_reading() -> None:
    """UTH-MD 13.F names ante, blind and play; the other wagers, and a folded hand's, go back by a reading."""
    wrong = "card-exposed of=dealer stage=river pending_seats=[2]"
    line = {**BOARD, "book": "UTH-MD", "says": "", "wrong": wrong, "void": "yes"}
    sure = "2 ante certain / 2 blind certain / 2 trips certain / 2 ultimate_pairs reading"
    check(line | {"seats": SEATS, "returns": "1 play 75", "sure": f"{sure} / 1 play certain / 1 progressive reading"})
    check(line | {"seats": FOLDED, "returns": "1 ante 25", "sure": f"{sure} / 1 ante reading / 1 trips certain"})
    box = {**BOARD, "book": "UTH-MD", "says": "", "seats": SEATS, "void": "yes", "returns": "1 ante 25"}
    check(box | {"wrong": "wrong-count of=six-card-box dealt=5 stage=preflop", "sure": "reading"})
    check(box | {"wrong": "wrong-count of=dealer dealt=3 stage=preflop", "sure": "certain"})


def test_the_jam_of_the_idle_deck_goes_by_the_house() -> None:
    """UTH-MD 13.H(2): read as the round to be dealt from the jammed deck, or taken by the letter."""
    jam = "jam device=shuffler deck=idle stage=during-round"
    line = {**BOARD, "book": "UTH-MD", "says": "", "seats": PLAYED, "wrong": jam}
    check(line | {"returns": SETTLED, "sure": "reading"})
    literal = f"{BOARD['house']} idle_jam_returns_wagers=true"
    check(line | {"house": literal, "returns": ALL_BACK_TOO, "void": "yes", "sure": "reading"})


METERS = [
    pytest.param("card-exposed of=dealer stage=flop pending_seats=[2]", 20_000_00, id="void before settlement"),
    pytest.param(f"{LATE}", 18_000_00, id="found late, not void"),
    pytest.param(f"{LATE} ruling=stands", 18_000_00, id="found late, the award stands"),
    pytest.param(f"{LATE} ruling=reversed", 20_000_00, id="found late, the award is reversed"),
    pytest.param(f"{LATE} ruling=null", None, id="found late, the ruling is missing"),
]


@pytest.mark.parametrize(("wrong", "main"), METERS)
def test_a_void_round_moves_no_meter_unless_its_award_stands(wrong: str, main: int | None) -> None:
    """UTH-MD 12.D(4): a tenth of the meter was paid for a straight flush, and envy with it."""
    seats = "1: Ts 9s ante 25 blind 25 progressive 5 play 3x / 2: Qd Qc ante 25 blind 25 trips 5 progressive 1 play 1x"
    line = {**BOARD, "book": "UTH-MD", "says": "", "seats": seats, "wrong": wrong, "community": "8s 7s 6s Kd Kh"}
    line["void"] = "" if wrong == LATE else "yes"
    stands = wrong == LATE or "ruling=stands" in wrong
    award = "-" if "null" in wrong else "2000" if stands else "5"
    envy = "-" if "null" in wrong else "300" if stands else "0"
    settlement = check(line | {"returns": f"1 progressive {award} / 2 envy {envy}"})
    assert settlement.meters_after == (None if main is None else {"main": main})
    if main is None:
        assert settlement.seats[1]["progressive"].alternatives == (2_000_00, 5_00)
        assert settlement.seats[2]["envy"].alternatives == (300_00, 0)


def test_cards_nobody_covered_leave_the_round_to_a_ruling() -> None:
    """UTH-MD 13.D, 13.F: a card seen that is not the dealer's is in no clause; amounts stand if the round does."""
    for wrong in (
        'card-drawn-in-error card="Ts" exposed=true used_as=seat:1',
        "card-exposed of=community stage=preflop",
        "card-exposed of=six-card-box stage=flop",
    ):
        line = {**BOARD, "book": "UTH-MD", "says": "", "seats": PLAYED, "wrong": wrong}
        check(line | {"returns": SETTLED, "sure": "ruling"})
