"""Whole days of every game, mapped wrongly in one way each: the check names the way, and how to mend it."""

import json

import pytest

from domain.feed import ALL_DOUBTS
from domain.feed.doubts import ROUND_DOUBTS
from domain.feed.little import FEW, LITTLE
from tests.citations import ROOT
from tests.feeding.days import GAMES, WHOLE, checked, day
from tests.feeding.mismapped import MISMAPPED, Line, read, ways, written

_WRONG = [(game, name) for game in GAMES for name in ways(game)]
_GUESSED = {"cards never seen", "a silent card reader", "a silent chip reader"}  # possible at a real table, so doubtful
LAWFUL = 50


def test_there_are_at_least_fifty_mismapped_feeds_of_ten_kinds_or_more() -> None:
    assert len(_WRONG) >= 50
    assert min(len(ways(game)) for game in GAMES) >= 10


@pytest.mark.parametrize(("game", "name"), _WRONG)
def test_a_mismapped_day_is_named_with_its_cure(game: str, name: str) -> None:
    change, code = MISMAPPED[name]
    report = checked(written(change(read(day(game, WHOLE[game][0])))))
    named = [doubt for doubt in report.doubts if doubt.code == code]
    assert named, [doubt.code for doubt in report.doubts]
    assert report.verdict == ("doubtful" if name in _GUESSED else "wrong")
    assert all(doubt.cure and doubt.facts for doubt in named)
    if code.startswith("times-"):
        assert [doubt.code for doubt in report.doubts] == [code]  # one cause, however many lines it refuses


@pytest.mark.parametrize("number", range(LAWFUL))
def test_a_lawful_day_is_clean(number: int) -> None:
    """Every seed draws another house, dealing method and choice of sensors."""
    report = checked(day(GAMES[number % len(GAMES)], 1000 + number))
    assert (report.verdict, report.doubts, report.refused) == ("clean", (), ())
    assert report.lines == report.placed


@pytest.mark.parametrize("game", GAMES)
def test_whole_days_are_clean_and_judged_almost_wholly(game: str) -> None:
    for seed in WHOLE[game]:
        report = checked(day(game, seed))
        assert report.verdict == "clean"
        assert report.judged_share * 100 >= 95, seed


@pytest.mark.parametrize("game", GAMES)
def test_a_day_too_short_to_tell_is_not_called_wrong(game: str) -> None:
    """Nine rounds in which all looks wrong can be chance."""
    lines = [line for line in read(day(game, WHOLE[game][0])) if line.get("round", 0) < 10]
    change, code = MISMAPPED["wagers in dollars"]
    assert code not in {doubt.code for doubt in checked(written(change(lines))).doubts}


def test_the_tenth_round_tells() -> None:
    lines = [line for line in read(day("COL", WHOLE["COL"][0])) if line.get("round", 0) < 11]
    change, code = MISMAPPED["wagers in dollars"]
    assert code in {doubt.code for doubt in checked(written(change(lines))).doubts}


@pytest.mark.parametrize("name", ["wagers in dollars", "cards of one suit", "seats from the wrong side"])
def test_a_day_that_is_mapped_wrongly_from_its_middle_on_is_named_too(name: str) -> None:
    change, code = MISMAPPED[name]
    right = read(day("FAH", WHOLE["FAH"][0]))
    wrong = change(right)
    mixed = [bad if good.get("round", 0) > 30 else good for good, bad in zip(right, wrong, strict=True)]
    assert code in {doubt.code for doubt in checked(written(mixed)).doubts}


def test_a_device_that_stops_in_the_middle_is_named() -> None:
    lines = read(day("PIK", WHOLE["PIK"][1]))
    stopped = [line for line in lines if not line["source"].endswith("-cards") or line.get("round", 0) <= 34]
    found = [doubt for doubt in checked(written(stopped)).doubts if doubt.code == "device-silent"]
    assert [doubt.about.rpartition("-")[2] for doubt in found] == ["cards"]


def test_one_table_of_many_in_dollars_is_unlike_the_others_where_nothing_else_tells() -> None:
    """Limits and wagers of one table agree with each other, a hundredth of what they are."""
    lines = [_in_dollars(line) if line["stream"] == "T5" else line for line in read(day("COL", 5, tables=5))]
    found = [doubt for doubt in checked(written(lines)).doubts if doubt.code == "amounts-unlike-other-tables"]
    assert [doubt.facts[0].partition("/")[0] for doubt in found] == ["T5"]


def _in_dollars(line: Line) -> Line:
    def change(pairs: list[tuple[str, object]]) -> Line:
        return {
            name: value // 100 if isinstance(value, int) and name.endswith("cents") else value for name, value in pairs
        }

    found: Line = json.loads(json.dumps(line), object_pairs_hook=change)
    return found


def test_a_feed_without_its_edition_is_wrong() -> None:
    """The shipped example of an older file was not judged, and looked clean."""
    lines = read(day("UTH-MA", WHOLE["UTH-MA"][0]))
    stale = [line | ({"book_digest": "0" * 64} if "book_digest" in line else {}) for line in lines]
    report = checked(written(stale))
    assert report.verdict == "wrong"
    assert not report.judged_share
    assert "edition-unknown" in {doubt.code for doubt in report.doubts}


def test_what_is_never_said_names_its_clauses_and_respects_the_opening() -> None:
    lines = read(day("UTH-MD", WHOLE["UTH-MD"][2]))
    mute = [line for line in lines if line["type"] != "stub-removed.1" and line["type"] != "hand-announced.1"]
    never = {each.type: each.clauses for each in checked(written(mute)).tables[0].never}
    assert any(clause.startswith("UTH-MD ") for clause in never["hand-announced"])
    told = [line | ({"unrecorded": ["hand-announced"]} if line["type"] == "table-opened.1" else {}) for line in mute]
    assert "hand-announced" not in {each.type for each in checked(written(told)).tables[0].never}


def test_the_page_on_feeds_names_every_doubt_and_its_severity() -> None:
    page = (ROOT / "docs/feeds.md").read_text()
    for code, kind in ROUND_DOUBTS.items():
        assert f"| `{code}` | {kind.severity} |" in page
    for code in {code for _, code in MISMAPPED.values()} | {*ALL_DOUBTS, LITTLE, FEW}:
        assert f"`{code}`" in page
