"""Every file the program writes is its owner's alone, although the shell would let everybody read it."""

import os
import shutil
import signal
import socket
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.gateway.keys import PASSPHRASE_FILE
from consumers.private import TOLD
from consumers.trust.tree_file import newest_head
from tests.room.browser import free_port
from tests.up.running import answers, until
from tests.up.test_only import CATWALK

pytestmark = pytest.mark.xdist_group("house")

LONG = 120.0
SECRET = "a-passphrase-nobody-else-knows"  # noqa: S105 - a test's
EXAMPLES = Path(__file__).parents[2] / "docs/examples"
FILE = """
[record]
data = "pit"
passphrase_file = "passphrase"
[gateway]
socket = "run/pit.sock"
[watch]
[project]
[checkpoint]
every = "1s"
begin = "catwalk/private"
[room]
port = {port}
"""
# What a person asks for besides, each with something it writes.
ASKED = """
keys make watcher W-1 --data pit
checkpoint show --out head.txt --data pit
checkpoint key list --notes --data pit
witness make audit.test --folder audit
simulate --tables 1 --seed 3 --labels labels.jsonl --out day.jsonl
log copy --from-data pit --to-data copied
vault put people.jsonl --data pit
dispute T7 --round 1 --out dispute --data pit
accounts add mara --role manager --password-file given --data pit
"""
# These want a record nobody writes to.
AT_REST = """
vault copy-keys identity-keys.sqlite --data pit
backup --out pit.tar --data pit
restore pit.tar --data again
rebuild --data again
"""


def environment(folder: Path) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CATWALK_", "XDG_"))}
    given = {"CATWALK_KEY_PASSPHRASE_FILE": "passphrase", "CATWALK_ACCOUNT_PASSWORD_FILE": "given"}
    return own | given | {"HOME": str(folder / "home")}


def ran(folder: Path, words: str) -> str:
    """A command under a mask that lets everything through: what it said on the side."""
    before = os.umask(0)
    try:
        command = [word.replace("<", " ") for word in words.split()]
        done = CliRunner().invoke(main, command, env={**environment(folder), TOLD: None})
    finally:
        os.umask(before)
    assert done.exit_code == 0, f"{words}: {done.output}"
    return str(done.stderr)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class House(NamedTuple):
    """The folder where all parts are at work, and the process that started them."""

    folder: Path
    process: int


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Every part of `catwalk up` at work on a round, started under a mask that lets everything through.

    It finds a passphrase and a password in its environment, too.
    """
    tmp_path, port = tmp_path_factory.mktemp("house"), free_port()
    for name, text in (
        ("passphrase", "a-good-one"),
        ("given", "a long enough one"),
        ("up.toml", FILE.format(port=port)),
    ):
        (tmp_path / name).write_text(text)
    (tmp_path / "people.jsonl").write_text('{"player": "p-1", "name": "Jo Doe"}\n')
    (tmp_path / "run").mkdir(mode=0o700)
    said = tmp_path / "said"
    reader = ("sources", "register", "T7-reader", "--table", "T7", "--may", "play", "--user", str(os.getuid()))
    for words in (("ingest", str(EXAMPLES / "openings.jsonl")), reader):
        begun = [*CATWALK, *words, "--data", "pit"]
        subprocess.run(begun, cwd=tmp_path, env=environment(tmp_path), check=True, umask=0, stdout=subprocess.DEVNULL)
    told = environment(tmp_path) | {"CATWALK_KEY_PASSPHRASE": SECRET, "CATWALK_ACCOUNT_PASSWORD": SECRET}
    with said.open("wb") as out:
        up = subprocess.Popen([*CATWALK, "up", "up.toml"], cwd=tmp_path, env=told, stderr=out, stdout=out, umask=0)
    try:
        until((tmp_path / "run/pit.sock").exists, said)
        with socket.socket(socket.AF_UNIX) as device:
            device.connect(str(tmp_path / "run/pit.sock"))
            device.sendall((EXAMPLES / "round.jsonl").read_bytes())
            until((tmp_path / "pit/read/current").exists, said)
        until(lambda: newest_head(tmp_path / "pit/trust/tree.sqlite"), said)
        until(lambda: answers(port), said)
        yield House(tmp_path, up.pid)
    finally:
        up.send_signal(signal.SIGTERM)
        up.wait(LONG)


def too_open(folder: Path, own: set[Path]) -> list[str]:
    """Files below a folder that others may touch, except the test's own; sockets of devices have their own rule."""
    found = []
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if path not in own and not stat.S_ISLNK(mode) and path.name != "pit.sock":
            most = 0o700 if stat.S_ISDIR(mode) else 0o600
            if stat.S_IMODE(mode) & ~most:
                found.append(f"{path.relative_to(folder)} {stat.S_IMODE(mode):04o}")
    return found


