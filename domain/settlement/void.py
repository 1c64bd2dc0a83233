"""The effect of an irregularity on a round, and the return of wagers in a void round."""

from collections.abc import Mapping

import msgspec

from domain.settlement.outcome import CERTAIN, READING, RULING, Outcome, Settlement, returned, ruling, undecidable
from domain.settlement.played import PlayedRound, Seat

CONTRADICTED = "cards no deck of this game can deal"


class Void(msgspec.Struct, frozen=True):
    """All hands void, or one seat's. `keeps` are the wagers settled anyway, each under its clause.

    `names` are the wagers whose return the clause states in words, which is surer than a reading. `hangs_on_time` are
    those settled or returned depending on the time of the irregularity, which is not on record.
    """

    clause: str
    basis: str = READING
    seat: int | None = None
    keeps: dict[str, str] = {}
    names: tuple[str, ...] = ()
    hangs_on_time: tuple[str, ...] = ()


class Uncovered(msgspec.Struct, frozen=True):
    """No clause covers it: the round continues, by a reading, or with every amount waiting for a ruling."""

    clause: str
    basis: str = RULING


class Unruled(msgspec.Struct, frozen=True):
    """No clause covers it, and only a ruling can settle the round, or this seat's hand."""

    clause: str
    seat: int | None = None


Effect = Void | Uncovered | Unruled | None

Settled = Mapping[int, Mapping[str, Outcome]]


def hand_back(seat: Seat, void: Void, settled: Mapping[str, Outcome], ruled: str | None) -> dict[str, Outcome]:
    """Return a void hand's outcomes: open wagers are returned, settled ones hold or are reversed by ruling."""
    outcomes = {}
    for wager, stake in seat.wagers.items():
        if wager in void.hangs_on_time:
            outcomes[wager] = undecidable(void.clause, ["when it happened"])
        elif wager not in settled:
            # "All" wagers include those of a hand that folded earlier, which is a reading.
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
    """Return the envy outcome: it had no stake to return; a paid one holds or is reversed like the rest."""
    if settled is None or ruled == "reversed":
        return Outcome(0, void.clause, void.basis)
    return settled if ruled == "stands" else ruling(void.clause, settled.returned, 0)


def no_surer_than(basis: str, settlement: Settlement) -> Settlement:
    """Return the same amounts, with none of them surer than this basis."""
    for outcomes in settlement.seats.values():
        for wager, outcome in outcomes.items():
            if outcome.basis in (CERTAIN, READING):
                outcomes[wager] = msgspec.structs.replace(outcome, basis=basis)
    return settlement


def unruled(played: PlayedRound, clause: str, *, settled: bool) -> Settlement:
    """Settle a round that needs a ruling; if wagers had been settled, the ruling may return the stakes."""
    seats = {}
    for seat in played.seats:
        seats[seat.seat] = {
            wager: ruling(clause, None, stake if settled else None) for wager, stake in seat.wagers.items()
        }
        if "progressive" in seat.wagers:
            seats[seat.seat]["envy"] = ruling(clause, None, 0 if settled else None)
    return Settlement(seats=seats, order=tuple(seat.seat for seat in reversed(played.seats)))


def undecided(played: PlayedRound, missing: str) -> Settlement:
    """Return a settlement with every wager undecided for the same missing evidence."""
    seats = {}
    for seat in played.seats:
        wagers = (*seat.wagers, *(("envy",) if "progressive" in seat.wagers else ()))
        seats[seat.seat] = {wager: undecidable("", [missing]) for wager in wagers}
    return Settlement(seats)
