"""Each detector is needed: with its findings left out, a case fails. `make mutants` tries every condition."""

import sys
from types import FunctionType, ModuleType
from typing import cast

import pytest

from domain.watch.detecting import Detector
from tests.mutants.making import in_place, silenced
from tests.mutants.trying import detectors, modules
from tests.watch.harness import Case, show
from tests.watch.test_cases import CASES

EVERY = [(module, detector) for module in modules() for detector in detectors(module)]


@pytest.mark.parametrize(("module", "detector"), EVERY, ids=lambda part: getattr(part, "name", ""))
def test_a_detector_that_finds_nothing_is_noticed(module: ModuleType, detector: Detector) -> None:
    codes = {law.code for law in detector.laws}
    run = cast(FunctionType, detector.run)
    with in_place(run, silenced(module, run)):
        assert any(_fails(case) for case in CASES if case.code in codes), f"{sorted(codes)}"


def _fails(case: Case) -> bool:
    try:
        show(case)
    except AssertionError:
        return True
    return False


def test_there_are_detectors() -> None:
    sys.stdout.write(f"\n{len(EVERY)} detectors in {len(modules())} modules\n")
    assert len(EVERY) > 50
