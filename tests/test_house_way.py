"""The house way of Fast Action against its worked rows and against every four cards of six decks."""

from collections import Counter, defaultdict
from itertools import combinations_with_replacement, product
from math import comb

import pytest

from domain.cards import RANKS, card, cards
from domain.house_way import ROWS, acceptable, is_natural, kept

HANDS = """
 1 | 2s 2s Ah Ad | 2s 2s | i    |
 2 | 7d 7d Kh Kh | Kh Kh | i    | 7d 7d
 3 | Kc Kd 2s 2h | Kc Kd | ii   |
 5 | 9s 9s 9h Ac | 9s 9s | i    |
 6 | As Ts Kh Qh | As Ts | iii  |
 7 | As 9s Kh Qh | Kh Qh | iv   |
 8 | As Kh Qd 2s | As Kh | v    |
 9 | Kh Jh Th 3s | Jh Th | iv   |
10 | Qh Th Js 4d | Qh Js | vi   |
11 | As 5s 9h 8h | As 5s | vii  |
12 | Kh Th Js 4d | Kh Th | viii |
13 | Kh Js 9d 8d | Kh Js | ix   |
14 | As 9h 8h 7d | As 9h | x    |
15 | Kh 9h 8h 4c | 9h 8h | xi   |
16 | Jh 3h 9s 8s | 9s 8s | xi   |
17 | Kh 3h Ts 8s | Kh 3h | xii  |
18 | Kc 9d 8h 4s | 9d 8h | xiii |
19 | Jc Td 6h 2s | Jc Td | xiii |
20 | Kc Td 7h 5s | Kc Td | xiv  |
22 | 9h 8h 5s 4s | 9h 8h | xi   | 5s 4s
"""
PRIORITIES = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv"]


def _table():
    for line in HANDS.strip().splitlines():
        number, four, two, priority, lower = (field.strip() for field in line.split("|"))
        yield pytest.param(cards(four), two, priority, lower, id=f"{number}: {four}")


def _value(text):
    return tuple(sorted(cards(text)))


@pytest.mark.parametrize(("four", "two", "priority", "lower"), list(_table()))
def test_the_worked_hands_keep_their_two_cards(four, two, priority, lower):
    alternatives = (_value(lower),) if lower else ()
    assert acceptable(four) == (PRIORITIES.index(priority) + 1, frozenset({_value(two)}), alternatives)
    assert tuple(sorted(kept(four))) == _value(two)


def test_three_suits_of_one_rank_leave_three_choices_and_a_dealer_keeps_the_first_two_dealt():
    four = cards("9h 9s 9d Ac")
    assert acceptable(four) == (2, frozenset(map(_value, ("9h 9s", "9h 9d", "9s 9d"))), ())
    assert kept(four) == cards("9h 9s")


def test_four_of_one_rank_are_a_natural_and_nothing_is_set():
    four = cards("Qs Qs Qd Qh")
    assert is_natural(four)
    assert acceptable(four) is None
    assert kept(four) is None


@pytest.mark.parametrize(
    ("four", "viii", "ix", "two", "priority"),
    [
        ("Kh 9h 8h 4c", "high-only", "both", "Kh 9h", "viii"),
        ("Jh 3h 9s 8s", "high-only", "both", "Jh 3h", "viii"),
        ("Kc 9d 8h 4s", "both", "high-only", "Kc 9d", "ix"),
        ("Kh 9h 8h 4c", "both", "high-only", "Kh 9h", "ix"),
        ("Kh Th Js 4d", "high-only", "high-only", "Kh Th", "viii"),
    ],
)
def test_the_other_readings_bind_the_higher_card_alone(four, viii, ix, two, priority):
    found = acceptable(cards(four), viii, ix)
    assert found[:2] == (PRIORITIES.index(priority) + 1, frozenset({_value(two)}))


def test_every_row_cites_its_priority():
    for rows in ROWS.values():
        assert [row.clause for row in rows] == [f"FAH (h)(9)({priority})" for priority in PRIORITIES]


# The share of all deals of six decks, in percent, and every result of the rows that name few.
SHARES = """
natural | 0.0357
i       | 9.3726
ii      | 29.3388
iii     | 4.3959
iv      | 3.2407
v       | 9.2040
vi      | 4.9192
vii     | 2.7735
viii    | 2.0560
ix      | 2.0560
x       | 2.0239
xi      | 6.5336
xii     | 21.0142
xiii    | 2.1926
xiv     | 0.8433
"""
RESULTS = {
    "iii": "AKs AQs AJs ATs",
    "iv": "KQs QJs JTs",
    "v": "AKo AQo AJo ATo",
    "vi": "KQo QJo",
    "vii": "A9s A8s A7s A6s A5s A4s A3s A2s",
    "viii": "KJs KTs QTs",
    "ix": "KJo",
    "x": "A9o A8o A7o A6o A5o A4o",
    "xi": "T9s 98s 87s 76s 65s 54s 43s 32s",
    "xiii": "JTo T9o 98o 87o 76o 65o 54o 43o 32o",
}


def _called(pair):
    low, high = sorted(pair)
    suited = "s" if low & 3 == high & 3 else "o"
    return RANKS[high >> 2] + RANKS[low >> 2] + suited


def _multiplicity(four, decks=6):
    product_of = 1
    for copies in Counter(four).values():
        product_of *= comb(decks, copies)
    return product_of


@pytest.mark.exhaustive
def test_every_four_cards_of_six_decks_fall_on_the_printed_shares():
    deals, results, three_choices, hands = Counter(), defaultdict(set), 0, 0
    for four in combinations_with_replacement(range(52), 4):
        hands += 1
        weight = _multiplicity(four)
        found = acceptable(four)
        priority = "natural" if found is None else PRIORITIES[found[0] - 1]
        deals[priority] += weight
        if found is not None:
            results[priority] |= set(map(_called, found[1]))
            three_choices += weight * (len(found[1]) == 3)
            assert len(found[1]) in (1, 3)
    assert hands == 341_055
    assert sum(deals.values()) == comb(312, 4)
    whole = comb(312, 4)
    shares = {name.strip(): float(share) for name, share in (line.split("|") for line in SHARES.split("\n") if line)}
    assert {name: round(100 * deals[name] / whole, 4) for name in shares} == shares
    assert round(100 * three_choices / whole, 4) == 0.8353
    for priority, names in RESULTS.items():
        assert results[priority] == set(names.split()), priority
    assert results["i"] == {rank + rank + "s" for rank in RANKS}
    assert results["ii"] == {rank + rank + "o" for rank in RANKS}
    gapped = {f"{high}{low}s" for high, low in product(RANKS, RANKS) if RANKS.index(high) - RANKS.index(low) >= 2}
    assert results["xii"] == {name for name in gapped if name[0] != "A"} - {"KJs", "KTs", "QTs"}


@pytest.mark.exhaustive
@pytest.mark.parametrize(("viii", "ix", "percent"), [("high-only", "both", 3.26), ("both", "high-only", 15.89)])
def test_the_other_readings_change_as_many_hands_as_is_known(viii, ix, percent):
    changed = 0
    for four in combinations_with_replacement(range(52), 4):
        usual, other = acceptable(four), acceptable(four, viii, ix)
        if usual is not None and usual[1] != other[1]:
            changed += _multiplicity(four)
    assert round(100 * changed / comb(312, 4), 2) == percent


def test_the_pairs_of_a_decision_are_sorted_card_numbers():
    _, pairs, _ = acceptable(cards("Kh 2c As Qd"))
    assert pairs == {(card("Kh"), card("As"))}
