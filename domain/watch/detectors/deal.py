"""The deal: its order, skipped seats, seats without a wager, cards face up, and wrong counts.

This module raises nothing on hands that the table itself treated as irregular: declared void, completed after a short
deal, or in a round called off. Other detectors check how those were handled.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from domain.facts.deal import CardDealt, StackDelivered
from domain.facts.decisions import DecisionMade
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected, WagerCollected
from domain.spoken import number_of
from domain.table.round import RoundInPlay
from domain.table.spots import BOX_CARDS
from domain.watch.dealing import (
    AFTER_DECISIONS,
    STACKS,
    Deal,
    Order,
    Place,
    Served,
    deal,
    due,
    lies,
    place_name,
    seats_noticed,
    start_of,
)
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import raised

_STACKED = {
    "automated-shoe seat first": "UTH-MA 9(c) s1; PIK 39.9(c)/s1; COL 9(c)/s1",
    "automated-shoe seat rest": "UTH-MA 9(c) s2; PIK 39.9(c)/s2; COL 9(c)/s2",
    "automated-shoe at-deal": "UTH-MD 10.B(3)",
    "automated-shoe after-decisions": "UTH-MD 10.B(4)",
}
_BY_PASS = {
    "manual-shoe seat 1": "UTH-MA 7(d)(1); COL 7(c)(1)",
    "manual-shoe dealer 1": "UTH-MA 7(d)(2)",
    "manual-shoe community 1": "COL 7(c)(2)",
    "manual-shoe seat 2": "UTH-MA 7(d)(3); COL 7(c)(3)",
    "manual-shoe dealer 2": "UTH-MA 7(d)(4)",
    "manual-shoe community 2": "COL 7(c)(4)",
    "manual-shoe seat 3": "COL 7(c)(5)",
    "manual-shoe community 3": "COL 7(c)(6)",
    "hand seat 1": "UTH-MA 8(c)(1); COL 8(c)(1)",
    "hand dealer 1": "UTH-MA 8(c)(2)",
    "hand community 1": "COL 8(c)(2)",
    "hand seat 2": "UTH-MA 8(c)(3); COL 8(c)(3)",
    "hand dealer 2": "UTH-MA 8(c)(4)",
    "hand community 2": "COL 8(c)(4)",
    "hand seat 3": "COL 8(c)(5)",
    "hand community 3": "COL 8(c)(6)",
}
OUT_OF_ORDER = law(
    "deal-out-of-order",
    {
        **_BY_PASS,
        **_STACKED,
        "manual-shoe": "UTH-MA 7(d); UTH-MD 8.D(2); PIK 39.7(c)/s1; COL 7(c)/s2",
        "hand": "UTH-MA 8(c); UTH-MD 9.B(2); PIK 39.8(c)/s1; COL 8(c)/s2",
        "automated-shoe dealer at-deal": "UTH-MA 9(c) s3; PIK 39.9(c)/s2; PIK 39.9(c)1",
        "automated-shoe dealer after-decisions": "PIK 39.9(c)/s2; PIK 39.9(c)2",
        "automated-shoe community": "UTH-MD 10.B(2); COL 9(c)/s3-last",
        "automated-shoe box": "UTH-MD 10.B(1)",
        "first": "FAH (a)(1)(iii); FAH (g)(3)/s2",
        "pass 1": "FAH (g)(3)/s2",
        "pass": "FAH (g)(3)/s3",
    },
)
_SEATS = {
    **_STACKED,
    "manual-shoe": "UTH-MA 7(d)(1); UTH-MA 7(d)(3); UTH-MD 8.D(2); PIK 39.7(c)/s1; PIK 39.7(c)/s1-count;"
    " FAH (g)(3)/s2; COL 7(c)(1); COL 7(c)(3); COL 7(c)(5)",
    "continuous-shoe": "FAH (g)(3)/s2",
    "hand": "UTH-MA 8(c)(1); UTH-MA 8(c)(3); UTH-MD 9.B(2); PIK 39.8(c)/s1; COL 8(c)(1); COL 8(c)(3); COL 8(c)(5)",
}
SKIPPED = law("seat-skipped", _SEATS)
UNWAGERED = law("seat-dealt-unwagered", _SEATS)
COUNT = law(
    "card-count-wrong",
    {
        "manual-shoe seat": "PIK 39.7(c)/s1-count; FAH (g)(3)/s3",
        "manual-shoe dealer": "PIK 39.7(c)/s1-count; FAH (g)(3)/s3",
        "continuous-shoe seat": "FAH (g)(3)/s3",
        "continuous-shoe dealer": "FAH (g)(3)/s3",
        "automated-shoe seat": "UTH-MA 9(a); PIK 39.9(a); COL 9(a)",
        "automated-shoe dealer": "UTH-MA 9(a); PIK 39.9(a)",
        "automated-shoe community": 'COL 9(a); COL 1 "Community card"',
        "manual-shoe community": 'COL 1 "Community card"',
        "hand community": 'COL 1 "Community card"',
        "electronic dealer": "UTH-MD 11.L(1)",
    },
)
FACE_UP = law(
    "card-dealt-face-up",
    {
        **_BY_PASS,
        **_STACKED,
        "manual-shoe": "UTH-MD 8.D(2); PIK 39.7(c)/s2; FAH (g)(3)/s1-face",
        "continuous-shoe": "FAH (g)(3)/s1-face",
        "hand": "UTH-MD 9.B(2); PIK 39.8(b)3/s2; PIK 39.8(c)/s2; COL 8(c)/s1",
        "automated-shoe dealer at-deal": "UTH-MA 9(c) s3; PIK 39.9(c)/s2",
        "automated-shoe dealer after-decisions": "PIK 39.9(c)/s2",
        "automated-shoe community": "UTH-MD 10.B(2); COL 9(c)/s3-last",
        "community": 'COL 1 "Community card"',
    },
)


@judge(OUT_OF_ORDER, SKIPPED, UNWAGERED, COUNT, needs=(CardDealt,))
def cards_in_turn(told: RoundInPlay) -> Found:
    """Check a deal of single cards: each goes to the place that is next."""
    dealt = deal(told)
    if dealt.method != STACKS and dealt.order.places != tuple(dealt.places) and not dealt.noticed:
        yield from _wrong(told, dealt)


@judge(OUT_OF_ORDER, SKIPPED, UNWAGERED, COUNT, needs=(StackDelivered,))
def stacks_in_turn(told: RoundInPlay) -> Found:
    """Check a deal of whole hands in stacks: each goes to the place that is next."""
    dealt = deal(told)
    if dealt.method != STACKS or dealt.noticed:
        return
    whole = all(_size(told, fact) == _wanted(told, (fact.to, fact.seat)) for fact in dealt.served)
    if not whole or dealt.order.places != tuple(dealt.places):
        yield from _wrong(told, dealt)
    if dealt.how.delivery == AFTER_DECISIONS:
        yield from _stack_early(told, dealt)


@judge(FACE_UP)
def face_down(told: RoundInPlay) -> Found:
    """Check that every hand is dealt face down."""
    dealt = deal(told)
    if dealt.noticed:
        return
    for fact in dealt.face_up:
        keys = (_key(told, dealt, fact), dealt.method, fact.to)
        what = "A stack" if isinstance(fact, StackDelivered) else "A card"
        says = f"{what} for {place_name((fact.to, fact.seat))} was dealt face up."
        yield from raised(told, FACE_UP, keys, fact, says, seat=fact.seat)


def _wrong(told: RoundInPlay, dealt: Deal) -> Found:
    """Report each fault of a deal that is not as prescribed."""
    apart = seats_noticed(told)
    served = [fact for fact in dealt.served if fact.to != "seat" or fact.seat not in apart]
    got = {fact.seat for fact in served if fact.to == "seat" and fact.seat is not None}
    if dealt.seats_known:
        yield from _unwagered(told, dealt, served, got)
        if told.over:
            yield from _skipped(told, dealt, served, got | apart)
    if not got:
        return
    how = dealt.how._replace(start=start_of(told, served))
    order = due(told.game, dealt.method, tuple(sorted(got)), how)
    miscounted = set()
    for place in dict.fromkeys(order.places):
        brought = [fact for fact in served if (fact.to, fact.seat) == place]
        have, wanted = sum(_size(told, fact) for fact in brought), _wanted(told, place)
        if dealt.method == STACKS:  # single cards may complete a short stack (UTH-MA 15(d) s2)
            have += sum((card.to, card.seat) == place for card in told.of(CardDealt))
        key = _count_key(told, dealt, place)
        if have == wanted or not COUNT.cites(told.book, key) or (have < wanted and _may_be_made_good(told)):
            continue
        miscounted.add(place)
        says = f"{_capital(place)} received {number_of(have, 'card')}, but the game deals {wanted}."
        yield from raised(told, COUNT, key, (brought or served)[-1], says, seat=place[1])
    yield from _order(told, dealt, order, served, miscounted)


def _may_be_made_good(told: RoundInPlay) -> bool:
    """Whether a missing card may still come, or may have come unrecorded."""
    return not told.over or "card-dealt" in told.unrecorded


def _unwagered(told: RoundInPlay, dealt: Deal, served: Iterable[Served], got: Iterable[int]) -> Found:
    for seat in sorted(got):
        spot = told.seats[seat]
        if any(lies(spot, wager) for wager in told.game.required):
            continue
        fact = next(fact for fact in served if fact.seat == seat)
        says = f"Seat {seat} was dealt in without the required wagers."
        yield from raised(told, UNWAGERED, _seat_key(told, dealt, seat, min(got)), fact, says, seat=seat)


def _skipped(told: RoundInPlay, dealt: Deal, served: Sequence[Served], got: set[int]) -> Found:
    for seat in dealt.seats:
        if seat in got or _taken_back(told, seat, served):
            continue
        trigger: Fact = served[0] if served else told.seats[seat].wagers[told.game.required[0]].placed[0]
        says = f"Seat {seat} had placed the required wagers but received no cards."
        yield from raised(told, SKIPPED, _seat_key(told, dealt, seat, min(dealt.seats)), trigger, says, seat=seat)


def _taken_back(told: RoundInPlay, seat: int, served: Sequence[Served]) -> bool:
    """Whether the seat took its wagers back before the first card was dealt, and so took no part."""
    moves = [move for wagered in told.seats[seat].wagers.values() for move in wagered.moves]
    return bool(served) and any(move.sequence < served[0].sequence for move in moves)


def _seat_key(told: RoundInPlay, dealt: Deal, seat: int, first: int) -> str:
    if dealt.method != STACKS:
        return dealt.method
    which = dealt.how.delivery if told.game.stacks_board_first else "seat first" if seat == first else "seat rest"
    return f"{dealt.method} {which}"


def _order(told: RoundInPlay, dealt: Deal, order: Order, served: Sequence[Served], miscounted: set[Place]) -> Found:
    """Report the first card or stack that went to another place than the next one."""
    turns = [(place, key) for place, key in zip(order.places, order.keys, strict=True) if place not in miscounted]
    facts = [fact for fact in served if (fact.to, fact.seat) not in miscounted]
    for turn, fact in zip_longest(turns, facts):
        if turn is not None and fact is not None and turn[0] == (fact.to, fact.seat):
            continue
        keys = [dealt.method, turn[1] if turn else "", _key(told, dealt, fact) if fact else ""]
        if fact is None:
            if not told.over:
                return
            says = f"The deal ended although {_was(place_name(turn[0]))} next to be served."
        elif turn is None:
            says = f"{_was(_capital((fact.to, fact.seat)))} served although the deal was complete."
        else:
            says = f"{_was(_capital((fact.to, fact.seat)))} served although {_was(place_name(turn[0]))} next."
        seat = turn[0][1] if turn else fact.seat
        yield from raised(told, OUT_OF_ORDER, filter(None, keys), fact or served[-1], says, seat=seat)
        return


def _was(place: str) -> str:
    return f"{place} {'were' if place.endswith('cards') else 'was'}"


def _stack_early(told: RoundInPlay, dealt: Deal) -> Found:
    """Report a dealer's stack delivered before every decision or, at Pik-it, before folded hands were collected."""
    stack = next((fact for fact in dealt.served if fact.to == "dealer"), None)
    if stack is None:
        return
    before: list[Fact] = list(told.of(DecisionMade))
    if told.game.pik_it:
        folded = {fact.seat for fact in told.of(DecisionMade) if fact.decision == "fold"}
        before += [fact for fact in told.of(HandsCollected) if fact.seat in folded]
        before += [fact for fact in told.of(WagerCollected) if fact.seat in folded and fact.wager == "ante"]
    late = [fact for fact in before if fact.sequence > stack.sequence]
    if late:
        keys = [f"{STACKS} {AFTER_DECISIONS}", f"{STACKS} dealer {AFTER_DECISIONS}"]
        says = "The dealer's stack was delivered before every player had acted and the folded hands were collected."
        yield from raised(told, OUT_OF_ORDER, keys, stack, says, evidence=late[:1])


