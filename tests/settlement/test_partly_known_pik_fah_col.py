"""Rounds of which not everything was seen: settled as far as they go, and what is missing named."""

import pytest

from domain.settlement import settle
from tests.rulecard import case_of, check, lines

PIK = """
clause                        | says                                                       | house | dealer         | seats                                                                               | returns                          | sure
PIK 39.11(b)/s1               | four seen cards decide the 5 card bonus when they hold two pair and no more can come | | ?? ?? ?? ?? ?? | 1: 9s 9h 4c 4d ?? ante 10 bonus5 10 fold                          | 1 ante 0 bonus5 ?                | 1 ante certain
PIK 39.11(b)/s1               | one unseen card cannot help these four                     |       | ?? ?? ?? ?? ?? | 1: 2s 7h Jc Kd ?? ante 10 bonus5 10 fold                                             | 1 ante 0 bonus5 0                | certain
PIK 39.3(b)/s2                | a fold needs no cards at all                               |       |                | 1: ante 10 bonus5 10 fold                                                            | 1 ante 0 bonus5 ?                | 1 ante certain
PIK 39.10(b)/s2               | the three selected cards are enough for their bonus        |       |                | 1: ante 10 bonus5 10 bonus3 5 select 9h 8c 7d fold                                   | 1 ante 0 bonus3 35               | 1 bonus3 certain
PIK 39.10(b)/s2               | an unseen selected card is one of the hand's own           |       |                | 1: 9h 9c 9d 2s 7h ante 10 bonus5 10 bonus3 5 select 9h 9c ?? fold                    | 1 bonus3 ? bonus5 30             | 1 bonus5 certain
PIK 39.10(b)/s2               | whichever of the own cards it is, it pays the same         |       |                | 1: 9h 9c Kd 2s 7h ante 10 bonus5 10 bonus3 5 select 9h 9c ?? fold                    | 1 bonus3 10                      | 1 bonus3 certain
PIK 39.11(a)/s1               | four dealer's cards seen, the fifth cannot matter          |       | 2c 2d 7h 5s ?? | 1: 9s 9h 9c Kd Js ante 10 bonus5 10 play5                                            | 1 ante 20 play5 20 bonus5 30     | certain
PIK 39.11(a)/s1               | the fifth may make three queens                            |       | Qc Qd 7h 5s ?? | 1: 9s 9h 4c 4d Js ante 10 bonus5 10 play5                                            | 1 ante ? play5 ? bonus5 20       | 1 bonus5 certain
PIK 39.1 "Qualifying hand"    | the unseen card decides whether the dealer qualifies       | dealer_qualifies=true | Ac 4d 3h 2s ?? | 1: As Ah 9h Kd Js ante 10 bonus5 10 play5                            | 1 ante ? play5 ?                 |
PIK 39.10(f)/ante             | and the ante is paid either way                            | dealer_qualifies=true | Ac 9d 8h 2s ?? | 1: 7s 7h 7c Kd Js ante 10 bonus5 10 play5                            | 1 ante 20 play5 ?                | 1 ante certain
PIK 39.11(a)/s1               | unseen amounts: a lost one is nothing, a won one unknown   |       | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante ? bonus5 ? play5                                              | 1 ante ? play5 ? bonus5 0        | 1 bonus5 certain
PIK 39.3(b)/s3                | an unseen play wager beside a seen ante                    |       | Kc Qd 7h 5s 2c | 1: As Ah 4c 3d Js ante 10 bonus5 10 play5 ?                                          | 1 ante 20 play5 ?                | 1 ante certain
"""

