"""One deck at the table, or one batch of decks: what was done to it so far and what is due.

It is received, opened step by step, shuffled, cut, loaded and dealt from, and removed. What is due depends on the facts
alone: rounds dealt and steps done. The ledger in `decks.py` changes it in place.
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
from domain.table.seen import SeenCards

CARDS = 52
CONTINUOUS = "continuous-shoe"  # it shuffles continuously: no clauses on shuffling and cutting apply (FAH (k)(1))
HOUR = 3_600_000_000  # microseconds
OPENING, IDLE = "opening", "idle"  # why the cards must be shown, mixed and shuffled before the next round


class Cut(msgspec.Struct, gc=False):
    """The last cut of the cards since their shuffle."""

    performed: CutPerformed
    first: CutPerformed  # the cut before any recut
    ordered: RecutOrdered | None = None  # the person who ordered the recut
    covered: CoverCardPlaced | None = None  # the cover card put in front of the deck for the cut
    completed: CutCompleted | None = None
    uncovered: CoverCardRemoved | None = None  # the cover card removed after the cut


class Deck(msgspec.Struct, gc=False):
    """A deck, or a batch of decks played as one shoe."""

    name: str
    received: DeckReceived | None = None
    gone: Fact | None = None  # the deck was removed or replaced
    cycle: str = ""  # opening or idle, until the next round is dealt from it
    steps: list[Fact] = []  # what was done with the cards in this cycle, in order
    parts: dict[str, list[Fact]] = {}  # the same for single decks of a batch
    started: ShuffleStarted | None = None  # a shuffle in progress
    shuffled: ShuffleCompleted | None = None  # the last valid shuffle; None if the cards were spread or jammed since
    within_round: ShuffleCompleted | None = None  # a shuffle that ended during its own round
    rounds_since_shuffle: int = 0
    stacked: CardsStacked | None = None  # since the last shuffle
    ordered: ShuffleOrdered | None = None  # the latest order without a shuffle since
    reshuffle: dict[str, Fact] = {}  # why the cards must be shuffled again: a fault, a void, the cutting card
    jammed: DeviceFailed | None = None  # since the last round dealt from it
    emptied: Fact | None = None  # the fact that the jammed device was emptied
    cut: Cut | None = None
    recut: RecutOrdered | None = None  # the latest order without a cut since
    inserted: CuttingCardInserted | None = None
    reached: CuttingCardReached | None = None
    loaded: ShoeLoaded | None = None
    rounds_since_load: int = 0
    secured: BatchSecured | None = None  # since the last shuffle
    released: BatchReleased | None = None
    rounds: int = 0
    rounds_since_count: int = 0
    dealt_since_load: int = 0  # number of cards; Fast Action deals many rounds from one shoe
    # Cards that left the shoe since it was loaded; None if a failure, a late fact or a load in a deal hides some.
    outside: int | None = 0
    out: list[int] = []  # how often each card has left the shoe since it was loaded
    first_dealt_at: int | None = None
    by_hand: bool = False  # whether it was ever dealt from the hand
    overdue: bool = False  # whether it was dealt from after its change was due
    miscounted: ShuffleCompleted | StubCounted | None = None  # a count that shows a wrong number of cards
    seen: SeenCards = msgspec.field(default_factory=SeenCards)
    dealt_at: list[int] = []  # each card's place in the last round's deal; a distant number if it was not dealt
    picked_at: list[int] = []  # the same for the order in which the cards were collected

    @property
    def decks(self) -> int:
        """The number of decks in it."""
        return self.received.decks if self.received is not None else 1

    @property
    def size(self) -> int:
        """The number of cards it should hold."""
        return CARDS * self.decks

    @property
    def since(self) -> int | None:
        """The time it came to the table: at the latest, the time of its first round."""
        return self.received.at if self.received is not None else self.first_dealt_at

    @property
    def new(self) -> bool:
        """Whether no round has been dealt from it yet."""
        return not self.rounds

    @property
    def preshuffled(self) -> bool:
        """Whether it came shuffled, and its cards have not been mixed or dealt since."""
        return self.new and not self.steps and self.received is not None and self.received.preshuffled

    @property
    def called(self) -> str:
        """The deck's name at the beginning of a sentence."""
        return f"Deck {self.name}" if self.name else "The deck"


def life_hours(book: RuleBook, *, by_hand: bool) -> int | None:
    """Return how many hours a deck may stay in use, if the book limits it; fewer once it was dealt from the hand."""
    held = book.values.get("deck_life_hours_by_hand" if by_hand else "deck_life_hours_from_shoe")
    return int(held.value) if held is not None else None
