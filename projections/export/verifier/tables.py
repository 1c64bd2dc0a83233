"""The tables: each is read in its one canonical form, and compared with what follows from the records."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any, Callable, NamedTuple

from projections.export.verifier.columns import COLUMNS
from projections.export.verifier.container import MOST_OF_A_LINE, Export
from projections.export.verifier.places import table_path
from projections.export.verifier.trouble import AlteredError, Line

DERIVED = ("paid", "findings", "table_money", "counts", "openers", "card_record", "statistics")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_A_NUMBER = "(?:0|-?[1-9][0-9]{0,39})"  # longer ones are too slow to add
INTEGER = re.compile(_A_NUMBER)


class Row(NamedTuple):
    """A row of a table: its number from 1 without the header, its first line and byte in the file, its cells."""

    number: int
    line: int
    byte: int
    cells: list[str]


def guarded(text: str) -> str:
    """Return a text as tables write it: an apostrophe before anything a spreadsheet could take for a formula."""
    return "'" + text if text.startswith(FORMULA) else text


def unguarded(cell: str) -> str:
    """Return the text of such a cell."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def figure(value: Any) -> str:
    """Return a number as tables write it; an unknown number is an empty cell."""
    if value is None:
        return ""
    if type(value) is not int:
        raise TypeError(f"{value!r} is not a number")
    return str(value)


def row_text(cells: Sequence[str]) -> str:
    """Return a row as tables write it."""
    return ",".join(_quoted(cell) if _NEEDS_QUOTES.search(cell) else cell for cell in cells) + "\r\n"


_NEEDS_QUOTES = re.compile('[",\r\n]')


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def table_rows(export: Export, name: str) -> Iterator[Row]:
    """The rows of a table after its header, each in canonical form. Hot path: most need one check."""
    path, columns, count = table_path(name), COLUMNS[name], -1
    plain = re.compile(",".join(_PLAIN_NUMBER if column.startswith("*") else _PLAIN_TEXT for column in columns) + "\r")
    for line, stored in _rows_stored(export, path):
        count += 1
        try:
            text = stored.decode()
            if count and plain.fullmatch(text):
                yield Row(count, line.number, line.byte, text[:-1].split(","))
                continue
            cells = _cells(text + "\n", columns, head=not count)
        except (ValueError, csv.Error, StopIteration) as error:
            raise AlteredError(str(error), path, line=line.number, byte=line.byte) from error
        if count:
            yield Row(count, line.number, line.byte, cells)
    if count < 0:
        raise AlteredError("it has no header row", path)


_PLAIN_NUMBER = f"{_A_NUMBER}?"
_PLAIN_TEXT = '(?:[^=+\\-@\t\r\n",][^\r\n",]*)?'


def _rows_stored(export: Export, path: str) -> Iterator[tuple[Line, bytes]]:
    """The first line of each row, and all of its bytes: a quoted cell may contain line ends."""
    begun: list[Line] = []
    quotes = size = 0
    for line in export.lines(path):
        if not begun and b'"' not in line.text:
            yield line, line.text
            continue
        begun.append(line)
        quotes, size = quotes + line.text.count(b'"'), size + len(line.text) + 1
        if quotes % 2 == 0:
            yield begun[0], b"\n".join(each.text for each in begun)
            begun, quotes, size = [], 0, 0
        elif size > MOST_OF_A_LINE:
            break
    if begun:
        raise AlteredError("a cell is not closed", path, line=begun[0].number, byte=begun[0].byte)


def _cells(text: str, columns: Sequence[str], *, head: bool) -> list[str]:
    """Return the cells of a row; raise unless writing them again gives the same text."""
    csv.field_size_limit(MOST_OF_A_LINE)
    cells = next(csv.reader(io.StringIO(text, newline=""), strict=True))
    if row_text(cells) != text:
        raise ValueError("it is not written like a row of a table")
    if head:
        if cells != [column.lstrip("*") for column in columns]:
            raise ValueError("the columns are different")
        return cells
    if len(cells) != len(columns):
        raise ValueError(f"it has {len(cells)} cells, but the table has {len(columns)} columns")
    for column, cell in zip(columns, cells):
        if column.startswith("*") and cell and not INTEGER.fullmatch(cell):
            raise ValueError(f"{cell!r} is not a number")
        if not column.startswith("*") and cell.startswith(FORMULA):
            raise ValueError("a cell begins like a formula")
    return cells


def compare(name: str, here: Row, due: list[str], of: str) -> None:
    """Raise at the first cell of a row that differs from what the records, or other tables, give."""
    if here.cells != due:
        at = next(n for n, (one, other) in enumerate(zip(here.cells, due)) if one != other)
        column = COLUMNS[name][at].lstrip("*")
        says = f"row {here.number} has {here.cells[at]!r} for {column}, but the {of} give {due[at]!r}"
        byte = here.byte + len(row_text([*here.cells[:at], ""]).encode()) - 2
        raise AlteredError(says, table_path(name), line=here.line, byte=byte)


class Derived:
    """A table that follows from the records, or from other tables, compared row by row while these are read."""

    def __init__(self, export: Export, name: str, of: str = "records") -> None:
        self._rows, self._name, self._of, self.count = table_rows(export, name), name, of, 0

    def row(self, wanted: Callable[[list[str]], list[str]] | list[str]) -> None:
        """Compare the next row with the given one, or with the one made from the cells in the table."""
        self.count += 1
        here = next(self._rows, None)
        if here is None:
            due = wanted if isinstance(wanted, list) else wanted([""] * len(COLUMNS[self._name]))
            raise AlteredError(f"row {self.count} is missing: {row_text(due).strip()}", table_path(self._name))
        compare(self._name, here, wanted if isinstance(wanted, list) else wanted(here.cells), self._of)

    def end(self) -> None:
        """Raise if rows are left."""
        if (here := next(self._rows, None)) is not None:
            says = f"row {here.number} follows from no {self._of[:-1]}"
            raise AlteredError(says, table_path(self._name), line=here.line, byte=here.byte)


class Ahead:
    """The rows of a table, with the next one in view."""

    def __init__(self, export: Export, name: str) -> None:
        self.name, self._rows = name, table_rows(export, name)
        self.next: Row | None = next(self._rows, None)
        self.count = 0

    def take(self, due: Callable[[list[str]], list[str]], of: str = "records") -> list[str]:
        """Compare the next row with the one made from its cells, and return it."""
        here = self.next
        if here is None:
            missing = row_text(due([""] * len(COLUMNS[self.name]))).strip()
            raise AlteredError(f"row {self.count + 1} is missing: {missing}", table_path(self.name))
        compare(self.name, here, due(here.cells), of)
        self.next, self.count = next(self._rows, None), self.count + 1
        return here.cells

    def end(self) -> None:
        """Raise if rows are left."""
        if self.next is not None:
            says = f"row {self.next.number} follows from no record"
            raise AlteredError(says, table_path(self.name), line=self.next.line, byte=self.next.byte)
