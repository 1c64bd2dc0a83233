"""The auditor's walk and the page that goes with an export, run as they stand: on a sound export, and on altered ones."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.citations import ROOT
from tests.export.attacks import honest
from tests.export.builder import WITNESS, Bundle

WALK = re.findall(r"```sh\n(.*?)```", (ROOT / "docs/auditors-walk.md").read_text(), re.DOTALL)
PAGE = (ROOT / "projections/export/HOW-TO-VERIFY.txt").read_text()
BY_HAND = "".join(f"{line[4:]}\n" for line in PAGE.splitlines() if line.startswith("    "))
PROGRAM = ROOT / "projections/export/verify.py"


@pytest.fixture(scope="module")
def sound() -> Bundle:
    """An export with the real program and page in it."""
    bundle = honest().copy()
    bundle.files |= {"verify.py": PROGRAM.read_bytes(), "HOW-TO-VERIFY.txt": PAGE.encode()}
    return bundle.listed().signed()


def received(folder: Path, bundle: Bundle) -> Path:
    """What an auditor has: the export, two keys from somebody else, and the program."""
    (folder / "export.tar").write_bytes(bundle.tar())
    (folder / "property.pub").write_bytes(honest().files["data/keys/property.pub"])
    (folder / "audit.vkey").write_text(WITNESS.text + "\n")
    shutil.copy(PROGRAM, folder / "verify.py")
    return folder


def walked(folder: Path, commands: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-e", "-o", "pipefail", "-c", commands]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_walk_goes_to_its_end(tmp_path: Path, sound: Bundle) -> None:
    ran = walked(received(tmp_path, sound), "".join(WALK))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("Signature Verified Successfully") == 3
    for says in (
        "PROVED: ",
        "the files are those of the manifests",
        "data/question.json is signed",
        "manifest-sha256.txt is signed",
        "the witness saw it on 2026-11-20 at 04:46:40 UTC",
        "record 5 names record 4",
        "the tree names the last",
    ):
        assert says in ran.stdout, says


def test_the_page_in_the_export_goes_to_its_end(tmp_path: Path, sound: Bundle) -> None:
    unpack = "tar xf export.tar\ncd export-*\n"
    ran = walked(received(tmp_path, sound), unpack + BY_HAND)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("Signature Verified Successfully") == 3
    assert ran.stdout.count(" holds\n") == 2
    assert ran.stdout.count(" is signed\n") == 3


# the file that is changed | the block of the walk that stops there, from 1 | what is said
ALTERED = """
data/tables/wagers.csv      | 2 | ALTERED: data/tables/wagers.csv, line 1, byte 0
data/tables/wagers.csv      | 3 | data/tables/wagers.csv: FAILED
statement.dsse.json         | 4 | Verification [fF]ailure|base64: invalid input
data/proofs/checkpoint.txt  | 5 | Verification [fF]ailure|base64: invalid input
data/facts/T7/2026-11-18.jsonl | 6 |
"""
ROWS = [[cell.strip() for cell in row.split("|", 2)] for row in ALTERED.strip("\n").splitlines()]


@pytest.mark.parametrize(("path", "block", "says"), ROWS, ids=[f"{row[0]} at {row[1]}" for row in ROWS])
def test_the_walk_ends_where_something_was_altered(
    tmp_path: Path, sound: Bundle, path: str, block: str, says: str
) -> None:
    """Each check by hand sees what it is for, those before it left out."""
    bundle = sound.copy()
    stored = bytearray(bundle.files[path])
    at = {"statement.dsse.json": 100, "data/proofs/checkpoint.txt": 30, "data/facts/T7/2026-11-18.jsonl": -20}.get(
        path, 3
    )
    stored[at] = ord("Z") if stored[at] != ord("Z") else ord("Y")
    bundle.files[path] = bytes(stored)
    unpack = "tar xf export.tar; cd export-*\n" if int(block) > 3 else ""
    ran = walked(received(tmp_path, bundle), unpack + WALK[int(block) - 1])
    assert ran.returncode != 0
    assert re.search(says, ran.stdout + ran.stderr), ran.stdout + ran.stderr
