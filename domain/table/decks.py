"""The table's decks and what was done with them: the ledger of every deck, the rack, the methods in use.

The ledger of a deck is a `Deck`; here is what belongs to all of them, and by which name the cards of a round are meant.
How a deck is opened, shuffled and dealt from changes it, each in a module of its own.
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
from domain.table.round import Round


class Decks(msgspec.Struct, gc=False):
    """Decks, rack, shuffling and dealing devices as told so far."""

    known: dict[str, Deck] = {}  # every deck named so far, gone or not
    in_play: str = ""  # the deck or shoe the newest round is dealt from
    told: Round | None = None  # that round
    taken: int = 0  # the newest round whose deal stands in the ledger
    last: Deck | None = None  # the deck the last round was dealt from
    last_shoe: Deck | None = None  # the deck or batch of the shoe loaded before the one in play
    last_void: bool = False
    loaded: dict[str, str] = {}  # which deck is in which device
    last_loaded: str = ""
    rack: list[str] = []  # the decks with cards in the discard rack
    mixed: Fact | None = None  # what put a second deck's card there, in the round that is played
    mixed_with: str = ""
    rounds_since_count: int = 0  # at the table, whichever deck they were dealt from
    last_shuffle: ShuffleCompleted | None = None  # of any deck
    cutting: Deck | None = None  # the deck that was cut last
    cover_laid: CoverCardPlaced | None = None  # in front of a deck, and nothing cut since
    offers: list[CutOffered | CutRefused] = []  # of the cut, since the last shuffle
    began: bool = False  # whether a shoe has been dealt from since the game commenced
    idled: TableIdled | None = None  # and no round dealt since
    idle_spread: bool = False  # cards were spread since
    idle_asked: list[PlayerAsked] = []  # what players asked for since
    idle_ended: bool = False  # a player came since
    first_player: str = ""  # the first to come to the open table without play
    shuffle_ordered: bool = False  # since the last shoe was loaded
    shoe_ended: CuttingCardReached | ShoeRanOut | None = None  # how the shoe in play came to its end
    methods: list[str] = []  # the dealing methods in force so far, the present one last
    rounds_by_method: int = 0  # dealt since the method was changed
    installed_since: set[str] = set()  # devices that came after that change
    failing: dict[str, DeviceFailed] = {}  # devices that failed and were not put right
    out_of_use: set[str] = set()  # devices covered, or marked as out of order
    device_lost: bool = False  # a device failed, went or was put out of use since the last round was dealt

    def of(self, name: str) -> Deck:
        """The deck of this name; it comes into being when it is first named."""
        deck = self.known.get(name)
        if deck is None:
            deck = self.known[name] = Deck(name)
        return deck

    def here(self) -> list[Deck]:
        """The decks at the table."""
        return [deck for deck in self.known.values() if deck.gone is None]

    def other(self, deck: Deck) -> Deck | None:
        """The deck that takes turns with this one: the last one dealt from, or the only other one there."""
        if self.last is not None and self.last is not deck:
            return self.last if self.last.gone is None else None
        others = [each for each in self.here() if each is not deck]
        return others[0] if len(others) == 1 else None

    def meant(self, name: str) -> Deck | None:
        """The deck a fact means by this name, or by none: None where that cannot be told."""
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
