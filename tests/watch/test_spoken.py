"""Plain words in all texts: no finding and no fact shows a value of Python, an underscore or `1 cards`."""

import re
from functools import cache
from pathlib import Path

import pytest

from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.simulation.floor import SimulatedFloor
from domain.simulation.incidents import IncidentWeave, chosen
from domain.simulation.seed import World
from domain.spoken import (
    amount_of,
    fields,
    in_words,
    listed,
    name_of_choice,
    name_of_wager,
    number_of,
    the_wager,
    times,
)
from domain.table.fact_text import told
from tests.simulation.incidents.floors import watched
from tests.watch import variations
from tests.watch.raised import GOLDEN, SUBJECTS

FACTS = Path(__file__).parents[1] / "golden" / "facts"
_THINGS = "card|round|wager|hand|deck|chip|seat|fact|discard|stack|hour|time|player|day|batch|minute|position|stream"
_LEAKS = {
    "a name with its joints": r"\w_\w",
    "a value of Python": r"\b(?:None|True|False|UNSET|nan)\b|\(\)|\(['\d\"][^)]*,\)|\[['\d\"]|\{|<\w+",
    "quoted by Python": r"(?<!\w)'[^']*'(?!\w)",
    "one of many": rf"(?<![\w$.,:-])(?<![sS]eat )(?<![rR]ound )1 (?:[a-z]+ )?(?:{_THINGS})e?s\b",
    "a gap": r"  | [,.;]|\.\.|: \.|,,",
}
_ZONE = re.compile(r"\b[A-Z]\w+/\w+")  # America/New_York is called so
# A misspelled option and the nearest one are shown as they are written.
_OPTION = re.compile(r'"[\w.]+"(?= is not an option|\))|(?<=nearest name: )"[\w.]+"')
_SAMPLE = re.compile(r"\bsome \w+")  # the placeholder of a text in a golden file


def leaks(text: str) -> list[str]:
    """Parts of a text that people would not say."""
    shown = _SAMPLE.sub("some words", _ZONE.sub("zone", _OPTION.sub("it", text)))
    return [f"{what}: {text}" for what, looks in _LEAKS.items() if re.search(looks, shown)]


@cache
def floor() -> tuple[list[Fact], list[str]]:
    """The facts of a floor with every incident, and the words of its findings."""
    made = SimulatedFloor(World(seed=3, tables=15, days=1, hours=2), IncidentWeave(chosen("all")))
    facts = list(made.facts())
    found = watched(fact for fact in facts if not fact.stream.startswith("property"))
    return facts, [finding.says for finding in found]


@pytest.mark.parametrize(
    "text",
    [
        "Seat 1's six_card was paid.",
        "Seat 2 discarded cards ('6s',), count 1.",
        "Seat 2 discarded ('6s', '7s').",
        "The dealer got 1 cards where the game deals 2.",
        "2 chips were collected, and the system accepted 1 progressive wagers.",
        "Deck: depth None.",
        "Options approved: options {'ante': 500}.",
        "The hand was announced as 'ace high'.",
        "Stub removed: cards ().",
        "Deck inspected: , by dealer.",
    ],
)
def test_a_leak_is_seen(text: str) -> None:
    assert leaks(text)


@pytest.mark.parametrize(
    "text", ["Seat 1's wagers and the dealer's cards.", "Seat 1 seats nobody in round 1 hands.", "T7-deck-1 was cut."]
)
def test_what_people_say_is_no_leak(text: str) -> None:
    assert not leaks(text)


@pytest.mark.parametrize(
    "file",
    [*(GOLDEN / f"{subject}.txt" for subject in SUBJECTS), *(variations.FOLDER / f"{f}.txt" for f in variations.FILES)],
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_what_cases_and_variations_raise_is_said_in_words(file: Path) -> None:
    lines = [line.split(" | ") for line in file.read_text("utf-8").splitlines() if line.startswith("    ")]
    assert lines
    assert not [leak for parts in lines for leak in leaks(parts[3])]


def test_what_a_floor_with_incidents_raises_is_said_in_words() -> None:
    _, said = floor()
    assert len(said) > 100
    assert not [leak for says in said for leak in leaks(says)]


def test_every_fact_of_a_floor_is_told_in_words() -> None:
    facts, _ = floor()
    assert len({type(fact) for fact in facts}) >= 90
    assert not {leak for fact in facts for leak in leaks(told(fact))}


def test_every_fact_there_can_be_is_told_in_words() -> None:
    """The golden files hold one of each type with every field."""
    files = sorted(FACTS.glob("*.json"))
    assert len(files) > 100
    assert not [leak for file in files for leak in leaks(told(decode(file.read_bytes())))]


def test_things_are_counted_and_named_as_people_do() -> None:
    assert [number_of(number, "card") for number in (0, 1, 2, None)] == [
        *("0 cards", "1 card", "2 cards", "an unknown number of cards")
    ]
    assert [times(number) for number in (1, 2, 3)] == ["once", "twice", "3 times"]
    assert [listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert [name_of_wager(name) for name in ("cover_all", "bonus5", "envy_100", "ante")] == [
        *("Cover All", "5 card bonus", "envy bonus at $1", "ante")
    ]
    assert [the_wager(name) for name in ("ante", "original", "envy")] == ["ante wager", "original wager", "envy bonus"]
    assert [name_of_choice(choice) for choice in ("fold", "play3", "short-void")] == ["fold", "play 3", "short void"]
    assert amount_of({"main": 150}) == "main $1.50"
    assert fields({"deck": "d", "face_up": False, "note": "", "by_cents": 100}) == "deck d, not face up, by $1"
    assert (
        in_words("'trips_table' is 2.5, bonus3_max of original")
        == '"trips table" is 2.5, 3 card bonus max of original wager'
    )
