"""The questions on a simulated floor, beside the record itself: each answer agrees with the facts."""

import csv
import io
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from consumers.command import main
from domain.facts.codec import encode
from domain.facts.deal import CardDealt
from domain.simulation.scripted import day, round_, seat
from projections.reading import opened
from projections.schema import SCHEMA


def run(*words: str) -> str:
    told = CliRunner().invoke(main, list(words))
    assert told.exit_code in (0, 1), told.output
    return told.stdout


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hours of one table of each game with mistakes, on record, watched and projected."""
    folder = tmp_path_factory.mktemp("floor")
    wanted = "wager-overpaid,wager-underpaid,burn-missing"
    run("simulate", "--tables", "5", "--seed", "11", "--hours", "2", "--incidents", wanted, "--data", str(folder))
    run("watch", "--once", "--data", str(folder))
    run("project", "--once", "--data", str(folder))
    return folder


def ask(floor: Path, *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("ask", *words, "--json", "--data", str(floor)).splitlines()]


def test_the_findings_are_those_the_record_gives(floor: Path) -> None:
    told = [json.loads(line) for line in run("verify-log", "--data", str(floor)).splitlines()]
    asked = ask(floor, "findings", "--limit", "10000")
    assert {each["finding"] for each in asked} == {each["finding"] for each in told}
    assert {"wager-overpaid"} <= {each["code"] for each in asked}


def test_a_round_is_the_hand_the_record_rebuilds(floor: Path) -> None:
    finding = next(each for each in ask(floor, "findings", "--code", "wager-overpaid") if each["seat"])
    [story] = ask(floor, "round", finding["finding"])
    [hand] = map(json.loads, run(
        "reconstruct", finding["table"], "--round", str(finding["round"]), "--json", "--data", str(floor)
    ).splitlines())  # fmt: skip
    rebuilt = {
        (seat["seat"], wager["wager"]): (wager["staked_cents"], wager["owed_cents"], wager["handed_back_cents"])
        for seat in hand["seats"]
        for wager in seat["wagers"]
        if wager["owed_cents"] or wager["staked_cents"]
    }
    asked = {
        (wager["seat"], wager["wager"]): (wager["staked_cents"], wager["owed_cents"], wager["back_cents"])
        for wager in story["wagers"]
        if wager["owed_cents"] or wager["staked_cents"]
    }
    assert asked == rebuilt
    assert story["round"]["dealer_hand"] == hand["dealer_cards"]
    assert finding["finding"] in {each["finding"] for each in story["findings"]}


def test_players_evenings_come_to_what_the_tables_won(floor: Path) -> None:
    """Every hand has one player: what they lost, added up, is what the rounds left to the house."""
    lost: dict[str, int] = defaultdict(int)
    sql = "SELECT DISTINCT player FROM player_days"
    players = [
        row["player"] for row in csv.DictReader(io.StringIO(run("sql", "-c", sql, "--csv", "--data", str(floor))))
    ]
    for player in players:
        [evening] = ask(floor, "player", player)
        hands = [hand for hand in evening["hands_played"] if hand["back_cents"] is not None]
        known = [hand for hand in hands if hand["staked_cents"] is not None]
        assert evening["won_cents"] == sum(hand["back_cents"] - hand["staked_cents"] for hand in known)
        assert evening["hands"] == len(evening["hands_played"])
        for sitting in evening["sittings"]:
            lost[sitting["table"]] += sitting["won_cents"]
    whole = [row for row in ask(floor, "hold") if not row["left_out"]]
    assert whole
    assert {row["of"]: -lost[row["of"]] for row in whole} == {row["of"]: row["played_cents"] for row in whole}


def test_what_was_played_is_what_the_count_of_the_table_says(floor: Path) -> None:
    for row in ask(floor, "hold"):
        assert row["days"] == row["closed"] == 1
        assert row["low_cents"] < row["expected_cents"] < row["high_cents"]
        if not row["left_out"]:
            assert abs(row["played_cents"] - row["win_cents"]) <= 100_000  # what was paid wrongly, at the most


def test_dealers_rounds_are_all_the_rounds(floor: Path) -> None:
    sql = "SELECT DISTINCT dealer FROM dealer_days"
    dealers = [
        row["dealer"] for row in csv.DictReader(io.StringIO(run("sql", "-c", sql, "--csv", "--data", str(floor))))
    ]
    rounds = sum(ask(floor, "dealer", dealer)[0]["rounds"] for dealer in dealers)
    assert rounds == sum(row["rounds"] for row in ask(floor, "hold"))
    [overall] = [row for row in ask(floor, "undecided") if row["what"] == "decided"]
    assert overall["wagers"] == sum(ask(floor, "dealer", dealer)[0]["decided"] for dealer in dealers)


def test_no_card_of_a_hand_that_is_still_played_is_published(tmp_path: Path) -> None:
    """The third round is cut off behind its deal: no question by any user shows it."""
    rounds = [round_(seat(2, "Ah 9h", "play:4"), dealer="9c 9d", community="Kh 7h 2h 5d 3s")] * 2
    live = round_(seat(2, "Qs Qd", "play:4"), dealer="4c 4d", community="Jc Th 8c 6d 6s")
    facts = day("UTH-MD", rounds=[*rounds, live])
    dealt = max(place for place, fact in enumerate(facts) if isinstance(fact, CardDealt))
    lines = [encode(fact) for fact in facts[: dealt + 1]]
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(lines))
    run("ingest", "--data", str(tmp_path), str(tmp_path / "day.jsonl"))
    run("watch", "--once", "--data", str(tmp_path))
    run("project", "--once", "--data", str(tmp_path))
    [table] = ask(tmp_path, "floor")
    assert table["round"] == 3
    hidden = ("Qs", "Qd", "4c", "4d", "Jc", "Th", "8c", "6d", "6s")
    with opened(tmp_path / "read") as reading:
        assert reading.query("SELECT max(round) FROM rounds") == [(2,)]
        for name in SCHEMA:
            columns = "* EXCLUDE never_seen" if name == "decks" else "*"  # all but those seen are never seen
            told = reading.query(f"SELECT {columns} FROM {name}")  # noqa: S608 - tables of the schema
            shown = [str(value) for row in told for value in row]
            assert not [text for text in shown for card in hidden if card in text.replace(",", " ").split()], name
