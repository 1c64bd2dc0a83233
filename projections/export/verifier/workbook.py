"""The workbook: rebuilt from the CSV files, and compared byte for byte as it is read."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

from projections.export.verifier.columns import COLUMNS
from projections.export.verifier.container import Export
from projections.export.verifier.places import WORKBOOK, table_path
from projections.export.verifier.tables import table_rows
from projections.export.verifier.trouble import AlteredError

MOST_ROWS_OF_A_WORKBOOK = 1_000_000
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_PARTS = "http://schemas.openxmlformats.org/package/2006/relationships"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_BEFORE_ROWS = (
    f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" '
    'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>'
)
_BEHIND_ROWS = "</sheetData></worksheet>"


def workbook_frame(names: Sequence[str]) -> dict[str, bytes]:
    """Return the parts of a workbook other than its sheets."""
    parts, sheets, links = "", "", ""
    for place, name in enumerate(names, 1):
        parts += f'<Override PartName="/xl/worksheets/sheet{place}.xml" ContentType="{_SHEET}.worksheet+xml"/>'
        sheets += f'<sheet name="{name}" sheetId="{place}" r:id="rId{place}"/>'
        links += f'<Relationship Id="rId{place}" Type="{_LINKS}/worksheet" Target="worksheets/sheet{place}.xml"/>'
    frame = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_TYPES}">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET}.sheet.main+xml"/>{parts}</Types>',
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PARTS}"><Relationship Id="rId1" '
        f'Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_PARTS}">{links}</Relationships>',
    }
    return {path: text.encode() for path, text in frame.items()}


_IN_XML = re.compile("[&<>\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def _escaped(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[0]) or f"_x{ord(found[0]):04X}_"


def _in_a_cell(text: str) -> str:
    if len(text) > 32767:
        text = text[:32000] + "…"
    return _IN_XML.sub(_escaped, text)


def sheet_row(number_of: int, cells: Sequence[str], numbers: frozenset[int]) -> str:
    """Return a row of a sheet."""
    made = [f'<row r="{number_of}">']
    for at, cell in enumerate(cells):
        if not cell:
            continue
        if at in numbers and len(cell) <= 15 + (cell[0] == "-"):
            made.append(f'<c r="{_LETTERS[at]}{number_of}"><v>{cell}</v></c>')
        else:
            text = cell if len(cell) < 32768 and not _IN_XML.search(cell) else _in_a_cell(cell)
            made.append(
                f'<c r="{_LETTERS[at]}{number_of}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
            )
    made.append("</row>")
    return "".join(made)


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Workbook:
    """The workbook, read once from first byte to last and compared with the required bytes."""

    def __init__(self, export: Export) -> None:
        self._export, self._member = export, export.members[WORKBOOK]
        self._at = 0
        self._central: list[bytes] = []
        self._begun: tuple[str, int, int, int] = ("", 0, 0, 0)  # of a part: its name, place, and stated CRC-32 and size
        self._sum = self._size = 0

    def take(self, due: bytes, says: str) -> None:
        """Compare the next bytes."""
        here = self._export.part(self._member, self._at, len(due))
        if here != due:
            at = next((n for n, (one, other) in enumerate(zip(here, due)) if one != other), len(here))
            raise AlteredError(says, WORKBOOK, byte=self._at + at)
        self._at += len(due)

    def are_next(self, due: bytes) -> bool:
        """Return whether these are the next bytes."""
        return self._export.part(self._member, self._at, len(due)) == due

    def begin(self, name: str) -> None:
        """Begin a part: the checksum and size stated before its bytes are compared after them."""
        told = self._export.part(self._member, self._at + 14, 8)
        crc, size = int.from_bytes(told[:4], "little"), int.from_bytes(told[4:8], "little")
        self._begun, self._sum, self._size = (name, self._at, crc, size), 0, 0
        head = b"PK\x03\x04" + self._of_a_part(name, crc, size) + name.encode()
        self.take(head, f"it differs from an export's workbook where {name} begins")

    def part(self, due: bytes, says: str) -> None:
        """Compare bytes of the part."""
        self.take(due, says)
        self._sum, self._size = zlib.crc32(due, self._sum), self._size + len(due)

    def end_of_part(self) -> None:
        """End the part and compare its size and checksum."""
        name, at, crc, size = self._begun
        if (crc, size) != (self._sum, self._size):
            raise AlteredError(f"it states a different size or checksum of {name} than it has", WORKBOOK, byte=at)
        told = self._of_a_part(name, crc, size) + bytes(8) + b"\x80\x01" + at.to_bytes(4, "little")
        self._central.append(b"PK\x01\x02\x14\x00" + told + name.encode())

    @staticmethod
    def _of_a_part(name: str, crc: int, size: int) -> bytes:
        twice = size.to_bytes(4, "little") * 2
        return b"\x14\0\0\0\0\0\0\0\x21\0" + crc.to_bytes(4, "little") + twice + len(name).to_bytes(4, "little")

    def end(self) -> None:
        """Compare the list of parts; nothing may follow it."""
        listed, at, count = b"".join(self._central), self._at, len(self._central).to_bytes(2, "little")
        end = b"PK\x05\x06\0\0\0\0" + count * 2 + len(listed).to_bytes(4, "little") + at.to_bytes(4, "little")
        self.take(listed + end + b"\0\0", "its list of parts is not that of an export's workbook")
        if self._at != self._member.size:
            raise AlteredError("there is more after its end", WORKBOOK, byte=self._at)


def check_tables(export: Export) -> int:
    """Check every table, and the workbook beside them; return the number of rows."""
    names = sorted(name for name in COLUMNS if table_path(name) in export.members)
    here = {path for path in export.members if path.startswith("data/tables/")}
    if missing := [name for name in COLUMNS if name not in names and name != "players"]:
        raise AlteredError("it is not in the export", table_path(missing[0]))
    if strange := sorted(here - {table_path(name) for name in names}):
        raise AlteredError("it is not a table of an export", strange[0])
    book = Workbook(export) if WORKBOOK in export.members else None
    if book:
        for part, text in workbook_frame(names).items():
            book.begin(part)
            book.part(text, f"{part} is not that of an export's workbook")
            book.end_of_part()
    count, as_lines = 0, 0
    for place, name in enumerate(names, 1):
        of_table, lines = _check_table(export, book, place, name)
        count, as_lines = count + of_table, as_lines + lines
    if book:
        book.end()
    elif as_lines <= MOST_ROWS_OF_A_WORKBOOK:
        raise AlteredError(f"it is not in the export, although the tables have only {count} rows", WORKBOOK)
    return count


def _check_table(export: Export, book: Workbook | None, place: int, name: str) -> tuple[int, int]:
    """Return the number of rows, and of the line ends of a table, including those within cells."""
    numbers = frozenset(at for at, column in enumerate(COLUMNS[name]) if column.startswith("*"))
    count = lines = 0
    waiting = [_BEFORE_ROWS]
    waiting.append(sheet_row(1, [column.lstrip("*") for column in COLUMNS[name]], frozenset()))
    if book:
        book.begin(f"xl/worksheets/sheet{place}.xml")
    for row in table_rows(export, name):
        count += 1
        lines += 1 + sum(cell.count("\r\n") for cell in row.cells if "\r" in cell)
        if book:
            waiting.append(sheet_row(row.number + 1, row.cells, numbers))
            if len(waiting) > ROWS_AT_ONCE:
                _sheet_rows(book, name, waiting, count + 2 - len(waiting))
    if book:
        _sheet_rows(book, name, waiting, count + 2 - len(waiting))
        book.part(_BEHIND_ROWS.encode(), f"sheet {name} has more rows than {table_path(name)}")
        book.end_of_part()
    return count, lines


ROWS_AT_ONCE = 1000


def _sheet_rows(book: Workbook, name: str, waiting: list[str], first: int) -> None:
    """Compare some rows of a sheet together; if they differ, compare each, so that the first difference is named."""
    due = "".join(waiting).encode()
    if not book.are_next(due):
        for at, text in enumerate(waiting, first):
            says = f"row {at} of sheet {name} is not row {at - 1} of {table_path(name)}"
            book.part(text.encode(), says if at else f"sheet {name} does not begin like a sheet of an export")
    else:
        book.part(due, "")
    waiting.clear()
