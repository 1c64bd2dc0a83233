"""The time of settlement: a bonus before the decision, a natural before the dealer's reveal, Cover All last."""

from domain.facts.deal import CommunityRevealed
from domain.facts.decisions import HandRevealed
from domain.facts.envelope import Fact
from domain.facts.payments import WagerPaid
from domain.spoken import name_of_wager
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import Move, before, course, next_of, raised
from domain.watch.values import DEALER

MISTIMED = law(
    "settlement-mistimed",
    {
        "cover_all": "UTH-MA 13(j)",
        "bonus3": "PIK 39.10(b)/s3",
        "bonus5": "PIK 39.10(c)2",
        "natural": "FAH (h)(2)/s2",
        "required": "COL 10(b)(3)(i)/s4",
        "permissible": "COL 11(b)(2)(i)/s4",
    },
)


@judge(MISTIMED, keys=("cover_all",))
def cover_all_comes_last(told: RoundInPlay) -> Found:
    """Check that Cover All is reconciled after every other wager of every player."""
    if told.voided:
        return
    went = course(told)
    others = [move for move in went.moves if move.wager != "cover_all" and move.seat not in went.apart]
    last = others[-1] if others else None
    for (seat, wager), first in went.first.items():
        if wager == "cover_all" and last is not None and before(first, last) and seat not in went.apart:
            says = f"Seat {seat}'s Cover All was settled before seat {last.seat}'s {name_of_wager(last.wager)}."
            yield from raised(told, MISTIMED, wager, first, says, seat=seat, wager=wager, evidence=[last])


@judge(MISTIMED, games=("pik-it",))
def pikit_bonuses_come_first(told: RoundInPlay) -> Found:
    """Check that 3 card bonuses are settled before the first hand opens, and a 5 card bonus before its decision."""
    if told.voided:
        return
    went = course(told)
    opened = next((fact for fact in told.of(HandRevealed) if fact.seat is not None), None)
    for (seat, wager), first in went.first.items():
        if seat in went.apart:
            continue
        if wager == "bonus3" and before(opened, first):
            says = f"Seat {seat}'s 3 card bonus was settled after the first five-card hand had been opened."
            yield from _late(told, "bonus3", first, opened, says)
        elif wager == "bonus5" and before(went.decided.get(seat), first):
            says = f"Seat {seat}'s 5 card bonus was settled after its player had decided."
            yield from _late(told, "bonus5", first, went.decided[seat], says)


def _late(told: RoundInPlay, key: str, first: Move, after: Fact | None, says: str) -> Found:
    evidence = [after] if after is not None else []
    yield from raised(told, MISTIMED, key, first, says, seat=first.seat, wager=first.wager, evidence=evidence)


@judge(MISTIMED, games=("fast-action",))
def natural_is_paid_at_once(told: RoundInPlay) -> Found:
    """Check that a player's natural is paid before the dealer's reveal, so that a dealer's natural cannot undo it."""
    if told.voided:
        return
    went = course(told)
    for spot in course(told).wagering:
        first = went.first.get((spot.seat, "original"))
        if spot.choice == "natural" and isinstance(first, WagerPaid) and before(went.shown.get(DEALER), first):
            says = f"Seat {spot.seat}'s natural was paid after the dealer's cards had been opened."
            yield from _late(told, "natural", first, went.shown[DEALER], says)


@judge(MISTIMED, games=("colorado",))
def instant_winner_is_paid_at_once(told: RoundInPlay) -> Found:
    """Check that a declared instant winner is settled before the community cards are turned up."""
    if told.voided:
        return
    went = course(told)
    for spot in course(told).wagering:
        first = went.first.get((spot.seat, "ante"))
        if spot.choice != "declare" or first is None:
            continue
        opened = next_of(told.of(CommunityRevealed), went.decided[spot.seat])
        if before(opened, first):
            says = f"Seat {spot.seat}'s instant winner was settled after the community cards had been opened."
            yield from _late(told, told.house["version"], first, opened, says)
