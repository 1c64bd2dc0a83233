"""docs/trust.md says what the commands print: its sessions are run, in order, in one shell; only chance and time differ."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/trust.md"
_END = "-- end of a command --"
# What is made by chance or by the clock, in the order in which it is looked for.
_OTHERWISE = [
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "TIME"),
    (re.compile(r"\+[0-9a-f]{8}\+"), "+KEY+"),
    (re.compile(r"[A-Za-z0-9+/]{43,}={0,2}"), "BASE64"),
]


def sessions(text: str) -> list[tuple[str, str]]:
    """Each command of the page with what it prints; a command goes on in lines that are indented."""
    found: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def ran(commands: list[str], folder: Path) -> list[str]:
    """The output of each command, on both streams."""
    shutil.copytree(ROOT / "docs/examples", folder / "docs/examples")
    words = "".join(f"{command}\necho '{_END}'\n" for command in commands)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CATWALK")}
    with served(folder / "bin") as found:
        done = subprocess.run(
            ["bash", "-c", f"exec 2>&1\n{words}"],
            cwd=folder,
            env=environment | {"PATH": f"{found}:{os.environ['PATH']}", "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=False,
        )
    return done.stdout.split(f"{_END}\n")[:-1]


@contextmanager
def served(folder: Path) -> Iterator[Path]:
    """A folder with a `catwalk` in it that begins at once."""
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.trust.served", str(folder)], cwd=ROOT, stdin=subprocess.PIPE
    )
    try:
        while not (folder / "catwalk").exists():
            assert process.poll() is None
            time.sleep(0.05)
        yield folder
    finally:
        process.communicate(timeout=90)


def alike(text: str) -> str:
    for made, word in _OTHERWISE:
        text = made.sub(word, text)
    return text


def test_every_session_of_the_page_prints_what_it_says(tmp_path: Path) -> None:
    told = sessions(PAGE.read_text("utf-8"))
    assert len(told) > 15
    found = ran([command for command, _ in told], tmp_path)
    assert len(found) == len(told)
    for (command, says), printed in zip(told, found, strict=True):
        assert alike(printed) == alike(says), command


def test_a_link_of_the_page_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE.read_text("utf-8")):
        assert target.startswith("https:") or (PAGE.parent / target).exists(), target
