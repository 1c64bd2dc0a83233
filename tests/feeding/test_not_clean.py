"""Feeds that judge little, or are wrong in few rounds or for part of a day: none looks clean, whatever the game."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from consumers.feeding.printing import in_words
from consumers.feeding.report import FeedReport
from domain.feed import Doubt
from tests.feeding.days import GAMES, WHOLE, checked, day
from tests.feeding.mismapped import ANNOUNCED, MISMAPPED, Day, Line, read, written

_HOUR = 3_600_000_000
_DEAL = ("card-dealt.1", "stack-delivered.1")
_CARD_FACTS = ["card-dealt", "stack-delivered", "community-revealed", "hand-revealed", "hand-set"]
_MOVES = ["wager-collected", "wager-paid", "wager-returned"]


def lines_of(game: str) -> Day:
    """A whole lawful day of a game."""
    return read(day(game, WHOLE[game][0]))


def changed(lines: Day, kind: str, change: Callable[[Line], Line]) -> Day:
    """The lines, those of one type changed."""
    return [line | change(line) if line["type"] == kind else line for line in lines]


def opening(lines: Day, **fields: Any) -> Day:
    """The lines with these fields in the table's opening."""
    return changed(lines, "table-opened.1", lambda _: fields)


def doubts(lines: Day) -> tuple[FeedReport, dict[str, Doubt]]:
    """The report on these lines, and its doubts by code."""
    report = checked(written(lines))
    return report, {doubt.code: doubt for doubt in report.doubts}


def unseen(lines: Day) -> Day:
    """The lines with every card unseen."""
    return MISMAPPED["cards never seen"][0](lines)


@pytest.mark.parametrize("game", GAMES)
def test_a_day_without_a_seen_card_is_doubtful_and_says_what_would_decide_it(game: str) -> None:
    report, found = doubts(opening(unseen(lines_of(game)), devices=[]))
    assert report.verdict == "doubtful"
    assert 2 * report.judged_share < 1
    assert "are fully judged: a card was not seen in " in found["little-judged"].says
    assert found["little-judged"].cure.startswith("Send the cards of card-dealt, stack-delivered")


@pytest.mark.parametrize("game", GAMES)
def test_a_day_without_an_amount_is_doubtful_and_says_what_would_decide_it(game: str) -> None:
    lines = changed(lines_of(game), "wager-placed.1", lambda _: {"cents": None})
    report, found = doubts(lines)
    assert report.verdict == "doubtful"
    assert "an amount was not seen in " in found["little-judged"].says
    assert "`cents` of each wager-placed" in found["little-judged"].cure


@pytest.mark.parametrize("game", GAMES)
def test_a_day_that_judges_nothing_is_doubtful_even_if_its_opening_says_why(game: str) -> None:
    lines = [line for line in lines_of(game) if line["type"].rpartition(".")[0] not in _MOVES]
    report, found = doubts(opening(lines, unrecorded=_MOVES))
    assert (report.verdict, report.judged_share) == ("doubtful", 0)
    assert "and no wager is decided: the opening says in `unrecorded` that" in found["little-judged"].says


@pytest.mark.parametrize("game", ["FAH", "COL", "PIK"])
def test_a_table_without_a_card_reader_is_clean_and_the_verdict_says_why_little_is_judged(game: str) -> None:
    lines = lines_of(game)
    [opened] = [line for line in lines if line["type"] == "table-opened.1"]
    devices = [each for each in opened["devices"] if each["kind"] != "table-reader"]
    report, _ = doubts(opening(unseen(lines), devices=devices))
    assert (report.verdict, 2 * report.judged_share < 1) == ("clean", True)
    assert "a card was not seen (`devices` of the opening)" in list(in_words(report))[1]


def few(lines: Day, rounds: int = 9) -> Day:
    """The lines of the first rounds alone; the day is still open then."""
    later = next(number for number, line in enumerate(lines) if line.get("round", 0) > rounds)
    return lines[:later]


@pytest.mark.parametrize("game", GAMES)
def test_nine_rounds_in_dollars_are_doubtful_and_named(game: str) -> None:
    lines = few(MISMAPPED["wagers in dollars"][0](lines_of(game)))
    report, found = doubts(lines)
    assert report.verdict == "doubtful"
    assert "wagers fit the limits only if multiplied by 100" in found["too-few-rounds"].says
    assert "Send every amount in cents: $25 is 2500." in found["too-few-rounds"].says


@pytest.mark.parametrize("game", GAMES)
def test_nine_lawful_rounds_are_clean(game: str) -> None:
    report, found = doubts(few(lines_of(game)))
    assert (report.verdict, found) == ("clean", {})


def test_a_single_finding_in_few_rounds_is_doubtful() -> None:
    lines = few(lines_of("COL"), 4)
    [first, *_] = [line for line in lines if line["type"] == "wager-paid.1"]
    report, found = doubts([line | ({"cents": line["cents"] + 5000} if line is first else {}) for line in lines])
    assert (report.verdict, list(found)) == ("doubtful", ["too-few-rounds"])
    assert "The day has findings: paid-above-floor (1)." in found["too-few-rounds"].says


@pytest.mark.parametrize("rounds", [5, 20])
@pytest.mark.parametrize("game", GAMES)
def test_round_numbers_that_start_again_are_wrong(game: str, rounds: int) -> None:
    lines = [
        line | ({"round": (line["round"] - 1) % rounds + 1} if line.get("round") else {}) for line in lines_of(game)
    ]
    report, found = doubts(lines)
    assert report.verdict == "wrong"
    assert found["rounds-opened-again"].says.startswith("Round 1 was opened again after it was completed, and so in ")
    assert "without a restart" in found["rounds-opened-again"].cure
    assert found["rounds-opened-again"].facts


