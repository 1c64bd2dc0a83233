"""The comparison of every wager in a round: the amount handed back against the amount owed, and the coverage."""

import msgspec

from domain.facts.devices import DeviceFailed
from domain.settlement.outcome import RULING, Outcome
from domain.settlement.void import CONTRADICTED
from domain.table.payouts import NO_STAKE, Handed, banked, handed
from domain.table.played import lay
from domain.table.round import RoundInPlay
from domain.table.spots import Spot, Wagered
from domain.watch.owed import CAUSE_UNKNOWN, FAILED, Owed, worked_out

MOVES = frozenset({"wager-paid", "wager-collected", "wager-returned"})

# The keys under which the coverage of a round is counted.
DECIDED = "decided"
BY_RULING = "open to a ruling"
NOT_RECORDED = "movements are not recorded"
NO_SENSOR = "no sensor covers the wager"
AMOUNT, MOVEMENT = "an amount was not seen", "a movement's amount was not seen"
DECISION, CARD, METER = "a decision was not seen", "a card was not seen", "a meter was not seen"
CONTRADICTION, NO_CAUSE = "the record contradicts itself", "why the hands were void is not on record"
NOT_DEALT_IN = "the seat was not dealt in"
_WANTS = {CONTRADICTED: CONTRADICTION, CAUSE_UNKNOWN: NO_CAUSE, "when it happened": NO_CAUSE, FAILED: FAILED}


class WeighedWager(msgspec.Struct, frozen=True, gc=False):
    """One wager that did not get what it is owed, or that only a ruling can decide."""

    spot: Spot
    wager: str
    outcome: Outcome
    wagered: Wagered | None  # None if nothing about it is recorded
    handed: Handed | None  # None if an amount was not seen
    expected: int | None  # the total, including chips added after betting closed


class Scale(msgspec.Struct, gc=False):
    """A compared round: differences, wagers that wait for a ruling, payments without a wager, and the coverage."""

    differing: list[WeighedWager]
    by_ruling: list[WeighedWager]
    unplaced: list[tuple[Spot, Wagered]]
    coverage: dict[str, int]


def weighed(told: RoundInPlay) -> Scale:
    """Return the compared round, cached until another fact arrives."""
    held: Scale | None = told.worked_out.get("weighed")
    if held is None:
        held = told.worked_out["weighed"] = _weighed(told)
    return held


def coverage(told: RoundInPlay) -> dict[str, int]:
    """Return the number of decided wagers, and of undecided ones by missing evidence."""
    return weighed(told).coverage


def _weighed(told: RoundInPlay) -> Scale:
    made = worked_out(told)
    scale = Scale([], [], [], {})
    if _moves_unrecorded(told):
        lying = sum(len(outcomes) for outcomes in made.settlement.seats.values())
        scale.coverage[NOT_RECORDED] = lying
        return scale
    decided = 0
    for number, outcomes in made.settlement.seats.items():
        spot = told.seats[number]
        wagers = spot.wagers
        met = 0
        for wager, outcome in outcomes.items():
            wagered = wagers.get(wager)
            if wagered is None:
                decided += _unmoved(told, scale, spot, wager, outcome)
                continue
            met += 1
            if not wagered.placed or outcome.returned is None or outcome.basis == RULING:
                _open(told, scale, spot, wagered, outcome)
            elif _as_usual(wagered, outcome.returned):
                decided += 1
            else:
                decided += _compared(scale, spot, wagered, outcome, handed(told, wagered))
        if met < len(wagers):
            _without_outcome(told, scale, spot, outcomes)
    if decided:
        scale.coverage[DECIDED] = scale.coverage.get(DECIDED, 0) + decided
    if made.left_out or len(told.seats) > len(made.settlement.seats):
        _apart(told, scale, made)
    return scale


def _as_usual(wagered: Wagered, owed: int) -> bool:
    """Whether a wager that stayed to the end got what it is owed, with no movement that needs a closer look."""
    staked = wagered.staked
    if staked is None or staked != wagered.cents or wagered.unseen or wagered.wager == "progressive":
        return False
    left = staked - wagered.collected_cents - wagered.returned_cents
    paid = wagered.paid_cents
    if left < 0 or (left and not paid):
        return False
    return paid + wagered.returned_cents + left == owed


def _moves_unrecorded(told: RoundInPlay) -> bool:
    chips_unread = any(fact.kind == "chip-reader" for fact in told.of(DeviceFailed))
    return chips_unread or not told.unrecorded.isdisjoint(MOVES)


class SeatSums(msgspec.Struct, gc=False):
    """The total owed and returned for each seat, or the reason why it is unknown.

    Wagers that wait for a ruling are left out, so the totals are then incomplete.
    """

    seats: dict[int, tuple[int, int]]
    why: str = ""
    waiting: bool = False

    @property
    def expected(self) -> int | None:
        """The total owed for all seats, or None if unknown."""
        return None if self.why or self.waiting else sum(expected for expected, _ in self.seats.values())

    @property
    def observed(self) -> int | None:
        """The total returned for all seats, or None if unknown."""
        return None if self.why or self.waiting else sum(observed for _, observed in self.seats.values())


