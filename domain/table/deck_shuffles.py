"""Shuffling, cutting and loading of decks, which settle what was due before."""

from domain.facts.decks import CoverCardPlaced, CoverCardRemoved
from domain.facts.envelope import Fact
from domain.facts.shuffles import (
    BatchReleased,
    BatchSecured,
    CutCompleted,
    CutOffered,
    CutPerformed,
    CutRefused,
    CuttingCardInserted,
    CuttingCardReached,
    RecutOrdered,
    ShoeEmptied,
    ShoeLoaded,
    ShoeRanOut,
    ShuffleCompleted,
    ShuffleOrdered,
    ShuffleStarted,
)
from domain.table.deck import Cut, Deck
from domain.table.decks import Decks, Step
from domain.table.seen import DECK


def in_its_round(state: Decks, deck: Deck) -> bool:
    """Return whether a round from this deck is in progress, with its cards on the table."""
    told = state.told
    return bool(told is not None and told.deck == deck.name and told.dealing and not told.over and not told.voided)


def in_a_deal(state: Decks) -> bool:
    """Return whether cards of the newest round lie on the table, from whatever deck."""
    told = state.told
    return told is not None and told.dealing and not told.over


def _ordered(state: Decks, fact: ShuffleOrdered) -> None:
    state.shuffle_ordered = True
    deck = state.meant(fact.deck) if fact.deck or state.at_hand is None else state.at_hand
    if deck is not None:
        deck.ordered = fact


def _started(state: Decks, fact: ShuffleStarted) -> None:
    deck = state.of(fact.deck)
    deck.started = fact
    _leaves_rack(state, deck)


def _completed(state: Decks, fact: ShuffleCompleted) -> None:
    deck = state.of(fact.deck)
    _leaves_rack(state, deck)
    deck.started, state.last_shuffle = None, fact
    if fact.counted is not None and fact.counted != deck.size:
        deck.miscounted = fact
    within = in_its_round(state, deck)
    shuffled(state, deck, fact)
    deck.within_round = fact if within else None


def shuffled(state: Decks, deck: Deck, fact: ShuffleCompleted) -> None:
    """Note a complete shuffle: nothing is due any more, and nothing has been done with the cards since."""
    deck.shuffled = fact
    deck.rounds_since_shuffle = deck.dealt_since_load = 0
    deck.reshuffle, deck.out = {}, [0] * DECK
    deck.stacked = deck.ordered = deck.cut = deck.recut = deck.inserted = deck.reached = None
    deck.secured = deck.released = None
    state.offers, state.cover_laid = [], None


def _secured(state: Decks, fact: BatchSecured) -> None:
    state.of(fact.deck).secured = fact


def _released(state: Decks, fact: BatchReleased) -> None:
    state.of(fact.deck).released = fact


def _offer(state: Decks, fact: CutOffered | CutRefused) -> None:
    state.offers.append(fact)


def _cover_placed(state: Decks, fact: CoverCardPlaced) -> None:
    if fact.on == "before-deck":
        state.cover_laid = fact


def _cover_removed(state: Decks, fact: CoverCardRemoved) -> None:
    if state.cutting is not None and state.cutting.cut is not None and state.cutting.cut.uncovered is None:
        state.cutting.cut.uncovered = fact


def _cut(state: Decks, fact: CutPerformed) -> None:
    deck = state.of(fact.deck)
    first = deck.cut.first if deck.cut is not None else fact
    deck.cut, deck.recut = Cut(fact, first, deck.recut, state.cover_laid), None
    state.cutting, state.cover_laid = deck, None


def _cut_completed(state: Decks, fact: CutCompleted) -> None:
    cut = state.of(fact.deck).cut
    if cut is not None:
        cut.completed = fact


def _recut(state: Decks, fact: RecutOrdered) -> None:
    if state.cutting is not None:
        state.cutting.recut = fact


def _inserted(state: Decks, fact: CuttingCardInserted) -> None:
    state.of(fact.deck).inserted = fact


def _reached(state: Decks, fact: CuttingCardReached) -> None:
    deck = state.at_hand
    if deck is not None:
        deck.reached = fact
    state.shoe_ended = fact


def _ran_out(state: Decks, fact: ShoeRanOut) -> None:
    deck = state.meant(fact.deck)
    if deck is not None:
        deck.reshuffle["empty shoe"] = fact
    state.shoe_ended = fact


def _loaded(state: Decks, fact: ShoeLoaded) -> None:
    deck = state.of(fact.deck)
    _leaves_rack(state, deck)
    before = state.known.get(state.last_loaded)
    if before is not deck or deck.rounds_since_load:
        state.last_shoe = before
    deck.loaded, deck.rounds_since_load, deck.dealt_since_load = fact, 0, 0
    deck.out = [0] * DECK  # all cards are in the shoe again, shuffled or not
    deck.outside = None if in_a_deal(state) else 0
    state.last_loaded = fact.deck
    state.shuffle_ordered, state.shoe_ended = False, None
    if fact.device:
        state.loaded[fact.device] = fact.deck


def _emptied(state: Decks, fact: ShoeEmptied) -> None:
    deck = state.of(fact.deck)
    deck.outside = None  # until it is loaded again
    if deck.jammed is not None and deck.jammed.kind == "shoe":
        deck.emptied = fact


def _leaves_rack(state: Decks, deck: Deck) -> None:
    """Note that cards being shuffled or loaded have left the rack."""
    if deck.name in state.rack:
        state.rack.remove(deck.name)


STEPS: dict[type[Fact], Step] = {
    ShuffleOrdered: _ordered,
    ShuffleStarted: _started,
    ShuffleCompleted: _completed,
    BatchSecured: _secured,
    BatchReleased: _released,
    CutOffered: _offer,
    CutRefused: _offer,
    CoverCardPlaced: _cover_placed,
    CoverCardRemoved: _cover_removed,
    CutPerformed: _cut,
    CutCompleted: _cut_completed,
    RecutOrdered: _recut,
    CuttingCardInserted: _inserted,
    CuttingCardReached: _reached,
    ShoeLoaded: _loaded,
    ShoeEmptied: _emptied,
    ShoeRanOut: _ran_out,
}
