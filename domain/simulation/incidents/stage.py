"""How a planned round is arranged for an incident: who holds what, who decides what, who has which wagers besides."""

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.cards import cards
from domain.settlement.played import Found, Irregularity
from domain.simulation.incidents.incident import NotHereError, Staging
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.scripted import wrong
from domain.simulation.table import Table


def plain(plan: RoundPlan, seats: int = 1) -> RoundPlan:
    """An ordinary round of so many seats or more; another is no place for this incident."""
    if plan.irregularity is not None or plan.parts or plan.new_dealer or plan.order:
        raise NotHereError("something else happens in this round")
    if len(plan.seats) < seats:
        raise NotHereError("there are too few players")
    return plan


def numbers(plan: RoundPlan) -> list[int]:
    """Its seats from the dealer's left."""
    return sorted(seat.seat for seat in plan.seats)


def of(plan: RoundPlan, number: int) -> SeatPlan:
    """The plan of one seat."""
    return next(seat for seat in plan.seats if seat.seat == number)


def with_seat(plan: RoundPlan, number: int, **fields: Any) -> RoundPlan:
    """The round with this seat otherwise."""
    seats = [msgspec.structs.replace(seat, **fields) if seat.seat == number else seat for seat in plan.seats]
    return msgspec.structs.replace(plan, seats=tuple(seats))


def with_wager(plan: RoundPlan, number: int, **wagers: int) -> RoundPlan:
    """The round with these wagers at a seat besides its own."""
    return with_seat(plan, number, wagers={**of(plan, number).wagers, **wagers})


def holding(plan: RoundPlan, number: int, held: str, *acts: str, **fields: Any) -> RoundPlan:
    """The round with these cards at a seat, and what it does with them."""
    return with_seat(plan, number, cards=cards(held), acts=acts, **fields)


def dealt(plan: RoundPlan, **places: str) -> RoundPlan:
    """The round with these cards at the dealer's place, on the board, in the box."""
    return msgspec.structs.replace(plan, **{place: cards(held) for place, held in places.items()})


def having(plan: RoundPlan, **parts: Any) -> RoundPlan:
    """The round with these parts besides."""
    return msgspec.structs.replace(plan, parts={**plan.parts, **parts})


def by_book(stagings: Mapping[str, Staging]) -> Staging:
    """What each game needs of its own; a game that is not named plays the round as it is."""

    def staging(table: Table, plan: RoundPlan, dealt_before: int) -> RoundPlan:
        chosen = stagings.get(table.book)
        return plan if chosen is None else chosen(table, plan, dealt_before)

    return staging


def everybody(*acts: str) -> Staging:
    """Whoever plays does this."""

    def staging(_: Table, plan: RoundPlan, __: int) -> RoundPlan:
        for number in numbers(plain(plan)):
            plan = with_seat(plan, number, acts=acts)
        return plan

    return staging


def somebody(*acts: str) -> Staging:
    """The first player does this."""

    def staging(_: Table, plan: RoundPlan, __: int) -> RoundPlan:
        return with_seat(plain(plan), numbers(plan)[0], acts=acts)

    return staging


_REQUIRED = ("ante", "blind", "bonus5", "original")


def with_hands(table: Table, plan: RoundPlan, many: int) -> RoundPlan:
    """The round with so many hands: some sit out, or somebody joins in."""
    seats = sorted(plan.seats, key=lambda seat: seat.seat)[:many]
    taken = {seat.seat for seat in plan.seats}
    free = [number for number in range(1, table.setup.positions + 1) if number not in taken]
    free.sort(key=lambda number: number not in table.seated)  # who sits there already plays first
    like = {wager: cents for wager, cents in seats[0].wagers.items() if wager in _REQUIRED}
    for number in free[: many - len(seats)]:
        player = table.seated.get(number, f"{table.setup.table}-guest-{number}")
        seats.append(SeatPlan(number, like, player=player))
    return msgspec.structs.replace(plan, seats=tuple(sorted(seats, key=lambda seat: seat.seat)))


def two_face_up(table: Table, plan: RoundPlan, nth: int) -> RoundPlan:
    """Two cards turn up face up in the first deal; Fast Action's shoe runs out. Rounds after it are like any other."""
    if nth:
        return plan
    plain(plan, 2)
    if table.book == "FAH":
        return msgspec.structs.replace(plan, irregularity=wrong("insufficient-cards", stage="dealing"))
    found = tuple(Found(card, after) for after, card in enumerate(plan.shuffled[-2:], start=3))
    return msgspec.structs.replace(plan, irregularity=Irregularity("card-face-up", found=found))
