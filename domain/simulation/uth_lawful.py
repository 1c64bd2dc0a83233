"""The checks that a dealer may deal a planned round: one sentence for each problem with its wagers."""

from collections.abc import Iterator

from domain.rulebooks import House
from domain.settlement.coupons import accepted
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.table import TableInPlay

_NEEDS = {"trips": ("ante", "blind"), "six_card": ("ante", "blind", "trips")}
_MOST_COVERED = 6  # players in Cover All's matrix (UTH-MA 13(k))


def troubles(table: TableInPlay, plan: RoundPlan) -> Iterator[str]:
    """Yield everything no dealer would accept before the deal."""
    house = table.house
    for seat in plan.seats:
        for trouble in _of_seat(house, seat):
            yield f"seat {seat.seat}: {trouble}"
        if not 1 <= seat.seat <= table.setup.positions:
            yield f"there is no seat {seat.seat}"
    numbers = [seat.seat for seat in plan.seats]
    players = [seat.player for seat in plan.seats if seat.player]
    if len(set(numbers)) < len(numbers) or len(set(players)) < len(players):
        yield "a player has two positions, or a position has two players"
    if any("cover_all" in seat.wagers for seat in plan.seats) and len(plan.seats) > _MOST_COVERED:
        yield "Cover All has no odds for this many hands"


def _of_seat(house: House, seat: SeatPlan) -> Iterator[str]:
    wagers = seat.wagers
    if wagers.get("ante") != wagers.get("blind") or not wagers.get("ante"):
        yield "ante and blind must both be placed, and be equal"
    for wager in wagers:
        if not _offered(house, wager):
            yield f"{wager} is not offered here"
        missing = [other for other in _needed(house, wager) if other not in wagers]
        if missing:
            yield f"{wager} needs {' and '.join(missing)}"
    if "progressive" in wagers and wagers["progressive"] not in _progressive_amounts(house):
        yield "the house does not accept this progressive amount"
    if seat.coupons and not accepted(house):
        yield "this house accepts no coupons"


def _offered(house: House, wager: str) -> bool:
    if wager in ("ante", "blind"):
        return True
    if wager in ("cover_all", "progressive"):
        return bool(house.options.get(wager))
    if wager == "six_card" and house["dealing_method"] != "automated-shoe":
        return False  # the only method that deals its box (UTH-MD 10.B(1))
    return wager in house.tables and wager not in ("play", "envy_100", "envy_500") and house.offers(wager)


def _needed(house: House, wager: str) -> tuple[str, ...]:
    if wager == "progressive":
        massachusetts = house.book.book == "UTH-MA"
        return ("ante", "blind", "trips") if massachusetts else ("ante", "blind")
    return _NEEDS.get(wager, ())


def _progressive_amounts(house: House) -> tuple[int, ...]:
    if house.book.book == "UTH-MA":
        return (int(house.book.value("progressive_cents")),)
    return tuple(house["progressive.allowed"])
