"""The three cards that a Pik-it player selects for the 3 card bonus."""

from domain.cards import UNKNOWN
from domain.facts.decisions import CardsSelected
from domain.spoken import number_of
from domain.table.played import lay
from domain.table.round import RoundInPlay
from domain.table.spots import codes
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import course, raised

INVALID = law(
    "selection-invalid",
    {"": "PIK 39.10(a)", "asked": "PIK 39.10(b)/s1", "cards": "PIK 39.10(b)/s2"},
)
_THREE, _DEALT = 3, 5


@judge(INVALID, needs=(CardsSelected,))
def three_cards_are_selected(told: RoundInPlay) -> Found:
    """Check that each player with a 3 card bonus reveals three cards before it is settled."""
    if told.voided:
        return
    went = course(told)
    selected = {fact.seat for fact in told.of(CardsSelected)}
    for spot in course(told).wagering:
        wagered = spot.wagers.get("bonus3")
        if wagered is None or not lay(told, wagered) or spot.seat in selected or spot.seat in went.apart:
            continue
        shows = went.first.get((spot.seat, "bonus3"), went.ends)
        if spot.dealt and shows is not None:
            says = f"Seat {spot.seat}'s 3 card bonus was settled without a selection of three cards."
            yield from raised(told, INVALID, "asked", shows, says, seat=spot.seat, wager="bonus3")


@judge(INVALID)
def three_of_the_five_are_selected(told: RoundInPlay) -> Found:
    """Check that the selection is three of the player's five cards and does not change."""
    first: dict[int, CardsSelected] = {}
    for fact in told.of(CardsSelected):
        says, key = "", "cards"
        earlier = first.setdefault(fact.seat, fact)
        if len(fact.cards) != _THREE:
            says = (
                f"Seat {fact.seat} selected {number_of(len(fact.cards), 'card')} for the 3 card bonus instead of three."
            )
        elif not _own(told, fact):
            says = f"Seat {fact.seat} selected {' '.join(fact.cards)}, which are not three of the five it was dealt."
        elif sorted(earlier.cards) != sorted(fact.cards) and "??" not in (*earlier.cards, *fact.cards):
            says = f"Seat {fact.seat} selected {' '.join(fact.cards)} after it had shown {' '.join(earlier.cards)}."
        if says:
            yield from raised(told, INVALID, key, fact, says, seat=fact.seat, wager="bonus3", evidence=[earlier])


def _own(told: RoundInPlay, fact: CardsSelected) -> bool:
    """Whether these can be cards of the seat; an unseen card may be any."""
    known, held = [card for card in codes(fact.cards) if card != UNKNOWN], list(told.seats[fact.seat].cards)
    if len(held) < _DEALT:
        return True  # the deal is only partly recorded
    for card in known:
        if card in held:
            held.remove(card)
        elif UNKNOWN in held:
            held.remove(UNKNOWN)
        else:
            return False
    return True
