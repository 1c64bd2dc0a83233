"""The table's decks and devices: which deck is where, what was done to it, and what is due.

The ledger of every deck: received, opened step by step, shuffled, cut, loaded, dealt, counted, removed.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from domain.facts.deal import RoundOpened
from domain.facts.envelope import Fact


class Decks(msgspec.Struct, gc=False):
    """Decks, shoe and shuffling devices as told so far."""

    in_play: str = ""  # the deck or shoe the newest round is dealt from


def _round(state: Decks, fact: RoundOpened) -> None:
    state.in_play = fact.deck


STEPS: dict[type[Fact], Callable[[Decks, Any], None]] = {RoundOpened: _round}
