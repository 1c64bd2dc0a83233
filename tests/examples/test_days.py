"""The days in docs/examples/days are judged whole: lawful ones raise nothing, the others just what is wrong with them."""

import json
import re

import pytest
from click.testing import CliRunner

from consumers.command import main
from domain.games import BOOKS
from domain.simulation.houses import METHODS
from tests.citations import ROOT

DAYS = ROOT / "docs/examples/days"
LAWFUL = [f"{book.lower()}-{method}" for book in BOOKS for method in METHODS[book]]
WRONG = {
    "wrong-overpaid": ("wager-overpaid", 2000),
    "wrong-burn-left-out": ("burn-missing", None),
    "wrong-late-bet": ("wager-after-close", None),
    "wrong-lost-wager-returned": ("loser-not-collected", 500),
    "wrong-count": ("deck-not-removed", None),
}


def _judged(name: str) -> tuple[list[tuple[str, int | None]], tuple[int, int]]:
    run = CliRunner().invoke(main, ["verify-log", str(DAYS / f"{name}.jsonl")])
    findings = [json.loads(line) for line in run.stdout.splitlines()]
    ((checked, wagers),) = re.findall(r"^(\d+) of (\d+) wagers checked$", run.stderr, re.MULTILINE)
    found = [(each["code"], _too_much(each)) for each in findings]
    return found, (int(checked), int(wagers))


def _too_much(finding: dict[str, int]) -> int | None:
    if "observed_cents" not in finding or "expected_cents" not in finding:
        return None
    return finding["observed_cents"] - finding["expected_cents"]


@pytest.mark.parametrize("name", LAWFUL)
def test_a_lawful_day_is_judged_whole_and_raises_nothing(name: str) -> None:
    found, (checked, wagers) = _judged(name)
    assert found == []
    assert checked == wagers > 5


@pytest.mark.parametrize("name", WRONG)
def test_a_day_with_one_thing_wrong_raises_that_finding_alone(name: str) -> None:
    found, (checked, wagers) = _judged(name)
    assert found == [WRONG[name]]
    assert checked == wagers > 5


def test_each_day_has_its_page_and_its_line_in_the_list() -> None:
    listed = (DAYS / "README.md").read_text()
    assert {path.stem for path in DAYS.glob("*.jsonl")} == {*LAWFUL, *WRONG}
    for name in (*LAWFUL, *WRONG):
        assert f"({name}.jsonl)" in listed
        lines = (DAYS / f"{name}.jsonl").read_text().count("\n")
        assert f"\n| {lines} | `" in (DAYS / f"{name}.md").read_text()
