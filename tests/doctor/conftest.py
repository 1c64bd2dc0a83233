"""A record with all its files, made once: at rest, and as processes leave it that were killed."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from consumers.doctor import journal
from consumers.gateway.keys import PASSPHRASE
from tests.doctor.spoil import recorded


@pytest.fixture(scope="package")
def records(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The record at rest, and the same with journals that nobody has taken into the files yet."""
    folder = tmp_path_factory.mktemp("spoilt")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(PASSPHRASE, "a passphrase for tests")
        recorded(folder / "rest", folder / "killed")
    return folder / "rest", folder / "killed"


@pytest.fixture
def pit(records: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the record at rest, for one test to spoil."""
    monkeypatch.setattr(journal, "WAIT_SECONDS", 0)
    return Path(shutil.copytree(records[0], tmp_path / "pit"))


@pytest.fixture
def killed(records: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the one with journals."""
    monkeypatch.setattr(journal, "WAIT_SECONDS", 0)
    return Path(shutil.copytree(records[1], tmp_path / "killed"))


Spoil = Callable[[Path], object]
