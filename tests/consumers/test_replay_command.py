"""The past under other options: which findings and amounts appear, vanish or change, and nothing is written."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from domain.facts.codec import encode
from domain.simulation.edits import broken, change
from domain.simulation.scripted import day, round_, seat
from domain.simulation.table import NOON

FLUSH = seat(2, "Ah 9h", "play:4", trips=500, player="p-1")
BOARD = "Kh 7h 2h 5d 3s"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A day of Maryland's game with a flush a round; in round 2 the trips are paid fifteen dollars too much."""
    folder = tmp_path_factory.mktemp("pit")
    rounds = [round_(FLUSH, dealer="9c 9d", community=BOARD), round_(FLUSH, dealer="9c 9d", community=BOARD)]
    wrong = change("wager-paid", round=2, wager="trips", to={"cents": 5_000})
    facts = broken(day("UTH-MD", rounds=rounds), wrong)
    (folder / "day.jsonl").write_bytes(b"\n".join(map(encode, facts)))
    told = CliRunner().invoke(main, ["ingest", "--data", str(folder), str(folder / "day.jsonl")])
    assert told.exit_code == 0, told.output
    return folder


def replay(record: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["replay", *words, "--data", str(record)])


def whole(record: Path, *words: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(replay(record, *words, "--json").stdout)
    return told


def test_another_pay_table_says_what_would_have_been_owed(record: Path) -> None:
    """A flush pays the trips seven to one by table A and six to one by table E."""
    told = whole(record, "--with", "trips_table=E")
    [trips] = [row for row in told["amounts"] if row["wager"] == "trips"]
    assert (trips["wagers"], trips["owed_before_cents"], trips["owed_after_cents"]) == (2, 8_000, 7_000)
    assert told["owed_after_cents"] - told["owed_before_cents"] == -1_000
    first, second = told["differences"]
    assert [(row["kind"], row["code"], row["round"]) for row in (first, second)] == [
        ("appears", "wager-overpaid", 1),
        ("changes", "wager-overpaid", 2),
    ]
    amounts = ("expected_before_cents", "expected_after_cents", "observed_cents")
    assert [first[name] for name in amounts] == [None, 3_500, 4_000]
    assert [second[name] for name in amounts] == [4_000, 3_500, 5_500]
    assert (second["at_risk_before_cents"], second["at_risk_after_cents"]) == (1_500, 2_000)
    assert (told["appear"], told["change"], told["vanish"]) == (1, 1, 0)
    assert told["findings_after"] == told["findings_before"] + 1


def test_a_detector_left_out_takes_its_findings_with_it(record: Path) -> None:
    told = whole(record, "--without", "wager-overpaid")
    assert [(row["kind"], row["code"], row["round"]) for row in told["differences"]] == [
        ("vanishes", "wager-overpaid", 2)
    ]
    assert (told["vanish"], told["findings_after"]) == (1, told["findings_before"] - 1)
    assert told["owed_before_cents"] == told["owed_after_cents"]


# the change, the exit status: 1 where something would be different
MEANT = [
    (["--with", "T7:trips_table=E"], 1),
    (["--with", "UTH-MD:trips_table=E"], 1),
    (["--with", "trips_table=A"], 0),
    (["--with", "trips_table=E", "--from", "2026-11-18", "--to", "2026-11-18"], 1),
    (["--with", "trips_table=E", "-t", "T7"], 1),
    (["--without", "burn-missing"], 0),
]


@pytest.mark.parametrize(
    ("words", "status"), MEANT, ids=lambda value: " ".join(value) if isinstance(value, list) else None
)
def test_a_change_holds_where_it_is_meant_and_equal_options_change_nothing(
    record: Path, words: list[str], status: int
) -> None:
    assert replay(record, *words).exit_code == status


def test_the_answer_has_three_forms(record: Path) -> None:
    table = replay(record, "--with", "trips_table=E").stdout
    lines = replay(record, "--with", "trips_table=E", "--csv").stdout
    amounts = replay(record, "--with", "trips_table=E", "--csv", "--part", "amounts").stdout
    assert "Differences" in table
    assert "appears" in table
    assert [row["kind"] for row in csv.DictReader(io.StringIO(lines))] == ["appears", "changes"]
    assert "trips,2,8000,7000,-1000" in amounts


def test_nothing_is_written(record: Path) -> None:
    """The only new record is the access log's entry for the question."""

    def everything() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in record.rglob("*") if path.is_file() and path.name != "desk.sqlite"}

    before = everything()
    replay(record, "--with", "trips_table=E")
    assert everything() == before


