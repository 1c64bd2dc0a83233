"""Fast Action's seventeen hands, counted over all five cards of six and of eight decks."""

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod

import pytest

from domain.cards import DECK, cards, show
from domain.hands import multideck, standard
from tests.hands.enumerated import of_several_decks

#   clause | category | highest | lowest
ORDER = """
FAH (c)(2)(i)    | flush_with_five_of_a_kind  | As As As As As | 2c 2c 2c 2c 2c
FAH (c)(2)(ii)   | royal_flush                | As Ks Qs Js Ts | Ac Kc Qc Jc Tc
FAH (c)(2)(iii)  | flush_with_four_of_a_kind  | As As As As Ks | 2c 2c 2c 2c 3c
FAH (c)(2)(iv)   | straight_flush             | Ks Qs Js Ts 9s | 5c 4c 3c 2c Ac
FAH (c)(2)(v)    | flush_with_full_house      | As As As Ks Ks | 2c 2c 2c 3c 3c
FAH (c)(2)(vi)   | five_of_a_kind             | As As As As Ac | 2c 2c 2d 2h 2s
FAH (c)(2)(vii)  | flush_with_three_of_a_kind | As As As Ks Qs | 2c 2c 2c 3c 4c
FAH (c)(2)(viii) | flush_with_two_pair        | As As Ks Ks Qs | 3c 3c 2c 2c 4c
FAH (c)(2)(ix)   | flush_with_pair            | As As Ks Qs Js | 2c 2c 3c 4c 5c
FAH (c)(2)(x)    | four_of_a_kind             | As As As As Kc | 2c 2c 2d 2h 3c
FAH (c)(2)(xi)   | full_house                 | As As As Ks Kc | 2c 2c 2d 3h 3c
FAH (c)(2)(xii)  | flush                      | As Ks Qs Js 9s | 2c 3c 4c 5c 7c
FAH (c)(2)(xiii) | straight                   | As Ks Qs Js Tc | 5c 4c 3c 2c Ad
FAH (c)(2)(xiv)  | three_of_a_kind            | As As As Ks Qc | 2c 2c 2c 3c 4d
FAH (c)(2)(xv)   | two_pair                   | As As Ks Ks Qc | 3c 3c 2c 2c 4d
FAH (c)(2)(xvi)  | pair                       | As As Ks Qs Jc | 2c 2c 3c 4c 5d
FAH (c)(2)(xvii) | high_card                  | As Ks Qs Js 9c | 2c 3c 4c 5c 7d
"""

# clause | says | the higher hand | the lower hand
HIGHER = """
FAH (c)(2)(i)    | five of one suit and rank beat a royal flush | 2c 2c 2c 2c 2c | As Ks Qs Js Ts
FAH (c)(2)(iii)  | four of a rank in a flush beat a run in it   | 2c 2c 2c 2c 3c | Ks Qs Js Ts 9s
FAH (c)(2)(vi)   | five of a kind beat four and a flush of trips | 2c 2c 2d 2h 2s | As As As Ks Qs
FAH (c)(2)(ix)   | a pair in a flush beats four of a kind       | 2c 2c 3c 4c 5c | As As As As Kc
FAH (c)(2)(xi)   | a full house beats a flush of five ranks     | 2c 2c 2d 3h 3c | As Ks Qs Js 9s
FAH (c)(1)/s1    | an ace is above a king                       | Ac 9d 7h 4s 2c | Kc 9h 7d 4c 2h
FAH (c)(1)/s2    | an ace completes 5-4-3-2 to a straight       | 5c 4d 3h 2s Ac | Ac Ad Ah Ks Qc
FAH (c)(1)/s2    | and in one suit to a straight flush          | 5c 4c 3c 2c Ac | As As As Ks Ks
FAH (c)(2)(xiii) | queen, king, ace, two, three is no run       | 2c 2d 3h 4s 5c | Qc Kd Ah 2s 3c
FAH (c)(3)/s1    | six-high is above the run with the low ace   | 6c 5d 4h 3s 2c | 5c 4d 3h 2s Ac
FAH (c)(3)/s1    | the pair comes before the kicker             | 3c 3c Kd Qh Jh | 2c 2d Ah Kc Qd
FAH (c)(3)/s1    | the pair in a flush comes before its kicker  | 3c 3c 6c 5c 4c | 2d 2d Ad Kd Qd
FAH (c)(3)/s1    | the higher pair in a flush comes first       | 5c 5c 2c 2c 3c | 4d 4d 3d 3d Ad
FAH (c)(3)/s1    | the last card of a flush with a pair decides | 9c 9c Ac Kc 5c | 9d 9d Ad Kd 4d
FAH (c)(3)/s1    | the fifth card beside four decides           | 7c 7c 7d 7h Ks | 7h 7s 7s 7d Qs
"""

