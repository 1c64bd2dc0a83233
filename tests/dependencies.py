"""The packages of `requirements-dev.lock`: each with hashes, nothing else installed, and none with a known vulnerability.

`make check` runs this. Hashes and what is installed are looked at anywhere. Known vulnerabilities are asked of osv.dev in one
request; where that cannot be reached they are not looked for, which is said and is no failure. Without a network,
ADVISORIES names a copy of the Python Packaging Advisory Database (github.com/pypa/advisory-database).
"""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import click
import yaml
from packaging.markers import Marker
from packaging.version import InvalidVersion, Version

from tests.citations import ROOT

LOCK = "requirements-dev.lock"  # all of `requirements.lock` is in it
SERVICE = "https://api.osv.dev/v1/querybatch"
SECONDS = 10
# What makes a virtual environment and a lock, and the project itself: not locked, and not what runs.
TOOLS = frozenset({"pip", "setuptools", "wheel", "uv", "catwalk"})
# Known vulnerabilities that do not reach us: the advisory, and why.
ACCEPTED: Mapping[str, str] = {}

_PACKAGE = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)(?:\s*;\s*([^\\\n]+))?", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")


class UnreachableError(Exception):
    """An error that names why vulnerabilities could not be looked up."""


def plain(name: str) -> str:
    """A package's name as the index writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(text: str) -> dict[str, tuple[str, int]]:
    """The packages of a lock file that this Python on this machine needs: version, and how many hashes there are."""
    starts = list(_PACKAGE.finditer(text))
    ends = [start.start() for start in starts[1:]] + [len(text)] * bool(starts)
    return {
        plain(start[1]): (start[2], len(_HASH.findall(text[start.start() : end])))
        for start, end in zip(starts, ends, strict=True)
        if start[3] is None or Marker(start[3].strip()).evaluate()
    }


def installed() -> dict[str, str]:
    """Packages installed in this environment."""
    return {plain(one.metadata["Name"]): one.version for one in metadata.distributions()}


def troubles(lock: Mapping[str, tuple[str, int]], here: Mapping[str, str]) -> Iterator[str]:
    """Each difference between lock and environment, and each package that could be replaced unnoticed."""
    if not lock:
        yield "requirements-dev.lock names no package"
    for name, (version, hashes) in lock.items():
        if not hashes:
            yield f"{name} {version} has no hash in requirements-dev.lock: run make lock"
        if name not in here:
            yield f"{name} {version} is locked and not installed: run make setup"
        elif here[name] != version:
            yield f"{name} {here[name]} is installed and {version} is locked: run make setup"
    for name in sorted(here.keys() - lock.keys() - TOOLS):
        yield f"{name} {here[name]} is installed and not in requirements-dev.lock: add it to pyproject.toml, or remove it"


def asked(lock: Mapping[str, tuple[str, int]], service: str = SERVICE) -> dict[str, list[str]]:
    """The advisories for each package, from the service."""
    names = list(lock)
    queries = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": lock[name][0]} for name in names]
    request = urllib.request.Request(  # noqa: S310 - the address stands above
        service, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
            results = json.load(answer)["results"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnreachableError(f"{service}: {error}") from error
    if not isinstance(results, list) or len(results) != len(names):
        raise UnreachableError(f"{service}: it did not answer about all {len(names)} packages")
    return {name: [each["id"] for each in found.get("vulns", [])] for name, found in zip(names, results, strict=True)}


def read(lock: Mapping[str, tuple[str, int]], folder: Path) -> dict[str, list[str]]:
    """The advisories for each package, from a copy of the advisory database."""
    if not (folder / "vulns").is_dir():
        raise UnreachableError(f"{folder} is no copy of the advisory database: it has no folder vulns")
    return {
        name: [
            advisory["id"]
            for file in sorted((folder / "vulns" / name).glob("*.yaml"))
            for advisory in [yaml.safe_load(file.read_text(encoding="utf-8"))]
            if "withdrawn" not in advisory and _concerns(advisory, name, version)
        ]
        for name, (version, _) in lock.items()
    }


def _concerns(advisory: Mapping[str, Any], name: str, version: str) -> bool:
    for affected in advisory["affected"]:
        if plain(affected["package"]["name"]) != name:
            continue
        if version in map(str, affected.get("versions", ())):
            return True
        if any(_within(each["events"], version) for each in affected.get("ranges", ()) if each["type"] == "ECOSYSTEM"):
            return True
    return False


def _within(events: list[Mapping[str, Any]], version: str) -> bool:
    """Whether a version lies in a range: behind an `introduced` with no `fixed` between, or up to a `last_affected`."""
    here, inside = _version(version), False
    for event in events:
        [(kind, at)] = event.items()
        place = _version(str(at))
        if kind == "introduced" and here >= place:
            inside = True
        elif (kind == "fixed" and here >= place) or (kind == "last_affected" and here > place):
            inside = False
    return inside


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0")


@click.command()
@click.option("--advisories", type=click.Path(file_okay=False, path_type=Path), help="A copy of the advisory database.")
@click.option("--lock", type=click.Path(path_type=Path), default=ROOT / LOCK, help="The lock file.")
@click.option("--service", default=SERVICE, help="Whom to ask about vulnerabilities.")
def main(advisories: Path | None, lock: Path, service: str) -> None:
    """Check the locked packages; status 1 says what is wrong, a line each."""
    packages = locked(lock.read_text(encoding="utf-8"))
    wrong = list(troubles(packages, installed()))
    try:
        found = read(packages, advisories) if advisories else asked(packages, service)
    except UnreachableError as error:
        click.echo(f"{len(packages)} packages were not looked up for known vulnerabilities: {error}", err=True)
        found = {}
    for name, advisory in ((name, each) for name, several in found.items() for each in several):
        if advisory not in ACCEPTED:
            wrong.append(f"{name} {packages[name][0]} has a known vulnerability, {advisory}: take a newer version")
    for line in wrong:
        click.echo(line)
    if wrong:
        raise SystemExit(1)
    if found:
        click.echo(f"{len(found)} packages have no known vulnerability", err=True)


if __name__ == "__main__":
    main()
