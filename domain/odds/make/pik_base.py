"""The base game of Pik-it under optimal play: each five cards against every five the dealer may hold.

Dealers' hands are taken from the lowest up, while counters hold how many of those below contain each one, two, three
and four cards. The number below that are disjoint from the player's five is then a sum over the subsets of the five
with alternating signs: thirty-one look-ups instead of a million and a half comparisons.
"""

from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np

from domain.cards import cards
from domain.hands import standard, three_card
from domain.odds.make import deals, fast
from domain.odds.make.fast import Ints, compiled, hand_value

DEALERS = comb(47, 5)
# PIK 39.1 "Qualifying hand": nothing lower than ace, king, 4, 3, 2.
LEAST_QUALIFYING = standard.of_five(cards("Ah Kd 4c 3s 2h"))

# The bits of a value that rank three cards, and those of a five-card value's category and first two ranks.
THREE_KEY_AT, FIVE_KEY_AT = 8, 12

BINOMIAL: Ints = np.array([[comb(card, size) for size in range(5)] for card in range(52)], dtype=np.int64)
SIZES = np.array([0, 1, 53, 1379, 23479], dtype=np.int64)  # where the subsets of each size begin
COUNTERS = 23479 + comb(52, 4)

# The thirty-one subsets of five places that omit at least one, as bits.
SUBSETS: Ints = np.arange(31, dtype=np.int64)


@compiled
def _place(hand: Ints, subset: int) -> int:
    """Return the place of the counter for a subset of a sorted hand."""
    size = place = 0
    for card in range(5):
        if subset >> card & 1:
            size += 1
            place += BINOMIAL[hand[card], size]
    return int(SIZES[size] + place)


@compiled
def _add(hand: Ints, counters: Ints) -> None:
    for subset in SUBSETS:
        counters[_place(hand, subset)] += 1


@compiled
def _disjoint(hand: Ints, counters: Ints) -> int:
    """Return how many of the counted hands hold no card of this one; this one itself is not among them."""
    total = 0
    for subset in SUBSETS:
        sign, bits = 1, subset
        while bits:
            bits &= bits - 1
            sign = -sign
        total += sign * counters[_place(hand, subset)]
    return int(total)


@compiled
def _below_and_level(hands: Ints, values: Ints, order: Ints, wanted: Ints) -> Ints:
    """Return for each wanted hand how many disjoint hands are below its value and how many equal it."""
    counters = np.zeros(COUNTERS, dtype=np.int64)
    found = np.zeros((len(hands), 2), dtype=np.int64)
    first = 0
    while first < len(order):
        last = first
        while last < len(order) and values[order[last]] == values[order[first]]:
            last += 1
        for place in range(first, last):
            if wanted[order[place]]:
                found[order[place], 0] = _disjoint(hands[order[place]], counters)
        for place in range(first, last):
            _add(hands[order[place]], counters)
        for place in range(first, last):
            number = order[place]
            if wanted[number]:
                # All thirty-two subsets count here: the whole hand is among those added.
                found[number, 1] = _disjoint(hands[number], counters) - 1 - found[number, 0]
        first = last
    return found


@compiled
def _weak_opponents(hands: Ints, values: Ints, floor: int, wanted: Ints) -> Ints:
    """Return for each wanted hand how many disjoint hands do not reach the floor."""
    counters = np.zeros(COUNTERS, dtype=np.int64)
    for number in range(len(hands)):
        if values[number] < floor:
            _add(hands[number], counters)
    found = np.zeros(len(hands), dtype=np.int64)
    for number in range(len(hands)):
        if wanted[number]:
            found[number] = _disjoint(hands[number], counters) - (values[number] < floor)
    return found


@compiled
def _values(hands: Ints, threes: Ints, of_three: Ints) -> tuple[Ints, Ints]:
    five, three = np.zeros(len(hands), dtype=np.int64), np.zeros(len(hands), dtype=np.int64)
    for number in range(len(hands)):
        hand = hands[number]
        five[number] = hand_value(hand)
        for one, two, last in threes:
            place = BINOMIAL[hand[one], 1] + BINOMIAL[hand[two], 2] + BINOMIAL[hand[last], 3]
            three[number] = max(three[number], of_three[place])
    return five, three


def _three_card_values() -> Ints:
    """Return the domain's value of each three cards, at its place among the sets of three."""
    values = np.zeros(comb(52, 3), dtype=np.int64)
    for one, two, three in combinations(range(52), 3):
        values[comb(one, 1) + comb(two, 2) + comb(three, 3)] = three_card.of_three((one, two, three))
    return values


