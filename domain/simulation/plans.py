"""What happens in a scripted round: who sits where with which wagers, how the cards lie, who decides what.

A plan says what the players do and how chance falls; the dealer of the game makes a lawful round of it.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from domain.settlement.played import Cards, Irregularity

# A player's strategy, asked where nothing is scripted: what it is told and answers is its game's business.
Strategy = Callable[..., str]
Ruled = Literal["returned", "stands", "reversed", "play-on"]


class SeatPlan(msgspec.Struct, frozen=True):
    """One position of a round.

    `acts` are what the player does, in the game's words and order, an amount as `play:3` (of the ante) where there
    is a choice. Cards are in the order dealt; what is left out is dealt from what no other place has.
    """

    seat: int
    wagers: dict[str, int]
    cards: Cards = ()
    acts: tuple[str, ...] = ()
    player: str = ""
    coupons: dict[str, int] = {}
    kept: Cards = ()
    second: Cards = ()
    selected: Cards = ()
    strategy: Strategy | None = None


class RoundPlan(msgspec.Struct, frozen=True):
    """One round. `order` is the deck from the top, as it lies after shuffle and cut, and wins over hands by place.

    `shuffled` is the deck as chance has left it: places the plan names cards for get those, the others what comes.

    `parts` hold what few rounds have: `shuffle_ordered` and `recut` with their reason, `shuffler_count` found by a
    counting device before the round, `after_jam="replaced"` where a device is then done without, `unlawful` for a plan
    whose wagers no dealer should let stand; and what only one game knows.
    """

    seats: tuple[SeatPlan, ...]
    order: Cards = ()
    dealer: Cards = ()
    community: Cards = ()
    box: Cards = ()
    burns: Cards = ()
    irregularity: Irregularity | None = None
    ruled: Ruled = "returned"  # what the floor decides where no clause does
    count_stub: bool | None = None  # none: when it is due
    new_dealer: str = ""  # who takes over before this round
    parts: dict[str, Any] = {}
    shuffled: Cards = ()
