"""The value of each hand in a round, to compare with announcements and payments."""

from collections.abc import Sequence
from types import ModuleType

import msgspec

from domain.cards import UNKNOWN
from domain.hands import multideck, six_card, standard, three_card
from domain.table.round import RoundInPlay
from domain.watch.repeated_deals import impossible

DEALER = 0
RANKERS: dict[str, ModuleType] = {"five": standard, "three": three_card, "seventeen": multideck, "six": six_card}


class MadeHand(msgspec.Struct, frozen=True, gc=False):
    """A made hand: its cards, its value, and the order that ranks it."""

    cards: tuple[int, ...]
    value: int
    order: str  # five, three, seventeen, six: a key of RANKERS

    @property
    def categories(self) -> Sequence[str]:
        """The categories of its order, lowest first."""
        categories: Sequence[str] = RANKERS[self.order].CATEGORIES
        return categories

    @property
    def category(self) -> str:
        """The hand's category."""
        return self.categories[self.value >> 20]

    @property
    def name(self) -> str:
        """The hand as a dealer would announce it."""
        return str(RANKERS[self.order].best(self.cards).name)


def dealer_holds_a_natural(told: RoundInPlay) -> bool:
    """Whether Fast Action's dealer was seen to hold four cards of one rank (FAH (a)(1)(v))."""
    cards = told.dealer.cards
    return len(cards) == told.game.cards[1] and UNKNOWN not in cards and len({card >> 2 for card in cards}) == 1


def made(order: str, cards: Sequence[int], sizes: tuple[int, ...]) -> MadeHand | None:
    """Return the hand of these cards, or None if one is unseen or repeated or their number is wrong."""
    if len(cards) not in sizes or UNKNOWN in cards or (len(set(cards)) < len(cards) and order != "seventeen"):
        return None
    try:
        return MadeHand(tuple(cards), RANKERS[order].value(cards), order)
    except ValueError:  # no deck can deal these cards, so their value is unknown
        return None


def _made(told: RoundInPlay, order: str, cards: Sequence[int], sizes: tuple[int, ...]) -> MadeHand | None:
    """Return the hand of these cards of a round, or None if the round shows one of them more often than it can be."""
    wrong = impossible(told)
    return made(order, cards, sizes) if not wrong or wrong.isdisjoint(cards) else None


def hands_of(told: RoundInPlay, seat: int) -> tuple[MadeHand, ...]:
    """Return every known hand that a seat plays in this round; seat 0 is the dealer.

    Pik-it's players play three cards or five, its dealer both. A split hand at Fast Action is two.
    """
    worked_out: dict[int, tuple[MadeHand, ...]] | None = told.worked_out.get("hands")
    if worked_out is None:
        worked_out = told.worked_out["hands"] = {}
    held = worked_out.get(seat)
    if held is None:
        held = worked_out[seat] = tuple([hand for hand in _hands(told, seat) if hand is not None])
    return held


def _hands(told: RoundInPlay, seat: int) -> tuple[MadeHand | None, ...]:
    spot = told.dealer if seat == DEALER else told.seats.get(seat)
    if spot is None:
        return ()
    board = tuple(told.community.cards)
    match told.game.kind:
        case "ultimate":
            if len(spot.cards) != 2 or len(board) != 5:
                return ()
            return (_made(told, "five", (*spot.cards, *board), (7,)),)
        case "pik-it":
            five, three = _made(told, "five", spot.cards, (5,)), _made(told, "three", spot.cards, (5,))
            return (five, three) if seat == DEALER else (three if spot.choice == "play3" else five,)
        case "fast-action":
            halves = (spot.kept, spot.second) if spot.second else (spot.kept,)
            return tuple(_made(told, "seventeen", (*half, *board), (7,)) for half in halves if len(board) == 5)
        case _:
            return (_made(told, "five", (*spot.kept, *board), (5,)),)


def hand_of(told: RoundInPlay, seat: int, order: str = "") -> MadeHand | None:
    """Return a seat's only hand, or its hand in this order."""
    for hand in hands_of(told, seat):
        if not order or hand.order == order:
            return hand
    return None


def six_cards_of(told: RoundInPlay, seat: int) -> MadeHand | None:
    """Return the hand of the box's four cards and the player's two."""
    spot = told.seats.get(seat)
    if spot is None or len(told.box.cards) != 4 or len(spot.cards) != 2:
        return None
    return _made(told, "six", (*told.box.cards, *spot.cards), (6,))


def three_of_five(told: RoundInPlay, seat: int) -> MadeHand | None:
    """Return the best three of five cards, whatever the seat plays."""
    spot = told.dealer if seat == DEALER else told.seats.get(seat)
    return _made(told, "three", spot.cards, (5,)) if spot is not None else None
