"""Players at one simulated table: between rounds they come, sit, move, buy more chips and leave."""

from collections.abc import Iterable, Iterator
from random import Random

import msgspec

from domain.facts import players as player_facts
from domain.facts import table_money
from domain.simulation import opening
from domain.simulation.pace import MINUTE
from domain.simulation.players import TableVisit, buys_in_for
from domain.simulation.table import TableInPlay

_WORTH_WHILE = 5 * MINUTE  # the shortest stay for which anyone sits down


class SeatedPlayer(msgspec.Struct):
    """A player at the table, at one seat or at several adjacent ones."""

    visit: TableVisit
    seats: tuple[int, ...]
    bought: int = 0  # times since sitting down
    moved: bool = False


class TableSeating:
    """The players at the table, and those still to come."""

    def __init__(self, table: TableInPlay, visits: Iterable[TableVisit], least_cents: int) -> None:
        self.table = table
        self.least_cents = least_cents
        self.here: dict[str, SeatedPlayer] = {}
        self._to_come: Iterator[TableVisit] = iter(visits)
        self._next = next(self._to_come, None)

    def next_comes(self) -> int | None:
        """Return when the next player comes who stays long enough; None if nobody does."""
        now = self.table.post.at
        while self._next is not None and self._next.goes < max(now, self._next.comes) + _WORTH_WHILE:
            self._next = next(self._to_come, None)
        return self._next.comes if self._next is not None else None

    def take_next(self) -> TableVisit:
        """Return the next player to come."""
        if self._next is None:
            raise LookupError("nobody is to come any more")
        visit, self._next = self._next, next(self._to_come, None)
        return visit

    def go(self) -> None:
        """Have players leave whose time is over."""
        now = self.table.post.at
        for player, sitting in list(self.here.items()):
            if sitting.visit.goes <= now:
                for seat in sitting.seats:
                    if self.table.seated.get(seat) == player:
                        opening.leave(self.table, seat)
            if not any(self.table.seated.get(seat) == player for seat in sitting.seats):
                del self.here[player]

    def come(self, own: Random) -> None:
        """Seat all arrivals while there is room; the others go elsewhere."""
        while (comes := self.next_comes()) is not None and comes <= self.table.post.at:
            visit = self.take_next()
            if self.free() and visit.player not in self.here:
                self.sit(visit, own)

    def free(self) -> list[int]:
        """Return the free positions."""
        return [seat for seat in range(1, self.table.setup.positions + 1) if seat not in self.table.seated]

    def seats_for(self, visit: TableVisit) -> tuple[int, ...]:
        """Return as many adjacent seats as this player wants, or one."""
        free = self.free()
        for many in range(visit.positions, 0, -1):
            runs = [seat for seat in free if all(seat + more in free for more in range(many))]
            if runs:
                first = runs[visit.pick % len(runs)]
                return tuple(range(first, first + many))
        raise LookupError("the table is full")

    def sit(self, visit: TableVisit, own: Random) -> None:
        """Seat a player, who buys chips."""
        seats = self.seats_for(visit)
        opening.sit(self.table, seats[0], visit.player, buys_in_for(visit.taste, self.least_cents, own))
        self.add(visit, seats)

    def add(self, visit: TableVisit, seats: tuple[int, ...]) -> None:
        """Give the other seats to a player who has the first of them."""
        for seat in seats[1:]:
            self.table.post.say(player_facts.PlayerSeated, seat, visit.player)
            self.table.seated[seat] = visit.player
        self.here[visit.player] = SeatedPlayer(visit, seats)

    def stir(self, own: Random) -> None:
        """Have players buy more chips or change seats."""
        table, now = self.table, self.table.post.at
        for player, sitting in self.here.items():
            visit = sitting.visit
            if sitting.bought < len(visit.buys_again) and visit.buys_again[sitting.bought] <= now:
                sitting.bought += 1
                cents = buys_in_for(visit.taste, self.least_cents, own)
                table.post.say(table_money.BoughtIn, sitting.seats[0], player, cents)
                table.tray_cents -= cents
                table.drop_cents += cents
            if visit.moves_at is not None and visit.moves_at <= now and not sitting.moved and self.free():
                sitting.moved = True
                (old,), new = sitting.seats, self.free()[visit.pick % len(self.free())]
                opening.leave(table, old)
                table.post.say(player_facts.PlayerSeated, new, player)
                table.seated[new] = player
                sitting.seats = (new,)
