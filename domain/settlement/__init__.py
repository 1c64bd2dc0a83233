"""Settlement: what every wager of a round must return, to the cent, and under which clause.

`settle(house, played)` is total and pure. The house is a rule book with this licensee's options. The round is what was
wagered, dealt and decided.
"""

from collections.abc import Callable, Collection, Mapping

from domain.cards import UNKNOWN
from domain.games.game import Kind
from domain.hands import multideck, standard, three_card
from domain.hands.ranked import ImpossibleHandError, UnknownCardError
from domain.rulebooks import House
from domain.settlement import colorado, fast_action, irregularities, pikit, unseen, uth, uth_irregularities
from domain.settlement.outcome import RULING, Outcome, Settlement
from domain.settlement.played import Cards, Irregularity, PlayedRound, Seat, with_parts
from domain.settlement.uth_progressive import opening_meters
from domain.settlement.void import (
    CONTRADICTED,
    Effect,
    Uncovered,
    Unruled,
    Void,
    hand_back,
    no_surer_than,
    undecided,
    unruled,
)

__all__ = [
    "Irregularity",
    "Outcome",
    "PlayedRound",
    "Seat",
    "Settlement",
    "announce",
    "called_off",
    "case_format",
    "case_line",
    "colorado",
    "coupons",
    "fast_action",
    "irregularities",
    "outcome",
    "pikit",
    "played",
    "settle",
    "uth",
    "uth_folded",
    "uth_irregularities",
    "uth_limits",
    "uth_progressive",
    "uth_side_wagers",
    "void",
]

_GAMES: dict[Kind, Callable[[House, PlayedRound], Settlement]] = {
    "ultimate": uth.settle,
    "pik-it": pikit.settle,
    "fast-action": fast_action.settle,
    "colorado": colorado.settle,
}
_LATE = "after-settlement"
KINDS: dict[Kind, tuple[str, ...]] = {
    "ultimate": tuple(uth_irregularities.EFFECTS),
    **{kind: tuple(effects) for kind, effects in irregularities.EFFECTS.items()},
}


def settle(house: House, played: PlayedRound) -> Settlement:
    """Settle a round as it was played, with any irregularity and any unseen parts.

    Every wager of every round gets an outcome: where the cards contradict the game, all of them are undecidable.
    """
    try:
        return _settled(house, played)
    except ImpossibleHandError:
        return undecided(played, CONTRADICTED)


def _settled(house: House, played: PlayedRound) -> Settlement:
    what = played.irregularity
    if what is None:
        return _regular(house, played)
    effect = _effect(house, played, what)
    if effect is None:
        return _regular(house, _made_right(house, played))
    if isinstance(effect, Uncovered):
        if house.game.holdem and not _well_counted(played, what):
            return unruled(played, effect.clause, settled=what.stage == _LATE)
        return no_surer_than(effect.basis, _regular(house, played))
    if effect.seat is not None:
        return _one_hand_apart(house, played, effect, what)
    if isinstance(effect, Unruled):
        return unruled(played, effect.clause, settled=what.stage == _LATE)
    return _void(house, played, effect, what)


def _made_right(house: House, played: PlayedRound) -> PlayedRound:
    """Return the round with a hold'em dealer's missing cards added, which were dealt in sequence but not recorded."""
    if not house.game.holdem or len(played.dealer) == 2:
        return played
    if len(played.dealer) > 2:
        raise ImpossibleHandError("a dealer with more than two cards is not made right by another card")
    return with_parts(played, dealer=(*played.dealer, UNKNOWN, UNKNOWN)[:2])


def _regular(house: House, played: PlayedRound) -> Settlement:
    game = _GAMES[house.game.kind]
    try:
        return game(house, played)
    except UnknownCardError:
        return unseen.settle(house, played, game)


def _effect(house: House, played: PlayedRound, what: Irregularity) -> Effect:
    book = uth_irregularities if house.game.holdem else irregularities
    effect: Effect = book.effect(house, played, what)
    return effect


def _one_hand_apart(house: House, played: PlayedRound, effect: Void | Unruled, what: Irregularity) -> Settlement:
    """Return the settlement with one hand void or waiting for a ruling; it still counts as dealt."""
    late = what.stage == _LATE or bool(what.settled)
    others = tuple(seat for seat in played.seats if seat.seat != effect.seat)
    settlement = _regular(house, with_parts(played, seats=others, void_hands=played.void_hands + 1))
    for seat in played.seats:
        if seat.seat == effect.seat:
            waiting = unruled(with_parts(played, seats=(seat,)), effect.clause, settled=late).seats[seat.seat]
            before = waiting if what.stage == _LATE else {}
            if what.settled is not None:
                before = {wager: waiting[wager] for wager in what.settled.get(seat.seat, ()) if wager in waiting}
            apart = hand_back(seat, effect, before, what.ruling) if isinstance(effect, Void) else waiting
            settlement.seats[seat.seat] = apart
    settlement.seats = {seat.seat: settlement.seats[seat.seat] for seat in played.seats}
    return settlement


