"""The wagers of a round as rows: the stake, the outcome, and the amount owed.

None is an unknown amount; it is never treated as zero.
"""

from typing import NamedTuple

from domain.facts.devices import DeviceFailed
from domain.settlement.outcome import RULING, Outcome
from domain.table.payouts import NO_STAKE, handed
from domain.table.played import lay
from domain.table.round import RoundInPlay
from domain.table.spots import Spot, Wagered
from domain.watch.owed_vs_paid import AMOUNT, MOVEMENT, MOVES, NO_SENSOR, NOT_DEALT_IN, NOT_RECORDED, why_open
from projections.changes import Row

UNPLACED = "no wager lay there"
_READ_CHIPS = "chip-reader"

Whole = dict[int, dict[str, Outcome]]  # what settlement says, by seat and wager


class WagerSums(NamedTuple):
    """The sums of some wagers; None if one of them is unknown."""

    staked: int | None = 0
    back: int | None = 0
    owed: int | None = 0
    difference: int | None = 0
    won: int | None = 0  # by the house

    def plus(self, other: "WagerSums") -> "WagerSums":
        """Return the sum of the two."""
        return WagerSums(
            _sum(self.staked, other.staked),
            _sum(self.back, other.back),
            _sum(self.owed, other.owed),
            _sum(self.difference, other.difference),
            _sum(self.won, other.won),
        )


NOTHING = WagerSums()


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def unread(told: RoundInPlay) -> bool:
    """Return whether the movement of wagers was not recorded."""
    if not told.unrecorded.isdisjoint(MOVES):
        return True
    return any(fact.kind == _READ_CHIPS for fact in told.of(DeviceFailed))


def wagers_of(
    told: RoundInPlay, spot: Spot, outcomes: dict[str, Outcome], *, blind: bool, left_out: bool, start: Row
) -> tuple[list[Row], WagerSums]:
    """Return a seat's wagers and their sums; `start` holds the first cells of every row of the seat."""
    rows: list[Row] = []
    sums = NOTHING
    for name, wagered in spot.wagers.items():
        row, own = _wager(told, wagered, outcomes.get(name), blind=blind, left_out=left_out)
        rows.append((*start, name, *row))
        sums = own if sums is NOTHING else sums.plus(own)
    for name, outcome in outcomes.items():
        if name not in spot.wagers and not (name == NO_STAKE and outcome.returned == 0):
            row, own = _untold(told, name, outcome, blind=blind)
            rows.append((*start, name, *row))
            sums = sums.plus(own)
    return rows, sums


def _wager(
    told: RoundInPlay, wagered: Wagered, outcome: Outcome | None, *, blind: bool, left_out: bool
) -> tuple[Row, WagerSums]:
    staked, late = wagered.staked, 0
    if wagered.wager == NO_STAKE:
        staked = 0
    moved = not (wagered.unseen or blind)
    back, lying = None, 0
    if moved and (wagered.moves or wagered.wager not in told.unseen_wagers):
        back, lying, late = _account(told, wagered)
    owed, undecided = _owed(told, wagered, outcome, left_out=left_out)
    if back is None:
        undecided = undecided or (NOT_RECORDED if blind else MOVEMENT if wagered.unseen else AMOUNT)
    difference = None
    if back is not None and owed is not None:
        due = owed + late if owed else 0
        difference = 0 if late and not owed and back <= 0 else back - due
    won = None if back is None or staked is None else staked + late - back - lying
    seen = moved or None
    row = (
        staked,
        None if wagered.cents is None or wagered.staked is None else late,
        wagered.coupon_cents,
        seen and wagered.collected_cents,
        seen and wagered.paid_cents,
        seen and wagered.returned_cents,
        back,
        owed,
        difference,
        outcome.clause if outcome is not None else "",
        outcome.basis if outcome is not None else "",
        undecided,
    )
    return row, WagerSums(staked, back, owed, difference, won)


def _account(told: RoundInPlay, wagered: Wagered) -> tuple[int | None, int, int]:
    """Return the amounts handed back, left on the table, and added late; most stakes stay to the end."""
    staked, paid = wagered.staked, wagered.paid_cents
    if staked is not None and staked == wagered.cents and wagered.wager != "progressive":
        left = staked - wagered.collected_cents - wagered.returned_cents
        if left == 0 or (left > 0 and paid):
            return paid + wagered.returned_cents + left, 0, 0
    account = handed(told, wagered)
    return (None, 0, 0) if account is None else (account.back, account.lying, account.late)


def _owed(told: RoundInPlay, wagered: Wagered, outcome: Outcome | None, *, left_out: bool) -> tuple[int | None, str]:
    """Return the amount owed, or the reason why it is unknown."""
    if left_out:
        return None, NOT_DEALT_IN
    if not wagered.placed and wagered.wager != NO_STAKE and not lay(told, wagered):
        return 0, UNPLACED
    if outcome is None:
        return None, UNPLACED if not wagered.placed else ""
    if outcome.basis == RULING or outcome.returned is None:
        return None, why_open(outcome)
    return outcome.returned, ""


def _untold(told: RoundInPlay, name: str, outcome: Outcome, *, blind: bool) -> tuple[Row, WagerSums]:
    """Return a wager without facts: one the game requires but that was not seen, or an unpaid envy bonus."""
    envy = name == NO_STAKE
    staked = 0 if envy else None
    back = 0 if envy and not blind else None
    owed = None if outcome.basis == RULING else outcome.returned
    if owed is None:
        undecided = why_open(outcome)
    else:
        undecided = "" if back is not None else NO_SENSOR if name in told.unseen_wagers else AMOUNT
    difference = None if back is None or owed is None else back - owed
    row = (staked, staked, 0, back, back, back, back, owed, difference, outcome.clause, outcome.basis, undecided)
    won = None if back is None else -back
    return row, WagerSums(staked, back, owed, difference, won)
