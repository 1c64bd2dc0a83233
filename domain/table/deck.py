"""One deck at the table, or one batch of decks, as told so far: what was done to it and what is due.

It comes, is opened step by step, is shuffled, cut, loaded and dealt from, and goes. What is due goes by the facts
alone: rounds dealt since, steps done since. The ledger in `decks.py` changes it in place.
"""

import msgspec

from domain.facts.decks import CardsStacked, CoverCardPlaced, CoverCardRemoved, DeckReceived
from domain.facts.devices import DeviceFailed
from domain.facts.envelope import Fact
from domain.facts.payments import StubCounted
from domain.facts.shuffles import (
    BatchReleased,
    BatchSecured,
    CutCompleted,
    CutPerformed,
    CuttingCardInserted,
    CuttingCardReached,
    RecutOrdered,
    ShoeLoaded,
    ShuffleCompleted,
    ShuffleOrdered,
    ShuffleStarted,
)
from domain.rulebooks.book import RuleBook
from domain.table.seen import Seen

CARDS = 52
HOUR = 3_600_000_000  # microseconds
OPENING, IDLE = "opening", "idle"  # why the cards have to be shown, mixed and shuffled before the next round


class Cut(msgspec.Struct, gc=False):
    """The last cut of the cards since they were shuffled."""

    performed: CutPerformed
    first: CutPerformed  # the one before any recut
    ordered: RecutOrdered | None = None  # who had it done again
    covered: CoverCardPlaced | None = None  # the cover card laid in front of the deck for it
    completed: CutCompleted | None = None
    uncovered: CoverCardRemoved | None = None  # the cover card taken away after it


class Deck(msgspec.Struct, gc=False):
    """A deck, or a batch of decks that are played as one shoe."""

    name: str
    received: DeckReceived | None = None
    gone: Fact | None = None  # removed, or another took its place
    cycle: str = ""  # opening or idle, until the next round is dealt from it
    steps: list[Fact] = []  # what was done with the cards in this cycle, in order
    parts: dict[str, list[Fact]] = {}  # the same for single decks of a batch
    started: ShuffleStarted | None = None  # a shuffle that has not ended
    shuffled: ShuffleCompleted | None = None  # the last shuffle that holds: none since the cards were spread or jammed
    within_round: ShuffleCompleted | None = None  # one that ended while its own round was played
    rounds_since_shuffle: int = 0
    stacked: CardsStacked | None = None  # since the last shuffle
    ordered: ShuffleOrdered | None = None  # and not shuffled since
    reshuffle: dict[str, Fact] = {}  # why the cards have to be shuffled anew: a fault, a void, the cutting card
    jammed: DeviceFailed | None = None  # since the last round dealt from it
    emptied: Fact | None = None  # the device that jammed was emptied
    cut: Cut | None = None
    recut: RecutOrdered | None = None  # and not cut since
    inserted: CuttingCardInserted | None = None
    reached: CuttingCardReached | None = None
    loaded: ShoeLoaded | None = None
    rounds_since_load: int = 0
    secured: BatchSecured | None = None  # since the last shuffle
    released: BatchReleased | None = None
    rounds: int = 0
    rounds_since_count: int = 0
    dealt_since_load: int = 0  # cards; Fast Action's shoe holds its cards over many rounds
    out: list[int] = []  # how often each card came out of the shoe since it was loaded
    first_dealt_at: int | None = None
    by_hand: bool = False  # dealt from the hand at least once
    overdue: bool = False  # dealt from when it ought to have been changed
    miscounted: ShuffleCompleted | StubCounted | None = None  # a count that shows another number of cards
    seen: Seen = msgspec.field(default_factory=Seen)
    dealt_at: list[int] = []  # where each card came in the last round's deal; far off where it did not
    picked_at: list[int] = []  # and as the cards were picked up

    @property
    def decks(self) -> int:
        """How many decks it is made of."""
        return self.received.decks if self.received is not None else 1

    @property
    def size(self) -> int:
        """How many cards it ought to hold."""
        return CARDS * self.decks

    @property
    def since(self) -> int | None:
        """Since when it has been at the table: at the latest since its first round."""
        return self.received.at if self.received is not None else self.first_dealt_at

    @property
    def new(self) -> bool:
        """Whether no round has been dealt from it yet."""
        return not self.rounds

    @property
    def preshuffled(self) -> bool:
        """Whether it came shuffled, and nobody has mixed or dealt its cards since."""
        return self.new and not self.steps and self.received is not None and self.received.preshuffled

    @property
    def called(self) -> str:
        """As a sentence begins with it."""
        return f"Deck {self.name}" if self.name else "The deck"


def life_hours(book: RuleBook, *, by_hand: bool) -> int | None:
    """How many hours a deck may stay in use, where the book says so; once dealt from the hand, the fewer."""
    held = book.values.get("deck_life_hours_by_hand" if by_hand else "deck_life_hours_from_shoe")
    return int(held.value) if held is not None else None
