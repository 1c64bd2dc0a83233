"""A bare system in a folder, made from its packages, with the last commit of this project in it."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.citations import ROOT

# Packages needed before the project is there: git and make, and the Python that Debian installs by default.
PACKAGES: Final = "git,make,python3,ca-certificates"
DEBIAN: Final = ("http://deb.debian.org/debian", "main")
UBUNTU: Final = ("http://archive.ubuntu.com/ubuntu", "main,universe")
SUITES: Final = {"bookworm": DEBIAN, "trixie": DEBIAN, "sid": DEBIAN, "noble": UBUNTU, "resolute": UBUNTU}
HOME: Final = "/root/catwalk"
_PASSED_ON: Final = re.compile(
    r"(PIP_(INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|DEFAULT_TIMEOUT)|(https?|no)_proxy)$", re.IGNORECASE
)
_TRUSTED: Final = Path("/etc/ssl/certs/ca-certificates.crt")
_CERTIFICATE: Final = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", re.DOTALL)
# A process list of its own, this machine's devices and network; all that runs in it ends with it.
_ENTER: Final = """
mount -t proc proc "$0/proc"; mount --rbind /sys "$0/sys"; mount --rbind /dev "$0/dev"
mount -t tmpfs tmpfs "$0/dev/shm"
exec chroot "$0" /bin/sh -c "cd $1; $2"
"""


class System:
    """A bare system: where it is, and how a command runs in it."""

    def __init__(self, folder: Path, suite: str, keyring: Path | None = None) -> None:
        """Make the system from the packages of a suite, and clone the project into it."""
        self.folder = folder
        mirror, components = SUITES[suite]
        options = [
            f"--include={PACKAGES}",
            f"--components={components}",
            *([f"--keyring={keyring}"] if keyring else []),
        ]
        _run("mmdebstrap", "--quiet", "--variant=apt", *options, suite, str(folder), mirror)
        _run("cp", "/etc/resolv.conf", "/etc/hosts", str(folder / "etc"))
        self.environment = {name: value for name, value in os.environ.items() if _PASSED_ON.match(name)}
        self.environment |= {"HOME": "/root", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        self._trust_what_is_trusted_here()
        _run("git", "clone", "--quiet", "--no-hardlinks", str(ROOT), f"{folder}{HOME}")

    def _trust_what_is_trusted_here(self) -> None:
        """Install the certificates that this machine trusts and a bare system does not, as behind a proxy."""
        theirs = set(_CERTIFICATE.findall(self._file(_TRUSTED).read_text()))
        ours = _CERTIFICATE.findall(_TRUSTED.read_text()) if _TRUSTED.exists() else []
        more = [each for each in ours if each not in theirs]
        if not more:
            return
        for number, certificate in enumerate(more):
            self._file(Path(f"/usr/local/share/ca-certificates/here-{number}.crt")).write_text(certificate)
        self.run("update-ca-certificates >/dev/null 2>&1")
        self.environment["PIP_CERT"] = str(_TRUSTED)

    def _file(self, path: Path) -> Path:
        return self.folder / path.relative_to("/")

    def start(self, command: str, output: int | None = None) -> "subprocess.Popen[bytes]":
        """Start a shell command in the project's folder; when it is ended, all its processes end."""
        words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-e", "-c", _ENTER]
        place = HOME if self._file(Path(HOME)).exists() else "/"
        return subprocess.Popen([*words, str(self.folder), place, command], env=self.environment, stdout=output)

    def run(self, command: str) -> int:
        """Run a shell command to its end; returns its exit status."""
        return self.start(command).wait()

    def megabytes(self) -> float:
        """The disk that the system takes, in millions of bytes."""
        told = subprocess.run(["du", "-sx", "--block-size=1", self.folder], check=True, capture_output=True, text=True)
        return int(told.stdout.split()[0]) / 1e6


def _run(*words: str, environment: Mapping[str, str] | None = None) -> None:
    subprocess.run(words, check=True, env=environment)
