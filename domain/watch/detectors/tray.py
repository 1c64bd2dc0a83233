"""The house's own rules about chips: the tray at the close, and the slips of fills and credits.

No rule book has them (HOUSE). The tray's rule is in force where the house states a tolerance, `tray_tolerance`.
"""

import msgspec

from domain.facts.deal import RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted, WagerCollected, WagerPaid, WagerReturned
from domain.facts.table_day import TableClosed
from domain.facts.table_money import CreditSent, DropCounted, FillReceived
from domain.facts.wagers import WagerPlaced
from domain.money import dollars
from domain.rulebooks import TRAY_TOLERANCE
from domain.table.day import TableDay, unrecorded_now
from domain.table.money import BankMoney, at_the_close
from domain.watch.detecting import Found, name_of, watch
from domain.watch.finding import found
from domain.watch.laws import law

TRAY = law("tray-off", "HOUSE 1 (Tray)")
SLIP = law("slip-missing", "HOUSE 2 (Slips)")
_MOVES: tuple[type[Fact], ...] = (
    *(FillReceived, CreditSent, DropCounted, RoundOpened, RoundCompleted),
    *(WagerPlaced, WagerCollected, WagerPaid, WagerReturned),
)
_NEEDED = frozenset(map(name_of, _MOVES))


@watch(TableClosed, laws=(TRAY,))
def the_tray_holds_what_the_record_explains(day: TableDay, closed: TableClosed) -> Found:
    """Check that the counts of the day and its rounds give the same win, within the tolerance of the house."""
    allowed, money = _tolerance(day), _at_the_close(day, closed)
    win, explained, off = money.win, money.from_rounds, money.off
    if allowed is None or _unrecorded(day) or off is None or abs(off) <= allowed:
        return
    in_it = f"closer {dollars(money.closer)}, credits {dollars(money.credits)} and drop {dollars(money.drop)}"
    says = (
        f"The tray and the drop are {dollars(abs(off))} {'over' if off > 0 else 'short'}: {in_it}, less opener "
        f"{dollars(money.opener)} and fills {dollars(money.fills)}, make a win of {dollars(win)}, but the rounds "
        f"make one of {dollars(explained)}. The house tolerates {dollars(allowed)}."
    )
    evidence = [fact for fact in (day.opened, *money.slips) if fact is not None]
    yield found(TRAY, TRAY.cites(day.book), closed, says, expected=explained, observed=win, evidence=evidence)


def undecided_at_the_close(day: TableDay, closed: TableClosed) -> tuple[str, ...]:
    """Return why the tray of a house with a tolerance cannot be judged; a house without one has no such rule."""
    if _tolerance(day) is None:
        return ()
    why = _at_the_close(day, closed).undecided
    if why and day.unrecorded.isdisjoint(_NEEDED):
        return (f"the tray: {why}",)
    return (the_tray_holds_what_the_record_explains.__name__,) if _unrecorded(day) else ()


def _unrecorded(day: TableDay) -> bool:
    """Whether nobody records a type of fact that moves chips, or the device that reads it has failed."""
    return not unrecorded_now(day).isdisjoint(_NEEDED)


def _tolerance(day: TableDay) -> int | None:
    allowed: int | None = day.house[TRAY_TOLERANCE] if day.house is not None else None
    return allowed


def _at_the_close(day: TableDay, closed: TableClosed) -> BankMoney:
    """Return the table's money as the closing leaves it."""
    told, rounds = day.round, day.money.rounds
    if told is not None and not told.over:
        rounds = {**rounds, told.number: None}
    return msgspec.structs.replace(at_the_close(day.money, closed), rounds=rounds)


@watch(FillReceived, CreditSent, laws=(SLIP,))
def chips_move_with_a_slip(day: TableDay, moved: FillReceived | CreditSent) -> Found:
    """Check that a fill and a credit have a slip."""
    if moved.slip:
        return
    what, how = ("fill", "came to") if isinstance(moved, FillReceived) else ("credit", "left")
    says = f"A {what} of {dollars(moved.cents)} {how} the table without a slip."
    yield found(SLIP, SLIP.cites(day.book), moved, says)
