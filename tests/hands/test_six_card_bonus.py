"""The six card bonus: the best five of six cards, and the super royal that needs the sixth."""

from itertools import combinations

import pytest

from domain.cards import DECK, cards
from domain.hands import six_card, standard

# clause | says | the six cards | the line of the pay table
LINES = """
UTH-MD 6.F(8) | a super royal of clubs                        | Ac Kc Qc Jc Tc 9c | super_royal_of_clubs
UTH-MD 6.F(8) | a super royal of diamonds                     | 9d Td Jd Qd Kd Ad | super_royal_of_diamonds
UTH-MD 6.F(8) | a super royal of hearts                       | Ah 9h Kh Th Qh Jh | super_royal_of_hearts
UTH-MD 6.F(8) | a super royal of spades                       | Ts 9s As Ks Js Qs | super_royal_of_spades
UTH-MD 6.F(1) | a royal flush whose nine is of another suit   | Ac Kc Qc Jc Tc 9d | royal_flush
UTH-MD 6.F(1) | a royal flush beside another card of its suit | Ac Kc Qc Jc Tc 8c | royal_flush
UTH-MD 6.F(2) | king to eight of one suit is no super royal   | Kc Qc Jc Tc 9c 8c | straight_flush
UTH-MD 6.F(2) | an ace ends the lowest straight flush         | Ac 2c 3c 4c 5c Kd | straight_flush
UTH-MD 6.F(3) | four of a kind                                | 9c 9d 9h 9s Ac Ad | four_of_a_kind
UTH-MD 6.F(4) | three of a kind and a pair                    | 9c 9d 9h Ac Ad Kh | full_house
UTH-MD 6.F(4) | two sets of three hold a full house           | 9c 9d 9h Ac Ad Ah | full_house
UTH-MD 6.F(5) | five of one suit                              | Ac Jc 9c 4c 2c Ad | flush
UTH-MD 6.F(6) | five in a row, a sixth beside them            | 9c 8d 7h 6s 5c 5d | straight
UTH-MD 6.F(6) | six in a row                                  | Ac Kd Qh Js Tc 9d | straight
UTH-MD 6.F(7) | three of a kind                               | 9c 9d 9h Ac Kd 2h | three_of_a_kind
UTH-MD 6.F(7) | three pairs are no more than two pairs        | 9c 9d 4h 4s 2c 2d | two_pair
UTH-MD 6.F(7) | nothing below three of a kind is listed       | 9c 9d 4h 3s 2c Kd | pair
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in LINES.strip().splitlines()]


@pytest.mark.parametrize(("clause", "says", "hand", "line"), ROWS, ids=[row[1] for row in ROWS])
def test_the_line_six_cards_fall_on(clause: str, says: str, hand: str, line: str) -> None:
    """The super royal alone looks at all six cards, and its line alone names a suit."""
    assert six_card.line(cards(hand)) == line
    category = "super_royal" if line.startswith("super") else line
    assert six_card.best(cards(hand)).category == category


def test_there_are_four_super_royals_and_the_other_royals_stay_royal() -> None:
    """Four of the 188 six cards with a royal flush in them are super royals, above every other hand."""
    royals = [
        (*(rank << 2 | suit for rank in range(8, 13)), sixth)
        for suit in range(4)
        for sixth in DECK
        if sixth >> 2 < 8 or sixth & 3 != suit
    ]
    values = [six_card.value(hand) for hand in royals]
    assert len(values) == 188
    assert sum(six_card.category(value) == six_card.SUPER_ROYAL for value in values) == 4
    assert sorted(set(values)) == [standard.value(royals[0][:5]), max(values)]


def test_a_super_royal_of_any_suit_has_the_same_rank() -> None:
    """The pay table names suits, the ranking does not: UTH-MD 6.C."""
    assert len({six_card.value(cards(hand)) for _, _, hand, line in ROWS if line.startswith("super")}) == 1


def test_two_sets_of_three_make_the_higher_full() -> None:
    """The higher three and a pair of the lower."""
    best = six_card.best(cards("9c 9d 9h Ac Ad Ah"))
    assert best.name == "aces full of nines"
    assert best.cards == cards("9c 9d Ac Ad Ah")


def test_the_best_five_of_six_is_the_best_of_six_choices() -> None:
    """Without a super royal the value is the highest of the five-card hands in it."""
    for _, _, hand, line in ROWS:
        if not line.startswith("super"):
            assert six_card.value(cards(hand)) == max(map(standard.of_five, combinations(cards(hand), 5)))
