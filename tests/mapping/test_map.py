"""`catwalk map` from outside: files of other systems in, facts and reports out."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.citations import ROOT

CATWALK = Path(sys.executable).with_name("catwalk")
EXAMPLES = ROOT / "docs/examples/mappings"
MAPPING = """
key = "{id}"
[every]
source = "log"
stream = "T1"
at = "{when:time}"
[times]
zone = "America/New_York"
[cards]
suits = { H = "h", S = "s" }
ranks = { "10" = "T" }
unseen = ["XX"]
[codes]
wager = { A = "ante", B = "blind" }
[[step]]
when = { what = "bet" }
facts = [{ type = "wager-placed.1", seat = "{seat:int}", wager = "{spot:codes.wager}", cents = "{amount:dollars?}" }]
[[step]]
when = { what = ["show", "turn"] }
facts = [{ type = "hand-revealed.1", seat = "{seat:int}", cards = "{cards:cards}" }]
"""
HEADER = "id,when,what,seat,spot,amount,cards"
NOON = "2026-11-18T12:00:00"


def _map(tmp_path: Path, mapping: str, text: str | bytes, *options: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "mapping.toml").write_text(mapping)
    file = tmp_path / "rows"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return subprocess.run(
        [CATWALK, "map", *options, tmp_path / "mapping.toml", file], capture_output=True, text=True, check=False
    )


def _verified(facts: str, tmp_path: Path) -> tuple[list[dict[str, Any]], str]:
    day = tmp_path / "day.jsonl"
    day.write_text(facts)
    run = subprocess.run([CATWALK, "verify-log", day], capture_output=True, text=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()], run.stderr


@pytest.mark.parametrize(
    ("name", "file", "report", "checked"),
    [
        ("results.toml", "results.csv", "30 rows became 645 facts; 0 ignored, 0 refused", "84 of 84 wagers checked"),
        ("devices.toml", "devices.jsonl", "265 rows became 267 facts; 4 ignored, 0 refused", "30 of 30 wagers checked"),
    ],
)
def test_a_worked_mapping_makes_a_day_that_is_judged_whole(
    name: str, file: str, report: str, checked: str, tmp_path: Path
) -> None:
    run = subprocess.run([CATWALK, "map", EXAMPLES / name, EXAMPLES / file], capture_output=True, text=True, check=True)
    assert run.stderr.strip() == report
    findings, says = _verified(run.stdout, tmp_path)
    assert findings == []
    assert checked in says


def test_an_overpayment_in_the_other_systems_file_is_found_with_its_amount(tmp_path: Path) -> None:
    rows = (EXAMPLES / "results.csv").read_text().splitlines()
    assert rows[1].endswith("JH 10D,25,,PRE,100,25,P,100,,,,,,,,,,,,,,,,,,,")
    rows[1] = rows[1].replace(",100,25,P,100,", ",100,25,P,300,")
    run = _map(tmp_path, (EXAMPLES / "results.toml").read_text(), "\n".join(rows))
    ((found, *more), _) = _verified(run.stdout, tmp_path)
    assert (found["code"], found["expected_cents"], found["observed_cents"], more) == (
        "wager-overpaid",
        20000,
        40000,
        [],
    )


def test_a_file_sent_again_adds_nothing_to_the_record(tmp_path: Path) -> None:
    run = subprocess.run(
        [CATWALK, "map", EXAMPLES / "devices.toml", EXAMPLES / "devices.jsonl"],
        capture_output=True,
        text=True,
        check=True,
    )
    days = [
        subprocess.run(
            [CATWALK, "ingest", "--data", tmp_path / "pit"],
            input=run.stdout,
            capture_output=True,
            text=True,
            check=True,
        ).stderr
        for _ in range(2)
    ]
    assert "267 recorded, 0 known already, 0 dead letters" in days[0]
    assert "0 recorded, 267 known already, 0 dead letters" in days[1]


CELLS = """
amount    | 10        | cents 1000
amount    | 10.5      | cents 1050
amount    | $1,250.00 | cents 125000
amount    |           | cents absent
amount    | -10       | column amount holds '-10': expected dollars, such as 10, 10.50 or $1,250.00
amount    | 10.505    | column amount holds '10.505': expected dollars, such as 10, 10.50 or $1,250.00
amount    | 1,25      | column amount holds '1,25': expected dollars, such as 10, 10.50 or $1,250.00
seat      | two       | column seat holds 'two': expected a whole number, such as 12
seat      |           | column seat is empty: write {seat:int?} in the mapping if it may be
spot      | C         | column spot holds 'C': expected one of codes.wager: 'A', 'B'
when      | noon      | column when holds 'noon': expected a time in the form 2026-11-18T21:10:05
when      | 9999-12-31T23:59:59 | column when holds '9999-12-31T23:59:59': expected a time before the year 9999
what      | pay       | no step makes a fact of it, and `ignore` does not name it
"""


@pytest.mark.parametrize("row", [line for line in CELLS.splitlines() if line])
def test_a_cell_is_read_or_refused_with_what_is_expected(row: str, tmp_path: Path) -> None:
    column, cell, expected = (part.strip() for part in row.split("|"))
    cells = dict(zip(HEADER.split(","), ["1", NOON, "bet", "2", "A", "10", ""], strict=True)) | {column: cell}
    lines = [HEADER, ",".join(f'"{each}"' for each in cells.values())]
    run = _map(tmp_path, MAPPING, "\n".join(lines))
    if expected.startswith("cents "):
        assert run.returncode == 0
        assert str(json.loads(run.stdout).get("cents", "absent")) == expected.removeprefix("cents ")
    else:
        assert run.returncode == 1
        assert run.stdout == ""
        assert run.stderr.splitlines()[0] == f"line 2 is refused: {expected}"
        assert run.stderr.splitlines()[2] == f"  1 row, first line 2: {expected}"


@pytest.mark.parametrize(
    ("cards", "read"),
    [("10H 2S", ["Th", "2s"]), ("XX Ah", ["??", "Ah"]), ("10Z 2S", None), ("H10 2S", None)],
)
def test_cards_are_read_in_the_files_notation(cards: str, read: list[str] | None, tmp_path: Path) -> None:
    run = _map(tmp_path, MAPPING, f"{HEADER}\n1,{NOON},show,2,,,{cards}")
    assert (json.loads(run.stdout)["cards"] if run.stdout else None) == read
    assert ("expected a card, such as 10H" in run.stderr) == (read is None)


def test_rows_with_one_cause_are_reported_together_and_the_others_go_on(tmp_path: Path) -> None:
    rows = [f"{n},{NOON},bet,{'x' if n % 3 == 0 else 2},A,10," for n in range(1, 10)]
    run = _map(tmp_path, MAPPING, "\n".join([HEADER, *rows, "10,too few cells"]), "--json")
    assert len(run.stdout.splitlines()) == 6
    report = json.loads(run.stderr)
    assert (report["rows"], report["facts"], report["refused"]) == (10, 6, 4)
    assert [(cause["rows"], cause["line"], cause["says"]) for cause in report["causes"]] == [
        (3, 4, "column seat holds 'x': expected a whole number, such as 12"),
        (1, 11, "it has 2 cells, and the header has 7"),
    ]


def test_a_row_whose_bytes_are_in_another_encoding_is_refused_and_the_next_goes_on(tmp_path: Path) -> None:
    text = f"{HEADER}\n1,{NOON},bet,2,\xe4,10,\n2,{NOON},bet,2,A,10,".encode("latin-1")
    run = _map(tmp_path, MAPPING, text)
    assert len(run.stdout.splitlines()) == 1
    assert "it has bytes that are not utf-8: name the file's encoding in [rows]" in run.stderr


def test_a_key_that_comes_twice_is_refused_with_the_line_that_has_it(tmp_path: Path) -> None:
    run = _map(tmp_path, MAPPING, f"{HEADER}\n7,{NOON},bet,2,A,10,\n7,{NOON},bet,3,A,10,")
    assert "line 3 is refused: the key '7' is that of line 2: each row needs a key of its own" in run.stderr


WRONG = {
    "times.repeated_hour is by-order: name the table of each row in `stream` of [every]": MAPPING.replace(
        'stream = "T1"\n', ""
    ).replace("[times]", '[times]\nrepeated_hour = "by-order"'),
    "Invalid enum value 'third' - at `$.times.repeated_hour`": MAPPING.replace(
        "[times]", '[times]\nrepeated_hour = "third"'
    ),
    "Object missing required field `key`": MAPPING.replace('key = "{id}"', ""),
    "unknown field `steps`": MAPPING.replace("[[step]]", "[[steps]]"),
    "times.zone is no time zone": MAPPING.replace("New_York", "Gotham"),
    "is not TOML": MAPPING + "[",
    "{amount:dolars?} reads a cell as 'dolars': write dollars": MAPPING.replace("dollars", "dolars"),
    "every, source: '{Reader: Name}' has a brace that is no cell": MAPPING.replace('"log"', '"{Reader: Name}"'),
    "names <n>, and the step has no such loop": MAPPING.replace("{seat:int}", "<n>"),
    "step 1, wager-placed.1, when: Expected `object`": MAPPING.replace('dollars?}" }', 'dollars?}", when = 5 }'),
    "ignore, when: the file has no column 'nothing'": MAPPING.replace(
        'key = "{id}"', 'key = "{id}"\nignore = [{ nothing = "x" }]'
    ),
    "the file has no column 'ammount'. Write 'amount'": MAPPING.replace("{amount:", "{ammount:"),
    "rows.encoding: unknown encoding: utf-9": MAPPING.replace("[times]", '[rows]\nencoding = "utf-9"\n[times]'),
    "Expected `str` of length <= 1 - at `$.rows.delimiter`": MAPPING.replace(
        "[times]", '[rows]\ndelimiter = "ab"\n[times]'
    ),
    "set `delimiter` in [rows]": MAPPING.replace("[times]", '[rows]\ndelimiter = ";"\n[times]'),
}


@pytest.mark.parametrize("says", WRONG)
def test_a_mapping_that_cannot_be_used_is_refused_before_a_row_is_read(says: str, tmp_path: Path) -> None:
    run = _map(tmp_path, WRONG[says], f"{HEADER}\n1,{NOON},bet,2,A,10,")
    assert (run.returncode, run.stdout) == (2, "")
    assert says in run.stderr


def test_a_column_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    run = _map(tmp_path, MAPPING, f"{HEADER},amount\n1,{NOON},bet,2,A,10,,99")
    assert (run.returncode, run.stdout) == (2, "")
    assert "columns 6 and 8 are both named 'amount'" in run.stderr


def test_a_quotation_mark_that_is_not_closed_is_reported_with_its_lines(tmp_path: Path) -> None:
    rows = [f"1,{NOON},bet,2,A,10,", f'2,{NOON},bet,2,"A,10,', f"3,{NOON},bet,2,A,10,", f"4,{NOON},bet,2,A,10,"]
    run = _map(tmp_path, MAPPING, "\n".join([HEADER, *rows]))
    assert "line 3 is refused: it is not CSV: unexpected end of data; lines 3 to 5 are one row" in run.stderr


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            '{"id":1,"when":"2026-11-18T12:00:00","what":"bet","seat":2,"spot":"A","amount":1,"amount":2}',
            "amount twice",
        ),
        ('{"id":1,"a.b":1,"a":{"b":2}}', "it has a.b twice"),
        ('{"id":"\\ud800","when":"2026-11-18T12:00:00","what":"bet","seat":2,"spot":"A"}', "half of a character"),
        ("[1]", "it is not a JSON object"),
        ("{", "it is not JSON: "),
    ],
)
def test_a_line_of_json_that_would_hide_something_is_refused(line: str, says: str, tmp_path: Path) -> None:
    run = _map(tmp_path, MAPPING.replace("[times]", '[rows]\nformat = "jsonl"\n[times]'), line)
    assert (run.returncode, run.stdout) == (1, "")
    assert says in run.stderr


def test_a_file_in_another_encoding_is_read_if_the_mapping_names_it(tmp_path: Path) -> None:
    mapping = MAPPING.replace("[times]", '[rows]\nencoding = "utf-16"\n[times]')
    run = _map(tmp_path, mapping, f"{HEADER}\n1,{NOON},bet,2,A,10,".encode("utf-16"))
    assert json.loads(run.stdout)["cents"] == 1000


def test_a_row_that_is_refused_in_a_pipe_is_reported_at_once(tmp_path: Path) -> None:
    (tmp_path / "mapping.toml").write_text(MAPPING)
    command = [CATWALK, "map", tmp_path / "mapping.toml", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as run:
        assert run.stdin is not None
        assert run.stderr is not None
        run.stdin.write(f"{HEADER}\n1,{NOON},bet,two,A,10,\n".encode())
        run.stdin.flush()
        says = b"line 2 is refused: column seat holds 'two': expected a whole number, such as 12\n"
        assert run.stderr.readline() == says
        run.communicate()


def test_the_facts_are_checked_in_the_same_run(tmp_path: Path) -> None:
    """Dollars read as cents: every wager is a hundredth of the limits in the opening."""
    command = [CATWALK, "map", "--check", EXAMPLES / "results.toml", EXAMPLES / "results.csv"]
    right = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "verdict: clean" in right.stderr
    wrong = (EXAMPLES / "results.toml").read_text().replace(":dollars}", ":cents}")
    whole = "\n".join(line for line in (EXAMPLES / "results.csv").read_text().splitlines() if ".50" not in line)
    run = _map(tmp_path, wrong, whole, "--check")
    assert run.returncode == 3
    assert "wagers-100-times-too-small" in run.stderr


def test_half_a_round_is_never_made(tmp_path: Path) -> None:
    """The last cell of a row is wrong: the row's earlier facts are not written either."""
    rows = (EXAMPLES / "results.csv").read_text().splitlines()
    rows[1] = rows[1].replace(",PRE,100,25,P,100,", ",PRE,100,25,P,x,")
    run = _map(tmp_path, (EXAMPLES / "results.toml").read_text(), "\n".join(rows))
    assert '"round":100401' not in run.stdout
    assert '"type":"table-opened.1"' in run.stdout
