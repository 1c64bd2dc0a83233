"""A table's gaming day in the room; its money only with the right to see money."""

from datetime import date

import msgspec

from consumers.room.looking import Looking, RoomVisit, ShownAnswer
from consumers.room.readings import Look
from domain.desk.roles import Person
from projections.questions.asking import day_of
from projections.questions.decks import DeckRow, deck_ledger
from projections.questions.posts import MeterRow, TablePost, meters, staff
from projections.questions.table_day import (
    DayFinding,
    DayHead,
    DayMoney,
    Handled,
    RoundOf,
    day_head,
    days_of,
    found_of,
    handled_of,
    money_of,
    rounds_of,
    tables_of,
    zone_of_floor,
)


class TableDayView(msgspec.Struct, frozen=True):
    """One table's day. Findings, money and meters are None for a person who may not see them."""

    head: DayHead
    days: tuple[date, ...]
    rounds: tuple[RoundOf, ...]
    handled: tuple[Handled, ...]
    staff: tuple[TablePost, ...]
    decks: tuple[DeckRow, ...]
    findings: tuple[DayFinding, ...] | None
    money: DayMoney | None
    meters: tuple[MeterRow, ...] | None


class TablesRoom(Looking):
    """Questions about one table."""

    def tables(self, visit: RoomVisit) -> list[str]:
        """The names of all tables."""
        with self._look(visit, "see-floor", "page", "tables") as look:
            return tables_of(look)

    def zone(self) -> str:
        """The property's time zone, used for all times in the room."""
        with self._readings.look() as look:
            return self._shared(look, "zone", lambda: zone_of_floor(look))

    def table_day(self, visit: RoomVisit, table: str, day: date | None = None) -> ShownAnswer[TableDayView]:
        """A table's day; by default the last one."""
        subject = f"table {table}" + (f" {day}" if day else "")
        sees_money = visit.person.may("see-money")
        with self._look(visit, "see-floor", "page", subject) as look:
            chosen = day_of(look, table, day)
            decks = deck_ledger(look, table, first=chosen, last=chosen)
            told = TableDayView(
                head=day_head(look, table, chosen),
                days=tuple(days_of(look, table)),
                rounds=tuple(rounds_of(look, table, chosen)),
                handled=tuple(handled_of(look, table, chosen)),
                staff=tuple(staff(look, table=table, first=chosen, last=chosen)),
                decks=tuple(unhidden(visit.person, row) for row in decks),
                findings=self._findings(look, table, chosen) if visit.person.may("see-findings") else None,
                money=money_of(look, table, chosen) if sees_money else None,
                meters=tuple(meters(look, table=table, first=chosen, last=chosen)) if sees_money else None,
            )
            return ShownAnswer(told, look.made_at)

    def _findings(self, look: Look, table: str, day: date) -> tuple[DayFinding, ...]:
        return tuple(found_of(look, table, day, self._reviews.now().worked))


def unhidden(person: Person, row: DeckRow) -> DeckRow:
    """A deck without its named cards, for a person who may not see hidden cards: they reveal other players' cards."""
    if person.may("see-hidden-cards"):
        return row
    return msgspec.structs.replace(row, never_seen=None, duplicates=None)
