"""Collected cards: not while a wager still depends on them, all of them on time, hand by hand in order."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from domain.facts.deal import CommunityRevealed
from domain.facts.decisions import DecisionAsked, DecisionMade, HandRevealed
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected
from domain.hands.standard import STRAIGHT, category
from domain.table.played import lay
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import MAIN, Course, before, course, next_of, raised
from domain.watch.values import DEALER, dealer_holds_a_natural, hand_of

NOT_COLLECTED = law(
    "cards-not-collected",
    {
        "folded": "UTH-MA 10(e)(2)(ii); UTH-MD 11.F(3)(b); UTH-MD 11.F(3)(d); PIK 39.10(c)4",
        "required, folded": "COL 10(b)(2)/s3",
        "settled": "UTH-MA 10(h) s3; UTH-MD 11.K",
        "procedure 1": "PIK 39.10(e)1iv",
        "procedure 2": "PIK 39.10(e)2iii",
        "natural": "FAH (h)(2)/s2",
        "dealer natural": "FAH (h)(8)/s3",
        "lost": "FAH (h)(11)/s2",
        "won": "FAH (h)(12)/s2",
        "required, declared": "COL 10(b)(3)(i)/s4",
        "permissible, declared": "COL 11(b)(2)(i)/s4",
        "required, lost": "COL 10(e)/s3",
        "permissible, lost": "COL 11(e)/s3",
        "required, pushed": "COL 10(f)/s2",
        "permissible, pushed": "COL 11(f)/s2",
        "required, won": "COL 10(g)/s2",
        "permissible, won": "COL 11(h)",
    },
)
OUT_OF_ORDER = law(
    "collection-out-of-order",
    {
        "": "UTH-MA 10(i); UTH-MD 11.K; PIK 39.10(g)",
        "dealer": "PIK 39.10(e)/s3",
        "required": "COL 10(h)",
        "permissible": "COL 11(i)",
    },
)
_COL_WAGERS = ("ante", "bet", "bonus")


def _late(told: RoundInPlay, key: str, seat: int, deadline: Fact | None, says: str) -> Found:
    """Report a hand that was not collected before its deadline."""
    taken = course(told).collected.get(seat)
    if deadline is not None and not (taken and before(taken[0], deadline)):
        named = seat if seat != DEALER else None
        yield from raised(told, NOT_COLLECTED, key, deadline, says, seat=named, evidence=taken or ())


@judge(NOT_COLLECTED, needs=(HandsCollected,), games=("ultimate", "pik-it", "colorado"))
def folded_hands_go_at_once(told: RoundInPlay) -> Found:
    """Check that a folded hand is collected before the next player's turn, unless a wager keeps it on the table."""
    if told.voided:
        return
    went = course(told)
    for spot in course(told).wagering:
        made = went.decided.get(spot.seat)
        if spot.choice != "fold" or made is None or spot.seat in went.apart or _kept_by(told, spot):
            continue
        if told.game.colorado:
            deadline: Fact | None = _board_after(told, made)
            key = f"{told.house['version']}, folded"
        else:
            deadline, key = _next_turn(told, made), "folded"
        yield from _late(told, key, spot.seat, deadline, f"Seat {spot.seat}'s folded hand was not collected at once.")


def _board_after(told: RoundInPlay, made: DecisionMade) -> Fact | None:
    """Return the community cards shown after a decision, or else the end of the round."""
    return next_of(told.of(CommunityRevealed), made) or course(told).ends


def _kept_by(told: RoundInPlay, spot: Spot) -> list[str]:
    """Return the wagers that keep a folded hand on the table, or might if nobody saw them."""
    keeps = told.game.kept_open_by
    unseen = [wager for wager in keeps if _may_lie_unseen(told, wager)]
    return unseen or [wager for wager in keeps if wager in spot.wagers and lay(told, spot.wagers[wager])]


def _may_lie_unseen(told: RoundInPlay, wager: str) -> bool:
    return wager in told.unseen_wagers or "wager-placed" in told.unrecorded


