"""The forms an export is written in: cells, rows, sheets, headers of the container, names, times, questions."""

import io
import re
import tarfile
import zipfile
from pathlib import Path
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest

from projections.export import bag, container, csv_text, workbook
from projections.export.container import UncontainedError
from projections.export.question import BadQuestionError, Scope, checked
from projections.export.zones import told, zone_of

# A text, and how it stands in the CSV: what a spreadsheet would take for a formula has an apostrophe before it.
CELLS = {
    "=1+1": "'=1+1",
    "+1": "'+1",
    "-1": "'-1",
    "@SUM(A1)": "'@SUM(A1)",
    "\t=1": "'\t=1",
    "\r=1": '"\'\r=1"',
    "\n=1": '"\'\n=1"',
    '=HYPERLINK("x")': '"\'=HYPERLINK(""x"")"',
    " =1": " =1",
    "a,b": '"a,b"',
    'say "x"': '"say ""x"""',
    "As Kd": "As Kd",
    "": "",
}


@pytest.mark.parametrize("text", CELLS)
def test_no_text_becomes_a_formula(text: str) -> None:
    assert csv_text.rows_of([(text, "end")]).decode() == f"{CELLS[text]},end\r\n"


def test_a_number_stays_a_number() -> None:
    assert csv_text.rows_of([(-500, 0)]) == b"-500,0\r\n"


def test_the_workbook_opens_and_says_what_the_tables_say(tmp_path: Path) -> None:
    """Read as XML by a parser of others: markup, control characters and formulas among the texts."""
    rows = [("p-<&>", "=cmd|' /C calc'!A0"), ("\x07bell _x0041_", "two\nlines\rreturn"), ("p-1", "x" * 40_000)]
    file = tmp_path / "players.csv"
    file.write_bytes(csv_text.head("players") + csv_text.rows_of(rows))
    paid = tmp_path / "paid.csv"
    paid.write_bytes(csv_text.head("paid") + csv_text.rows_of([("T1/2026-11-18", 2, 3, "ante", 1500, "", -1, 10**15)]))
    with (tmp_path / "x.xlsx").open("wb") as out:
        workbook.write(out, {"players": file, "paid": paid})
    names = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    with zipfile.ZipFile(tmp_path / "x.xlsx") as book:
        assert {part.date_time for part in book.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {part.compress_type for part in book.infolist()} == {zipfile.ZIP_STORED}
        sheets = [ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml")) for number in (1, 2)]  # noqa: S314
    texts = [[_read(cell) for cell in row.iterfind("m:c", names)] for row in sheets[1].iterfind(".//m:row", names)]
    assert texts[0] == ["player", "name"]
    assert texts[1] == ["p-<&>", "'=cmd|' /C calc'!A0"]
    assert texts[2] == ["\x07bell _x0041_", "two\nlines\rreturn"]
    assert texts[3] == ["p-1", "x" * 32_000 + "…"]
    cells = list(sheets[0].iterfind(".//m:row[@r='2']/m:c", names))
    assert [(cell.get("r"), cell.get("t"), "".join(cell.itertext())) for cell in cells] == [
        ("A2", "inlineStr", "T1/2026-11-18"),
        ("B2", None, "2"),
        ("C2", None, "3"),
        ("D2", "inlineStr", "ante"),
        ("E2", None, "1500"),
        ("G2", None, "-1"),
        ("H2", "inlineStr", "1000000000000000"),
    ]


def _read(cell: ElementTree.Element) -> str:
    text = "".join(cell.itertext())
    return re.sub("_x([0-9A-F]{4})_", lambda found: chr(int(found[1], 16)), text)


def test_the_container_is_a_tar_that_others_read(tmp_path: Path) -> None:
    """Long names among them, and a file of every size around a block."""
    sizes = (0, 1, 511, 512, 513, 70_000)
    long = f"data/proofs/stretches/findings/{'a' * 40}+{'b' * 40}/2026-11-18.jsonl"
    files = {f"data/{size}": bytes(size) for size in sizes} | {long: b"long"}
    for number, content in enumerate(files.values()):
        (tmp_path / str(number)).write_bytes(content)
    out = io.BytesIO()
    listed = [(path, tmp_path / str(number)) for number, path in enumerate(files)]
    digest = container.lay_down(out, "export-0123456789abcdef", listed, 1_795_000_000)
    again = io.BytesIO()
    assert container.lay_down(again, "export-0123456789abcdef", reversed(listed), 1_795_000_000) == digest
    assert out.getvalue() == again.getvalue()
    out.seek(0)
    with tarfile.open(fileobj=out) as read:
        members = read.getmembers()
        assert [member.name for member in members] == sorted(f"export-0123456789abcdef/{path}" for path in files)
        assert {(m.mode, m.uid, m.gid, m.uname, m.gname, m.mtime) for m in members} == {
            (0o644, 0, 0, "", "", 1_795_000_000)
        }
        for member in members:
            assert read.extractfile(member).read() == files[member.name.partition("/")[2]]  # type: ignore[union-attr]


@pytest.mark.parametrize("size", [0, 1, 777, 8**11 - 1])
def test_a_header_is_the_one_that_python_writes(size: int) -> None:
    """The header of a regular file, without the owner's name: the reference is Python's code."""
    for name in ("export-0123456789abcdef/data/question.json", f"export-0123456789abcdef/{'d' * 60}/{'f' * 60}"):
        info = tarfile.TarInfo(name)
        info.size, info.mtime, info.mode = size, 1_795_000_000, 0o644
        assert container.header(name, size, 1_795_000_000) == _with_devices(info.tobuf(tarfile.USTAR_FORMAT))


def _with_devices(header: bytes) -> bytes:
    """The header with zeros for the numbers of a device, which Python leaves empty and POSIX writes."""
    made = header[:148] + b" " * 8 + header[156:329] + b"0000000\x000000000\0" + header[345:]
    return made[:148] + b"%06o\0 " % sum(made) + made[156:]


def test_what_a_container_cannot_hold_is_refused() -> None:
    with pytest.raises(UncontainedError, match="ask for less"):
        container.header("export-0/x", 8**11, 0)
    with pytest.raises(UncontainedError, match="too long for a name"):
        container.header(f"export-0/{'x' * 101}", 1, 0)


@pytest.mark.parametrize(("size", "piece"), [(0, 1024), (1 << 20, 1024), ((1 << 20) + 1, 2048), (10_000_000, 16_384)])
def test_a_file_has_at_most_1024_pieces(size: int, piece: int) -> None:
    assert bag.piece_of(size) == piece


def test_times_are_those_of_the_zone_and_of_no_machine() -> None:
    at = 1_795_054_200_000_001
    assert told(at, zone_of("America/New_York")) == "2026-11-18T21:10:00.000001-05:00"
    assert told(at, zone_of("Asia/Kathmandu")) == "2026-11-19T07:55:00.000001+05:45"
    assert told(at, zone_of("Nowhere/Land")) == told(at, zone_of("../../etc/passwd")) == told(at, ZoneInfo("UTC"))
    assert told(253_402_300_799_999_999, zone_of("Asia/Tokyo")) == "9999-12-31T23:59:59.999999+00:00"


def test_lists_of_a_scope_have_one_order() -> None:
    one = checked(Scope(tables=("T2", "T1", "T2"), games=("PIK", "COL")))
    assert (one.tables, one.games) == (("T1", "T2"), ("COL", "PIK"))


def test_nothing_asked_is_refused() -> None:
    with pytest.raises(BadQuestionError, match="nothing is requested"):
        checked(Scope())
