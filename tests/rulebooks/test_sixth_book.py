"""A sixth book is one folder and one line: listed, ingested, judged, settled and shown, and nothing else is touched."""

import filecmp
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from domain.facts.codec import encode
from domain.simulation.scripted import day, round_, seat
from tests.citations import ROOT
from tests.rulebooks import house_variant
from tests.rulebooks.house_variant import BOOK, EDITION, FOLDER, LINE, PACKAGES, REGISTRY

# A flush with aces in the hand: both of what the house changed wins.
ACES = seat(2, "Ah Ad", "play:4", trips=500, ultimate_pairs=500, player="p-1")
DEALT = {"dealer": "9c 9d", "community": "Kh 7h 2h 5h 3s"}
POCKET_CENTS, TRIPS_CENTS = 12_500, 4_500  # 25 to 1, and 9 to 1
OFF = {"trips": 3_500, "pocket": 15_000}  # as Maryland's tables pay: 7 to 1, and 30 to 1


def _lines(digest: str) -> bytes:
    """Three rounds of it: paid rightly, then by Maryland's tables, then not paid at all for pocket."""
    facts = day("UTH-MD", {"ultimate_pairs_table": "A"}, rounds=[round_(ACES, **DEALT)] * 3)
    lines = []
    for fact in facts:
        told = json.loads(encode(fact))
        if told["type"] == "table-opened.1":
            told |= {"book": BOOK, "book_digest": digest, "options": {"pocket_table": "H"}}
        for name in ("wager", "area"):
            if told.get(name) == "ultimate_pairs":
                told[name] = "pocket"
        if told["type"] == "wager-paid.1" and told["wager"] in OFF:
            if told["round"] == 3 and told["wager"] == "pocket":
                told = {**told, "type": "wager-collected.1", "cents": 500}
            else:
                told["cents"] = OFF[told["wager"]] if told["round"] == 2 else _right(told["wager"])
        if told["type"] == "wager-returned.1" and told["wager"] == "pocket" and told["round"] == 3:
            continue
        lines.append(json.dumps(told).encode())
    return b"\n".join(lines)


def _right(wager: str) -> int:
    return POCKET_CENTS if wager == "pocket" else TRIPS_CENTS


class Program:
    """The program of a folder, run as its own process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self._environment = {**kept, "PYTHONPATH": str(folder), "COLUMNS": "200"}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One command of it."""
        call = [sys.executable, "-c", "from consumers.command import main; main(prog_name='catwalk')", *words]
        return subprocess.run(
            call, cwd=self.folder, env=self._environment, capture_output=True, text=True, timeout=300, check=False
        )

    def rows(self, *words: str) -> list[dict[str, Any]]:
        """A command's output, a JSON object a line."""
        told = self.run(*words)
        assert told.returncode in (0, 1), told.stderr
        return [json.loads(line) for line in told.stdout.splitlines()]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = house_variant.copied(tmp_path_factory.mktemp("program"))
    house_variant.added(folder)
    return Program(folder)


@pytest.fixture(scope="module")
def digest(program: Program) -> str:
    """The digest of its edition, as the program itself tells it."""
    (mine,) = [row for row in program.rows("books", "--json") if row["book"] == BOOK]
    return str(mine["digest"])


