"""The tables as one XLSX, made from the CSV files line by line in one fixed form.

A cell has exactly one form, so that a verifier can rebuild the sheets and compare bytes. The zip is stored without
compression, because compressed bytes depend on the library.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from projections.export.columns import TABLES
from projections.export.csv_text import read_rows

MOST_ROWS: Final = 1_000_000  # of all tables together
_LONGEST, _CUT = 32_767, 32_000  # letters of a cell
_MOST_DIGITS = 15  # the longest number that a spreadsheet keeps exactly
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_PARTS = "http://schemas.openxmlformats.org/package/2006/relationships"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
# Characters that XML cannot hold or would change, and text that a spreadsheet would read as such an escape.
_UNHELD = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_PLACES = 4_096  # rows joined before they are written


def write(out: IO[bytes], tables: Mapping[str, Path]) -> None:
    """Write the workbook of these CSV files, a sheet each, in the order of their names."""
    names = sorted(tables)
    with ZipFile(out, "w", ZIP_STORED) as whole:
        for part, text in _frame(names).items():
            whole.writestr(_entry(part), text)
        for number, name in enumerate(names, start=1):
            with whole.open(_entry(f"xl/worksheets/sheet{number}.xml"), "w") as sheet:
                _sheet(sheet.write, name, tables[name])


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.create_system = 0  # the same on every machine
    entry.external_attr = 0
    return entry


def _frame(names: Sequence[str]) -> dict[str, str]:
    """Return the parts of a workbook other than its sheets."""
    numbered = list(enumerate(names, start=1))
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{_SHEET}.worksheet+xml"/>'
        for number, _ in numbered
    )
    sheets = "".join(f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>' for number, name in numbered)
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{_LINKS}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number, _ in numbered
    )
    return {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_TYPES}">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET}.sheet.main+xml"/>{parts}</Types>',
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PARTS}"><Relationship Id="rId1" '
        f'Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_PARTS}">{links}</Relationships>',
    }


def _sheet(write: Callable[[bytes], object], name: str, file: Path) -> None:
    write(
        f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" '
        'topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>'.encode()
    )
    waiting: list[str] = []
    for row in _rows(name, file):
        waiting.append(row)
        if len(waiting) >= _PLACES:
            write("".join(waiting).encode())
            waiting = []
    write(("".join(waiting) + "</sheetData></worksheet>").encode())


def _rows(name: str, file: Path) -> Iterator[str]:
    letters = [chr(ord("A") + place) for place in range(len(TABLES[name]))]
    numbers = [column.integer for column in TABLES[name]]
    with file.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(read_rows(lines), start=1):
            cells = (
                _cell(f"{letter}{number}", cell, integer=integer and number > 1)
                for letter, cell, integer in zip(letters, row, numbers, strict=True)
                if cell
            )
            yield f'<row r="{number}">{"".join(cells)}</row>'


def _cell(place: str, cell: str, *, integer: bool) -> str:
    if integer and len(cell.lstrip("-")) <= _MOST_DIGITS:
        return f'<c r="{place}"><v>{cell}</v></c>'
    text = cell if len(cell) <= _LONGEST else cell[:_CUT] + "…"
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _UNHELD.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
