"""The stored strategies as a simulated player uses them, one decision at a time.

Before the flop of Ultimate Texas Hold'em, and everywhere in Colorado Hold'em, the choice is the best there is. In
Pik-it it follows a player's card of a few hundred rows; the card's cost against the best play is stored with it.
"""

from collections.abc import Callable, Sequence
from functools import cache

import msgspec

from domain.cards import RANKS, show
from domain.hands import standard, three_card
from domain.odds.colorado import Choice, best_for_base, choices, prices_of
from domain.odds.stored import stored
from domain.rulebooks import House

# As in the makers: the ranks of three cards, and the category and first two ranks of five.
THREE_KEY_AT, FIVE_KEY_AT = 8, 12


def uth_preflop(hole: Sequence[int], blind_table: str = "A") -> int:
    """Return the play wager before the flop as a multiple of the ante, 4 or 3; 0 for a check."""
    high, low = sorted((card >> 2 for card in hole), reverse=True)
    kind = "" if high == low else "s" if hole[0] & 3 == hole[1] & 3 else "o"
    _, four, three, check = stored("uth_base")[f"blind_{blind_table}"]["preflop"][RANKS[high] + RANKS[low] + kind]
    if max(four, three) <= check:
        return 0
    return 4 if four >= three else 3


def pik_choice(house: House, hand: Sequence[int]) -> str:
    """Return `play3`, `play5` or `fold`, by the player's card of Pik-it."""
    card = stored("pik_play")
    three: int = card["three"][str(three_card.value(hand) >> THREE_KEY_AT)]
    five, strong = card["five"][str(standard.value(hand) >> FIVE_KEY_AT)]
    playing = strong if house["dealer_qualifies"] else five
    worth = {
        "fold": -1_000_000,
        "play3": three * (1 + house["play3_multiple"]),
        "play5": five + house["play5_multiple"] * playing,
    }
    return max(worth, key=lambda choice: worth[choice])


def colorado_player(house: House) -> Callable[[Sequence[int]], Choice]:
    """Return a perfect player of ante and bet: a function from three cards to the choice."""
    main = house.table("main")
    if main is None:
        raise ValueError("this house has no pay table for ante and bet, so there is no game to play")
    prices = prices_of(house, main, house.table("bonus") if house["bonus_offered"] else None)
    hands: dict[str, list[int]] = stored("colorado")["hands"]

    @cache
    def stored_choice(name: str) -> Choice:
        return best_for_base(choices(house, prices, name, hands[name][1:]))

    def choose(hand: Sequence[int]) -> Choice:
        stands_for = _in_stored_suits(hand)
        chosen = stored_choice(show(sorted(stands_for)))
        if chosen.discard is None:
            return chosen
        return msgspec.structs.replace(chosen, discard=hand[stands_for.index(chosen.discard)])

    return choose


def _in_stored_suits(hand: Sequence[int]) -> list[int]:
    """Return the hand with suits renamed as in the stored one: the suits' masks of ranks in falling order."""
    masks = [sum(1 << (card >> 2) for card in hand if card & 3 == suit) for suit in range(4)]
    order = sorted(range(4), key=lambda suit: -masks[suit])
    return [card >> 2 << 2 | order.index(card & 3) for card in hand]
