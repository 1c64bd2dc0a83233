"""Whole rounds with their answers, the worked ones and every irregularity of every book."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from consumers.settling.check import disagreements
from domain.clauses import clause
from domain.settlement import settle
from domain.settlement.case_format import from_object

CASES = Path(__file__).resolve().parents[1] / "cases"


def _cases() -> list[Any]:
    params = []
    for file in sorted(CASES.glob("*.jsonl")):
        for line in file.read_bytes().splitlines():
            case = msgspec.json.decode(line)
            params.append(pytest.param(case, id=f"{case['clauses'][0]}: {case['id']}"))
    return params


@pytest.mark.parametrize("raw", _cases())
def test_a_round_hands_back_what_its_clauses_say(raw: dict[str, Any]) -> None:
    """Every amount, every alternative a ruling leaves, and whether the round is void."""
    for cited in raw["clauses"]:
        assert clause(cited).book == raw["rulebook"]
    case = from_object(raw)
    assert not case.unread
    assert disagreements(case, settle(case.house, case.played)) == []
