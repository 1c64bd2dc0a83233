"""The places of cards and wagers in a round: a seat, the dealer's place, the community cards, the six card box.

The fold owns these and changes them in place; nothing else keeps a reference to them meanwhile.
"""

from collections.abc import Sequence

import msgspec

from domain.cards import UNKNOWN, card
from domain.facts.envelope import Fact
from domain.settlement.played import Cards

BOX_CARDS = 4  # in the six card box
CODE: dict[str, int] = {text: card(text) for text in (f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs")}
CODE["??"] = UNKNOWN


class Wagered(msgspec.Struct, gc=False):
    """One wager of one seat: its amount now, its amount at settlement, and every fact about it."""

    wager: str
    cents: int | None = None  # the amount on the table now
    staked: int | None = None  # the amount when betting on it ended, which decides what is owed
    coupon_cents: int = 0
    withdrawn: bool = False
    placed: list[Fact] = []  # placed, changed, withdrawn
    moves: list[Fact] = []  # collected, paid, returned
    collected_cents: int = 0
    paid_cents: int = 0
    returned_cents: int = 0
    unseen: bool = False  # an unseen amount moved


class Spot(msgspec.Struct, gc=False):
    """One place that holds cards; a seat also has wagers and decisions. Seat 0 belongs to no player."""

    seat: int = 0
    player: str = ""
    cards: list[int] = []
    dealt: list[Fact] = []  # each fact that dealt cards here
    wagers: dict[str, Wagered] = {}
    choice: str = ""  # the last decision relevant to settlement
    kept: Cards = ()
    second: Cards = ()
    selected: Cards = ()
    discarded: int | None = None
    left: bool = False
    disputed: bool = False  # two facts disagree on its cards


def codes(texts: Sequence[str]) -> list[int]:
    """Return the numbers of cards in the form facts write them."""
    return [CODE[text] for text in texts]


def fill(held: list[int], shown: Sequence[str]) -> bool:
    """Fill seen cards in for unknown ones; return False if they contradict the known cards."""
    rest = list(held)
    new = []
    for text in shown:
        seen = CODE[text]
        if seen == UNKNOWN:
            continue
        if seen in rest:
            rest.remove(seen)
        else:
            new.append(seen)
    for seen in new:
        if UNKNOWN not in held:
            return False
        held[held.index(UNKNOWN)] = seen
    return True
