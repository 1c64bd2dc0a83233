"""Openers beside the previous closers, in the form of `projections/questions/openers.py`, from the exported days."""

from collections.abc import Iterable, Iterator
from zoneinfo import ZoneInfo

from projections.export.columns import Cells
from projections.export.told import ListedTableDay
from projections.export.zones import told
from projections.questions.openers import COPY_FROM, REPORT_ABOVE


def rows_of(days: Iterable[ListedTableDay], zone: ZoneInfo) -> Iterator[Cells]:
    """A row for each exported day; of the day before an exported one only the closer is used."""
    before: dict[str, ListedTableDay] = {}
    for day in sorted(days, key=lambda each: each.stream):
        if day.shown:
            yield _row(day, before.get(day.table), zone)
        before[day.table] = day


def _row(day: ListedTableDay, before: ListedTableDay | None, zone: ZoneInfo) -> Cells:
    closer = before.closer_cents if before is not None else None
    known = day.opener_cents is not None and closer is not None
    difference = (day.opener_cents or 0) - (closer or 0) if known else None
    opened = "" if day.opened_at is None else told(day.opened_at, zone)
    amounts = ("" if cents is None else cents for cents in (closer, day.opener_cents, difference))
    closed_on = before.gaming_day if before is not None else ""
    return (day.stream, day.table, day.gaming_day, opened, closed_on, *amounts, _duty(day, before, difference))


def _duty(day: ListedTableDay, before: ListedTableDay | None, difference: int | None) -> str:
    # N.J.A.C. 13:69D-1.21(e)
    if before is None:
        return "first day on record"
    if day.opener_cents is None:
        return "the opener is not on record"
    if difference is None:
        return "the previous closer is not on record"
    if abs(difference) >= COPY_FROM:
        return "signed report, copy to the regulator"
    if abs(difference) > REPORT_ABOVE:
        return "signed report"
    return "report at once" if difference else ""
