"""A case raises what it always raised and nothing besides, and so does a day told a little otherwise."""

import pytest

from tests.watch import variations
from tests.watch.raised import GOLDEN, SUBJECTS, raised


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_case_raises_what_is_written_down(subject: str) -> None:
    """To accept a difference: `python -m tests.watch.written`."""
    assert raised(subject) == (GOLDEN / f"{subject}.txt").read_text("utf-8")


def test_what_is_written_down_has_its_cases() -> None:
    assert [path.stem for path in sorted(GOLDEN.glob("*.txt"))] == SUBJECTS


@pytest.mark.parametrize("file", variations.FILES)
def test_a_variation_raises_what_is_written_below_it(file: str) -> None:
    """To accept a difference: `python -m tests.watch.written`."""
    assert variations.told(variations.lines_of(file)) == (variations.FOLDER / f"{file}.txt").read_text("utf-8")
