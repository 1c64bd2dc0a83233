"""The tray: what each round put into it and took out, to compare with the counts of the day.

The counts say what the house won: closer + credits + drop - opener - fills. The rounds say it a second time. Chips that
players bought are in neither: they left the tray, and the same money went into the drop.
"""

from domain.facts.devices import DeviceFailed
from domain.table.payouts import NO_STAKE, handed
from domain.table.round import RoundInPlay
from domain.table.spots import Wagered

# Without any of these facts, nobody knows what a round put into the tray.
_MOVES = frozenset({"round-opened", "wager-placed", "wager-changed", "wager-withdrawn", "progressive-banked"}) | {
    *("wager-collected", "wager-paid", "wager-returned", "round-completed")
}


def into_the_tray(told: RoundInPlay) -> int | None:
    """Return what a finished round put into the tray, less what it took out; None if that is not on record."""
    if told.unseen_wagers or not told.unrecorded.isdisjoint(_MOVES) or _unread(told):
        return None
    total = 0
    for spot in told.seats.values():
        for wagered in spot.wagers.values():
            won = _won(told, wagered)
            if won is None:
                return None
            total += won
    return total


def left_open(rounds: dict[int, int | None], newest: RoundInPlay | None) -> None:
    """Note that the newest round, if it has not been completed, put nobody knows what into the tray."""
    if newest is not None and not newest.over:
        rounds[newest.number] = None


def _unread(told: RoundInPlay) -> bool:
    """Whether the device that reads chips failed in this round."""
    return DeviceFailed in told.told and any(fact.kind == "chip-reader" for fact in told.of(DeviceFailed))


def _won(told: RoundInPlay, wagered: Wagered) -> int | None:
    """Return what the house won on a wager; chips that nobody collected or handed back are not in the tray."""
    if not wagered.placed or wagered.wager == NO_STAKE:  # no stake lay there: whatever moved came from the tray
        moved = wagered.collected_cents - wagered.paid_cents - wagered.returned_cents
        return None if wagered.unseen else moved
    account, staked = handed(told, wagered), wagered.staked
    if account is None or staked is None:
        return None
    return staked + account.late - account.back - account.lying
