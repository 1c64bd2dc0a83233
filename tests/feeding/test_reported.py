"""The report of `catwalk feed check` on whole days: wrong options, days too short to tell, and types they miss."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from consumers.feeding.printing import in_words
from consumers.feeding.report import FeedReport
from tests.citations import ROOT
from tests.feeding.days import WHOLE, checked, day
from tests.feeding.mismapped import MISMAPPED, Day, Line, read, written

_DAYS = sorted(path for path in (ROOT / "docs/examples/days").glob("*.jsonl") if not path.name.startswith("wrong-"))
_HOUR = 3_600_000_000


def shipped(name: str, change: Callable[[Line], Line] = dict) -> Day:
    """A shipped day of four rounds, each line changed."""
    return [change(line) for line in read((ROOT / f"docs/examples/days/{name}.jsonl").read_text())]


def opening(**fields: object) -> Callable[[Line], Line]:
    """A change of the table's opening; an option is added to its options."""

    def change(line: Line) -> Line:
        if line["type"] != "table-opened.1":
            return line
        return line | fields | {"options": line["options"] | dict(fields.get("options", {}))}  # type: ignore[call-overload]

    return change


def doubts(report: FeedReport) -> dict[str, tuple[str, str, str]]:
    """The severity, sentence and cure of each doubt."""
    return {doubt.code: (doubt.severity, doubt.says, doubt.cure) for doubt in report.doubts}


@pytest.mark.parametrize(
    ("name", "options", "says", "cure"),
    [
        ("uth-md-hand", {"trip_table": "A"}, "'trip_table' is not an option of UTH-MD", "write 'trips_table'"),
        ("uth-md-hand", {"trips_table": "Z"}, 'trips_table cannot be "Z"', "trips_table: it must be one of A, B"),
        ("uth-ma-hand", {"trips_minimum": 500}, "'trips_minimum' is not an option of UTH-MA", "write 'trips_min'"),
        ("pik-hand", {"ante_max": 100}, "ante wagers are at most", "39.3(a)/s1-limits"),
        ("fah-manual-shoe", {"decks": 4}, "decks cannot be 4", "decks: it must be one of"),
        ("col-hand", {"colour": "red"}, "'colour' is not an option of COL", "it has bonus_offered"),
    ],
)
def test_a_wrong_option_is_wrong_and_its_cure_is_a_name_or_the_values(
    name: str, options: Line, says: str, cure: str
) -> None:
    report = checked(written(shipped(name, opening(options=options))))
    severity, said, cured = doubts(report)["options-wrong"]
    assert (report.verdict, severity) == ("wrong", "wrong")
    assert says in said
    assert cure in cured


def test_findings_are_listed_by_code_and_keep_the_name_as_it_was_written() -> None:
    report = checked(written(shipped("uth-md-hand", opening(options={"trip_table": "A"}))))
    text = "\n".join(in_words(report))
    assert "1  house-option-unknown" in text
    assert "catwalk verify-log" in text
    overpaid = list(in_words(checked((ROOT / "docs/examples/days/wrong-overpaid.jsonl").read_text())))
    assert any(line.split() == ["1", "wager-overpaid"] for line in overpaid), overpaid


@pytest.mark.parametrize("game", ["UTH-MA", "UTH-MD", "PIK"])
def test_amounts_100_times_too_small_are_named_by_the_options_where_no_limits_are_posted(game: str) -> None:
    change, code = MISMAPPED["wagers in dollars"]
    lines = change([opening(limits={})(line) for line in read(day(game, WHOLE[game][0]))])
    bare = [line for line in lines if line["type"] != "limits-posted.1"]
    report = checked(written(bare))
    assert doubts(report)[code][0] == "wrong"
    assert not any("amounts" in note for note in report.unchecked)


@pytest.mark.parametrize("game", ["FAH", "COL"])
def test_amounts_that_no_limit_bounds_are_said_to_be_unchecked(game: str) -> None:
    lines = [opening(limits={})(line) for line in read(day(game, WHOLE[game][0]))]
    report = checked(written([line for line in lines if line["type"] != "limits-posted.1"]))
    assert report.verdict == "clean"
    assert report.unchecked == ("amounts cannot be checked: the opening has no limits",)


