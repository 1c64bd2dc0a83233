"""Void hands that were played on, hands voided without a cause, and trips that survive a void."""

from domain.cards import UNKNOWN
from domain.facts.deal import CardDrawnInError, CardExposed, CardFoundFaceUp
from domain.facts.decisions import DecisionMade
from domain.facts.envelope import Fact
from domain.facts.payments import HandVoided, RoundVoided, StubCounted
from domain.money import dollars
from domain.settlement.colorado import instant_winner
from domain.settlement.void import Effect, Void
from domain.spoken import listed, number_of
from domain.table.counts import deal_is_told
from domain.table.irregular import IrregularityCause
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.table.stubs import stub
from domain.watch.detecting import Found, judge
from domain.watch.finding import found
from domain.watch.laws import law
from domain.watch.money.situations import LAW, SITUATIONS, VOIDING, cited, rows_of
from domain.watch.money.voids import NO_CAUSE, NOT_VOIDED, voids
from domain.watch.money.why import SURVIVES
from domain.watch.owed import worked_out
from domain.watch.owed_vs_paid import SeatSums, in_all
from domain.watch.round_order import raised

# Other dealing methods count the stub under another clause, with the same consequences.
_BY_METHOD = {
    "hand": "UTH-MA 8(e) s2; PIK 39.8(e)/s2; COL 8(e)/s2",
    "automated-shoe": "UTH-MA 9(e) s2; PIK 39.9(e)/s2; COL 9(e)/s2",
}
NOT_VOID = law("round-not-voided", rows_of("round-not-voided", VOIDING) | _BY_METHOD)
HAND_PLAYED_ON = law("hand-not-voided", {"dealt": "UTH-MA 15(d) s1", "declared": "COL 14(d)"})
FOR_NOTHING = law(
    "round-voided-without-cause",
    {
        "card-face-up": "UTH-MA 15(b) s1; UTH-MD 13.A; PIK 38.12(a)/s1; FAH (i)(1); COL 14(a)/s1",
        "card-exposed": "FAH (i)(2)",
        "hand": "UTH-MA 15(d) s1",
        "dealer": "UTH-MA 15(d) s2",
        "nothing": SITUATIONS["any"],
    },
)
NOT_RETURNED, TRIPS = LAW["void-wager-not-returned"], LAW["void-trips-unsettled"]

_UNPLAYED = " The result of playing on is unknown."
_WORDS = {
    "card-face-up": "More than one card was found face up",
    "card-exposed": "A card of the dealer was seen before every player had decided",
    "wrong-count": "The wrong number of cards was dealt",
    "stub-count": "The stub count was wrong",
    "jam": "The device stopped",
    "card-drawn-in-error": "A card of the dealer was seen before every player had decided",
    "insufficient-cards": "The cards ran out",
}


@judge(NOT_VOID, NOT_RETURNED)
def void_rounds_are_voided(told: RoundInPlay) -> Found:
    """Check that a round is declared void if the text voids all its hands."""
    if voids(told).round != NOT_VOIDED:
        return
    made = worked_out(told)
    cause, effect = made.cause, made.effect
    if cause is None or not isinstance(effect, Void):
        return
    by_count = (told.method,) if cause.what.kind == "stub-count" else ()
    clauses = tuple(
        dict.fromkeys(name for key in (*made.void_by, *by_count) for name in NOT_VOID.cites(told.book, key))
    )
    chosen = NOT_VOID if clauses else NOT_RETURNED
    clauses = clauses or cited(NOT_RETURNED.code, told.book, made.void_by)
    sums = in_all(told)
    what = _WORDS.get(cause.what.kind, "Something went wrong")
    says = f"{what}, which voids all hands, but the round was played on.{_cost(sums)}"
    yield found(
        chosen,
        clauses,
        cause.shown_by,
        says,
        round=told.number,
        dealer=told.dealer_person,
        expected=sums.expected,
        observed=sums.observed,
        basis="reading" if effect.basis == "reading" else "certain",
    )


def _cost(sums: SeatSums) -> str:
    """Return the cost for each seat, since a sum can hide differences, or why it is unknown."""
    if sums.why:
        return f" The cost is unknown: {sums.why}."
    each = [
        f"seat {seat} got {dollars(abs(observed - expected))} too {'much' if observed > expected else 'little'}"
        for seat, (expected, observed) in sums.seats.items()
        if observed != expected
    ]
    waits = (
        " Only a ruling can decide wagers that were settled before or that the text leaves open."
        if sums.waiting
        else ""
    )
    if each:
        return f" Compared with returning every wager, {listed(each)}.{waits}"
    return waits or (" Every wager was returned anyway." if sums.seats else " No wager of it is on record.")


@judge(HAND_PLAYED_ON)
def void_hands_are_voided(told: RoundInPlay) -> Found:
    """Check that one hand is declared void if the text voids it alone, and that the others play on."""
    state = voids(told)
    for seat, how in state.hands.items():
        cause = state.causes.get(seat)
        if how != NOT_VOIDED or cause is None:
            continue
        sums = in_all(told, seat)
        dealt = f"{number_of(cause.what.dealt, 'card')} instead of {told.game.cards[0]}"
        says = f"Seat {seat} was dealt {dealt}, but its hand was played on.{_cost(sums)}"
        parts = {"seat": seat, "evidence": told.seats[seat].dealt, "expected": sums.expected, "observed": sums.observed}
        yield from raised(told, HAND_PLAYED_ON, "dealt", cause.shown_by, says, **parts)


