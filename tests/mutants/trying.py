"""Try mutants of what judges on the days the tests verify."""

import importlib
import pkgutil
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from types import FrameType, ModuleType
from unittest.mock import patch

import domain.watch.detectors as package
from domain.watch import lasting, repeated_deals, verifier
from domain.watch.detecting import JUDGES, WATCHERS, Detector
from tests.mutants.corpus import Corpus, Day, Standing, Test, standing
from tests.mutants.making import Mutant, in_place

PATIENCE_SECONDS = 10  # of the processor: a busy machine must not look like a mutant that never ends
# What judges beside the detectors: a mutant of these may matter to every detector, and to the wagers weighed.
BESIDE = (lasting, repeated_deals)


def modules() -> list[ModuleType]:
    """The modules that are tried: the detectors', and those beside them."""
    return [*of_detectors(), *BESIDE]


def of_detectors() -> list[ModuleType]:
    """The detectors' modules."""
    names = sorted(found.name for found in pkgutil.iter_modules(package.__path__))
    return [importlib.import_module(f"{package.__name__}.{name}") for name in names]


def detectors(module: ModuleType) -> list[Detector]:
    """The detectors a module registers, each once."""
    every = [*JUDGES, *(each for watchers in WATCHERS.values() for each in watchers)]
    return list({id(each.run): each for each in every if each.run.__module__ == module.__name__}.values())


def codes_of(module: ModuleType) -> frozenset[str]:
    """The codes the detectors of a module raise."""
    return frozenset(law.code for detector in detectors(module) for law in detector.laws)


def users_of(module: ModuleType) -> list[ModuleType]:
    """The modules whose detectors call what this one defines, itself among them."""
    found, before = {module.__name__}, 0
    while len(found) > before:
        before = len(found)
        found |= {
            each.__name__
            for each in of_detectors()
            if any(getattr(value, "__module__", "") in found for value in vars(each).values())
        }
    return [each for each in of_detectors() if each.__name__ in found]


class Trial:
    """The mutants of one module, tried with no other detectors than those they can matter to."""

    alone: Callable[[], AbstractContextManager[None]]

    def __init__(self, module: ModuleType, corpus: Corpus) -> None:
        self.corpus = corpus
        self.codes = codes_of(module)
        asked = {id(each.run) for user in users_of(module) for each in detectors(user)}
        self.alone = partial(_alone, asked) if module not in BESIDE else nullcontext
        self.stands: dict[int, Standing] = {}  # the result of a day by these detectors

    def noticed(self, mutant: Mutant) -> bool:
        """Whether a test fails with the mutant in its function's place."""
        passed: set[str] = set()
        direct = {name: test for name, test in self.corpus.dayless.items() if test.calls(mutant.function)}
        if direct:
            with in_place(mutant.function, mutant.code):
                if _failed(direct, passed):
                    return True
        for day in self.corpus.touching(mutant, self.codes):
            if self._differs(day, mutant):
                with in_place(mutant.function, mutant.code):
                    if _failed(day.tests, passed):
                        return True
        return False

    def _differs(self, day: Day, mutant: Mutant) -> bool:
        with self.alone():
            if id(day) not in self.stands:
                self.stands[id(day)] = standing(day.facts)
            with in_place(mutant.function, mutant.code):
                return _within_reason(lambda: standing(day.facts)) != self.stands[id(day)]


def _failed(tests: Mapping[str, Test], passed: set[str]) -> bool:
    """Whether one of these tests fails; those that passed are not run again for another day."""
    for name, test in tests.items():
        if name not in passed and _within_reason(test.run) is _WRONG:
            return True
        passed.add(name)
    return False


_WRONG = object()


def _within_reason(run: Callable[[], object]) -> object:
    """The result of running this, unless it fails or never ends."""

    def end(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE_SECONDS)
    try:
        return run()
    except Exception:
        return _WRONG
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _alone(asked: set[int]) -> Iterator[None]:
    """No detectors but these are asked."""
    judges, watchers = list(JUDGES), dict(WATCHERS)
    JUDGES[:] = [each for each in judges if id(each.run) in asked]
    WATCHERS.update({moment: [one for one in each if id(one.run) in asked] for moment, each in watchers.items()})
    verifier.detectors_changed()
    try:
        with patch.object(verifier, "coverage", lambda _: {}):  # nor is a wager weighed
            yield
    finally:
        JUDGES[:] = judges
        WATCHERS.update(watchers)
        verifier.detectors_changed()