def test_a_smaller_ante_than_the_books_default_is_no_doubt() -> None:
    """A house that chose no minimum and posts none may take $3."""

    def small(line: Line) -> Line:
        bare = opening(limits={})(line)
        if bare["type"] == "table-opened.1":
            kept = {name: value for name, value in bare["options"].items() if not name.endswith("_min")}
            return bare | {"options": kept}
        return bare | ({"cents": 300} if bare["type"] == "wager-placed.1" and bare["wager"] == "ante" else {})

    lines = [small(line) for line in read(day("UTH-MD", WHOLE["UTH-MD"][0])) if line["type"] != "limits-posted.1"]
    assert "wagers-100-times-too-small" not in doubts(checked(written(lines)))


@pytest.mark.parametrize("hours", [3, 5])
def test_a_day_opened_late_is_clean(hours: int) -> None:
    def late(line: Line) -> Line:
        return line | ({"at": line["at"] + hours * _HOUR} if line["type"] == "property-opened.1" else {})

    assert checked(written(shipped("uth-md-hand", late))).verdict == "clean"


def test_a_day_closed_late_is_at_most_doubtful() -> None:
    def late(line: Line) -> Line:
        return line | ({"at": line["at"] + 20 * _HOUR} if line["type"] == "table-closed.1" else {})

    report = checked(written(shipped("uth-md-hand", late)))
    assert report.verdict == "doubtful"
    assert doubts(report)["clock-of-another-zone"][2].endswith("If the day was closed late, nothing is wrong.")


@pytest.mark.parametrize("path", _DAYS, ids=lambda path: path.stem)
def test_the_shipped_days_are_clean_miss_nothing_and_are_too_short_to_tell(path: Path) -> None:
    report = checked(path.read_text())
    lines = list(in_words(report))
    few = "4 rounds are too few to tell units, seats or clocks: send at least 10"
    assert lines[1] == f"verdict: clean; {few}"
    assert not any("never says" in line for line in lines)


@pytest.mark.parametrize(("game", "seed"), [(game, seed) for game, seeds in WHOLE.items() for seed in seeds[:2]])
def test_a_lawful_day_misses_nothing_that_its_game_and_method_must_have(game: str, seed: int) -> None:
    report = checked(day(game, seed))
    assert report.unchecked == ()
    assert [never.type for table in report.tables for never in table.missing] == []


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("uth-ma-hand", "card-burned"),
        ("uth-md-manual-shoe", "hand-announced"),
        ("pik-automated-shoe", "three-designated"),
        ("fah-continuous-shoe", "marker-placed"),
        ("col-hand", "shuffle-completed"),
    ],
)
def test_a_type_that_every_day_has_is_missed(name: str, missing: str) -> None:
    lines = [line for line in shipped(name) if line["type"] != f"{missing}.1"]
    assert any(f"never says {missing}:" in line for line in in_words(checked(written(lines))))


def test_play_of_which_nothing_is_judged_is_wrong_if_lines_are_refused() -> None:
    """Every round ends, and a quarter of the lines or fewer is refused."""
    lines = shipped(
        "uth-md-manual-shoe", lambda line: line | ({"hands": 1} if line["type"] == "hand-revealed.1" else {})
    )
    lines = [line for line in lines if line["type"] not in ("card-dealt.1", "decision-made.1")]
    report = checked(written(lines))
    assert 0 < sum(cause.group.count for cause in report.refused) * 4 < report.lines
    assert sum(table.rounds for table in report.tables) == 4
    assert sum(table.judged for table in report.tables) == 0
    assert doubts(report)["nothing-judged"][0] == "wrong"


def test_times_in_text_have_a_doubt_of_their_own() -> None:
    lines = shipped("col-hand", lambda line: line | {"at": "2026-11-18T12:00:00Z"})
    report = checked(written(lines))
    assert list(doubts(report)) == ["times-in-text"]
    assert report.verdict == "wrong"
    assert json.loads(written(lines).splitlines()[0])["at"] == "2026-11-18T12:00:00Z"
