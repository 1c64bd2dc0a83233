"""A record's findings go with it: in a copy or a backup, a watcher resumes from them."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from tests.watching.pits import Pit
from tests.watching.test_kills import Embedded


def catwalk(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def half(tmp_path: Path) -> tuple[Path, list[bytes]]:
    """A record watched in mid-day, and the facts that come after."""
    facts = Pit(2, tables=2, days=2, rounds=2).record()
    site = Embedded(tmp_path / "pit")
    site.append(facts[: len(facts) // 2])
    site.close()
    assert catwalk("watch", "--once", "--data", tmp_path / "pit").exit_code == 1
    return tmp_path / "pit", facts[len(facts) // 2 :]


def findings(folder: Path) -> list[bytes]:
    site = Embedded(folder)
    site.close()
    return site.findings()


def watched(folder: Path, rest: list[bytes]) -> list[bytes]:
    """The findings of a record when the rest has come and was watched."""
    site = Embedded(folder)
    site.append(rest)
    site.close()
    assert catwalk("watch", "--once", "--data", folder).exit_code == 1
    return findings(folder)


def test_a_copied_log_takes_its_findings_along_and_is_watched_on(
    half: tuple[Path, list[bytes]], tmp_path: Path
) -> None:
    pit, rest = half
    ran = catwalk("log", "copy", "--from-data", pit, "--to-data", tmp_path / "copy")
    assert ran.exit_code == 0, ran.output
    assert f"copied {len(findings(pit))} records of findings" in ran.stdout
    assert ran.stdout.count("equal: ") == 2
    assert findings(tmp_path / "copy") == findings(pit)
    assert watched(tmp_path / "copy", rest) == watched(pit, rest)


def test_a_backup_holds_the_findings(half: tuple[Path, list[bytes]], tmp_path: Path) -> None:
    pit, rest = half
    assert catwalk("backup", "--data", pit, "--out", tmp_path / "pit.tar").exit_code == 0
    assert catwalk("restore", tmp_path / "pit.tar", "--data", tmp_path / "again").exit_code == 0
    assert findings(tmp_path / "again") == findings(pit)
    assert watched(tmp_path / "again", rest) == watched(pit, rest)


def test_findings_that_were_lost_are_written_again_to_the_byte(half: tuple[Path, list[bytes]], tmp_path: Path) -> None:
    pit, rest = half
    whole = watched(pit, rest)
    shutil.copytree(pit, tmp_path / "lost", ignore=shutil.ignore_patterns("findings*"))
    assert catwalk("watch", "--once", "--data", tmp_path / "lost").exit_code == 1
    assert findings(tmp_path / "lost") == whole
