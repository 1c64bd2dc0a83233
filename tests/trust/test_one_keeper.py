"""One keeper of a tree: a second one is refused and told who it is, a dead one leaves no lock, a clock may not leap."""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from socket import gethostname

import pytest

from consumers.commands import checkpoint
from consumers.gateway.keys import PASSPHRASE
from consumers.record_place import RecordOptions
from consumers.trust import running
from consumers.trust.holding import HOLD_FILE, LostError
from consumers.trust.keeper import SignedHead, begin, open_keeper
from consumers.trust.running import Work, at_work
from consumers.trust.tree_file import TREE_FILE, TreeFile, TreeTroubleError
from domain.ledger.checkpoint import check, parsed_note
from tests.gateway.nursery import Forked, Nursery
from tests.trust.records import DAY, NAME, START, Pit, branded, run

YEAR = 365 * 24 * 3600 * 1_000_000


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pit]:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    made = Pit(tmp_path / "pit").opened()
    begin(made.folder, NAME, START)
    yield made
    made.close()


@pytest.fixture
def nursery(tmp_path: Path, pit: Pit) -> Iterator[Nursery]:
    with Nursery(tmp_path, {PASSPHRASE: os.environ[PASSPHRASE]}) as made:
        yield made


def until(true: Callable[[], bool]) -> None:
    """Wait until it is so."""
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def keeping(nursery: Nursery, pit: Pit, every: str) -> Forked:
    """A keeper that runs on, once it has signed its first head."""
    keeper = nursery.start("checkpoint", "--every", every, "--data", pit.folder)
    until(lambda: keeper.told.exists() and "signed 3" in keeper.told.read_text())
    return keeper


def require_no_fork(pit: Pit) -> None:
    """Every record stands in one leaf, up to the last one."""
    with open_keeper(pit.folder) as keeper:
        for kind, stream, _ in keeper.streams(keeper.tree.size):
            ends = [(leaf.stretch.first, leaf.stretch.last) for leaf in keeper.proven(keeper.tree.size, kind, stream)]
            assert [first for first, _ in ends] == [1, *(end + 1 for _, end in ends[:-1])]


def test_a_checkpoint_typed_beside_a_keeper_is_told_who_has_the_tree_and_signs_nothing(
    nursery: Nursery, pit: Pit
) -> None:
    """The keeper has read a round, the other would sign it, and the keeper signs it later together with the next."""
    keeper = keeping(nursery, pit, "4s")
    pit.rounds("T7", 1)
    time.sleep(1.5)  # the keeper looks each second
    status, told = nursery.run("checkpoint", "--data", pit.folder)
    assert status == 3, told
    assert re.search(rf"held by process {keeper.pid} on {re.escape(gethostname())} since 20\d\d-\S+Z", told), told
    pit.rounds("T7", 1)
    until(lambda: keeper.told.read_text().count("signed ") == 2)
    keeper.ask_to_end()
    assert keeper.wait() == 0
    require_no_fork(pit)
    examined = run("doctor", "--data", str(pit.folder))
    assert (examined.exit_code, examined.stdout) == (0, "")


def test_a_killed_keeper_leaves_no_lock_behind(nursery: Nursery, pit: Pit) -> None:
    for _ in range(3):
        keeper = nursery.start("checkpoint", "--every", "1h", "--data", pit.folder)
        until(lambda: keeper.told.exists() and "so far" in keeper.told.read_text())  # noqa: B023 - asked at once
        assert run("checkpoint", "--data", str(pit.folder)).exit_code == 3
        keeper.kill()
        keeper.wait()
        assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    assert (pit.folder / HOLD_FILE).exists()
    require_no_fork(pit)


