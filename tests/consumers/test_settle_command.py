"""`catwalk settle` as its user meets it: lines in, lines out, a word for each line that cannot be read."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from domain.settlement import settle

ROUND: dict[str, Any] = {
    "id": "one",
    "rulebook": "UTH-MD",
    "seats": [
        {
            "seat": 2,
            "wagers": {"ante": 1000, "blind": 1000, "trips": 500},
            "cards": ["Jc", "Td"],
            "actions": [{"street": "preflop", "action": "play", "cents": 4000}],
        }
    ],
    "dealer": ["Kd", "Qs"],
    "community": ["9c", "8d", "7h", "2s", "Kc"],
}
RETURNS = {"2": {"ante": 2000, "blind": 2000, "trips": 2500, "play": 8000}}


def run(*rounds: Any, options: tuple[str, ...] = ()) -> Result:
    lines = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in rounds)
    return CliRunner().invoke(main, ["settle", *options, "-"], input=lines)


def with_part(path: str, value: Any) -> dict[str, Any]:
    """The good round with one part replaced, `seats.0.cards` style; a value of Ellipsis removes the part."""
    changed = json.loads(json.dumps(ROUND))
    *way, last = path.split(".")
    inner = changed
    for step in way:
        inner = inner[int(step) if step.isdecimal() else step]
    key = int(last) if last.isdecimal() else last
    if value is ...:
        del inner[key]
    else:
        inner[key] = value
    return changed


def test_a_round_without_options_settles_on_the_defaults_of_its_book() -> None:
    result = run(ROUND)
    answer = json.loads(result.stdout)
    assert result.exit_code == 0
    assert list(answer)[:6] == ["id", "returns", "clauses", "undecided", "round_void", "meters_after"]
    assert answer["returns"] == RETURNS
    assert answer["clauses"]["2"]["blind"] == "UTH-MD 12.B(1)"
    assert answer["hands"]["2"]["name"] == "jack-high straight"


def test_one_bad_line_is_named_and_the_others_still_settle() -> None:
    result = run(ROUND, "{not json", ROUND)
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 2
    assert "line 2: it is not JSON" in result.stderr


BAD = [
    ("rulebook", "UTH-NJ", "rulebook is 'UTH-NJ': choose one of UTH-MA"),
    ("rulebook", ..., "missing required field `rulebook`"),
    ("seats", [], "seats is empty"),
    ("seats.0.seat", 0, "seat numbers start at 1"),
    ("seats.0.cards", ["Jc", "Xx"], "'Xx' is not a card"),
    ("seats.0.cards", ["Jc", "Td", "2c"], "seat 2 has 3 cards instead of 2, and no irregularity explains it"),
    ("seats.0.wagers.ante", 10.5, "Expected `int | null`, got `float` - at `$.seats[0].wagers[...]`"),
    ("seats.0.wagers.ante", "10", "got `str` - at `$.seats[0].wagers[...]`"),
    ("seats.0.wagers.ante", -5, "seat 2: ante is -5"),
    ("seats.0.wagers", {"blind": 1000}, "seat 2: the ante wager is missing"),
    ("seats.0.wagers.tips", 100, "UTH-MD has no wager 'tips'"),
    ("seats.0.actions.0.action", "raise", "UTH-MD has no action 'raise': choose one of check, play, fold, abandon"),
    ("seats.0.coupons", {"trips": 900}, "the coupon on trips is 900"),
    ("dealer", ["Kd", "Kd"], "Kd occurs 2 times, but the decks hold 1"),
    ("dealer", "Kd Qs", "Expected `array | null`, got `str` - at `$.dealer`"),
    ("config", {"trips_table": "Z"}, 'trips_table cannot be "Z": it must be one of A, B, C, D, E (UTH-MD 12.C)'),
    ("config", {"trip_table": "A"}, "'trip_table' is not an option of UTH-MD"),
    ("irregularity", {"kind": "earthquake"}, "UTH-MD has no 'earthquake'"),
    ("irregularity", {"kind": "wrong-count", "of": "seat:x"}, "of is 'seat:x'"),
    ("seats.0.actions.0.street", "turn", "Invalid enum value 'turn' - at `$.seats[0].actions[0].street`"),
    ("irregularity", {"kind": "jam", "device": "cat"}, "device is 'cat': choose shoe or shuffler"),
    ("irregularity", {"kind": "wrong-count", "of": "seat:9"}, "this round has no seat 9"),
    (
        "irregularity",
        {"kind": "wrong-count", "of": "seat:2", "dealt": 1 << 62},
        "write how many cards the hand got, 0 to ",
    ),
    ("irregularity", {"kind": "wrong-count", "at": {"stage": "later"}}, "'later' - at `$.irregularity.at.stage`"),
    ("irregularity", {"kind": "stub-count", "finding": "?"}, "'?' - at `$.irregularity.finding`"),
    ("irregularity", {"kind": "jam", "ruling": "maybe"}, "Invalid enum value 'maybe' - at `$.irregularity.ruling`"),
]


@pytest.mark.parametrize(("path", "value", "says"), BAD, ids=lambda part: str(part)[:40])
def test_a_line_that_cannot_be_read_says_what_and_where(path: str, value: Any, says: str) -> None:
    result = run(with_part(path, value))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert says in result.stderr
    assert result.stderr.startswith("catwalk settle: line 1: ")


def test_only_the_hand_that_was_miscounted_may_have_too_many_cards() -> None:
    three = {**ROUND["seats"][0], "cards": ["Jc", "Td", "2c"]}
    other = {"seat": 3, "wagers": {"ante": 500, "blind": 500}, "cards": ["4c", "4d", "4h"]}
    line = {**ROUND, "rulebook": "UTH-MA", "irregularity": {"kind": "wrong-count", "of": "seat:2", "dealt": 3}}
    assert run({**line, "seats": [three]}).exit_code == 0
    assert "seat 3 has 3 cards instead of 2" in run({**line, "seats": [three, other]}).stderr


def test_a_hand_is_decided_once() -> None:
    """A second decision would leave the wager of the first one out of the answer."""
    actions = [{"street": "flop", "action": "play"}, {"street": "river", "action": "fold"}]
    assert (
        "seat 2: fold comes after play, but a hand is decided once" in run(with_part("seats.0.actions", actions)).stderr
    )


def test_a_seat_that_stands_twice_is_refused() -> None:
    result = run({**ROUND, "seats": ROUND["seats"] * 2})
    assert "seat 2 occurs twice" in result.stderr


@pytest.mark.parametrize("path", ["colour", "seats.0.mood", "seats.0.actions.0.speed"])
def test_a_field_nobody_knows_is_named_and_the_line_still_settles(path: str) -> None:
    result = run(with_part(path, 1))
    assert result.exit_code == 0
    assert json.loads(result.stdout)["returns"] == RETURNS
    assert path.rsplit(".", maxsplit=1)[-1] in result.stderr


def test_check_lists_each_disagreement_and_counts_the_rounds() -> None:
    agreed = {**ROUND, "expected": RETURNS}
    differs = {**ROUND, "id": "two", "expected": {"2": {**RETURNS["2"], "blind": 1000}}}
    result = run(agreed, differs, options=("--check",))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "line 2 two: seat 2 blind: expected $10, settled at $20 (UTH-MD 12.B(1), certain)"
    ]
    assert "2 rounds, 1 as expected, 1 not" in result.stderr
    assert run(agreed, options=("--check",)).exit_code == 0


def test_check_counts_a_line_without_answers_as_neither_right_nor_wrong() -> None:
    result = run(ROUND, {**ROUND, "expected": RETURNS}, options=("--check",))
    assert result.exit_code == 0
    assert "2 rounds, 1 as expected, 0 not, 1 without expected answers" in result.stderr


CHECKED = [
    ({"expected": {"2": {"bonus": 0}}}, "there is no such wager"),
    ({"expected": {"2": {"ante": 2000}}}, "blind: not expected, settled at $20"),
    ({"expected_aggregates": {"2": {"ante+blind": 4100}}}, "ante+blind: expected $41 together, settled at $40"),
    ({"expected_alternatives": {"2": {"ante": {"stands": 1}}}}, "ante, if it stands: expected $0.01, found -"),
    ({"expected_meters_after": {"main": 5}}, "meter main: expected $0.05"),
    ({"round_void": True}, "round void: expected True, settled as False"),
]


@pytest.mark.parametrize(("expects", "says"), CHECKED, ids=lambda part: str(part)[:40])
def test_check_compares_everything_a_case_can_expect(expects: dict[str, Any], says: str) -> None:
    result = run({**ROUND, **expects}, options=("--check",))
    assert result.exit_code == 1
    assert says in result.stdout


def test_check_tells_a_wanted_ruling_from_a_card_that_was_not_seen() -> None:
    expects = {"2": {"ante": None, "blind": 2000, "trips": 2500, "play": 8000}}
    result = run({**with_part("dealer", ["??", "Qs"]), "expected": expects}, options=("--check",))
    assert "seat 2 ante: expected a ruling, undecidable without the dealer's first card" in result.stdout


def test_what_only_a_ruling_can_say_is_null_with_its_alternatives() -> None:
    line = {
        "rulebook": "PIK",
        "seats": [{"seat": 1, "wagers": {"ante": 1000, "bonus5": 1000}, "cards": ["9s", "9h", "4c", "4d", "Js"]}],
        "dealer": ["Kc", "Qd", "7h", "5s", "2c"],
        "irregularity": {"kind": "card-exposed", "of": "dealer", "at": {"stage": "bonus5", "seat": 1}, "ruling": None},
    }
    answer = json.loads(run(line).stdout)
    assert answer["returns"] == {"1": {"ante": 1000, "bonus5": None}}
    assert answer["alternatives"] == {"1": {"bonus5": {"stands": 2000, "reversed": 1000}}}
    assert answer["round_void"] is True


def test_an_unseen_card_is_named_where_it_matters_and_only_there() -> None:
    answer = json.loads(run(with_part("dealer", ["??", "Qs"])).stdout)
    assert answer["returns"]["2"]["trips"] == 2500
    assert answer["undecided"] == {"2": {"ante": ["the dealer's first card"]}}


def test_a_house_that_breaks_its_book_settles_and_says_so() -> None:
    answer = json.loads(run({**ROUND, "config": {"payout_cap": 100}}).stdout)
    assert answer["house_findings"][0]["code"] == "payout-cap-too-low"
    assert answer["house_findings"][0]["clause"] == "UTH-MD 12.F(1)"


def test_the_table_shows_every_wager_with_its_clause_and_hands() -> None:
    printed = run(ROUND, options=("--table",)).stdout
    assert "seat 2: jack-high straight" in printed
    assert "2     blind     $10       $20  UTH-MD 12.B(1)  certain" in printed


def test_the_installed_command_streams_standard_input(tmp_path: Path) -> None:
    """The command itself, as a shell would run it, over three thousand lines."""
    lines = "".join(json.dumps({**ROUND, "id": str(number)}) + "\n" for number in range(3000))
    catwalk = Path(sys.executable).parent / "catwalk"
    ran = subprocess.run([catwalk, "settle"], input=lines, capture_output=True, text=True, check=True, cwd=tmp_path)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [str(number) for number in range(3000)]
    assert all(answer["returns"] == RETURNS for answer in answers)


def test_a_file_that_is_not_there_is_a_usage_error() -> None:
    result = CliRunner().invoke(main, ["settle", "nowhere.jsonl"])
    assert result.exit_code == 2
    assert "nowhere.jsonl" in result.stderr


FACT = {"type": "card-dealt.1", "to": "seat", "seat": 2, "card": "Ah", "at": 1, "source": "a", "stream": "T7"}
FOREIGN = {
    "a feed": ([FACT] * 50, "line 1 of standard input is a fact, card-dealt.1."),
    "events": ([{"specversion": "1.0", "type": "catwalk.card-dealt.1"}] * 50, "is a CloudEvent, catwalk.card-dealt.1."),
    "a table of commas": (["seat,wager,cents"] + ["2,ante,1000"] * 50, "no line of standard input is a round."),
    "other objects": ([{"a": number} for number in range(50)], "no line of standard input is a round."),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_of_something_else_is_said_once_with_what_was_expected(name: str) -> None:
    lines, says = FOREIGN[name]
    result = run(*lines)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{says} catwalk settle takes one round on each line, with rulebook and seats" in result.stderr
    assert result.stderr.count("line") < 20, result.stderr


def test_what_is_wrong_with_many_lines_alike_is_said_five_times_and_counted() -> None:
    wrong = with_part("seats.0.cards", ["Jc", "Xx"])
    result = run(ROUND, *[wrong] * 30, FACT)
    assert result.exit_code == 1
    told = [line for line in result.stderr.splitlines() if "'Xx' is not a card" in line]
    assert len(told) == 6
    assert told[-1].startswith("catwalk settle: 25 more lines: ")


TRIPS_MISCOUNTED = {
    "rulebook": "FAH",
    "seats": [{"seat": 1, "wagers": {"original": 1000}, "cards": ["9s", "9h", "4c", "4d"],
               "actions": [{"action": "set", "kept": ["9s", "9h"]}]}],
    "dealer": ["Kc", "Kd", "Kh"],
    "community": ["2c", "5d", "8h", "Js", "Qc"],
    "irregularity": {"kind": "wrong-count", "of": "dealer", "dealt": 3, "at": {"stage": "reveal"}},
}  # fmt: skip


@pytest.mark.parametrize("options", [(), ("--table",), ("--check",)])
def test_a_dealer_with_three_cards_of_one_rank_ends_no_stream(options: tuple[str, ...]) -> None:
    """FAH (i)(3): the count is found wrong at the reveal; the hand is no natural and is not set."""
    result = run(TRIPS_MISCOUNTED, {**ROUND, "expected": RETURNS}, options=options)
    assert result.exit_code == 0, result.output
    if not options:
        first, second = map(json.loads, result.stdout.splitlines())
        assert (first["round_void"], first["returns"], first["clauses"]["1"]["original"]) == (
            True,
            {"1": {"original": 1000}},
            "FAH (i)(3)",
        )
        assert "dealer" not in first["hands"]
        assert second["returns"] == RETURNS


def test_a_fault_of_our_own_ends_one_line_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails_on_two(house: Any, played: Any) -> Any:
        if played.book == "FAH":
            raise KeyError("nothing foresaw this")
        return settle(house, played)

    monkeypatch.setattr("consumers.commands.settle.settle", fails_on_two)
    result = run(ROUND, TRIPS_MISCOUNTED, ROUND)
    assert result.exit_code == 1
    assert [json.loads(line)["returns"] for line in result.stdout.splitlines()] == [RETURNS, RETURNS]
    assert "line 2: Catwalk failed on this round by a fault of its own" in result.stderr
    assert "KeyError: 'nothing foresaw this'" in result.stderr


def test_the_table_shows_a_void_hand_beside_those_that_play() -> None:
    """UTH-MA 15(d) s1 voids one hand; its wagers are handed back, and the table shows that too."""
    seats = [{**ROUND["seats"][0], "seat": 3, "cards": ["Ah"]}, {**ROUND["seats"][0], "seat": 5, "cards": ["5c", "5d"]}]
    what = {"kind": "wrong-count", "of": "seat:3", "dealt": 1}
    printed = run({**ROUND, "rulebook": "UTH-MA", "seats": seats, "irregularity": what}, options=("--table",)).stdout
    assert ["3", "ante", "$10", "$10", "UTH-MA", "15(d)", "s1", "reading"] in [
        line.split() for line in printed.splitlines()
    ]
    assert "seat 3:" not in printed


def test_more_cards_than_the_irregularity_says_is_an_error_of_the_line() -> None:
    case = {**ROUND, "dealer": ["Ks", "Kh", "Kd"], "irregularity": {"kind": "wrong-count", "of": "dealer", "dealt": 1}}
    result = run(case)
    assert result.exit_code == 1
    assert (
        "line 1: the dealer has 3 cards, but irregularity.dealt is 1: write the cards that were dealt" in result.stderr
    )


JUNK: list[Any] = [None, True, 0, -1, 3.5, "", "x", "Ah", "??", "dealer", [], {}, ["Ah"], ["Zz"], [1], {"a": 1}, 10**20]


def _places(part: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    steps = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for step, inner in steps:
        found += _places(inner, (*path, step))
    return found


def _spoilt(good: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(good))
    for _ in range(chance.randint(1, 2)):
        path = chance.choice(_places(changed))
        inner: Any = changed
        for step in path[:-1]:
            inner = inner[step]
        if chance.random() < 0.3:
            del inner[path[-1]]
        else:
            inner[path[-1]] = json.loads(json.dumps(chance.choice(JUNK)))
    return changed


def test_two_thousand_spoilt_lines_are_settled_or_refused_and_none_breaks_the_command() -> None:
    """Every line is either answered or refused with a reason; nothing vanishes and nothing is thrown."""
    cases = Path(__file__).parent.parent / "cases"
    good = [json.loads(line) for file in sorted(cases.glob("*.jsonl")) for line in file.read_text().splitlines()]
    chance = random.Random(20_241_118)  # noqa: S311 - the same spoilt lines every time
    lines = [_spoilt(chance.choice(good), chance) for _ in range(2000)]
    result = run(*lines)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    told = [line for line in result.stderr.splitlines() if "was ignored" not in line]
    more = [int(found[1]) for line in told if (found := re.match(r"catwalk settle: (\d+) more lines?: ", line))]
    refused = len(told) - len(more) + sum(more)
    assert len(result.stdout.splitlines()) + refused == 2000
    assert refused > 500