def _next_turn(told: RoundInPlay, made: DecisionMade) -> Fact | None:
    """Return the next player's turn after a decision, or else the dealer's reveal, or else the end."""
    went = course(told)
    turns: list[Fact | None] = [went.shown.get(DEALER)]
    for facts in (told.of(DecisionAsked), told.of(DecisionMade), told.of(HandRevealed)):
        later = next_of(facts, made)
        while later is not None and later.seat == made.seat:  # type: ignore[attr-defined]
            later = next_of(facts, later)
        turns.append(later)
    later_turns = [turn for turn in turns if turn is not None and turn.sequence > made.sequence]
    return min(later_turns, key=lambda fact: fact.sequence, default=went.ends)


@judge(NOT_COLLECTED, needs=(HandsCollected,), games=("UTH-MA", "pik-it"))
def settled_hands_go(told: RoundInPlay) -> Found:
    """Check that settled hands are collected by the end, or before the next is settled if the rule says so."""
    if told.voided:
        return
    went, seats = course(told), course(told).playing
    procedure = told.house.options.get("settlement_procedure")
    one_by_one = procedure in (None, 2)
    key = "settled" if procedure is None else f"procedure {procedure}"
    order = _in_order_of_settlement(went, seats)
    following = dict(pairwise(order))
    for seat in order:
        deadline: Fact | None = went.ends
        if one_by_one and seat in following and not _may_stay(told, seat):
            deadline = went.compared.get(following[seat])
        yield from _late(told, key, seat, deadline, f"Seat {seat}'s hand was not collected when it was settled.")


def _in_order_of_settlement(went: Course, seats: Sequence[int]) -> list[int]:
    first = {seat: move.sequence for seat in seats if (move := went.compared.get(seat)) is not None}
    return sorted(first, key=lambda seat: first[seat])


def _may_stay(told: RoundInPlay, seat: int) -> bool:
    """Whether a straight or better may stay until Cover All is reconciled (UTH-MA 13(h)a)."""
    if "cover_all" not in told.game.placed or not _covered(told):
        return False
    hand = hand_of(told, seat)
    return hand is None or category(hand.value) >= STRAIGHT


def _covered(told: RoundInPlay) -> bool:
    if _may_lie_unseen(told, "cover_all"):
        return bool(told.house["cover_all"])
    return any("cover_all" in spot.wagers for spot in course(told).wagering)


@judge(NOT_COLLECTED, needs=(HandsCollected,), games=("UTH-MD",))
def nothing_is_left_in_maryland(told: RoundInPlay) -> Found:
    """Check that in Maryland all cards are in the rack by the end of the round."""
    if told.voided:
        return
    went = course(told)
    for spot in course(told).wagering:
        if spot.dealt and spot.seat not in went.apart and spot.seat not in went.collected:
            says = f"Seat {spot.seat}'s cards were still on the table when the round was completed."
            yield from _late(told, "settled", spot.seat, went.ends, says)
    if told.dealer.dealt and DEALER not in went.collected:
        says = "The dealer's cards were still on the table when the round was completed."
        yield from _late(told, "settled", DEALER, went.ends, says)


@judge(NOT_COLLECTED, needs=(HandsCollected,), games=("fast-action",))
def fast_action_hands_go(told: RoundInPlay) -> Found:
    """Check that a natural is collected before the dealer's reveal, and every other hand by the end of the round."""
    if told.voided:
        return
    went = course(told)
    taken_all = dealer_holds_a_natural(told)
    for spot in course(told).wagering:
        if spot.seat in went.apart:
            continue
        says = f"Seat {spot.seat}'s cards were not collected when its wager was settled."
        if spot.choice == "natural":
            yield from _late(told, "natural", spot.seat, went.shown.get(DEALER, went.ends), says)
        elif spot.choice in ("set", "split"):
            key = "dealer natural" if taken_all else "won" if _outcome(spot) == "won" else "lost"
            yield from _late(told, key, spot.seat, went.ends, says)
    if taken_all:
        says = "The dealer's natural was still on the table when the round was completed."
        yield from _late(told, "dealer natural", DEALER, went.ends, says)


