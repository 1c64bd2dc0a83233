"""The order of settlement: from the dealer's right, one player at a time, one wager after another."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from domain.facts.decisions import CardsSelected, DecisionAsked, DecisionMade, HandRevealed
from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected
from domain.hands.standard import PAIR, category
from domain.spoken import name_of_wager
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found, judge
from domain.watch.laws import Law, law
from domain.watch.round_order import MAIN, course, raised
from domain.watch.values import DEALER, dealer_holds_a_natural, hand_of

ORDER = law(
    "settlement-out-of-order",
    {
        "dealer below a pair": "UTH-MA 10(g); UTH-MD 11.H(1)",
        "dealer plays": "UTH-MA 10(h) s1; UTH-MD 11.H(2)",
        "trips": "UTH-MA 10(h)(4) s1; UTH-MD 11.I(1)",
        "six_card": "UTH-MD 11.I(3)",
        "progressive": "UTH-MA 14(c); UTH-MD 11.J",
        "selection": "PIK 39.10(b)/s1",
        "hand by hand": "PIK 39.10(c)",
        "dealer natural": "FAH (h)(8)/s1",
        "required, turned up": "COL 10(d)",
        "required, settled": "COL 10(d)(2)",
        "permissible, turned up": "COL 11(d)",
        "permissible, settled": "COL 11(d)(2)",
    },
)
_AFTER = {"trips": MAIN, "six_card": (*MAIN, "trips"), "progressive": (*MAIN, "trips", "six_card")}


def turns(moves: Iterable[Fact]) -> list[Fact]:
    """Return the first fact of each seat, in stream order."""
    first: dict[int, Fact] = {}
    for move in moves:
        seat = seat_of(move)
        if seat not in first:
            first[seat] = move
    return list(first.values())


def seat_of(fact: Fact) -> int:
    """Return the seat of a fact, or 0 if it names none."""
    seat: int = getattr(fact, "seat", None) or 0
    return seat


def from_the_right(told: RoundInPlay, law_: Law, key: str, taken: Sequence[Fact], what: str) -> Found:
    """Report each seat whose turn came before a seat farther to the dealer's right."""
    for earlier, later in pairwise(taken):
        if seat_of(later) > seat_of(earlier):
            says = (
                f"Seat {seat_of(later)} was {what} after seat {seat_of(earlier)}, "
                "but the order is counterclockwise from the far right."
            )
            yield from raised(told, law_, key, later, says, seat=seat_of(later), evidence=[earlier])


@judge(ORDER, games=("ultimate",))
def players_from_the_right(told: RoundInPlay) -> Found:
    """Check that Ultimate's players with a play wager are settled counterclockwise from the dealer's right."""
    if told.voided:
        return
    went = course(told)
    taken = [move for seat, move in went.compared.items() if seat in went.playing]
    if len(taken) < 2:
        return
    dealer = hand_of(told, DEALER)
    below = dealer is not None and category(dealer.value) < PAIR
    yield from from_the_right(told, ORDER, "dealer below a pair" if below else "dealer plays", taken, "settled")


@judge(ORDER, games=("ultimate",))
def wager_after_wager(told: RoundInPlay) -> Found:
    """Check that a player's trips is settled after ante, blind and play, then the six card bonus and progressive."""
    if told.voided:
        return
    went = course(told)
    for seat in went.playing:
        for wager, earlier in _AFTER.items():
            first = went.first.get((seat, wager))
            if first is None:
                continue
            late = went.last_of(seat, earlier)
            if late is not None and late.sequence > first.sequence:
                says = f"Seat {seat}'s {name_of_wager(wager)} was settled before its {name_of_wager(late.wager)}."
                basis = "reading" if wager == "progressive" else "certain"
                parts = {"seat": seat, "wager": wager, "evidence": [late], "basis": basis}
                yield from raised(told, ORDER, wager, first, says, **parts)


@judge(ORDER, games=("pik-it",))
def selections_from_the_right(told: RoundInPlay) -> Found:
    """Check that players with a 3 card bonus are asked for their three cards from the dealer's right."""
    taken = turns(told.of(CardsSelected))
    yield from from_the_right(told, ORDER, "selection", taken, "asked for its three cards")


@judge(ORDER, games=("pik-it",))
def hands_opened_one_by_one(told: RoundInPlay) -> Found:
    """Check that Pik-it's hands are opened, their 5 card bonus settled and players asked one by one from the right."""
    if told.voided:
        return
    opened = [fact for fact in told.of(HandRevealed) if fact.seat is not None]
    steps: list[Fact] = list(turns(opened))
    steps += [move for move in course(told).moves if move.wager == "bonus5"]
    steps += told.of(DecisionAsked) or told.of(DecisionMade)
    steps.sort(key=lambda fact: fact.sequence)
    yield from from_the_right(told, ORDER, "hand by hand", turns(steps), "given its turn")
    done: set[int] = set()
    current: Fact | None = None
    for step in steps:
        if current is not None and seat_of(step) != seat_of(current):
            done.add(seat_of(current))
            if seat_of(step) in done:
                says = f"Seat {seat_of(step)}'s turn continued after seat {seat_of(current)}'s had begun."
                yield from raised(told, ORDER, "hand by hand", step, says, seat=seat_of(step), evidence=[current])
        current = step


@judge(ORDER, games=("fast-action",))
def a_dealers_natural_takes_from_the_right(told: RoundInPlay) -> Found:
    """Check that after a dealer's natural, wagers are collected counterclockwise from the dealer's right."""
    if told.voided or not dealer_holds_a_natural(told):
        return
    opened = course(told).shown.get(DEALER)
    taken = [
        move
        for move in course(told).moves
        if opened is not None and move.sequence > opened.sequence and isinstance(move, WagerCollected)
    ]
    yield from from_the_right(told, ORDER, "dealer natural", turns(taken), "collected")


@judge(ORDER, games=("colorado",))
def colorado_from_the_right(told: RoundInPlay) -> Found:
    """Check that Colorado's hands are turned up and settled counterclockwise from the dealer's right."""
    if told.voided:
        return
    playing = {spot.seat for spot in course(told).wagering if spot.choice == "play"} - course(told).apart
    version = told.house["version"]
    opened = [fact for fact in told.of(HandRevealed) if fact.seat in playing]
    yield from from_the_right(told, ORDER, f"{version}, turned up", turns(opened), "turned up")
    settled = [move for move in course(told).moves if move.seat in playing]
    yield from from_the_right(told, ORDER, f"{version}, settled", turns(settled), "settled")
