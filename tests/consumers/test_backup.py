"""A record backed up, restored and proved."""

import tarfile
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.desk.application import desk_of
from consumers.gateway.keys import PASSPHRASE
from consumers.gateway.outbox import Outbox
from domain.desk import review
from domain.desk.acting import DeskAct
from tests.gateway.admitted import OPENED
from tests.gateway.floor import day, lines
from tests.gateway.test_commands import assert_whole, ingested, streams


@pytest.fixture(autouse=True)
def passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def pit(tmp_path: Path) -> Path:
    folder = tmp_path / "pit#1"  # a name no file address can hold as it is
    ingested(folder, [OPENED])
    run("keys", "make", "T7", "T7-2026", "--data", folder)
    ingested(folder, [*lines(day(close=False)), b"junk"])
    return folder


def test_what_was_backed_up_is_restored_whole_and_goes_on_where_it_was(pit: Path, tmp_path: Path) -> None:
    out, again = tmp_path / "pit.tar", tmp_path / "again"
    assert run("backup", "--data", pit, "--out", out).exit_code == 0
    assert run("restore", out, "--data", again).exit_code == 0
    assert streams(again) == streams(pit)
    assert (again / "keys/T7.pem").read_bytes() == (pit / "keys/T7.pem").read_bytes()
    assert "junk" in run("dead-letters", "show", "1", "--data", again).stdout
    # The gateway of the copy knows what it has: only what is new goes on record.
    result = ingested(again, lines(day(close=False)) + lines(day())[-1:])
    assert "1 recorded" in result.stderr
    assert_whole(again, {"T7/2026-11-18": lines(day())})


def test_reviews_go_into_a_backup_and_read_models_do_not(pit: Path, tmp_path: Path) -> None:
    with closing(desk_of(data=pit)) as desk:
        desk.on_finding("f1", lambda state: review.claim(state, DeskAct("ann", 5, "k1")))
    run("project", "--data", pit, "--once")
    assert (pit / "read/current").exists()
    out, again = tmp_path / "pit.tar", tmp_path / "again"
    assert run("backup", "--data", pit, "--out", out).exit_code == 0
    assert run("restore", out, "--data", again).exit_code == 0
    with closing(desk_of(data=again)) as desk:
        assert desk.review("f1").holder == "ann"
    assert not (again / "read").exists()
    assert run("rebuild", "--data", again).exit_code == 0


def test_a_backup_is_of_one_moment_so_no_gateway_may_be_at_work(pit: Path, tmp_path: Path) -> None:
    held = Outbox(pit / "gateway/outbox.sqlite")
    held.writer()
    refused = run("backup", "--data", pit, "--out", tmp_path / "pit.tar")
    held.close()
    assert refused.exit_code == 1
    assert "A gateway is running" in refused.stderr
    assert not (tmp_path / "pit.tar").exists()


# where a backup is asked for, of what, and what is said
MISPLACED = [
    ("pit#1", "pit#1/out.tar", "inside the folder that it would copy"),
    ("pit", "nowhere/out.tar", "there is no folder"),
    ("empty", "out.tar", "there is no record in"),
    ("nowhere", "out.tar", "there is no record in"),
]


@pytest.mark.parametrize(("data", "out", "says"), MISPLACED)
def test_a_backup_of_nothing_or_into_itself_is_refused(
    pit: Path, tmp_path: Path, data: str, out: str, says: str
) -> None:
    (tmp_path / "empty").mkdir()
    before = sorted(path for path in tmp_path.rglob("*") if path.is_dir())
    ran = run("backup", "--data", tmp_path / data, "--out", tmp_path / out)
    assert ran.exit_code == 2
    assert says in ran.stderr
    assert not (tmp_path / out).exists()
    assert sorted(path for path in tmp_path.rglob("*") if path.is_dir()) == before
    assert pit.exists()


def test_a_backup_is_never_written_over_another_nor_into_a_folder_in_use(pit: Path, tmp_path: Path) -> None:
    out = tmp_path / "pit.tar"
    run("backup", "--data", pit, "--out", out)
    assert "already exists" in run("backup", "--data", pit, "--out", out).stderr
    assert "is not empty" in run("restore", out, "--data", pit).stderr


def rewritten(source: Path, target: Path, change: str) -> None:
    """The backup with one member changed, left out, added or led astray."""
    with tarfile.open(source) as old, tarfile.open(target, "w") as new:
        for member in old:
            content = old.extractfile(member)
            assert content is not None
            held = content.read()
            if member.name == "keys/T7.pem":
                if change == "left out":
                    continue
                if change == "changed":
                    held = held.replace(b"key", b"kez")
                if change == "led astray":
                    member.name = "../T7.pem"
            new.addfile(member, BytesIO(held))
        if change == "added":
            extra = tarfile.TarInfo("keys/T8.pem")
            new.addfile(extra, BytesIO(b""))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("changed", "keys/T7.pem differs from the manifest"),
        ("left out", "keys/T7.pem is missing"),
        ("added", "holds keys/T8.pem, which its manifest does not name"),
        ("led astray", "holds ../T7.pem, which its manifest does not name"),
    ],
)
def test_a_backup_that_was_tampered_with_is_refused_and_nothing_is_put_in_place(
    pit: Path, tmp_path: Path, change: str, says: str
) -> None:
    out, bad = tmp_path / "pit.tar", tmp_path / "bad.tar"
    run("backup", "--data", pit, "--out", out)
    rewritten(out, bad, change)
    refused = run("restore", bad, "--data", tmp_path / "again")
    assert refused.exit_code == 1
    assert says in refused.stderr
    assert not (tmp_path / "again").exists()


def test_half_a_backup_is_refused(pit: Path, tmp_path: Path) -> None:
    out = tmp_path / "pit.tar"
    run("backup", "--data", pit, "--out", out)
    out.write_bytes(out.read_bytes()[: out.stat().st_size // 2])
    refused = run("restore", out, "--data", tmp_path / "again")
    assert refused.exit_code == 1
    assert not (tmp_path / "again").exists()
