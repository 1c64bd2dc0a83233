"""Colorado's irregularities: what voids a round, and what had been settled by then."""

import pytest

from domain.settlement import settle
from tests.rulecard import case_of, check, lines

# A pair of kings on the board of 8s 5h 2c wins; decisions run from the lowest seat up.
CARD = """
clause               | says                                                     | house                       | community   | seats                                                                                                                   | wrong                                                                             | returns                                     | void | sure
COL 14(a)/s1         | one card face up is set aside and play goes on           |                             | 8s 5h 2c    | 1: Kd Kh 3s ante 25 bonus 1 keep Kd Kh bet                                                                              | card-face-up found=[{"card":"Jd","after_cards":2}]                                | 1 ante 50 bet 50 bonus 1                    |      | certain
COL 14(a)/s2         | a second one voids all hands                             |                             | 8s 5h       | 1: Kd Kh 3s ante 25 bonus 1                                                                                             | card-face-up found=[{"card":"Jd","after_cards":2},{"card":"Qh","after_cards":4}]  | 1 ante 25 bonus 1                           | yes  |
COL 14(a)/s2         | what was decided on void hands counts for nothing        |                             | 8s 5h 2c    | 1: Kd Kh 3s ante 25 bonus 1 fold                                                                                        | card-face-up found=[{"card":"Jd","after_cards":2},{"card":"Qh","after_cards":4}]  | 1 ante 25 bonus 1                           | yes  |
COL 14(b)            | a card drawn in error and not seen is the next card      |                             | 8s 5h 2c    | 1: Kd Kh 3s ante 25 keep Kd Kh bet                                                                                      | card-drawn-in-error card=8s exposed=false used_as=community after_cards=1         | 1 ante 50 bet 50                            |      | certain
COL 14(b)            | one that was seen is set aside: a reading                |                             | 8s 5h 2c    | 1: Kd Kh 3s ante 25 keep Kd Kh bet                                                                                      | card-drawn-in-error card=9s exposed=true after_cards=1                            | 1 ante 50 bet 50                            |      | reading
COL 14(c)            | two cards at a seat void all hands                       |                             | 8s 5h 2c    | 1: Kd Kh ante 25 bonus 1 / 2: 9s 9d 4c ante 10                                                                          | wrong-count of=seat:1 dealt=2 stage=dealing                                       | 1 ante 25 bonus 1 / 2 ante 10               | yes  |
COL 14(c)            | four community cards: bets go back with the antes        |                             | 8s 5h 2c 9c | 1: Kd Kh 3s ante 25 bonus 1 keep Kd Kh bet                                                                              | wrong-count of=community dealt=4 stage=community                                  | 1 ante 25 bet 25 bonus 1                    | yes  | reading
COL 14(c)            | a fold and a declaration before it were settled          |                             | 8s 5h 2c    | 1: Kd 9h 3s ante 25 bonus 1 fold / 2: 5c 6c 7c ante 20 bonus 1 declare / 3: Qs Qd 3c ante 10 bonus 1 keep Qs Qd bet / 4: 9s 9d ante 10 bonus 1 | wrong-count of=seat:4 dealt=2 stage=decision at_seat=4 ruling=null | 1 ante - bonus 1 / 2 ante - bonus - / 3 ante 10 bet 10 bonus 1 / 4 ante 10 bonus 1 | yes |
COL 14(c)            | they stand by the ruling                                 |                             | 8s 5h 2c    | 1: Kd 9h 3s ante 25 bonus 1 fold / 2: 5c 6c 7c ante 20 bonus 1 declare / 4: 9s 9d ante 10 bonus 1                       | wrong-count of=seat:4 dealt=2 stage=decision at_seat=4 ruling=stands              | 1 ante 0 bonus 1 / 2 ante 120 bonus 6 / 4 ante 10 bonus 1 | yes |
COL 14(c)            | they are reversed by the ruling                          |                             | 8s 5h 2c    | 1: Kd 9h 3s ante 25 bonus 1 fold / 2: 5c 6c 7c ante 20 bonus 1 declare / 4: 9s 9d ante 10 bonus 1                       | wrong-count of=seat:4 dealt=2 stage=decision at_seat=4 ruling=reversed            | 1 ante 25 bonus 1 / 2 ante 20 bonus 1 / 4 ante 10 bonus 1 | yes |
COL 14(c); COL 14(d) | a wrong declaration before it was settled as well        |                             | 8s 5h 2c    | 2: 5c 6c 9c ante 20 bonus 1 declare / 4: 9s 9d ante 10                                                                  | wrong-count of=seat:4 dealt=2 stage=decision at_seat=4 ruling=stands              | 2 ante 0 bonus 1 / 4 ante 10                | yes  |
COL 14(c); COL 11(b) | a fold the version does not know had settled nothing     | version=permissible         | 8s 5h 2c    | 1: Kd 9h 3s ante 25 bonus 1 fold / 4: 9s 9d ante 10                                                                     | wrong-count of=seat:4 dealt=2 stage=decision at_seat=4                            | 1 ante 25 bonus 1 / 4 ante 10               | yes  |
COL 14(c)            | a declaration on four cards: no text says at what        |                             | 8s 5h 2c    | 1: 5c 6c 7c 8c ante 25 bonus 1 declare                                                                                  | wrong-count of=seat:1 dealt=4 stage=community ruling=stands                       | 1 ante - bonus -                            | yes  |
COL 14(c)            | found after settlement every wager waits for a ruling    |                             | 8s 5h 2c    | 1: Kd Kh 3s ante 25 keep Kd Kh bet / 2: 5s 9d ante 10 bonus 1 keep 5s 9d bet                                            | wrong-count of=seat:2 dealt=2 stage=after-settlement                              | 1 ante - bet - / 2 ante - bet - bonus -     | yes  | ruling
COL 14(c)            | and stands at what it was settled                        |                             | 8s 5h 2c    | 1: Kd Kh 3s ante 25 keep Kd Kh bet / 2: 5s 9d ante 10 bonus 1 keep 5s 9d bet                                            | wrong-count of=seat:2 dealt=2 stage=after-settlement ruling=stands                | 1 ante 50 bet 50 / 2 ante 0 bet 0 bonus 0   | yes  |
COL 14(c)            | on four community cards no text says at what             |                             | 8s 5h 2c 9c | 1: Kd Kh 3s ante 25 keep Kd Kh bet / 2: 9s 9d 4c ante 10 fold                                                           | wrong-count of=community dealt=4 stage=after-settlement ruling=stands             | 1 ante - bet - / 2 ante 0                   | yes  |
COL 14(c)            | a card seen early is in no clause: played on, for a ruling |                           | 8s 5h 2c    | 1: Kd Kh 3s ante 25 keep Kd Kh bet                                                                                      | card-exposed of=seat:1 cards=["Kd"]                                               | 1 ante 50 bet 50                            |      | ruling
COL 14(c)            | a community card neither                                 | version=permissible         | 8s 5h 2c    | 1: Kd Kh 3s ante 25 keep Kd Kh bet                                                                                      | card-exposed of=community cards=["8s"]                                            | 1 ante 50 bet 50                            |      | ruling
COL 14(d)            | a wrong declaration loses the initial wager alone        |                             | 8s 5h 2c    | 1: Ac Kc Jc ante 25 bonus 1 declare / 2: Kd Kh 3s ante 10 keep Kd Kh bet                                                | erroneous-declaration seat=1                                                      | 1 ante 0 bonus 1 / 2 ante 20 bet 20         |      | 1 ante certain / 1 bonus reading
COL 14(d)            | the house that collects the bonus too                    | erroneous_declaration_bonus=collect | 8s 5h 2c | 1: Ac Kc Jc ante 25 bonus 1 declare                                                                                 | erroneous-declaration seat=1                                                      | 1 ante 0 bonus 0                            |      | 1 bonus reading
COL 14(e)            | a jammed shuffler only has the cards reshuffled          |                             | 8s 5h 2c    | 1: Kd Kh 3s ante 25 keep Kd Kh bet                                                                                      | jam device=shuffler stage=before-deal                                             | 1 ante 50 bet 50                            |      | certain
COL 14(f)            | a jammed dealing shoe voids the round                    | dealing_method=automated-shoe |           | 1: Kd Kh 3s ante 25 bonus 1 / 2: 9s ante 10                                                                             | jam device=shoe stage=dealing                                                     | 1 ante 25 bonus 1 / 2 ante 10               | yes  |
COL 14(f)            | one that jams before the deal has nothing to void        | dealing_method=automated-shoe | 8s 5h 2c  | 1: Kd Kh 3s ante 25 keep Kd Kh bet                                                                                      | jam device=shoe stage=before-deal                                                 | 1 ante 50 bet 50                            |      |
COL 14(g)            | a device left at the table touches no wager              |                             | 8s 5h 2c    | 1: Kd Kh 3s ante 25 keep Kd Kh bet                                                                                      | device-not-removed device=automated-shuffler                                      | 1 ante 50 bet 50                            |      | certain
COL 7(e)(2)/s2       | misdealt: void by the count of the stub                  |                             | 8s 5h 2c 9c | 1: Kd Kh 3s ante 25 bonus 1                                                                                             | stub-count finding=misdealt of=community dealt=4 stub=45 stage=dealing            | 1 ante 25 bonus 1                           | yes  |
COL 7(e)(2)/s3       | not misdealt: void, and the deck goes                    |                             | 8s 5h 2c    | 1: Kd Kh 3s ante 25 bonus 1                                                                                             | stub-count finding=not-misdealt stub=47 stage=dealing                             | 1 ante 25 bonus 1                           | yes  |
COL 7(f)/s2          | a deck the shuffler counted wrong goes before the deal   |                             | 8s 5h 2c    | 1: Kd Kh 3s ante 25 keep Kd Kh bet                                                                                      | shuffler-count count=54 stage=before-deal                                         | 1 ante 50 bet 50                            |      | certain
COL 11(b)            | a fold in the permissible version waits for a ruling     | version=permissible         | 8s 5h 2c    | 1: Kd 9h 3s ante 25 bonus 1 fold / 2: Kh Kc 4s ante 10 keep Kh Kc                                                       | fold-not-allowed seat=1 ruling=null                                               | 1 ante - bonus 0 / 2 ante 20                |      | 1 ante ruling / 1 bonus reading / 2 ante certain
COL 11(b)            | by the ruling the ante is collected                      | version=permissible         | 8s 5h 2c    | 1: Kd 9h 3s ante 25 bonus 1 fold                                                                                        | fold-not-allowed seat=1 ruling=collect                                            | 1 ante 0 bonus 0                            |      |
COL 11(b)            | by the ruling it goes back                               | version=permissible fold_bonus=return | 8s 5h 2c | 1: Kd 9h 3s ante 25 bonus 1 fold                                                                                 | fold-not-allowed seat=1 ruling=return                                             | 1 ante 25 bonus 1                           |      |
"""


