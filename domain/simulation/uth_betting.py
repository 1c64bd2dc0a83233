"""Wagers before the deal of Ultimate Texas Hold'em, and the banking of Maryland's progressive chips."""

from domain.facts import wagers
from domain.simulation import paying
from domain.simulation.uth_in_play import Uth


def bank_progressive(game: Uth) -> None:
    """Lock out Maryland's progressive before the deal; collect, count and bank the chips (UTH-MD 8.C)."""
    if game.massachusetts or not game.house["progressive"]:
        return
    game.post.say(wagers.ProgressiveLockedOut)
    seats = [seat for seat in sorted(game.seats) if (seat, "progressive") in game.lying]
    if seats:
        game.post.say(wagers.ProgressiveCollected, len(seats), len(seats))
        game.post.say(wagers.ProgressiveBanked, len(seats))
        game.banked.update(seats)
        game.table.tray_cents += sum(game.lying[seat, "progressive"] for seat in seats)


def place_all(game: Uth) -> None:
    """Place the wagers before the deal; the progressive system acknowledges its own, and its meters rise."""
    table = game.table
    for seat, plan in sorted(game.seats.items()):
        for wager, cents in plan.wagers.items():
            paying.place(table, plan, wager, cents)
            game.lie(seat, wager, cents)
            if wager == "progressive" and not game.massachusetts:
                game.post.say(wagers.ProgressiveAccepted, seat, cents)
                _raise_meters(game, cents)


def _raise_meters(game: Uth, cents: int) -> None:
    rates = game.house["progressive.rates"] or game.table.setup.contribution_percent
    for meter, percent in rates.items():
        by = cents * percent // 100
        game.table.meters[meter] += by
        game.post.say(wagers.MeterIncremented, meter, by, game.table.meters[meter])
