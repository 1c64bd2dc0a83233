"""`catwalk simulate`: the same floor into a file at any pace, or onto a record through the gateway."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest
from click.testing import CliRunner, Result

from consumers import simulating
from consumers.command import main

FLOOR = ("--tables", "3", "--hours", "1", "--games", "COL,UTH-MA", "--seed", "5")


def simulated(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["simulate", *map(str, arguments)])


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small floor's facts, a line each."""
    file = tmp_path_factory.mktemp("floor") / "day.jsonl"
    told = simulated(*FLOOR, "--out", file)
    assert told.exit_code == 0, told.output
    return file


def test_a_floor_is_written_as_devices_would_send_it_and_is_clean(day: Path) -> None:
    lines = day.read_bytes().splitlines()
    assert len(lines) > 500
    assert all("sequence" not in msgspec.json.decode(line) for line in lines)
    verified = CliRunner().invoke(main, ["verify-log", str(day), "--lines"])
    assert verified.exit_code == 0, verified.output


@pytest.mark.parametrize("pace", ["0", "2000000"])
def test_at_any_pace_it_is_the_same_floor(day: Path, tmp_path: Path, pace: str) -> None:
    again = tmp_path / "again.jsonl"
    assert simulated(*FLOOR, "--pace", pace, "--out", again).exit_code == 0
    assert again.read_bytes() == day.read_bytes()


def test_minutes_ahead_are_of_play_however_early_a_table_opens(
    day: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(simulating, "sleep", slept.append)
    assert simulated(*FLOOR, "--pace", "1", "--ahead", "10", "--out", tmp_path / "day.jsonl").exit_code == 0
    facts = [msgspec.json.decode(line) for line in day.read_bytes().splitlines()]
    begins = min(fact["at"] for fact in facts if fact["type"] == "round-opened.1")
    first = min(fact["at"] for fact in facts if fact["at"] >= begins + 10 * 60_000_000)
    assert slept[0] == pytest.approx((first - begins) / 1_000_000 - 600, abs=1)


def test_with_cameras_each_fact_of_a_table_points_at_its_picture_and_says_nothing_else(
    day: Path, tmp_path: Path
) -> None:
    filmed = tmp_path / "filmed.jsonl"
    assert simulated(*FLOOR, "--cameras", "--out", filmed).exit_code == 0
    for line, bare in zip(filmed.read_bytes().splitlines(), day.read_bytes().splitlines(), strict=True):
        fact = msgspec.json.decode(line)
        seen = {name: fact.pop(name, None) for name in ("camera", "time_code")}
        assert fact == msgspec.json.decode(bare)
        table = fact["stream"].partition("/")[0]
        if table == "property":
            assert seen == {"camera": None, "time_code": None}
        else:
            assert seen["camera"] == f"cam-{table}"
            clock, frame = seen["time_code"].rsplit(":", 1)
            at = datetime.fromtimestamp(fact["at"] / 1_000_000, ZoneInfo("America/New_York"))
            assert (clock, int(frame)) == (at.strftime("%H:%M:%S"), at.microsecond * 30 // 1_000_000)


def test_through_the_gateway_it_is_numbered_sealed_and_known_the_second_time(
    day: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keys are made and registered on the way; the doctor finds the record whole."""
    monkeypatch.setenv("CATWALK_KEY_PASSPHRASE", "only a test")
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "pit"))
    lines, keys = len(day.read_bytes().splitlines()), 4
    first = simulated(*FLOOR, "--keys")
    assert first.exit_code == 0, first.output
    assert f"{lines + keys} recorded, 0 known already, 0 dead letters" in first.output
    doctor = CliRunner().invoke(main, ["doctor"])
    assert doctor.exit_code == 0, doctor.output
    assert "whole" in doctor.output
    again = simulated(*FLOOR, "--keys")
    assert f"0 recorded, {lines + keys} known already, 0 dead letters; 0 seals" in again.output
    assert simulated(*FLOOR, "--out", tmp_path / "file").exit_code == 0  # a file named wins over the environment


def test_incidents_leave_their_labels_and_what_they_name_is_found(tmp_path: Path) -> None:
    facts, labels = tmp_path / "day.jsonl", tmp_path / "labels.jsonl"
    asked = ("--incidents", "no-more-bets-missing", "--labels", labels, "--out", facts)
    ran = simulated(*FLOOR, *asked)
    assert ran.exit_code == 0
    assert "--labels" not in ran.stderr
    told = [msgspec.json.decode(line) for line in labels.read_bytes().splitlines()]
    assert told
    findings = CliRunner().invoke(main, ["verify-log", str(facts)]).stdout.splitlines()
    found = {
        (each["code"], each["stream"], each["round"]) for each in map(msgspec.json.decode, findings) if "code" in each
    }
    assert {(label["own"]["code"], label["own"]["stream"], label["own"]["first_round"]) for label in told} <= found


# games | what is asked | what is said besides
LEFT_OUT = [
    ("COL", "no-more-bets-missing", ""),
    ("COL,UTH-MA", "no-more-bets-missing", "no place was found for no-more-bets-missing (UTH-MA)"),
    ("COL", "marker-misplaced", "no place was found for marker-misplaced"),
    ("COL", "all", " more"),
]


@pytest.mark.parametrize(("games", "asked", "says"), LEFT_OUT)
def test_an_incident_without_a_place_is_named(games: str, asked: str, says: str, tmp_path: Path) -> None:
    """The one table of Massachusetts does not record when bets are closed; a marker is of Fast Action."""
    told = simulated(*FLOOR, "--games", games, "--incidents", asked, "--out", tmp_path / "day.jsonl")
    assert told.exit_code == 0
    unlabelled, first, *besides = told.stderr.splitlines()
    assert "use --labels FILE" in unlabelled
    assert "facts of" in first
    assert bool(besides) == bool(says)
    assert besides[:1] == [] or besides[0].endswith(says)


# what is asked | what the answer says
REFUSED = [
    (("--games", "POKER", "--out", "f"), "write some of UTH-MA,UTH-MD,PIK,FAH,COL"),
    (("--start", "18.11.2026", "--out", "f"), "write it like 2026-11-18"),
    (("--incidents", "wager-overpayed", "--out", "f"), "wager-overpaid"),
    (("--out", "f", "--data", "pit"), "--out excludes"),
    ((), "give --out FILE"),
    (("--incidents", ",", "--out", "f"), "write none, all, or names"),
]


@pytest.mark.parametrize(("asked", "says"), REFUSED)
def test_what_cannot_be_simulated_is_said_in_a_sentence(
    asked: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = simulated(*asked)
    assert told.exit_code == 2
    assert says in told.output
