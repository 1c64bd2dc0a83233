"""All 2,598,960 five-card hands of one deck, ranked one by one."""

import random
import sys
from array import array
from collections import Counter
from functools import cache
from hashlib import sha256
from itertools import combinations

from domain.cards import DECK, cards
from domain.hands import standard

COUNTS = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pair": 123_552,
    "pair": 1_098_240,
    "high_card": 1_302_540,
}

# The values of the hands in the order of combinations(range(52), 5), four bytes each, the lowest byte first.
DIGEST = "75c3b6db2663ab46c32028c4da07df174377512e414f89f5532323952ab74d1a"

# The highest and the lowest hand of each category and the clauses that name them; the kickers follow from ties.
#   clauses | category | highest | lowest
ORDER = """
UTH-MA 5(b)(1); UTH-MD 6.D(1); PIK 39.4(b)1; COL 3(b)(1) | royal_flush     | As Ks Qs Js Ts | Ac Kc Qc Jc Tc
UTH-MA 5(b)(2); UTH-MD 6.D(2); PIK 39.4(b)2; COL 3(b)(2) | straight_flush  | Ks Qs Js Ts 9s | 5d 4d 3d 2d Ad
UTH-MA 5(b)(3); UTH-MD 6.D(3); PIK 39.4(b)3; COL 3(b)(3) | four_of_a_kind  | Ac Ad Ah As Kc | 2c 2d 2h 2s 3c
UTH-MA 5(b)(4); UTH-MD 6.D(4); PIK 39.4(b)4; COL 3(b)(4) | full_house      | Ac Ad Ah Ks Kc | 2c 2d 2h 3s 3c
UTH-MA 5(b)(5); UTH-MD 6.D(5); PIK 39.4(b)5; COL 3(b)(5) | flush           | Ah Kh Qh Jh 9h | 2c 3c 4c 5c 7c
UTH-MA 5(b)(6); UTH-MD 6.D(6); PIK 39.4(b)6; COL 3(b)(6) | straight        | Ah Kh Qh Jh Td | Ac 2c 3c 4c 5h
UTH-MA 5(b)(7); UTH-MD 6.D(7); PIK 39.4(b)7; COL 3(b)(7) | three_of_a_kind | Ac Ad Ah Ks Qc | 2c 2d 2h 3s 4c
UTH-MA 5(b)(8); UTH-MD 6.D(8); PIK 39.4(b)8; COL 3(b)(8) | two_pair        | Ac Ad Ks Kc Qd | 3c 3d 2s 2c 4d
UTH-MA 5(b)(9); UTH-MD 6.D(9); PIK 39.4(b)9; COL 3(b)(9) | pair            | Ac Ad Ks Qc Jd | 2c 2d 3s 4c 5d
UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1            | high_card       | Ac Kd Qs Jc 9d | 2c 3d 4s 5c 7d
"""


@cache
def values() -> "array[int]":
    """The values of all hands in the order of their enumeration."""
    return array("I", map(standard.value, combinations(DECK, 5)))


def test_every_hand_falls_into_its_category_as_often_as_it_must() -> None:
    """The ten categories hold as many hands as is long known."""
    counted: Counter[str] = Counter()
    for value, number in Counter(values()).items():
        counted[standard.CATEGORIES[standard.category(value)]] += number
    assert counted == COUNTS
    assert counted.total() == 2_598_960


def test_there_are_7462_hands_that_differ_in_rank() -> None:
    """Two hands share a value only if suits alone tell them apart."""
    assert len(set(values())) == 7_462


def test_the_whole_order_is_the_one_that_was_checked() -> None:
    """One digest over all values: no hand can change its place unnoticed."""
    held = array("I", values())
    assert held.itemsize == 4
    if sys.byteorder == "big":
        held.byteswap()
    assert sha256(held.tobytes()).hexdigest() == DIGEST


def test_every_category_runs_from_its_printed_highest_to_its_printed_lowest_hand() -> None:
    """Every hand of a category lies between those the clauses name, and no category reaches another."""
    rows = [[cell.strip() for cell in row.split("|")] for row in ORDER.strip().splitlines()]
    assert [category for _, category, _, _ in rows] == list(reversed(standard.CATEGORIES))
    different = sorted(set(values()), reverse=True)
    for _, category, highest, lowest in rows:
        held = [value for value in different if standard.CATEGORIES[standard.category(value)] == category]
        assert (held[0], held[-1]) == (standard.value(cards(highest)), standard.value(cards(lowest))), category
        assert different[: len(held)] == held, f"{category} stands above all that is left"
        different = different[len(held) :]


def test_tables_and_printed_definitions_agree() -> None:
    """The table look-up gives a hand the value its definition gives it, on 100,000 hands."""
    chance = random.Random(5)  # noqa: S311 - repeatable test hands
    for _ in range(100_000):
        hand = chance.sample(DECK, 5)
        assert standard.value(hand) == standard.of_five(hand), hand
