"""A drop counted after the table's close: refused where it has no place, and told by a correction of the closing."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.citations import ROOT
from tests.gateway.admitted import run

DAY = ROOT / "docs/examples/days/uth-md-manual-shoe.jsonl"


def _lines() -> tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]:
    """A lawful day in a house with a tolerance, without its drop; that drop; and the next day's opening."""
    told = [json.loads(line) for line in DAY.read_text().splitlines()]
    (drop,) = [fact for fact in told if fact["type"] == "drop-counted.1"]
    day = [fact for fact in told if fact is not drop]
    opening = next(fact for fact in day if fact["type"] == "table-opened.1")
    opening["options"] = {**opening["options"], "tray_tolerance": 100}
    opened = {**opening, "gaming_day": "2026-11-19", "at": day[-1]["at"] + 60_000_000, "source_key": "next:1"}
    return day, {**drop, "at": day[-1]["at"] + 1_000_000}, opened


def _asked(question: str, pit: Path) -> list[dict[str, Any]]:
    for command in ("watch", "project"):
        assert run(command, "--once", "--data", pit).exit_code in (0, 1)
    asked = run("ask", *question.split(), "--json", "--data", pit)
    assert asked.exit_code == 0, asked.output
    return [json.loads(line) for line in asked.stdout.splitlines() if line.startswith("{")]


def _ingest(pit: Path, *facts: dict[str, Any]) -> str:
    return run("ingest", "--data", pit, "-", given="\n".join(map(json.dumps, facts)).encode() + b"\n").output


@pytest.mark.parametrize(("missing", "codes"), [(0, []), (50_000, ["tray-off"])], ids=["the whole drop", "$500 short"])
def test_the_count_room_does_what_the_refusal_says(tmp_path: Path, missing: int, codes: list[str]) -> None:
    pit = tmp_path / "pit"
    day, drop, following = _lines()
    _ingest(pit, *day)
    reasons = [row["what"] for row in _asked("undecided", pit)]
    assert "the tray: the drop was not counted" in reasons
    drop["cents"] -= missing
    (says,) = re.findall(r"is closed: (once the next day is open, .*)", _ingest(pit, drop))
    number, stream, reads = re.findall(r"corrects fact (\d+) of (\S+), the closing: \"reads\":(\{.*?\})\.", says)[0]
    correction = {"type": "corrected.1", "corrects_stream": stream, "corrects_sequence": int(number)}
    correction |= {"reads": json.loads(reads), "reason": "counted in the morning", "stream": following["table"]}
    place = {"at": following["at"] + 1, "source": drop["source"], "source_key": "count:1"}
    _ingest(pit, following, {**correction, **place})
    (held,) = [row for row in _asked("hold --by table", pit) if row["drop_cents"] is not None]
    assert held["drop_cents"] == drop["cents"]
    assert held["tray_off_cents"] == -missing
    assert [row["what"] for row in _asked("undecided", pit) if "tray" in row["what"]] == []
    assert [row["code"] for row in _asked("findings", pit) if row["code"] == "tray-off"] == codes
