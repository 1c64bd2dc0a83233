"""`catwalk up` and `catwalk demo` as processes, what to wait for, and what an export they made has to show."""

import io
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from click.testing import CliRunner

from consumers.command import main
from tests.up.test_only import CATWALK

LONG = 150.0


@contextmanager
def started(folder: Path, *words: str) -> Iterator[Callable[[], bool]]:
    """A command with its parts, none of which finds a passphrase in its environment; whether it is still running."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("CATWALK")}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen([*CATWALK, *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=bare)
        try:
            yield lambda: process.poll() is None
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(LONG)


def until(true: Callable[[], object], said: Path, runs: Callable[[], object] = lambda: True) -> None:
    """Wait for something while the parts run."""
    end = time.monotonic() + LONG
    while not true():
        assert runs(), said.read_text()
        assert time.monotonic() < end, said.read_text()
        time.sleep(0.1)


def answers(port: int) -> bool:
    """Whether the pages are served."""
    try:
        with urlopen(f"http://localhost:{port}/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def proved(data: Path, folder: Path) -> None:
    """The file is there, and its own verifier finds it sound; with one byte changed it does not."""
    (file,) = (data / "exports").glob("export-*.tar")
    with tarfile.open(file) as held:
        # By hand: the Python of Debian 12 does not know the filter that later ones ask for.
        for member in filter(tarfile.TarInfo.isfile, held):
            file_of = folder / "unpacked" / member.name
            file_of.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfileobj(held.extractfile(member) or io.BytesIO(), file_of.open("wb"))
    (verifier,) = (folder / "unpacked").glob("*/verify.py")
    listed = CliRunner().invoke(main, ["checkpoint", "key", "list", "--data", str(data)], catch_exceptions=False)
    key = next(word for word in listed.stdout.split() if word.count("+") >= 2)
    words = [sys.executable, "-I", str(verifier), str(file), "--key", key]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode not in (1, 2, 4), done.stdout + done.stderr
    stored = bytearray(file.read_bytes())
    at = stored.index(b'"sequence":')
    stored[at + 11] ^= 1
    (folder / "changed.tar").write_bytes(stored)
    words[3] = str(folder / "changed.tar")
    assert subprocess.run(words, capture_output=True, check=False).returncode == 1


def no_room_has_a_key(data: Path) -> None:
    """The process of the pages was given neither the passphrase nor the name of its file."""
    (told,) = environments_of_pages(data)
    assert b"PASSPHRASE" not in told


def environments_of_pages(data: Path) -> list[bytes]:
    """The environment of each process of pages on this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words, told = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:
            continue
        if str(data).encode() in told and b"streamlit" in words:
            found.append(told)
    return found
