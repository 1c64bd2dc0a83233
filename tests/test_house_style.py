"""The house's style, kept by tests: who imports whom, what the domain never asks for, how long things may be."""

from collections.abc import Iterator

import pytest

from tests.citations import ROOT, project_files
from tests.house_style import (
    Module,
    Rule,
    arrows,
    asserts,
    circles,
    docstrings,
    facades,
    floats,
    followers,
    lazy,
    module,
    modules,
    one_meaning,
    private,
    too_long,
    unfinished,
    worldly,
)

# Longer than a module or a function may be, with the lines it has: it may shrink, and nothing may join it.
LONGER = {
    "domain/settlement/uth.py settle": 68,  # the hot loop of a replay, in one piece on purpose
}


@pytest.fixture(scope="module")
def all_modules() -> list[Module]:
    """Every module of the project, read once."""
    found = modules()
    assert len(found) > 60
    return found


def _none(troubles: Iterator[str]) -> None:
    found = list(troubles)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "rule", [arrows, worldly, floats, asserts, followers, lazy, docstrings], ids=lambda rule: rule.__name__
)
def test_every_module_keeps_the_rule(rule: Rule, all_modules: list[Module]) -> None:
    """Each departure is a sentence with its file and line."""
    _none(trouble for here in all_modules for trouble in rule(here))


def test_dashboards_act_through_one_module(all_modules: list[Module]) -> None:
    """One module names what a dashboard may do."""
    _none(facades(all_modules))


def test_no_packages_of_consumers_need_each_other_in_a_circle(all_modules: list[Module]) -> None:
    """A reader of a package of consumers reads downwards."""
    _none(circles(all_modules))


def test_a_package_says_which_of_its_modules_others_may_import(all_modules: list[Module]) -> None:
    """A name outside a package's `__all__` belongs to the package alone."""
    _none(private(all_modules))


def test_no_two_classes_share_a_name(all_modules: list[Module]) -> None:
    """A word has one meaning."""
    _none(one_meaning(all_modules))


def test_a_second_class_of_one_name_is_named_with_its_place() -> None:
    """The export's verifier and the tests may use a name again."""
    told = [
        module("domain/a.py", "class Row: pass\nclass _Own: pass"),
        module("consumers/b.py", "class Line: pass\nclass Row: pass\nclass _Own: pass"),
        module("projections/export/verifier/c.py", "class Row: pass"),
        module("tests/test_d.py", "class Row: pass"),
    ]
    assert list(one_meaning(told)) == [
        "consumers/b.py:2: domain/a.py has a Row too: give one of them another name",
        "consumers/b.py:3: domain/a.py has a _Own too: give one of them another name",
    ]


def test_nothing_is_longer_than_it_may_be(all_modules: list[Module]) -> None:
    """Past 400 lines a module has two subjects, past 60 a function two jobs."""
    _none(too_long(all_modules, LONGER))


def test_nothing_is_left_unfinished() -> None:
    """No file says that something is still to be done."""
    _none(
        trouble for path in project_files() for trouble in unfinished(path.relative_to(ROOT), path.read_text("utf-8"))
    )


