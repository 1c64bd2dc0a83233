"""The questions as commands: three forms of one answer, and a clear word where there is none."""

import csv
import io
import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.commands.ask import ask_command
from consumers.desk.opening import open_desk
from domain.desk.access import Accessed
from domain.desk.records import decode
from tests.projections.hand_made import HandMade, at

FINDING = "0123456789abcdef0123"


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table's day of two rounds, published."""
    folder = tmp_path_factory.mktemp("pit")
    with HandMade() as made:
        made.put("tables", book="UTH-MD", state="playing", pit="B", zone="America/New_York", sequence=90, deck="d1")
        made.put("money", drop_cents=100_000, win_cents=20_000).put("coverage", what="decided", wagers=3)
        made.put("meters", meter="mega", stands_cents=1_234_500).put("staff", number=1, person="D-1", role="dealer")
        made.put("decks", deck="d1", rounds=2, first_round=1, last_round=2, count_due=True, rounds_since_count=7)
        made.put("troubles", log="facts", partition=0, position=9, kind="unreadable", says="it is not JSON")
        made.put("handling", round=1, sequence=40, what="stub-counted", deck="d1", cards=33, at=at("20:01"))
        made.put(
            "houses",
            house="h",
            wager="base",
            unit="ante",
            edge=0.02,
            deviation=5.0,
            fixed_cents=0.0,
            crossed=0.0,
            fixed_variance=0.0,
        )
        for number in (1, 2):
            sums = {"staked_cents": 1_000, "back_cents": 3_050, "owed_cents": 2_050}
            place = {"round": number, "began_at": at(f"20:0{number}"), "ended_at": at(f"20:0{number}:30")}
            made.put("rounds", dealer="D-1", deck="d1", hands=1, house="h", decided=1, undecided=0, **place, **sums)
            made.put("hands", round=number, seat=1, player="p-1", cards="Ah Kd", difference_cents=1_000, **sums)
            made.put("wagers", round=number, seat=1, player="p-1", wager="ante", difference_cents=1_000, **sums)
        told = {
            "clauses": ["UTH-MD 12.A", "UTH-MD 12.B"],
            "evidence": [7, 9],
            "says": "Seat 1 got $30.50, owed $20.50.",
        }
        made.put(
            "findings",
            finding=FINDING,
            dealer="D-1",
            code="wager-overpaid",
            round=1,
            seat=1,
            expected_cents=2_050,
            observed_cents=3_050,
            at=at("20:01"),
            **told,
        )
        made.publish(folder / "read")
    return folder


def ask(pit: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["ask", *words, "--data", str(pit)])


EVERY = [
    ["floor"], ["findings"], ["undecided"], ["meters"], ["staff"], ["troubles"], ["round", "T7/2026-11-18:1"],
    ["player", "p-1"], ["dealer", "D-1"], ["decks", "T7"], ["blast", "--deck", "d1"], ["hold"],
    ["statistics"], ["openers", "--all"], ["cards"], ["errors"],
    ["round", "T7", "--all"], ["decks", "--deck", "d1"],
]  # fmt: skip


def test_every_question_is_asked_here() -> None:
    assert sorted({words[0] for words in EVERY}) == sorted(ask_command.commands)


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_an_answer_has_three_forms(pit: Path, words: list[str]) -> None:
    table, text, lines = ask(pit, *words), ask(pit, *words, "--json"), ask(pit, *words, "--csv")
    assert (table.exit_code, text.exit_code, lines.exit_code) == (0, 0, 0), table.output + text.output + lines.output
    rows = list(csv.DictReader(io.StringIO(lines.stdout)))
    told = [json.loads(line) for line in text.stdout.splitlines()]
    assert rows
    assert told
    assert "as of 2026-11-18 17:00:00 America/New_York" in table.stderr
    assert text.stderr == lines.stderr == ""
    if words != ["troubles"]:  # whose own age grows from one question to the next
        assert table.stdout == ask(pit, *words, "--table").stdout


@pytest.mark.parametrize("name", sorted(ask_command.commands))
def test_every_question_shows_examples_and_the_three_forms(name: str) -> None:
    help_text = CliRunner().invoke(main, ["ask", name, "--help"]).output
    for word in ("Example", "--json", "--csv", "--table", "--data"):
        assert word in help_text


def test_a_table_has_dollars_and_the_propertys_time_and_a_program_gets_cents_and_utc(pit: Path) -> None:
    table = ask(pit, "findings").stdout
    [row] = csv.DictReader(io.StringIO(ask(pit, "findings", "--csv").stdout))
    [told] = map(json.loads, ask(pit, "findings", "--json").stdout.splitlines())
    assert "$30.50" in table
    assert "2026-11-18 15:01:00" in table
    assert (row["observed_cents"], row["at"], row["evidence"]) == ("3050", "2026-11-18T20:01:00Z", "7 9")
    assert row["player"] == told["player"] == "p-1"
    assert (told["observed_cents"], told["at"], told["evidence"]) == (3_050, "2026-11-18T20:01:00Z", [7, 9])


def test_csv_of_an_answer_without_rows_still_names_its_fields(pit: Path) -> None:
    assert ask(pit, "findings", "--dealer", "nobody", "--csv").stdout.startswith("finding,code,severity,")
    assert ask(pit, "findings", "--dealer", "nobody").stdout == "No findings match these filters\n"


def test_the_csv_of_a_blast_radius_is_the_repayment_list(pit: Path) -> None:
    [row] = csv.DictReader(io.StringIO(ask(pit, "blast", "--deck", "d1", "--basis", "rules", "--csv").stdout))
    assert (row["player"], row["hands"], row["to_player_cents"], row["by_player_cents"]) == ("p-1", "2", "0", "2000")
    hands = ask(pit, "blast", "--deck", "d1", "--part", "affected_hands", "--csv").stdout
    assert len(hands.splitlines()) == 3


