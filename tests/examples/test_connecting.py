"""The script of docs/connecting.md runs as it stands: from another system's file to a judged day, over HTTP."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.citations import ROOT


def test_the_script_of_the_page_ends_in_a_judged_day(tmp_path: Path) -> None:
    (script,) = re.findall(r"```sh\n(export CATWALK_DATA.*?)```", (ROOT / "docs/connecting.md").read_text(), re.DOTALL)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    bare = {name: value for name, value in os.environ.items() if not name.startswith("CATWALK")}
    run = subprocess.run(
        ["bash", "-e", "-c", script],
        check=False,
        cwd=tmp_path,
        env=bare | {"PATH": path},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "100.0% of rounds fully judged: 30 of 30" in run.stdout
    assert (tmp_path / "answer.json").read_text().startswith('{"taken":643,"repeat":0,"refused":0,')
    assert ", 0 findings raised or revised" in run.stderr
    assert re.search(r"T1 +UTH-MD +playing", run.stdout)
