"""Pik-it's irregularities: what voids a round, and what had been settled by then."""

import pytest

from domain.settlement import settle
from domain.settlement.outcome import RULING
from tests.rulecard import case_of, check, lines

# Two pair and a paid pair; trips and a paid pair; nothing and nothing. The passes run 6, 4, 2.
TWO = "2: 9s 9h 4c 4d Js ante 10 bonus5 10 bonus3 5"
FOUR = "4: Ac Ad Ah 8c 3d ante 10 bonus5 10 bonus3 5"
SIX = "6: 2d 6h 8s Tc Jd ante 10 bonus5 10 bonus3 5"
SELECTS = {TWO: " select 9s 9h Js", FOUR: " select Ac Ad 8c", SIX: " select 2d 6h 8s"}


def seats(two: str = "", four: str = "", six: str = "") -> str:
    """The three seats, each as far as it had come: "" dealt, "s" selected, "s play5" decided too."""
    come = {TWO: two, FOUR: four, SIX: six}
    return " / ".join(seat + far.replace("s", SELECTS[seat], 1) for seat, far in come.items())


ALL_BACK = "2 ante 10 bonus5 10 bonus3 5 / 4 ante 10 bonus5 10 bonus3 5 / 6 ante 10 bonus5 10 bonus3 5"

# when | how far each seat had come | ruling | what each hands back
STAGES = [
    ("PIK 38.12(d)", "while dealing nothing was settled", "stage=dealing", seats(), ALL_BACK),
    ("PIK 39.10(b)/s3; PIK 39.10(c)", "in the first pass: seats 6 and 4 had their 3 card bonus settled", "stage=bonus3 at_seat=4", seats(four="s", six="s"), "2 ante 10 bonus5 10 bonus3 5 / 4 ante 10 bonus5 10 bonus3 - / 6 ante 10 bonus5 10 bonus3 -"),
    ("PIK 39.10(b)/s3", "in the first pass, before the seat served had selected", "stage=bonus3 at_seat=4", seats(six="s"), "2 ante 10 bonus5 10 bonus3 5 / 4 ante 10 bonus5 10 bonus3 5 / 6 ante 10 bonus5 10 bonus3 -"),
    ("PIK 39.10(b)/s3; PIK 39.10(c)2", "in the second pass every 3 card bonus was settled, of the others those of 6 and 4", "stage=bonus5 at_seat=4", seats("s", "s", "s play5"), "2 ante 10 bonus5 10 bonus3 - / 4 ante 10 bonus5 - bonus3 - / 6 ante 10 bonus5 - bonus3 - play5 10"),
    ("PIK 39.10(c)2; PIK 39.10(c)", "the 5 card bonus is settled before the decision", "stage=decision at_seat=6", seats("s", "s", "s"), "2 ante 10 bonus5 10 bonus3 - / 4 ante 10 bonus5 10 bonus3 - / 6 ante 10 bonus5 - bonus3 -"),
    ("PIK 39.10(c)4; PIK 39.3(b)/s2", "a folded ante was collected at once", "stage=decision at_seat=2", seats("s", "s play3", "s fold"), "2 ante 10 bonus5 - bonus3 - / 4 ante 10 bonus5 - bonus3 - play3 10 / 6 ante - bonus5 - bonus3 -"),
    ("PIK 38.12(d); PIK 39.9(c)2", "when the dealer's stack came every bonus was settled", "stage=dealer-stack", seats("s play5", "s play3", "s fold"), "2 ante 10 play5 10 bonus5 - bonus3 - / 4 ante 10 play3 10 bonus5 - bonus3 - / 6 ante - bonus5 - bonus3 -"),
    ("PIK 38.12(d)", "no stage written down and nothing decided: nothing was settled", "", seats(), ALL_BACK),
    ("PIK 38.12(d)", "no stage written down: the decisions on record say how far it had come", "", seats("s", "s play3", "s fold"), "2 ante 10 bonus5 10 bonus3 - / 4 ante 10 bonus5 - bonus3 - play3 10 / 6 ante - bonus5 - bonus3 -"),
    ("PIK 39.10(b)/s3", "no stage written down: once anyone has decided every 3 card bonus was settled", "", seats("", "s play3", "s fold"), "2 ante 10 bonus5 10 bonus3 - / 4 ante 10 bonus5 - bonus3 - play3 10 / 6 ante - bonus5 - bonus3 -"),
    ("PIK 38.12(d)", "the ruling is that the settled bonuses stand", "stage=decision at_seat=2 ruling=stands", seats("s", "s play3", "s fold"), "2 ante 10 bonus5 20 bonus3 10 / 4 ante 10 bonus5 30 bonus3 10 play3 10 / 6 ante 0 bonus5 0 bonus3 0"),
    ("PIK 38.12(d)", "the ruling is that they are reversed, the folded ante too", "stage=decision at_seat=2 ruling=reversed", seats("s", "s play3", "s fold"), ALL_BACK),
]  # fmt: skip


