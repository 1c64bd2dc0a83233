"""The plan of a simulated round: players, wagers, intentions and the order of the cards."""

from random import Random

from domain.simulation import piles, strategies
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.players import TableVisit, coupons, wagers, whim
from domain.simulation.seating import TableSeating
from domain.simulation.table import TableInPlay

_ORDERED, _RECUT = 6, 3  # per thousand rounds, those before which a shuffle or another cut is ordered


def planned(table: TableInPlay, seating: TableSeating, own: Random) -> RoundPlan:
    """Return the next round. Some players may sit it out, but at least one plays."""
    sittings = sorted(seating.here.values(), key=lambda sitting: sitting.seats)
    seats: list[SeatPlan] = []
    for sitting in sittings:
        out = own.random() * 100 < sitting.visit.taste.sits_out
        for number in sitting.seats:
            seat = _seat(table, number, sitting.visit, seating.least_cents, own)
            if not out or (sitting is sittings[-1] and not seats):
                seats.append(seat)
    shuffled = () if table.book == "FAH" else piles.shuffled(table.deck.cards, own)
    return RoundPlan(tuple(seats), shuffled=shuffled, parts=_orders(table, own))


def _seat(table: TableInPlay, number: int, visit: TableVisit, least_cents: int, own: Random) -> SeatPlan:
    house, taste = table.house, visit.taste
    placed = wagers(house, taste, least_cents, own)
    if "cover_all" in placed and not table.machine_shuffles:
        del placed["cover_all"]  # nothing determines the hands here (UTH-MA 13(e))
    mood, faces = whim(own), coupons(house, taste, placed, own)
    if table.book == "PIK":
        return SeatPlan(
            number, placed, player=visit.player, coupons=faces, strategy=strategies.pikit(taste.slips, mood)
        )
    if table.book == "FAH":
        return SeatPlan(number, placed, player=visit.player, strategy=strategies.fast_action())
    if table.book == "COL":
        acts = strategies.colorado(house, taste.slips, mood)
        return SeatPlan(number, placed, acts=acts, player=visit.player, coupons=faces)
    return SeatPlan(
        number, placed, player=visit.player, coupons=faces, strategy=strategies.uth(house, taste.slips, mood)
    )


def _orders(table: TableInPlay, own: Random) -> dict[str, str]:
    """Return a supervisor's occasional order of another shuffle or cut."""
    drawn = own.random() * 1000
    if drawn < _ORDERED and table.book == "UTH-MD":
        return {"shuffle_ordered": "directed"}
    if drawn >= 1000 - _RECUT and table.book != "FAH":
        return {"recut": "improper cut"}
    return {}
