"""Ingest, doctor, dead letters and keys as a person runs them, on the embedded record."""

import json
import re
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.commands.doctor import STATUS
from consumers.gateway.keys import PASSPHRASE
from domain.facts.codec import decode
from domain.ledger.audit import Kind
from domain.ledger.chain import ChainReader, digest
from tests.gateway.admitted import OPENED, admit, begin, table_sources
from tests.gateway.floor import START, day, lines

CATWALK = str(Path(sys.executable).parent / "catwalk")


@pytest.fixture(autouse=True)
def passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")


def run(*words: str, given: bytes = b"") -> Result:
    return CliRunner().invoke(main, list(words), input=given)


def ingested(folder: Path, inputs: list[bytes]) -> Result:
    return run("ingest", "--data", str(folder), "-", given=b"\n".join(inputs) + b"\n")


def streams(folder: Path) -> dict[str, list[bytes]]:
    """Every stream of the embedded record, read behind the project's back."""
    held: dict[str, list[bytes]] = {}
    with closing(sqlite3.connect(folder / "record/facts.sqlite")) as db:
        for name, stored in db.execute(
            "SELECT originator_id, state FROM facts ORDER BY originator_id, originator_version"
        ):
            held.setdefault(name, []).append(stored)
    return held


def assert_whole(folder: Path, expected: dict[str, list[bytes]]) -> None:
    """Each stream is one chain and holds each input once, in order, and nothing else but seals."""
    held = streams(folder)
    held.pop("property/2026-11-18", None)
    assert held.keys() == expected.keys()
    for name, stored in held.items():
        chain = ChainReader(name)
        facts = [decode(one) for one in stored]
        assert {
            chain.follow(f.sequence, f.previous, digest(one)).kind for f, one in zip(facts, stored, strict=True)
        } == {"next"}
        keys = [fact.source_key for fact in facts if not fact.source_key.startswith("seal:")]
        assert keys == [json.loads(one)["source_key"] for one in expected[name]]


BEGUN = datetime.fromtimestamp(START / 1_000_000, UTC).isoformat()


def keyed(folder: Path, *tables: str) -> list[bytes]:
    """The facts that register a key of each, made and recorded in this folder and valid from the start."""
    made = [run("keys", "make", table, f"{table}-2026", "--from", BEGUN, "--data", str(folder)) for table in tables]
    return [one.stdout.strip().encode() for one in made]


def test_a_day_is_ingested_sealed_and_proved(tmp_path: Path) -> None:
    assert ingested(tmp_path, [OPENED]).exit_code == 0
    result = ingested(tmp_path, [*keyed(tmp_path, "T7"), *lines(day())])
    assert result.exit_code == 0, result.output
    assert "4 seals" in result.stderr
    doctor = run("doctor", "--data", str(tmp_path), "--json")
    troubles = [json.loads(line) for line in doctor.stdout.splitlines()]
    assert [(one["kind"], one["stream"]) for one in troubles] == [("unsealed", "property/2026-11-18")]
    assert doctor.exit_code == 0
    assert run("doctor", "--data", str(tmp_path), "--sealed").exit_code == 4
    stays = run("doctor", "--data", str(tmp_path), "--as-of", "2026-11-18T12:00:00Z")
    assert stays.exit_code == 4
    assert "unsealed-long: property/2026-11-18 record 2" in stays.stdout
    assert "no seal covers the last 2 records, the first of them waiting for" in stays.stdout
    assert run("doctor", "--data", str(tmp_path), "--patience", "1").exit_code == 4
    ingested(tmp_path, keyed(tmp_path, "property"))
    sealed = run("doctor", "--data", str(tmp_path), "--patience", "1")
    assert (sealed.exit_code, sealed.stdout) == (0, "")