def in_all(told: RoundInPlay, seat: int | None = None) -> SeatSums:
    """Return the totals of a round, or of one seat."""
    if _moves_unrecorded(told):
        return SeatSums({}, NOT_RECORDED)
    sums = SeatSums({})
    for number, outcomes in worked_out(told).settlement.seats.items():
        for wager, outcome in outcomes.items() if seat in (None, number) else ():
            wagered = told.seats[number].wagers.get(wager)
            if wagered is None and wager == NO_STAKE:
                continue
            if outcome.basis == RULING:
                sums.waiting = True
                continue
            why, back = _got_back(told, wager, wagered, outcome)
            if why or outcome.returned is None:
                return SeatSums({}, why)
            expected, observed = sums.seats.get(number, (0, 0))
            sums.seats[number] = (expected + outcome.returned, observed + back)
    return sums


def _got_back(told: RoundInPlay, wager: str, wagered: Wagered | None, outcome: Outcome) -> tuple[str, int]:
    """Return the amount a wager got back, or the reason why that or the amount owed is unknown."""
    if wagered is None:
        return NO_SENSOR if wager in told.unseen_wagers else AMOUNT, 0
    if outcome.returned is None:
        return _want(outcome), 0
    account = handed(told, wagered)
    if account is None:
        return MOVEMENT if wagered.unseen else AMOUNT, 0
    return "", account.back


def _count(scale: Scale, what: str) -> None:
    scale.coverage[what] = scale.coverage.get(what, 0) + 1


def _unmoved(told: RoundInPlay, scale: Scale, spot: Spot, wager: str, outcome: Outcome) -> int:
    """Compare a wager without records: an unpaid envy bonus, or a required wager without a sensor."""
    if wager != NO_STAKE:
        _count(scale, NO_SENSOR if wager in told.unseen_wagers else AMOUNT)
        return 0
    if outcome.basis == RULING:
        scale.by_ruling.append(WeighedWager(spot, wager, outcome, None, Handed(0, 0), None))
        _count(scale, BY_RULING)
        return 0
    if outcome.returned is None:
        _count(scale, _want(outcome))
        return 0
    if outcome.returned:
        scale.differing.append(WeighedWager(spot, wager, outcome, None, Handed(0, 0), outcome.returned))
    return 1


def _compared(scale: Scale, spot: Spot, wagered: Wagered, outcome: Outcome, account: Handed | None) -> int:
    """Compare a wager whose chips moved in an unusual way."""
    if account is None:
        lost_yet_paid = outcome.returned == 0 and wagered.paid_cents
        if lost_yet_paid:
            scale.differing.append(WeighedWager(spot, wagered.wager, outcome, wagered, None, 0))
            return 1
        _count(scale, MOVEMENT if wagered.unseen else AMOUNT)
        return 0
    owed = outcome.returned or 0
    expected = owed + account.late if owed else 0
    late_and_lost = account.late and not owed and account.back <= 0
    if (account.back != expected and not late_and_lost) or account.lying:
        scale.differing.append(WeighedWager(spot, wagered.wager, outcome, wagered, account, expected))
    return 1


def _open(told: RoundInPlay, scale: Scale, spot: Spot, wagered: Wagered, outcome: Outcome) -> None:
    """Handle a wager without a certain amount: it waits for a ruling, something was unseen, or it never existed."""
    if not wagered.placed and not lay(told, wagered) and wagered.wager != NO_STAKE:
        scale.unplaced.append((spot, wagered))
        return
    account = handed(told, wagered)
    if outcome.basis == RULING:
        scale.by_ruling.append(WeighedWager(spot, wagered.wager, outcome, wagered, account, outcome.returned))
        _count(scale, BY_RULING)
        return
    if wagered.wager in told.unseen_wagers and not wagered.moves:
        _count(scale, NO_SENSOR)
        return
    if outcome.returned is not None:
        if _compared(scale, spot, wagered, outcome, account):
            _count(scale, DECIDED)
        return
    _count(scale, _want(outcome))
    if account is not None and account.lying:
        scale.differing.append(WeighedWager(spot, wagered.wager, outcome, wagered, account, None))


def _without_outcome(told: RoundInPlay, scale: Scale, spot: Spot, outcomes: dict[str, Outcome]) -> None:
    """Handle wagers that settlement does not know: never placed, or not part of this game."""
    for wager, wagered in spot.wagers.items():
        if wager in outcomes:
            continue
        if not lay(told, wagered):
            scale.unplaced.append((spot, wagered))


def _apart(told: RoundInPlay, scale: Scale, made: Owed) -> None:
    """Handle seats that settlement skips: not dealt in, or without a wager."""
    for number, spot in told.seats.items():
        if number in made.settlement.seats:
            continue
        for wagered in spot.wagers.values():
            if number in made.left_out:
                _count(scale, NOT_DEALT_IN)
            elif not lay(told, wagered):
                scale.unplaced.append((spot, wagered))


def why_open(outcome: Outcome) -> str:
    """Return why an outcome is open: the reason under which the coverage counts it, and exactly what is missing."""
    if outcome.basis == RULING:
        return BY_RULING
    reason, needs = _want(outcome) if outcome.needs else AMOUNT, ", ".join(outcome.needs)
    return reason if needs in reason else f"{reason}: {needs}"


def _want(outcome: Outcome) -> str:
    """Return the missing evidence, in the words of the coverage."""
    want = outcome.needs[0] if outcome.needs else ""
    if want in _WANTS:
        return _WANTS[want]
    if want.startswith("the amount of"):
        return AMOUNT
    if want.endswith("decision") or want.startswith(("how seat", "the three cards seat", "which two cards")):
        return DECISION
    return METER if want.startswith("the stand of") else CARD


__all__ = [
    "BY_RULING",
    "DECIDED",
    "NOT_DEALT_IN",
    "Scale",
    "SeatSums",
    "WeighedWager",
    "banked",
    "coverage",
    "in_all",
    "weighed",
    "why_open",
]
