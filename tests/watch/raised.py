"""The findings of each case, whole: each with its clauses, its words, its amounts and the facts that show it.

`python -m tests.watch.written` writes the file again; the difference then shows what changed.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from domain.watch.finding import Finding
from tests.watch.harness import Case, verified

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden" / "raised"
SUBJECTS = sorted(path.stem.removeprefix("cases_") for path in HERE.glob("cases_*.py"))


@cache
def cases_of(subject: str) -> tuple[Case, ...]:
    """The cases of one subject."""
    return tuple(import_module(f"tests.watch.cases_{subject}").CASES)


def raised(subject: str) -> str:
    """A line for each case and, below it, one for each finding of its day."""
    lines = []
    for case in cases_of(subject):
        lines.append(f"{case.code} {case.clauses}")
        lines += sorted(f"    {line(finding)}" for finding in verified(case.edit(case.day())))
    return "\n".join(lines) + "\n"


def line(finding: Finding) -> str:
    """A finding in one line."""
    about = [f"{name} {value}" for name in ("round", "seat", "wager", "dealer") if (value := getattr(finding, name))]
    cents = (finding.expected_cents, finding.observed_cents)
    amounts = "" if cents == (None, None) else f" {cents[0]} owed, {cents[1]} seen;"
    basis = "" if finding.basis == "certain" else f" ({finding.basis})"
    shows = ",".join(map(str, finding.evidence))
    return (
        f"{finding.code}{basis} | {'; '.join(finding.clauses)} | {', '.join(about)} | {finding.says} |"
        f"{amounts} fact {finding.trigger} of {shows}"
    )
