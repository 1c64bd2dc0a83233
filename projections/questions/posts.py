"""Meters and staff: the current amount of each progressive, and who was at which table when."""

from datetime import date, datetime

import msgspec

from projections.questions.asking import Conditions, Reading, rows


class MeterRow(msgspec.Struct, frozen=True, kw_only=True):
    """One progressive meter on one day."""

    table: str
    gaming_day: date
    meter: str
    opened_cents: int | None
    stands_cents: int | None
    risen_cents: int | None
    awards: int | None


class TablePost(msgspec.Struct, frozen=True, kw_only=True):
    """One stay of a member of staff at one table."""

    table: str
    gaming_day: date
    person: str
    role: str
    came_at: datetime | None
    went_at: datetime | None
    first_round: int | None
    last_round: int | None
    zone: str | None


def meters(reading: Reading, *, table: str = "", first: date | None = None, last: date | None = None) -> list[MeterRow]:
    """Return the meters of these days, or of each table's last day if none is named."""
    newest = "" if first or last else 'QUALIFY rank() OVER (PARTITION BY "table" ORDER BY gaming_day DESC) = 1 '
    where = Conditions().add('"table" = ?', table).days(first, last)
    query = f"""SELECT "table", gaming_day, meter, opened_cents, stands_cents, risen_cents, awards
        FROM meters{where}{newest}ORDER BY gaming_day, "table", meter"""
    return rows(reading, MeterRow, query, where.values)


def staff(
    reading: Reading,
    *,
    table: str = "",
    person: str = "",
    role: str = "",
    first: date | None = None,
    last: date | None = None,
    at: datetime | None = None,
) -> list[TablePost]:
    """Return who was where: at one moment, on these days, or on each table's last day."""
    named = first or last or at or person
    newest = "" if named else 'QUALIFY rank() OVER (PARTITION BY s."table" ORDER BY s.gaming_day DESC) = 1 '
    where = Conditions().add('s."table" = ?', table).add("s.person = ?", person).add("s.role = ?", role)
    where.days(first, last, "s.gaming_day")
    where.times(at, at, "s.came_at", "coalesce(s.went_at, t.closed_at, TIMESTAMP '9999-01-01')")
    query = f"""SELECT s."table", s.gaming_day, s.person, s.role, s.came_at, s.went_at, s.first_round, s.last_round,
        t.zone FROM staff s LEFT JOIN tables t ON t.stream = s.stream{where}{newest}
        ORDER BY s.gaming_day, s."table", s.came_at, s.number"""
    return rows(reading, TablePost, query, where.values)
