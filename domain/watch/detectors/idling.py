"""Idle tables: the cards are spread out while nobody plays, and an arriving player may see them."""

from domain.facts.decks import CardsSpread
from domain.facts.envelope import Fact
from domain.facts.players import PlayerArrived, PlayerAsked
from domain.table.day import TableDay
from domain.table.deck import CONTINUOUS, IDLE
from domain.watch.deck_queries import in_service, raised
from domain.watch.detecting import DealBegins, Found, watch
from domain.watch.laws import law

SPREAD = law("idle-cards-not-spread", "UTH-MA 4(e) s1; UTH-MD 5.H(1); PIK 39.6(e)/s1; COL 5(e)/s1; FAH (e)(8)/s1")
ASKED = law("inspection-not-offered", "FAH (e)(8)(ii)/s3")


@watch(PlayerArrived, DealBegins, laws=(SPREAD,), needs=(CardsSpread,))
def idle_cards_lie_spread(day: TableDay, ends: Fact) -> Found:
    """Check that the cards were spread before a player came or a card was dealt."""
    decks = day.decks
    if decks.idled is None or decks.idle_spread or decks.idle_ended or day.method == CONTINUOUS:
        return
    says = "The cards were not spread out while the table had no play."
    yield from raised(day, SPREAD, "", ends, says, evidence=[decks.idled])


@watch(CardsSpread, laws=(SPREAD,), needs=(PlayerAsked,))
def idle_cards_lie_face_down(day: TableDay, spread: CardsSpread) -> Found:
    """Check that Maryland's idle cards are spread face down unless a player asks to see them."""
    decks = day.decks
    if not day.game.idle_face_down or decks.idled is None or decks.idle_ended or not spread.face_up:
        return
    if not any(asked.request == "face-up" for asked in decks.idle_asked):
        says = f"The cards of {spread.deck} were spread face up while the table had no play, and no player had asked."
        yield from raised(day, SPREAD, "", spread, says, evidence=[decks.idled])


@watch(DealBegins, laws=(ASKED,), needs=(CardsSpread,))
def a_player_may_see_the_batch(day: TableDay, deals: Fact) -> Found:
    """Check that the batch from the shuffler is spread and shuffled again if a player at an idle table asks."""
    decks, deck = day.decks, day.decks.at_hand
    if deck is None or decks.idled is None or deck.cycle == IDLE or not in_service(day, "shuffler"):
        return
    asked = [
        each for each in decks.idle_asked if each.request in ("spread", "face-up") and each.deck in ("", deck.name)
    ]
    if asked:
        says = f"A player asked to see the cards of {deck.name}, but they were dealt without being spread."
        yield from raised(day, ASKED, "", deals, says, evidence=asked)
