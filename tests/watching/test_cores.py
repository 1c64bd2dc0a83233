"""`catwalk verify-log --cores`: however many processes share the tables, what comes out is the same, byte for byte."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.watching.cores import ProcessMessage, Share, StoppedError, Tell, dealt_out, shared
from consumers.watching.replay import Replay, StreamFilter, _verify, together
from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from tests.projecting.test_work_done import counted
from tests.watching.pits import Pit, Strange, delay, fork, junk, lose, open_late, repeat, spoilt
from tests.watching.test_kills import Embedded


def _one_day(fact: Fact) -> bool:
    return fact.stream == "T1/2026-11-18"


def told(*words: str | Path) -> tuple[int, str, str]:
    """The exit status of verify-log, the findings, and what it says besides."""
    ran = CliRunner().invoke(main, ["verify-log", *map(str, words)])
    assert ran.exit_code in (0, 1, 3), ran.output
    return ran.exit_code, ran.stdout, ran.stderr


def of_two(findings: str) -> set[tuple[str, str]]:
    """The codes and names of findings whose evidence is at two tables."""
    found = map(json.loads, findings.splitlines())
    return {(one["code"], one["finding"]) for one in found if len(set(map(owner, one["evidence"]))) > 1}


def spoilt_pit(seed: int) -> list[bytes]:
    """Tables with what may be wrong with a log: gaps, late facts, bytes that are no fact."""
    made = Pit(seed, tables=4, days=2, seals=_one_day, keys=("T2",)).record()
    return spoilt(seed, made, kinds=(delay, junk, lose)) if seed else made


def days_apart(seed: int) -> list[bytes]:
    """Tables of five days with many corrections, of the day before as well, and facts that come days late."""
    kind = Strange if seed % 2 else Pit
    made = kind(seed, tables=3, days=5, corrections=6, seals=_one_day, keys=("T2",)).record()
    return spoilt(seed, made, times=12, kinds=(delay, fork, open_late, repeat))


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_a_file_is_verified_alike_by_any_number_of_processes(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "facts.jsonl"
    facts = spoilt(seed, spoilt_pit(seed), kinds=(repeat,))
    file.write_bytes(b"\n".join(facts) + b'\nno fact\n{"type":"property-opened.1"}\n')
    status, findings, besides = told(file, "--cores", "1")
    assert "wager-unseated" in findings, "tables are compared as well"
    assert besides.count("line ") >= 2
    for cores in ("2", "3", "8"):
        assert told(file, "--cores", cores) == (status, findings, besides)


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_an_embedded_record_is_verified_alike_by_any_number_of_processes(seed: int, tmp_path: Path) -> None:
    site = Embedded(tmp_path / "pit")
    site.append(spoilt_pit(seed))
    site.close()
    alone = told("--data", tmp_path / "pit", "--cores", "1")
    assert "record-unsealed" in alone[1], "what the property says of keys is heard by every process"
    for cores in ("2", "3", "8"):
        assert told("--data", tmp_path / "pit", "--cores", cores) == alone
    some = ("--data", tmp_path / "pit", "--from", "2026-11-19", "--table", "T1", "--table", "T3")
    assert told(*some, "--cores", "2") == told(*some, "--cores", "1")


@pytest.mark.parametrize("seed", [4, 5])
def test_corrections_and_late_facts_of_other_days_are_compared_alike(seed: int, tmp_path: Path) -> None:
    """By file, where each place may be claimed twice, for any number of processes."""
    file = tmp_path / "facts.jsonl"
    file.write_bytes(b"\n".join(days_apart(seed)) + b"\n")
    alone = told(file, "--cores", "1")
    assert len(of_two(alone[1])) > 5
    for cores in ("2", "3", "8"):
        assert told(file, "--cores", cores) == alone


def test_a_floor_with_incidents_between_tables_is_verified_alike_by_any_number_of_processes(tmp_path: Path) -> None:
    folder = tmp_path / "pit"
    played = ("simulate", "--tables", "3", "--hours", "8", "--games", "COL", "--seed", "7")
    incidents = ("--incidents", "versions-mixed,deck-elsewhere")
    assert CliRunner().invoke(main, [*played, *incidents, "--data", str(folder)]).exit_code == 0
    alone = told("--data", folder, "--cores", "1")
    assert {code for code, _ in of_two(alone[1])} >= {"versions-mixed", "deck-elsewhere"}
    for cores in ("2", "3", "8"):
        assert told("--data", folder, "--cores", cores) == alone


def test_no_fact_is_encoded_or_decoded_again_to_compare_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process decodes each fact of its tables once, and what it says of them holds no fact."""
    stored = Pit(2, tables=4, days=2, corrections=0).record()
    site = Embedded(tmp_path / "pit")
    site.append(stored)
    site.close()
    whole = Replay(StreamFilter(), data=tmp_path / "pit")
    said: list[list[ProcessMessage]] = [[], []]
    for number, heard in enumerate(said):
        share = Share(number, 2, whole.dealt(2))
        mine = sum(share.reads(decode(each).stream) for each in stored)
        with counted() as found:
            _verify(whole, share, heard.append)
        with monkeypatch.context() as patched, counted() as uncompared:
            patched.setattr("consumers.watching.replay.KINDS", frozenset())
            _verify(whole, share, lambda _: None)
        office = sum(owner(decode(each).stream) == PROPERTY for each in stored)
        assert found["encodes"] == uncompared["encodes"], "tables that nobody compares cost as many"
        assert 0 <= found["decodes"] - uncompared["decodes"] <= office, "earlier approvals are read; of tables nothing"
        assert mine <= found["decodes"] < 1.02 * mine < len(stored), "its own, and some for keys"
    told_of = [each.told for heard in said for each in heard if each.what == "claims"]
    assert len(told_of) == 10, "the days of four tables and of the property"
    assert sum(map(len, told_of)) < sum(map(len, stored)) / 20
    with counted() as found:
        assert together(whole, print, lambda *_: None, 2).standing
    written = sum(each.what == "written" for heard in said for each in heard)
    assert found["decodes"] <= written + 4, "this process hears what was found, and no fact"


