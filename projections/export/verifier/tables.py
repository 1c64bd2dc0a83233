"""The tables: each is read in the one form a table has, and compared with what follows from the records."""

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
_A_NUMBER = "(?:0|-?[1-9][0-9]{0,39})"  # longer ones nobody adds up in a hurry
INTEGER = re.compile(_A_NUMBER)


class Row(NamedTuple):
    """A row of a table: its number from 1, the header not counted, its first line and byte in the file, its cells."""

    number: int
    line: int
    byte: int
    cells: list[str]


def guarded(text: str) -> str:
    """A text as a table has it: what a program could take for a formula begins with an apostrophe."""
    return "'" + text if text.startswith(FORMULA) else text


def unguarded(cell: str) -> str:
    """The text that such a cell is of."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def figure(value: Any) -> str:
    """A number as a table has it; one that is not known is an empty cell."""
    if value is None:
        return ""
    if type(value) is not int:
        raise TypeError(f"{value!r} is no number")
    return str(value)


def row_text(cells: Sequence[str]) -> str:
    """A row as it is written."""
    return ",".join(_quoted(cell) if _NEEDS_QUOTES.search(cell) else cell for cell in cells) + "\r\n"


_NEEDS_QUOTES = re.compile('[",\r\n]')


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def table_rows(export: Export, name: str) -> Iterator[Row]:
    """The rows of a table behind its header, each in the one form it has. Named hot: most need one look."""
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
    """A row's first line, and all of it: a quoted cell may hold line ends."""
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
    """The cells of a row; written again, they have to be the same text."""
    csv.field_size_limit(MOST_OF_A_LINE)
    cells = next(csv.reader(io.StringIO(text, newline=""), strict=True))
    if row_text(cells) != text:
        raise ValueError("it is not written as a row of a table is")
    if head:
        if cells != [column.lstrip("*") for column in columns]:
            raise ValueError("the columns are others")
        return cells
    if len(cells) != len(columns):
        raise ValueError(f"it has {len(cells)} cells, and the table {len(columns)} columns")
    for column, cell in zip(columns, cells):
        if column.startswith("*") and cell and not INTEGER.fullmatch(cell):
            raise ValueError(f"{cell!r} is no number")
        if not column.startswith("*") and cell.startswith(FORMULA):
            raise ValueError("a cell begins as a formula does")
    return cells


def compare(name: str, here: Row, due: list[str], of: str) -> None:
    """Raises at the first cell of a row that is another than the records, or other tables, come to."""
    if here.cells != due:
        at = next(n for n, (one, other) in enumerate(zip(here.cells, due)) if one != other)
        column = COLUMNS[name][at].lstrip("*")
        says = f"row {here.number} has {here.cells[at]!r} for {column}, and the {of} come to {due[at]!r}"
        byte = here.byte + len(row_text([*here.cells[:at], ""]).encode()) - 2
        raise AlteredError(says, table_path(name), line=here.line, byte=byte)


class Derived:
    """A table that follows from the records, or from other tables, compared row by row as these are read."""

    def __init__(self, export: Export, name: str, of: str = "records") -> None:
        self._rows, self._name, self._of, self.count = table_rows(export, name), name, of, 0

    def row(self, wanted: Callable[[list[str]], list[str]] | list[str]) -> None:
        """The next row, which has to be this one, or the one that is made in view of what stands there."""
        self.count += 1
        here = next(self._rows, None)
        if here is None:
            due = wanted if isinstance(wanted, list) else wanted([""] * len(COLUMNS[self._name]))
            raise AlteredError(f"row {self.count} is missing: {row_text(due).strip()}", table_path(self._name))
        compare(self._name, here, wanted if isinstance(wanted, list) else wanted(here.cells), self._of)

    def end(self) -> None:
        """Behind the last row nothing may stand."""
        if (here := next(self._rows, None)) is not None:
            says = f"row {here.number} follows from no {self._of[:-1]}"
            raise AlteredError(says, table_path(self._name), line=here.line, byte=here.byte)


class Ahead:
    """The rows of a table, with a look at the next one."""

    def __init__(self, export: Export, name: str) -> None:
        self.name, self._rows = name, table_rows(export, name)
        self.next: Row | None = next(self._rows, None)
        self.count = 0

    def take(self, due: Callable[[list[str]], list[str]], of: str = "records") -> list[str]:
        """The next row, which has to be what is made in view of it."""
        here = self.next
        if here is None:
            missing = row_text(due([""] * len(COLUMNS[self.name]))).strip()
            raise AlteredError(f"row {self.count + 1} is missing: {missing}", table_path(self.name))
        compare(self.name, here, due(here.cells), of)
        self.next, self.count = next(self._rows, None), self.count + 1
        return here.cells

    def end(self) -> None:
        """Behind the last row nothing may stand."""
        if self.next is not None:
            says = f"row {self.next.number} follows from no record"
            raise AlteredError(says, table_path(self.name), line=self.next.line, byte=self.next.byte)
