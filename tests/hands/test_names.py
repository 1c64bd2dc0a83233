"""Announcements of a dealer, and the cards they describe."""

from types import ModuleType

import pytest

from domain.cards import cards, show
from domain.hands import multideck, six_card, standard, three_card
from domain.hands.ranked import told_apart

# ranker | cards as dealt | category | the cards used | announced
ANNOUNCED = """
standard | As Ks 2d Qs Js Ts 9s | royal_flush     | As Ks Qs Js Ts | royal flush
standard | 9s 8s Kd 7s 6s 5s 4d | straight_flush  | 9s 8s 7s 6s 5s | nine-high straight flush
standard | 5h 4h Kd 3h 2h Ah Kc | straight_flush  | 5h 4h 3h 2h Ah | five-high straight flush
standard | 6c 6d Kd 6h 6s Qd Jc | four_of_a_kind  | 6c 6d Kd 6h 6s | four sixes
standard | 9c 9d 4h 9h 4s Kd 2c | full_house      | 9c 9d 4h 9h 4s | nines full of fours
standard | Ad 9d 7d Kc 4d Qh 2d | flush           | Ad 9d 7d 4d 2d | ace-high flush
standard | Ac Kd Qh Js Tc 9d 8h | straight        | Ac Kd Qh Js Tc | ace-high straight
standard | Ac 2d 3h 4s 5c Kd Qh | straight        | Ac 2d 3h 4s 5c | five-high straight
standard | 2c 2d 2h As Kc Jd 9h | three_of_a_kind | 2c 2d 2h As Kc | three twos
standard | Kc 4d Kd 4h 9s 2c 7d | two_pair        | Kc 4d Kd 4h 9s | two pair, kings and fours
standard | Tc Td 8h 5s 4c 3d 2h | pair            | Tc Td 8h 5s 4c | pair of tens
standard | Qc Jd 9h 7s 5c 3d 2h | high_card       | Qc Jd 9h 7s 5c | queen high
three    | As Ks Qs 2c 2d       | royal_flush     | As Ks Qs       | royal flush
three    | 3s 2s As 2c 9d       | straight_flush  | 3s 2s As       | three-high straight flush
three    | 6c 6d 6h Ac Kc       | three_of_a_kind | 6c 6d 6h       | three sixes
three    | Jc Td 9h Ac 4c       | straight        | Jc Td 9h       | jack-high straight
three    | Ac 8c 4c Kd 2d       | flush           | Ac 8c 4c       | ace-high flush
three    | 8c 8d Kh 5s 2c       | pair            | 8c 8d Kh       | pair of eights
three    | Ac Jd 9h 7s 4c       | high_card       | Ac Jd 9h       | ace high
fast     | As As As As As 2c 3d | flush_with_five_of_a_kind  | As As As As As | flush with five aces
fast     | As Ks Qs Js Ts 2c 3d | royal_flush                | As Ks Qs Js Ts | royal flush
fast     | 9c 9c 9c 9c 4c 2d 3d | flush_with_four_of_a_kind  | 9c 9c 9c 9c 4c | flush with four nines
fast     | 8h 7h 6h 5h 4h 2d Kd | straight_flush             | 8h 7h 6h 5h 4h | eight-high straight flush
fast     | 9c 9c 9c 4c 4c 2d 3d | flush_with_full_house      | 9c 9c 9c 4c 4c | flush with nines full of fours
fast     | 6c 6c 6d 6h 6s 2d 3d | five_of_a_kind             | 6c 6c 6d 6h 6s | five sixes
fast     | 9c 9c 9c 4c 2c Ad 3d | flush_with_three_of_a_kind | 9c 9c 9c 4c 2c | flush with three nines
fast     | Kc Kc 4c 4c 2c Ad 3d | flush_with_two_pair        | Kc Kc 4c 4c 2c | flush with two pair, kings and fours
fast     | Tc Tc 8c 5c 3c Ad Kd | flush_with_pair            | Tc Tc 8c 5c 3c | flush with a pair of tens
fast     | 6c 6d 6h 6s Kd Qd Jc | four_of_a_kind             | 6c 6d 6h 6s Kd | four sixes
fast     | 9c 9c 4h 9h 4s Kd 2c | full_house                 | 9c 9c 4h 9h 4s | nines full of fours
fast     | Ad 9d 7d 4d 2d Kc Qh | flush                      | Ad 9d 7d 4d 2d | ace-high flush
fast     | 5c 4d 3h 2s Ac Kd Qh | straight                   | 5c 4d 3h 2s Ac | five-high straight
fast     | 2c 2c 2h As Kc Jd 9h | three_of_a_kind            | 2c 2c 2h As Kc | three twos
fast     | Kc Kc 4d 4h 9s 2c 7d | two_pair                   | Kc Kc 4d 4h 9s | two pair, kings and fours
fast     | Tc Tc 8h 5s 4c 3d 2h | pair                       | Tc Tc 8h 5s 4c | pair of tens
fast     | Qc Jd 9h 7s 5c 3d 2h | high_card                  | Qc Jd 9h 7s 5c | queen high
six      | 9d Td Jd Qd Kd Ad    | super_royal                | 9d Td Jd Qd Kd Ad | super royal of diamonds
six      | Ac Kc Qc Jc Tc 9d    | royal_flush                | Ac Kc Qc Jc Tc | royal flush
six      | 9c 9d 9h Kc Qd 2h    | three_of_a_kind            | 9c 9d 9h Kc Qd | three nines
"""
RANKERS: dict[str, ModuleType] = {"standard": standard, "three": three_card, "fast": multideck, "six": six_card}
ROWS = [[cell.strip() for cell in row.split("|")] for row in ANNOUNCED.strip().splitlines()]


