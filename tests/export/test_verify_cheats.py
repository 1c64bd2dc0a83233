"""The walk in which the property cheats: each export is made as the page says, and the commands and answers are the page's."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.citations import ROOT
from tests.export import forgeries_leaves, pits
from tests.export.delivered import put
from tests.export.forged_pit import BEFORE, DAY, OTHER, WITNESS, days, use
from tests.export.forger import Forged

pytestmark = pytest.mark.xdist_group("forger")
PAGE = (ROOT / "docs/auditors-walk.md").read_text()
CHEATS = re.findall(r"```sh cheat\n(.*?)```\n\n```\n(.*?)```", PAGE, re.DOTALL)
INVENTED = OTHER._replace(name="friend.example")


def _invented() -> Forged:
    """The head dated back, seen in time by a witness of the property's own making."""
    return forgeries_leaves.dated_back_and_listed(f"{BEFORE}T23:59:30Z", INVENTED)


def _two_records() -> Forged:
    """The record that the witness has not seen: another table's day in place of one of its leaves."""
    of = days()
    at = next(at for at, leaf in enumerate(of.leaves) if leaf["stream"] == f"T6/{BEFORE}")
    of.leaves[at] = {**of.leaves[at], "stream": f"T5/{BEFORE}"}
    of.heads = [head._replace(seen=()) for head in of.heads]
    return of.bound().signed()


MADE: dict[str, Callable[[], Forged]] = {
    "finding-dropped.tar": forgeries_leaves.findings_dropped,
    "head-backdated.tar": lambda: forgeries_leaves.dated_back_and_listed(f"{DAY}T12:00:00Z"),
    "witness-invented.tar": _invented,
    "other-record.tar": _two_records,
}


@pytest.fixture(scope="module")
def received(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the auditor has: four exports, two keys and a head from somebody else, and the program."""
    folder = tmp_path_factory.mktemp("cheats")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in pits.ENVIRONMENT.items():
            patch.setenv(name, value)
        use(tmp_path_factory.mktemp("forged"))
        honest = days()
        for name, made in MADE.items():
            (folder / name).write_bytes(made().tar())
        (folder / "seen-by-the-witness.txt").write_text(honest.note(honest.heads[-1]))
    (folder / "property.pub").write_text(honest.owner.text + "\n")
    (folder / "audit.vkey").write_text(WITNESS.text + "\n")
    put(folder)
    return folder


def test_the_page_has_the_cheats_that_are_made_here() -> None:
    assert len(CHEATS) == 5
    assert {name for command, _ in CHEATS for name in re.findall(r"\S+\.tar", command)} == set(MADE)


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
