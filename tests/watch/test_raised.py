"""A case raises what it always raised and nothing besides; who changes that reads the difference."""

import pytest

from tests.watch.raised import GOLDEN, SUBJECTS, raised


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_case_raises_what_is_written_down(subject: str) -> None:
    """If the difference is meant: `python -m tests.watch.raised`."""
    assert raised(subject) == (GOLDEN / f"{subject}.txt").read_text("utf-8")


def test_what_is_written_down_has_its_cases() -> None:
    assert [path.stem for path in sorted(GOLDEN.glob("*.txt"))] == SUBJECTS
