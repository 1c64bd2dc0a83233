"""Tries mutants of detectors on the cases that show their clauses."""

import importlib
import pkgutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import NamedTuple

import domain.watch.detectors as package
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.watch.detecting import JUDGES, WATCHERS, Detector
from domain.watch.finding import Finding
from domain.watch.verifier import Verifier
from tests.watch.harness import Case, recorded
from tests.watch.test_cases import CASES

PATIENCE_SECONDS = 20


class Built(NamedTuple):
    """A case with its two days numbered, so that trying it is nothing but verifying."""

    case: Case
    lawful: list[Fact]
    changed: list[Fact]


def modules() -> list[ModuleType]:
    """The detectors' modules."""
    names = sorted(found.name for found in pkgutil.iter_modules(package.__path__))
    return [importlib.import_module(f"{package.__name__}.{name}") for name in names]


def detectors(module: ModuleType) -> list[Detector]:
    """The detectors a module registers, each once."""
    every = [*JUDGES, *(each for watchers in WATCHERS.values() for each in watchers)]
    return list({id(each.run): each for each in every if each.run.__module__ == module.__name__}.values())


def cases_of(codes: frozenset[str]) -> list[Case]:
    """The cases of these codes, books in turn, so that a mutant meets another game soon."""
    wanted = [case for case in CASES if case.code in codes]
    turn: dict[str, int] = {}
    order = []
    for case in wanted:
        book = case.clauses.split(" ")[0]
        turn[book] = turn.get(book, 0) + 1
        order.append((turn[book], len(order)))
    return [wanted[place] for _, place in sorted(order)]


@cache
def built(codes: frozenset[str]) -> list[Built]:
    """The cases of these codes with their days made."""
    found = []
    for case in cases_of(codes):
        lawful = list(case.day())
        found.append(Built(case, recorded(lawful), recorded(case.edit(lawful))))
    return found


@cache
def lawful_days() -> list[list[Fact]]:
    """Every lawful day the cases are made of, each once: voids, other games and half-blind tables among them."""
    found: dict[bytes, list[Fact]] = {}
    for case in CASES:
        numbered = recorded(list(case.day()))
        found.setdefault(encode(numbered[-1]) + case.clauses[:3].encode(), numbered)
    return list(found.values())


def codes_of(module: ModuleType) -> frozenset[str]:
    """The codes the detectors of a module raise."""
    return frozenset(law.code for detector in detectors(module) for law in detector.laws)


def noticed(function: FunctionType, code: CodeType, cases: Sequence[Built]) -> bool:
    """Whether some case fails with this code in the function's place."""
    own = function.__code__
    function.__code__ = code
    try:
        with _patience():
            return any(not _shown(each) for each in cases) or any(_standing(each) for each in lawful_days())
    except Exception:
        return True
    finally:
        function.__code__ = own


def _shown(each: Built) -> bool:
    """Whether the case still holds: the lawful day silent, the changed one found with its amounts."""
    case = each.case
    if _standing(each.lawful):
        return False
    matching = [one for one in _standing(each.changed) if one.code == case.code and set(case.names) <= set(one.clauses)]
    if case.expected_cents is None and case.observed_cents is None:
        return bool(matching)
    return (case.expected_cents, case.observed_cents) in [(one.expected_cents, one.observed_cents) for one in matching]


def _standing(facts: Sequence[Fact]) -> list[Finding]:
    verifier = Verifier(facts[0].stream)
    for fact in facts:
        verifier.take(fact)
    return list(verifier.standing.values())


@contextmanager
def _patience() -> Iterator[None]:
    def end(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(PATIENCE_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
