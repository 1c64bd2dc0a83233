"""The makers of the stored odds: counted again from nothing, and their short cuts against plain counting."""

import random
from itertools import combinations

import pytest

from domain.odds.stored import stored


def _brute_matchings(neighbours):
    """Sets of disjoint edges by their size, tried one card after another."""
    found = [0] * 8

    def go_on(card, used, edges):
        if card == len(neighbours):
            if edges < 8:
                found[edges] += 1
            return
        go_on(card + 1, used, edges)
        if used >> card & 1:
            return
        for other in range(card + 1, len(neighbours)):
            if neighbours[card] >> other & 1 and not used >> other & 1:
                go_on(card + 1, used | 1 << card | 1 << other, edges + 1)

    go_on(0, 0, 0)
    return tuple(found)


def _random_classes(chance):
    sizes = [chance.randint(1, 4) for _ in range(chance.randint(1, 4))]
    bits = [0] * len(sizes)
    for one in range(len(sizes)):
        for two in range(one, len(sizes)):
            if chance.random() < 0.5:
                bits[one] |= 1 << two
                bits[two] |= 1 << one
    return sizes, bits


@pytest.mark.exhaustive
def test_matchings_by_classes_of_twins_are_those_of_the_graph():
    from domain.odds.make.cover_all import SIZE_AT, _in_order, matchings

    chance = random.Random(1)  # noqa: S311 - repeatable graphs
    for _ in range(200):
        sizes, bits = _random_classes(chance)
        class_of = [number for number, size in enumerate(sizes) for _ in range(size)]
        neighbours = [
            sum(1 << other for other, held in enumerate(class_of) if other != card and bits[mine] >> held & 1)
            for card, mine in enumerate(class_of)
        ]
        graph = _in_order([size << SIZE_AT | held for size, held in zip(sizes, bits, strict=True)])
        assert matchings(graph) == _brute_matchings(neighbours)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "name",
    [
        "five_card",
        "six_card",
        "seven_card",
        "three_card",
        "three_of_five",
        "bad_beat",
        "cover_all",
        "colorado",
        "pik_base",
        "pik_play",
        "uth_base",
    ],
)
def test_what_is_stored_is_counted_again(name):
    from domain.odds.make.__main__ import MAKERS

    held = dict(stored(name))
    held.pop("made_by")
    assert MAKERS[name]() == held


@pytest.mark.exhaustive
def test_a_shorter_run_of_fast_action_lies_within_the_stored_interval():
    from domain.odds.make import fast_action

    fast_action.checked()
    run = stored("fast_action")["runs"]["6 decks, viii both, ix both"]
    share = run["copies"] / run["rounds"]
    seeds = fast_action.np.array([11, 12], dtype=fast_action.np.int64)
    rounds = 2_000_000
    counts = fast_action._run(seeds, rounds, 6)
    wide = 4 * (share * (1 - share) / (2 * rounds)) ** 0.5
    assert abs(int(counts[0, 2]) / (2 * rounds) - share) < wide


@pytest.mark.exhaustive
@pytest.mark.parametrize("hand", [(0, 5, 10, 20, 51), (48, 44, 40, 36, 32), (0, 1, 17, 21, 50)])
def test_pikits_counters_agree_with_dealing_every_hand_to_the_dealer(hand):
    from domain.cards import cards
    from domain.hands import standard, three_card
    from domain.odds.make import deals, pik_base

    held = pik_base.results()
    sets, _ = deals.canonical(5)
    own = tuple(sorted(_canonical(hand)))
    place = next(number for number, five in enumerate(sets.tolist()) if tuple(five) == own)
    least = standard.of_five(cards("Ah Kd 4c 3s 2h"))
    mine_three, mine_five = three_card.value(own), standard.value(own)
    counted = held.keys() - {"weight", "category", "five", "three"}
    found = dict.fromkeys(counted, 0)
    for dealer in combinations(sorted(set(range(52)) - set(own)), 5):
        five = standard.value(dealer)
        strong = "qualified" if five >= least else "unqualified"
        found[f"{_against(mine_five, five)} {strong}"] += 1
        found[f"three {_against(mine_three, three_card.value(dealer))}"] += 1
    for name in counted:
        assert found[name] == held[name][place], name


def _against(own, dealer):
    return "win" if own > dealer else "loss" if own < dealer else "tie"


def _canonical(hand):
    """The renaming of suits that stands for a hand: the suits' masks of ranks in falling order."""
    masks = [sum(1 << (card >> 2) for card in hand if card & 3 == suit) for suit in range(4)]
    order = sorted(range(4), key=lambda suit: -masks[suit])
    return [card >> 2 << 2 | order.index(card & 3) for card in hand]
