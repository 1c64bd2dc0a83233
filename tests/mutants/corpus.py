"""The days the tests of the watch verify, the result of each, and the mutants of the detectors that may matter to it.

A mutant is tried on these days alone. Where what is found of one differs, the tests that verify this day are run
for good: only one that fails has noticed.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest

from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.watch.finding import Finding
from domain.watch.verifier import FindingChange, Verifier
from tests.mutants.making import Mutant, Where
from tests.mutants.probing import Probe, probed

TESTS = Path(__file__).parents[1]
TOO_MANY = 250  # a test that verifies so many days asks only that none of them makes the watch stumble


class Standing(NamedTuple):
    """The results of a day: its findings, and what could not be decided, by the reason."""

    findings: dict[str, Finding]
    undecided: dict[str, int]
    wagers: dict[str, int]


class Test(NamedTuple):
    """A test function with its parameters."""

    function: Callable[..., object]
    given: dict[str, Any]

    def run(self) -> object:
        """Run the test, and raise where it fails."""
        return self.function(**self.given)

    def calls(self, other: FunctionType) -> bool:
        """Whether the test's module imports something of this function's module by its name."""
        held = vars(sys.modules[self.function.__module__]).values()
        return any(getattr(value, "__module__", "") == other.__module__ for value in held)


class Day(NamedTuple):
    """Facts some tests verify."""

    facts: Sequence[Fact]
    codes: frozenset[str]  # of its findings
    tests: dict[str, Test]


class Corpus:
    """Every day there is, and who reaches what."""

    def __init__(self, modules: Iterable[ModuleType], folder: Path = TESTS / "watch") -> None:
        tests = collected(folder)
        verified = list(_days(tests).values())
        with_a_day = {name for _, those in verified for name in those}
        self.dayless = {name: test for name, test in tests.items() if name not in with_a_day}
        self.days: list[Day] = []
        self.touched: dict[Where, list[Day]] = {}
        probe = Probe()
        with probed(modules, probe):
            for facts, those in verified:
                probe.touched.clear()
                day = Day(facts, frozenset(each.code for each in standing(facts).findings.values()), those)
                self.days.append(day)
                for where in probe.touched:
                    self.touched.setdefault(where, []).append(day)

    def touching(self, mutant: Mutant, codes: Iterable[str]) -> list[Day]:
        """The days a mutant may matter to: those on which one of these codes is raised first, then the shortest."""
        wanted = set(codes)

        def far(day: Day) -> tuple[bool, int]:
            return wanted.isdisjoint(day.codes), len(day.facts)

        return sorted(self.touched.get(mutant.place, ()), key=far)


def standing(facts: Sequence[Fact]) -> Standing:
    """The results when a day has been verified to its end."""
    verifier = Verifier(facts[0].stream)
    for fact in facts:
        verifier.take(fact)
    return Standing(verifier.standing, verifier.undecided, verifier.wagers)


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
    """Run the tests, and return the days they verify with the tests that do; each day once."""
    found: dict[bytes, tuple[list[Fact], dict[str, Test]]] = {}
    taken: dict[int, tuple[Verifier, list[Fact]]] = {}
    take = Verifier.take

    def listening(self: Verifier, fact: Fact) -> list[FindingChange]:
        taken.setdefault(id(self), (self, []))[1].append(fact)
        return take(self, fact)

    Verifier.take = listening  # type: ignore[method-assign]
    try:
        for name, test in tests.items():
            test.run()
            for _, facts in taken.values() if len(taken) < TOO_MANY else ():
                found.setdefault(b"\n".join(map(encode, facts)), (facts, {}))[1][name] = test
            taken.clear()
    finally:
        Verifier.take = take  # type: ignore[method-assign]
    return found
