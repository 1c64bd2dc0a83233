"""The number of cards that may follow an old neighbor: bounds that simulated shuffles keep."""

from collections import Counter
from random import Random

import pytest

from domain.cards import DECK, cards
from domain.table.chance import ALPHA, UNIT, tails, too_many
from domain.table.deck_rounds import places
from domain.table.old_order import SORTED, again, runs

# cards dealt one by one | decks | neighbors of a card | so many are too many
THRESHOLDS = [
    (9, 1, 2, 6),
    (13, 1, 2, 7),
    (20, 1, 2, 9),
    (30, 1, 2, 11),
    (17, 6, 2, 8),
    (13, 1, 4, 9),
    (20, 1, 4, 11),
]


@pytest.mark.parametrize(("dealt", "decks", "neighbors", "many"), THRESHOLDS)
def test_too_many_is_the_first_number_less_likely_than_once_in_a_million(
    dealt: int, decks: int, neighbors: int, many: int
) -> None:
    tail = tails(dealt, decks, neighbors)
    assert too_many(dealt, decks, neighbors) == many
    assert tail[many] <= ALPHA < tail[many - 1]


def test_shuffled_decks_keep_the_bound() -> None:
    """In 30,000 shuffled deals of twenty cards no number of neighbors comes oftener than the bound says."""
    chance, dealt, trials = Random(3), 20, 30_000  # noqa: S311 - a seed, so that a failure repeats
    seen = Counter(len(runs(chance.sample(DECK, dealt))) for _ in range(trials))
    bound = tails(dealt, 1, 2)
    for many in range(1, 6):
        share = sum(count for found, count in seen.items() if found >= many)
        assert share <= trials * bound[many] / UNIT * 1.05 + 3
    assert max(seen) < too_many(dealt, 1, 2)


def test_two_cards_of_a_suit_are_neighbours_where_their_ranks_follow() -> None:
    """The ace follows the king and comes before the two."""
    (king, ace, two, other) = cards("Kh Ah 2h 2s")
    assert SORTED[ace] == {king, two}
    assert other not in SORTED[ace]
    assert all(len(near) == 2 for near in SORTED[:52])


def test_a_sorted_deck_shows_at_once() -> None:
    order = [card for suit in range(4) for card in range(suit, 52, 4)]
    assert len(runs(order[:13])) == 12
    assert len(runs(order[::-1][:20])) == 18


def test_an_unknown_card_makes_no_neighbours() -> None:
    assert runs([0, 52, 4, 8]) == [3]
    assert again([1, 52, 52, 2], places([1, 2]), places([1, 52, 52, 2])) == []


def test_cards_lying_as_they_were_dealt_or_picked_up_follow_each_other() -> None:
    """Either way round."""
    assert again([5, 9, 7, 20, 21], places([9, 5, 30]), places([20, 7])) == [1, 3]


def test_cards_with_one_between_them_did_not_lie_together() -> None:
    """Cards with one between them were apart both as dealt and as picked up."""
    assert again([5, 9], places([9, 3, 5]), places([9, 30, 5])) == []
    assert again([9, 5], places([9, 3, 5]), places([9, 30, 5])) == []
