"""A dealer's words are heard as a hand: every name the project itself prints, and the usual ways of saying it."""

from types import ModuleType

import pytest

from domain.hands import multideck, standard, three_card
from domain.hands.heard import Heard, agrees, heard
from domain.hands.ranked import CATEGORY_BITS

# said | category | ranks named, as numbers from 0 for a two
SAID = [
    ("Pair of Kings, ace kicker", "pair", (11,)),
    ("a pair of 9's", "pair", (7,)),
    ("one pair", "pair", ()),
    ("pair of kings with an ace", "pair", (11,)),
    ("two pairs, kings and fours", "two_pair", (11, 2)),
    ("2 pair 9s and 3s", "two_pair", (7, 1)),
    ("kings up", "two_pair", (11,)),
    ("trip sevens", "three_of_a_kind", (5,)),
    ("a set of sevens", "three_of_a_kind", (5,)),
    ("three of a kind, sevens", "three_of_a_kind", (5,)),
    ("straight to the king", "straight", (11,)),
    ("ace to five straight", "straight", (3,)),
    ("ten to ace straight", "straight", (12,)),
    ("wheel", "straight", (3,)),
    ("Broadway", "straight", (12,)),
    ("straight", "straight", ()),
    ("flush, ace high", "flush", (12,)),
    ("A high flush", "flush", (12,)),
    ("flush with ace high", "flush", (12,)),
    ("full house, nines over fours", "full_house", (7, 2)),
    ("nines full", "full_house", (7,)),
    ("9s full of 4s", "full_house", (7, 2)),
    ("quads", "four_of_a_kind", ()),
    ("four of a kind, kings", "four_of_a_kind", (11,)),
    ("four kings", "four_of_a_kind", (11,)),
    ("steel wheel", "straight_flush", (3,)),
    ("royal", "royal_flush", ()),
    ("ace king high", "high_card", (12,)),
    ("no pair", "high_card", ()),
    ("nothing", "high_card", ()),
    ("flush with a pair of tens", "flush_with_pair", (8,)),
    ("super royal of diamonds", "super_royal", ()),
]


@pytest.mark.parametrize(("words", "category", "ranks"), SAID, ids=[row[0] for row in SAID])
def test_what_is_said_is_heard(words: str, category: str, ranks: tuple[int, ...]) -> None:
    """The category and the ranks that were named, in the order that decides."""
    assert heard(words) == Heard(category, ranks)


@pytest.mark.parametrize("words", ["", "three", "hello", "seat two wins", "straight from two to nine"])
def test_words_nobody_can_place_are_no_hand(words: str) -> None:
    """Such words lead to no conclusion."""
    assert heard(words) is None


@pytest.mark.parametrize(
    ("words", "says"),
    [("No qualify", "no qualify"), ("dealer doesn't qualify", "no qualify"), ("Dealer qualifies", "qualifies")],
)
def test_a_word_on_qualifying_is_no_hand(words: str, says: str) -> None:
    """The word is kept apart from the hand."""
    assert heard(words) == Heard(says=says)


@pytest.mark.parametrize("ranker", [standard, three_card, multideck], ids=["standard", "three", "seventeen"])
def test_every_name_the_project_prints_is_true_of_its_hand_and_of_no_other_category(ranker: ModuleType) -> None:
    """Each category with each of its deciding ranks: announced as printed, heard as that and nothing else."""
    for number, category in enumerate(ranker.CATEGORIES):
        for top in range(13):
            for second in range(13):
                if top == second or (category == "royal_flush" and top != 12):
                    continue
                value = number << CATEGORY_BITS | top << 16 | second << 12
                said = heard(ranker.named(value))
                assert said is not None, ranker.named(value)
                assert agrees(said, value, ranker.CATEGORIES), ranker.named(value)
                for other in range(len(ranker.CATEGORIES)):
                    if other != number and category != "straight_flush":
                        assert not agrees(said, other << CATEGORY_BITS | top << 16 | second << 12, ranker.CATEGORIES)


def test_an_ace_high_straight_flush_is_a_royal_flush() -> None:
    """The same hand by another name."""
    royal = standard.ROYAL_FLUSH << CATEGORY_BITS | 12 << 16
    assert agrees(Heard("straight_flush", (12,)), royal, standard.CATEGORIES)
    assert not agrees(Heard("straight_flush", (11,)), royal, standard.CATEGORIES)


def test_another_rank_of_the_same_category_does_not_agree() -> None:
    """A pair of queens is no pair of kings."""
    kings = standard.PAIR << CATEGORY_BITS | 11 << 16
    assert not agrees(Heard("pair", (10,)), kings, standard.CATEGORIES)
    assert agrees(Heard("pair"), kings, standard.CATEGORIES)