def test_claims_that_go_to_a_file_are_compared_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "facts.jsonl"
    file.write_bytes(b"\n".join(spoilt_pit(0)) + b"\n")
    in_memory = told(file, "--cores", "2")
    monkeypatch.setattr("consumers.watching.kept_claims._IN_MEMORY", 1)
    assert told(file, "--cores", "2") == in_memory


def test_a_cluster_is_read_by_one_process(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["verify-log", "--kafka", str(tmp_path / "kafka.toml"), "--cores", "2"])
    assert ran.exit_code == 2


def test_what_goes_wrong_in_one_process_goes_wrong_for_all() -> None:
    def work(share: Share, tell: Tell) -> None:
        tell(ProcessMessage(1, "heard", b""))
        if not share.first:
            raise LookupError("a page is missing")

    with shared(work, 2) as said, pytest.raises(LookupError, match="a page is missing"):
        list(said)


def test_a_process_that_ends_early_is_missed() -> None:
    def work(share: Share, _: Tell) -> None:
        if not share.first:
            raise SystemExit(9)

    with shared(work, 2) as said, pytest.raises(StoppedError, match="ended with 9"):
        list(said)


def test_what_many_say_comes_in_the_order_of_the_log() -> None:
    def work(share: Share, tell: Tell) -> None:
        for place in _places(share.first):
            tell(ProcessMessage(place, "heard", b"%d" % place))

    with shared(work, 2) as said:
        assert [each.place for each in said] == list(range(4_000))


def _places(first: bool) -> Iterator[int]:
    return (place for place in range(4_000) if (place % 3 == 0) is first)


def test_rows_that_name_another_stream_than_they_are_kept_under_are_verified_alike(tmp_path: Path) -> None:
    """A process takes rows by the column of their stream; what bytes say otherwise counts, for any number of them."""
    site = Embedded(tmp_path / "pit")
    site.append(spoilt_pit(0))
    site.close()
    record = sqlite3.connect(tmp_path / "pit/record/facts.sqlite")
    for place, (was, now) in {
        50: (b"T1/", b"T2/"),
        70: (b"T", b"property/"),
        90: (b'"stream":"', b'"stream" :"'),
    }.items():
        (stored,) = record.execute(
            "SELECT state FROM facts WHERE position >= ? AND originator_id > 'T'", (place,)
        ).fetchone()
        record.execute("UPDATE facts SET state = ? WHERE state = ?", (stored.replace(was, now, 1), stored))
    record.execute("UPDATE facts SET state = X'7B' WHERE position IN (110, 111)")
    record.commit()
    record.close()
    alone = told("--data", tmp_path / "pit", "--cores", "1")
    assert alone[2].count("a record that is no fact") >= 2
    for cores in ("2", "3"):
        assert told("--data", tmp_path / "pit", "--cores", cores) == alone


def test_tables_are_dealt_out_by_how_much_there_is_of_them() -> None:
    assert dealt_out({"T1": 10, "T2": 60, "T3": 30, "T4": 25}, 2) == {"T2": 0, "T3": 1, "T4": 1, "T1": 1}
    assert dealt_out({}, 3) == {}
