"""Apache Kafka's jars from Maven Central, and the Java that runs them; each is fetched only if missing."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from importlib import resources
from pathlib import Path
from typing import Final

_DEBIAN: Final = {"java": "default-jre-headless", "mvn": "maven"}
_CHECKOUT: Final = Path(__file__).parents[2]


class BrokerUnavailableError(Exception):
    """A broker that cannot run here; the message says what is missing."""


def cache_folder() -> Path:
    """`.kafka` of the checkout; for an installed package, the user's cache."""
    if (_CHECKOUT / "pyproject.toml").is_file():
        return _CHECKOUT / ".kafka"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "catwalk/kafka"


def java() -> str:
    """The `java` command; as root on Debian, it is installed if missing."""
    return _tool("java")


def maven() -> str:
    """The `mvn` command; as root on Debian, it is installed if missing."""
    return _tool("mvn")


def libs() -> Path:
    """The folder of Kafka's jars; every byte is checked against jars.sha256 when they are fetched."""
    folder = cache_folder() / "libs"
    listed = resources.files("consumers.kafka").joinpath("jars.sha256").read_text()
    stamp = folder / "jars.sha256"
    if stamp.is_file() and stamp.read_text() == listed:
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
        _fetch(Path(fresh))
        wrong = _differences(Path(fresh) / "libs", listed)
        if wrong:
            raise BrokerUnavailableError(f"Maven's jars differ from consumers/kafka/jars.sha256: {wrong}.")
        (Path(fresh) / "libs/jars.sha256").write_text(listed)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            (Path(fresh) / "libs").rename(folder)
        except OSError:
            # Another process was faster; its jars passed the same check.
            if not stamp.is_file():
                raise
    return folder


def _fetch(folder: Path) -> None:
    """Fetch the jars of pom.xml into `folder`/libs."""
    pom = resources.files("consumers.kafka").joinpath("pom.xml").read_text()
    (folder / "pom.xml").write_text(pom)
    goal = ["dependency:copy-dependencies", "-DoutputDirectory=libs", "-DincludeScope=runtime"]
    ran = subprocess.run(  # noqa: S603 - the command has no outside input
        [maven(), "--quiet", "--batch-mode", "--strict-checksums", *goal],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        lines = [line for line in ran.stdout.splitlines() if "ERROR" in line] or ran.stderr.splitlines()
        raise BrokerUnavailableError(f"Maven could not fetch Kafka: {(lines or ['no message'])[0]}")


def _differences(folder: Path, listed: str) -> str:
    """Names of jars that are missing, unexpected or changed."""
    want = {name: digest for digest, name in (line.split("  ", 1) for line in listed.splitlines())}
    got = {jar.name: hashlib.sha256(jar.read_bytes()).hexdigest() for jar in folder.glob("*.jar")}
    return ", ".join(sorted(name for name in want.keys() | got.keys() if want.get(name) != got.get(name)))


def _tool(name: str) -> str:
    """The path of a command; as root on Debian, its package is installed first if missing."""
    found = shutil.which(name)
    if found:
        return found
    package = _DEBIAN[name]
    if os.geteuid() == 0 and (apt := shutil.which("apt-get")):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for arguments in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", package]):
            subprocess.run([apt, *arguments], env=quiet, capture_output=True, check=False)  # noqa: S603
        if found := shutil.which(name):
            return found
        raise BrokerUnavailableError(f"{name} is missing and apt-get could not install {package}.")
    raise BrokerUnavailableError(f"{name} is missing. As root on Debian: apt-get install {package}")