@pytest.fixture(scope="module")
def record(program: Program, digest: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A day of it, ingested, watched and projected."""
    folder = tmp_path_factory.mktemp("record")
    (folder / "day.jsonl").write_bytes(_lines(digest))
    for words in (("ingest", str(folder / "day.jsonl")), ("watch", "--once", "--quiet"), ("project", "--once")):
        told = program.run(*words, "--data", str(folder))
        assert told.returncode in (0, 1), told.stderr
    return folder


def test_one_folder_and_one_line_were_added(program: Program) -> None:
    found = set()
    for package in PACKAGES:
        for file in (program.folder / package).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                name = file.relative_to(program.folder)
                if not (ROOT / name).exists() or not filecmp.cmp(file, ROOT / name, shallow=False):
                    found.add(name)
    assert found == {FOLDER / EDITION, FOLDER / "clauses.csv", REGISTRY}
    before, after = (ROOT / REGISTRY).read_text(), (program.folder / REGISTRY).read_text()
    assert after.replace(LINE, "") == before
    assert len(after.splitlines()) == len(before.splitlines()) + 1


def test_the_command_lists_it_with_its_own_options(program: Program, digest: str) -> None:
    told = program.run("books", BOOK)
    assert digest[:8] in told.stdout
    assert "our house" in told.stdout


def test_its_wagers_are_settled_by_its_own_tables(program: Program, tmp_path: Path) -> None:
    case = {
        "rulebook": BOOK,
        "config": {"pocket_table": "H"},
        "seats": [
            {
                "seat": 2,
                "wagers": {"ante": 1_000, "blind": 1_000, "trips": 500, "pocket": 500},
                "cards": ["Ah", "Ad"],
                "actions": [{"action": "play", "street": "preflop", "cents": 4_000}],
            }
        ],
        "dealer": ["9c", "9d"],
        "community": ["Kh", "7h", "2h", "5h", "3s"],
    }
    (tmp_path / "case.jsonl").write_text(json.dumps(case))
    (told,) = program.rows("settle", str(tmp_path / "case.jsonl"))
    assert told["returns"]["2"]["pocket"] == 500 + POCKET_CENTS
    assert told["returns"]["2"]["trips"] == 500 + TRIPS_CENTS
    assert told["clauses"]["2"]["pocket"] == "UTH-HV 2(a)"
    assert told["clauses"]["2"]["ante"] == "UTH-MD 12.A"  # what it did not change is Maryland's


def test_a_day_of_it_is_judged_by_its_own_clauses_and_by_those_it_follows(program: Program, record: Path) -> None:
    rows = program.rows("ask", "findings", "--status", "standing", "--json", "--data", str(record))
    money = {(row["round"], row["wager"]): row for row in rows if row["severity"] == "money"}
    told = {
        key: (row["code"], row["clauses"], row["expected_cents"], row["observed_cents"]) for key, row in money.items()
    }
    assert told == {
        (2, "pocket"): ("wager-overpaid", ["UTH-HV 2(a)"], 500 + POCKET_CENTS, 500 + OFF["pocket"]),
        (2, "trips"): ("wager-underpaid", ["UTH-HV 1(a)"], 500 + TRIPS_CENTS, 500 + OFF["trips"]),
        (3, "pocket"): ("winner-collected", ["UTH-HV 2(a)"], 500 + POCKET_CENTS, 0),
    }
    shuffles = [row["clauses"][0] for row in rows if row["code"] == "shuffle-missing"]
    assert len(shuffles) == 1  # of the next two rounds' deck, which nobody shuffled
    assert all(clause.startswith("UTH-MD ") for clause in shuffles)


def test_its_rows_show_every_wager_as_settled(program: Program, record: Path) -> None:
    wanted = "SELECT round, owed_cents, clause FROM wagers WHERE wager = 'pocket' ORDER BY round"
    rows = program.rows("sql", "-c", wanted, "--json", "--data", str(record))
    assert [(row["round"], row["owed_cents"], row["clause"]) for row in rows] == [
        (number, 500 + POCKET_CENTS, "UTH-HV 2(a)") for number in (1, 2, 3)
    ]


def test_a_hand_of_it_is_shown(program: Program, record: Path) -> None:
    told = program.run("reconstruct", "T7", "--day", "2026-11-18", "--round", "2", "--data", str(record))
    assert told.returncode == 0, told.stderr
    assert "pocket" in told.stdout
    assert "UTH-HV 2(a)" in told.stdout


def test_the_odds_of_the_wager_it_added_are_known(program: Program) -> None:
    told = json.loads(program.run("odds", BOOK, "--set", "pocket_table=H", "--json").stdout)
    aces, middle, low = 6, 18, 54  # two-card hands of 1,326
    assert told["wagers"]["pocket"]["house_edge"] == pytest.approx(
        -(aces * 25 + middle * 8 + low * 4 - (1_326 - aces - middle - low)) / 1_326
    )
