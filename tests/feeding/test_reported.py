"""The report of `catwalk feed check` on whole days: wrong options, days too short to tell, and types they miss."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from consumers.feeding.printing import in_words
from consumers.feeding.report import FeedReport
from domain.clauses import findings
from domain.feed.likely import LIKELY, likely
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
        ("pik-hand", {"dealing_method": "manual-shoe"}, "but the table deals by hand", "leave dealing_method out"),
        (
            "uth-md-hand",
            {"shuffler": "none"},
            "no machine shuffles, but the shuffler T1-shuffler does",
            "write one of aut",
        ),
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


def causes(report: FeedReport) -> list[tuple[str, int]]:
    """The code and the count of each cause of refusals, in the order of the report."""
    return [(cause.group.code, cause.group.count) for cause in report.refused]


def test_a_refused_opening_is_one_cause_and_the_lines_that_follow_are_another() -> None:
    lines = shipped("uth-md-hand", opening(positions="six"))
    place = next(number for number, line in enumerate(lines, 1) if line["type"] == "table-opened.1")
    report = checked(written(lines))
    follow = sum(line["stream"] == "T1" for line in lines) - 1
    assert causes(report) == [("value-wrong", 1), ("day-not-open", follow)]
    text = "\n".join(in_words(report))
    assert f"they follow from day:{place}, the opening of T1, which is refused" in text
    assert doubts(report)["nothing-judged"][2] == f"Mend the refused opening at day:{place} first."


def test_lines_of_two_tables_follow_from_their_own_openings() -> None:
    lines = shipped("uth-md-hand", opening(positions="six"))
    other = [
        line | {"stream": "T2", "source_key": f"2-{line['source_key']}"} | ({"table": "T2"} if "table" in line else {})
        for line in lines
        if line["stream"] == "T1"
    ]
    report = checked(written([*lines, *other]))
    first = {cause.group.first.came: cause.group.because for cause in report.refused if cause.group.because}
    assert len(first) == len(set(first.values())) == 2


def test_a_second_misspelled_type_or_word_has_a_cause_of_its_own() -> None:
    names = {"wager-placed.1": "wager-place.1", "bets-closed.1": "bets-close.1"}
    words = {"ante": "antte", "blind": "blinnd"}
    types = checked(
        written(shipped("uth-md-hand", lambda line: line | {"type": names.get(line["type"], line["type"])}))
    )
    assert [code for code, _ in causes(types)].count("type-unknown") == 2
    wagers = shipped(
        "uth-md-hand",
        lambda line: line | ({"wager": words.get(line["wager"], line["wager"])} if "wager" in line else {}),
    )
    placed = [line for line in wagers if line["type"] != "wager-paid.1"]
    assert [code for code, _ in causes(checked(written(placed)))].count("word-unknown") >= 2


def test_a_field_that_is_like_none_is_dropped_and_a_near_one_renamed() -> None:
    def wrong(line: Line) -> Line:
        if line["type"] == "wager-placed.1":
            return line | {"comment": "hello"}
        if line["type"] == "decision-made.1":
            return {("seet" if name == "seat" else name): value for name, value in line.items()}
        return line

    report = checked(written(shipped("uth-md-hand", wrong)))
    mended = {cause.group.field: json.loads(cause.mended) for cause in report.refused}
    assert "comment" not in mended["comment"]
    assert mended["comment"]["cents"] > 0
    assert "seat" in mended["seet"]


def test_a_whole_amount_with_a_decimal_point_may_be_in_cents() -> None:
    lines = shipped("uth-md-hand", lambda line: line | ({"cents": 5000.0} if line["type"] == "wager-placed.1" else {}))
    [cause] = [cause.group.first for cause in checked(written(lines)).refused]
    assert cause.cure == "5000, if it is in cents, or 500000, if it is in dollars"


@pytest.mark.parametrize("day", ["2025-01-18", "0001-01-01"])
def test_a_gaming_day_far_from_its_time_is_wrong_and_no_matter_of_zones(day: str) -> None:
    lines = shipped("uth-md-hand", lambda line: line | ({"gaming_day": day} if "gaming_day" in line else {}))
    report = checked(written(lines))
    assert report.verdict == "wrong"
    severity, says, cure = doubts(report)["gaming-day-implausible"]
    assert (severity, cure) == ("wrong", "Correct `gaming_day` in the opening, or the date of its `at`.")
    assert f'gaming_day is "{day}", and it must be within 2 days of the opening\'s time' in says
    assert 'write "2026-11-18", if at is right' in says
    assert "clock-of-another-zone" not in doubts(report)
    assert any('"gaming_day":"2026-11-18"' in cause.mended for cause in report.refused)


def test_a_gaming_day_that_is_one_date_off_is_doubted_as_the_day_too() -> None:
    lines = shipped("uth-md-hand", lambda line: line | ({"gaming_day": "2026-11-19"} if "gaming_day" in line else {}))
    _, _, cure = doubts(checked(written(lines)))["clock-of-another-zone"]
    assert cure.startswith(
        "Correct `gaming_day` in the opening if it is another date. If it is right: Send `at` in UTC"
    )


@pytest.mark.parametrize("opened", ["property-opened.1", "table-opened.1"])
@pytest.mark.parametrize("zone", ["Eastern", "America", "../etc/passwd"])
def test_a_zone_that_is_none_is_wrong(opened: str, zone: str) -> None:
    lines = shipped("uth-md-hand", lambda line: line | ({"zone": zone} if line["type"] == opened else {}))
    severity, says, cure = doubts(checked(written(lines)))["zone-unknown"]
    assert (severity, cure) == ("wrong", "Correct `zone` in the opening.")
    assert f'{opened}: zone is "{zone}", and it must be a time zone of the IANA database' in says
    assert ('write "US/Eastern"' in says) == (zone == "Eastern")


@pytest.mark.parametrize(("word", "cure"), [("check", ""), ("surrender", ""), ("play3", '"play"')])
def test_a_decision_of_another_game_is_refused_with_the_words_of_this_one(word: str, cure: str) -> None:
    lines = [line | ({"decision": word} if line["type"] == "decision-made.1" else {}) for line in read(day("COL", 12))]
    report = checked(written(lines))
    [cause] = report.refused
    assert (cause.group.code, cause.group.first.cure) == ("decision-not-in-book", cure)
    assert f'decision is "{word}", and COL has play, fold, declare' in cause.group.says
    assert report.verdict != "clean"


def test_a_state_that_lasts_is_found_in_every_round_that_shows_it() -> None:
    """One finding for the whole day, and still one in most rounds: no player was ever said to sit down."""
    text = "".join(f"{line}\n" for line in day("PIK", 3).splitlines() if '"player-seated.1"' not in line)
    report = checked(text)
    [found] = [
        doubt
        for doubt in report.doubts
        if doubt.code == "finding-in-most-rounds" and doubt.says.endswith("%) have the finding wager-unseated.")
    ]
    assert found.cure.endswith(
        "look first at player-seated and player-left, and that `player` is the same token as in the wagers."
    )
    assert report.verdict == "doubtful"


def test_every_finding_in_most_rounds_has_something_to_look_at_first() -> None:
    """Each row is the first that fits some finding."""
    used = {likely(code) for code in findings()}
    assert {likely(code) for code in ("wager-overpaid", "void-wager-not-returned")} == {likely("push-mishandled")}
    assert all(any(what in cure for cure in used) for _, what in LIKELY)


def test_a_wager_of_another_game_is_wrong_however_few_they_are() -> None:
    """One line in hundreds: a mapping that sends it is of another table, or of another game."""
    lines = read(day("COL", 12))
    placed = next(line for line in lines if line["type"] == "wager-placed.1")
    placed["wager"] = "original"
    severity, says, _ = doubts(checked(written(lines)))["lines-refused"]
    assert severity == "wrong"
    assert "1 of them has a wager of another game" in says