def test_a_second_up_on_the_folder_keeps_nothing_until_the_first_one_ends(tmp_path: Path, pit: Pit) -> None:
    file = tmp_path / "pit.toml"
    file.write_text('[record]\ndata = "pit"\npassphrase_file = "secret"\n\n[checkpoint]\nevery = "1s"\n')
    (tmp_path / "secret").write_text("a passphrase for tests")
    command = (Path(sys.executable).with_name("catwalk"), "up", file)
    told = [tmp_path / f"up-{number}.txt" for number in (1, 2)]
    ups = []
    try:
        for each, mark in zip(told, ("signed 3", "ended with status 3"), strict=True):
            with each.open("wb") as out:
                ups.append(subprocess.Popen(command, stderr=out))
            until(lambda: mark in each.read_text())  # noqa: B023 - asked at once
        pit.rounds("T7", 1)
        pit.rounds("T8", 1)
        until(lambda: told[0].read_text().count("  signed ") > 1)
        assert "  signed " not in told[1].read_text()
        ups[0].send_signal(signal.SIGTERM)
        ups[0].wait(30)
        pit.rounds("T7", 1)
        until(lambda: "  signed " in told[1].read_text())
    finally:
        for up in ups:
            up.send_signal(signal.SIGTERM)
            up.wait(30)
    require_no_fork(pit)
    assert run("doctor", "--data", str(pit.folder)).exit_code == 0


def test_a_key_that_is_rotated_and_a_cosignature_are_taken_up_by_the_keeper_that_runs(
    nursery: Nursery, pit: Pit, tmp_path: Path
) -> None:
    keeper = keeping(nursery, pit, "1s")
    audit = ("--folder", str(tmp_path / "audit"))
    run("witness", "make", "audit.test", *audit)
    key = run("checkpoint", "key", "list", "--data", str(pit.folder)).stdout.split()[-1]
    assert run("witness", "see", "--data", str(pit.folder), "--key", key, *audit).exit_code == 0
    rotated = run("checkpoint", "key", "rotate", "--data", str(pit.folder))
    assert (rotated.exit_code, "A keeper is running" in rotated.stderr) == (0, True), rotated.output
    pit.rounds("T7", 1)
    until(lambda: keeper.told.read_text().count("signed ") == 2)
    keeper.ask_to_end()
    assert keeper.wait() == 0, keeper.told.read_text()
    with open_keeper(pit.folder) as looked:
        newest = parsed_note(looked.note(looked.sizes()[-1]))
        assert [each.text for each in check(newest, [looked.key], lambda *_: True)] == [rotated.stdout.strip()]
    assert run("doctor", "--data", str(pit.folder)).exit_code == 0  # the published tree is the tree


def test_a_keeper_whose_lock_is_put_away_signs_nothing_more(pit: Pit) -> None:
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        work.read(START)
        (pit.folder / HOLD_FILE).unlink()
        with pytest.raises(LostError, match="was removed or replaced"):
            work.checkpoint(START)
        assert work.keeper.sizes() == []


def signs(work: Work) -> SignedHead | None:
    """Read the new records and sign the next head."""
    work.read(START)
    return work.checkpoint(START)