def results() -> dict[str, Ints]:
    """Return weight, category and results of play 3 and play 5 for the 134,459 representative hands."""
    fast.checked()
    hands = deals.all_sets(5)
    threes = np.array(list(combinations(range(5), 3)), dtype=np.int64)
    five, three = _values(hands, threes, _three_card_values())
    weights = deals.weights(hands)
    wanted = (weights > 0).astype(np.int64)
    by_five = _below_and_level(hands, five, np.argsort(five, kind="stable"), wanted)
    by_three = _below_and_level(hands, three, np.argsort(three, kind="stable"), wanted)
    weak = _weak_opponents(hands, five, LEAST_QUALIFYING, wanted)
    kept = wanted > 0
    below, level, weak = by_five[kept, 0], by_five[kept, 1], weak[kept]
    qualified = five[kept] >= LEAST_QUALIFYING
    none = np.zeros(len(below), dtype=np.int64)
    above = DEALERS - below - level
    return {
        "weight": weights[kept],
        "category": five[kept] >> 20,
        "five": five[kept],
        "three": three[kept],
        "three win": by_three[kept, 0],
        "three tie": by_three[kept, 1],
        "three loss": DEALERS - by_three[kept].sum(axis=1),
        "win qualified": np.where(qualified, below - weak, none),
        "win unqualified": np.where(qualified, weak, below),
        "tie qualified": np.where(qualified, level, none),
        "tie unqualified": np.where(qualified, none, level),
        "loss qualified": np.where(qualified, above, DEALERS - weak),
        "loss unqualified": np.where(qualified, none, weak - below - level),
    }


class Config(NamedTuple):
    """The options of a house on which the best play depends."""

    qualifies: bool
    multiple3: int
    multiple5: int

    @property
    def name(self) -> str:
        """The configuration's name in the stored counts."""
        begins = "qualifies" if self.qualifies else "no_qualifier"
        return f"{begins} play3x{self.multiple3} play5x{self.multiple5}"


CONFIGS = tuple(Config(qualifies, three, five) for qualifies in (False, True) for three in (1, 2) for five in (1, 2))


def _gains(held: dict[str, Ints]) -> tuple[Ints, Ints, Ints]:
    """Return wins less losses of play 3, of play 5, and of play 5 against qualifying dealers only."""
    strong = held["win qualified"] - held["loss qualified"]
    five = strong + held["win unqualified"] - held["loss unqualified"]
    return held["three win"] - held["three loss"], five, strong


def _worth(config: Config, three: Ints, five: Ints, strong: Ints) -> Ints:
    """Return the net of fold, play 3 and play 5 over all dealers, from wins less losses."""
    playing = strong if config.qualifies else five
    fold = np.full(len(three), -DEALERS)
    return np.stack([fold, three * (1 + config.multiple3), five + config.multiple5 * playing])


def _configuration(held: dict[str, Ints], config: Config) -> dict[str, int]:
    """Return the deals of each outcome under the best play, by the category of the player's five cards."""
    # A tie of two choices goes to the first: fold, play 3, play 5.
    choice = np.argmax(_worth(config, *_gains(held)), axis=0)
    names = [name for name in held if name.split()[0] in {"win", "tie", "loss"}]
    counts: dict[str, int] = {}

    def add(row: str, chosen: int, category: int, deals_: Ints | int) -> None:
        here = (choice == chosen) & (held["category"] == category)
        count = int((held["weight"] * deals_)[here].sum())
        if count:
            counts[row] = counts.get(row, 0) + count

    for category, hand in enumerate(standard.CATEGORIES):
        add(f"fold {hand}", 0, category, DEALERS)
        for result in ("win", "tie", "loss"):
            add(f"play3 {result} {hand}", 1, category, held[f"three {result}"])
        for name in names:
            add(f"play5 {name if config.qualifies else name.split()[0]} {hand}", 2, category, held[name])
    return counts


def pik_base() -> dict[str, Any]:
    """Return all eight configurations of qualification and multiples."""
    held = results()
    return {"configurations": {config.name: _configuration(held, config) for config in CONFIGS}}


def _mean(keys: Ints, weights: Ints, gains: Ints) -> dict[int, int]:
    """Return the mean gain of each key, in millionths of the dealers."""
    distinct, place = np.unique(keys, return_inverse=True)
    totals = np.bincount(place, weights=gains * weights)
    return {
        int(key): round(1_000_000 * float(total) / float(count) / DEALERS)
        for key, total, count in zip(distinct, totals, np.bincount(place, weights=weights), strict=True)
    }


def pik_play() -> dict[str, Any]:
    """Return a player's card for Pik-it, in millionths.

    It holds the gain of play 3 by the best three cards, the gain of play 5 by category and the first two deciding
    ranks, and the cost of using the card instead of the best play, in antes.
    """
    held = results()
    three, five, strong = _gains(held)
    keys3, keys5, weights = held["three"] >> THREE_KEY_AT, held["five"] >> FIVE_KEY_AT, held["weight"]
    card3, card5, card_strong = (
        _mean(keys, weights, gains) for keys, gains in ((keys3, three), (keys5, five), (keys5, strong))
    )
    guessed = [
        np.array([card[key] for key in keys.tolist()]) * DEALERS // 1_000_000
        for card, keys in ((card3, keys3), (card5, keys5), (card_strong, keys5))
    ]
    costs = {}
    for config in CONFIGS:
        worth = _worth(config, three, five, strong)
        chosen = np.argmax(_worth(config, *guessed), axis=0)
        lost = worth.max(axis=0) - worth[chosen, np.arange(len(chosen))]
        costs[config.name] = round(float((lost * weights).sum()) / DEALERS / comb(52, 5), 6)
    return {
        "costs": costs,
        "three": {str(key): gain for key, gain in card3.items()},
        "five": {str(key): [gain, card_strong[key]] for key, gain in card5.items()},
    }
