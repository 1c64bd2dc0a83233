"""The money of every wager: the amount handed back against the amount owed, with a finding for each difference."""

from domain.facts.decisions import DecisionMade
from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid, WagerReturned
from domain.money import dollars
from domain.settlement.outcome import READING
from domain.spoken import name_of_wager, the_wager
from domain.table.round import RoundInPlay
from domain.table.spots import Spot, Wagered
from domain.watch.detecting import Found, judge
from domain.watch.finding import found
from domain.watch.money.classified import classified, paid_as_instant_winner
from domain.watch.money.limits import Limited, beyond_limits, may_be_cut
from domain.watch.money.situations import LAW, cited
from domain.watch.money.voids import judged_as_a_whole
from domain.watch.money.why import why
from domain.watch.money.why_uth import TABLES
from domain.watch.money.words import says
from domain.watch.owed import worked_out
from domain.watch.owed_vs_paid import WeighedWager, weighed

_MOVES = (WagerPaid, WagerCollected, WagerReturned)
# The kind of movement that shows each fault; for the other codes, the first movement does.
_SHOWN_BY = {
    "winner-collected": WagerCollected,
    "loser-paid": WagerPaid,
    "wager-overpaid": WagerPaid,
    "wager-underpaid": WagerPaid,
    "paid-above-floor": WagerPaid,
    "wager-paid-twice": WagerPaid,
}


@judge(*LAW.values(), needs=_MOVES)
def every_wager_gets_what_it_is_owed(told: RoundInPlay) -> Found:
    """Check that each wager gets back the amount that the rule book gives it."""
    scale = weighed(told)
    if not scale.differing and not scale.unplaced:
        return
    made = worked_out(told)
    limited = beyond_limits(told)
    together = {id(item) for group in limited for item in group.items}
    for item in scale.differing:
        if id(item) in together or judged_as_a_whole(told, item.spot.seat) or may_be_cut(told, item):
            continue
        reason = why(told, made, item)
        wrong = classified(told, item, reason)
        if wrong is not None:
            own = cited(wrong.code, told.book, (item.outcome.clause,)) if told.book != told.game.text else ()
            clauses = own or cited(wrong.code, told.book, wrong.keys)
            yield from _raised(told, wrong.code, clauses, item, says(wrong.code, item, reason.because))
    for group in limited:
        yield from _over_limit(told, group)
    for spot, wagered in scale.unplaced:
        yield from _unplaced(told, spot, wagered)


def _raised(told: RoundInPlay, code: str, clauses: tuple[str, ...], item: WeighedWager, sentence: str) -> Found:
    trigger = shown_by(code, item)
    if not clauses or trigger is None:
        return
    yield found(
        LAW[code],
        clauses,
        trigger,
        sentence,
        round=told.number,
        seat=item.spot.seat,
        wager=item.wager,
        dealer=told.dealer_person,
        expected=item.expected,
        observed=item.handed.back if item.handed is not None else None,
        evidence=evidence(told, item),
        basis="reading" if item.outcome.basis == READING else "certain",
    )


def shown_by(code: str, item: WeighedWager) -> Fact | None:
    """Return the fact that shows the fault: the wrong movement, or the wager that was never settled."""
    wagered = item.wagered
    if wagered is None:  # an unpaid envy bonus: use the progressive wager behind it
        wagered = item.spot.wagers.get("progressive")
    if wagered is None:
        return None
    kind = _SHOWN_BY.get(code)
    moves = [move for move in wagered.moves if kind is None or isinstance(move, kind)]
    if moves and wagered is item.wagered:
        return moves[-1] if code == "wager-paid-twice" else moves[0]
    return wagered.placed[-1] if wagered.placed else next(iter(wagered.moves), None)


def evidence(told: RoundInPlay, item: WeighedWager) -> list[Fact]:
    """Return every fact about the wager and the cards it depends on."""
    facts: list[Fact] = []
    if item.wagered is not None:
        facts += [*item.wagered.placed, *item.wagered.moves]
    return [*facts, *item.spot.dealt, *told.dealer.dealt, *told.community.dealt]


