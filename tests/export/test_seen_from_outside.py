"""Trust from a checkpoint from outside: it vouches for an export whose leaves it covers, and for no other."""

import shutil
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from consumers.gateway.keys import PASSPHRASE
from consumers.logs.sqlite import SqliteLog
from consumers.trust.keeper import begin, open_keeper
from projections.export.question import Scope
from tests.export import pits
from tests.export.delivered import verify
from tests.gateway.floor import START
from tests.trust.records import DAY, NAME, Pit, run

WHOLE = Scope(days=(DAY, DAY))


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pit:
    """A record with one checkpoint."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    pit = Pit(tmp_path / "pit").opened()
    begin(pit.folder, NAME, START)
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    return pit


def again(folder: Path) -> int:
    """One more checkpoint, over what was verified since: its size."""
    run("watch", "--once", "--quiet", "--data", str(folder))
    assert run("checkpoint", "--data", str(folder)).exit_code == 0
    with open_keeper(folder) as keeper:
        return keeper.sizes()[-1]


def held(folder: Path, number: int) -> tuple[Any, str]:
    """The property's key and one of its checkpoints, as a receiver holds them."""
    with open_keeper(folder) as keeper:
        return verify.Key(keeper.key.name, keeper.key.public), keeper.note(keeper.sizes()[number])


def verdict(folder: Path, size: int, scope: Scope, key: Any, checkpoint: str) -> Any:
    """The answer to an export for a receiver who holds these."""
    file = folder.with_suffix(".tar")
    file.unlink(missing_ok=True)
    pits.exported(pits.Pit(folder, "", 0, "", None, "", (size, size)), scope, file)  # type: ignore[arg-type]
    return verify.verify(BytesIO(file.read_bytes()), verify.Asked([key], (), checkpoint))


def test_two_stories_of_what_came_after_a_checkpoint_are_both_called_unvouched(pit: Pit) -> None:
    """The property forks its record behind the checkpoint that an auditor holds, and shows one of them each time."""
    key, checkpoint = held(pit.folder, 0)
    pit.close()
    other = pit.folder.with_name("other")
    shutil.copytree(pit.folder, other)
    pit.log = SqliteLog(pit.folder / "record/facts.sqlite")
    pit.rounds("T7", 3)
    pit.close()
    for folder in (pit.folder, other):
        size = again(folder)
        found = verdict(folder, size, WHOLE, key, checkpoint)
        assert found.status == verify.SOUND_IN_ITSELF, found.lines
        assert any(f"bring a checkpoint of at least {size} leaves, or the key" in each for each in found.not_proved)
        newest = held(folder, -1)[1]
        assert verdict(folder, size, WHOLE, key, newest).status == verify.PROVED


def test_an_older_checkpoint_vouches_for_a_hand_that_it_covers_and_for_none_behind_it(pit: Pit) -> None:
    again(pit.folder)
    key, checkpoint = held(pit.folder, -1)
    pit.rounds("T7", 3)
    size = again(pit.folder)
    for hand, status in ((f"T8/{DAY}:1", verify.PROVED), (f"T7/{DAY}:3", verify.SOUND_IN_ITSELF)):
        found = verdict(pit.folder, size, Scope(hand=hand), key, checkpoint)
        assert found.status == status, found.lines
    pit.close()
