"""What an irregularity does to a round, and how a void round is handed back."""

from collections.abc import Mapping

import msgspec

from domain.settlement.outcome import CERTAIN, READING, RULING, Outcome, Settlement, returned, ruling, undecidable
from domain.settlement.played import Round, Seat


class Void(msgspec.Struct, frozen=True):
    """All hands void, or one seat's. `keeps` are the wagers settled all the same, each under its clause.

    `names` are the wagers whose return the clause states in words: surer than what is returned by a reading.
    `hangs_on_time` are those that are settled or returned by the moment it happened, which nobody wrote down.
    """

    clause: str
    basis: str = READING
    seat: int | None = None
    keeps: dict[str, str] = {}
    names: tuple[str, ...] = ()
    hangs_on_time: tuple[str, ...] = ()


class Uncovered(msgspec.Struct, frozen=True):
    """No clause covers it: the round goes on, by a reading, or with every amount waiting for a ruling."""

    clause: str
    basis: str = RULING


class Unruled(msgspec.Struct, frozen=True):
    """No clause covers it and the round, or this seat's hand, cannot be settled as it lies: only a ruling can say."""

    clause: str
    seat: int | None = None


Effect = Void | Uncovered | Unruled | None

Settled = Mapping[int, Mapping[str, Outcome]]


def hand_back(seat: Seat, void: Void, settled: Mapping[str, Outcome], ruled: str | None) -> dict[str, Outcome]:
    """A void hand: open wagers go back, a settled one stands or is reversed by ruling, or waits for one."""
    outcomes = {}
    for wager, stake in seat.wagers.items():
        if wager in void.hangs_on_time:
            outcomes[wager] = undecidable(void.clause, ["when it happened"])
        elif wager not in settled:
            # "All" wagers include those of a hand that folded before, which is a reading.
            basis = CERTAIN if wager in void.names and seat.choice != "fold" else void.basis
            outcomes[wager] = returned(stake, void.clause, basis, f"seat {seat.seat}'s {wager}")
        elif ruled == "stands":
            outcomes[wager] = settled[wager]
        elif ruled == "reversed":
            outcomes[wager] = returned(stake, void.clause, READING, f"seat {seat.seat}'s {wager}")
        else:
            outcomes[wager] = ruling(void.clause, settled[wager].returned, stake)
    if "progressive" in seat.wagers:
        outcomes["envy"] = _void_envy(void, settled.get("envy"), ruled)
    return outcomes


def _void_envy(void: Void, settled: Outcome | None, ruled: str | None) -> Outcome:
    """Nothing was staked on it, so nothing goes back; one that was paid stands or falls with the rest."""
    if settled is None or ruled == "reversed":
        return Outcome(0, void.clause, void.basis)
    return settled if ruled == "stands" else ruling(void.clause, settled.returned, 0)


def no_surer_than(basis: str, settlement: Settlement) -> Settlement:
    """The same amounts, certain ones among them no longer so."""
    for outcomes in settlement.seats.values():
        for wager, outcome in outcomes.items():
            if outcome.basis in (CERTAIN, READING):
                outcomes[wager] = msgspec.structs.replace(outcome, basis=basis)
    return settlement


def unruled(played: Round, clause: str, *, settled: bool) -> Settlement:
    """A round only a ruling can settle; where wagers had been settled it may give the stakes back."""
    seats = {}
    for seat in played.seats:
        seats[seat.seat] = {
            wager: ruling(clause, None, stake if settled else None) for wager, stake in seat.wagers.items()
        }
        if "progressive" in seat.wagers:
            seats[seat.seat]["envy"] = ruling(clause, None, 0 if settled else None)
    return Settlement(seats=seats, order=tuple(seat.seat for seat in reversed(played.seats)))
