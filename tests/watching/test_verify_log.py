"""`catwalk verify-log` over a file and over a log says the same, and the same as what a watcher wrote."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.watching.shown import as_object
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.explained import explained
from domain.simulation.edits import broken, change
from domain.simulation.scripted import day, round_, seat
from domain.simulation.table import NOON
from domain.watch.finding import Finding
from domain.watch.record import apply, decode
from tests.watching.memory import MemoryLog, Watched
from tests.watching.pits import Pit, delay, junk, lose, repeat, spoilt
from tests.watching.test_kills import Embedded


def told(*words: str | Path) -> tuple[int, list[str]]:
    """The exit status of verify-log and its lines, in an order of their own."""
    ran = CliRunner().invoke(main, ["verify-log", *map(str, words)])
    assert ran.exit_code in (0, 1, 3), ran.output
    return ran.exit_code, sorted(ran.stdout.splitlines())


def written(facts: list[bytes]) -> list[str]:
    """The findings that stand when a watcher has come to the end, as verify-log would tell them."""
    standing: dict[str, Finding] = {}
    for stored in Watched(MemoryLog(facts)).take().across().findings.stored:
        apply(standing, decode(stored))
    return sorted(msgspec.json.encode(as_object(finding)).decode() for finding in standing.values())


def _one_day(fact: Fact) -> bool:
    """Table 1 is sealed on its first day and not on its second; table 2 has a key and never seals."""
    return fact.stream == "T1/2026-11-18"


@pytest.mark.parametrize("seed", range(4))
def test_a_file_and_an_embedded_log_give_the_same_findings_and_a_watcher_wrote_them(seed: int, tmp_path: Path) -> None:
    facts = Pit(seed, tables=3, days=2, seals=_one_day, keys=("T2",)).record()
    if seed % 2:
        facts = spoilt(seed, facts, kinds=(delay, junk, lose))
    site = Embedded(tmp_path / "pit")
    site.append(facts)
    site.close()
    file = tmp_path / "facts.jsonl"
    file.write_bytes(b"\n".join(facts) + b"\n")
    of_file, of_log = told(file), told("--data", tmp_path / "pit")
    assert of_file[1] == of_log[1]
    assert of_file[1] == written(facts)
    assert len(of_file[1]) > 3
    assert any("record-unsealed" in line for line in of_file[1])
    assert any("wager-unseated" in line for line in of_file[1]), "tables are compared as well"


def test_a_file_with_facts_sent_again_gives_the_same_findings(tmp_path: Path) -> None:
    facts = Pit(1, tables=2, days=2).record()
    again = spoilt(2, facts, kinds=(repeat,))
    outputs = []
    for lines in (facts, again):
        file = tmp_path / "facts.jsonl"
        file.write_bytes(b"\n".join(lines) + b"\n")
        outputs.append(told(file))
    assert outputs[0] == outputs[1]


def test_a_line_nested_without_end_is_named_and_the_day_is_verified(tmp_path: Path) -> None:
    facts = Pit(1, tables=1).record()
    whole, spoiled = tmp_path / "facts.jsonl", tmp_path / "spoiled.jsonl"
    whole.write_bytes(b"\n".join(facts) + b"\n")
    nested = b'{"type":"round-opened.1","a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    spoiled.write_bytes(nested + b"\n" + whole.read_bytes())
    ran = CliRunner().invoke(main, ["verify-log", str(spoiled)])
    assert ran.exit_code == 3, ran.output
    assert "1 line refused, nested-too-deeply (first: line 1): it is nested too deeply" in ran.stderr
    assert sorted(ran.stdout.splitlines()) == told(whole)[1] != []
    assert explained(nested, "").code == "nested-too-deeply"


@pytest.mark.parametrize("cores", ["1", "2"])
def test_how_many_wagers_could_not_be_decided_is_told_with_the_reason(cores: str, tmp_path: Path) -> None:
    """A day whose cards nobody saw has no findings, and is no pass: only what was folded is known to be lost."""
    rounds = [round_(seat(2), seat(4))] * 2
    seen = day("UTH-MD", rounds=rounds)
    unseen = broken(
        day("UTH-MD", rounds=rounds, table="T8"),
        change("card-dealt", to={"card": "??"}),
        change("hand-revealed", to={"cards": ()}),
        change("hands-collected", to={"cards": ()}),
    )
    file = tmp_path / "facts.jsonl"
    file.write_bytes(b"\n".join(map(encode, (*seen, *unseen))) + b"\n")
    ran = CliRunner().invoke(main, ["verify-log", str(file), "--cores", cores])
    assert "13 of 22 wagers checked" in ran.stderr
    assert "not decided, a card was not seen: 9" in ran.stderr


def test_a_file_without_a_fact_is_no_clean_bill(tmp_path: Path) -> None:
    (file := tmp_path / "facts.jsonl").touch()
    ran = CliRunner().invoke(main, ["verify-log", str(file)])
    assert (ran.exit_code, "nothing was verified" in ran.stderr) == (2, True), ran.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--table", "T99"), "nothing was verified"),
        (("--from", "2027-01-01"), "nothing was verified"),
        (("--from", "18.11.2026"), "write it like 2026-11-18"),
        (("--to", "yesterday"), "write it like 2026-11-18"),
        (("--data", "."), "FILE and --data exclude each other"),
    ],
)
def test_what_nothing_fits_is_refused_and_no_clean_bill(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    file = tmp_path / "facts.jsonl"
    file.write_bytes(b"\n".join(Pit(1, tables=1).record()) + b"\n")
    ran = CliRunner().invoke(main, ["verify-log", str(file), *words])
    assert (ran.exit_code, says in ran.stderr) == (2, True), ran.output


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ((("T7", 0),), "1 finding at 1 table"),
        ((("T7", 0), ("T7", 1)), "2 findings at 1 table (2 table days)"),
        ((("T7", 0), ("T8", 0)), "2 findings at 2 tables"),
        ((("T7", 0), ("T8", 0), ("T8", 1)), "3 findings at 2 tables (3 table days)"),
    ],
)
def test_tables_and_their_days_are_counted_by_their_right_names(
    told: tuple[tuple[str, int], ...], says: str, tmp_path: Path
) -> None:
    """A table that was wrong on two days is one table."""
    lines = []
    for table, later in told:
        day_of = "2026-11-18" if not later else "2026-11-19"
        opens = NOON + later * 86_400_000_000
        played = day("UTH-MD", rounds=[round_(seat(2))], table=table, gaming_day=day_of, opens_at=opens)
        lines += map(encode, broken(played, change("table-opened", to={"positions": 9})))
    (file := tmp_path / "facts.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    ran = CliRunner().invoke(main, ["verify-log", str(file)])
    assert f" facts, {says}\n" in ran.stderr
