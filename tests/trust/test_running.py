"""The keeper that runs on: at each day's close, what comes to be there later, killed in mid-work, and copied meanwhile."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from consumers.commands.doctor import STATUS
from consumers.gateway.keys import PASSPHRASE
from consumers.record_place import RecordOptions
from consumers.trust import running
from consumers.trust.holding import held_still
from consumers.trust.keeper import SignedHead, begin, open_keeper
from consumers.trust.running import at_work
from tests.gateway.nursery import Nursery
from tests.trust.records import DAY, NAME, START, Pit, run


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pit]:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    made = Pit(tmp_path / "pit").opened()
    begin(made.folder, NAME, START)
    yield made
    made.close()


def until(true: Callable[[], bool]) -> None:
    """Wait until it is so."""
    deadline = time.monotonic() + 90
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_keeper_that_runs_on_signs_at_once_when_the_day_is_closed(pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LOOKS_EVERY", 0.01)
    told: list[SignedHead] = []
    stop = threading.Event()
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        thread = threading.Thread(target=work.follow, args=(3600, stop, told.append, pytest.fail))
        thread.start()
        try:
            until(lambda: len(told) == 1)
            pit.rounds("T7", 1)
            pit.looks()
            time.sleep(0.2)
            assert len(told) == 1  # an hour has not gone by
            pit.closed()
            until(lambda: len(told) == 2)
        finally:
            stop.set()
            thread.join()
    assert [made.days for made in told] == [(), (DAY,)]


def test_findings_go_in_up_to_their_mark_and_the_desk_from_when_it_is_there(pit: Pit) -> None:
    folder = str(pit.folder)
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        work.read(START)
        assert work.checkpoint(START) is not None
        pit.looks(3)
        run("watch", "--once", "--data", folder)
        work.read(START)
        assert work.checkpoint(START) is not None
        kinds = {kind for kind, _, _ in work.keeper.streams(work.keeper.tree.size)}
    assert kinds == {"facts", "findings", "desk"}
    assert run("doctor", "--data", folder).exit_code == 0


def test_a_keeper_killed_again_and_again_loses_no_leaf_and_makes_none_twice(pit: Pit, tmp_path: Path) -> None:
    """kill -9 at moments spread over its work; at last the tree holds each record once."""
    with Nursery(tmp_path, {PASSPHRASE: os.environ[PASSPHRASE]}) as nursery:
        for number in range(5):
            keeper_at_work = nursery.start("checkpoint", "--every", "1s", "--data", pit.folder)
            told = keeper_at_work.told
            while not told.exists() or "so far" not in told.read_text():
                time.sleep(0.01)
            for _ in range(5):
                pit.rounds("T7", 1)
                pit.rounds("T8", 1)
            time.sleep(0.13 * number)
            keeper_at_work.kill()
            keeper_at_work.wait()
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    with open_keeper(pit.folder) as keeper:
        for kind, stream, last in keeper.streams(keeper.tree.size):
            assert kind == "facts"
            assert last == len(pit.stream(stream))
            ends = [(leaf.stretch.first, leaf.stretch.last) for leaf in keeper.proven(keeper.tree.size, kind, stream)]
            assert [first for first, _ in ends] == [1, *(end + 1 for _, end in ends[:-1])]
    assert run("doctor", "--data", str(pit.folder)).exit_code == 0


def test_a_backup_made_while_a_keeper_works_is_whole(pit: Pit, tmp_path: Path) -> None:
    folder, out, restored = str(pit.folder), str(tmp_path / "all.tar"), str(tmp_path / "restored")
    assert run("checkpoint", "--data", folder).exit_code == 0
    assert run("backup", "--data", folder, "--out", out).exit_code == 0
    assert run("restore", out, "--data", restored).exit_code == 0
    assert run("doctor", "--data", restored).exit_code == 0
    with open_keeper(Path(restored)) as copy, open_keeper(pit.folder) as keeper:
        assert copy.note(copy.sizes()[-1]) == keeper.note(keeper.sizes()[-1])


def test_the_tree_does_not_grow_while_it_is_held(pit: Pit) -> None:
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        work.read(START)
        thread = threading.Thread(target=work.checkpoint, args=(START,))
        with held_still(pit.folder):
            thread.start()
            time.sleep(0.1)
            assert thread.is_alive()
            with open_keeper(pit.folder) as other:
                assert other.tree.size == 0
        thread.join()
        assert work.keeper.tree.size == 3


def test_each_kind_of_trouble_with_the_tree_has_a_status_of_its_own() -> None:
    assert len({STATUS[kind] for kind in ("missing", "altered", "tree-bad")} - {2}) == 3


def test_a_checkpoint_of_nothing_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    Pit(tmp_path).close()
    begin(tmp_path, NAME, START)
    result = run("checkpoint", "--data", str(tmp_path))
    assert (result.exit_code, "nothing to sign" in result.stderr) == (1, True)
    for words in (("show",), ("show", "7")):
        assert run("checkpoint", *words, "--data", str(tmp_path)).exit_code == 2
    assert run("checkpoint", "--every", "5", "--data", str(tmp_path)).exit_code == 2


def test_checkpoints_are_listed_for_programs_too(pit: Pit) -> None:
    run("checkpoint", "--data", str(pit.folder))
    row = msgspec.json.decode(run("checkpoint", "list", "--json", "--data", str(pit.folder)).stdout)
    assert (row["size"], row["signed_by"], row["days"]) == (3, [NAME], [])
