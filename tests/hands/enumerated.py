"""Every hand there is, as ranks and suits rather than card by card: few enough to rank in an instant.

Ranks decide a hand without five cards of one suit, and the cards of that suit decide a hand that has them. So
one hand stands for all with its ranks, or with its ranks in the suit, and is counted as often as there are of
them. That ranks and suits do decide is shown card by card in the tests marked exhaustive.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from math import comb, prod


def of_one_deck(size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """(cards, how many hands they stand for) over all hands of five to seven cards of one deck."""
    for ranks in combinations_with_replacement(range(13), size):
        held = Counter(ranks)
        if max(held.values()) <= 4:
            all_suits = prod(comb(4, count) for count in held.values())
            yield mixed(ranks), all_suits - _with_five_of_a_suit(held)
    for suited in range(5, size + 1):
        for ranks in combinations(range(13), suited):
            beside = tuple(rank << 2 | 1 for rank in ranks[: size - suited])
            yield tuple(rank << 2 for rank in ranks) + beside, 4 * comb(39, size - suited)


def of_several_decks(decks: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """(cards, how many hands they stand for) over all five-card hands of this many decks."""
    for ranks in combinations_with_replacement(range(13), 5):
        held = Counter(ranks).values()
        suited = 4 * prod(comb(decks, count) for count in held)
        yield mixed(ranks), prod(comb(4 * decks, count) for count in held) - suited
        yield tuple(rank << 2 for rank in ranks), suited


def mixed(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Cards of these ranks in turning suits, no more than two to a suit."""
    return tuple(rank << 2 | place % 4 for place, rank in enumerate(ranks))


def _with_five_of_a_suit(held: Counter[int]) -> int:
    """In how many ways these ranks can be suited so that five or more are of one suit."""
    ways = Counter({0: 1})  # cards in one given suit -> ways to lay the ranks so far
    for count in held.values():
        longer: Counter[int] = Counter()
        for suited, number in ways.items():
            longer[suited] += number * comb(3, count)
            longer[suited + 1] += number * comb(3, count - 1)
        ways = longer
    return 4 * sum(number for suited, number in ways.items() if suited >= 5)