@judge(HAND_PLAYED_ON, needs=(DecisionMade,), games=("colorado",))
def hands_declared_in_error_are_void(told: RoundInPlay) -> Found:
    """Check that a player who declares an instant winner without holding one is out of the round."""
    for made in told.of(DecisionMade):
        if made.decision != "declare":
            continue
        spot = told.seats[made.seat]
        on = _played_on(told, spot, made)
        cards = tuple(spot.cards)
        if on is None or len(set(cards)) != 3 or UNKNOWN in cards or len(cards) != 3:
            continue
        if instant_winner(cards, ace_low=told.house["instant_winner_ace_low"]):
            continue
        says = f"Seat {made.seat} declared an instant winner without holding one. Its hand is void but was played on."
        yield from raised(told, HAND_PLAYED_ON, "declared", on, says, seat=made.seat, evidence=[made, *spot.dealt])


def _played_on(told: RoundInPlay, spot: Spot, declared: DecisionMade) -> Fact | None:
    """Return the first fact that shows that the hand stayed in."""
    later: list[Fact] = [
        made for made in told.of(DecisionMade) if made.seat == spot.seat and made.sequence > declared.sequence
    ]
    bet = spot.wagers.get("bet")
    later += [fact for fact in (bet.placed if bet is not None else ()) if fact.sequence > declared.sequence]
    return min(later, key=lambda fact: fact.sequence, default=None)


@judge(FOR_NOTHING, needs=(CardExposed, CardFoundFaceUp, CardDrawnInError, StubCounted))
def voids_have_a_cause(told: RoundInPlay) -> Found:
    """Check that a hand or round is voided only for a cause that voids it."""
    state = voids(told)
    if state.round == NO_CAUSE and deal_is_told(told) and not _may_be_miscounted(told, told.of(RoundVoided)[0]):
        declared = told.of(RoundVoided)[0]
        key, why = _what_was_there(worked_out(told).causes)
        cites = FOR_NOTHING.cites(told.book, key) or FOR_NOTHING.cites(told.book, "nothing")
        says = f"Round {told.number} was declared void, but nothing on record voids it: {why}.{_UNPLAYED}"
        yield found(FOR_NOTHING, cites, declared, says, round=told.number, dealer=told.dealer_person)
    for seat, how in state.hands.items():
        if how != NO_CAUSE or not deal_is_told(told):
            continue
        hand = next(fact for fact in told.of(HandVoided) if fact.seat == seat)
        cites = FOR_NOTHING.cites(told.book, "hand") or FOR_NOTHING.cites(told.book, "nothing")
        says = f"Seat {seat}'s hand was declared void, but nothing on record voids it.{_UNPLAYED}"
        yield found(
            FOR_NOTHING,
            cites,
            hand,
            says,
            round=told.number,
            seat=seat,
            dealer=told.dealer_person,
            evidence=told.seats[seat].dealt if seat in told.seats else (),
        )


def _may_be_miscounted(told: RoundInPlay, void: RoundVoided) -> bool:
    """Whether the stub was counted before the void, and the right count is unknown."""
    found = stub(told)
    if found is None or found.determined is not None:
        return False
    return found.expected is None and found.counted.sequence < void.sequence


def _what_was_there(causes: tuple[tuple[IrregularityCause, Effect], ...]) -> tuple[str, str]:
    """Return what may have been mistaken for a cause: its key, and the words."""
    for cause, _ in causes:
        what = cause.what
        if what.kind == "card-face-up":
            return what.kind, "one card had been found face up, which only goes to the discard rack"
        if what.kind == "card-exposed" and what.of_seat is not None:
            return what.kind, f"a card of seat {what.of_seat} had been seen"
        if what.of_seat is not None:
            return (
                "hand",
                f"seat {what.of_seat} had been dealt {number_of(what.dealt, 'card')}, which voids that hand alone",
            )
    return "nothing", "no irregularity is on record"


@judge(TRIPS, needs=(RoundVoided,))
def boards_are_completed_for_trips(told: RoundInPlay) -> Found:
    """Check that the community cards are dealt for trips that survives void hands."""
    made = worked_out(told)
    if not told.voided or not told.over or "trips" not in getattr(made.effect, "keeps", {}):
        return
    if len(told.community.cards) >= told.game.cards[2] or not deal_is_told(told):
        return
    clauses = cited(TRIPS.code, told.book, (SURVIVES.get(made.settlement.void_clause, ""),))
    for spot in told.wagering:
        wagered = spot.wagers.get("trips")
        if wagered is None or not wagered.moves:
            continue
        says = (
            f"Seat {spot.seat}'s trips of {dollars(wagered.staked)} was settled before the community cards were dealt."
        )
        yield found(
            TRIPS,
            clauses,
            wagered.moves[0],
            says,
            round=told.number,
            seat=spot.seat,
            wager="trips",
            dealer=told.dealer_person,
            evidence=[*told.of(RoundVoided), *wagered.placed, *wagered.moves],
        )