@pytest.mark.parametrize(
    ("clause", "says", "at", "played", "returns"), STAGES, ids=[f"{row[0]}: {row[1]}" for row in STAGES]
)
def test_a_dealers_card_seen_early_voids_all_hands(clause: str, says: str, at: str, played: str, returns: str) -> None:
    """Open wagers go back; a settled one waits for a ruling, or follows it."""
    line = {"book": "PIK", "clause": clause, "says": says, "dealer": "Kc Qd 7h 5s 2c", "seats": played}
    check(line | {"wrong": f"card-exposed of=dealer cards=[] {at}".strip(), "returns": returns, "void": "yes"})


@pytest.mark.parametrize(
    "wrong",
    [
        "wrong-count of=dealer dealt=6 stage=decision at_seat=4",
        "stub-count finding=misdealt of=dealer dealt=6 stage=decision at_seat=4",
        "stub-count finding=not-misdealt stage=decision at_seat=4",
        "jam device=shoe stage=decision at_seat=4",
    ],
)
def test_what_was_settled_is_the_same_whatever_voids_the_round(wrong: str) -> None:
    """PIK 38.12(c), PIK 39.7(e)2/s2, PIK 39.7(e)2/s3, PIK 38.12(f): each amount if it stands and if it is reversed."""
    dealer = "Kc Qd 7h 5s 2c 3c" if "dealt=6" in wrong else "Kc Qd 7h 5s 2c"
    line = {"book": "PIK", "says": "", "house": "", "dealer": dealer, "wrong": wrong}
    case = case_of(line | {"seats": seats("s", "s", "s fold")})
    settlement = settle(case.house, case.played)
    waiting = {
        (seat, wager): one.alternatives
        for seat, held in settlement.seats.items()
        for wager, one in held.items()
        if one.basis == RULING
    }
    assert waiting == {
        (2, "bonus3"): (10_00, 5_00),
        (4, "bonus3"): (10_00, 5_00),
        (4, "bonus5"): (30_00, 10_00),
        (6, "bonus3"): (0, 5_00),
        (6, "bonus5"): (0, 10_00),
        (6, "ante"): (0, 10_00),
    }
    assert settlement.seats[2]["bonus5"].returned == 10_00


