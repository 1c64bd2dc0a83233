"""All 22,100 three-card hands in Pik-it's order, where trips and straights stand above a flush."""

import random
from collections import Counter
from itertools import combinations

import pytest

from domain.cards import DECK, cards, show
from domain.hands import three_card

COUNTS = {
    "royal_flush": 4,
    "straight_flush": 44,
    "three_of_a_kind": 52,
    "straight": 720,
    "flush": 1_096,
    "pair": 3_744,
    "high_card": 16_440,
}

#   clauses | category | highest | lowest
ORDER = """
PIK 39.4(c)1    | royal_flush     | As Ks Qs | Ac Kc Qc
PIK 39.4(c)2    | straight_flush  | Ks Qs Js | 3s 2s As
PIK 39.4(c)3    | three_of_a_kind | Ac Ad Ah | 2c 2d 2h
PIK 39.4(c)4    | straight        | Ac Kd Qh | 3c 2d Ah
PIK 39.4(c)5    | flush           | Ah Kh Jh | 5c 3c 2c
PIK 39.4(c)6    | pair            | Ac Ad Kh | 2c 2d 3h
PIK 39.4(d)/s1  | high_card       | Ac Kd Jh | 5c 3d 2h
"""

# clause | says | the higher hand | the lower hand
HIGHER = """
PIK 39.4(c)3   | trips are above a straight           | 2c 2d 2h | Ac Kd Qh
PIK 39.4(c)4   | a straight is above a flush          | 3c 2d Ah | Ah Kh Jh
PIK 39.4(c)5   | a flush is above a pair              | 5c 3c 2c | Ac Ad Kh
PIK 39.4(c)4   | 3-2-A is below 4-3-2                 | 4c 3d 2h | 3c 2d Ah
PIK 39.4(c)2   | and so it is in one suit             | 4c 3c 2c | 3h 2h Ah
PIK 39.4(a)/s3 | an ace with 2 and 3 is a straight    | 3c 2d Ah | Ah Qh Jh
PIK 39.4(c)4   | an ace with king and two is none     | 2c 2d 3h | Kc Ad 2h
PIK 39.4(c)6   | the pair comes before the odd card   | Kc Kd 2h | Qc Qd Ah
PIK 39.4(d)/s1 | the odd card decides between pairs   | Kc Kd 9h | Kh Ks 8c
PIK 39.4(d)/s1 | a flush is compared card by card     | Ah Kh 4h | Ac Kc 3c
PIK 39.4(d)/s1 | the third of three odd cards decides | Ac Kd 9h | Ad Kh 8c
PIK 39.4(a)/s1 | an ace is above a king               | Ac 9d 3h | Kc 9h 3d
"""


def _rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("|")] for row in table.strip().splitlines()]


def test_every_hand_falls_into_its_category_as_often_as_it_must() -> None:
    """The seven categories of all 22,100 hands, 741 of which differ in rank."""
    values = Counter(map(three_card.of_three, combinations(DECK, 3)))
    counted: Counter[str] = Counter()
    for value, number in values.items():
        counted[three_card.CATEGORIES[three_card.category(value)]] += number
    assert counted == COUNTS
    assert counted.total() == 22_100
    assert len(values) == 741


def test_every_category_runs_from_its_printed_highest_to_its_printed_lowest_hand() -> None:
    """Every hand of a category lies between those the clauses name, and no category reaches another."""
    rows = _rows(ORDER)
    assert [category for _, category, _, _ in rows] == list(reversed(three_card.CATEGORIES))
    different = sorted(set(map(three_card.of_three, combinations(DECK, 3))), reverse=True)
    for _, category, highest, lowest in rows:
        held = [value for value in different if three_card.CATEGORIES[three_card.category(value)] == category]
        assert (held[0], held[-1]) == (three_card.of_three(cards(highest)), three_card.of_three(cards(lowest)))
        assert different[: len(held)] == held, f"{category} stands above all that is left"
        different = different[len(held) :]


@pytest.mark.parametrize(("clause", "says", "higher", "lower"), _rows(HIGHER), ids=[row[1] for row in _rows(HIGHER)])
def test_the_higher_hand(clause: str, says: str, higher: str, lower: str) -> None:
    """The three-card order is its own: it is not the five-card order with fewer cards."""
    assert three_card.of_three(cards(higher)) > three_card.of_three(cards(lower))


def test_suits_never_decide() -> None:
    """The same ranks in other suits tie: PIK 39.4(a)/s2, PIK 39.4(d)/s2."""
    assert three_card.of_three(cards("As Ks Qs")) == three_card.of_three(cards("Ac Kc Qc"))
    assert three_card.of_three(cards("Kc Kd 9h")) == three_card.of_three(cards("Kh Ks 9c"))


def test_three_selected_cards_are_ranked_as_they_are() -> None:
    """From As Ks Qs 2c 2d a player may show the pair of twos, and a pair it is: PIK 39.4(e)."""
    assert three_card.named(three_card.of_three(cards("2c 2d As"))) == "pair of twos"
    assert three_card.best(cards("As Ks Qs 2c 2d")).category == "royal_flush"


def test_the_best_three_of_five_is_the_best_of_ten() -> None:
    """No choice of three is above the value, and the cards named make it, on 3,000 hands."""
    chance = random.Random(3)  # noqa: S311 - repeatable test hands
    for _ in range(3_000):
        hand = tuple(chance.sample(DECK, 5))
        best = three_card.best(hand)
        choices = list(combinations(hand, 3))
        assert len(choices) == 10
        assert best.value == three_card.value(hand) == max(map(three_card.of_three, choices)), show(hand)
        assert best.cards in choices
        assert three_card.of_three(best.cards) == best.value
