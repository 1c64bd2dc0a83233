"""The chance that shuffled cards still show an old order: bounds that always hold, in whole numbers.

Count the successive cards that were also neighbors before. After a shuffle, each next card is one of at most
`neighbours` among the cards left, whatever came before. So the count is at most that of independent draws with those
chances, and the chance of such a count is computed here, rounded up. The bound holds for every card dealt, read or not,
so it does not matter which cards were seen. It holds anywhere in a shoe, because any stretch of shuffled cards is like
any other.
"""

from functools import cache

UNIT = 10**40  # chances are whole multiples of 1/UNIT, rounded up
ALPHA = UNIT // 10**6  # at most once in a million rounds


@cache
def too_many(cards: int, decks: int, neighbours: int) -> int:
    """Return the least count of old neighbors that shuffled cards show at most once in a million rounds.

    `cards` were dealt one by one from `decks` decks, and each card has at most `neighbours` neighbors in one deck.
    """
    beyond = max(0, cards - 52 * decks)  # more cards than there are: each may be a neighbor
    tail = tails(cards - beyond, decks, neighbours)
    return beyond + next((many for many, chance in enumerate(tail) if chance <= ALPHA), len(tail))


@cache
def tails(cards: int, decks: int, neighbours: int) -> tuple[int, ...]:
    """Return upper bounds for the chance of at least 0, 1, 2 … old neighbors."""
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