CARD = """
clause             | says                                                   | house | dealer         | seats                                                                   | wrong                                                                             | returns                                | void | sure
PIK 38.12(a)/s1    | one card face up is set aside and play goes on         |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                               | card-face-up found=[{"card":"3h","after_cards":7}]                                | 2 ante 20 bonus5 20 play5 20           |      |
PIK 38.12(a)/s2    | a second one voids all hands                           |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 bonus3 5                            | card-face-up found=[{"card":"3h","after_cards":7},{"card":"4h","after_cards":9}]  | 2 ante 10 bonus5 10 bonus3 5           | yes  |
PIK 38.12(a)/s2    | what was decided on void hands counts for nothing      |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 fold                                | card-face-up found=[{"card":"3h","after_cards":7},{"card":"4h","after_cards":9}]  | 2 ante 10 bonus5 10                    | yes  |
PIK 38.12(a)/s2    | one in a stack delivered last comes after the bonuses  | dealing_method=automated-shoe dealer_stack_delivery=after-decisions | | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 fold | card-face-up found=[{"card":"3h","after_cards":5},{"card":"4h","after_cards":6}] ruling=stands | 2 ante 0 bonus5 20 | yes |
PIK 38.12(a)/s2    | one in a player's stack comes before them              | dealing_method=automated-shoe dealer_stack_delivery=after-decisions | | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 | card-face-up found=[{"card":"3h","after_cards":1},{"card":"4h","after_cards":2}] | 2 ante 10 bonus5 10 | yes |
PIK 38.12(b)       | a card drawn in error and not seen is the next card    |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                               | card-drawn-in-error card=9s exposed=false used_as=seat:2 after_cards=1            | 2 ante 20 bonus5 20 play5 20           |      | certain
PIK 38.12(b)       | one that was seen is set aside: a reading              |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                               | card-drawn-in-error card=3h exposed=true after_cards=1                            | 2 ante 20 bonus5 20 play5 20           |      | reading
PIK 38.12(c)       | four cards at a seat void all hands                    |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d ante 10 bonus5 10 / 3: As Ks Qs Js Ts ante 10 bonus5 10  | wrong-count of=seat:2 dealt=4 stage=dealing                                       | 2 ante 10 bonus5 10 / 3 ante 10 bonus5 10 | yes |
PIK 38.12(c)       | a bonus settled on six cards: no text says at what     |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js 3h ante 10 bonus5 10 bonus3 5 select 9s 9h Js fold    | wrong-count of=seat:2 dealt=6 stage=reveal ruling=stands                          | 2 ante 0 bonus5 - bonus3 10            | yes  |
PIK 38.12(c)       | reversed, it goes back all the same                    |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d ante 10 bonus5 10 fold                                   | wrong-count of=seat:2 dealt=4 stage=reveal ruling=reversed                        | 2 ante 10 bonus5 10                    | yes  |
PIK 38.12(c)       | found after settlement every wager waits for a ruling  |       | Kc Qd 7h 5s 2c 3h | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                            | wrong-count of=dealer dealt=6 stage=after-settlement                              | 2 ante - bonus5 - play5 -              | yes  | ruling
PIK 38.12(c)       | and at what the bonus was settled is known             |       | Kc Qd 7h 5s 2c 3h | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                            | wrong-count of=dealer dealt=6 stage=after-settlement ruling=stands                | 2 ante - bonus5 20 play5 -             | yes  |
PIK 38.12(d)       | once the dealer has revealed, a card seen is no fault  |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                               | card-exposed of=dealer cards=["Kc"] stage=reveal                                  | 2 ante 20 bonus5 20 play5 20           |      | certain
PIK 38.12(d)       | a player's card seen early is in no clause             |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                               | card-exposed of=seat:2 cards=["9s"] stage=dealing                                 | 2 ante 20 bonus5 20 play5 20           |      | ruling
PIK 38.12(d)       | a bonus whose cards were not seen waits with the rest  |       | Kc Qd 7h 5s 2c | 2: 9s ?? 4c 4d Js ante 10 bonus5 10                                     | card-exposed of=dealer cards=["Kc"] stage=decision at_seat=2                      | 2 ante 10 bonus5 -                     | yes  | 2 bonus5 ruling
PIK 38.12(e)       | a jammed shuffler only has the cards reshuffled        |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                               | jam device=shuffler stage=before-deal                                             | 2 ante 20 bonus5 20 play5 20           |      | certain
PIK 38.12(f)       | a jammed dealing shoe voids the round                  | dealing_method=automated-shoe | | 2: 9s 9h 4c ante 10 bonus5 10 bonus3 5                        | jam device=shoe stage=dealing                                                     | 2 ante 10 bonus5 10 bonus3 5           | yes  |
PIK 38.12(f)       | one that jams before the deal has nothing to void      | dealing_method=automated-shoe | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5       | jam device=shoe stage=before-deal                                                 | 2 ante 20 bonus5 20 play5 20           |      |
PIK 38.12(g)       | a device left at the table touches no wager            |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                               | device-not-removed device=automated-shuffler                                      | 2 ante 20 bonus5 20 play5 20           |      | certain
PIK 39.7(e)2/s2    | misdealt: void by the count of the stub                |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js 3h ante 10 bonus5 10                                  | stub-count finding=misdealt of=seat:2 dealt=6 stub=41 stage=dealing               | 2 ante 10 bonus5 10                    | yes  |
PIK 39.7(e)2/s3    | not misdealt: void, and the deck goes                  |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10                                     | stub-count finding=not-misdealt stub=41 stage=dealing                             | 2 ante 10 bonus5 10                    | yes  |
PIK 39.7(f)/s2     | a deck the shuffler counted wrong goes before the deal |       | Kc Qd 7h 5s 2c | 2: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                               | shuffler-count count=53 stage=before-deal                                         | 2 ante 20 bonus5 20 play5 20           |      | certain
"""


@pytest.mark.parametrize("line", lines("PIK", CARD))
def test_each_irregularity_of_pik_it(line: dict[str, str]) -> None:
    """Each kind with what its clause makes of the round."""
    check(line)


@pytest.mark.parametrize(
    ("wrong", "clause"),
    [
        ('card-face-up found=[{"card":"3h"},{"card":"4h"}]', "PIK 38.12(a)/s2"),
        ("wrong-count of=dealer dealt=5", "PIK 38.12(c)"),
        ('card-exposed of=dealer cards=["Kc"]', "PIK 38.12(d)"),
        ("jam device=shoe stage=dealing", "PIK 38.12(f)"),
        ("stub-count finding=misdealt of=dealer dealt=5", "PIK 39.7(e)2/s2"),
        ("stub-count finding=not-misdealt", "PIK 39.7(e)2/s3"),
    ],
)
def test_a_void_round_names_the_clause_that_voids_it(wrong: str, clause: str) -> None:
    """And so does every wager that goes back."""
    line = {"book": "PIK", "says": "", "house": "", "dealer": "Kc Qd 7h 5s 2c", "wrong": wrong}
    case = case_of(line | {"seats": "2: 9s 9h 4c 4d Js ante 10 bonus5 10"})
    settlement = settle(case.house, case.played)
    assert settlement.void_clause == clause
    assert {one.clause for one in settlement.seats[2].values()} == {clause}
