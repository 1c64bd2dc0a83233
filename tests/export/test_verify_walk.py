"""The auditor's walk and the page that goes with an export, run as they stand: on a sound export, and on altered ones."""

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from projections.export import one_file
from tests.citations import ROOT
from tests.export.attacks import honest
from tests.export.builder import PROPERTY, WITNESS, Bundle
from tests.export.delivered import put, verify
from tests.export.verified import outcome

WALK = re.findall(r"```sh\n(.*?)```", (ROOT / "docs/auditors-walk.md").read_text(), re.DOTALL)
PAGE = (ROOT / "projections/export/HOW-TO-VERIFY.txt").read_text()
BY_HAND = "".join(f"{line[4:]}\n" for line in PAGE.splitlines() if line.startswith("    "))


@pytest.fixture(scope="module")
def sound() -> Bundle:
    """An export with the real program and page in it."""
    bundle = honest().copy()
    bundle.files |= {"verify.py": one_file.program(), "HOW-TO-VERIFY.txt": PAGE.encode()}
    return bundle.listed().signed()


def received(folder: Path, bundle: Bundle) -> Path:
    """Files an auditor has: the export, two keys from another person, and the program."""
    (folder / "export.tar").write_bytes(bundle.tar())
    (folder / "property.pub").write_text(PROPERTY.text + "\n")
    (folder / "audit.vkey").write_text(WITNESS.text + "\n")
    put(folder)
    return folder


def walked(folder: Path, commands: str) -> subprocess.CompletedProcess[str]:
    """Run the commands as a person types them at a shell without our software."""
    path = f"{Path(sys.executable).resolve().parent}:/usr/local/bin:/usr/bin:/bin"
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", commands]
    return subprocess.run(command, cwd=folder, env={"PATH": path}, capture_output=True, text=True, check=False)


def test_the_walk_goes_to_its_end(tmp_path: Path, sound: Bundle) -> None:
    ran = walked(received(tmp_path, sound), "".join(WALK))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("Signature Verified Successfully") == 3
    for says in (
        "PROVED: export-",
        "\nasked for: 2026-11-18 to 2026-11-19, table T7; ",
        "\nNOT PROVED: amounts owed",
        "the files are those of the manifests",
        "data/question.json is signed",
        "manifest-sha256.txt is signed",
        "the witness saw it on 2026-11-20 at 04:46:40 UTC",
        "record 5 names record 4",
        "the tree names the last",
    ):
        assert says in ran.stdout, says


@pytest.mark.parametrize("form", ["the line and PEM", "PEM alone"])
def test_the_walk_takes_the_key_in_other_forms(tmp_path: Path, sound: Bundle, form: str) -> None:
    """The key is read as the export has it, and as PEM, by the command the page names for that."""
    folder, both = received(tmp_path, sound), honest().files["data/keys/property.pub"].decode()
    (folder / "property.pub").write_text(both if form == "the line and PEM" else both.partition("\n")[2])
    commands = WALK[2] + WALK[3]
    if form == "PEM alone":
        made = next(line for line in WALK[3].splitlines(keepends=True) if line.startswith("sed -n '1s"))
        (instead,) = re.findall(r"`(openssl pkey -pubin[^`]*)`", (ROOT / "docs/auditors-walk.md").read_text())
        commands = commands.replace(made, instead + "\n")
    ran = walked(folder, commands)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("Signature Verified Successfully") == 1


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
    if int(block) > 4:  # the key is made ready before
        unpack += "".join(line for line in WALK[3].splitlines(keepends=True) if "property.der\n" in line)
    ran = walked(received(tmp_path, bundle), unpack + WALK[int(block) - 1])
    assert ran.returncode != 0
    assert re.search(says, ran.stdout + ran.stderr), ran.stdout + ran.stderr


def test_the_program_knows_itself_and_the_page_that_goes_with_it(sound: Bundle) -> None:
    """Any others in an export may say anything, and are said not to be proved."""
    assert sha256(PAGE.encode()).hexdigest() == verify.HOW_TO
    found = outcome(sound)
    assert "verify.py in the export is this program" in found
    assert "HOW-TO-VERIFY.txt" not in found
    for path, says in (
        ("verify.py", "what verify.py in the export does: it is another program (SHA-256 "),
        ("HOW-TO-VERIFY.txt", "what HOW-TO-VERIFY.txt in the export says: this program knows a different page"),
    ):
        bundle = sound.copy()
        bundle.files[path] += b"# believe it\n"
        assert says in outcome(bundle.listed().signed()).partition("NOT PROVED")[2]
