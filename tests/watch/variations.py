"""Days with one small change, and their findings: a fact left out, doubled, late, of another value, unrecorded.

`variations/*.txt` hold a line for each, and below it what it raises; a line with nothing below raises nothing.
`python -m tests.watch.written` writes the files again.

    kept COL 10(b)(1)/s1 bet-amount-wrong: without card-burned 2
    broken PIK 39.7(b)/s1 no-more-bets-missing: wager-placed 3 with cents=500; unrecorded hand-revealed
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec

from domain.cards import show
from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.facts.table_day import TableOpened
from domain.settlement.played import Irregularity
from domain.simulation.edits import Edit, PlannedFact, broken, change, drop, insert_after, repeat, where
from domain.simulation.scripted import day as scripted
from domain.simulation.scripted import round_, seat, wrong
from tests.simulation.test_three_irregular_rounds import ROWS as THREE
from tests.simulation.test_three_irregular_rounds import the_day as three_day
from tests.simulation.test_uth_irregular_rounds import ROWS as UTH
from tests.simulation.test_uth_irregular_rounds import the_day as uth_day
from tests.watch.harness import Day, verified
from tests.watch.lawful import day as lawful
from tests.watch.raised import SUBJECTS, cases_of, line
from tests.watch.test_decks_over_rounds import NEW, SEATS
from tests.watch.test_partly_recorded import DAYS as SIDE_BETS
from tests.watch.test_partly_recorded import IDS, Row
from tests.watch.test_permitted import SILENT

FACE_UP = wrong("card-face-up", ("2c", 1), ("3c", 4))
SEEN = wrong("card-exposed", of="dealer")
FOLDER = Path(__file__).with_name("variations")
FILES = sorted(path.stem for path in FOLDER.glob("*.txt"))


@cache
def days() -> dict[str, Day]:
    """Every day that can be varied, by its name: a case's lawful and its broken one, and the floor's irregular ones."""
    found: dict[str, Day] = {}
    many = Counter[str]()
    for subject in SUBJECTS:
        for case in cases_of(subject):
            name = f"{case.clauses.partition(';')[0]} {case.code}"
            many[name] += 1
            name = f"{name} #{many[name]}" if many[name] > 1 else name
            found[f"kept {name}"] = case.day
            found[f"broken {name}"] = _edited(case.day, case.edit)
    for name, (told, edit) in SILENT.items():
        found[f"permitted {name}"] = _edited(told, edit) if edit else told
    found["opened and closed FAH"] = lawful("FAH", rounds=())
    found["two rounds of one batch FAH"] = lawful(
        "FAH", options={"shuffler": "batch"}, rounds=[round_(seat(1), seat(3))] * 2
    )
    for count, name in ((6, "six"), (9, "nine")):
        found[f"{name} rounds UTH-MA"] = lawful("UTH-MA", rounds=[round_(seat(1), seat(3))] * count)
    for book in ("PIK", "FAH"):
        found[f"dealt as new {book}"] = lawful(book, rounds=[round_(*SEATS, order=show(NEW))])
    for name, made in zip(IDS, SIDE_BETS, strict=True):
        short = wrong("wrong-count", of="seat:3", dealt=2 if name.startswith("COL") else 3)
        waits = made[2].get("dealer_stack_delivery") == "after-decisions"  # a stack in the shoe cannot be exposed
        for what in (None, FACE_UP, short) if waits else (None, FACE_UP, short, SEEN):
            found[f"side bets {name} {what.kind if what else 'lawful'}"] = cache(partial(_with_side_bets, made, what))
    for number, row in enumerate(UTH):
        found[f"irregular {row[0]} {number} {row[3].kind}"] = cache(lambda row=row: uth_day(row))
    for number, row in enumerate(THREE):
        found[f"irregular {row[0]} {number} {row[3].kind}"] = cache(lambda row=row: three_day(row))
    return found


def _with_side_bets(row: Row, what: Irregularity | None) -> Sequence[Fact]:
    """Two rounds with every side wager of the game, the second of another dealer, or something wrong in the first."""
    book, method, options, wagers = row
    first = round_(seat(1, **wagers), seat(3, **wagers), irregularity=what)
    second = round_(seat(2, **wagers), seat(3), new_dealer="dealer-2")
    return scripted(book, options, method=method, rounds=[first, second])


def _edited(told: Day, edit: Callable[[Sequence[Fact]], Sequence[Fact]]) -> Day:
    return cache(lambda: edit(told()))


def varied(text: str) -> list[Fact]:
    """The day that a line describes."""
    name, _, edits = text.partition(": ")
    return broken(days()[name](), *(edit_of(part) for part in edits.split("; ") if part))


def edit_of(text: str) -> Edit:
    """One edit from its words."""
    for pattern, made in _EDITS.items():
        match = re.fullmatch(pattern, text)
        if match:
            return made(*match.groups())
    raise ValueError(f"no such edit: {text}")


def _later(kind: str, nth: str) -> Edit:
    """Move a fact behind the one that followed it, each at the other's time."""

    def edit(facts: Sequence[Fact]) -> list[Fact]:
        place = where(kind, int(nth)).one_in(facts)
        first, second = facts[place : place + 2]
        timed = [msgspec.structs.replace(second, at=first.at), msgspec.structs.replace(first, at=second.at)]
        return [*facts[:place], *timed, *facts[place + 2 :]]

    return edit


def _unrecorded(kind: str) -> Edit:
    """Leave out all such facts, and say so in the opening."""

    def edit(facts: Sequence[Fact]) -> list[Fact]:
        told = [fact for fact in facts if name_of(fact).rpartition(".")[0] != kind]
        return change(TableOpened, to={"unrecorded": lambda held: (*held, kind)})(told)

    return edit


def _option(name: str, value: str) -> Edit:
    """The house opens with this option chosen so."""
    group, _, option = name.rpartition(".")

    def chosen(held: dict[str, Any]) -> dict[str, Any]:
        inner = {**(held.get(group) or {}), option: json.loads(value)} if group else json.loads(value)
        return {**held, (group or option): inner}

    return change(TableOpened, to={"options": chosen})


def _told(kind: str, fields: str, after: str, nth: str) -> Edit:
    """A new fact behind another."""
    return insert_after(where(after, int(nth)), PlannedFact(kind, (), json.loads(fields)))


_EDITS: dict[str, Callable[..., Edit]] = {
    r"without (\S+) (\d+)": lambda kind, nth: drop(kind, int(nth)),
    r"(\S+) (\d+) twice": lambda kind, nth: repeat(where(kind, int(nth))),
    r"(\S+) (\d+) later": _later,
    r"(\S+) (\d+) with (\w+)=(.*)": lambda kind, nth, field, value: change(
        kind, int(nth), to={field: json.loads(value)}
    ),
    r"(\S+) (\{.*\}) after (\S+) (\d+)": _told,
    r"unrecorded (\S+)": _unrecorded,
    r"option ([\w.]+)=(.*)": _option,
}


def lines_of(file: str) -> list[str]:
    """The variations of a file."""
    text = (FOLDER / f"{file}.txt").read_text("utf-8")
    return [each for each in text.splitlines() if each and not each.startswith((" ", "#"))]


def told(lines: Sequence[str]) -> str:
    """The file's text: each variation with what it raises."""
    text = []
    for each in lines:
        text.append(each)
        text += sorted(f"    {line(finding)}" for finding in verified(varied(each)))
    return "\n".join(text) + "\n"
