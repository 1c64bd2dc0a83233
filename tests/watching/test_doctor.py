"""`catwalk doctor --findings`: the findings log proved, and whatever is damaged in it named."""

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.logs.sqlite import SqliteLog
from tests.watching.pits import Pit
from tests.watching.test_kills import Embedded


@pytest.fixture
def pit(tmp_path: Path) -> Path:
    """A record that was watched."""
    site = Embedded(tmp_path / "pit")
    site.append(Pit(1, tables=2, days=2, rounds=2).record())
    site.close()
    assert CliRunner().invoke(main, ["watch", "--once", "--data", str(tmp_path / "pit")]).exit_code == 1
    return tmp_path / "pit"


def doctor(pit: Path) -> Result:
    return CliRunner().invoke(main, ["doctor", "--findings", "--data", str(pit)])


def set_to(value: str) -> str:
    """Other bytes for one record."""
    return f"UPDATE facts SET state = CAST({value} AS BLOB) WHERE position = 9"  # noqa: S608 - a test's own words


def statement(pit: Path, text: str) -> None:
    with sqlite3.connect(pit / "record/findings.sqlite") as log:
        log.execute(text)
    log.close()


def test_a_findings_log_as_it_was_written_is_whole(pit: Path) -> None:
    ran = doctor(pit)
    assert ran.exit_code == 0, ran.output
    assert "whole" in ran.stderr


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("DELETE FROM facts WHERE position = 9", 11, "gap"),
        (set_to("""replace(state, '"at":1', '"at":2')"""), 13, "break"),
        (set_to("replace(state, ',', ', ')"), 13, "not-as-stored"),
        (set_to("'junk'"), 14, "unreadable"),
    ],
    ids=["left out", "changed", "spaced", "spoilt"],
)
def test_damage_is_named(pit: Path, text: str, status: int, says: str) -> None:
    statement(pit, text)
    ran = doctor(pit)
    assert ran.exit_code == status, ran.output
    assert says in ran.stdout


def test_a_record_that_nobody_watched_yet_says_so(tmp_path: Path) -> None:
    SqliteLog(tmp_path / "record/facts.sqlite", create=True).close()
    ran = doctor(tmp_path)
    assert ran.exit_code == 2
    assert "Run catwalk watch" in ran.stderr
