"""The signer's socket: what the room asks is made there, what may not be is refused as in the room, and junk is no harm."""

import os
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from consumers.gateway.keys import PASSPHRASE, PASSPHRASE_FILE
from consumers.room import ExportAsked, ForbiddenError, NoExportError, RefusedError, Room, RoomVisit, opened
from consumers.signing import service
from consumers.signing.service import SocketError, serving
from consumers.signing.words import Ask, line
from domain.desk.roles import Person
from tests.room.conftest import checkpointed
from tests.up.test_only import CATWALK

pytestmark = pytest.mark.xdist_group("record")

LONG = 60.0
HAND = ExportAsked(hand="T1/2026-11-18:2", recipient="The board", purpose="a dispute")
MARA = RoomVisit(Person("mara", ("manager",)), "m")
ADAM = RoomVisit(Person("adam", ("auditor",)), "a")
IVAN = RoomVisit(Person("ivan", ("investigator",)), "i")


@pytest.fixture(scope="module")
def pit(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record with a checkpoint, and the passphrase of its keys in a file."""
    return checkpointed(record, tmp_path_factory.mktemp("signer"))


@contextmanager
def signer(pit: Path, socket_file: Path) -> Iterator[None]:
    """The command, listening."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("CATWALK")}
    words = [*CATWALK, "signer", "--data", str(pit), "--socket", str(socket_file)]
    process = subprocess.Popen(words, env={**bare, PASSPHRASE_FILE: str(pit / "passphrase")}, stderr=subprocess.PIPE)
    try:
        end = time.monotonic() + LONG
        while not listens(socket_file):
            assert time.monotonic() < end
            assert process.poll() is None
            time.sleep(0.05)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONG) == 0
        if process.stderr is not None:
            process.stderr.close()


def listens(path: Path) -> bool:
    """Whether a process answers on a socket."""
    with socket.socket(socket.AF_UNIX) as line:
        return line.connect_ex(str(path)) == 0


def room_of(pit: Path, socket_file: Path) -> Room:
    """The room as `catwalk up` opens it: it knows the socket, and no passphrase."""
    return opened({"CATWALK_DATA": str(pit), "CATWALK_SIGNER": str(socket_file)}).room


def test_the_signer_makes_what_another_ordered_and_refuses_what_the_room_would_refuse(
    pit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (PASSPHRASE, PASSPHRASE_FILE):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "signer.sock"
    room = room_of(pit, path)
    order = room.order_export(MARA, "order", HAND).order
    told: list[object] = []
    with pytest.raises(NoExportError, match=r"start it with a section \[signer\]"):
        room.sign_export(ADAM, order, "first", told.append)
    with signer(pit, path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with pytest.raises(RefusedError, match="another person has to sign"):
            room.sign_export(MARA, order, "own", told.append)
        with pytest.raises(ForbiddenError):
            room.sign_export(IVAN, order, "no right", told.append)
        for junk in (b"", b"\n", b"{}\n", b'{"order": 7}\n', b"\xff" * 70_000 + b"\n"):
            with socket.socket(socket.AF_UNIX) as line:
                line.connect(str(path))
                try:
                    line.sendall(junk)
                    line.shutdown(socket.SHUT_WR)
                    assert line.recv(100) == b""
                except (BrokenPipeError, ConnectionResetError):
                    pass  # it did not read all of that
        made = room.sign_export(ADAM, order, "signs", told.append)
        assert made.facts > 0
        assert any("streams" in str(each) for each in told)
        with pytest.raises((NoExportError, RefusedError), match=r"already|signed"):
            room.sign_export(ADAM, order, "again", told.append)
        assert room.export_taken(ADAM, order) == (pit / "exports" / f"{made.name}.tar").read_bytes()
    assert not path.exists()


def test_a_second_signer_and_a_path_that_cannot_be_are_told_and_a_dead_ones_socket_is_taken_over(
    pit: Path, tmp_path: Path
) -> None:
    path = tmp_path / "signer.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with signer(pit, path):
        assert ended(pit, path) == (2, f"Error: another signer listens on {path}: run one signer for each record.")
    shelf = room_of(pit, path).shelf
    assert shelf is not None
    (tmp_path / "file").write_text("somebody's")
    for wrong, says in (("x" * 120, "is too long"), ("file", "is not a socket")):
        with pytest.raises(SocketError, match=says), serving(tmp_path / wrong, shelf):
            pass
    assert (tmp_path / "file").read_text() == "somebody's"


class Talking:
    """A shelf whose orders say more than a socket holds, and then are refused."""

    def sign(self, *asked: Any) -> None:
        """Print its words, and refuse."""
        for number in range(2_000):
            asked[3]("streams " + "and more " * 100, number, 2_000, number)
        raise RefusedError("closed", f"{asked[2]} was said.")


def ask(path: Path, order: str) -> socket.socket:
    """A client that asks, and reads nothing yet."""
    asking = socket.socket(socket.AF_UNIX)
    asking.settimeout(LONG)
    asking.connect(str(path))
    asking.sendall(line(Ask(order, "adam", ("auditor",), 1, order)))
    return asking


def test_a_room_that_reads_no_answer_keeps_nobody_else_from_an_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signer stops telling them how far it is, and the next order's turn comes."""
    monkeypatch.setattr(service, "UNREAD_SECONDS", 0.5, raising=False)
    path = tmp_path / "signer.sock"
    with serving(path, Talking()), ask(path, "deaf"):  # type: ignore[arg-type]
        time.sleep(0.1)
        begun = time.monotonic()
        with ask(path, "heard") as heard, heard.makefile("rb") as answers:
            *told, last = list(answers)
    assert b"heard was said." in last
    assert len(told) == 2_000
    assert time.monotonic() - begun < LONG / 4


def ended(pit: Path, path: Path) -> tuple[int, str]:
    """The words and the status of a signer that cannot start."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("CATWALK")}
    bare[PASSPHRASE_FILE] = str(pit / "passphrase")
    words = [*CATWALK, "signer", "--data", str(pit), "--socket", str(path)]
    done = subprocess.run(words, env=bare, capture_output=True, text=True, timeout=LONG, check=False)
    return done.returncode, " ".join(done.stderr.split())