def _key(told: RoundInPlay, dealt: Deal, fact: Served) -> str:
    """Return the key of the clauses for this card or stack, by its place and pass."""
    place = (fact.to, fact.seat)
    if dealt.method == STACKS:
        if fact.to == "seat" and not told.game.stacks_board_first:
            first = min(each.seat or 0 for each in dealt.served if each.to == "seat")
            return f"{STACKS} {'seat first' if fact.seat == first else 'seat rest'}"
        return next((key for due_to, key in zip(*dealt.order, strict=True) if due_to == place), "")
    number = sum((each.to, each.seat) == place and each.sequence <= fact.sequence for each in dealt.served)
    if told.game.fast_action:
        return "first" if fact is dealt.served[0] else "pass 1" if number == 1 else "pass"
    return f"{dealt.method} {fact.to} {min(number, told.game.cards[0])}"


def _count_key(told: RoundInPlay, dealt: Deal, place: Place) -> str:
    if told.game.stacks_board_first:
        return f"electronic {place[0]}" if told.house["electronic_table"] else ""
    return f"{dealt.method} {place[0]}"


def _wanted(told: RoundInPlay, place: Place) -> int:
    each, dealer, community = told.game.cards
    return {"seat": each, "dealer": dealer, "community": community}.get(place[0], BOX_CARDS)


def _size(told: RoundInPlay, fact: Served) -> int:
    """Return the number of cards it brought; an uncounted stack is assumed to have the right size."""
    if isinstance(fact, CardDealt):
        return 1
    return fact.size if fact.size is not None else len(fact.cards) or _wanted(told, (fact.to, fact.seat))


def _capital(place: Place) -> str:
    name = place_name(place)
    return name[0].upper() + name[1:]