def test_no_file_of_any_part_or_command_is_open_to_others(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = house.folder
    monkeypatch.chdir(folder)
    own = {folder / name for name in ("passphrase", "given", "up.toml", "people.jsonl", "run", "said")}
    for words in ASKED.strip().splitlines():
        assert "Warning" not in ran(folder, words), words
    assert len(list((folder / "pit").rglob("*"))) > 20
    assert too_open(folder, own) == []  # while all parts run: side files of databases too
    said = (folder / "said").read_text()
    assert "Warning" not in said


def test_up_tells_parts_that_sign_the_path_of_the_file_and_no_part_a_secret(house: House) -> None:
    found = children(house.process)
    assert len(found) == 4, found
    named = PASSPHRASE_FILE.encode() + b"=" + str(house.folder / "passphrase").encode()
    told = set()
    for process, words in found.items():
        environment = Path(f"/proc/{process}/environ").read_bytes()
        assert SECRET.encode() not in environment, words
        if named in environment:
            told.add(words.split(b"\0")[4])
        else:
            assert b"PASSPHRASE" not in environment, words
    assert told == {b"gateway", b"project", b"checkpoint"}


def children(process: int) -> dict[int, bytes]:
    """The processes that a process has started, with their words."""
    numbers = map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())
    return {number: Path(f"/proc/{number}/cmdline").read_bytes() for number in numbers}


def test_what_wants_a_record_at_rest_writes_for_its_owner_alone_too(tmp_path: Path) -> None:
    own = set()
    for name, text in (("passphrase", "a-good-one"), ("given", "a long enough one")):
        (tmp_path / name).write_text(text)
        own.add(tmp_path / name)
    shutil.copy(EXAMPLES / "openings.jsonl", tmp_path)
    (tmp_path / "people.jsonl").write_text('{"player": "p-1", "name": "Jo Doe"}\n')
    own |= {tmp_path / "openings.jsonl", tmp_path / "people.jsonl"}
    for words in ("ingest openings.jsonl --data pit", "vault put people.jsonl --data pit"):
        ran(tmp_path, words)
    for words in AT_REST.strip().splitlines():
        ran(tmp_path, words)
    assert {"pit.tar", "again", "identity-keys.sqlite"} <= {path.name for path in tmp_path.iterdir()}
    assert too_open(tmp_path, own) == []


def test_a_folder_that_others_may_enter_is_told_with_how_to_close_it(tmp_path: Path) -> None:
    (tmp_path / "passphrase").write_text("a-good-one")
    shutil.copy(EXAMPLES / "openings.jsonl", tmp_path)
    ran(tmp_path, "ingest openings.jsonl --data pit")
    (tmp_path / "pit").chmod(0o755)
    says = "Warning: other users of this machine may enter pit (mode 0755). Close it with: chmod -R go= pit"
    for words in (
        "checkpoint key make catwalk/test --data pit",
        "keys list --data pit",
        "ingest openings.jsonl --data pit",
    ):
        assert ran(tmp_path, words).count(says) == 1, words
    subprocess.run(["chmod", "-R", "go=", "pit"], cwd=tmp_path, check=True)
    assert "Warning" not in ran(tmp_path, "ingest openings.jsonl --data pit")