def _outcome(spot: Spot) -> str:
    """Return whether a hand was paid, taken or left, by its main wagers."""
    main = [wagered for name, wagered in spot.wagers.items() if name != "bonus"]
    if any(wagered.paid_cents for wagered in main):
        return "won"
    return "lost" if any(wagered.collected_cents for wagered in main) else "pushed"


@judge(NOT_COLLECTED, needs=(HandsCollected,), games=("colorado",))
def colorado_hands_go(told: RoundInPlay) -> Found:
    """Check that a declared hand is collected before the board opens, a push at once, and all others by the end."""
    if told.voided:
        return
    went, version = course(told), told.house["version"]
    playing = [spot for spot in course(told).wagering if spot.choice == "play" and spot.seat not in went.apart]
    for spot in course(told).wagering:
        if spot.choice == "declare" and spot.seat not in went.apart:
            deadline = _board_after(told, went.decided[spot.seat])
            says = f"Seat {spot.seat}'s declared hand was still on the table when the community cards were opened."
            yield from _late(told, f"{version}, declared", spot.seat, deadline, says)
    for spot in playing:
        outcome = _outcome(spot)
        last = went.last_of(spot.seat, _COL_WAGERS)
        deadline = went.ends
        if outcome == "pushed" and last is not None:
            others = [move for move in went.moves if move.seat != spot.seat and move.sequence > last.sequence]
            deadline = others[0] if others else went.ends
        says = f"Seat {spot.seat}'s cards were not collected when its wagers were settled."
        yield from _late(told, f"{version}, {outcome}", spot.seat, deadline, says)
    if playing and went.community_collected is None and went.ends is not None:
        says = "The community cards were not collected with the last hand."
        yield from raised(told, NOT_COLLECTED, f"{version}, won", went.ends, says)


@judge(OUT_OF_ORDER, games=("ultimate", "pik-it", "colorado"))
def picked_up_as_settled(told: RoundInPlay) -> Found:
    """Check that hands are picked up in the order of settlement, from the dealer's right."""
    if told.voided:
        return
    went = course(told)
    key = str(told.house["version"]) if told.game.colorado else ""
    for hands in _picked_up(told):
        for earlier, later in pairwise(sorted(hands, key=lambda fact: fact.sequence)):
            one, other = earlier.seat or 0, later.seat or 0
            if other > one and not _settled_so(told, went, one, other):
                says = f"Seat {other}'s cards were picked up after seat {one}'s, but the order is from the far right."
                yield from raised(told, OUT_OF_ORDER, key, later, says, seat=other, evidence=[earlier])


def _picked_up(told: RoundInPlay) -> Iterator[list[HandsCollected]]:
    """Return the compared hands; in Colorado, winners may be collected after the others."""
    went = course(told)
    if told.game.colorado:
        playing = [spot for spot in course(told).wagering if spot.choice == "play" and spot.seat not in went.apart]
        for won in (True, False):
            seats = [spot.seat for spot in playing if (_outcome(spot) == "won") is won]
            yield [went.collected[seat][0] for seat in seats if seat in went.collected]
        return
    seats = [seat for seat in course(told).playing if seat in went.collected and not _may_stay(told, seat)]
    yield [went.collected[seat][0] for seat in seats]


def _settled_so(told: RoundInPlay, went: Course, one: int, other: int) -> bool:
    """Whether these hands were also settled in this order, which then is the thing to review."""
    wagers = _COL_WAGERS if told.game.colorado else MAIN
    return before(went.first_of(one, wagers), went.first_of(other, wagers))


@judge(OUT_OF_ORDER, games=("pik-it",))
def pikits_dealer_goes_last(told: RoundInPlay) -> Found:
    """Check that the cards of Pik-it's dealer go to the rack after all players' cards."""
    if told.voided:
        return
    went = course(told)
    dealers = went.collected.get(DEALER)
    for seat, taken in went.collected.items():
        if dealers and seat != DEALER and before(dealers[0], taken[-1]):
            says = f"The dealer's cards went to the rack before seat {seat}'s."
            yield from raised(told, OUT_OF_ORDER, "dealer", dealers[0], says, seat=seat, evidence=[taken[-1]])
            return