@pytest.mark.parametrize("game", ANNOUNCED)
def test_announcements_in_codes_are_wrong_with_examples_and_the_words(game: str) -> None:
    codes = (f"H{100 + 7 * number % 900}" for number in range(10_000))
    lines = [line | ({"hand": next(codes)} if line["type"] == "hand-announced.1" else {}) for line in lines_of(game)]
    many = sum(line["type"] == "hand-announced.1" for line in lines)
    report, found = doubts(lines)
    assert report.verdict == "wrong"
    assert f"{many} of {many} announcements name no hand, such as 'H" in found["announcements-name-no-hand"].says
    assert "three of a kind" in found["announcements-name-no-hand"].cure
    assert "hands-announced-alike" not in found


def paid(lines: Day, top: int, bottom: int) -> Day:
    """The lines with each amount paid changed."""
    return changed(lines, "wager-paid.1", lambda line: {"cents": line["cents"] * top // bottom})


def with_stake(lines: Day) -> Day:
    """The lines with each wager that is returned beside a payment inside that payment."""
    returned = {_wager(line): line["cents"] for line in lines if line["type"] == "wager-returned.1"}
    won = {_wager(line) for line in lines if line["type"] == "wager-paid.1"}
    made = changed(lines, "wager-paid.1", lambda line: {"cents": line["cents"] + returned.get(_wager(line), 0)})
    return [line for line in made if line["type"] != "wager-returned.1" or _wager(line) not in won]


def _wager(line: Line) -> tuple[int, int, str]:
    return line["round"], line["seat"], line["wager"]


@pytest.mark.parametrize(
    ("change", "code", "cure"),
    [
        (lambda lines: paid(lines, 1, 100), "winnings-100-times-too-small", "Send the amount of wager-paid in cents"),
        (lambda lines: paid(lines, 100, 1), "winnings-100-times-too-large", "Send the amount of wager-paid in cents"),
        (with_stake, "stake-in-winnings", "Send the winnings alone in wager-paid"),
    ],
    ids=["in dollars", "multiplied by 100", "with the wager"],
)
@pytest.mark.parametrize("game", GAMES)
def test_wrong_winnings_are_named_with_their_own_cure(
    game: str, change: Callable[[Day], Day], code: str, cure: str
) -> None:
    report, found = doubts(change(lines_of(game)))
    assert report.verdict == "wrong"
    assert found[code].cure.startswith(cure)
    assert " cents paid where a wager of " in found[code].says
    assert "finding-in-most-rounds" not in found


def later(lines: Day, hours: int) -> Day:
    """The lines with the table's facts moved, its opening excepted."""
    moved = lambda line: line["stream"] == "T1" and line["type"] != "table-opened.1"  # noqa: E731
    return [line | ({"at": line["at"] + hours * _HOUR} if moved(line) else {}) for line in lines]


@pytest.mark.parametrize("game", GAMES)
def test_facts_hours_before_their_tables_opening_are_wrong(game: str) -> None:
    report, _ = doubts(later(lines_of(game), -3))
    assert report.verdict == "wrong"
    assert any("of T1/2026-11-18 are before its own opening, by up to" in doubt.says for doubt in report.doubts)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_silent_for_hours_after_its_opening_is_doubtful(game: str) -> None:
    report, found = doubts(later(lines_of(game), 5))
    assert report.verdict == "doubtful"
    assert "T1/2026-11-18 says nothing for 5 h 00 min after its opening" in found["clock-of-another-zone"].says


def test_one_fact_entered_with_an_early_time_is_at_most_doubtful() -> None:
    lines = lines_of("COL")
    last = next(line for line in lines if line["type"] == "player-seated.1")
    report, found = doubts([line | ({"at": line["at"] - 2 * _HOUR} if line is last else {}) for line in lines])
    assert (report.verdict, list(found)) == ("doubtful", ["clock-of-another-zone"])


@pytest.mark.parametrize("after", [15, 30])
@pytest.mark.parametrize("game", GAMES)
def test_a_type_no_longer_said_is_told_as_it_is_at_the_end(game: str, after: int) -> None:
    lines = [
        line | ({"source": "T1-dealt", "source_key": f"dealt-{number}"} if line["type"] in _DEAL else {})
        for number, line in enumerate(lines_of(game))
        if line["type"] not in _DEAL or line["round"] <= after
    ]
    rounds = max(line.get("round", 0) for line in lines)
    report, found = doubts(lines)
    assert report.verdict != "clean"
    told = [doubt for doubt in found.values() if doubt.code in ("fact-no-longer-said", "device-silent")]
    said = json.dumps([doubt.says for doubt in told])
    assert f"until round {after} at 2026-11-1" in said
    assert f"and not in the {rounds - after} rounds since" in said


@pytest.mark.parametrize("game", GAMES)
def test_a_type_never_said_is_counted_to_the_end(game: str) -> None:
    lines = [line for line in lines_of(game) if line["type"] != "bets-closed.1"]
    rounds = max(line.get("round", 0) for line in lines)
    _, found = doubts(lines)
    assert f"bets-closed.1 was never said in {rounds} rounds of " in found["fact-never-said"].says
