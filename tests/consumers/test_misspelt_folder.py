"""Commands that begin files of their own: none begins them in a folder whose name is misspelled."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.commands.accounts import PASSWORD
from consumers.gateway.keys import PASSPHRASE
from tests.gateway.admitted import begin

GIVEN = {PASSPHRASE: "a passphrase for tests", PASSWORD: "long enough for the three of us"}
COMMANDS = """
vault put PEOPLE
accounts add olga --role operator
accounts list
accounts password olga
accounts remove olga
accounts unlock olga
"""


def run(line: str, tmp_path: Path, *place: object) -> Result:
    people = tmp_path / "people.jsonl"
    people.write_text('{"player": "p-1", "name": "Jo Doe"}\n')
    words = [str(people) if word == "PEOPLE" else word for word in line.split()]
    return CliRunner().invoke(main, [*words, *map(str, place)], env=GIVEN)


@pytest.mark.parametrize("line", COMMANDS.strip().splitlines())
@pytest.mark.parametrize(("option", "there"), [("--data", False), ("--data", True), ("--state", False)])
def test_nothing_is_made_in_a_folder_that_has_no_record(line: str, option: str, *, there: bool, tmp_path: Path) -> None:
    folder = tmp_path / "pti"
    if there:
        folder.mkdir()
    ran = run(line, tmp_path, option, folder)
    assert ran.exit_code == 2, ran.output
    assert f"in {folder}" in ran.stderr or f"no folder {folder}" in ran.stderr
    assert "--new" in ran.stderr
    assert (list(folder.iterdir()) if there else folder.exists()) in ([], False)


LOOKING = """
export --list --as a
export --days 2026-11-18 --purpose audit --recipient board --as a
reconstruct T1 --at 21:10
dispute T1 --at 21:10
backup --out BACKUP
vault list
ask floor
sql -c SELECT
replay --with trips_table=B
dead-letters list
dead-letters retry all
keys list
sources list
checkpoint
doctor
"""


@pytest.mark.parametrize("line", LOOKING.strip().splitlines())
@pytest.mark.parametrize("there", [False, True])
def test_looking_for_a_record_makes_none(line: str, *, there: bool, tmp_path: Path) -> None:
    folder = tmp_path / "pti"
    if there:
        folder.mkdir()
    ran = run(line.replace("BACKUP", str(tmp_path / "backup")), tmp_path, "--data", folder)
    assert ran.exit_code != 0, ran.output
    assert str(folder) in ran.stderr, ran.stderr
    assert (list(folder.rglob("*")) if there else folder.exists()) in ([], False), ran.output


@pytest.mark.parametrize("line", COMMANDS.strip().splitlines()[:2])
def test_a_folder_is_begun_where_that_is_said_and_gone_on_with(line: str, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert run(line, tmp_path, "--data", folder, "--new").exit_code == 0
    assert run(line, tmp_path, "--data", folder).exit_code == 0


@pytest.mark.parametrize("line", COMMANDS.strip().splitlines()[:2])
def test_a_folder_with_a_record_needs_no_word(line: str, tmp_path: Path) -> None:
    begin(tmp_path / "pit")
    assert run(line, tmp_path, "--data", tmp_path / "pit").exit_code == 0
    (tmp_path / "state").mkdir()
    assert run(line, tmp_path, "--state", tmp_path / "state").exit_code == 0
