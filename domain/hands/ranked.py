"""The result of every ranker for a hand, and the words a dealer would announce it in."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import msgspec

from domain.cards import RANK_NAMES, RANK_PLURALS, RANKS, UNKNOWN, rank

# A value is category * 2**20 plus five ranks of four bits, the deciding rank first: higher is better.
CATEGORY_BITS = 20

# The sum of these identifies a set of cards by ranks (three bits a rank) and by suits (four bits a suit, starting at 3
# so that the fifth card of a suit sets the top bit). An unknown card sets a bit of its own.
RANK_BITS = 3
_SUITS_AT = 13 * RANK_BITS
RANK_MASK = (1 << _SUITS_AT) - 1
START = sum(3 << _SUITS_AT + 4 * suit for suit in range(4))
FIVE_SUITED = tuple(8 << _SUITS_AT + 4 * suit for suit in range(4))
UNSEEN = 1 << _SUITS_AT + 20
SUITED_OR_UNSEEN = sum(FIVE_SUITED) | 7 * UNSEEN  # three bits count up to seven unseen cards
KEY = (*((1 << RANK_BITS * (card >> 2)) + (1 << _SUITS_AT + 4 * (card & 3)) for card in range(52)), UNSEEN)


class UnknownCardError(ValueError):
    """A hand with an unseen card, which has no rank."""


class ImpossibleHandError(ValueError):
    """Cards that no deck of this game can deal, or the wrong number of cards."""


class Hand(msgspec.Struct, frozen=True):
    """A ranked hand. Only `value` orders hands; suits never do."""

    value: int
    category: str
    cards: tuple[int, ...]
    name: str


def refuse_unseen(cards: Iterable[int]) -> None:
    """Raise an error if one of these cards was not seen."""
    if UNKNOWN in cards:
        raise UnknownCardError("a card of this hand was not seen")


def grouped(cards: Iterable[int]) -> list[tuple[int, int]]:
    """Return (count, rank) for each rank held: the largest group first, then the highest rank."""
    return sorted(((count, held) for held, count in Counter(map(rank, cards)).items()), reverse=True)


def packed(category: int, ranks: Iterable[int]) -> int:
    """Return the value of a category and the ranks that decide within it."""
    value = category
    places = 0
    for held in ranks:
        value = value << 4 | held
        places += 1
    return value << 4 * (5 - places)


def straight_top(ranks: Iterable[int], length: int = 5) -> int | None:
    """Return the top rank of the straight these distinct ranks make; with an ace below a two, the lowest straight."""
    held = sorted(set(ranks), reverse=True)
    if len(held) != length:
        return None
    if held[0] - held[-1] == length - 1:
        return held[0]
    if held[0] == 12 and held[1:] == list(range(length - 2, -1, -1)):
        return length - 2
    return None


def used(cards: Sequence[int], size: int, value: int, value_of: Callable[[Sequence[int]], int]) -> tuple[int, ...]:
    """Return the cards that make the value: the first such choice in the order dealt."""
    return next(choice for choice in combinations(cards, size) if value_of(choice) == value)


def announced(category: str, value: int) -> str:
    """Return the name a dealer would announce: "nines full of fours", "ace-high flush", "pair of tens"."""
    top, second = value >> 16 & 15, value >> 12 & 15
    one, many, other = RANK_NAMES[top], RANK_PLURALS[top], RANK_PLURALS[second]
    pattern = _CALLS[category]
    return pattern.format(one=one, many=many, other=other, words=category.replace("_", " "))


def told_apart(categories: Sequence[str], value: int, other: int) -> tuple[str, str]:
    """Return distinct names for two hands, adding the deciding ranks if needed: "pair of eights with A-Q"."""
    category = categories[value >> CATEGORY_BITS]
    name, others = announced(category, value), announced(categories[other >> CATEGORY_BITS], other)
    if value == other or name != others:
        return name, others
    said = 2 if "{other}" in _CALLS[category] else 1
    rest, against = _ranks(value)[said:], _ranks(other)[said:]
    until = next(place for place, held in enumerate(rest) if held != against[place]) + 1
    return f"{name} with {'-'.join(rest[:until])}", f"{name} with {'-'.join(against[:until])}"


def _ranks(value: int) -> list[str]:
    return [RANKS[value >> 4 * place & 15] for place in range(4, -1, -1)]


_CALLS = {
    "royal_flush": "royal flush",
    "straight_flush": "{one}-high straight flush",
    "four_of_a_kind": "four {many}",
    "full_house": "{many} full of {other}",
    "flush": "{one}-high flush",
    "straight": "{one}-high straight",
    "three_of_a_kind": "three {many}",
    "two_pair": "two pair, {many} and {other}",
    "pair": "pair of {many}",
    "high_card": "{one} high",
    "five_of_a_kind": "five {many}",
    "flush_with_five_of_a_kind": "flush with five {many}",
    "flush_with_four_of_a_kind": "flush with four {many}",
    "flush_with_full_house": "flush with {many} full of {other}",
    "flush_with_three_of_a_kind": "flush with three {many}",
    "flush_with_two_pair": "flush with two pair, {many} and {other}",
    "flush_with_pair": "flush with a pair of {many}",
}
