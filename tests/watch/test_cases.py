"""Every clause that events can show: broken, it is found; kept, nothing is."""

from importlib import import_module
from pathlib import Path

import pytest

from tests.watch.harness import Case, show

HERE = Path(__file__).parent
SUBJECTS = sorted(path.stem for path in HERE.glob("cases_*.py"))
CASES: list[Case] = [case for name in SUBJECTS for case in import_module(f"tests.watch.{name}").CASES]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.clauses} {case.code}")
def test_a_clause_is_shown(case: Case) -> None:
    """The lawful day is silent, and the one with this changed raises the finding by its clauses."""
    show(case)
