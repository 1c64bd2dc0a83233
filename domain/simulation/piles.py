"""The pile cards are dealt from: arranged to give certain hands, or in a random order."""

from collections.abc import Mapping, Sequence
from random import Random
from struct import unpack

from domain.cards import DECK
from domain.settlement.played import Cards

Place = tuple[str, int]  # ("seat", 2), ("dealer", 0), ("community", 0), ("box", 0), ("burn", 0)

# Unplanned cards come in these orders in turn. None has runs or suits in it, and no two cards are adjacent in two of
# them, which would look like an unshuffled deck.
_SCATTERED = tuple(tuple(sorted(DECK, key=lambda card: (card * step + 31) % 52)) for step in (23, 19, 7))


class ShortPileError(ValueError):
    """Raised when there is no card left to deal."""


class Pile:
    """The cards left to deal, from the top."""

    def __init__(self, cards: Sequence[int]) -> None:
        self._cards = list(cards)
        self._next = 0

    @property
    def left(self) -> int:
        """The number of cards left."""
        return len(self._cards) - self._next

    @property
    def dealt(self) -> int:
        """The number of cards dealt."""
        return self._next

    def draw(self) -> int:
        """Return the next card and remove it."""
        if not self.left:
            raise ShortPileError("there are no more cards to deal")
        self._next += 1
        return self._cards[self._next - 1]

    def peek(self) -> int:
        """Return the next card without removing it."""
        if not self.left:
            raise ShortPileError("there are no more cards to deal")
        return self._cards[self._next]

    def take(self, count: int) -> Cards:
        """Return the next few cards and remove them."""
        if self.left < count:
            raise ShortPileError("there are no more cards to deal")
        self._next += count
        return tuple(self._cards[self._next - count : self._next])


def shuffled(cards: Sequence[int], chance: Random) -> Cards:
    """Return the cards in a random order, all orders equally likely."""
    many = len(cards)
    keys = unpack(f"<{many}I", chance.randbytes(4 * many))
    return tuple([cards[place] for place in sorted(range(many), key=keys.__getitem__)])


def laid(
    places: Sequence[Place], hands: Mapping[Place, Cards], whole: Sequence[int] = DECK, turn: int | None = 0
) -> Cards:
    """Return an order of `whole` that deals the cards of `hands` to `places` in turn, and any cards to the others.

    Without a turn, unplanned cards come in the order of `whole`.
    """
    waiting = {place: list(cards) for place, cards in hands.items() if cards}
    if turn is None and not waiting:
        return tuple(whole)
    spare = _without(whole, [card for cards in hands.values() for card in cards], turn)
    order = []
    for place in places:
        held = waiting.get(place)
        order.append(held.pop(0) if held else spare.pop(0))
    rest = [card for cards in waiting.values() for card in cards]
    return (*order, *rest, *spare)


def _without(whole: Sequence[int], named: Sequence[int], turn: int | None) -> list[int]:
    left = list(whole) if turn is None else sorted(whole, key=_SCATTERED[turn % len(_SCATTERED)].index)
    for card in named:
        if card not in left:
            raise ShortPileError(f"the plan deals card {card} more often than the deck holds it")
        left.remove(card)
    return left
