"""Where cards and wagers lie in a round: a seat, the dealer's place, the community cards, the six card box.

The fold owns these and changes them in place; nobody else holds them meanwhile.
"""

from collections.abc import Sequence

import msgspec

from domain.cards import UNKNOWN, card
from domain.facts.envelope import Fact
from domain.settlement.played import Cards

CODE: dict[str, int] = {text: card(text) for text in (f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs")}
CODE["??"] = UNKNOWN


class Wagered(msgspec.Struct, gc=False):
    """One wager of one seat: what lies there, what it was settled on, and every fact that touched it."""

    wager: str
    cents: int | None = None  # what lies there now
    staked: int | None = None  # what lay there when betting on it ended: what is owed goes by it
    coupon_cents: int = 0
    withdrawn: bool = False
    placed: list[Fact] = []  # placed, changed, withdrawn
    moves: list[Fact] = []  # collected, paid, returned
    collected_cents: int = 0
    paid_cents: int = 0
    returned_cents: int = 0
    unseen: bool = False  # an amount that moved was not seen


class Spot(msgspec.Struct, gc=False):
    """One place that holds cards; a seat also holds wagers and decides. Seat 0 is nobody's."""

    seat: int = 0
    player: str = ""
    cards: list[int] = []
    dealt: list[Fact] = []  # each fact that brought cards here
    wagers: dict[str, Wagered] = {}
    choice: str = ""  # the last decision that settlement looks at
    kept: Cards = ()
    second: Cards = ()
    selected: Cards = ()
    discarded: int | None = None
    left: bool = False
    disputed: bool = False  # two facts told its cards differently


def codes(texts: Sequence[str]) -> list[int]:
    """Cards as facts write them, as numbers."""
    return [CODE[text] for text in texts]


def fill(held: list[int], shown: Sequence[str]) -> bool:
    """Puts cards that were seen in the place of those not known yet; False where they contradict what is known."""
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