def _over_limit(told: RoundInPlay, group: Limited) -> Found:
    """Check the sum of the wagers that a payout limit reduced."""
    if group.expected is None or group.observed is None or group.expected == group.observed:
        return
    code = "cap-exceeded" if group.observed > group.expected else "wager-underpaid"
    clauses = cited(code, told.book, (f"limit {group.clause}",))
    amounts = f"{dollars(group.observed)} instead of {dollars(group.expected)}"
    trigger = shown_by("wager-overpaid", group.items[-1])
    if not clauses or trigger is None:
        return
    yield found(
        LAW[code],
        clauses,
        trigger,
        f"Seat {group.spot.seat} received {amounts} in all on the wagers under the payout limit.",
        round=told.number,
        seat=group.spot.seat,
        dealer=told.dealer_person,
        expected=group.expected,
        observed=group.observed,
        evidence=[fact for item in group.items for fact in evidence(told, item)],
    )


def _unplaced(told: RoundInPlay, spot: Spot, wagered: Wagered) -> Found:
    """Report a payment or return on a wager that was never placed."""
    paid = wagered.paid_cents + wagered.returned_cents
    trigger = next((move for move in wagered.moves if not isinstance(move, WagerCollected)), None)
    code = "paid-without-wager"
    clauses = cited(code, told.book, _of_wager(told, wagered.wager)) or cited(code, told.book, _general(told))
    if trigger is None or not paid:
        return
    says_so = (
        f"Seat {spot.seat} was paid {dollars(paid)} on the {the_wager(wagered.wager)}, but had not placed that wager."
    )
    yield found(
        LAW["paid-without-wager"],
        clauses,
        trigger,
        says_so,
        round=told.number,
        seat=spot.seat,
        wager=wagered.wager,
        dealer=told.dealer_person,
        expected=0,
        observed=paid,
        evidence=wagered.moves,
    )


def _of_wager(told: RoundInPlay, wager: str) -> tuple[str, ...]:
    """Return the situations whose clauses say what this wager is paid."""
    if told.game.colorado:
        return (f"bonus won {told.house['version']}",) if wager == "bonus" else ()
    return (wager, f"{wager} won", f"{wager} {told.house.options.get(TABLES.get(wager, ''))}")


def _general(told: RoundInPlay) -> tuple[str, ...]:
    """Return the situations whose clauses say what a winning wager is paid; without a wager, nothing is paid."""
    if told.game.colorado:
        return (f"wins {told.house['version']}",)
    return {"pik-it": ("compared",), "fast-action": ("won at showdown",)}.get(told.game.kind, ("even money",))


UNDECLARED = LAW["instant-winner-undeclared-paid"]


@judge(UNDECLARED, needs=(WagerPaid, DecisionMade))
def instant_winners_are_declared(told: RoundInPlay) -> Found:
    """Check that three cards are paid as an instant winner only if the player declared them."""
    differing = {(item.spot.seat, item.wager): item for item in weighed(told).differing}
    for spot in told.wagering:
        for wagered in spot.wagers.values():
            if not paid_as_instant_winner(told, spot, wagered):
                continue
            item = differing.get((spot.seat, wagered.wager))
            if item is None and spot.choice:
                continue  # the amount paid is also what the hand wins
            clauses = cited(UNDECLARED.code, told.book, (f"undeclared {told.house['version']}",))
            trigger = next(move for move in wagered.moves if isinstance(move, WagerPaid))
            yield found(
                UNDECLARED,
                clauses,
                trigger,
                f"Seat {spot.seat}'s {name_of_wager(wagered.wager)} was paid {dollars(wagered.paid_cents)} "
                "as an instant winner that the player never declared.",
                round=told.number,
                seat=spot.seat,
                wager=wagered.wager,
                dealer=told.dealer_person,
                expected=item.expected if item is not None else None,
                observed=item.handed.back if item is not None and item.handed is not None else None,
                evidence=[*wagered.placed, *wagered.moves, *spot.dealt],
            )
