"""Fast Action Hold'em: naturals and surrenders first, then two kept cards against the dealer's house way."""

import msgspec

from domain.cards import UNKNOWN
from domain.hands import multideck
from domain.hands.ranked import ImpossibleHandError, refuse_unseen
from domain.house_way import acceptable
from domain.money import Cents, Odds
from domain.rulebooks import House
from domain.settlement.coupons import with_coupons
from domain.settlement.outcome import (
    CERTAIN,
    READING,
    Outcome,
    Settlement,
    WagerOutcome,
    lost,
    paid,
    pushed,
    returned,
    ruling,
    settled,
    undecidable,
)
from domain.settlement.played import Cards, PlayedRound, Seat

CARDS_A_HAND = 4


def is_natural(cards: Cards) -> bool:
    """Return whether the first four cards are of one rank, suits immaterial (FAH (a)(1)(v))."""
    first = cards[:CARDS_A_HAND]
    refuse_unseen(first)
    return len(first) == CARDS_A_HAND and len({card >> 2 for card in first}) == 1


def settle(house: House, played: PlayedRound) -> Settlement:
    """Settle a round in which nothing went wrong."""
    seats = {}
    hands: dict[int, int] = {}
    open_seats = []
    for seat in played.seats:
        outcomes = before_dealer(house, seat)
        seats[seat.seat] = outcomes
        if not outcomes:
            open_seats.append(seat)
    if open_seats and is_natural(played.dealer):
        for seat in open_seats:
            seats[seat.seat] = _against_natural(seat)
    elif open_seats:
        choices = dealer_choices(house, played)
        hands[0] = multideck.value((*choices.pairs[0], *played.community))
        for seat in open_seats:
            hands[seat.seat] = multideck.value((*seat.kept, *played.community))
            seats[seat.seat] = _compared(house, played, seat, hands, choices.basis)
        _where_the_choice_matters(house, played, open_seats, choices, Settlement(seats, hands=hands))
    for seat in played.seats:
        if seat.coupons:
            with_coupons(house, seat, seats[seat.seat])
    return Settlement(seats=seats, order=tuple(seat.seat for seat in reversed(played.seats)), hands=hands)


def before_dealer(house: House, seat: Seat) -> dict[str, Outcome]:
    """Return what is settled before the dealer's cards are opened; nothing for a hand that was set or split."""
    outcomes = _original_before_dealer(house, seat)
    if outcomes and "split" in seat.wagers:  # placed, but the hand was not seen to be split
        seen = bool(seat.choice) or seat.left
        needs = [f"how seat {seat.seat} set its hand"]
        outcomes["split"] = ruling("FAH (h)(3)/s1") if seen else undecidable("FAH (h)(3)/s1", needs)
    return outcomes


def _original_before_dealer(house: House, seat: Seat) -> dict[str, Outcome]:
    stake = seat.wagers["original"]
    if seat.choice == "natural":
        if not is_natural(seat.cards):
            return {"original": ruling("FAH (h)(2)/s2")}
        odds = house.book.tables["natural"].tables["only"].lines["any_win"]
        return {"original": settled(paid(odds, "FAH (h)(2)/s2"), stake, f"seat {seat.seat}'s original")}
    if seat.choice == "surrender":
        return {"original": _surrendered(house, stake, f"seat {seat.seat}'s original")}
    if seat.choice == "short-void":  # the text does not say that the wager is returned
        return {"original": returned(stake, "FAH (i)(3)", READING, f"seat {seat.seat}'s original")}
    if not seat.choice:
        if seat.left:
            return {"original": ruling("FAH (f)(2)/s2")}
        return {"original": undecidable("FAH (h)(1)/s1", [f"how seat {seat.seat} set its hand"])}
    return {}


