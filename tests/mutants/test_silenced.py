"""Each detector is needed: with its findings left out, a case fails. `make mutants` tries every condition."""

import sys
from types import ModuleType

import pytest

from domain.watch.detecting import Detector
from tests.mutants.making import silenced
from tests.mutants.trying import built, detectors, modules, noticed

EVERY = [(module, detector) for module in modules() for detector in detectors(module)]


@pytest.mark.parametrize(("module", "detector"), EVERY, ids=lambda part: getattr(part, "name", ""))
def test_a_detector_that_finds_nothing_is_noticed(module: ModuleType, detector: Detector) -> None:
    codes = frozenset(law.code for law in detector.laws)
    assert noticed(detector.run, silenced(module, detector.run), built(codes)), f"{sorted(codes)}"  # type: ignore[arg-type]


def test_there_are_detectors() -> None:
    sys.stdout.write(f"\n{len(EVERY)} detectors in {len(modules())} modules\n")
    assert len(EVERY) > 50
