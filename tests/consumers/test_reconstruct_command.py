"""A hand found by number, by about when and by player, and shown as text, as JSON and as a page."""

import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.simulation.edits import broken, change, drop
from domain.simulation.scripted import day, round_, seat, wrong
from domain.simulation.table import NOON

HOUR = 3_600_000_000
LOSER = seat(2, "4h 3c", "check check fold", trips=500, player="<p-1>")
WINNER = seat(4, "Ah Kd", "play:4", trips=500)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three rounds of Maryland's game; in the second, seat 4's ante is paid five dollars too much."""
    folder = tmp_path_factory.mktemp("pit")
    plain = round_(seat(2, player="<p-1>"), seat(4))
    rounds = [plain, round_(LOSER, WINNER, dealer="9c 9d", community="As Kc 7h 5d 2s"), plain]
    video = {"camera": "cam-7", "time_code": "21:10:05:12"}
    facts = broken(
        day("UTH-MD", rounds=rounds), change("wager-paid", round=2, wager="ante", to={"cents": 1500, **video})
    )
    ingested(folder, facts)
    return folder


def asked(record: Path, *arguments: str, table: str = "T7") -> Result:
    return CliRunner().invoke(main, ["reconstruct", table, *arguments, "--data", str(record)])


def ingested(folder: Path, facts: Iterable[Fact]) -> None:
    (folder / "day.jsonl").write_bytes(b"\n".join(map(encode, facts)))
    told = CliRunner().invoke(main, ["ingest", "--data", str(folder), str(folder / "day.jsonl")])
    assert told.exit_code == 0, told.output


def test_the_hand_tells_what_was_owed_and_paid_and_what_to_review(record: Path) -> None:
    told = asked(record, "--round", "2")
    assert told.exit_code == 0
    told_words = [line.split() for line in told.stdout.splitlines()]
    assert ["4", "ante", "$10", "$20", "$25", "+$5", "UTH-MD", "12.A"] in told_words
    for line in (
        "Seat 2 folded after the last two community cards.",
        "seat 4     Ah Kd  player-4  play  two pair, aces and kings",
        "wager-overpaid",
        "shown by T7/2026-11-18:",
    ):
        assert line in told.stdout
    assert "Nothing to review in this round." in asked(record, "--round", "1").stdout


def test_json_carries_the_same(record: Path) -> None:
    hand = msgspec.json.decode(asked(record, "--round", "2", "--json").stdout)
    assert (hand["round"], hand["previous"], hand["next"]) == (2, 1, 3)
    ante = hand["seats"][1]["wagers"][0]
    assert (ante["wager"], ante["owed_cents"], ante["handed_back_cents"]) == ("ante", 2000, 2500)
    assert [finding["code"] for finding in hand["findings"]] == ["wager-overpaid"]
    assert all(hand["findings"][0]["clauses"].values())


def test_a_page_needs_nothing_else_and_escapes_what_people_typed(record: Path) -> None:
    shown = asked(record, "--round", "2", "--html").stdout
    assert "&lt;p-1&gt;" in shown
    assert "<p-1>" not in shown
    assert "http" not in shown
    assert "A♥" in shown


def test_a_page_says_how_the_round_was_dealt_how_much_is_too_much_and_where_the_video_has_it(record: Path) -> None:
    shown = asked(record, "--round", "2", "--html").stdout
    for part in (" &middot; dealer dealer-1 &middot; T7-deck-1", "+$5", "T7-chips, camera cam-7 21:10:05:12"):
        assert part in shown


def test_about_when_finds_the_round_that_was_running(record: Path) -> None:
    hand = msgspec.json.decode(asked(record, "--round", "2", "--json").stdout)
    began, ended = (datetime.fromisoformat(hand[name]) for name in ("began_at", "ended_at"))
    of_day = f"{began + (ended - began) / 2:%H:%M:%S}"
    assert msgspec.json.decode(asked(record, "--at", of_day, "--json").stdout)["round"] == 2
    assert msgspec.json.decode(asked(record, "--at", f"2026-11-18T{of_day}Z", "--json").stdout)["round"] == 2


def test_before_the_first_round_the_next_one_is_named(tmp_path: Path) -> None:
    ingested(tmp_path, broken(day("UTH-MD", rounds=[round_(seat(2))]), change("table-opened", to={"at": NOON - HOUR})))
    told = asked(tmp_path, "--at", "2026-11-18T11:30:00-05:00")
    assert told.exit_code == 1
    assert "after it, round 1 began 2026-11-18 " in told.stderr


def test_the_property_is_no_table(record: Path) -> None:
    told = asked(record, "--round", "1", table="property")
    assert told.exit_code == 1
    assert (
        "property is the stream of the whole house, in which no round is dealt; name a table, such as T7" in told.stderr
    )


def test_a_players_rounds_all_come(record: Path) -> None:
    lines = asked(record, "--player", "<p-1>", "--json").stdout.splitlines()
    assert [msgspec.json.decode(line)["round"] for line in lines] == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("--round", "9"), 1, "has no round 9; it has rounds 1 to 3"),
        (("--at", "04:00"), 1, "has no round within ten minutes of 2026-11-19 04:00"),
        (("--at", "04:00"), 1, "the table opened 2026-11-18 "),
        (("--at", "04:00"), 1, "before it, round 3 ended 2026-11-18 "),
        (("--at", "2026-11-18T12:30:00Z"), 1, "T7 was not open by then; its first gaming day on record is 2026-11-18"),
        (
            ("--day", "foo", "--round", "1"),
            2,
            "Invalid value for '--day': 'foo' is not a gaming day: write it like 2026-11-18",
        ),
        (("--at", "nine"), 2, "write 21:10"),
        (("--player", "nobody"), 1, "has no round with player nobody"),
        (("--round", "1", "--day", "2026-01-01"), 1, "its last days are 2026-11-18"),
        ((), 2, "name the hand"),
        (("--round", "1", "--at", "21:10"), 2, "name the hand"),
        (("--round", "1", "--json", "--html"), 2, "--json and --html exclude"),
    ],
)
def test_what_is_not_there_is_said(record: Path, arguments: tuple[str, ...], status: int, says: str) -> None:
    told = asked(record, *arguments)
    assert told.exit_code == status
    assert says in told.stderr


@pytest.mark.parametrize("form", ["text", "html"])
def test_a_round_that_could_not_be_decided_is_no_clean_one(tmp_path: Path, form: str) -> None:
    facts = day("UTH-MD", rounds=[round_(WINNER, dealer="9c 9d", community="As Kc 7h 5d 2s")])
    unseen = broken(
        facts,
        change("card-dealt", to={"card": "??"}),
        change("hand-revealed", to={"cards": ()}),
        change("hands-collected", to={"cards": ()}),
    )
    ingested(tmp_path, unseen)
    told = asked(tmp_path, "--round", "1", *(["--html"] if form == "html" else [])).stdout
    assert "Nothing to review in this round. Some of it could not be decided" in told
    assert ": a card was not seen: " in told
    assert "first card" in told


@pytest.mark.parametrize("form", ["text", "html"])
def test_a_hand_under_an_edition_that_is_not_here_is_told_and_not_settled(tmp_path: Path, form: str) -> None:
    """Another edition may pay differently: the amount owed is left open, and every form says so."""
    facts = broken(day("UTH-MD", rounds=[round_(LOSER, WINNER)]), change("table-opened", to={"book_digest": "0" * 64}))
    ingested(tmp_path, facts)
    told = asked(tmp_path, "--round", "1", *([] if form == "text" else ["--html"])).stdout
    assert "rule-book-unknown" in told
    assert "the edition of UTH-MD this table opened under is not here" in told
    assert "12.A" not in told
    assert "Nothing to review" not in told


def test_what_was_found_around_a_hand_is_told_with_it(tmp_path: Path) -> None:
    """The table opened with too many positions, which is about no round: it stands with the first hand and no other."""
    rounds = [round_(LOSER, WINNER), round_(LOSER, WINNER)]
    ingested(tmp_path, broken(day("UTH-MD", rounds=rounds), change("table-opened", to={"positions": 9})))
    first, second = (msgspec.json.decode(asked(tmp_path, "--round", number, "--json").stdout) for number in "12")
    assert [finding["code"] for finding in first["around"]] == ["positions-too-many"]
    assert second["around"] == []
    shown = asked(tmp_path, "--round", "1").stdout
    assert "To review around this hand (about the table, not the round):" in shown
    for told in (shown, asked(tmp_path, "--round", "1", "--html").stdout):
        assert "The table opened with 9 betting positions, but only 6 are allowed." in told
    assert "betting positions" not in asked(tmp_path, "--round", "2").stdout


@pytest.mark.parametrize("form", ["text", "html"])
def test_what_came_between_the_facts_of_a_hand_is_named(tmp_path: Path, form: str) -> None:
    """Shuffles of the second deck belong to no round: their numbers are explained, not just missing."""
    ingested(tmp_path, day("UTH-MD", {"shuffler": "automated", "decks": 2}, rounds=[round_(LOSER, WINNER)] * 3))
    hand = msgspec.json.decode(asked(tmp_path, "--round", "2", "--json").stdout)
    held = {step["sequence"] for step in hand["steps"]}
    passed = sorted(set(range(min(held), max(held))) - held)
    assert passed
    shown = asked(tmp_path, "--round", "2", *([] if form == "text" else ["--html"])).stdout
    named = ", ".join(f"T7/2026-11-18:{each}" for each in passed)
    assert f"Facts of the table but not of this round, not listed: {named}" in re.sub("</?span[^>]*>", "", shown)


@pytest.mark.parametrize("form", ["text", "html"])
def test_how_sure_a_clause_is_stands_in_words_below(tmp_path: Path, form: str) -> None:
    ingested(tmp_path, day("UTH-MA", rounds=[round_(LOSER, WINNER, irregularity=wrong("card-exposed", of="dealer"))]))
    shown = asked(tmp_path, "--round", "1", *([] if form == "text" else ["--html"])).stdout
    assert "(reading): the rule" in shown
    assert "(undecidable): " not in shown


@pytest.mark.parametrize("table", ["T7", "T8"])
def test_what_shows_at_two_tables_stands_with_the_hand_once_somebody_watched(tmp_path: Path, table: str) -> None:
    """One table's facts cannot show it: it comes from what the watch wrote down, with the other table's fact."""
    plain = [round_(seat(1), seat(3))]
    here = day("COL", {"version": "required"}, rounds=plain, table="T7")
    there = day("COL", {"version": "permissible"}, rounds=[round_(seat(2))], table="T8", opens_at=NOON + 60_000_000)
    ingested(tmp_path, [*here, *there])
    before = asked(tmp_path, "--round", "1", table=table)
    assert "findings from comparing two tables are missing" in before.stderr
    assert "versions-mixed" not in before.stdout
    assert CliRunner().invoke(main, ["watch", "--data", str(tmp_path), "--once"]).exit_code == 1
    after = asked(tmp_path, "--round", "1", table=table)
    assert not after.stderr
    assert "versions-mixed" in after.stdout
    assert "shown by T8/2026-11-18:1, T7/2026-11-18:1" in after.stdout


def test_a_table_without_a_round_says_so(tmp_path: Path) -> None:
    ingested(tmp_path, day("UTH-MD", rounds=[]))
    assert "has no round 1; none has been dealt" in asked(tmp_path, "--round", "1").stderr


def test_a_round_within_a_stretch_shows_its_finding(tmp_path: Path) -> None:
    """The person at seat 4 is never seated: that is one finding of three rounds, and each of them shows it."""
    rounds = [round_(seat(2), seat(4))] * 3
    ingested(tmp_path, broken(day("UTH-MD", rounds=rounds), drop("player-seated", seat=4)))
    for number in ("1", "2", "3"):
        hand = msgspec.json.decode(asked(tmp_path, "--round", number, "--json").stdout)
        assert [(one["code"], one["round"], one["to_round"]) for one in hand["findings"]] == [("wager-unseated", 1, 3)]
