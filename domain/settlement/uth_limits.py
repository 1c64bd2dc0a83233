"""Payout limits of Ultimate Texas Hold'em: on winnings, never on returned stakes.

Massachusetts limits ante, blind, play and trips of one hand (11(e)), and all bets but the progressive (14(d)). Maryland
limits what its operator chose (12.F). No text says how a cut is shared among the wagers: they are filled in the order
in which they are settled, and only their sum is binding.
"""

import msgspec

from domain.money import Cents
from domain.rulebooks import House
from domain.rulebooks.house_checks import most_at_minimum_cents
from domain.settlement.outcome import READING, Outcome
from domain.settlement.played import Seat

MAIN = ("ante", "blind", "play", "trips")
_NO_LIMIT = 1 << 62


class PayoutLimit(msgspec.Struct, frozen=True):
    """The most these wagers together may win on one hand."""

    wagers: tuple[str, ...]
    cents: Cents
    clause: str


class HouseLimits(msgspec.Struct, frozen=True):
    """The limits of a house; `least` is the smallest, so that most hands need no closer check."""

    each: tuple[PayoutLimit, ...]
    least: Cents


def limits(house: House) -> HouseLimits:
    """Return the limits in force at a house."""
    each = _massachusetts(house) if "main_limit_cents" in house.book.values else _maryland(house)
    return HouseLimits(each=each, least=min((limit.cents for limit in each), default=_NO_LIMIT))


def _massachusetts(house: House) -> tuple[PayoutLimit, ...]:
    values = house.book.value
    greater = max(values("main_limit_cents"), most_at_minimum_cents(house), house["payout_cap"] or 0)
    return (
        PayoutLimit(MAIN, greater, house.book.clause_of("main_limit_cents")),
        PayoutLimit((*MAIN, "cover_all"), values("all_bets_limit_cents"), house.book.clause_of("all_bets_limit_cents")),
    )


def _maryland(house: House) -> tuple[PayoutLimit, ...]:
    if house["payout_cap"] is None:
        return ()
    side = ("ultimate_pairs", "bad_beat", "play_the_board") if house["cap_includes_side_wagers"] else ()
    return (PayoutLimit((*MAIN, *side), house["payout_cap"], house.book.options["payout_cap"].clause),)


def _winnings(seat: Seat, wager: str, outcome: Outcome) -> Cents:
    """Return what a wager won: the amount returned over its stake, including the face of a coupon."""
    return max(0, (outcome.returned or 0) - (seat.wagers.get(wager) or 0))


def may_reach(house: House, seat: Seat) -> frozenset[str]:
    """Return the wagers of this seat that together could win more than a limit allows."""
    reached: set[str] = set()
    for limit in limits(house).each:
        most = sum(_most(house, wager, seat.wagers.get(wager) or 0) for wager in limit.wagers)
        if most > limit.cents:
            reached |= set(limit.wagers)
    return frozenset(reached)


def _most(house: House, wager: str, stake: Cents) -> Cents:
    """Return the most a stake can win on its wager's best line, in any column."""
    if not stake:
        return 0
    table = house.table(wager)
    tables = [table] if table is not None else house.book.tables[wager].tables.values()
    return max(odds.winnings(stake) for each in tables for odds in each.lines.values())


def limit_winnings(limits: HouseLimits, seat: Seat, outcomes: dict[str, Outcome]) -> None:
    """Cut the amount over a limit, starting with the wager settled last."""
    for limit in limits.each:
        held = [wager for wager in limit.wagers if wager in outcomes]
        over = sum(_winnings(seat, wager, outcomes[wager]) for wager in held) - limit.cents
        for wager in reversed(held):
            if over <= 0:
                break
            outcome = outcomes[wager]
            cut = min(over, _winnings(seat, wager, outcome))
            if cut:
                outcomes[wager] = Outcome((outcome.returned or 0) - cut, limit.clause, READING)
                over -= cut
