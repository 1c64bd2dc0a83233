"""`catwalk incidents`: from lines of verify-log, from a record, by a scale of the property's own."""

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.logs.opening import FINDINGS_FILE
from consumers.logs.sqlite import TABLE
from domain.incidents import TEXT
from projections import reading as published
from projections.questions.asking import Conditions
from projections.questions.expected import against
from projections.questions.incidents import won_against_expectation

CATWALK = Path(sys.executable).parent / "catwalk"
WANTED = "dealer-dumping,burn-missing,stub-count-mismatch"


def asked(*words: str, told: str = "") -> Result:
    return CliRunner().invoke(main, ["incidents", *words], input=told)


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated day with a dumping dealer, its findings, and the same day on record and watched."""
    folder = tmp_path_factory.mktemp("incidents")
    for line in (
        f"simulate --tables 2 --games UTH-MD,COL --hours 4 --seed 3 --incidents {WANTED} --labels labels --out day",
        "ingest day --data pit",
    ):
        subprocess.run([CATWALK, *line.split()], cwd=folder, check=True, capture_output=True)
    found = subprocess.run([CATWALK, "verify-log", "day"], cwd=folder, check=False, capture_output=True)
    (folder / "findings").write_bytes(found.stdout)
    found = subprocess.run([CATWALK, "verify-log", "--data", "pit"], cwd=folder, check=False, capture_output=True)
    (folder / "on record").write_bytes(found.stdout)
    subprocess.run([CATWALK, "watch", "--once", "--data", "pit"], cwd=folder, check=False, capture_output=True)
    return folder


def test_a_dumping_dealer_is_one_line(day: Path) -> None:
    told = asked(str(day / "findings"))
    assert told.exit_code == 1
    gifts = [line for line in told.stdout.splitlines() if "Handed back too much in" in line]
    labels = [json.loads(line) for line in (day / "labels").read_text().splitlines()]
    assert len(gifts) == sum(label.get("kind") == "statistical" for label in labels) > 0
    assert "for a human" in told.stderr


def test_every_finding_is_in_one_incident(day: Path) -> None:
    findings = [json.loads(line)["finding"] for line in (day / "findings").read_text().splitlines()]
    told = [json.loads(line) for line in asked(str(day / "findings"), "--json").stdout.splitlines()]
    assert sorted(finding for each in told for finding in each["findings"]) == sorted(findings)
    assert all(each["incident"] in each["findings"] and each["primary"] in each["findings"] for each in told)
    assert len(told) < len(findings)


def test_the_record_tells_the_same(day: Path) -> None:
    assert asked("--data", str(day / "pit"), "--json").stdout == asked(str(day / "on record"), "--json").stdout


def test_bytes_that_are_no_record_of_findings_are_named(day: Path, tmp_path: Path) -> None:
    pit = tmp_path / "pit"
    shutil.copytree(day / "pit", pit)
    with closing(sqlite3.connect(pit / FINDINGS_FILE)) as rows, rows:
        rows.execute(f"UPDATE {TABLE} SET state = ? WHERE rowid = (SELECT min(rowid) FROM {TABLE})", (b"{}",))  # noqa: S608
    told = asked("--data", str(pit))
    assert "record 1 of the findings log was left out: " in told.stderr
    assert "run catwalk doctor" in told.stderr


def test_exposure_comes_from_published_data(day: Path, tmp_path: Path) -> None:
    pit = tmp_path / "pit"
    shutil.copytree(day / "pit", pit)
    told = asked("--data", str(pit), "--json")
    assert "run catwalk project" in told.stderr
    assert all(each.get("exposure_cents") is None for each in map(json.loads, told.stdout.splitlines()))
    subprocess.run([CATWALK, "project", "--once", "--data", str(pit)], check=True, capture_output=True)
    found = [json.loads(line) for line in asked("--data", str(pit), "--json").stdout.splitlines()]
    gifts = [each for each in found if "Handed back too much in" in each["says"]]
    assert gifts
    # The house expects to win, so players who won an amount won more than that beyond expectation.
    with published.opened(pit / "read") as reading:
        for each in gifts:
            span = each["stream"], each["from_round"], each["to_round"]
            query = """SELECT sum(back_cents - staked_cents)::BIGINT FROM rounds WHERE stream = ? AND round BETWEEN ? AND ?"""
            (won,) = reading.connection.execute(query, span).fetchone() or (0,)
            assert each["exposure_cents"] > won


def test_the_exposure_of_a_day_is_what_the_day_won_beyond_its_odds(day: Path, tmp_path: Path) -> None:
    pit = tmp_path / "pit"
    shutil.copytree(day / "pit", pit)
    subprocess.run([CATWALK, "project", "--once", "--data", str(pit)], check=True, capture_output=True)
    with published.opened(pit / "read") as reading:
        streams = [stream for (stream,) in reading.connection.execute("SELECT stream FROM tables").fetchall()]
        for stream in streams:
            whole = against(
                reading, reading.source_of("wager_days", [stream]), Conditions().add("s.stream = ?", stream)
            )
            (won,) = won_against_expectation(reading, [(stream, 1, 10_000)])
            booked = reading.connection.execute(
                """SELECT coalesce(sum(s.result_cents), 0) FROM wager_days s JOIN houses h ON h.house = s.house
                AND h.wager = s.entry WHERE s.stream = ? AND h.edge IS NULL AND s.entry = 'envy'""",
                [stream],
            ).fetchone()
            assert whole.expected_cents is not None
            assert won is not None
            assert abs(won - (whole.expected_cents - whole.result_cents)) <= 1 + abs((booked or (0,))[0])


def test_standard_input_tells_the_same(day: Path) -> None:
    text = (day / "findings").read_text()
    assert asked("-", "--json", told=text).stdout == asked(str(day / "findings"), "--json").stdout


def test_the_shown_scale_is_the_default_and_can_be_edited(day: Path, tmp_path: Path) -> None:
    assert asked("--show-scale").stdout == TEXT
    scale = tmp_path / "needs.toml"
    scale.write_text(TEXT)
    assert asked(str(day / "findings"), "--scale", str(scale)).stdout == asked(str(day / "findings")).stdout
    scale.write_text("[scale]\nerror_cents = 100000000\nexposure_cents = 100000000\nrounds = 1000\n")
    calm = asked(str(day / "findings"), "--scale", str(scale))
    assert (calm.exit_code, calm.stdout) == (0, "")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            '[scale]\nerror_cents = "many"\nexposure_cents = 1\nrounds = 1\n',
            "Expected `int`, got `str` - at `$.error_cents`",
        ),
        ("[scale]\nexposure_cents = 1\nrounds = 1\n", "missing required field `error_cents`"),
        (
            '[scale]\nnever = ["nonsense"]\nerror_cents = 1\nexposure_cents = 1\nrounds = 1\n',
            "nonsense is no code of a finding",
        ),
        (
            '[scale]\nseverities = ["bad"]\nerror_cents = 1\nexposure_cents = 1\nrounds = 1\n',
            "bad is no severity; use money,",
        ),
        ("[scale]\nerror_cents = 0\nexposure_cents = 1\nrounds = 1\n", "error_cents must be 1 or more"),
        ("[scales]\n", "missing required field"),
        (
            "[scale]\nerror_cents = 1\nexposure_cents = 1\nrounds = 1\n[more]\n",
            "one table, [scale], and nothing beside it",
        ),
        ("[scale\n", "Expected ']'"),
    ],
)
def test_a_scale_that_cannot_be_used_says_why(day: Path, tmp_path: Path, text: str, says: str) -> None:
    scale = tmp_path / "needs.toml"
    scale.write_text(text)
    told = asked(str(day / "findings"), "--scale", str(scale))
    assert told.exit_code == 2
    assert str(scale) in told.stderr
    assert says in told.stderr


@pytest.mark.parametrize("line", ["{}", "no json", '{"finding":1}', "[" * 5000])
def test_a_line_that_is_no_finding_is_named(line: str) -> None:
    told = asked("-", told=f"\n{line}\n")
    assert told.exit_code == 2
    assert "line 2 is no finding of catwalk verify-log" in told.stderr


def test_a_severity_that_does_not_exist_is_named(day: Path) -> None:
    line = json.loads((day / "findings").read_text().splitlines()[0]) | {"severity": "terrible"}
    told = asked("-", told=json.dumps(line))
    assert (told.exit_code, "severity 'terrible' is none of money," in told.stderr) == (2, True)


def test_a_file_and_a_record_exclude_each_other(day: Path) -> None:
    assert asked(str(day / "findings"), "--data", str(day / "pit")).exit_code == 2


def test_score_counts_incidents_against_the_causes(day: Path) -> None:
    told = CliRunner().invoke(main, ["score", str(day / "labels"), str(day / "findings"), "--json"])
    found = json.loads(told.stdout)["incidents"]
    assert found["causes"] > 3
    assert found["incidents"] == found["causes"]
    assert found["merged"] == []