FAH = """
clause                        | says                                                       | dealer      | dealer_kept | community      | seats                                                  | returns                 | sure
FAH (h)(11)/s1                | four of the board seen, and no fifth helps                 | Ah Ac 5d 4h | Ah Ac       | As Ad 9h 3c ?? | 1: Kd Jh 7d 4c original 25 set Kd Jh                   | 1 original 0            | certain
FAH (h)(12)/s1                | the fifth card may make the dealer three nines             | 9c 8c 5d 2h | 9c 8c       | As Kd Qh 9s ?? | 1: Ks Jh 7d 4c original 25 set Ks Jh                   | 1 original ?            |
FAH (h)(1)/s2                 | a player's discards may stay unseen                        | 9c 8c 5d 2h | 9c 8c       | As Kd Qh 3c 2s | 1: Ks Jh ?? ?? original 25 set Ks Jh                   | 1 original 50           | certain
FAH (h)(1)/s1                 | the kept cards unseen: two of the hand's own               | 9c 8c 5d 2h | 9c 8c       | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 set ?? ??                   | 1 original ?            |
FAH (h)(1)/s1                 | whichever two of the own cards were kept, they win         | 9c 8c 5d 2h | 9c 8c       | As Kd Jh 3c 2s | 1: Kc Ks Kh Ah original 25 set ?? ??                   | 1 original 50           | certain
FAH (h)(1)/s1                 | of a split the one half is known and the other not         | 9c 8c 5d 2h | 9c 8c       | As Kd Qh 3c 2s | 1: Ks Jh 7d 4c original 25 split Ks Jh & ?? ??         | 1 original 50 split 0   | certain
FAH (h)(6)/s2                 | a surrender needs no cards, its amount it does             |             |             |                | 1: original 30 surrender / 2: original ? surrender     | 1 original 15 / 2 original ? | 1 original certain
FAH (h)(2)/s2                 | a natural with a card unseen                               |             |             |                | 1: 7s 7d 7h ?? original 20 natural                     | 1 original ?            |
FAH (h)(8)/s1                 | a dealer who may hold a natural                            | 9c 9d 9h ?? |             |                | 1: Ks Jh 7d 4c original 25 set Ks Jh                   | 1 original ?            |
FAH (h)(8)/s2                 | whose split goes back whatever the amount nobody saw       | 9c 9d 9h 9s |             |                | 1: Ks Jh 7d 4c original ? split Ks Jh & 7d 4c          | 1 original 0 split ?    | 1 original certain
"""

COL = """
clause                        | says                                                       | house               | community | seats                                                      | returns                    | sure
COL 10(f)/s1                  | the third community card may better a pair of nines        |                     | 9s Kh ??  | 1: 9d 4c 3s ante 10 bonus 1 keep 9d 4c bet                 | 1 ante ? bet ? bonus ?     |
COL 1 "Hand"                  | the discard may stay unseen                                |                     | 9s Kh 2c  | 1: 9d 4c ?? ante 10 bonus 1 keep 9d 4c bet                 | 1 ante 10 bet 10 bonus 0   | certain
COL 10(e)/s1                  | no third card lifts these to sevens                        | version=permissible | 2s 4h ??  | 1: 3d 6c Ks ante 10 bonus 1 keep 3d 6c                     | 1 ante ? bonus ?           |
COL 1 "Hand"                  | the kept cards unseen are two of the own: all pairs push   |                     | 9s 9h Kd  | 1: 2c 4c 6d ante 10 bonus 1 keep ?? ?? bet                 | 1 ante 10 bet 10 bonus 0   | certain
COL 1 "Hand"                  | and it matters which when one of them pairs                |                     | 9s 9h Kd  | 1: 2c 4c 9d ante 10 bonus 1 keep ?? ?? bet                 | 1 ante ? bet ? bonus ?     |
COL 10(b)(2)/s2               | a fold needs no cards                                      |                     |           | 1: ante 10 bonus 1 fold                                    | 1 ante 0 bonus 0           | 1 ante certain
COL 10(b)(3)(i)/s4            | a declaration with a card unseen                           |                     |           | 1: 5c 6c ?? ante 10 bonus 1 declare                        | 1 ante ? bonus ?           |
COL 14(d)                     | that cannot be right whatever the third is                 |                     |           | 1: 5c 9d ?? ante 10 bonus 1 declare                        | 1 ante 0 bonus 1           | 1 ante certain
COL 12(b)                     | an unseen ante: the bonus is paid all the same             |                     | 9s Kh 2c  | 1: Kd Kc 3s ante ? bonus 1 keep Kd Kc bet                  | 1 ante ? bet ? bonus 4     | 1 bonus certain
"""