def _surrendered(house: House, stake: Cents | None, wager: str) -> Outcome:
    """Return half of the stake, an odd half rounded to the house's chip, in the direction the house chose."""
    clause = "FAH (h)(6)/s2"
    if stake is None:
        return undecidable(clause, [f"the amount of {wager}"])
    unit = house["surrender_unit"]
    rounding = house["surrender_rounding"]
    if rounding == "house":
        half = stake // (2 * unit) * unit
    elif rounding == "player":
        half = -(-stake // (2 * unit)) * unit
    else:
        half = stake // 2  # exact to the cent; an odd cent stays with the house
    return Outcome(half, clause, CERTAIN if half * 2 == stake else READING)


class DealerChoices(msgspec.Struct, frozen=True):
    """The pairs of which the dealer must play one, how sure that is, and the wording if the choice matters."""

    pairs: tuple[Cards, ...]
    basis: str
    open: Outcome


def dealer_choices(house: House, played: PlayedRound) -> DealerChoices:
    """Return the two cards the dealer must play.

    The set pair counts if the house way allows it, three suits of one rank included. A row that says "any" also allows
    a lower choice, as a reading. Anything else is settled on the right pair. If three suits of one rank leave a choice
    that matters, an unseen one waits for the cards and a wrongly set one for a ruling.
    """
    refuse_unseen(played.dealer)
    readings = {"viii": house["house_way.viii"], "ix": house["house_way.ix"]}
    decided = acceptable(played.dealer, **readings)
    if decided is None:
        raise ImpossibleHandError("only four cards that are no natural are set")
    _, right, alternatives = decided
    unseen = undecidable("FAH (h)(9)(ii)", ["which two cards the dealer kept"])
    seen = tuple(sorted(card for card in played.dealer_kept if card != UNKNOWN))
    if len(seen) == 2:
        if seen in right:
            return DealerChoices((seen,), CERTAIN, unseen)
        if seen in alternatives:
            return DealerChoices((seen,), READING, unseen)
        return DealerChoices(_in_dealt_order(right, played.dealer), CERTAIN, ruling("FAH (h)(9)(ii)"))
    allowed = tuple(pair for pair in _in_dealt_order(right, played.dealer) if set(seen) <= set(pair))
    lower = tuple(pair for pair in alternatives if set(seen) <= set(pair))
    basis = READING if lower else CERTAIN
    return DealerChoices(allowed or lower[:1] or _in_dealt_order(right, played.dealer), basis, unseen)


def _in_dealt_order(pairs: frozenset[Cards], dealer: Cards) -> tuple[Cards, ...]:
    return tuple(sorted(pairs, key=lambda pair: sorted(dealer.index(card) for card in pair)))


def dealer_pair(house: House, played: PlayedRound) -> tuple[Cards, str]:
    """Return the two cards the dealer must play, and how sure that is; if several are allowed, the first dealt."""
    choices = dealer_choices(house, played)
    return choices.pairs[0], choices.basis


def _where_the_choice_matters(
    house: House, played: PlayedRound, seats: list[Seat], choices: DealerChoices, settlement: Settlement
) -> None:
    """Leave a wager open if another of the allowed pairs would settle it differently."""
    for two in choices.pairs[1:]:
        hands = settlement.hands | {0: multideck.value((*two, *played.community))}
        for seat in seats:
            outcomes = settlement.seats[seat.seat]
            for wager, other in _compared(house, played, seat, hands, choices.basis).items():
                if other.returned != outcomes[wager].returned:
                    outcomes[wager] = choices.open


def _against_natural(seat: Seat) -> dict[str, Outcome]:
    """Return the loss to a dealer natural, which takes every wager left, of a split only the original (FAH (h)(8))."""
    outcomes = {"original": Outcome(0, "FAH (h)(8)/s1")}
    if "split" in seat.wagers:
        outcomes["split"] = returned(seat.wagers["split"], "FAH (h)(8)/s2", CERTAIN, f"seat {seat.seat}'s split")
    return outcomes


def _compared(house: House, played: PlayedRound, seat: Seat, hands: dict[int, int], basis: str) -> dict[str, Outcome]:
    """Return each two-card hand's comparison with the dealer's, for its own wager."""
    name = f"seat {seat.seat}'s"
    line = _line(house, hands[seat.seat], hands[0], basis)
    outcomes = {"original": settled(line, seat.wagers["original"], f"{name} original")}
    if "split" in seat.wagers and len(seat.cards) > CARDS_A_HAND:  # a long hand sets one hand and is not split
        outcomes["split"] = returned(seat.wagers["split"], "FAH (i)(4)", READING, f"{name} split")
    elif "split" in seat.wagers:
        second = multideck.value((*seat.second, *played.community))
        line = _line(house, second, hands[0], basis)
        outcomes["split"] = settled(line, seat.wagers["split"], f"{name} split")
    return outcomes


def _line(house: House, own: int, dealer: int, basis: str) -> WagerOutcome:
    if own > dealer:
        even: Odds = house.book.tables["original"].tables["only"].lines["any_win"]
        return paid(even, "FAH (h)(12)/s1", basis)
    if own < dealer:
        return lost("FAH (h)(11)/s1", basis)
    # Copy hands are collected, but no sentence says that the wager is lost.
    copy = lost if house["copy_hand_rule"] == "lose" else pushed
    return copy("FAH (h)(11)/s2", READING)
