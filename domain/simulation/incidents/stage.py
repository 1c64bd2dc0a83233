"""Arrangement of a planned round for an incident: hands, decisions and additional wagers."""

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.cards import cards
from domain.settlement.played import FaceUpCard, Irregularity
from domain.simulation.incidents.incident import Staging, StretchUnfitError
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.scripted import wrong
from domain.simulation.table import TableInPlay


def plain(plan: RoundPlan, seats: int = 1) -> RoundPlan:
    """Return an ordinary round of at least this many seats; raise if the plan is not one."""
    if plan.irregularity is not None or plan.parts or plan.new_dealer or plan.order:
        raise StretchUnfitError("something else happens in this round")
    if len(plan.seats) < seats:
        raise StretchUnfitError("there are too few players")
    return plan


def numbers(plan: RoundPlan) -> list[int]:
    """Return its seats from the dealer's left."""
    return sorted(seat.seat for seat in plan.seats)


def of(plan: RoundPlan, number: int) -> SeatPlan:
    """Return the plan of one seat."""
    return next(seat for seat in plan.seats if seat.seat == number)


def with_seat(plan: RoundPlan, number: int, **fields: Any) -> RoundPlan:
    """Return the round with changes to this seat."""
    seats = [msgspec.structs.replace(seat, **fields) if seat.seat == number else seat for seat in plan.seats]
    return msgspec.structs.replace(plan, seats=tuple(seats))


def with_wager(plan: RoundPlan, number: int, **wagers: int) -> RoundPlan:
    """Return the round with these wagers added at a seat."""
    return with_seat(plan, number, wagers={**of(plan, number).wagers, **wagers})


def holding(plan: RoundPlan, number: int, held: str, *acts: str, **fields: Any) -> RoundPlan:
    """Return the round with these cards and acts at a seat."""
    return with_seat(plan, number, cards=cards(held), acts=acts, **fields)


def dealt(plan: RoundPlan, **places: str) -> RoundPlan:
    """Return the round with these cards at the dealer's place, on the board, in the box."""
    return msgspec.structs.replace(plan, **{place: cards(held) for place, held in places.items()})


def having(plan: RoundPlan, **parts: Any) -> RoundPlan:
    """Return the round with these parts added."""
    return msgspec.structs.replace(plan, parts={**plan.parts, **parts})


def by_book(stagings: Mapping[str, Staging]) -> Staging:
    """Return the staging that applies each game's own; other games play the round unchanged."""

    def staging(table: TableInPlay, plan: RoundPlan, dealt_before: int) -> RoundPlan:
        chosen = stagings.get(table.book)
        return plan if chosen is None else chosen(table, plan, dealt_before)

    return staging


def everybody(*acts: str) -> Staging:
    """Return the staging in which every player does this."""

    def staging(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
        for number in numbers(plain(plan)):
            plan = with_seat(plan, number, acts=acts)
        return plan

    return staging


def somebody(*acts: str) -> Staging:
    """Return the staging in which the first player does this."""

    def staging(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
        return with_seat(plain(plan), numbers(plan)[0], acts=acts)

    return staging


_REQUIRED = ("ante", "blind", "bonus5", "original")


def with_hands(table: TableInPlay, plan: RoundPlan, many: int) -> RoundPlan:
    """Return the round with this many hands: some players sit out, or others join."""
    seats = sorted(plan.seats, key=lambda seat: seat.seat)[:many]
    taken = {seat.seat for seat in plan.seats}
    free = [number for number in range(1, table.setup.positions + 1) if number not in taken]
    free.sort(key=lambda number: number not in table.seated)  # present players come first
    like = {wager: cents for wager, cents in seats[0].wagers.items() if wager in _REQUIRED}
    for number in free[: many - len(seats)]:
        player = table.seated.get(number, f"{table.setup.table}-guest-{number}")
        seats.append(SeatPlan(number, like, player=player))
    return msgspec.structs.replace(plan, seats=tuple(sorted(seats, key=lambda seat: seat.seat)))


def two_face_up(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    """Turn up two cards in the first deal; Fast Action's shoe runs out. Later rounds are ordinary."""
    if nth:
        return plan
    plain(plan, 2)
    if table.book == "FAH":
        return msgspec.structs.replace(plan, irregularity=wrong("insufficient-cards", stage="dealing"))
    found = tuple(FaceUpCard(card, after) for after, card in enumerate(plan.shuffled[-2:], start=3))
    return msgspec.structs.replace(plan, irregularity=Irregularity("card-face-up", found=found))