def test_what_is_sent_again_is_known_and_changes_nothing(tmp_path: Path) -> None:
    inputs = lines(day())
    ingested(tmp_path, inputs)
    before = streams(tmp_path)
    again = ingested(tmp_path, inputs)
    assert f"0 recorded, {len(inputs)} known already" in again.stderr
    assert streams(tmp_path) == before


def test_dead_letters_are_listed_shown_and_tried_again(tmp_path: Path) -> None:
    good = lines(day())
    early = ingested(tmp_path, [good[1], b'{"type":"nonsense"}', *good[:1]])
    assert early.exit_code == 1
    listed = run("dead-letters", "list", "--data", str(tmp_path))
    assert "standard input:1  day not open: no day of T7 is open" in listed.stdout
    assert (
        'standard input:2  unreadable: type is "nonsense", and no type of fact has this name: docs/facts has the names'
        in listed.stdout
    )
    assert good[1].decode() in run("dead-letters", "show", "1", "--data", str(tmp_path)).stdout
    retried = run("dead-letters", "retry", "all", "--data", str(tmp_path))
    assert (
        '1 of 2 letters are on record now\n1 refused again, unreadable: type is "nonsense", and no type of fact has this name: docs/facts has the names'
        in retried.stderr
    )
    assert retried.exit_code == 1
    assert "nonsense" in run("dead-letters", "list", "--data", str(tmp_path)).stdout
    assert "day not open" not in run("dead-letters", "list", "--data", str(tmp_path)).stdout
    assert "taken later" in run("dead-letters", "list", "--all", "--data", str(tmp_path)).stdout
    assert "nonsense" in run("dead-letters", "list", "--from", "standard", "--data", str(tmp_path)).stdout
    assert not run("dead-letters", "list", "--from", "inputs.shoe-7", "--data", str(tmp_path)).stdout
    assert run("dead-letters", "show", "99", "--data", str(tmp_path)).exit_code == 1


def changed(position: int, text: str, other: str) -> str:
    state = f"CAST(replace(CAST(state AS TEXT), '{text}', '{other}') AS BLOB)"
    return f"UPDATE facts SET state = {state} WHERE position = {position}"  # noqa: S608 - no input in it


DAMAGE = [
    ("a record changed", changed(3, "1000", "9000"), "break: T7/2026-11-18 record 3 at facts/0:3:", 13),
    ("a record gone", "DELETE FROM facts WHERE position = 9", "gap: T7/2026-11-18 record 9 at facts/0:8:", 11),
    ("the tail cut", "DELETE FROM facts WHERE position > 30", "tail-cut: T7/2026-11-18 record 31 at facts/0:30:", 12),
    ("bytes that are no fact", "UPDATE facts SET state = x'00ff' WHERE position = 4", "unreadable: no stream record 0 at facts/0:4, byte 0:", 14),
    ("a spare space", changed(4, ",", ", "), "not-as-stored: T7/2026-11-18 record 4 at facts/0:4, byte 25:", 13),
]  # fmt: skip


@pytest.mark.parametrize(("_what", "damage", "says", "status"), DAMAGE, ids=[row[0] for row in DAMAGE])
def test_doctor_names_damage_done_behind_its_back(
    tmp_path: Path, _what: str, damage: str, says: str, status: int
) -> None:
    ingested(tmp_path, lines(day()))
    with sqlite3.connect(tmp_path / "record/facts.sqlite") as db:
        db.execute(damage)
    result = run("doctor", "--data", str(tmp_path))
    assert says in result.stdout
    assert result.exit_code == status
    assert "altered or damaged" in result.stderr


def test_every_kind_of_trouble_has_an_exit_status_that_the_help_tells() -> None:
    kinds = {"silent", *get_args(Kind)} - {"repeat", "two-keepers"}  # told, and no trouble
    assert STATUS.keys() == kinds
    told = run("doctor", "--help").stdout
    for kind, status in STATUS.items():
        assert re.search(rf"\b{status}  {kind}\b", told) or kind == "unsealed"
    statuses = [status for kind, status in STATUS.items() if kind != "unsealed"]
    assert len(set(statuses)) == len(statuses)


