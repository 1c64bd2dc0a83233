"""Maryland's six card bonus (UTH-MD 6.F): the box's four cards and the player's two.

The hand is the best five of the six in the standard order. The super royal ranks above all of these and needs all six
cards.
"""

from collections.abc import Sequence

from domain.cards import SUIT_NAMES, suit
from domain.hands import standard
from domain.hands.ranked import Hand, ImpossibleHandError, packed

CATEGORIES = (*standard.CATEGORIES, "super_royal")
SUPER_ROYAL = len(standard.CATEGORIES)

_NINE_TO_ACE = frozenset(range(7, 13))


def value(cards: Sequence[int]) -> int:
    """Return the value of six cards; a super royal ranks above every five-card hand."""
    if len(cards) != 6:
        raise ImpossibleHandError("the six card bonus needs six cards")
    five = standard.value(cards)
    if standard.category(five) == standard.ROYAL_FLUSH and _is_super_royal(cards):
        return packed(SUPER_ROYAL, [12])
    return five


def _is_super_royal(cards: Sequence[int]) -> bool:
    return len({suit(card) for card in cards}) == 1 and {card >> 2 for card in cards} == _NINE_TO_ACE


def category(value: int) -> int:
    """Return the category number of a value: the standard ten, then the super royal."""
    return standard.category(value)


def line(cards: Sequence[int]) -> str:
    """Return the pay-table line of these six cards; a super royal's line names its suit."""
    held = category(value(cards))
    if held == SUPER_ROYAL:
        return f"super_royal_of_{SUIT_NAMES[suit(cards[0])]}"
    return standard.CATEGORIES[held]


def best(cards: Sequence[int]) -> Hand:
    """Return the best hand of these six cards, with its name."""
    held = value(cards)
    if category(held) == SUPER_ROYAL:
        name = f"super royal of {SUIT_NAMES[suit(cards[0])]}"
        return Hand(value=held, category="super_royal", cards=tuple(cards), name=name)
    return standard.best(cards)
