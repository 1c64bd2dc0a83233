"""The best five of six and seven cards of one deck, over all hands there are."""

import random
from collections import Counter
from itertools import combinations

import pytest
from phevaluator import evaluate_cards

from domain.cards import DECK, show
from domain.hands import standard
from tests.hands.enumerated import of_one_deck

# The best hand in six and in seven cards.
COUNTS = {
    6: {
        "royal_flush": 188,
        "straight_flush": 1_656,
        "four_of_a_kind": 14_664,
        "full_house": 165_984,
        "flush": 205_792,
        "straight": 361_620,
        "three_of_a_kind": 732_160,
        "two_pair": 2_532_816,
        "pair": 9_730_740,
        "high_card": 6_612_900,
    },
    7: {
        "royal_flush": 4_324,
        "straight_flush": 37_260,
        "four_of_a_kind": 224_848,
        "full_house": 3_473_184,
        "flush": 4_047_644,
        "straight": 6_180_020,
        "three_of_a_kind": 6_461_620,
        "two_pair": 31_433_400,
        "pair": 58_627_800,
        "high_card": 23_294_460,
    },
}
# 4,824 of the 7,462 ranks can be the best of seven cards; of six, 6,075.
DIFFERENT = {6: 6_075, 7: 4_824}


def _best_of_definitions(hand: tuple[int, ...]) -> int:
    return max(map(standard.of_five, combinations(hand, 5)))


def _by_category(values: Counter[int]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for value, number in values.items():
        counted[standard.CATEGORIES[standard.category(value)]] += number
    return counted


@pytest.mark.parametrize("size", [6, 7])
def test_every_hand_falls_into_its_category_as_often_as_it_must(size: int) -> None:
    """All hands, one ranked for each set of ranks and each set of ranks in a suit, counted for all it stands for."""
    values: Counter[int] = Counter()
    for hand, number in of_one_deck(size):
        if number:
            values[standard.value(hand)] += number
    assert _by_category(values) == COUNTS[size]
    assert len(values) == DIFFERENT[size]


@pytest.mark.parametrize("size", [6, 7])
def test_the_best_five_is_the_best_of_all_choices(size: int) -> None:
    """No choice of five cards is above what the tables say, and one reaches it, on 5,000 hands."""
    chance = random.Random(size)  # noqa: S311 - repeatable test hands
    for _ in range(5_000):
        hand = tuple(chance.sample(DECK, size))
        assert standard.value(hand) == _best_of_definitions(hand), show(hand)


def test_another_evaluator_puts_seven_card_hands_into_the_same_order() -> None:
    """phevaluator numbers hands from the highest down: on 50,000 hands its order is ours turned round."""
    chance = random.Random(7)  # noqa: S311 - repeatable test hands
    ours_by_theirs: dict[int, int] = {}
    for _ in range(50_000):
        hand = chance.sample(DECK, 7)
        ours = standard.value(hand)
        assert ours_by_theirs.setdefault(evaluate_cards(*show(hand).split()), ours) == ours, show(hand)
    in_their_order = [ours for _, ours in sorted(ours_by_theirs.items(), reverse=True)]
    assert in_their_order == sorted(set(in_their_order))
    assert len(in_their_order) > 3_500


@pytest.mark.exhaustive
def test_every_five_six_and_seven_cards_by_their_definition() -> None:
    """Each set of ranks and each set of ranks in a suit, against the definitions of all its choices of five."""
    for size in (5, 6, 7):
        for hand, number in of_one_deck(size):
            if number:
                assert standard.value(hand) == _best_of_definitions(hand), show(hand)


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [6, 7])
def test_every_hand_card_by_card(size: int) -> None:
    """All 20,358,520 six-card and all 133,784,560 seven-card hands, each ranked by `standard.value` itself."""
    values = Counter(map(standard.value, combinations(DECK, size)))
    assert _by_category(values) == COUNTS[size]
    assert len(values) == DIFFERENT[size]
