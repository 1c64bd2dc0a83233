"""Unannounced hands: the settlement of a pay table's wager shows which hand the dealer saw in the cards."""

from collections.abc import Callable
from functools import partial

import msgspec

from domain.facts.payments import WagerCollected, WagerPaid, WagerReturned
from domain.games.game import Kind
from domain.hands.heard import Heard
from domain.rulebooks import PayTable
from domain.spoken import name_of_wager, plain
from domain.table.round import RoundInPlay
from domain.table.spots import Spot, Wagered
from domain.watch.detecting import Found, judge
from domain.watch.money.limits import beyond_limits
from domain.watch.owed import owed
from domain.watch.rankings import MISRANKED, mistaken
from domain.watch.round_order import course, raised
from domain.watch.settled_how import LEFT, PAID, TAKEN, as_owed, handled
from domain.watch.values import MadeHand, hand_of, made, six_cards_of


class PaidByTable(msgspec.Struct, gc=False):
    """A wager on one hand, paid by a table."""

    wager: str
    hand: MadeHand
    table: PayTable
    keys: tuple[str, ...] = ()


@judge(MISRANKED, needs=(WagerCollected, WagerPaid, WagerReturned), games=("UTH-MD", "pik-it", "colorado"))
def paid_as_what_it_is(told: RoundInPlay) -> Found:
    """Check that a wager on an unannounced hand is paid by its table for the hand its cards make."""
    settlement, hands = owed(told), _HANDS[told.game.kind]
    if settlement.void_clause:
        return  # the fault there is that it was settled at all
    for spot in course(told).wagering:
        wrong = [
            name for name in hands if name in spot.wagers and as_owed(settlement, spot.seat, spot.wagers[name]) is False
        ]
        if not wrong or spot.seat in course(told).apart or _announced(told, spot.seat) or _limited(told, spot):
            continue
        if "ante" in wrong and "bet" in wrong:
            wrong.remove("bet")  # one hand, one mistake
        for name in wrong:
            paid = hands[name](told, spot)
            taken_for = _taken_for(told, spot, spot.wagers[name], paid) if paid is not None else None
            if paid is not None and taken_for is not None:
                yield from _found(told, spot, paid, taken_for)


def _limited(told: RoundInPlay, spot: Spot) -> bool:
    """Whether a limit reduces this hand's winnings, so that payment in full concerns the limit instead."""
    return any(each.spot is spot for each in beyond_limits(told))


def _announced(told: RoundInPlay, seat: int) -> bool:
    """Whether this hand was announced, so that the announcement is checked instead."""
    said = course(told).announced.get(seat, ())
    return (told.game.colorado and bool(said)) or any(fact.of_cards == 6 for fact in said)


def _taken_for(told: RoundInPlay, spot: Spot, wagered: Wagered, paid: PaidByTable) -> Heard | None:
    """Return the one hand of the table that explains this settlement, or None; in Colorado, losses and pushes count."""
    what = handled(wagered)
    if _to_and_fro(wagered):
        return None  # the money finding says so, and no reading of the hand explains it
    if what == PAID and wagered.staked is not None:
        stake = wagered.staked
        lines = [name for name, odds in paid.table.lines.items() if odds.winnings(stake) == wagered.paid_cents]
        hands = {_category(name) for name in lines if not name.startswith("three_card_")}
        return Heard(hands.pop()) if len(hands) == 1 else None
    if told.game.colorado and what in (LEFT, TAKEN) and not _rightly(told, spot, wagered, what):
        return Heard("pair" if what == LEFT or paid.hand.category == "pair" else "high_card")
    return None


def _to_and_fro(wagered: Wagered) -> bool:
    """Whether it was paid twice, or collected and given back or paid as well; a coupon kept on a win is neither."""
    kinds = [type(move) for move in wagered.moves]
    taken = wagered.collected_cents > wagered.coupon_cents
    return kinds.count(WagerPaid) > 1 or (taken and len(set(kinds)) > 1)


def _rightly(told: RoundInPlay, spot: Spot, wagered: Wagered, what: str) -> bool:
    """Whether the wager does lose or push, and only the amount of chips is wrong."""
    outcome = owed(told).seats.get(spot.seat, {}).get(wagered.wager)
    return outcome is not None and outcome.returned == (0 if what == TAKEN else wagered.staked)


def _category(line: str) -> str:
    if line.startswith("pair_of"):
        return "pair"
    return "super_royal" if line.startswith("super_royal") else line


def _found(told: RoundInPlay, spot: Spot, paid: PaidByTable, taken_for: Heard) -> Found:
    first = course(told).first[spot.seat, paid.wager]
    keys = [*mistaken(taken_for, paid.hand), *paid.keys]
    evidence = []
    if told.game.colorado and (other := _same_hand_settled_right(told, paid)) is not None:
        keys.append("suit")
        evidence.append(course(told).first[other.seat, paid.wager])
    how = {PAID: f"paid as {plain(taken_for.category)}", LEFT: "left as a push", TAKEN: "collected as lost"}
    done = how[handled(spot.wagers[paid.wager])]
    says = f"Seat {spot.seat}'s {name_of_wager(paid.wager)} was {done}, but the cards make {paid.hand.name}."
    yield from raised(
        told, MISRANKED, keys, first, says, seat=spot.seat, wager=paid.wager, evidence=evidence, basis="reading"
    )


def _same_hand_settled_right(told: RoundInPlay, paid: PaidByTable) -> Spot | None:
    """Return a seat with the same ranks that was settled correctly, so that only suits made the difference."""
    for other in course(told).wagering:
        wagered, hand = other.wagers.get(paid.wager), hand_of(told, other.seat)
        if wagered is None or hand is None or hand.value != paid.hand.value:
            continue
        if as_owed(owed(told), other.seat, wagered):
            return other
    return None


def _six_card(told: RoundInPlay, spot: Spot) -> PaidByTable | None:
    table, hand = told.house.table("six_card"), six_cards_of(told, spot.seat)
    return PaidByTable("six_card", hand, table) if table is not None and hand is not None else None


def _bonus5(told: RoundInPlay, spot: Spot) -> PaidByTable | None:
    table, hand = told.house.table("bonus5"), made("five", spot.cards, (5,))
    return PaidByTable("bonus5", hand, table, ("hand",)) if table is not None and hand is not None else None


def _bonus3(told: RoundInPlay, spot: Spot) -> PaidByTable | None:
    table, hand = told.house.table("bonus3"), made("three", spot.selected, (3,))
    return PaidByTable("bonus3", hand, table, ("hand",)) if table is not None and hand is not None else None


def _colorado(wager: str, name: str, told: RoundInPlay, spot: Spot) -> PaidByTable | None:
    table, hand = told.house.table(name), hand_of(told, spot.seat)
    if spot.choice != "play" or table is None or hand is None:
        return None
    return PaidByTable(wager, hand, table, ("hand", str(told.house["version"])))


_HANDS: dict[Kind, dict[str, Callable[[RoundInPlay, Spot], PaidByTable | None]]] = {
    "ultimate": {"six_card": _six_card},
    "pik-it": {"bonus5": _bonus5, "bonus3": _bonus3},
    "colorado": {
        "ante": partial(_colorado, "ante", "main"),
        "bet": partial(_colorado, "bet", "main"),
        "bonus": partial(_colorado, "bonus", "bonus"),
    },
}
