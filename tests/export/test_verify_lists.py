"""The lists a regulator asks for, attacked by the property itself: it lays down the workbook to fit and signs all again."""

import csv
from collections.abc import Callable
from io import StringIO

import pytest

from projections.export import csv_text, identities
from projections.export.columns import LISTS
from projections.export.verifier.lists import check_players
from projections.export.verifier.tables import row_text
from tests.export.attacks import changed, honest
from tests.export.builder import COLUMNS, Bundle, workbook
from tests.export.test_verify_rounds import Files
from tests.export.verified import outcome

Rows = list[list[str]]


def amount(rows: Rows, name: str) -> Rows:
    """Another number in the last row, in the first column of whole numbers that has one and can be derived."""
    at = next(n for n, column in enumerate(COLUMNS[name]) if _an_amount(column) and rows[-1][n])
    return [*rows[:-1], [*rows[-1][:at], str(int(rows[-1][at]) + 1), *rows[-1][at + 1 :]]]


def _an_amount(column: str) -> bool:
    return column.startswith("*") and column not in ("*sequence", "*round", "*seat")


# How the rows of a table are spoilt.
SPOILT: dict[str, Callable[[Rows, str], Rows]] = {
    "an amount": amount,
    "the first row dropped": lambda rows, _: rows[1:],
    "the last row dropped": lambda rows, _: rows[:-1],
    "all rows dropped": lambda *_: [],
    "the first row doubled": lambda rows, _: [rows[0], *rows],
    "the last row doubled": lambda rows, _: [*rows, rows[-1]],
    "another order": lambda rows, _: [rows[1], rows[0], *rows[2:]],
}


def rows_of(bundle: Bundle, name: str) -> Rows:
    return list(csv.reader(StringIO(bundle.files[f"data/tables/{name}.csv"].decode(), newline="")))[1:]


def spoilt(name: str, how: str) -> bytes:
    made = SPOILT[how](rows_of(honest(), name), name)
    head = honest().files[f"data/tables/{name}.csv"].partition(b"\r\n")[0]
    return head + b"\r\n" + "".join(row_text(row) for row in made).encode()


@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("name", [name for name in LISTS if name != "faults"])  # of which the honest record has none
def test_a_list_spoilt_in_table_and_workbook_alike_is_refused(name: str, how: str) -> None:
    bundle = changed(f"data/tables/{name}.csv", lambda _: spoilt(name, how))
    tables = {path[12:-4]: text for path, text in bundle.files.items() if path.startswith("data/tables/")}
    bundle.files["data/tables.xlsx"] = workbook(tables)
    assert bundle.files["data/tables.xlsx"] != honest().files["data/tables.xlsx"]
    found = outcome(bundle.listed().signed())
    assert found.startswith(f"refused data/tables/{name}.csv"), found


@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("name", [name for name in LISTS if name != "faults"])  # of which the honest record has none
def test_a_list_spoilt_in_the_workbook_alone_is_refused(name: str, how: str) -> None:
    tables = {path[12:-4]: text for path, text in honest().files.items() if path.startswith("data/tables/")}
    found = outcome(
        changed("data/tables.xlsx", lambda _: workbook({**tables, name: spoilt(name, how)})).listed().signed()
    )
    assert found.startswith("refused data/tables.xlsx"), found
    assert f"sheet {name}" in found


def test_what_the_parquet_file_says_is_told_as_not_proved() -> None:
    found = outcome(changed("data/facts.parquet", lambda stored: stored.replace(b"\x05", b"\x06")).listed().signed())
    assert found.startswith("proved")
    assert (
        "the contents of data/report.pdf and data/facts.parquet: they are covered by the signature only"
        in found.partition("NOT PROVED")[2]
    )


@pytest.mark.parametrize("name", LISTS)
def test_a_list_left_out_is_refused(name: str) -> None:
    """With its sheet, listed and signed."""
    bundle = honest().copy()
    del bundle.files[f"data/tables/{name}.csv"]
    tables = {path[12:-4]: text for path, text in bundle.files.items() if path.startswith("data/tables/")}
    bundle.files["data/tables.xlsx"] = workbook(tables)
    assert outcome(bundle.listed().signed()).startswith("refused")


def test_players_come_in_the_order_of_their_tokens_whatever_these_look_like() -> None:
    """A cell that begins as a formula does has an apostrophe before it; a token may have one of its own."""
    tokens = ["T1-guest-2", "p-05da", "p", "p=1", "=1+1", "-5", "'t-hooft", "a", "+a", "@a", "zoë"]
    hands = [
        ("T1/2026-11-18", "T1", "2026-11-18", number, 1, token, "", "", "", False, *[None] * 4)
        for number, token in enumerate(tokens)
    ]
    made = {
        "hands": csv_text.head("hands") + csv_text.rows_of(hands),
        "players": csv_text.head("players") + csv_text.rows_of(identities.rows_of(tokens, "Mr {}".format)),
    }
    check_players(Files({f"data/tables/{name}.csv": text for name, text in made.items()}))
