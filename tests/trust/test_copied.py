"""A record that is copied takes its checkpoints along: the copy is proved by the same heads."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from consumers.gateway.keys import PASSPHRASE
from consumers.logs.sqlite import SqliteLog
from consumers.trust.keeper import begin, open_keeper
from consumers.trust.published import PUBLISHED_FILE, STREAM
from tests.trust.records import DAY, NAME, START, Pit, run


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pit]:
    """Two checkpoints over two tables, nothing done at a desk."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    made = Pit(tmp_path / "pit").opened()
    begin(made.folder, NAME, START)
    for _ in range(2):
        made.rounds("T7", 2)
        assert run("checkpoint", "--data", str(made.folder)).exit_code == 0
    yield made
    made.close()


def published(folder: Path) -> list[bytes]:
    log = SqliteLog(folder / PUBLISHED_FILE, name="checkpoints")
    try:
        return log.read_stream(STREAM)
    finally:
        log.close()


def copied(pit: Pit, folder: Path) -> tuple[int, str, str]:
    ran = run("log", "copy", "--from-data", str(pit.folder), "--to-data", str(folder))
    return ran.exit_code, ran.stdout, ran.stderr


def test_a_copy_is_proved_by_the_heads_of_the_record_it_was_made_of(pit: Pit, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    status, said, beside = copied(pit, copy)
    assert status == 0
    assert f"copied {len(published(pit.folder))} entries of the tree" in said
    assert said.count("equal: the same streams, sequences and bytes") == said.count("copied ")
    assert f"catwalk checkpoint restore --data {copy}" in beside
    assert published(copy) == published(pit.folder)
    restored = run("checkpoint", "restore", "--data", str(copy))
    assert restored.exit_code == 0, restored.stderr
    examined = run("doctor", "--data", str(copy))
    assert (examined.exit_code, examined.stdout) == (0, "")
    assert "2 checkpoints over" in examined.stderr


def test_the_copy_of_an_altered_record_does_not_fit_its_heads(pit: Pit, tmp_path: Path) -> None:
    """The copy has the altered records: the heads show that these are not the signed ones."""
    stream = f"T7/{DAY}"
    pit.overwritten(stream, pit.rewritten(stream, 40, lambda fact: msgspec.structs.replace(fact, at=START + 7)))
    assert copied(pit, tmp_path / "copy")[0] == 0
    run("checkpoint", "restore", "--data", str(tmp_path / "copy"))
    assert f"altered: {stream}" in run("doctor", "--data", str(tmp_path / "copy")).stdout


def test_a_copy_goes_on_with_the_heads_made_since(pit: Pit, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    assert copied(pit, copy)[0] == 0
    before = len(published(pit.folder))
    pit.rounds("T8", 1)
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    status, said, _ = copied(pit, copy)
    assert status == 0
    assert f"copied {len(published(pit.folder)) - before} entries of the tree, {before} were already there" in said
    assert published(copy) == published(pit.folder)


def test_another_tree_at_the_copy_is_left_as_it_is_and_told(pit: Pit, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    other = Pit(copy).opened()
    begin(copy, "catwalk/another", START)
    assert run("checkpoint", "--data", str(copy)).exit_code == 0
    other.close()
    held = published(copy)
    status, said, beside = copied(pit, copy)
    assert status == 1
    assert "different" in said
    assert "entries of the tree from" in beside
    assert published(copy) == held


def test_a_record_without_checkpoints_is_copied_without_a_word_of_them(pit: Pit, tmp_path: Path) -> None:
    (pit.folder / PUBLISHED_FILE).unlink()
    status, said, beside = copied(pit, tmp_path / "copy")
    assert status == 0
    assert "tree" not in said + beside
    assert not (tmp_path / "copy" / PUBLISHED_FILE).exists()


def test_the_keeper_goes_on_at_the_copy_when_the_key_is_there(pit: Pit, tmp_path: Path) -> None:
    """A record that moves: its heads extend those signed before."""
    copy = tmp_path / "copy"
    assert copied(pit, copy)[0] == 0
    assert run("checkpoint", "restore", "--data", str(copy)).exit_code == 0
    with open_keeper(pit.folder) as keeper:
        before = keeper.sizes()
    (pit.folder / "keys").rename(copy / "keys")
    later = Pit(copy)
    later.writer = pit.writer
    later.rounds("T8", 2)
    later.close()
    assert run("checkpoint", "--data", str(copy)).exit_code == 0
    with open_keeper(copy) as keeper:
        assert keeper.sizes()[:-1] == before
    assert run("doctor", "--data", str(copy)).exit_code == 0