# clause | says | retained two | community | the best five
SEVEN = """
FAH (a)(1)(iv) | both retained cards play        | 9c 9c | 9c 4c 2c Ah Kd | 9c 9c 9c 4c 2c
FAH (a)(1)(iv) | one retained card plays         | 9c 2d | 9d 9h 9h 9s Kd | 9c 9d 9h 9h 9s
FAH (a)(1)(iv) | the community cards play alone  | 2c 3d | Kh Kh Kh Qh Qh | Kh Kh Kh Qh Qh
FAH (a)(1)(iv) | a run in a suit is above trips  | 5h 5h | 5h 6h 7h 8h 9h | 9h 8h 7h 6h 5h
"""


def _rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("|")] for row in table.strip().splitlines()]


def closed_forms(decks: int) -> dict[str, int]:
    """The number of five-card hands in each category for so many decks, `f` cards of a face and `r` of a rank."""
    f, r = decks, 4 * decks

    def groups(*sizes: int, choices: int) -> tuple[int, int]:
        """(all of one suit, not all of one suit), `choices` ranks for groups of these sizes."""
        suited = 4 * choices * prod(comb(f, size) for size in sizes)
        return suited, choices * prod(comb(r, size) for size in sizes) - suited

    flush_five, five = groups(5, choices=13)
    flush_four, four = groups(4, 1, choices=13 * 12)
    flush_full, full = groups(3, 2, choices=13 * 12)
    flush_three, three = groups(3, 1, 1, choices=13 * comb(12, 2))
    flush_two_pair, two_pair = groups(2, 2, 1, choices=comb(13, 2) * 11)
    flush_pair, pair = groups(2, 1, 1, 1, choices=13 * comb(12, 3))
    runs, straight = groups(1, 1, 1, 1, 1, choices=10)
    flush, high = groups(1, 1, 1, 1, 1, choices=comb(13, 5) - 10)
    royal = 4 * f**5
    return {
        "flush_with_five_of_a_kind": flush_five,
        "royal_flush": royal,
        "flush_with_four_of_a_kind": flush_four,
        "straight_flush": runs - royal,
        "flush_with_full_house": flush_full,
        "five_of_a_kind": five,
        "flush_with_three_of_a_kind": flush_three,
        "flush_with_two_pair": flush_two_pair,
        "flush_with_pair": flush_pair,
        "four_of_a_kind": four,
        "full_house": full,
        "flush": flush,
        "straight": straight,
        "three_of_a_kind": three,
        "two_pair": two_pair,
        "pair": pair,
        "high_card": high,
    }


