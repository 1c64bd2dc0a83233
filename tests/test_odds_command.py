"""`catwalk odds` as a person at the prompt meets it."""

import csv
import io
import json

import pytest
from click.testing import CliRunner

from consumers.command import main
from domain.rulebooks import BOOKS


def _run(*arguments, stdin=None):
    return CliRunner().invoke(main, ["odds", *arguments], input=stdin)


def _json(*arguments, stdin=None):
    done = _run(*arguments, "--json", stdin=stdin)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_has_odds_by_default(book):
    found = _json(book)
    assert found["rulebook"] == book
    assert found["config"] == {}
    assert found["wagers"]
    for odds in found["wagers"].values():
        assert {"house_edge", "hit_rate", "standard_deviation", "method"} <= odds.keys()


@pytest.mark.parametrize("book", ["UTH-MA", "UTH-MD", "PIK", "COL"])
def test_the_base_game_has_an_element_of_risk(book):
    base = _json(book)["wagers"]["base"]
    assert abs(base["element_of_risk"]) < abs(base["house_edge"])
    assert base["method"] == "optimal-play"


def test_set_takes_json_text_and_dotted_keys_and_turns_a_group_on():
    found = _json(
        *("UTH-MD", "--set", "trips_table=B", "--set", "progressive.table=C"),
        *("--set", "progressive.allowed=[500]", "--set", "six_card_table=null"),
    )
    assert found["config"] == {
        "trips_table": "B",
        "progressive": {"table": "C", "allowed": [500]},
        "six_card_table": None,
    }
    assert found["wagers"]["progressive"]["amount_cents"] == 500
    assert "progressive@500" not in found["wagers"]
    assert found["wagers"]["trips"]["house_edge"] == pytest.approx(0.019, abs=5e-5)


def test_set_overrides_the_configuration_file():
    config = json.dumps({"trips_table": "A", "ultimate_pairs_table": "C"})
    found = _json("UTH-MD", "--config", "-", "--set", "trips_table=D", stdin=config)
    assert found["config"] == {"trips_table": "D", "ultimate_pairs_table": "C"}
    assert found["wagers"]["trips"]["house_edge"] == pytest.approx(0.0618, abs=5e-5)
    assert "ultimate_pairs" in found["wagers"]


def test_the_configuration_may_be_a_file(tmp_path):
    path = tmp_path / "house.json"
    path.write_text('{"cover_all": true, "shuffler": "cover-all"}')
    found = _json("UTH-MA", "--config", str(path))
    assert found["wagers"]["cover_all"] == found["wagers"]["cover_all@7"]
    assert {f"cover_all@{hands}" for hands in range(2, 8)} <= found["wagers"].keys()
    assert found["warnings"] == []


def test_wagers_not_offered_are_not_listed():
    assert _json("UTH-MD", "--set", "trips_table=null")["wagers"].keys() == {"base"}
    assert _json("COL", "--set", "bonus_offered=false")["wagers"].keys() == {"base"}


def test_envy_is_worth_something_for_each_other_player_and_has_no_edge_of_its_own():
    envy = _json("UTH-MD", "--set", "progressive={}")["wagers"]["envy"]
    assert envy["house_edge"] is None
    assert envy["value_per_other_player"] == pytest.approx(0.115873, abs=1e-6)


def test_posted_odds_are_honoured_or_said_to_be_unknown():
    posted = json.dumps({"posted_odds": {"trips": {"straight": "6 to 1"}, "blind": {"flush": "2 to 1"}}})
    found = _json("UTH-MD", "--config", "-", stdin=posted)
    assert found["wagers"]["trips"]["house_edge"] < 0
    assert found["wagers"]["base"]["house_edge"] is None
    assert found["wagers"]["base"]["method"] == "not-stored"
    assert {"pay-table-altered", "odds-favour-the-player"} <= {warning["code"] for warning in found["warnings"]}


def test_the_table_for_people_says_what_is_left_out_and_warns_on_standard_error():
    done = _run("PIK")
    assert done.exit_code == 0
    assert "Payout caps are left out" in done.stdout
    assert "A positive edge is the house's" in done.stdout
    assert "odds-favour-the-player, PIK 39.11(c)/Pay Table 1" in done.stderr
    assert "odds-favour-the-player" not in done.stdout


def test_a_finding_of_the_house_is_a_warning_too():
    done = _run("UTH-MD", "--set", "payout_cap=100")
    assert done.exit_code == 0
    assert "payout-cap-too-low" in done.stderr


def test_the_dealing_method_is_part_of_the_house():
    done = _run("UTH-MD", "--set", "six_card_table=A", "--dealing-method", "hand")
    assert "bonus-cannot-be-dealt" in done.stderr
    assert "bonus-cannot-be-dealt" not in _run("UTH-MD", "--dealing-method", "automated-shoe").stderr


def test_csv_has_a_row_for_each_wager():
    done = _run("FAH", "--csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["wager"] for row in rows] == ["base", "original", "natural"]
    assert 0.03 < float(rows[0]["house_edge"]) < 0.04
    assert rows[0]["element_of_risk"] == rows[0]["house_edge"] == rows[1]["house_edge"]
    assert rows[2]["house_edge"] == ""


BAD = [
    (["UTH-NV"], None, "there is no rule book 'UTH-NV' (did you mean UTH-MD?)"),
    (["UTH-MA", "--set", "trips_table"], None, "Write KEY=VALUE"),
    (["UTH-MA", "--set", "trips_table=E"], None, "it must be one of A, B, C, D"),
    (["UTH-MA", "--set", "trips=A"], None, "'trips' is not an option of UTH-MA"),
    (["UTH-MA", "--set", "progressive.colour=red"], None, "'progressive.colour' is not an option of UTH-MA"),
    (["UTH-MA", "--set", ".=1"], None, "Write KEY=VALUE"),
    (["UTH-MA", "--config", "-"], "[1", "is not JSON"),
    (["UTH-MA", "--config", "-"], "[1]", "is not an object"),
    (["UTH-MA", "--config", "/no/such/file"], None, "No such file"),
    (["UTH-MA", "--dealing-method", "juggling"], None, "dealing_method cannot be"),
    (["UTH-MA", "--json", "--csv"], None, "give one of them"),
]


@pytest.mark.parametrize(("arguments", "stdin", "says"), BAD, ids=[" ".join(arguments) for arguments, _, _ in BAD])
def test_bad_input_says_what_is_wrong_and_exits_with_2(arguments, stdin, says):
    done = _run(*arguments, stdin=stdin)
    assert done.exit_code == 2
    assert says in done.stderr


def test_help_has_examples_that_run():
    shown = _run("--help").stdout
    examples = [line.strip() for line in shown.splitlines() if line.strip().startswith("catwalk odds")]
    assert len(examples) >= 4
    for example in examples:
        if "house.json" not in example:
            assert _run(*example.split()[2:]).exit_code == 0, example
