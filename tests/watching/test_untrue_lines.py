"""`catwalk verify-log` of a file that no gateway has seen: what cannot be true is said by cause, and nothing looks clean."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.inputs import read_input
from domain.ledger.writer import Writer, located, place, with_edition
from domain.simulation.scripted import day, round_, seat
from tests.citations import ROOT
from tests.watch.harness import recorded

DAY = (ROOT / "docs/examples/days/uth-md-hand.jsonl").read_text("utf-8").splitlines()
Line = dict[str, Any]


def verified(file: Path, *words: str) -> Result:
    """Run the command on this file."""
    return CliRunner().invoke(main, ["verify-log", str(file), *words])


def written(folder: Path, edit: Callable[[Line], Line]) -> Path:
    """The example day with each line edited."""
    file = folder / "day.jsonl"
    file.write_text("".join(json.dumps(edit(json.loads(line))) + "\n" for line in DAY), "utf-8")
    return file


def only(kind: str, **fields: Any) -> Callable[[Line], Line]:
    """Change fields of every line of one type."""
    return lambda line: line | (fields if line["type"] == kind else {})


WRONG: dict[str, tuple[Callable[[Line], Line], str]] = {
    "milliseconds": (lambda line: line | {"at": line["at"] // 1000}, "time-unit in at"),
    "a seat nobody has": (only("decision-made.1", seat=9), "seat-not-here in seat of decision-made.1"),
    "a wager of another game": (only("wager-paid.1", wager="bonus5"), "wager-not-in-book in wager of wager-paid.1"),
    "a decision of another game": (
        only("decision-made.1", decision="surrender"),
        "decision-not-in-book in decision of decision-made.1",
    ),
    "a meter nobody has": (only("meter-read.1", meter="grand"), "meter-not-here in meter of meter-read.1"),
    "a million millions": (only("wager-paid.1", cents=9_000_000_000), "amount-implausible in cents of wager-paid.1"),
    "no zone": (only("table-opened.1", zone="Amerika/New_York"), "zone-unknown in zone of table-opened.1"),
    "another day": (
        only("table-opened.1", gaming_day="2025-01-18"),
        "gaming-day-implausible in gaming_day of table-opened.1",
    ),
    "day one": (
        only("table-opened.1", gaming_day="0001-01-01"),
        "gaming-day-implausible in gaming_day of table-opened.1",
    ),
    "no card": (only("card-dealt.1", card="10h"), "card-unknown in card of card-dealt.1"),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("cores", ["1", "2"])
def test_what_a_gateway_would_refuse_is_one_line_for_each_cause(name: str, cores: str, tmp_path: Path) -> None:
    edit, says = WRONG[name]
    ran = verified(written(tmp_path, edit), "--cores", cores)
    assert ran.exit_code == 3, ran.output
    told = [line for line in ran.stderr.splitlines() if " refused, " in line]
    assert len([line for line in told if f" refused, {says} (first: line " in line]) == 1, told
    assert len(told) <= 3  # what follows from a refused opening is one cause more for each stream
    assert "catwalk feed check" in ran.stderr


def test_a_time_in_another_unit_is_one_cause_whatever_the_type(tmp_path: Path) -> None:
    closing = {"table-closed.1", "property-closed.1", "round-completed.1"}
    ran = verified(
        written(tmp_path, lambda line: line | ({"at": line["at"] // 1000} if line["type"] in closing else {}))
    )
    (told,) = [line for line in ran.stderr.splitlines() if " refused, " in line]
    assert told.startswith("6 lines refused, time-unit in at (first: line "), told


def test_the_day_itself_is_clean(tmp_path: Path) -> None:
    ran = verified(written(tmp_path, lambda line: line))
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "refused" not in ran.stderr


@pytest.mark.parametrize(
    ("day", "refused"),
    [
        *(("2026-11-15", True), ("2026-11-16", False), ("2026-11-17", False), ("2026-11-19", False)),
        *(("2026-11-20", False), ("2026-11-21", True), ("2027-01-18", True), ("9999-12-31", True)),
    ],
)
def test_an_opening_is_within_two_days_of_its_gaming_day(day: str, refused: bool, tmp_path: Path) -> None:
    """From the start of the day two days before, in UTC, to its end two days after."""
    at = 1795032100000000  # 2026-11-18 20:01 UTC
    ran = verified(written(tmp_path, only("table-opened.1", gaming_day=day, at=at)))
    assert ("gaming-day-implausible" in ran.stderr) == refused


@pytest.mark.parametrize("gaming_day", ["0001-01-01", "0001-01-02", "9999-12-31"])
def test_a_record_with_a_day_far_from_its_time_is_judged_to_its_end(gaming_day: str, tmp_path: Path) -> None:
    """A record of an earlier version may hold such openings, of tables and of the property."""
    writer, stored = Writer(epoch=1), []
    for line in DAY:
        given = json.loads(line)
        given |= {"gaming_day": gaming_day} if "gaming_day" in given else {}
        whole = located(writer, with_edition(read_input(json.dumps(given).encode())))
        assert isinstance(whole, Fact), whole
        stored.append(place(writer, whole).stored)
    file = tmp_path / "day.jsonl"
    file.write_bytes(b"\n".join(stored) + b"\n")
    ran = verified(file)
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    assert "verifier-stopped" not in ran.stdout
    assert ran.stderr.startswith(f"{len(DAY)} facts, ")


def test_a_numbered_fact_has_passed_its_gateway(tmp_path: Path) -> None:
    """A person may have vouched for it: a record is judged as it is."""
    facts = recorded(day("UTH-MD", rounds=[round_(seat(2))], positions=6))
    lines = [encode(fact).replace(b'"seat":2', b'"seat":7') for fact in facts]
    file = tmp_path / "day.jsonl"
    file.write_bytes(b"\n".join(lines) + b"\n")
    assert "seat-not-here" not in verified(file).stderr
