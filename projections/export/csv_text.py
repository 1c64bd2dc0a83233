"""Tables as CSV of RFC 4180, safe in a spreadsheet: no text is read as a formula."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Final

from projections.export.columns import TABLES, Cell, Cells

GUARDED: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_GUARD = "'"
_LINE_END = "\r\n"


def guarded(cell: Cell) -> Cell:
    """Return a cell, with an apostrophe before a text that a spreadsheet would read as a formula."""
    return _GUARD + cell if isinstance(cell, str) and cell.startswith(GUARDED) else cell


def head(table: str) -> bytes:
    """Return the header row."""
    return rows_of([tuple(column.name for column in TABLES[table])])


def rows_of(rows: Iterable[Cells]) -> bytes:
    """Return these rows as lines."""
    text = StringIO(newline="")
    csv.writer(text, lineterminator=_LINE_END).writerows(map(guarded, row) for row in rows)
    return text.getvalue().encode()


def read_rows(lines: Iterable[str]) -> Iterator[list[str]]:
    """The rows of a table, header first, with their cells as written."""
    return csv.reader(lines)
