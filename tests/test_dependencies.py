"""The check of the locked packages: what it refuses, and what it says where nobody can be asked."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.citations import ROOT
from tests.dependencies import ACCEPTED, installed, locked, main, troubles

LOCK = (ROOT / "requirements-dev.lock").read_text()
RUNS = (ROOT / "requirements.lock").read_text()
HASH = "--hash=sha256:" + "0" * 64
# the lock file | what is installed | what is said
DIFFERENCES = """
click==8.1 H      | click 8.1           |
click==8.1 H      | click 8.1, pip 23   |
click==8.1        | click 8.1           | click 8.1 has no hash
click==8.1 H      |                     | click 8.1 is locked and not installed
click==8.1 H      | click 8.2           | click 8.2 is installed and 8.1 is locked
click==8.1 H      | click 8.1, evil 1   | evil 1 is installed and not in requirements-dev.lock
Zope_x==1 H       | zope.x 1            |
click==8.1 ; python_version < '3' \\ H | pip 23 | requirements-dev.lock names no package
nothing           | pip 23              | requirements-dev.lock names no package
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in DIFFERENCES.strip().splitlines()]


@pytest.mark.parametrize(("lock", "here", "says"), ROWS, ids=[" ".join(row[:2]) for row in ROWS])
def test_lock_and_environment_agree(lock: str, here: str, says: str) -> None:
    """Every departure is one sentence."""
    there = dict(each.split() for each in here.replace(".x", "-x").split(", ") if each)
    found = list(troubles(locked(lock.replace("H", HASH)), there))
    assert len(found) == bool(says), found
    assert all(one.startswith(says) for one in found)


def test_every_locked_package_has_a_hash_and_nothing_else_is_installed() -> None:
    """The real lock file, in the environment the tests run in."""
    found = locked(LOCK)
    assert len(found) > 50
    assert list(troubles(found, installed())) == []
    assert not [line for line in LOCK.splitlines() if not line.startswith("    ") and "==" not in line]


def test_what_runs_is_a_part_of_what_is_tested_in_the_same_versions() -> None:
    """And it is less: no test tool, no broker's client of another language, no browser."""
    runs, tested = locked(RUNS), locked(LOCK)
    assert {name: tested.get(name) for name in runs} == runs
    assert not {"pytest", "mypy", "playwright", "numba", "hypothesis"} & runs.keys()


def test_what_installs_is_uv_alone_with_its_hashes() -> None:
    """`.ci/setup` fetches it before anything else."""
    text = (ROOT / "requirements-setup.lock").read_text()
    assert locked(text).keys() == {"uv"}
    assert locked(text)["uv"][1]
    assert "--require-hashes" in (ROOT / ".ci/setup").read_text()


def test_what_is_accepted_has_a_reason() -> None:
    assert all(reason.strip() for reason in ACCEPTED.values())


@contextmanager
def service(answer: bytes, status: int = 200) -> Iterator[tuple[str, list[bytes]]]:
    """A server that answers like osv.dev, and the questions it received."""
    heard: list[bytes] = []

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def ran(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def answers(**found: list[str]) -> bytes:
    """The service's answer for every locked package."""
    return json.dumps(
        {
            "results": [
                {"vulns": [{"id": each} for each in found[name]]} if name in found else {} for name in locked(LOCK)
            ]
        }
    ).encode()


def test_a_known_vulnerability_fails_the_check() -> None:
    with service(answers(click=["PYSEC-2026-1"])) as (address, heard):
        done = ran("--service", address)
    version = locked(LOCK)["click"][0]
    assert done.exit_code == 1
    assert done.stdout == f"click {version} has a known vulnerability, PYSEC-2026-1: take a newer version\n"
    [asked] = [json.loads(each)["queries"] for each in heard]
    assert {"package": {"name": "click", "ecosystem": "PyPI"}, "version": version} in asked


def test_no_known_vulnerability_passes() -> None:
    with service(answers()) as (address, _):
        done = ran("--service", address)
    assert done.exit_code == 0
    assert done.stderr == f"{len(locked(LOCK))} packages have no known vulnerability\n"


UNREACHABLE = [("an error", b"", 503), ("no JSON", b"<html>", 200), ("too few answers", b'{"results":[{}]}', 200),
               ("another form", b"[]", 200), ("nothing", b'{"results":null}', 200)]  # fmt: skip


@pytest.mark.parametrize(("_what", "answer", "status"), UNREACHABLE, ids=[row[0] for row in UNREACHABLE])
def test_who_gives_no_answer_passes_for_no_clean_bill(_what: str, answer: bytes, status: int) -> None:
    """A missing answer is reported, and is no failure."""
    with service(answer, status) as (address, _):
        done = ran("--service", address)
    assert done.exit_code == 0
    assert "packages were not looked up for known vulnerabilities" in done.stderr
    assert "no known vulnerability" not in done.output


def test_no_network_is_said_and_is_no_failure() -> None:
    done = ran("--service", "http://127.0.0.1:9/")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "were not looked up for known vulnerabilities" in done.stderr


ADVISORY = """\
id: PYSEC-2026-2
affected:
- package: {{ecosystem: PyPI, name: Click}}
  ranges:
  - type: ECOSYSTEM
    events: {events}
  versions: {versions}
{more}
"""
# the events | versions named | anything else | found
ADVISORIES = """
[{introduced: "0"}]                        | []        |                | yes
[{introduced: "0"}, {fixed: "1000"}]       | []        |                | yes
[{introduced: "0"}, {fixed: "0.1"}]        | []        |                |
[{introduced: "1000"}]                     | []        |                |
[{introduced: "0"}, {last_affected: "0.1"}] | []       |                |
[{introduced: "1000"}]                     | [VERSION] |                | yes
[{introduced: "0"}]                        | []        | withdrawn: now |
"""


@pytest.mark.parametrize("row", ADVISORIES.strip().splitlines())
def test_a_copy_of_the_advisory_database_is_read(row: str, tmp_path: Path) -> None:
    events, versions, more, found = (cell.strip() for cell in row.split("|"))
    folder = tmp_path / "vulns/click"
    folder.mkdir(parents=True)
    text = ADVISORY.format(
        events=events, versions=versions.replace("VERSION", f'"{locked(LOCK)["click"][0]}"'), more=more
    )
    (folder / "PYSEC-2026-2.yaml").write_text(text)
    done = ran("--advisories", str(tmp_path))
    assert done.exit_code == (1 if found else 0), done.output
    assert ("PYSEC-2026-2" in done.stdout) == bool(found)


@pytest.mark.parametrize(
    ("line", "status"), [("import yaml, sys; yaml.load(sys.stdin)", 1), ("import sys; sys.stdin.read()", 0)]
)
def test_bandit_as_configured_still_finds_what_ruff_is_not_asked(line: str, status: int, tmp_path: Path) -> None:
    """Skipping what ruff looks at leaves the rest on."""
    (tmp_path / "one.py").write_text(f"{line}\n")
    command = [sys.executable, "-m", "bandit", "--quiet", "--configfile", str(ROOT / "pyproject.toml")]
    done = subprocess.run([*command, str(tmp_path / "one.py")], capture_output=True, check=False)
    assert done.returncode == status, done.stdout