# rule | module | its text, ¶ between lines | what is said of it; nothing: it is in order
EXAMPLES = """
arrows     | domain/rounds.py           | import json                                        |
arrows     | domain/rounds.py           | from domain.money import odds                      |
arrows     | domain/rounds.py           | from consumers.codec import read                   | domain may not import consumers
arrows     | domain/rounds.py           | import projections                                 | domain may not import projections
arrows     | domain/rounds.py           | from .money import odds                            |
arrows     | domain/rounds.py           | def f():¶    import dashboards.pages               | domain may not import dashboards
arrows     | domain/rounds.py           | import msgspec                                     |
arrows     | domain/rounds.py           | import duckdb                                      | domain may not import duckdb
arrows     | domain/rounds.py           | import numpy as np                                 | domain may not import numpy
arrows     | domain/odds/make/deals.py  | import numpy as np                                 |
arrows     | domain/odds/make/deals.py  | import pandas                                      | domain may not import pandas
arrows     | domain/odds/measures.py    | from domain.odds.make import fast                  | nothing may need the makers
arrows     | domain/odds/measures.py    | from domain.odds import make                       | nothing may need the makers
arrows     | domain/odds/make/deals.py  | from domain.odds.make import fast                  |
arrows     | domain/simulation/rounds.py | from domain.watch.owed import owed                 | only the watch knows detectors and judges
arrows     | domain/watch/owed.py       | from domain.simulation import rounds               | may not know how one is simulated
arrows     | projections/tables.py      | from domain.simulation import rounds               | may not know how one is simulated
arrows     | domain/simulation/table.py | from domain.simulation import rounds               |
arrows     | consumers/simulating.py    | from domain.simulation import rounds               |
arrows     | domain/table/day.py        | from domain.watch import weighed                   | only the watch knows detectors and judges
arrows     | domain/watch/owed.py       | from domain.watch import weighed                   |
arrows     | consumers/watch.py         | from domain.watch import weighed                   |
arrows     | projections/tables.py      | import duckdb                                      |
arrows     | projections/tables.py      | from consumers import gateway                      | projections may not import consumers
arrows     | consumers/watch.py         | from projections import tables                     |
arrows     | consumers/watch.py         | from dashboards import pages                       | consumers may not import dashboards
arrows     | dashboards/pages.py        | from domain import money                           | dashboards may not import domain
arrows     | dashboards/pages.py        | from consumers.desk import claim                   |
arrows     | consumers/watch.py         | from tests.rulecard import lines                   | consumers may not import tests
arrows     | tests/test_watch.py        | from tests.rulecard import lines                   |
worldly    | domain/rounds.py           | open('x')                                          | domain may not call open
worldly    | domain/rounds.py           | print('x')                                         | domain may not call print
worldly    | domain/rounds.py           | import time                                        | domain may not use time
worldly    | domain/rounds.py           | from os import environ                             | domain may not use os
worldly    | domain/rounds.py           | from pathlib import Path                           | domain may not use pathlib
worldly    | domain/rounds.py           | datetime.now()                                     | domain may not use datetime.now
worldly    | domain/rounds.py           | datetime.datetime.now(tz)                          | domain may not use datetime.datetime.now
worldly    | domain/rounds.py           | clock = datetime.now                               | domain may not use datetime.now
worldly    | domain/rounds.py           | datetime.fromtimestamp(0, tz)                      |
worldly    | domain/rounds.py           | random.choice([1])                                 | random.choice without a seed
worldly    | domain/rounds.py           | random.Random()                                    | random.Random without a seed
worldly    | domain/rounds.py           | random.Random(7)                                   |
worldly    | domain/rounds.py           | from random import shuffle                         | random.shuffle has no seed
worldly    | domain/rounds.py           | from random import Random¶Random()                 | needs a seed
worldly    | domain/rounds.py           | from random import Random¶Random(7)                |
worldly    | domain/rounds.py           | sys.stdout.write('x')                              | domain may not use sys.stdout
worldly    | domain/odds/make/__main__.py | import time                                      |
worldly    | consumers/watch.py         | import time                                        |
floats     | domain/settlement/pikit.py | half = 0.5                                         | 0.5 is a float
floats     | domain/settlement/pikit.py | half = cents / 2                                   | divide cents with //
floats     | domain/settlement/pikit.py | cents /= 2                                         | divide cents with //
floats     | domain/settlement/pikit.py | half = cents // 2                                  |
floats     | domain/money.py            | float(cents)                                       | float has no place
floats     | domain/odds/measures.py    | share = 0.5                                        |
asserts    | domain/rounds.py           | assert True                                        | raise
asserts    | consumers/watch.py         | def f():¶    assert True                           | raise
asserts    | tests/test_watch.py        | assert True                                        |
followers  | consumers/exporting/own.py | if fact.previous == head: pass                     | subscribe to domain.following
followers  | consumers/exporting/own.py | ok = (at, fact.previous) != (1, head)              | subscribe to domain.following
followers  | projections/export/own.py  | ok = told['previous'] == head                      | subscribe to domain.following
followers  | projections/export/own.py  | ok = told.get('previous', '') == head              | subscribe to domain.following
followers  | domain/watch/own.py        | ok = previous == head                              | subscribe to domain.following
followers  | domain/watch/own.py        | ok = bool(fact.previous) and fact.head == head     |
followers  | domain/following/chain.py  | ok = fact.previous == head                         |
followers  | domain/ledger/chain.py     | ok = previous == head                              |
followers  | tests/ledger/test_chain.py | ok = fact.previous == head                         |
lazy       | domain/rounds.py           | class Round:¶    bytes: bytes                      | Round.bytes hides the type bytes
lazy       | domain/rounds.py           | class Round:¶    size: 'int'¶    def int(self): ... |
lazy       | domain/rounds.py           | class Round:¶    size: int¶    bytes: Stored        |
docstrings | domain/rounds.py           | x = 1                                              | the module has no docstring
docstrings | domain/rounds.py           | 'Rounds.'¶def fold(): pass                         | fold is public and has no docstring
docstrings | domain/rounds.py           | 'Rounds.'¶def _fold(): pass                        |
docstrings | domain/rounds.py           | 'Rounds.'¶class Round: pass                        | Round is public and has no docstring
docstrings | domain/rounds.py           | 'Rounds.'¶class Round:¶  'A round.'¶  def end(self): pass | Round.end is public
docstrings | domain/rounds.py           | 'Rounds.'¶class Round:¶  'A round.'¶  def __len__(self): pass |
docstrings | tests/test_rounds.py       | 'Rounds.'¶def test_it(): pass                      |
"""
RULES: dict[str, Rule] = {
    rule.__name__: rule for rule in (arrows, worldly, floats, asserts, followers, lazy, docstrings)
}
ROWS = [[cell.strip() for cell in row.split(" |")] for row in EXAMPLES.strip().splitlines()]


