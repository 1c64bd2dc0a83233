"""The days the tests of the watch verify, what stands on each, and which lines of the detectors each day reaches.

A mutant is tried on the days that reach it. Where what is found of one differs, the tests that verify this day are run
for good: only one that fails has noticed.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

import domain.watch.detectors as package
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.watch.finding import Finding
from domain.watch.verifier import Change, Verifier
from tests.mutants.making import Mutant

TESTS = Path(__file__).parents[1]
DETECTORS = package.__path__[0]
Standing = dict[str, Finding]
Line = tuple[str, int]


class Test(NamedTuple):
    """A test function with its parameters."""

    function: Callable[..., object]
    given: dict[str, Any]

    def run(self) -> object:
        """Runs it; it raises where it fails."""
        return self.function(**self.given)

    def calls(self, other: object) -> bool:
        """Whether the test's module imports this function by its name."""
        return any(value is other for value in vars(sys.modules[self.function.__module__]).values())


class Day(NamedTuple):
    """Facts some tests verify."""

    facts: Sequence[Fact]
    stands: Standing
    tests: dict[str, Test]


class Corpus:
    """Every day there is, and who reaches what."""

    def __init__(self, folder: Path = TESTS / "watch") -> None:
        tests = collected(folder)
        self.days = [Day(facts, {}, tests) for facts, tests in _days(tests).values()]
        with_a_day = {name for day in self.days for name in day.tests}
        self.dayless = {name: test for name, test in tests.items() if name not in with_a_day}
        self.reached: dict[Line, set[int]] = {}
        for number, day in enumerate(self.days):
            lines: set[Line] = set()
            day.stands.update(_traced(day.facts, lines))
            for line in lines:
                self.reached.setdefault(line, set()).add(number)

    def reaching(self, mutant: Mutant, codes: Iterable[str]) -> list[Day]:
        """The days that reach a mutant: those on which one of these codes is raised first, then the shortest."""
        wanted, file = set(codes), mutant.code.co_filename
        numbers = set().union(*(self.reached.get((file, line), set()) for line in mutant.lines))

        def far(day: Day) -> tuple[bool, int]:
            return wanted.isdisjoint(finding.code for finding in day.stands.values()), len(day.facts)

        return sorted((self.days[number] for number in numbers), key=far)


def standing(facts: Sequence[Fact]) -> Standing:
    """What stands when a day has been verified to its end."""
    verifier = Verifier(facts[0].stream)
    for fact in facts:
        verifier.take(fact)
    return verifier.standing


class _Collects:
    """A plugin that runs no test and keeps them."""

    def __init__(self) -> None:
        self.tests: dict[str, Test] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item in session.items:
            if isinstance(item, pytest.Function):
                given = item.callspec.params if hasattr(item, "callspec") else {}
                if set(item.fixturenames) <= set(given):
                    self.tests[item.nodeid] = Test(item.obj, given)
        return True


def collected(folder: Path) -> dict[str, Test]:
    """The tests of a folder that need no fixture, by their names."""
    plugin = _Collects()
    pytest.main(["-qq", "-p", "no:cacheprovider", "--no-summary", str(folder)], plugins=[plugin])
    return plugin.tests


def _days(tests: dict[str, Test]) -> dict[bytes, tuple[list[Fact], dict[str, Test]]]:
    """Runs the tests, and keeps the days they verify with those that do; each day once."""
    found: dict[bytes, tuple[list[Fact], dict[str, Test]]] = {}
    taken: dict[int, tuple[Verifier, list[Fact]]] = {}
    take = Verifier.take

    def listening(self: Verifier, fact: Fact) -> list[Change]:
        taken.setdefault(id(self), (self, []))[1].append(fact)
        return take(self, fact)

    Verifier.take = listening  # type: ignore[method-assign]
    try:
        for name, test in tests.items():
            test.run()
            for _, facts in taken.values():
                found.setdefault(b"\n".join(map(encode, facts)), (facts, {}))[1][name] = test
            taken.clear()
    finally:
        Verifier.take = take  # type: ignore[method-assign]
    return found


def _traced(facts: Sequence[Fact], lines: set[Line]) -> Standing:
    """What stands, and which lines of the detectors were run for it."""

    def within(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return within

    def call(frame: FrameType, _: str, __: object) -> Any:
        return within if frame.f_code.co_filename.startswith(DETECTORS) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        return standing(facts)
    finally:
        sys.settrace(before)