def test_a_log_that_cannot_be_read_to_its_end_is_no_verdict(tmp_path: Path) -> None:
    ingested(tmp_path, lines(day(rounds=400)))
    file = tmp_path / "record/facts.sqlite"
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    held = bytearray(file.read_bytes())
    held[len(held) // 2 : len(held) // 2 + 40_000] = bytes(40_000)
    file.write_bytes(held)
    result = run("doctor", "--data", str(tmp_path))
    assert result.exit_code == STATUS["file-bad"]
    assert "file-bad: record/facts.sqlite: " in result.stdout
    assert "so the rest of it was not checked" in result.stderr
    assert "records in" not in result.stderr


def test_doctor_asks_for_silence_only_when_told_the_moment(tmp_path: Path) -> None:
    ingested(tmp_path, [OPENED])
    ingested(tmp_path, [*keyed(tmp_path, "property", "T7"), *lines(day(close=False))])
    assert run("doctor", "--data", str(tmp_path)).exit_code == 0
    asked = run("doctor", "--data", str(tmp_path), "--as-of", "2026-11-20T00:00:00Z")
    assert asked.exit_code == 1
    assert "silent: T7/2026-11-18" in asked.stdout
    assert run("doctor", "--data", str(tmp_path), "--as-of", "2026-11-20T00:00:00").exit_code == 2


def test_a_record_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    result = run("doctor", "--data", str(tmp_path / "nowhere"))
    assert result.exit_code == 2
    assert "there is no record in" in result.stderr
    assert run("doctor").exit_code == 2
    assert run("doctor", "--data", str(tmp_path), "--kafka", "x.toml").exit_code == 2


def test_doctor_says_when_nobody_knows_how_far_the_writer_wrote(tmp_path: Path) -> None:
    ingested(tmp_path, [OPENED])
    assert "was not compared" not in run("doctor", "--data", str(tmp_path)).stderr
    (tmp_path / "gateway/outbox.sqlite").unlink()
    says = "the outbox of the gateway is not here, so the end of the record was not compared"
    assert says in run("doctor", "--data", str(tmp_path)).stderr


FACTS, OUTBOX, LETTERS = "record/facts.sqlite", "gateway/outbox.sqlite", "gateway/dead-letters.sqlite"
# the file that is spoilt, what is asked, the exit status, and what is said
SPOILT = [
    (FACTS, "doctor", STATUS["file-bad"], "record/facts.sqlite is damaged, so the rest of it was not checked"),
    (FACTS, "keys list", 2, "facts.sqlite cannot be read as a log"),
    (FACTS, "ingest", 2, "facts.sqlite cannot be read as a log"),
    (FACTS, "backup --out {tmp}/out.tar", 2, "facts.sqlite cannot be read as a log"),
    (FACTS, "log copy --to-data {tmp}/copy --from-data", 2, "facts.sqlite cannot be read as a log"),
    (OUTBOX, "doctor", STATUS["file-bad"], "the outbox of the gateway is damaged, so the end"),
    (LETTERS, "doctor", STATUS["file-bad"], "1 records in 1 streams: whole"),
    (OUTBOX, "ingest", 2, "without it nothing can be recorded"),
    (OUTBOX, "backup --out {tmp}/out.tar", 1, "without it nothing can be recorded"),
    (LETTERS, "dead-letters list", 2, "dead-letters.sqlite is not a usable file"),
    (LETTERS, "ingest", 2, "dead-letters.sqlite is not a usable file"),
    (LETTERS, "backup --out {tmp}/out.tar", 1, "gateway/dead-letters.sqlite cannot be copied: "),
]


@pytest.mark.parametrize("how", ["cut short", "something else"])
@pytest.mark.parametrize("row", SPOILT, ids=lambda row: f"{row[1]} {row[0]}")
def test_a_file_that_is_spoilt_is_named(tmp_path: Path, how: str, row: tuple[str, str, int, str]) -> None:
    file, words, status, says = row
    pit = tmp_path / "pit"
    ingested(pit, [OPENED, b"junk"])
    spoilt = pit / file
    spoilt.write_bytes(b"x" * 20_000 if how == "something else" else spoilt.read_bytes()[:5000])
    asked = words.format(tmp=tmp_path).split()
    ran = run(*asked, str(pit)) if asked[-1] == "--from-data" else run(*asked, "--data", str(pit))
    assert isinstance(ran.exception, SystemExit), ran.exception
    assert ran.exit_code == status
    assert says in ran.stderr


@pytest.mark.parametrize("words", [("list",), ("show", "1"), ("retry", "all")])
def test_who_asks_for_the_letters_of_no_record_is_told_and_none_is_made(tmp_path: Path, words: tuple[str, ...]) -> None:
    ran = run("dead-letters", *words, "--data", str(tmp_path / "nowhere"))
    assert ran.exit_code == 2
    assert "there is no record in" in ran.stderr
    assert list(tmp_path.iterdir()) == []
    assert "the record's place is missing" in run("dead-letters", *words).stderr


def test_a_letter_writes_nothing_on_the_screen_but_its_line(tmp_path: Path) -> None:
    """A stranger's text could otherwise wipe the screen, or fake another letter."""
    ingested(tmp_path, [rb'{"type":"\u001b[2J\n2  all is well"}', b"\x1b[2J"])
    listed = run("dead-letters", "list", "--data", str(tmp_path)).stdout
    assert r"\u001b[2J\n2  all is well" in listed
    assert "\x1b" not in listed
    assert len(listed.splitlines()) == 2
    assert r"\x1b[2J" in run("dead-letters", "show", "2", "--data", str(tmp_path)).stdout


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[Path]:
    """A gateway on a record whose property is open; sources are registered while it is at work."""
    begin(tmp_path)
    path = tmp_path / "gateway.sock"
    process = subprocess.Popen(
        [CATWALK, "gateway", "--data", str(tmp_path), "--socket", str(path)], stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 60
    while not path.exists():
        assert process.poll() is None, "the gateway ended"
        assert time.monotonic() < deadline, "the gateway does not listen"
        time.sleep(0.05)
    yield path
    process.terminate()
    assert process.wait(60) == 0


def test_devices_on_the_socket_are_told_what_is_on_record(tmp_path: Path, listening: Path) -> None:
    """Three devices at once; each hears how many of its lines are durable."""
    three = {table: lines(day(table, rounds=20)) for table in ("T7", "T8", "T9")}
    admit(tmp_path, *table_sources(*three))
    devices = []
    for inputs in three.values():
        device = socket.socket(socket.AF_UNIX)
        device.connect(str(listening))
        devices.append((device, inputs))
    for device, inputs in devices:
        device.sendall(b"\n".join(inputs) + b"\n")
    for device, inputs in devices:
        device.settimeout(60)
        with device, device.makefile("rb") as told:
            assert any(json.loads(line)["taken"] == len(inputs) for line in told)
    assert_whole(tmp_path, {f"{table}/2026-11-18": inputs for table, inputs in three.items()})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--data", "pit", "--state", "other"), "remove --state (and CATWALK_STATE)"),
        (("--data", "pit", "--kafka", "kafka.toml"), "give --data or --kafka, not both"),
    ],
)
@pytest.mark.parametrize(
    "command", [("ingest", "-"), ("dead-letters", "list"), ("keys", "make", "T7", "T7-1"), ("doctor",)]
)
def test_two_places_for_one_record_are_refused(
    command: tuple[str, ...], options: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kafka.toml").touch()
    told = CliRunner().invoke(main, [*command, *options])
    assert told.exit_code == 2
    assert says in told.stderr