@pytest.mark.parametrize(("rule", "path", "text", "says"), ROWS, ids=[f"{row[0]} {row[1]} {row[2]}" for row in ROWS])
def test_a_rule_says_what_is_wrong_and_nothing_else(rule: str, path: str, text: str, says: str) -> None:
    """A departure is found with its place; its lawful neighbor is not."""
    found = list(RULES[rule](module(path, text.replace("¶", "\n"))))
    assert len(found) == bool(says)
    assert all(trouble.startswith(f"{path}:") and says in trouble for trouble in found)


def test_a_second_facade_is_found() -> None:
    """One module of consumers is the dashboards' way in, whichever it is."""
    one, same, other = (
        module(f"dashboards/{name}.py", f"from consumers.{facade} import act")
        for name, facade in (("a", "desk"), ("b", "desk"), ("c", "gateway"))
    )
    assert not list(facades([one, same]))
    assert list(facades([one, same, other])) == [
        "dashboards/c.py:1: dashboards reach consumers through consumers.gateway as well"
    ]


def test_a_circle_of_packages_is_found() -> None:
    """Also one that goes by way of a third, or of a module of consumers itself."""
    desk = module("consumers/desk/acts.py", "from consumers.room.people import ann")
    room = module("consumers/room/people.py", "from consumers import private")
    private = module("consumers/private.py", "from consumers.desk.acts import act")
    assert not list(circles([desk, room]))
    (found,) = circles([desk, room, private])
    assert found.startswith("packages import each other in a circle: ")
    assert {"consumers.desk", "consumers.room", "consumers.private"} <= set(found.partition(": ")[2].split(", "))


def test_an_import_of_a_private_module_is_found() -> None:
    """In both ways it can be written; also a module that is public for nobody."""
    package = module("domain/table/__init__.py", "__all__ = ['day', 'deck']")
    inside = [module(f"domain/table/{name}.py", "from domain.table import stubs") for name in ("day", "deck", "stubs")]
    user = module("domain/watch/owed.py", "from domain.table import day, deck")
    assert not list(private([package, *inside, user]))
    for text in ("from domain.table import stubs", "from domain.table.stubs import count", "import domain.table.stubs"):
        told = f"{user.path}:1: stubs is private to domain.table: its __all__ does not name it"
        assert list(private([package, *inside, user, module(user.path, text)])) == [told]
    assert list(private([package, *inside])) == [
        f"domain.table.{name} is in the __all__ of its package and nobody imports it" for name in ("day", "deck")
    ]


# lines of the function | its exception, if it has one | what is said
LENGTHS = [
    (60, None, ""),
    (61, None, "has 61 lines and may have 60"),
    (70, 70, ""),
    (71, 70, "has 71 lines and may have 70"),
    (69, 70, "has shrunk to 69 lines"),
    (60, 70, "is short enough now"),
]


@pytest.mark.parametrize(("lines", "exception", "says"), LENGTHS)
def test_an_exception_may_only_shrink(lines: int, exception: int | None, says: str) -> None:
    """A function over its length is named, and so is an exception that is no longer needed as it stands."""
    here = module("domain/rounds.py", "def fold():\n" + "    pass\n" * (lines - 1))
    longer = {} if exception is None else {"domain/rounds.py fold": exception}
    found = list(too_long([here], longer))
    assert len(found) == bool(says)
    assert all(says in trouble for trouble in found)


def test_modules_and_lost_exceptions_are_found_too() -> None:
    """A module of 401 lines is too long; an exception for what is not there is said."""
    long = module("domain/rounds.py", "x = 1\n" * 401)
    assert list(too_long([long], {"domain/gone.py fold": 70})) == [
        "domain/rounds.py:1: domain/rounds.py has 401 lines and may have 400",
        "domain/gone.py fold is an exception and is not there",
    ]


def test_unfinished_work_is_found() -> None:
    """The word stands alone to count."""
    path = project_files().__next__().relative_to(ROOT)
    assert len(list(unfinished(path, "# TO" + "DO: later\nx = 1  # FIX" + "ME\n"))) == 2
    assert not list(unfinished(path, "the TO" + "DOs of others"))
