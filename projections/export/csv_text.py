"""Tables as CSV, as RFC 4180 has it, and safe in a spreadsheet: no text in it is taken for a formula."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Final

from projections.export.columns import TABLES, Cell, Cells

GUARDED: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_GUARD = "'"
_LINE_END = "\r\n"


def guarded(cell: Cell) -> Cell:
    """A text that a spreadsheet would take for a formula, with an apostrophe before it; any other cell as it is."""
    return _GUARD + cell if isinstance(cell, str) and cell.startswith(GUARDED) else cell


def head(table: str) -> bytes:
    """The header row."""
    return rows_of([tuple(column.name for column in TABLES[table])])


def rows_of(rows: Iterable[Cells]) -> bytes:
    """These rows as lines."""
    text = StringIO(newline="")
    csv.writer(text, lineterminator=_LINE_END).writerows(map(guarded, row) for row in rows)
    return text.getvalue().encode()


def read_rows(lines: Iterable[str]) -> Iterator[list[str]]:
    """The rows of a table, its header first, the cells as they stand there."""
    return csv.reader(lines)
