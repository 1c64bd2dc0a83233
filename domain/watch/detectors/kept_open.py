"""Hands that must stay on the table: for a folded player's side wagers, and open for Cover All."""

from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid, WagerReturned
from domain.hands.standard import STRAIGHT, category
from domain.table.played import lay
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import before, course, raised
from domain.watch.values import DEALER, hand_of

EARLY = law(
    "hand-collected-early",
    {
        "trips": "UTH-MA 10(e)(2)(i); UTH-MD 11.F(3)(a)",
        "six_card": "UTH-MD 11.F(3)(c)",
        "cover_all": "UTH-MA 13(h)a",
        "higher": "UTH-MA 13(i)",
    },
)


@judge(EARLY, needs=(WagerCollected, WagerPaid, WagerReturned), games=("ultimate",))
def folded_hands_wait_for_their_wagers(told: RoundInPlay) -> Found:
    """Check that a folded hand stays until its trips, or in Maryland its six card bonus, is settled."""
    if told.voided:
        return
    went = course(told)
    for spot in course(told).wagering:
        taken = went.collected.get(spot.seat)
        if spot.choice != "fold" or not taken or spot.seat in went.apart:
            continue
        for wager in ("trips", "six_card"):
            held = spot.wagers.get(wager)
            if held is None or not lay(told, held) or wager in told.unseen_wagers:
                continue
            settled = went.first.get((spot.seat, wager))
            if settled is None or taken[0].sequence < settled.sequence:
                says = f"Seat {spot.seat}'s folded hand was collected before its {_NAMES[wager]} was settled."
                evidence = [settled] if settled is not None else []
                parts = {"seat": spot.seat, "wager": wager, "evidence": evidence}
                yield from raised(told, EARLY, wager, taken[0], says, **parts)


_NAMES = {"trips": "trips wager", "six_card": "six card bonus"}


@judge(EARLY, needs=(WagerCollected, WagerPaid, WagerReturned), keys=("cover_all",))
def the_highest_hand_stays_open(told: RoundInPlay) -> Found:
    """Check that the highest hand so far, a straight or better, stays until Cover All is reconciled."""
    if told.voided:
        return
    went = course(told)
    reconciled = [first for (_, wager), first in went.first.items() if wager == "cover_all"]
    if not reconciled:
        return
    first = min(reconciled, key=lambda fact: fact.sequence)
    values = {seat: hand.value for seat in went.shown if (hand := hand_of(told, seat)) is not None}
    for seat, taken in went.collected.items():
        value, gone, shown = values.get(seat), taken[0], went.shown.get(seat)
        if value is None or category(value) < STRAIGHT or not before(gone, first) or not before(shown, gone):
            continue
        open_then = {other: found for other, found in went.shown.items() if other != seat and _open(told, other, gone)}
        if any(values.get(other, value) >= value for other in open_then):
            continue
        lower = [
            found
            for other, found in went.shown.items()
            if before(found, shown) and STRAIGHT << 20 <= values.get(other, 0) < value
        ]
        whose = f"Seat {seat}'s" if seat != DEALER else "The dealer's"
        says = f"{whose} hand, the highest so far, was collected before Cover All was settled."
        parts = {"seat": seat or None, "wager": "cover_all", "evidence": [first, *lower]}
        yield from raised(told, EARLY, ("cover_all", "higher") if lower else "cover_all", gone, says, **parts)


def _open(told: RoundInPlay, seat: int, at: Fact) -> bool:
    """Whether a hand was open at this fact."""
    went = course(told)
    taken = went.collected.get(seat)
    return before(went.shown[seat], at) and not (taken and before(taken[0], at))
