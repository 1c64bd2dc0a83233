"""The number of cards in Fast Action's shoe, recorded when they are loaded and when all are removed."""

from domain.facts.decks import DiscardRackEmptied
from domain.facts.payments import RoundCompleted
from domain.facts.shuffles import ShoeEmptied, ShoeLoaded
from domain.spoken import number_of
from domain.table.day import TableDay
from domain.table.deck import Deck
from domain.watch.deck_queries import CONTINUOUS, raised
from domain.watch.detecting import Found, watch
from domain.watch.detectors.cut_offers import size
from domain.watch.laws import law

SHORT = law("deck-composition-wrong", "FAH (b)(1)/s1")


@watch(ShoeLoaded, laws=(SHORT,))
def a_shoe_is_loaded_with_every_card(day: TableDay, loaded: ShoeLoaded) -> Found:
    """Check that six or eight decks are loaded whole; into a continuous shoe, only a round's cards return."""
    if day.method == CONTINUOUS or loaded.cards is None:
        return
    deck = day.decks.of(loaded.deck)
    if loaded.cards != size(day, deck):
        says = (
            f"The shoe was loaded with {number_of(loaded.cards, 'card')} of {loaded.deck}, which has {size(day, deck)}."
        )
        yield from raised(day, SHORT, "", loaded, says)


@watch(ShoeEmptied, laws=(SHORT,), needs=(DiscardRackEmptied, RoundCompleted, ShoeLoaded))
def every_card_comes_out_of_a_shoe_that_shuffles(day: TableDay, emptied: ShoeEmptied) -> Found:
    """Check that all cards come out of a continuous shoe once the last round's cards are back in it."""
    deck = day.decks.of(emptied.deck)
    if day.method != CONTINUOUS or emptied.cards is None or not _all_in(day, deck):
        return
    if emptied.cards != size(day, deck):
        says = (
            f"{number_of(emptied.cards, 'card')} of {emptied.deck} came out of the shoe, but it has {size(day, deck)}."
        )
        yield from raised(day, SHORT, "", emptied, says)


def _all_in(day: TableDay, deck: Deck) -> bool:
    """Whether no card is outside the shoe."""
    told = day.round
    if deck.loaded is None or deck.name in day.decks.rack:
        return False
    return told is None or (told.over and deck.loaded.sequence > told.last)
