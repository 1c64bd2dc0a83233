"""Lines of a file without numbers that come twice, or whose key names two facts: as a gateway takes them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from tests.citations import ROOT

EXAMPLES = ROOT / "docs/examples/days"
DAY = [json.loads(line) for line in (EXAMPLES / "uth-md-hand.jsonl").read_text("utf-8").splitlines()]
PAID = sum(line["type"] == "wager-paid.1" for line in DAY)
Line = dict[str, Any]


def verified(folder: Path, lines: list[Line], *words: str) -> Result:
    """Run verify-log on these lines."""
    file = folder / "day.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return CliRunner().invoke(main, ["verify-log", str(file), *words])


def twice(line: Line) -> list[Line]:
    return [line, line] if line["type"] == "wager-paid.1" else [line]


@pytest.mark.parametrize("cores", ["1", "2", "3"])
def test_a_payment_that_is_sent_twice_is_paid_once(cores: str, tmp_path: Path) -> None:
    """Each repeated line is ignored and counted; the same file once has the same facts."""
    once = verified(tmp_path, DAY, "--cores", cores)
    ran = verified(tmp_path, [each for line in DAY for each in twice(line)], "--cores", cores)
    assert (ran.exit_code, ran.stdout) == (0, ""), ran.stdout
    assert PAID > 5
    assert f"{PAID} lines ignored: the same facts again" in ran.stderr
    assert ran.stderr.splitlines()[0] == once.stderr.splitlines()[0]
    assert "ignored" not in once.stderr


@pytest.mark.parametrize("cores", ["1", "2"])
def test_the_whole_file_twice_is_the_file_once(cores: str, tmp_path: Path) -> None:
    """The openings and the lines of the property too, however many processes read them."""
    once = verified(tmp_path, DAY)
    ran = verified(tmp_path, DAY + DAY, "--cores", cores)
    assert (ran.exit_code, ran.stdout) == (0, "")
    said = ran.stderr.splitlines()
    assert f"{len(DAY)} lines ignored: the same facts again" in said
    assert [line for line in said if "ignored" not in line] == once.stderr.splitlines()


@pytest.mark.parametrize("cores", ["1", "2"])
def test_a_key_with_other_content_is_refused_as_the_gateway_does(cores: str, tmp_path: Path) -> None:
    place, paid = next((at, line) for at, line in enumerate(DAY) if line["type"] == "wager-paid.1")
    more = paid | {"cents": paid["cents"] + 500}
    lines = [*DAY[: place + 1], more, *DAY[place + 1 :]]
    ran = verified(tmp_path, lines, "--cores", cores)
    assert (ran.exit_code, ran.stdout) == (3, "")
    says = f"{paid['source']} already used the key {paid['source_key']} for another fact: use each key once"
    assert f"1 line refused, key-used-for-another-fact in source_key of wager-paid.1 (first: line {place + 2})" in (
        ran.stderr
    )
    assert says in ran.stderr
    catwalk = Path(sys.executable).with_name("catwalk")
    command = [catwalk, "ingest", "--data", tmp_path / "pit", tmp_path / "day.jsonl"]
    assert says in subprocess.run(command, capture_output=True, text=True, check=False).stderr


def renamed(line: Line) -> Line:
    """The same fact of another table, with its key."""
    return line | {name: "T99" for name in ("stream", "table") if str(line.get(name, "")).startswith("T")}


def test_a_key_that_two_tables_share_is_refused_alike_by_any_number_of_processes(tmp_path: Path) -> None:
    """The first line with a key counts, at whichever table: one process alone cannot know which that is."""
    tables = [line for line in DAY if not line["type"].startswith(("property-", "person-", "deck-"))]
    opened = next(line for line in tables if line["type"] == "table-opened.1")
    second = renamed(opened) | {"source_key": "opening of T99"}
    played = [renamed(line) for line in tables if line["type"] not in ("table-opened.1", "table-closed.1")]
    other = [
        line if line["type"] == "wager-paid.1" else line | {"source_key": f"T99:{line['source_key']}"}
        for line in played
    ]
    closing = next(at for at, line in enumerate(DAY) if line["type"] == "table-closed.1")
    lines = [*DAY[:closing], second, *other, *DAY[closing:]]
    alone = verified(tmp_path, lines, "--cores", "1")
    assert f"{PAID} lines refused, key-used-for-another-fact" in alone.stderr
    assert '"winner-unpaid"' in alone.stdout
    for cores in ("2", "3"):
        ran = verified(tmp_path, lines, "--cores", cores)
        assert (ran.exit_code, ran.stdout, ran.stderr) == (alone.exit_code, alone.stdout, alone.stderr)
