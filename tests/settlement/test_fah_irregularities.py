"""Fast Action's irregularities: few of them void a round, and a player has a say in some."""

import pytest

from domain.settlement import settle
from tests.rulecard import case_of, check, lines

# Where nothing else is said the dealer plays 9c 8c and the board is As Kd Qh 3c 2s: a pair of kings wins.
CARD = """
clause             | says                                                      | dealer         | community      | seats                                                                                                      | wrong                                                                          | returns                                | void | sure
FAH (i)(1)         | a card face up is set aside                               | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set Ks Jh                                                                       | card-face-up found=[{"card":"8h","after_cards":0}]                             | 1 original 50                          |      | certain
FAH (i)(1)         | two of them void nothing                                  | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set Ks Jh                                                                       | card-face-up found=[{"card":"8h","after_cards":0},{"card":"9h","after_cards":3}] | 1 original 50                        |      | certain
FAH (i)(2)         | a player's card exposed by the dealer: play continues     | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set Ks Jh                                                                       | card-exposed of=seat:1 cards=["Ks"] stage=dealing                              | 1 original 50                          |      | certain
FAH (i)(2)         | a dealer's card is not covered: played on, for a ruling   | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set Ks Jh                                                                       | card-exposed of=dealer cards=["9c"]                                            | 1 original 50                          |      | ruling
FAH (i)(2)         | a community card neither                                  | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set Ks Jh                                                                       | card-exposed of=community cards=["As"]                                         | 1 original 50                          |      | ruling
FAH (i)(3)         | three cards, declared void: the wager goes back           | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set Ks Jh / 2: 9h 8d 3c original 10 short-void                                  | short-hand seat=2 dealt=3 election=void                                        | 1 original 50 / 2 original 10          |      | 1 original certain / 2 original reading
FAH (i)(3)         | declared void, it is out of reach of a dealer natural     | 5c 5d 5h 5s    |                | 1: Ks Jh 7d 4c original 25 set Ks Jh / 2: 9h 8d 3c original 10 short-void                                  | short-hand seat=2 dealt=3 election=void                                        | 1 original 0 / 2 original 10           |      |
FAH (i)(3)         | completed, it is settled as any other                     | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 2: 9h 8d 3c Kc original 10 short-complete set 9h Kc                                                        | short-hand seat=2 dealt=3 election=complete                                    | 2 original 20                          |      | certain
FAH (i)(3); FAH (a)(1)(v) | a fourth card given late may make a natural        | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 2: 7h 7d 7c 7s original 10 short-complete natural                                                          | short-hand seat=2 dealt=3 election=complete                                    | 2 original 60                          |      | certain
FAH (i)(3); FAH (a)(1)(v) | three of a rank and no fourth card are no natural  | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 2: 7h 7d 7c original 10 natural                                                                            | short-hand seat=2 dealt=3 election=void                                        | 2 original -                           |      | ruling
FAH (i)(3)         | a completed hand may be surrendered                       | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 2: 9h 8d 3c Kc original 10 short-complete surrender                                                        | short-hand seat=2 dealt=3 election=complete                                    | 2 original 5                           |      | certain
FAH (i)(3)         | five dealer's cards are not covered: read as void         | 9c 8c 5d 2h 3d |                | 1: Ks Jh 7d 4c original 25 set Ks Jh / 2: As Ah 6c 3d original 30 split As Ah & 6c 3d                      | wrong-count of=dealer dealt=5 stage=reveal                                     | 1 original 25 / 2 original 30 split 30 | yes  | ruling
FAH (i)(3)         | three dealer's cards likewise                             | 9c 8c 5d       |                | 1: Ks Jh 7d 4c original 25 set Ks Jh                                                                       | wrong-count of=dealer dealt=3 stage=dealing                                    | 1 original 25                          | yes  | ruling
FAH (i)(3)         | found after settlement every wager waits for a ruling     | 9c 8c 5d 2h 3d | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set Ks Jh / 2: 7s 7d 7h 7c original 20 natural                                  | wrong-count of=dealer dealt=5 stage=after-settlement                           | 1 original - / 2 original -            | yes  | ruling
FAH (i)(4)         | five cards, one hand set of them                          | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c 6h original 25 set Ks Jh                                                                    | long-hand seat=1 dealt=5                                                       | 1 original 50                          |      | certain
FAH (i)(4)         | six of them                                               | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Js Jh 7d 4c 6h 9d original 25 set 4c 9d                                                                 | long-hand seat=1 dealt=6                                                       | 1 original 0                           |      | certain
FAH (i)(4)         | a long hand is not split: the second wager goes back      | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c 6h original 25 split Ks Jh & 7d 4c                                                          | long-hand seat=1 dealt=5                                                       | 1 original 50 split 25                 |      | 1 original certain / 1 split reading
FAH (i)(4); FAH (h)(6)/s2 | a long hand may be surrendered                     | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c 6h original 25 surrender                                                                    | long-hand seat=1 dealt=5                                                       | 1 original 12.50                       |      |
FAH (i)(4); FAH (a)(1)(v) | its first four cards may be a natural              | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: 7s 7d 7h 7c 6h original 20 natural                                                                      | long-hand seat=1 dealt=5                                                       | 1 original 120                         |      | certain
FAH (i)(4); FAH (a)(1)(v) | a fifth card makes none                            | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: 7s 7d 7h 6h 7c original 20 natural                                                                      | long-hand seat=1 dealt=5                                                       | 1 original -                           |      | ruling
FAH (i)(4); FAH (h)(8)/s1 | a dealer natural takes a long hand                 | 5c 5d 5h 5s    |                | 1: Ks Jh 7d 4c 6h original 25 set Ks Jh                                                                    | long-hand seat=1 dealt=5                                                       | 1 original 0                           |      |
FAH (i)(5)         | the shoe is empty: open wagers go back, splits too        | 9c 8c 5d 2h    | As Kd          | 1: Ks Jh 7d 4c original 25 set Ks Jh / 2: As Ah 6c 3d original 30 split As Ah & 6c 3d                      | insufficient-cards stage=community at_dealt=2                                  | 1 original 25 / 2 original 30 split 30 | yes  | reading
FAH (i)(5)         | empty while dealing: nobody had been paid                 | 9c             |                | 1: 7s 7d 7h 7c original 20 / 2: Th 7c 4d original 30                                                       | insufficient-cards stage=dealing at_dealt=8                                    | 1 original 20 / 2 original 30          | yes  |
FAH (i)(5)         | a natural paid and a surrender taken wait for a ruling    | 9c 8c 5d 2h    | As Kd          | 1: 7s 7d 7h 7c original 20 natural / 2: Th 7c 4d 2s original 30 surrender / 3: Ks Jh 7d 4c original 25 set Ks Jh | insufficient-cards stage=community at_dealt=2 ruling=null                | 1 original - / 2 original - / 3 original 25 | yes | 1 original ruling / 2 original ruling / 3 original reading
FAH (i)(5)         | they stand by the ruling                                  | 9c 8c 5d 2h    | As Kd          | 1: 7s 7d 7h 7c original 20 natural / 2: Th 7c 4d 2s original 30 surrender                                  | insufficient-cards stage=community at_dealt=2 ruling=stands                    | 1 original 120 / 2 original 15         | yes  |
FAH (i)(5)         | they are reversed by the ruling                           | 9c 8c 5d 2h    | As Kd          | 1: 7s 7d 7h 7c original 20 natural / 2: Th 7c 4d 2s original 30 surrender                                  | insufficient-cards stage=dealer-set ruling=reversed                            | 1 original 20 / 2 original 30          | yes  |
FAH (i)(6)         | a marker left where it was touches no wager               | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set Ks Jh                                                                       | marker-not-moved marker_stayed_at=3                                            | 1 original 50                          |      | certain
FAH (h)(2)/s1      | four of a rank that nobody announced are settled as set   | 9c 8c 5d 2h    | As Kd Qh 3c 2s | 1: 4s 4d 4h 4c original 25 set 4s 4d                                                                       | natural-undeclared seat=1                                                      | 1 original 50                          |      | certain
"""