@pytest.mark.parametrize("how", ["moved to its place", "written over it", "removed"])
def test_a_tree_restored_under_a_running_keeper_stops_it_before_the_next_head(pit: Pit, how: str) -> None:
    """The backup is of the first head, and the keeper has signed a second one since."""
    file = pit.folder / TREE_FILE
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        signs(work)
        backup = file.with_name("backup.sqlite")
        with closing(sqlite3.connect(file)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copyfile(file, backup)
        pit.rounds("T7", 1)
        assert signs(work) is not None
        with closing(sqlite3.connect(file)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if how == "written over it":
            shutil.copyfile(backup, file)
        elif how == "removed":
            file.unlink()
        else:
            backup.rename(file)
        pit.rounds("T7", 1)
        with pytest.raises(TreeTroubleError, match="catwalk checkpoint restore"):
            signs(work)
    for each in file.parent.glob("tree.sqlite*"):
        each.rename(each.with_name(f"away-{each.name}"))
    assert run("checkpoint", "restore", "--data", str(pit.folder)).exit_code == 0
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    require_no_fork(pit)
    assert run("doctor", "--data", str(pit.folder)).exit_code == 0


def test_a_tree_is_not_restored_beside_the_journal_of_another(pit: Pit) -> None:
    """SQLite would play the journal into the restored file."""
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        signs(work)
        shutil.copyfile(pit.folder / f"{TREE_FILE}-wal", pit.folder / "trust/kept")
    (pit.folder / TREE_FILE).unlink()
    (pit.folder / "trust/kept").rename(pit.folder / f"{TREE_FILE}-wal")
    refused = run("checkpoint", "restore", "--data", str(pit.folder))
    assert (refused.exit_code, "tree.sqlite-wal exists: move it elsewhere first" in refused.stderr) == (2, True)


def test_a_clock_that_leaps_a_year_signs_nothing_until_somebody_says_that_it_is_right(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "now", lambda: START)
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    monkeypatch.setattr(checkpoint, "now", lambda: START + YEAR)
    pit.rounds("T7", 1)
    refused = run("checkpoint", "--data", str(pit.folder))
    assert refused.exit_code == 4
    assert "this machine's clock says 2027-11-" in refused.stderr
    assert "--clock-is-right" in refused.stderr
    with open_keeper(pit.folder) as keeper:
        assert len(keeper.sizes()) == 1
    monkeypatch.setattr(checkpoint, "now", lambda: START + 6 * YEAR // 365)
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    monkeypatch.setattr(checkpoint, "now", lambda: START + YEAR)
    pit.rounds("T8", 1)
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 4
    assert run("checkpoint", "--clock-is-right", "--data", str(pit.folder)).exit_code == 0


def test_a_keeper_that_runs_on_says_that_the_clock_leapt_and_signs_once_it_is_set(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter((START, START + YEAR, START + YEAR, START + 60_000_000))
    monkeypatch.setattr(running, "now", lambda: next(clock, START + 60_000_000))
    monkeypatch.setattr(running, "LOOKS_EVERY", 0.05)
    told: list[str] = []
    stop = threading.Event()

    def heard(said: object) -> None:
        told.append(said if isinstance(said, str) else "signed")
        if len(told) == 1:
            pit.rounds("T7", 1)
        if told.count("signed") == 2:
            stop.set()

    with at_work(RecordOptions(pit.folder, None, None)) as work:
        work.follow(0, stop, heard, heard)
    assert [said[:14] for said in told] == ["signed", "this machine's", "this machine's", "signed"]


def test_a_record_that_two_keepers_branded_is_told_from_one_that_misses_something(pit: Pit) -> None:
    pit.rounds("T7", 3)
    end, late = branded(pit)
    examined = run("doctor", "--data", str(pit.folder))
    assert examined.exit_code == 0, examined.output
    says = f"records 13 to {end} are in leaves 2 and 1. Both match; nothing is missing"
    assert examined.stdout.count("two-keepers") == 2, examined.stdout
    assert says in examined.stdout or says.replace("2 and 1", "1 and 2") in examined.stdout
    assert f"records {end + 1} to {late} are in leaves 1 and 3" in examined.stdout
    with pit.log.recorder(0).datastore.transaction(commit=True) as c:
        c.execute("DELETE FROM facts WHERE originator_version=? AND originator_id=?", (late, f"T7/{DAY}"))
    examined = run("doctor", "--data", str(pit.folder))
    assert (examined.exit_code, f"record {late} went missing" in examined.stdout) == (16, True), examined.output


def test_a_branded_tree_is_restored_from_what_was_published(pit: Pit) -> None:
    pit.rounds("T7", 3)
    branded(pit)
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    (pit.folder / TREE_FILE).unlink()
    assert run("checkpoint", "restore", "--data", str(pit.folder)).exit_code == 0
    tree = TreeFile(pit.folder / TREE_FILE)
    assert tree.size == 6
    tree.close()
