"""The one file that goes with exports is what its rooms are, and stands alone."""

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from projections.export import one_file
from projections.export.one_file import ROOMS, UnfitError, joined
from tests.citations import ROOT
from tests.export.delivered import put

FOLDER = ROOT / "projections/export/verifier"


def test_every_room_is_in_it_once() -> None:
    assert sorted(ROOMS) == sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
    text = one_file.program().decode()
    for name in ROOMS:
        room = (FOLDER / f"{name}.py").read_text()
        begin = re.search(r"^(?:@|class |def |\w+(?:, \w+)* = )", room, re.MULTILINE)
        assert begin, name
        assert text.count(room[begin.start() :].strip()) == 1, name


def test_the_same_rooms_give_the_same_bytes() -> None:
    """Whatever order sets come in, wherever and in which zone it is made."""
    words = "import sys; from projections.export import one_file; sys.stdout.write(one_file.digest())"
    found = {sha256(one_file.program()).hexdigest()}
    for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo"), ("2", "America/Denver")):
        environment = {"PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": str(ROOT), "LC_ALL": "C"}
        ran = subprocess.run([sys.executable, "-c", words], env=environment, cwd="/", capture_output=True, check=True)
        found.add(ran.stdout.decode())
    assert len(found) == 1


def test_nothing_in_it_is_of_this_project() -> None:
    text = one_file.program().decode()
    assert not [top for top in ("projections", "consumers", "dashboards", "domain", "tests") if f"{top}." in text]
    assert text.count("\nfrom __future__ import annotations\n") == 1


def test_it_reads_as_if_it_had_been_written_in_one_piece(tmp_path: Path) -> None:
    """The checks every module here has, by the names of its own room with the command, an older Python's."""
    put(tmp_path)
    as_if = ["--config", str(ROOT / "pyproject.toml"), "--stdin-filename", str(FOLDER / "command.py"), "-"]
    for words in (["check", *as_if], ["format", "--check", *as_if]):
        ruff = [sys.executable, "-m", "ruff", *words]
        ran = subprocess.run(ruff, input=one_file.program(), capture_output=True, check=False)
        assert ran.returncode == 0, ran.stdout.decode() + ran.stderr.decode()


def test_the_command_writes_it() -> None:
    ran = CliRunner().invoke(main, ["verify-export", "--program"])
    assert ran.exit_code == 0, ran.output
    assert ran.stdout_bytes == one_file.program()


HEAD = "from __future__ import annotations\n"
FROM = f"from {one_file.PACKAGE}"
# the first room behind its docstring, the second one, what is said: what would not be, in one file, what it is in two
UNFIT = {
    "two things of one name": ("def one() -> None: ...", "class one: ...", "one of b is also a name of a"),
    "a name of Python's own": ("x = 1", "hash = 1", "hash of b is also a name of Python"),
    "a name of the library": ("import re\nx = 1", "def re() -> None: ...", "re of b is also a name of its library"),
    "another name": ("x = 1", f"{FROM}.a import x as y\nz = y", "b imports something under another name"),
    "a room behind": (f"{FROM}.b import y\nx = y", "y = 1", "a imports b, which does not come before it"),
    "not of the library": (
        "import msgspec\nx = 1",
        "y = 1",
        "a imports msgspec, which is not in Python's standard library",
    ),
    "of this project": ("from domain import money\nx = 1", "y = 1", "a imports domain, which is not in Python"),
    "a neighbor": ("x = 1", "from .a import x\ny = x", "b imports a, which is not in Python's standard library"),
    "an import later": ("x = 1\nimport re", "y = 1", "a has an import that is not at its top"),
    "an import inside": ("def f() -> None:\n    import re", "y = 1", "a has an import that is not at its top"),
    "nothing": ("", "y = 1", "a has no docstring, or nothing after it"),
}


@pytest.mark.parametrize("name", UNFIT)
def test_rooms_that_would_not_be_what_they_are_are_refused(name: str) -> None:
    first, second, says = UNFIT[name]
    with pytest.raises(UnfitError, match=says.replace(".", r"\.")):
        joined({"a": f'"""A."""\n{HEAD}{first}\n', "b": f'"""B."""\n{HEAD}{second}\n'})


def test_annotations_are_put_off_in_every_room() -> None:
    with pytest.raises(UnfitError, match="a lacks `from __future__ import annotations`"):
        joined({"a": '"""A."""\nimport re\nx = re.I\n'})


def test_two_rooms_are_laid_down() -> None:
    first = f'"""First.\n\nIt says more.\n"""\n\n{HEAD}\nimport re\n\nx = re.I\n'
    second = f'"""The program."""\n\n{HEAD}\nimport os\nimport re\n\n{FROM}.a import x\n\ny = x, re.M, os.sep\n'
    assert joined({"a": first, "b": second}) == (
        f'#!/usr/bin/env python3\n"""The program.\n"""\n\n{HEAD}\nimport os\nimport re\n\n'
        "# First.\n#\n# It says more.\n\n\nx = re.I\n\n\ny = x, re.M, os.sep\n"
    )
