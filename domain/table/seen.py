"""The cards of a deck seen so far, and how unlikely it is that a whole deck hides the others for so long.

A round is dealt from a freshly shuffled deck, so the cards read at the deal are a random draw. For a whole deck, the
chance that some n cards are all unseen is at most the number of ways to choose them times the chance that n given cards
stay out of every draw. Those bounds only fall, and the number of unseen cards only decreases. So a bound that reaches
its level holds for all later rounds, and a whole stretch raises a false alarm no more often than that.

Only cards read by the fact that dealt them count. Cards shown later are a selection: a hand that folds hides its cards.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from math import comb

import msgspec

from domain.cards import show
from domain.facts.envelope import Fact

DECK = 52
MOST_UNSEEN = 4  # the most unseen cards judged together
UNIT = 1 << 80  # bounds are whole numbers of this fraction, rounded up
ALPHA = UNIT // 10**6  # how often a stretch of rounds with a whole deck may raise a finding
LEVELS = tuple(ALPHA >> n for n in range(1, MOST_UNSEEN + 1))  # the level for n unseen cards; the levels add up to less
_CHANCE_BITS = 64
# No draw of up to MOST_DRAWN cards makes n unseen cards less likely by more than this.
MOST_DRAWN = 40
_NEAR = tuple(level * comb(DECK, MOST_DRAWN) // comb(DECK - n, MOST_DRAWN) + 1 for n, level in enumerate(LEVELS, 1))
_START = tuple(comb(DECK, n) * UNIT for n in range(1, MOST_UNSEEN + 1))

_NAMED = 8  # the most cards a sentence lists


class SeenCards(msgspec.Struct, gc=False):
    """A stretch of rounds with one deck, from the last time every card had been seen."""

    cards: int = 0  # one bit per seen card
    rounds: int = 0
    bounds: tuple[int, ...] = _START  # for 1, 2 … unseen cards
    first: Fact | None = None  # the sequence that opened its first round

    @property
    def unseen(self) -> list[int]:
        """The unseen cards."""
        return [card for card in range(DECK) if not self.cards >> card & 1]

    @property
    def suspicious(self) -> bool:
        """Whether a whole deck would hide so many cards for so long less than once in a million stretches."""
        hidden = min(DECK - self.cards.bit_count(), MOST_UNSEEN)
        return any(self.bounds[n] <= LEVELS[n] for n in range(hidden))

    @property
    def may_be(self) -> bool:
        """Whether one more round could make it suspicious: a cheap check before the expensive one."""
        hidden = min(DECK - self.cards.bit_count(), MOST_UNSEEN)
        return any(self.bounds[n] <= _NEAR[n] for n in range(hidden))


def with_round(seen: SeenCards, cards: Iterable[int], opened: Fact | None = None, *, drawn: bool = True) -> SeenCards:
    """Return the stretch with one more round in which these different cards were read at the deal.

    If they were not `drawn` at random, because nobody had shuffled the deck, no chance speaks of them.
    """
    mask, many = seen.cards, 0
    for card in cards:
        mask |= 1 << card
        many += 1
    if not drawn:
        return msgspec.structs.replace(seen, cards=mask)
    kept = _kept(min(many, MOST_DRAWN))
    return SeenCards(
        mask,
        seen.rounds + 1,
        tuple([(bound * chance >> _CHANCE_BITS) + 1 for bound, chance in zip(seen.bounds, kept, strict=True)]),
        opened if seen.first is None else seen.first,
    )


def after(seen: SeenCards) -> SeenCards:
    """Return the stretch for the next round: a new one once every card has been seen, or a finding was raised."""
    return SeenCards() if seen.cards.bit_count() >= DECK or seen.suspicious else seen


def listed(unseen: Sequence[int]) -> str:
    """Return unseen cards for a sentence: the first by name, the rest by number."""
    named = show(unseen[:_NAMED])
    return f"{named} and {len(unseen) - _NAMED} more" if len(unseen) > _NAMED else named


@cache
def _kept(drawn: int) -> tuple[int, ...]:
    """Return the chance that 1, 2 … given cards stay out of a draw, rounded up."""
    of = comb(DECK, drawn)
    return tuple(-(-(comb(DECK - n, drawn) << _CHANCE_BITS) // of) for n in range(1, MOST_UNSEEN + 1))