@pytest.mark.parametrize("line", [*lines("PIK", PIK), *lines("FAH", FAH), *lines("COL", COL)])
def test_a_round_not_wholly_seen(line: dict[str, str]) -> None:
    """A wager gets its amount if every way the unseen cards can lie gives the same."""
    check(line)


NEEDS = [
    ("PIK", "dealer", "Qc Qd 7h 5s ??", "1: 9s 9h 4c 4d Js ante 10 bonus5 10 play5", "ante", ("the dealer's fifth card",)),
    ("PIK", "dealer", "Qc Qd 7h 5s 2c", "1: 9s 9h 4c 4d Js ante 10 bonus5 10", "ante", ("seat 1's decision",)),
    ("PIK", "dealer", "Qc Qd 7h 5s 2c", "1: 9s 9h 4c 4d Js ante 10 bonus5 10 bonus3 5 fold", "bonus3", ("the three cards seat 1 selected",)),
    ("COL", "community", "9s Kh ??", "1: 9d 4c 3s ante 10 keep 9d 4c bet", "bet", ("the third community card",)),
    ("COL", "community", "9s Kh 2c", "1: Kd Kc 3s ante ? keep Kd Kc bet", "ante", ("the amount of seat 1's ante",)),
    ("FAH", "community", "", "1: 7s 7d 7h ?? original 20 natural", "original", ("seat 1's fourth card",)),
    ("FAH", "community", "", "1: 7s 7d 7h 2c original ? surrender", "original", ("the amount of seat 1's original",)),
]  # fmt: skip


@pytest.mark.parametrize("row", NEEDS, ids=[row[5][0] for row in NEEDS])
def test_what_is_missing_is_named(row: tuple[str, str, str, str, str, tuple[str, ...]]) -> None:
    """The names let a person look for the missing cards."""
    book, field, cards, seats, wager, needs = row
    case = case_of({"book": book, "says": "", "house": "", field: cards, "seats": seats})
    assert settle(case.house, case.played).seats[1][wager].needs == needs


def test_which_nines_a_fast_action_dealer_kept_is_named_as_missing() -> None:
    """FAH (h)(9)(ii): three suits of one rank leave a choice, and nobody saw it."""
    line = {"book": "FAH", "says": "", "house": "", "dealer": "9h 9s 9d Ac", "community": "Kh 7h 2h 5h Jd"}
    case = case_of(line | {"seats": "1: Js Jc 4c 3d original 10 set Js Jc"})
    outcome = settle(case.house, case.played).seats[1]["original"]
    assert outcome.needs == ("which two cards the dealer kept",)


@pytest.mark.parametrize(
    ("seat_two", "returned"), [("2: ?? ?? ?? ?? ??", None), ("2: Qh Qs 3c 8d 6c", 20_00)], ids=["unseen", "seen"]
)
def test_cards_seen_at_another_seat_cannot_be_the_dealers(seat_two: str, returned: int | None) -> None:
    """PIK 39.11(a)/s1: three queens would beat two pair, unless the last two queens lie elsewhere."""
    line = {"book": "PIK", "says": "", "house": "", "dealer": "Qc Qd 2h 5s ??"}
    case = case_of(line | {"seats": f"1: As Ah 4c 4d 5d ante 10 bonus5 10 play5 / {seat_two} ante 10 bonus5 10 fold"})
    assert settle(case.house, case.played).seats[1]["play5"].returned == returned
