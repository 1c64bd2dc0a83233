"""A hand found by number, by about when and by player, and shown as text, as JSON and as a page."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from domain.facts.codec import encode
from domain.floor.edits import broken, change
from domain.floor.scripted import day, round_, seat

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
    (folder / "day.jsonl").write_bytes(b"\n".join(map(encode, facts)))
    told = CliRunner().invoke(main, ["ingest", "--data", str(folder), str(folder / "day.jsonl")])
    assert told.exit_code == 0, told.output
    return folder


def asked(record: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["reconstruct", "T7", *arguments, "--data", str(record)])


def test_the_hand_tells_what_was_owed_and_paid_and_what_to_review(record: Path) -> None:
    told = asked(record, "--round", "2")
    assert told.exit_code == 0
    told_words = [line.split() for line in told.stdout.splitlines()]
    assert ["4", "ante", "$10", "$20", "$25", "+$5", "UTH-MD", "12.A"] in told_words
    for line in (
        "Seat 2 folded (river).",
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
    middle = (hand["began"] + hand["ended"]) // 2
    seconds = middle // 1_000_000 % 86_400
    of_day = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    assert msgspec.json.decode(asked(record, "--at", of_day, "--json").stdout)["round"] == 2
    assert msgspec.json.decode(asked(record, "--at", f"2026-11-18T{of_day}Z", "--json").stdout)["round"] == 2


def test_a_players_rounds_all_come(record: Path) -> None:
    lines = asked(record, "--player", "<p-1>", "--json").stdout.splitlines()
    assert [msgspec.json.decode(line)["round"] for line in lines] == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("--round", "9"), 1, "has no round 9; it has rounds 1 to 3"),
        (("--at", "04:00"), 1, "has no round within ten minutes"),
        (("--at", "nine"), 2, "write 21:10"),
        (("--player", "nobody"), 1, "has no round with player nobody"),
        (("--round", "1", "--day", "2026-01-01"), 1, "its last days are 2026-11-18"),
        ((), 2, "say which hand"),
        (("--round", "1", "--at", "21:10"), 2, "say which hand"),
        (("--round", "1", "--json", "--html"), 2, "--json or --html"),
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
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(map(encode, unseen)))
    CliRunner().invoke(main, ["ingest", "--data", str(tmp_path), str(tmp_path / "day.jsonl")])
    told = asked(tmp_path, "--round", "1", *(["--html"] if form == "html" else [])).stdout
    assert "Nothing to review in this round. Not all of it could be decided" in told
    assert "not on record: " in told
    assert "first card" in told


@pytest.mark.parametrize("form", ["text", "html"])
def test_a_hand_under_an_edition_that_is_not_here_is_told_and_not_settled(tmp_path: Path, form: str) -> None:
    """Another edition may pay otherwise: what was owed is left open, and said to be, in every form."""
    facts = broken(day("UTH-MD", rounds=[round_(LOSER, WINNER)]), change("table-opened", to={"book_digest": "0" * 64}))
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(map(encode, facts)))
    CliRunner().invoke(main, ["ingest", "--data", str(tmp_path), str(tmp_path / "day.jsonl")])
    told = asked(tmp_path, "--round", "1", *([] if form == "text" else ["--html"])).stdout
    assert "rule-book-unknown" in told
    assert "the edition of UTH-MD this table opened under is not here" in told
    assert "12.A" not in told
    assert "Nothing to review" not in told
