"""The days outside an export that its figures to date include: each table's bank.

They are read at the same checkpoint and checked against its tree like every other record; only their sums go into the
export.
"""

from collections.abc import Iterator, Sequence

from consumers.exporting.record import ExportableRecord, readable
from consumers.exporting.selecting import Selection
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.watch.corrected import corrected, told_by
from projections.export.told import BANK, ListedTableDay, TableMoney

_KINDS: tuple[type[Fact], ...] = (*BANK, Corrected)
_READ = tuple(f'{{"type":"{kind.__struct_config__.tag}"'.encode() for kind in _KINDS)


def tables_of(record: ExportableRecord, selection: Selection) -> list[str]:
    """The tables whose days may count, in byte order; empty if the question asks for nothing to date."""
    if not selection.scope.to_date or not selection.whole:
        return []
    return sorted({table for each in record.streams("facts") if _counts(selection, table := owner(each))})


def _counts(selection: Selection, table: str) -> bool:
    return table != PROPERTY and selection.scope.has_table(table)


def days_of(record: ExportableRecord, selection: Selection, table: str) -> Iterator[ListedTableDay]:
    """A table's days outside the export, from the beginning of the previous year to its last day."""
    shown = sorted(each.partition("/")[2] for each in selection.whole)
    first, last = f"{int(shown[0][:4]) - 1:04d}-01-01", shown[-1]
    streams = [each for each in record.streams("facts") if owner(each) == table and each.partition("/")[2] >= first]
    told: dict[str, Sequence[Fact]] = {each: _told(record, each) for each in streams}
    known = told_by(fact for facts in told.values() for fact in facts)
    for stream, facts in told.items():
        if stream not in selection.whole and stream.partition("/")[2] <= last:
            bank = TableMoney()
            for fact in facts:
                read = corrected(fact, known.get(stream, {}).get(fact.sequence))
                if isinstance(read, BANK):
                    bank.take(read)
            day = bank.day(stream, shown=False)
            if not selection.scope.games or day.game in selection.scope.games:
                yield day


def _told(record: ExportableRecord, stream: str) -> list[Fact]:
    """The facts of a day about its bank, and its corrections."""
    held = record.unread("facts", stream)
    placed = zip(held.places, held.stored, strict=True)
    found = (readable("facts", stream, at, stored) for at, stored in placed if stored.startswith(_READ))
    return [fact for fact in found if fact is not None]
