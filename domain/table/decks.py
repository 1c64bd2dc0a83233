"""The ledger of a table's decks: every deck, the rack, and the methods in use.

A `Deck` is the ledger of one deck. This module holds what all decks share, and finds the deck that a fact means.
Separate modules open, shuffle and deal from a deck and change its ledger.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from domain.facts.decks import CoverCardPlaced
from domain.facts.devices import DeviceFailed
from domain.facts.envelope import Fact
from domain.facts.players import PlayerAsked
from domain.facts.shuffles import CutOffered, CutRefused, CuttingCardReached, ShoeRanOut, ShuffleCompleted
from domain.facts.table_day import TableIdled
from domain.table.deck import Deck
from domain.table.round import RoundInPlay


class Decks(msgspec.Struct, gc=False):
    """The state of decks, rack, shuffling and dealing devices so far."""

    known: dict[str, Deck] = {}  # every deck named so far, present or gone
    in_play: str = ""  # the deck or shoe of the newest round
    told: RoundInPlay | None = None  # the newest round
    taken: int = 0  # the newest round whose deal the ledger contains
    last: Deck | None = None  # the deck of the last round
    last_shoe: Deck | None = None  # the deck or batch loaded before the one in play
    last_void: bool = False
    loaded: dict[str, str] = {}  # device to the deck in it
    last_loaded: str = ""
    rack: list[str] = []  # the decks with cards in the discard rack
    mixed: Fact | None = None  # the fact that put a second deck's cards there during the current round
    mixed_with: str = ""
    rounds_since_count: int = 0  # at this table, whatever the deck
    last_shuffle: ShuffleCompleted | None = None  # of any deck
    cutting: Deck | None = None  # the deck cut last
    cover_laid: CoverCardPlaced | None = None  # placed in front of a deck, with no cut since
    offers: list[CutOffered | CutRefused] = []  # offers of the cut since the last shuffle
    began: bool = False  # whether a shoe has been dealt from since the game commenced
    idled: TableIdled | None = None  # with no round dealt since
    idle_spread: bool = False  # cards were spread since
    idle_asked: list[PlayerAsked] = []  # requests of players since
    idle_ended: bool = False  # a player came since
    first_player: str = ""  # the first to come to the open table without play
    shuffle_ordered: bool = False  # since the last shoe was loaded
    shoe_ended: CuttingCardReached | ShoeRanOut | None = None  # how the shoe in play ended
    methods: list[str] = []  # the dealing methods so far, the current one last
    rounds_by_method: int = 0  # rounds dealt since the method changed
    installed_since: set[str] = set()  # devices installed after that change
    failing: dict[str, DeviceFailed] = {}  # failed devices that are not yet repaired
    out_of_use: set[str] = set()  # devices covered, or marked as out of order
    device_lost: bool = False  # a device failed, was removed or was taken out of use since the last round was dealt

    def of(self, name: str) -> Deck:
        """Return the deck of this name, creating it the first time."""
        deck = self.known.get(name)
        if deck is None:
            deck = self.known[name] = Deck(name)
        return deck

    def here(self) -> list[Deck]:
        """The decks at the table."""
        return [deck for deck in self.known.values() if deck.gone is None]

    def other(self, deck: Deck) -> Deck | None:
        """Return the deck that alternates with this one: the last one dealt from, or the only other one there."""
        if self.last is not None and self.last is not deck:
            return self.last if self.last.gone is None else None
        others = [each for each in self.here() if each is not deck]
        return others[0] if len(others) == 1 else None

    def meant(self, name: str) -> Deck | None:
        """Return the deck a fact means by this name or by none; None if that is unclear."""
        if name:
            return self.known.get(self.loaded.get(name, name)) or self.of(name)
        here = self.here()
        if len(here) == 1:
            return here[0]
        if not self.known:
            return self.of("")
        last = self.known.get(self.last_loaded)
        return last if last is not None and last.gone is None else None

    @property
    def at_hand(self) -> Deck | None:
        """The deck of the newest round."""
        return self.known.get(self.in_play)


Step = Callable[[Decks, Any], None]
