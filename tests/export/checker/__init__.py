"""veraPDF, the independent checker of PDF/A and PDF/UA: its jars from Maven Central, each with its hash, and what it says."""

import hashlib
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as ET

from consumers.kafka.jars import BrokerUnavailableError, cache_folder, java, maven

HERE = Path(__file__).parent
_BRIEFLY = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # for some seconds, compiling well costs more than it saves
PROGRAM = "org.verapdf.apps.GreenfieldCliWrapper"
Standard = Literal["3a", "ua1"]


class CheckerUnavailableError(Exception):
    """veraPDF cannot be run here, and what is missing."""


def jars() -> Path:
    """The folder of its jars; every byte is the listed one each time they are used."""
    folder = cache_folder() / "verapdf"
    if _differences(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
            _fetch(Path(fresh))
            if wrong := _differences(Path(fresh) / "libs"):
                raise CheckerUnavailableError(
                    f"Maven brought other jars than tests/export/checker/jars.sha256 lists: {wrong}"
                )
            folder.mkdir(exist_ok=True)
            for jar in (Path(fresh) / "libs").iterdir():
                jar.replace(folder / jar.name)
    return folder


def troubles(files: Sequence[Path], standard: Standard) -> list[str]:
    """A line for each rule and file that breaks the standard; empty if all files keep it."""
    command = [java(), *_BRIEFLY, "-cp", f"{jars()}/*", PROGRAM, "-f", standard, *map(str, files)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        reports = ET.fromstring(told.stdout).findall(".//job")  # noqa: S314 - of a program we checked
    except ET.ParseError as error:
        raise AssertionError(
            f"veraPDF says nothing that can be read: {told.stdout[:500]}{told.stderr[:500]}"
        ) from error
    found = [] if len(reports) == len(files) else [f"{len(reports)} of {len(files)} files were looked at"]
    for job in reports:
        name = Path(job.findtext("./item/name") or "").name
        report = job.find("./validationReport")
        if report is None or report.get("isCompliant") != "true":
            rules = [] if report is None else report.findall(".//rule[@status='failed']")
            found += [f"{name}: {rule.get('clause')} {rule.findtext('description')}" for rule in rules] or [
                f"{name}: unread"
            ]
    return found


def _fetch(folder: Path) -> None:
    (folder / "pom.xml").write_bytes((HERE / "pom.xml").read_bytes())
    goal = ["dependency:copy-dependencies", "-DoutputDirectory=libs", "-DincludeScope=runtime"]
    try:
        command = [maven(), "--quiet", "--batch-mode", "--strict-checksums", *goal]
    except BrokerUnavailableError as error:
        raise CheckerUnavailableError(str(error)) from error
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        lines = [line for line in ran.stdout.splitlines() if "ERROR" in line] or ran.stderr.splitlines()
        raise CheckerUnavailableError(f"Maven could not fetch veraPDF: {(lines or ['it says nothing'])[0]}")


def _differences(folder: Path) -> str:
    """Names of jars that are missing, unexpected or changed."""
    listed = (HERE / "jars.sha256").read_text().splitlines()
    want = {name: digest for digest, name in (line.split("  ", 1) for line in listed)}
    got = {jar.name: hashlib.sha256(jar.read_bytes()).hexdigest() for jar in folder.glob("*.jar")}
    return ", ".join(sorted(name for name in want.keys() | got.keys() if want.get(name) != got.get(name)))
