"""The walk in which the property cheats: each export is made as the page says, and the commands and answers are the page's."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.citations import ROOT
from tests.export import cheats, pits

pytestmark = pytest.mark.xdist_group("forger")
PAGE = (ROOT / "docs/auditors-walk.md").read_text()
CHEATS = re.findall(r"```sh cheat\n(.*?)```\n\n```\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def received(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the page's command makes."""
    folder = tmp_path_factory.mktemp("cheats") / "cheats"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in pits.ENVIRONMENT.items():
            patch.setenv(name, value)
        cheats.make(folder, tmp_path_factory.mktemp("forged"))
    return folder


def test_the_page_has_the_cheats_that_its_command_makes(received: Path) -> None:
    assert len(CHEATS) == 5
    assert {name for command, _ in CHEATS for name in re.findall(r"\S+\.tar", command)} == set(cheats.MADE)
    (command,) = re.findall(r"```sh made\n(.*?)```", PAGE, re.DOTALL)
    assert command == "make cheats FOLDER=cheats\ncd cheats\n"
    recipe = "cheats: setup\n\t@$(BIN)/python -m tests.export.cheats $(or $(FOLDER),cheats)\n"
    assert recipe in (ROOT / "Makefile").read_text()


def test_before_it_was_forged_it_is_proved(received: Path) -> None:
    words = [sys.executable, "-I", "verify.py", "honest.tar", "--key", "property.pub", "--witness", "audit.vkey"]
    ran = subprocess.run(words, cwd=received, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("command", "answer"), CHEATS, ids=[each[0].split()[3] + each[0].split()[6][1:4] for each in CHEATS]
)
def test_the_auditor_catches_it(received: Path, command: str, answer: str) -> None:
    python = f"{Path(sys.executable).resolve().parent}:/usr/local/bin:/usr/bin:/bin"
    ran = subprocess.run(
        ["bash", "-c", command], cwd=received, env={"PATH": python}, capture_output=True, text=True, check=False
    )
    assert answer.strip() in ran.stdout.splitlines(), ran.stdout + ran.stderr
    expected = {"ALTERED": 1, "NOT USED": 5, "NOT PROVED": 3}[answer.partition(":")[0]]
    assert ran.returncode == expected, ran.stdout + ran.stderr


def verified(received: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The answer of verify.py to an export of the walk."""
    command = [sys.executable, "-I", "verify.py", *words]
    return subprocess.run(command, cwd=received, capture_output=True, text=True, check=False, timeout=60)


def test_a_second_checkpoint_does_not_take_the_place_of_the_first(received: Path) -> None:
    """The second is the one the property likes to show; the first proves that it keeps two records."""
    seen = ("other-record.tar", "--key", "property.pub", "--checkpoint", "seen-by-the-witness.txt")
    assert verified(received, *seen).returncode == 1
    for last in ("seen-by-the-witness.txt", "other-record-early-2.txt"):
        refused = verified(received, *seen, "--checkpoint", last)
        assert (refused.returncode, "give one --checkpoint at a time" in refused.stderr) == (2, True), refused


def test_a_witness_that_is_given_twice_is_told_once(received: Path) -> None:
    twice = ("--witness", "audit.vkey") * 2
    told = verified(received, "honest.tar", "--key", "property.pub", *twice)
    once = verified(received, "honest.tar", "--key", "property.pub", "--witness", "audit.vkey")
    assert (told.returncode, told.stdout) == (0, once.stdout), told


def test_a_pipe_nobody_writes_to_is_not_waited_for(received: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    told = verified(received, str(tmp_path / "pipe"))
    assert (told.returncode, "is not a file" in told.stderr) == (4, True), told
