"""The script of a round: seats, wagers, cards and decisions.

A plan says what the players do and how chance falls; the game's dealer makes a lawful round of it.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from domain.settlement.played import Cards, Irregularity

# A player's strategy, used where nothing is scripted; each game defines its arguments and answers.
Strategy = Callable[..., str]
Ruled = Literal["returned", "stands", "reversed", "play-on"]


class SeatPlan(msgspec.Struct, frozen=True):
    """One position of a round.

    `acts` are the player's acts, in the game's words and order, with an amount as `play:3` (of the ante) if there is a
    choice. Cards are in the order dealt; omitted cards are dealt from those no other place has.
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
    """One round. `order` is the deck from the top, after shuffle and cut, and prevails over hands by place.

    `shuffled` is the deck in its random order: places with planned cards get those, the others the next cards.

    `parts` hold what few rounds have: `shuffle_ordered` and `recut` with their reason, `shuffler_count` from a counting
    device before the round, `after_jam="replaced"` if a device is then taken out of use, `unlawful` for a plan whose
    wagers no dealer should accept, and parts of a single game.
    """

    seats: tuple[SeatPlan, ...]
    order: Cards = ()
    dealer: Cards = ()
    community: Cards = ()
    box: Cards = ()
    burns: Cards = ()
    irregularity: Irregularity | None = None
    ruled: Ruled = "returned"  # the floor's ruling where no clause decides
    count_stub: bool | None = None  # None: when it is due
    new_dealer: str = ""  # the dealer who takes over before this round
    parts: dict[str, Any] = {}
    shuffled: Cards = ()