def _by_category(values: Counter[int]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for value, number in values.items():
        counted[multideck.CATEGORIES[multideck.category(value)]] += number
    return counted


@pytest.mark.parametrize("decks", [6, 8])
def test_every_hand_falls_into_its_category_as_often_as_it_must(decks: int) -> None:
    """All hands by ranks and by whether one suit holds them, against a closed form for each category."""
    values: Counter[int] = Counter()
    for hand, number in of_several_decks(decks):
        values[multideck.value(hand)] += number
    counted = _by_category(values)
    assert counted == closed_forms(decks)
    assert counted.total() == comb(52 * decks, 5)
    assert len(values) == 2 * 6_188  # sets of five ranks, in one suit or not: every one a rank of its own


def test_the_closed_forms_are_those_of_a_plain_deck_where_there_is_one() -> None:
    """With a single deck nothing is left but the ten standard hands and their known counts."""
    known = {"royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3_744, "flush": 5_108}
    known |= {"straight": 10_200, "three_of_a_kind": 54_912, "two_pair": 123_552, "pair": 1_098_240}
    assert {name: count for name, count in closed_forms(1).items() if count} == known | {"high_card": 1_302_540}


def test_every_category_runs_from_its_printed_highest_to_its_printed_lowest_hand() -> None:
    """Every hand of a category lies between those the clauses name, and no category reaches another."""
    rows = _rows(ORDER)
    assert [category for _, category, _, _ in rows] == list(reversed(multideck.CATEGORIES))
    different = sorted({multideck.value(hand) for hand, _ in of_several_decks(6)}, reverse=True)
    for _, category, highest, lowest in rows:
        held = [value for value in different if multideck.CATEGORIES[multideck.category(value)] == category]
        assert (held[0], held[-1]) == (multideck.value(cards(highest)), multideck.value(cards(lowest))), category
        assert different[: len(held)] == held, f"{category} stands above all that is left"
        different = different[len(held) :]


@pytest.mark.parametrize(("clause", "says", "higher", "lower"), _rows(HIGHER), ids=[row[1] for row in _rows(HIGHER)])
def test_the_higher_hand(clause: str, says: str, higher: str, lower: str) -> None:
    """The printed order differs from the standard one in more than its new hands."""
    assert multideck.value(cards(higher)) > multideck.value(cards(lower))
    assert multideck.of_five(cards(higher)) > multideck.of_five(cards(lower))


def test_a_copy_hand_is_one_of_the_same_ranks() -> None:
    """Identity is by ranks: neither the suit nor the very card matters: FAH (c)(1)/s3, FAH (c)(3)/s2."""
    assert multideck.value(cards("As As Ks Qs Js")) == multideck.value(cards("Ac Ac Kc Qc Jc"))
    assert multideck.value(cards("9c 9c 4d 3h 2s")) == multideck.value(cards("9d 9h 4s 3c 2c"))


@pytest.mark.parametrize(("clause", "says", "own", "community", "five"), _rows(SEVEN), ids=[r[1] for r in _rows(SEVEN)])
def test_the_best_five_of_seven(clause: str, says: str, own: str, community: str, five: str) -> None:
    """Any five of the two retained and the five community cards may make the hand."""
    best = multideck.best(cards(f"{own} {community}"))
    assert best.value == multideck.of_five(cards(five))
    assert multideck.of_five(best.cards) == best.value


@pytest.mark.parametrize("decks", [6, 8])
def test_the_best_five_is_the_best_of_all_choices(decks: int) -> None:
    """Hands of a shoe, and hands of few faces, in which flushes with pairs come often."""
    chance = random.Random(decks)  # noqa: S311 - repeatable test hands
    shoe = DECK * decks
    for turn in range(4_000):
        few = [rank << 2 | suit for rank in chance.sample(range(13), 3) for suit in chance.sample(range(4), 2)]
        hand = chance.sample(shoe if turn % 2 else few * decks, 7)
        assert multideck.value(hand) == max(map(multideck.of_five, combinations(hand, 5))), show(hand)


def test_hands_of_one_deck_keep_their_order_but_for_the_full_house() -> None:
    """Without doubled faces the standard order holds, save that a full house is above a flush."""
    chance = random.Random(17)  # noqa: S311 - repeatable test hands
    hands = [chance.sample(DECK, 5) for _ in range(3_000)]
    swap = {standard.FLUSH: standard.FULL_HOUSE, standard.FULL_HOUSE: standard.FLUSH}
    for one, other in pairwise(hands):
        plain = [standard.value(hand) for hand in (one, other)]
        if {standard.category(value) for value in plain} == set(swap):
            plain.reverse()
        ours = [multideck.value(hand) for hand in (one, other)]
        assert (plain[0] > plain[1]) == (ours[0] > ours[1]), f"{show(one)} against {show(other)}"


@pytest.mark.exhaustive
@pytest.mark.parametrize("decks", [6, 8])
def test_every_five_faces_card_by_card(decks: int) -> None:
    """All 3,819,816 choices of five faces, each ranked by itself and by its definition, weighed by their copies."""
    values: Counter[int] = Counter()
    for hand in combinations_with_replacement(DECK, 5):
        value = multideck.value(hand)
        assert value == multideck.of_five(hand), show(hand)
        distinct = len(set(hand))
        values[value] += decks**5 if distinct == 5 else prod(comb(decks, count) for count in Counter(hand).values())
    assert _by_category(values) == closed_forms(decks)
