"""What an irregularity does to a round, and how a void round is handed back."""

from collections.abc import Mapping

import msgspec

from domain.settlement.outcome import CERTAIN, READING, RULING, Outcome, Settlement, returned, ruling
from domain.settlement.played import Round, Seat


class Void(msgspec.Struct, frozen=True):
    """All hands void, or one seat's. `keeps` are the wagers settled all the same, each under its clause."""

    clause: str
    basis: str = READING
    seat: int | None = None
    keeps: dict[str, str] = {}


class Uncovered(msgspec.Struct, frozen=True):
    """No clause covers it: the round goes on, by a reading, or with every amount waiting for a ruling."""

    clause: str
    basis: str = RULING


class Unruled(msgspec.Struct, frozen=True):
    """No clause covers it and the round cannot be settled as it lies: only a ruling can say."""

    clause: str


Effect = Void | Uncovered | Unruled | None

Settled = Mapping[int, Mapping[str, Outcome]]


def hand_back(seat: Seat, void: Void, settled: Mapping[str, Outcome], ruled: str | None) -> dict[str, Outcome]:
    """A void hand: open wagers go back, a settled one stands or is reversed by ruling, or waits for one."""
    outcomes = {}
    for wager, stake in seat.wagers.items():
        if wager not in settled:
            outcomes[wager] = returned(stake, void.clause, void.basis, f"seat {seat.seat}'s {wager}")
        elif ruled == "stands":
            outcomes[wager] = settled[wager]
        elif ruled == "reversed":
            outcomes[wager] = returned(stake, void.clause, READING, f"seat {seat.seat}'s {wager}")
        else:
            outcomes[wager] = ruling(void.clause, settled[wager].returned, stake)
    if "progressive" in seat.wagers:
        outcomes["envy"] = Outcome(0, void.clause, void.basis)
    return outcomes


def no_surer_than(basis: str, settlement: Settlement) -> Settlement:
    """The same amounts, certain ones among them no longer so."""
    for outcomes in settlement.seats.values():
        for wager, outcome in outcomes.items():
            if outcome.basis in (CERTAIN, READING):
                outcomes[wager] = msgspec.structs.replace(outcome, basis=basis)
    return settlement


def unruled(played: Round, clause: str) -> Settlement:
    """A round only a ruling can settle."""
    seats = {seat.seat: {wager: ruling(clause) for wager in seat.wagers} for seat in played.seats}
    return Settlement(seats=seats, order=tuple(seat.seat for seat in reversed(played.seats)))
