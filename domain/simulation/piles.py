"""The pile cards are dealt from: laid so that given hands come out of it, or as chance has left it."""

from collections.abc import Mapping, Sequence
from random import Random
from struct import unpack

from domain.cards import DECK
from domain.settlement.played import Cards

Place = tuple[str, int]  # ("seat", 2), ("dealer", 0), ("community", 0), ("box", 0), ("burn", 0)

# Cards nobody asked for come in these orders by turns. None has runs or suits in it, and no two cards lie next to
# each other in two of them: that would look as if the deck had not been shuffled.
_SCATTERED = tuple(tuple(sorted(DECK, key=lambda card: (card * step + 31) % 52)) for step in (23, 19, 7))


class ShortPileError(ValueError):
    """There is no card left to deal."""


class Pile:
    """What is left to deal, from the top."""

    def __init__(self, cards: Sequence[int]) -> None:
        self._cards = list(cards)
        self._next = 0

    @property
    def left(self) -> int:
        """How many cards are left."""
        return len(self._cards) - self._next

    @property
    def dealt(self) -> int:
        """How many cards have left it."""
        return self._next

    def draw(self) -> int:
        """The next card."""
        if not self.left:
            raise ShortPileError("there are no more cards to deal")
        self._next += 1
        return self._cards[self._next - 1]

    def peek(self) -> int:
        """The card that will be drawn next."""
        if not self.left:
            raise ShortPileError("there are no more cards to deal")
        return self._cards[self._next]

    def take(self, count: int) -> Cards:
        """The next few cards."""
        if self.left < count:
            raise ShortPileError("there are no more cards to deal")
        self._next += count
        return tuple(self._cards[self._next - count : self._next])


def shuffled(cards: Sequence[int], chance: Random) -> Cards:
    """The cards in an order of chance, every one as likely as another."""
    many = len(cards)
    keys = unpack(f"<{many}I", chance.randbytes(4 * many))
    return tuple([cards[place] for place in sorted(range(many), key=keys.__getitem__)])


def laid(
    places: Sequence[Place], hands: Mapping[Place, Cards], whole: Sequence[int] = DECK, turn: int | None = 0
) -> Cards:
    """An order of `whole` in which dealing to `places` in turn gives each the cards of `hands`, and others any.

    Without a turn the cards nobody asked for come as they lie in `whole`.
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
