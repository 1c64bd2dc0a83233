"""How often shuffled cards would still lie in an old order: bounds that hold exactly, in whole numbers.

Cards one after the other that also were neighbours before are counted. After a shuffle the next card is one of at
most `neighbours` among those left, whatever came before; so the count is at most as large as one of independent
draws with those chances, and the chance of that is worked out here, rounded up. It holds for every card dealt, read or
not, so that it does not matter which cards came to be seen; and it holds anywhere in a shoe, because any stretch of
shuffled cards is like any other.
"""

from functools import cache

UNIT = 10**40  # chances are whole numbers of this fraction, rounded up
ALPHA = UNIT // 10**6  # once in a million rounds at the most


@cache
def too_many(cards: int, decks: int, neighbours: int) -> int:
    """How many neighbours in an old order are more than shuffled cards show, once in a million rounds at the most.

    `cards` were dealt one by one from `decks` decks, and each card has at most so many neighbours in one deck.
    """
    tail = tails(cards, decks, neighbours)
    return next((many for many, chance in enumerate(tail) if chance <= ALPHA), len(tail))


@cache
def tails(cards: int, decks: int, neighbours: int) -> tuple[int, ...]:
    """A bound for the chance of that many neighbours or more, for 0, 1, 2 …"""
    exactly = [UNIT]
    for dealt in range(1, cards):
        left, near = 52 * decks - dealt, neighbours * decks
        near = min(near, left)
        after = [0] * (len(exactly) + 1)
        for many, chance in enumerate(exactly):
            after[many] += -(-chance * (left - near) // left)
            after[many + 1] += -(-chance * near // left)
        exactly = after
    found, total = [], 0
    for chance in reversed(exactly):
        total += chance
        found.append(total)
    return tuple(reversed(found))