@pytest.mark.parametrize(
    ("ranker", "dealt", "category", "used", "name"), ROWS, ids=[f"{row[0]}: {row[4]} of {row[1]}" for row in ROWS]
)
def test_the_announcement(ranker: str, dealt: str, category: str, used: str, name: str) -> None:
    """The hand is named as on the floor, and its cards are given in the order dealt."""
    best = RANKERS[ranker].best(cards(dealt))
    assert (best.category, show(best.cards), best.name) == (category, used, name)
    assert best.value == RANKERS[ranker].value(cards(dealt))


# ranker | a hand | another | what tells the first apart | and the second
APART = """
standard | 8h 8d As Qh 6c 4h 9c | 8h 8d As Qh 6c Kh Jc | pair of eights with A-Q | pair of eights with A-K
standard | 8h 8d 4s 4h 6c 2h 3c | 8s 8c 4s 4h 7c 2d 3s | two pair, eights and fours with 6 | two pair, eights and fours with 7
standard | Ah Kd 9s 8h 6c 4h 2c | Ad Kc 9s 8h 6c 5h 2c | ace high | ace high
standard | Ah Kd 9s 8h 5c 4h 2c | Ad Kc 9s 8h 6c 5h 2c | ace high with K-9-8-5 | ace high with K-9-8-6
standard | Ah Th 9h 8h 5h 4d 2c | Ad Td 9d 7d 6d 5h 2c | ace-high flush with T-9-8 | ace-high flush with T-9-7
standard | 2h 2d 4s 4h 6c 7h 9c | 8s 8c 4s 4h 7c 2d 3s | two pair, fours and twos | two pair, eights and fours
standard | 8h 8d As Qh 6c 4h 9c | Ah Kd 9s 8h 5c 4h 2c | pair of eights | ace high
three    | 8c 8d Kh 5s 2c       | 8h 8s Qd 5c 2d       | pair of eights with K | pair of eights with Q
fast     | Kc Kc 4c 4c 2c Ad 3d | Kd Kd 4d 4d 5d Ac 3c | flush with two pair, kings and fours with 2 | flush with two pair, kings and fours with 5
"""
TOLD_APART = [[cell.strip() for cell in row.split("|")] for row in APART.strip().splitlines()]


@pytest.mark.parametrize(("ranker", "one", "other", "first", "second"), TOLD_APART)
def test_two_hands_of_one_name_are_told_apart_by_the_ranks_that_decide(
    ranker: str, one: str, other: str, first: str, second: str
) -> None:
    """Hands that are equal, or called otherwise, need no more than their names."""
    module = RANKERS[ranker]
    assert told_apart(module.CATEGORIES, module.value(cards(one)), module.value(cards(other))) == (first, second)


@pytest.mark.parametrize(("ranker", "module"), [(name, RANKERS[name]) for name in ("standard", "three", "fast")])
def test_every_category_is_announced_in_the_table(ranker: str, module: ModuleType) -> None:
    """No category is left without an example."""
    assert {category for name, _, category, _, _ in ROWS if name == ranker} == set(module.CATEGORIES)