@pytest.mark.parametrize("line", lines("COL", CARD))
def test_each_irregularity_of_colorado(line: dict[str, str]) -> None:
    """Each kind with what its clause makes of the round."""
    check(line)


@pytest.mark.parametrize(
    ("wrong", "clause"),
    [
        ("wrong-count of=community dealt=2 stage=community", "COL 14(c)"),
        ("stub-count finding=misdealt of=community dealt=2 stage=decision", "COL 7(e)(2)/s2"),
        ("stub-count finding=not-misdealt stage=decision", "COL 7(e)(2)/s3"),
        ("jam device=shoe stage=decision", "COL 14(f)"),
    ],
)
def test_what_a_ruling_may_say_of_what_was_settled(wrong: str, clause: str) -> None:
    """Each amount if it stands and if it is reversed; a fold's bonus waits for the showdown and is still open."""
    line = {"book": "COL", "says": "", "house": "", "wrong": wrong, "community": "8s 5h"}
    folded, declared = "1: Kd 9h 3s ante 25 bonus 1 fold", "2: 5c 6c 7c ante 20 bonus 1 declare"
    case = case_of(line | {"seats": f"{folded} / {declared}"})
    settlement = settle(case.house, case.played)
    assert settlement.void_clause == clause
    assert settlement.seats[1]["ante"].alternatives == (0, 25_00)
    assert settlement.seats[1]["bonus"].returned == 1_00
    assert settlement.seats[2]["ante"].alternatives == (120_00, 20_00)
    assert settlement.seats[2]["bonus"].alternatives == (6_00, 1_00)


def test_a_fold_not_allowed_is_collected_or_returned() -> None:
    """COL 11(b): the two amounts a ruling chooses between."""
    line = {"book": "COL", "says": "", "house": "version=permissible", "community": "8s 5h 2c"}
    line |= {"wrong": "fold-not-allowed seat=1 ruling=null", "seats": "1: Kd 9h 3s ante 25 fold"}
    case = case_of(line)
    assert settle(case.house, case.played).seats[1]["ante"].alternatives == (0, 25_00)
