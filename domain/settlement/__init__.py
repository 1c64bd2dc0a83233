"""Settlement: what every wager of a round must hand back, to the cent, and by which clause.

`settle(house, played)` is total and pure. The house is a rule book with this licensee's options; the round is
what was wagered, dealt and decided.
"""

from collections.abc import Callable

from domain.cards import UNKNOWN
from domain.hands import multideck, standard
from domain.hands.ranked import UnknownCardError
from domain.rulebooks import House
from domain.settlement import colorado, fast_action, irregularities, pikit, unseen, uth, uth_irregularities
from domain.settlement.outcome import Outcome, Settlement
from domain.settlement.played import Irregularity, Round, Seat, with_parts
from domain.settlement.uth_progressive import opening_meters
from domain.settlement.void import Effect, Settled, Uncovered, Unruled, Void, hand_back, no_surer_than, unruled

__all__ = ["Irregularity", "Outcome", "Round", "Seat", "Settlement", "announce", "settle"]

_GAMES: dict[str, Callable[[House, Round], Settlement]] = {
    "UTH-MA": uth.settle,
    "UTH-MD": uth.settle,
    "PIK": pikit.settle,
    "FAH": fast_action.settle,
    "COL": colorado.settle,
}
KINDS = {
    "UTH-MA": tuple(uth_irregularities.EFFECTS),
    "UTH-MD": tuple(uth_irregularities.EFFECTS),
    **{book: tuple(effects) for book, effects in irregularities.EFFECTS.items()},
}


def settle(house: House, played: Round) -> Settlement:
    """Settles a round as it was played, whatever went wrong in it and however much of it was seen."""
    what = played.irregularity
    if what is None:
        return _regular(house, played)
    effect = _effect(house, played, what)
    if effect is None:
        return _regular(house, played)
    if isinstance(effect, Uncovered) and house.book.book.startswith("UTH") and not _well_counted(played):
        effect = Unruled(effect.clause)
    if isinstance(effect, Uncovered):
        return no_surer_than(effect.basis, _regular(house, played))
    if isinstance(effect, Unruled):
        return unruled(played, effect.clause)
    if effect.seat is not None:
        return _one_hand_void(house, played, effect)
    return _void(house, played, effect, what)


def _regular(house: House, played: Round) -> Settlement:
    game = _GAMES[house.book.book]
    try:
        return game(house, played)
    except UnknownCardError:
        return unseen.settle(house, played, game)


def _effect(house: House, played: Round, what: Irregularity) -> Effect:
    book = uth_irregularities if house.book.book.startswith("UTH") else irregularities
    effect: Effect = book.effect(house, played, what)
    return effect


def _one_hand_void(house: House, played: Round, void: Void) -> Settlement:
    """One seat gets its wagers back; the others play on, and its hand still counts as one that was dealt."""
    others = tuple(seat for seat in played.seats if seat.seat != void.seat)
    rest = with_parts(played, seats=others, void_hands=1)
    settlement = _regular(house, rest)
    for seat in played.seats:
        if seat.seat == void.seat:
            settlement.seats[seat.seat] = hand_back(seat, void, {}, None)
    settlement.seats = {seat.seat: settlement.seats[seat.seat] for seat in played.seats}
    return settlement


def _void(house: House, played: Round, void: Void, what: Irregularity) -> Settlement:
    settled = _settled_before(house, played, what)
    seats = {}
    for seat in played.seats:
        outcomes = hand_back(seat, void, settled.get(seat.seat, {}), what.ruling)
        for wager in void.keeps:
            if wager in seat.wagers:
                outcomes[wager] = _kept(house, played, seat, wager)
        seats[seat.seat] = outcomes
    meters = opening_meters(house) if house.options.get("progressive") and house.book.book == "UTH-MD" else None
    return Settlement(seats=seats, void_clause=void.clause, meters_after=meters)


def _settled_before(house: House, played: Round, what: Irregularity) -> Settled:
    if not house.book.book.startswith("UTH"):
        return irregularities.settled_before(house, played, what)
    if what.stage != "after-settlement":
        return {}
    return _regular(house, played).seats if _well_counted(played) else unruled(played, "").seats


def _well_counted(played: Round) -> bool:
    """Whether every UTH hand has the cards it should have, seen or not."""
    hands = [played.dealer, *(seat.cards for seat in played.seats)]
    return all(len(hand) == 2 for hand in hands) and len(played.community) == 5


def _kept(house: House, played: Round, seat: Seat, wager: str) -> Outcome:
    """A wager that survives a void round is settled on its own, as if nothing else had been bet."""
    alone = with_parts(seat, wagers={wager: seat.wagers[wager]}, choice="fold", left=False)
    dealer = (UNKNOWN, UNKNOWN)  # whatever the dealer holds has no bearing on it
    rest = with_parts(played, seats=(alone,), dealer=dealer, irregularity=None)
    return _regular(house, rest).seats[seat.seat][wager]


def announce(house: House, value: int) -> str:
    """The name a dealer at this house's game would announce for a hand value."""
    return multideck.named(value) if house.book.book == "FAH" else standard.named(value)
