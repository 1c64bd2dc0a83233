"""The number of cards in a shoe: those loaded, dealt and burned, those put back after a round, and those left."""

from domain.facts.deal import CardBurned, CardDealt
from domain.facts.decks import DiscardRackEmptied
from domain.facts.devices import DeviceFailed
from domain.facts.payments import RoundCompleted
from domain.facts.shuffles import ShoeEmptied, ShoeLoaded
from domain.spoken import number_of
from domain.table.day import TableDay
from domain.table.deck import CARDS, CONTINUOUS, Deck
from domain.table.deck_shuffles import in_a_deal
from domain.watch.deck_queries import raised
from domain.watch.detecting import Found, watch
from domain.watch.detectors.cut_offers import size
from domain.watch.laws import law

SHORT = law(
    "deck-composition-wrong",
    "UTH-MA 2(a); UTH-MD 3.A(1); PIK 39.2(a)/s1; COL 2(a)/s1; FAH (b)(1)/s1",
)


@watch(ShoeLoaded, laws=(SHORT,))
def a_shoe_is_loaded_with_every_card(day: TableDay, loaded: ShoeLoaded) -> Found:
    """Check that whole decks are loaded; into a continuous shoe, that the cards dealt from it return."""
    deck = day.decks.of(loaded.deck)
    if loaded.cards is None:
        return
    if day.method == CONTINUOUS:
        yield from _returned(day, deck, loaded)
    elif loaded.cards != (whole := _whole(day, deck)):
        says = f"The shoe was loaded with {number_of(loaded.cards, 'card')} of {loaded.deck}, which has {whole}."
        yield from raised(day, SHORT, "", loaded, says)


def _returned(day: TableDay, deck: Deck, loaded: ShoeLoaded) -> Found:
    """Check that the cards dealt from a shoe that shuffles continuously go back into it (FAH (k)(1))."""
    dealt = deck.outside
    if not dealt or in_a_deal(day.decks) or deck.name in day.decks.rack:
        return
    if loaded.cards != dealt:
        says = (
            f"{number_of(dealt, 'card')} of {loaded.deck} had been dealt from the shoe that shuffles continuously, "
            f"but {loaded.cards} went back into it."
        )
        yield from raised(day, SHORT, "", loaded, says)


@watch(ShoeEmptied, laws=(SHORT,), needs=(DiscardRackEmptied, RoundCompleted, ShoeLoaded))
def every_card_comes_out_of_a_shoe_that_shuffles(day: TableDay, emptied: ShoeEmptied) -> Found:
    """Check that all cards come out of a continuous shoe once the last round's cards are back in it."""
    deck = day.decks.of(emptied.deck)
    if emptied.cards is None or not _all_in(day, deck):
        return
    if emptied.cards != size(day, deck):
        says = (
            f"{number_of(emptied.cards, 'card')} of {emptied.deck} came out of the shoe, but it has {size(day, deck)}."
        )
        yield from raised(day, SHORT, "", emptied, says)


@watch(ShoeEmptied, laws=(SHORT,), needs=(CardBurned, CardDealt, DeviceFailed, RoundCompleted, ShoeLoaded))
def every_card_of_a_shoe_is_accounted_for(day: TableDay, emptied: ShoeEmptied) -> Found:
    """Check that the cards dealt, burned and left in a shoe are those loaded, where each of these was recorded."""
    deck = day.decks.of(emptied.deck)
    loaded, out, left = deck.loaded, deck.outside, emptied.cards
    if not day.game.many_rounds_a_shoe or day.method == CONTINUOUS or in_a_deal(day.decks):
        return
    if loaded is None or out is None or left is None:
        return
    if loaded.cards != _whole(day, deck) or left + out == loaded.cards:  # a shoe loaded wrongly is found at its load
        return
    wrong, many = number_of(abs(loaded.cards - out - left), "card"), left + out > loaded.cards
    says = (
        f"{loaded.cards} cards of {deck.name} were loaded and {out} left the shoe in play, but {left} came out at the "
        f"end: {wrong} too {'many' if many else 'few'}."
    )
    yield from raised(day, SHORT, "", emptied, says, evidence=[loaded])


def _whole(day: TableDay, deck: Deck) -> int:
    """Return the number of cards that a shoe is loaded with: one deck, or all decks of a shoe of many."""
    return size(day, deck) if day.game.many_rounds_a_shoe else CARDS


def _all_in(day: TableDay, deck: Deck) -> bool:
    """Whether this shoe shuffles continuously, and no card is outside it."""
    told = day.round
    if day.method != CONTINUOUS or deck.loaded is None or deck.name in day.decks.rack:
        return False
    return told is None or (told.over and deck.loaded.sequence > told.last)
