"""Chips moving between player and tray, one fact for each movement."""

from domain.facts import payments, wagers
from domain.simulation.plans import SeatPlan
from domain.simulation.table import TableInPlay


def place(table: TableInPlay, seat: SeatPlan, wager: str, cents: int) -> None:
    """Place a player's wager in its own area."""
    face = seat.coupons.get(wager, 0)
    form = "coupon" if face and face == cents else "chips"
    player = seat.player or table.seated.get(seat.seat, "")
    table.post.say(wagers.WagerPlaced, seat.seat, wager, cents, form, face, player, area=wager)


def collect(table: TableInPlay, seat: SeatPlan, wager: str, cents: int, reason: str = "") -> None:
    """Collect this much of a stake into the tray; a coupon counts at its face until the count."""
    table.post.say(payments.WagerCollected, seat.seat, wager, cents, reason)
    table.tray_cents += cents


def pay(table: TableInPlay, seat: SeatPlan, wager: str, cents: int, meter: str = "") -> None:
    """Pay winnings out of the tray."""
    table.post.say(payments.WagerPaid, seat.seat, wager, cents, meter)
    table.tray_cents -= cents


def give_back(table: TableInPlay, seat: SeatPlan, wager: str, cents: int, *, from_tray: int = 0) -> None:
    """Return a stake, or part of it; this much of it had been taken into the tray."""
    table.post.say(payments.WagerReturned, seat.seat, wager, cents)
    table.tray_cents -= from_tray


def hand_over(table: TableInPlay, seat: SeatPlan, wager: str, stake: int, *, returned: int, meter: str = "") -> None:
    """Settle one wager on the table: `returned` is its whole result, stake included, as if it were all chips.

    On a win the house keeps the coupon unless its terms say otherwise.
    """
    if returned > stake:
        pay(table, seat, wager, returned - stake, meter)
        kept = 0 if table.house.options.get("match_play.returned_on_win") else seat.coupons.get(wager, 0)
        if kept:
            collect(table, seat, wager, kept, "coupon")
        if stake > kept:
            give_back(table, seat, wager, stake - kept)
        return
    if returned < stake:
        collect(table, seat, wager, stake - returned)
    if returned:
        give_back(table, seat, wager, returned)