@pytest.mark.parametrize("line", lines("FAH", CARD))
def test_each_irregularity_of_fast_action(line: dict[str, str]) -> None:
    """Each kind with what its clause makes of the round."""
    check(line)


@pytest.mark.parametrize(
    ("wrong", "clause"),
    [
        ("insufficient-cards stage=community at_dealt=2", "FAH (i)(5)"),
        ("wrong-count of=dealer dealt=5 stage=reveal", "FAH (i)(3)"),
    ],
)
def test_what_a_ruling_may_say_of_a_natural_and_a_surrender(wrong: str, clause: str) -> None:
    """Each amount if the settled wager stands and if it is reversed, under the clause that voids the round."""
    line = {"book": "FAH", "says": "", "house": "", "dealer": "9c 8c 5d 2h 3d" if "dealt=5" in wrong else "9c 8c 5d 2h"}
    line |= {"wrong": wrong, "community": ""}
    case = case_of(line | {"seats": "1: 7s 7d 7h 7c original 20 natural / 2: Th 7c 4d 2s original 30 surrender"})
    settlement = settle(case.house, case.played)
    assert settlement.void_clause == clause
    assert [settlement.seats[seat]["original"].alternatives for seat in (1, 2)] == [(120_00, 20_00), (15_00, 30_00)]
