"""Faults of the machine a record lives on: each gets a sentence, the file it is about, and no traceback."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from consumers.doctor.telling import STATUS
from consumers.gateway.keys import PASSPHRASE
from tests.gateway.floor import day, lines
from tests.gateway.test_commands import OPENED, ingested, run

Harm = Callable[[Path], object]


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record with two keys and some facts."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    ingested(tmp_path / "pit", [OPENED])
    for table in ("property", "T7"):
        made = run(
            "keys", "make", table, f"{table}-1", "--from", "2026-01-01T00:00:00Z", "--data", str(tmp_path / "pit")
        )
        ingested(tmp_path / "pit", [made.stdout.encode()])
    ingested(tmp_path / "pit", lines(day())[:20])
    (tmp_path / "more").write_bytes(b"\n".join(lines(day())[20:]))
    return tmp_path / "pit"


def replaced(path: str, content: bytes) -> Harm:
    """A file holds something else."""
    return lambda pit: (pit / path).write_bytes(content)


def folder(path: str) -> Harm:
    """A folder stands where a file should."""
    return lambda pit: (pit / path).mkdir()


def no_keys(pit: Path) -> None:
    """A file stands where the folder of keys should."""
    shutil.rmtree(pit / "keys")
    (pit / "keys").touch()


def sql(path: str, statement: str) -> Harm:
    """A database that is whole, and says something else."""

    def harm(pit: Path) -> None:
        with closing(sqlite3.connect(pit / path, isolation_level=None)) as db:
            db.execute(statement)

    return harm


def gone(path: str) -> Harm:
    """A file is not there."""
    return lambda pit: (pit / path).unlink()


def nothing(_: Path) -> None:
    """All is as it should be."""


OUTBOX, FACTS = "gateway/outbox.sqlite", "record/facts.sqlite"
UNREAD_DAY = sql(OUTBOX, "UPDATE days SET day = x'00'")
MARK = replaced("keys/T7.revoked", b"{")
# what happened, what is asked, the exit status, and what is said
ROWS: list[tuple[str, Harm, str, int, str]] = [
    ("no outbox", gone(OUTBOX), "ingest {tmp}/more", 2, "pit holds a record of"),
    ("no outbox", gone(OUTBOX), "gateway --socket {tmp}/s", 2, "gateway/outbox.sqlite is missing"),
    ("another's outbox", sql(OUTBOX, "DELETE FROM days"), "ingest {tmp}/more", 2, "gateway/outbox.sqlite knows no stream"),
    ("no record", gone(FACTS), "ingest {tmp}/more", 2, "outbox.sqlite knows a record of 2 streams, but"),
    ("an empty record", sql(FACTS, "DROP TABLE facts"), "ingest {tmp}/more", 2, "facts.sqlite is empty. Restore a backup"),
    ("a day of the outbox", UNREAD_DAY, "ingest {tmp}/more", 2, "outbox.sqlite holds an unreadable day"),
    ("a day of the outbox", UNREAD_DAY, "doctor", STATUS["outbox-bad"], "the outbox of the gateway cannot be read"),
    ("a key is junk", replaced("keys/T8.pem", b"junk"), "keys list", 1, "T8.pem does not begin with the key's name"),
    ("a key is a folder", folder("keys/T8.pem"), "keys list", 1, "T8.pem cannot be read: Is a directory"),
    ("a key is a folder", folder("keys/T8.pem"), "keys make T9 T9-1", 1, "T8.pem cannot be read: Is a directory"),
    ("the keys are a file", no_keys, "keys make T9 T9-1", 1, "keys/T9.pem cannot be written"),
    ("a mark is junk", MARK, "keys revoke T7-1 --reason x", 1, "T7.revoked does not say from when"),
    ("a mark is junk", MARK, "ingest {tmp}/more", 2, "T7.revoked does not say from when"),
    ("no such folder", nothing, "backup --out /proc/out.tar", 1, "/proc/out.tar cannot be written: "),
    ("no such socket", nothing, "gateway --socket {tmp}/no/s", 2, "cannot listen on"),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}: {row[2]}" for row in ROWS])
def test_it_is_told_in_a_sentence_with_a_status_of_its_own(
    pit: Path, tmp_path: Path, row: tuple[str, Harm, str, int, str]
) -> None:
    _, harm, words, status, says = row
    harm(pit)
    ran = run(*words.format(tmp=tmp_path).split(), "--data", str(pit))
    assert isinstance(ran.exception, SystemExit), ran.exception
    assert ran.exit_code == status, ran.stderr
    assert says in ran.stderr
    assert (ran.stdout == "") == (status != STATUS["outbox-bad"])


@pytest.mark.parametrize("words", ["make T8 T8-1", "rotate T7 T7-2"])
def test_no_key_is_made_under_another_passphrase_than_the_keys_here_have(
    pit: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """A gateway has one passphrase: it could open the old keys or the new one."""
    monkeypatch.setenv(PASSPHRASE, "mistyped")
    before = sorted(path.name for path in (pit / "keys").iterdir())
    ran = run("keys", *words.split(), "--data", str(pit))
    assert ran.exit_code == 1
    assert "does not open with this passphrase" in ran.stderr
    assert sorted(path.name for path in (pit / "keys").iterdir()) == before


def test_a_copy_of_the_log_alone_is_backed_up_as_it_is_and_written_by_nobody(pit: Path, tmp_path: Path) -> None:
    copy, out = str(tmp_path / "copy"), str(tmp_path / "out.tar")
    assert run("log", "copy", "--from-data", str(pit), "--to-data", copy).exit_code == 0
    assert run("backup", "--data", copy, "--out", out).exit_code == 0
    assert run("ingest", "--data", copy, given=OPENED + b"\n").exit_code == 2
    assert not (tmp_path / "copy/gateway").exists()
    assert "the outbox of the gateway is not here" in run("doctor", "--data", copy).stderr


def test_a_backup_that_could_not_be_finished_leaves_nothing_behind(
    pit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("consumers.backups.embedded._add", full)
    before = sorted(tmp_path.iterdir())
    ran = run("backup", "--out", str(tmp_path / "out.tar"), "--data", str(pit))
    assert ran.exit_code == 1
    assert "out.tar cannot be written: No space left on device" in ran.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_a_command_ended_by_ctrl_c_answers_nothing(pit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit status differs from that of a fault doctor found."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("consumers.doctor.whole.of_facts", interrupted)
    ran = run("doctor", "--data", str(pit))
    assert ran.exit_code == 130
    assert "Ended by Ctrl-C before it was done." in ran.stderr