# what is said, what is answered
WRONG = [
    ([], "give --with KEY=VALUE"),
    (["--with", "trips_table"], "Write KEY=VALUE"),
    (["--with", "nothing=1"], "is not an option of"),
    (["--with", "PIK:trips_table=E"], "is not an option of PIK"),
    (["--with", "trips_table=Z"], "it must be one of A, B, C, D, E"),
    (["--with", "T9:trips_table=E"], "no rule book of these days has trips_table"),
    (["--with", "copy_hand_rule=push"], "no rule book of these days has copy_hand_rule"),
    (["--without", "wager"], "is it one of"),
    (["--with", "trips_table=E", "--from", "yesterday"], "write it like 2026-11-18"),
    (["--with", "trips_table=E", "--from", "2027-01-01"], "no table's day in this range"),
    (["--with", "trips_table=E", "-t", "T9"], "no table's day in this range"),
    (["--with", "trips_table=E", "--json", "--csv"], "give one of them"),
    (["--with", "trips_table=E", "--part", "crowds"], "this answer has codes, amounts, differences"),
]


@pytest.mark.parametrize(
    ("words", "says"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else None
)
def test_what_cannot_be_is_told(record: Path, words: list[str], says: str) -> None:
    told = replay(record, *words)
    assert told.exit_code == 2
    assert says in told.output


def test_an_option_changed_during_the_day_is_the_supposed_one_all_day(tmp_path: Path) -> None:
    from domain.facts.table_day import OptionChanged, TableOpened
    from domain.watch.what_if import OptionChange, supposed, supposing
    from tests.watch.harness import recorded

    facts = recorded(day("UTH-MD", rounds=[round_(FLUSH, dealer="9c 9d", community=BOARD)]))
    opening = next(fact for fact in facts if isinstance(fact, TableOpened))
    later = OptionChanged(
        option="trips_table", value="C", at=opening.at, source="pit", source_key="x", stream=opening.stream
    )
    told = [facts[0], later, *facts[1:]]

    def owed(*changes: OptionChange) -> int:
        read = supposed(told, opening.stream, {}, changes)
        return supposing(read, opening.stream, frozenset()).amounts["UTH-MD", "trips"].owed_cents

    other = OptionChange(("trips_table",), "E")
    assert owed() != owed(other)
    assert owed(other) == owed(OptionChange(("trips_table",), "E", "T7")) == 3_500
    assert owed(OptionChange(("trips_table",), "E", "T8")) == owed()


def test_what_shows_only_at_two_tables_is_found_as_well(tmp_path: Path) -> None:
    """Two Colorado tables that play alike; were one of them to play the other version, the two would be mixed."""
    tables = [
        day("COL", {"version": "required"}, table=name, rounds=[round_(seat(1, player=f"{name}-1"))], opens_at=at)
        for name, at in (("T1", NOON), ("T2", NOON + 60_000_000))
    ]
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(encode(fact) for table in tables for fact in table))
    ran = CliRunner().invoke(main, ["ingest", "--data", str(tmp_path), str(tmp_path / "day.jsonl")])
    assert ran.exit_code == 0, ran.output
    told = whole(tmp_path, "--with", "T2:version=permissible")
    assert [(row["kind"], row["code"]) for row in told["differences"]] == [("appears", "versions-mixed")]
    assert whole(tmp_path, "--with", "version=permissible")["appear"] == 0
    left_out = whole(tmp_path, "--with", "T2:version=permissible", "--without", "versions-mixed")
    assert left_out["differences"] == []
