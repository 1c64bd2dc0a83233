"""The strategies a simulated player takes from the stored odds."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from domain.cards import cards, show
from domain.odds import odds_of
from domain.odds.play import colorado_player, pik_choice, uth_preflop
from domain.odds.stored import stored
from domain.rulebooks import house, newest


@pytest.mark.parametrize(
    ("hole", "multiple"),
    [("Ah 2c", 4), ("Kh 2h", 4), ("2h Kh", 4), ("Kh 4c", 0), ("2c 2d", 0), ("3c 3d", 4), ("Jh Tc", 4), ("Th 9h", 0)],
)
def test_before_the_flop_a_perfect_player_bets_four_times_or_checks(hole, multiple):
    assert uth_preflop(cards(hole)) == multiple


@pytest.mark.parametrize("version", ["required", "permissible"])
def test_a_perfect_colorado_player_of_all_hands_wins_what_the_odds_say(version):
    configured = house(newest("COL"), {"version": version})
    choose = colorado_player(configured)
    total, actions = Fraction(0), Counter()
    for hand in combinations(range(52), 3):
        chosen = choose(hand)
        assert chosen.discard is None or chosen.discard in hand
        total += chosen.expects
        actions[chosen.action] += 1
    assert -total / 22_100 == odds_of(configured).wagers["base"].house_edge
    assert actions["declare"] == 52 + 44
    assert ("fold" in actions) == (version == "required")


@pytest.mark.parametrize(
    ("hand", "action", "discard"),
    [
        ("As Ad 7c", "play", "7c"),
        ("7c As Ad", "play", "7c"),
        ("5c 6c 7c", "declare", None),
        ("9h 3d 2c", "fold", None),
    ],
)
def test_colorado_keeps_the_pair_and_folds_what_is_worth_less_than_nothing(hand, action, discard):
    chosen = colorado_player(house(newest("COL")))(cards(hand))
    assert (chosen.action, None if chosen.discard is None else show([chosen.discard])) == (action, discard)


@pytest.mark.parametrize(
    ("hand", "choice"),
    [
        ("Ah Kh Qh 4c 2d", "play3"),
        ("Ah Kd Qc 9h 2s", "play3"),
        ("Ah Kd 9h 9c 9d", "play5"),
        ("Kh Kd 8h 8c 2d", "play5"),
        ("9h 7d 5c 3s 2h", "fold"),
    ],
)
def test_pikits_card_plays_the_better_contest(hand, choice):
    assert pik_choice(house(newest("PIK")), cards(hand)) == choice


def test_pikits_card_costs_less_than_a_hundredth_of_an_ante():
    costs = stored("pik_play")["costs"]
    assert len(costs) == 8
    assert all(0 <= cost < 0.01 for cost in costs.values())