def test_a_round_is_found_by_about_when_in_the_propertys_time(pit: Path) -> None:
    found = ask(pit, "round", "T7", "--at", "about two past three pm", "--json")
    assert json.loads(found.stdout)["round"]["round"] == 2
    listed = ask(pit, "round", "T7", "--at", "15:02", "--all", "--json")
    assert [json.loads(line)["round"] for line in listed.stdout.splitlines()] == [2, 1]


def test_days_and_moments_bound_the_queue(pit: Path) -> None:
    def count(*words: str) -> int:
        return len(ask(pit, "findings", "--json", *words).stdout.splitlines())

    assert count("--from", "2026-11-18", "--to", "2026-11-18") == 1
    assert count("--from", "2026-11-19") == 0
    assert count("--from", "2026-11-18T15:00", "--to", "2026-11-18T15:02") == 1
    assert count("--from", "2026-11-18T15:02:00") == 0
    assert count("--at-least", "10") == 1
    assert count("--at-least", "10.01") == 0


def test_a_queue_longer_than_was_asked_for_says_so(tmp_path: Path) -> None:
    with HandMade() as made:
        made.put("tables", book="PIK")
        for number in range(3):
            made.put("findings", finding=str(number) * 20, code="opener-differs", severity="money")
        made.publish(tmp_path / "read")
    cut, whole = (ask(tmp_path, "findings", "--limit", limit, "--csv") for limit in ("2", "3"))
    assert len(cut.stdout.splitlines()) == 1 + 2
    assert "only the first 2 are shown; for more, give a higher --limit" in cut.stderr
    assert len(whole.stdout.splitlines()) == 1 + 3
    assert whole.stderr == ""


# words, status, what is said
WRONG = [
    (["findings", "--from", "yesterday"], 2, "write it like 2026-11-18"),
    (["findings", "--json", "--csv"], 2, "give one of them"),
    (["hold", "--from", "2026-11-18T15:00"], 2, "without a time"),
    (["meters", "--from", "2026-11-18T15:00"], 2, "without a time"),
    (["staff", "--to", "2026-11-18T15:00"], 2, "without a time"),
    (["round", "T7", "--at", "late"], 2, "write 21:10"),
    (["round", "T7", "--round", "9"], 1, "has rounds 1 to 2"),
    (["round", "a b c"], 2, "write a round like T7/2026-11-18:212"),
    (["player", "p-9"], 1, "no hand of player p-9"),
    (["dealer", "D-9"], 1, "no round dealt by"),
    (["decks"], 2, "name a table, --deck"),
    (["decks", "T9"], 1, "there are T7"),
    (["blast"], 2, "name a deck, a device, a dealer"),
    (["blast", "--deck", "d9"], 1, "no round was dealt from deck"),
    (["blast", "--deck", "d1", "--part", "crowds"], 2, "this answer has repayments"),
    (["findings", "--at-table", "T9"], 1, "there is no table 'T9': there are T7"),
    (["hold", "-t", "T9", "--from", "2026-11-01"], 1, "there are T7"),
    (["staff", "-t", "T9"], 1, "there are T7"),
    (["openers", "-t", "T9"], 1, "there are T7"),
    (["blast", "-t", "T9", "--deck", "d1"], 1, "there are T7"),
    (["findings", "--game", "UTH"], 2, "the games are UTH-MA, UTH-MD, PIK, FAH, COL"),
    (["errors", "--game", "UTH"], 2, "is not a game"),
    (["findings", "--code", "wager-overpayed"], 2, "is it one of"),
    (["findings", "--code", "nonsense"], 2, "is not a finding's code"),
    (["undecided", "--wagers"], 2, "say --at-table"),
]


@pytest.mark.parametrize(
    ("words", "status", "says"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else None
)
def test_a_wrong_question_is_told_what_is_wrong(pit: Path, words: list[str], status: int, says: str) -> None:
    answer = ask(pit, *words)
    assert answer.exit_code == status
    assert says in answer.output


def test_where_nothing_is_published_the_projector_is_named(tmp_path: Path) -> None:
    answer = ask(tmp_path, "floor")
    assert answer.exit_code == 2
    assert "catwalk project" in answer.output
    nowhere = CliRunner().invoke(main, ["ask", "floor"], env={"CATWALK_DATA": ""})
    assert nowhere.exit_code == 2
    assert "give --data DIR" in nowhere.output


ASKED = {
    ("round", "T7", "--round", "1", "--purpose", "dispute 118"): ("hand", "ask round named=T7 number=1", "dispute 118"),
    ("player", "p-1", "--csv"): ("player", "ask player player=p-1 as_csv=True", ""),
    ("findings", "--severity", "money"): (
        "search",
        "ask findings severity=money status=standing order=time limit=200",
        "",
    ),
    ("floor",): ("page", "ask floor", ""),
}


@pytest.mark.parametrize("words", ASKED)
def test_each_question_stands_in_the_access_log_with_who_asked_and_why(
    pit: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "read").symlink_to(pit / "read")
    assert CliRunner().invoke(main, ["ask", *words, "--state", str(tmp_path)]).exit_code == 0
    with closing(open_desk(tmp_path, {})) as desk:
        (row,) = desk.recorder.select_notifications(1, 100)
    record = decode(bytes(row.state))
    assert isinstance(record, Accessed)
    what, of, why = ASKED[words]
    assert (record.what, sorted(record.of.split()), record.why) == (what, sorted(of.split()), why)
    assert record.by
    assert record.generation