def _void(house: House, played: PlayedRound, void: Void, what: Irregularity) -> Settlement:
    before = _before(house, played, void, what)
    seats = {}
    for seat in played.seats:
        outcomes = hand_back(seat, void, before.seats.get(seat.seat, {}), what.ruling)
        for wager in void.keeps:
            if wager in seat.wagers:
                outcomes[wager] = _kept(house, played, seat, wager)
        seats[seat.seat] = outcomes
    return Settlement(seats=seats, void_clause=void.clause, meters_after=_meters_after(house, played, before, what))


def called_off(house: House, played: PlayedRound, clause: str, what: Irregularity) -> Settlement:
    """Settle a round that the floor called off where the text is silent: as void, but only by that ruling."""
    try:
        return _void(house, played, Void(clause, RULING), what)
    except ImpossibleHandError:
        return undecided(played, CONTRADICTED)


def _before(house: House, played: PlayedRound, void: Void, what: Irregularity) -> Settlement:
    """Return what had been settled when the round became void."""
    if not house.game.holdem:
        settled = irregularities.settled_before(house, played, what, _alone(house, played))
        return Settlement(seats={number: dict(held) for number, held in settled.items()})
    if not what.settled and (what.settled is not None or what.stage != _LATE):
        return Settlement(seats={})
    whole = _regular(house, played) if _well_counted(played, what) else unruled(played, void.clause, settled=True)
    return whole if what.settled is None else _only(whole, what.settled)


def _only(whole: Settlement, settled: Mapping[int, Collection[str]]) -> Settlement:
    """Return the wagers of a whole settlement that had been settled."""
    seats = {
        number: {wager: outcome for wager, outcome in outcomes.items() if wager in settled.get(number, ())}
        for number, outcomes in whole.seats.items()
    }
    return Settlement(seats=seats, meters_after=whole.meters_after)


def _meters_after(house: House, played: PlayedRound, before: Settlement, what: Irregularity) -> dict[str, int] | None:
    """Return the meters after a void round, which moves none; a ruling decides on awards already paid."""
    if not house.game.has_meters or not house["progressive"]:
        return None
    if what.stage == _LATE and what.ruling != "reversed":
        return before.meters_after if what.ruling == "stands" else None
    return opening_meters(house, played)


def _alone(house: House, played: PlayedRound) -> Callable[[Seat, Cards], dict[str, Outcome]]:
    """Return a function that settles one seat as if it were alone and nothing had gone wrong."""

    def settle_alone(seat: Seat, dealer: Cards) -> dict[str, Outcome]:
        alone = with_parts(played, seats=(seat,), dealer=dealer, irregularity=None)
        return _regular(house, alone).seats[seat.seat]

    return settle_alone


def _well_counted(played: PlayedRound, what: Irregularity) -> bool:
    """Return whether every UTH hand has the right number of cards, seen or not."""
    if what.kind == "wrong-count" or what.finding == "misdealt":
        return False
    hands = [played.dealer, *(seat.cards for seat in played.seats)]
    return all(len(hand) == 2 for hand in hands) and len(played.community) == 5


def _kept(house: House, played: PlayedRound, seat: Seat, wager: str) -> Outcome:
    """Settle a wager that survives a void round on its own, as if it were the only wager."""
    alone = with_parts(seat, wagers={wager: seat.wagers[wager]}, choice="fold", left=False)
    others = (with_parts(each, wagers={}, choice="fold", left=False, coupons={}) for each in played.seats)
    seats = tuple(alone if each.seat == seat.seat else each for each in others)
    dealer = (UNKNOWN, UNKNOWN)  # the dealer's hand does not affect it
    rest = with_parts(played, seats=seats, dealer=dealer, irregularity=None)
    return _regular(house, rest).seats[seat.seat][wager]


def announce(house: House, value: int, *, three_cards: bool = False) -> str:
    """Return the name a dealer would announce for a hand value at this house; Pik-it has three-card hands too."""
    if three_cards:
        return three_card.named(value)
    return multideck.named(value) if house.game.fast_action else standard.named(value)
