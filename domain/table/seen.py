"""Which cards of a deck have been seen, and how unlikely it is that a whole deck hides the others for so long.

Each round is dealt from a freshly shuffled deck, so the cards read at the deal are a random draw. For a whole deck the
chance that some n cards are all unseen is at most the number of ways to choose them times the chance that n given
cards stay out of every draw. Those bounds only fall, and the unseen cards only become fewer: a bound that is at its
level for the first time holds for all rounds after it, and the whole stretch raises a false alarm no oftener than that.

Only cards told by the fact that dealt them count. Cards shown later are a choice: a hand that folds hides its cards.
"""

from collections.abc import Sequence
from math import comb

import msgspec

DECK = 52
MOST_UNSEEN = 8  # so many unseen cards are judged together at the most
UNIT = 10**40  # bounds are whole numbers of this fraction, rounded up
ALPHA = UNIT // 10**6  # how often a stretch of rounds with a whole deck may raise a finding
LEVELS = tuple(ALPHA >> n for n in range(1, MOST_UNSEEN + 1))  # for n unseen cards: the levels add up to less
_START = tuple(comb(DECK, n) * UNIT for n in range(1, MOST_UNSEEN + 1))


class Seen(msgspec.Struct, gc=False):
    """A stretch of rounds with one deck, since every card had last been seen."""

    cards: int = 0  # a bit for each card seen
    rounds: int = 0
    bounds: tuple[int, ...] = _START  # for 1, 2 … unseen cards

    @property
    def unseen(self) -> list[int]:
        """The cards not seen."""
        return [card for card in range(DECK) if not self.cards >> card & 1]

    @property
    def suspicious(self) -> bool:
        """Whether a whole deck would hide so many cards for so long less often than once in a million stretches."""
        hidden = min(DECK - self.cards.bit_count(), MOST_UNSEEN)
        return any(self.bounds[n] <= LEVELS[n] for n in range(hidden))

    @property
    def may_be(self) -> bool:
        """Whether another round could make it suspicious: a cheap question before the dear one."""
        return bool(self.rounds > 3 and self.cards.bit_count() < DECK)


def with_round(seen: Seen, cards: Sequence[int]) -> Seen:
    """The stretch with one more round in which these different cards were read as they were dealt."""
    mask = seen.cards
    for card in cards:
        mask |= 1 << card
    drawn = len(cards)
    return Seen(mask, seen.rounds + 1, tuple(_less(bound, n + 1, drawn) for n, bound in enumerate(seen.bounds)))


def after(seen: Seen) -> Seen:
    """What the next round goes on from: a new stretch once every card has been seen, or a finding was raised."""
    return Seen() if seen.cards.bit_count() >= DECK or seen.suspicious else seen


def _less(bound: int, n: int, drawn: int) -> int:
    """The bound times the chance that n given cards stay out of a draw, rounded up."""
    ways, of = comb(DECK - n, drawn), comb(DECK, drawn)
    return -(-bound * ways // of)
