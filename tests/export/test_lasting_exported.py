"""A state that lasts over rounds, in the read models and in exports: every round of its stretch shows it."""

import csv
import os
import tarfile
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from consumers.exporting import selecting
from consumers.logs.opening import findings_log
from consumers.trust.keeper import begin, open_keeper
from domain.facts.codec import encode
from domain.simulation.edits import broken, drop
from domain.simulation.scripted import day, round_, seat
from domain.watch.record import FindingRaised, decode
from projections.export import chosen
from projections.export.question import Scope
from projections.questions.asking import Reading
from projections.questions.card_record import card_record
from projections.reading import opened
from tests.export.pits import ENVIRONMENT, NOW, ORIGIN, Pit, exported, run
from tests.export.verified import of_a_record

pytestmark = pytest.mark.xdist_group("export")
DAY = date(2026, 11, 18)
STREAM = f"T7/{DAY}"
LAST = 5
COUNTED = 4  # the round whose stub is counted


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Pit:
    """Five rounds of one deck: the person at seat 3 is never seated, and nobody shuffles after the first round."""
    folder = tmp_path_factory.mktemp("lasting") / "pit"
    folder.mkdir()
    rounds = [round_(seat(1), seat(3), count_stub=number == COUNTED) for number in range(1, LAST + 1)]
    shuffles = [drop(kind, nth=-1) for _ in range(LAST - 1) for kind in ("shuffle-started", "shuffle-completed")]
    facts = broken(day("UTH-MA", rounds=rounds), drop("player-seated", seat=3), *shuffles)
    (folder / "day.jsonl").write_bytes(b"".join(encode(fact) + b"\n" for fact in facts))
    run("ingest", str(folder / "day.jsonl"), "--data", str(folder))
    run("watch", "--once", "--quiet", "--data", str(folder))
    run("project", "--once", "--data", str(folder))
    os.environ.update(ENVIRONMENT)
    begin(folder, ORIGIN, NOW)
    run("checkpoint", "--data", str(folder))
    with closing(findings_log(data=folder, create=False)) as log:
        records = [decode(stored) for batch in log.drain({}) for _, stored in batch.facts]
    found = [each for each in records if isinstance(each, FindingRaised) and each.code == "wager-unseated"]
    with open_keeper(folder) as keeper:
        size = keeper.sizes()[-1]
    return Pit(folder, STREAM, 1, "", found[-1], "player-3", (size, size))


@pytest.fixture
def rows(lasting: Pit) -> Iterator[Reading]:
    with opened(lasting.folder / "read") as reading:
        yield reading


def _asked(pit: Pit, *asked: str) -> str:
    return run("ask", *asked, "--json", "--data", str(pit.folder)).stdout


def _table(file: Path, name: str) -> list[dict[str, str]]:
    with tarfile.open(file) as whole:
        member = next(each for each in whole.getmembers() if each.name.endswith(f"/data/tables/{name}.csv"))
        text = whole.extractfile(member).read().decode()  # type: ignore[union-attr]
    return list(csv.DictReader(StringIO(text, newline="")))


def _stretches(found: list[dict[str, Any]]) -> dict[str, tuple[str, str]]:
    return {each["code"]: (str(each["round"]), str(each["to_round"])) for each in found if each["to_round"]}


STRETCHES = {"shuffle-missing": ("2", "5"), "wager-unseated": ("1", "5")}


def test_ask_findings_names_the_last_round(lasting: Pit) -> None:
    found = msgspec.json.Decoder().decode_lines(_asked(lasting, "findings"))
    assert _stretches(found) == STRETCHES


@pytest.mark.parametrize("number", range(1, LAST + 1))
def test_ask_round_shows_a_state_in_every_round_of_its_stretch(lasting: Pit, number: int) -> None:
    due = {code: of for code, of in STRETCHES.items() if number >= int(of[0])}
    told = msgspec.json.decode(_asked(lasting, "round", f"{STREAM}:{number}"))
    assert _stretches(told["findings"]) == due


def test_the_card_record_has_what_lasts_at_a_count(rows: Reading) -> None:
    (counted,) = [row for row in card_record(rows) if row.what == "stub-counted"]
    assert (counted.round, "shuffle-missing" in counted.findings) == (COUNTED, True)


def test_an_export_of_a_day_has_the_stretches_and_what_lasts_at_a_count(lasting: Pit, tmp_path: Path) -> None:
    """The maker checks each export with the verifier, which derives both tables again."""
    exported(lasting, Scope(tables=("T7",)), tmp_path / "day.tar")
    assert _stretches(_table(tmp_path / "day.tar", "findings")) == STRETCHES
    (counted,) = [row for row in _table(tmp_path / "day.tar", "card_record") if row["what"] == "stub-counted"]
    assert "shuffle-missing" in counted["findings"].split("; ")


def test_an_export_of_a_hand_has_the_state_that_lasts_in_it(lasting: Pit, tmp_path: Path) -> None:
    exported(lasting, Scope(hand=f"{STREAM}:3"), tmp_path / "hand.tar")
    assert [row["round"] for row in _table(tmp_path / "hand.tar", "rounds")] == ["3"]
    assert _stretches(_table(tmp_path / "hand.tar", "findings")) == STRETCHES


def test_an_export_of_a_finding_has_every_round_of_its_stretch(lasting: Pit, tmp_path: Path) -> None:
    exported(lasting, Scope(finding=lasting.finding.finding), tmp_path / "finding.tar")
    rounds = [row["round"] for row in _table(tmp_path / "finding.tar", "rounds")]
    assert rounds == [str(number) for number in range(1, LAST + 1)]


def test_an_export_of_a_finding_without_its_last_round_is_refused(
    lasting: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = selecting.selected

    def selected(record: Any, scope: Scope, reader: str) -> selecting.Selection:
        found = honest(record, scope, reader)
        found.rounds = {stream: rounds - {LAST} for stream, rounds in found.rounds.items()}
        return found

    monkeypatch.setattr("consumers.exporting.making.selected", selected)
    monkeypatch.setattr(chosen, "round_at", lambda *_: set[int]())
    told = of_a_record(lasting, tmp_path / "short.tar", Scope(finding=lasting.finding.finding))
    assert f"round {LAST} of finding {lasting.finding.finding} is not shown" in told


def test_all_records_of_a_stretch_are_shown_once_it_reaches_a_chosen_round(lasting: Pit) -> None:
    with closing(findings_log(data=lasting.folder, create=False)) as log:
        records = [decode(stored) for batch in log.drain({}) for _, stored in batch.facts]
    of_it = [one for one in records if getattr(one, "finding", "") == lasting.finding.finding]
    assert len(of_it) == LAST
    of_day = [one for one in records if one.stream == STREAM]
    assert {one.sequence for one in of_it} <= chosen.findings_of(of_day, {STREAM: {4}}, ())
