"""A gateway on a socket, an honest client of it that counts, and attackers beside it."""

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.gateway import hostile
from tests.gateway.admitted import begin, table_sources
from tests.gateway.floor import day, lines
from tests.gateway.hostile import connected
from tests.gateway.nursery import Forked, Nursery

ANSWER_SECONDS = 10  # a hundred times what an answer takes beside other work; the old code's were minutes
END_SECONDS = 5
MORE_MEGABYTES = 128  # than at rest: what docs/operations.md promises

Start = Callable[..., Forked]


@pytest.fixture
def start(nursery: Nursery, tmp_path: Path) -> Iterator[Start]:
    """Start a gateway; in the end each one ends when asked, in time and without a word of complaint."""
    begin(tmp_path / "pit", "hostile", *table_sources("T7", "T8", "T9"))
    started: list[Forked] = []

    def one(*options: object) -> Forked:
        (tmp_path / "sock").unlink(missing_ok=True)
        gateway = nursery.start("gateway", "--data", tmp_path / "pit", "--socket", tmp_path / "sock", *options)
        started.append(gateway)
        while not (tmp_path / "sock").exists():
            assert gateway.wait(0) is None, gateway.told.read_text()
            time.sleep(0.01)
        return gateway

    yield one
    for gateway in started:
        if gateway.wait(0) is None:
            gateway.ask_to_end()
            assert gateway.wait(END_SECONDS) == 0
        assert "Traceback" not in gateway.told.read_text()


class Client:
    """A client that counts, and listens when it likes."""

    def __init__(self, folder: Path) -> None:
        self.socket = connected(str(folder / "sock"))
        self.socket.settimeout(ANSWER_SECONDS)
        self.heard = self.socket.makefile("rb")
        self.taken = 0
        self.closed = ""

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.heard.close()
        self.socket.close()

    def sends(self, sent: bytes) -> None:
        self.socket.sendall(sent)

    def hears(self) -> bool:
        """Listens to one line; False at the end."""
        with suppress(ConnectionError):
            if said := self.heard.readline():
                told = json.loads(said)
                self.taken = told.get("taken", self.taken)
                self.closed = told.get("closed", "")
                return True
        return False

    def hears_until(self, count: int) -> None:
        while self.taken < count:
            assert self.hears(), f"hung up on after {self.taken} lines: {self.closed}"

    def hears_out(self) -> str:
        """Listen until disconnected, and return the reason received."""
        while self.hears():
            pass
        return self.closed

    def talks(self, said: Sequence[bytes]) -> None:
        """Line after line, each when the one before it was answered."""
        for line in said:
            self.sends(line + b"\n")
            self.hears_until(self.taken + 1)


@contextmanager
def sending(client: Client, sent: bytes) -> Iterator[None]:
    """Send all of it meanwhile, and stop when disconnected."""

    def send() -> None:
        with suppress(OSError):
            client.socket.sendall(sent)

    thread = threading.Thread(target=send)
    thread.start()
    yield
    thread.join(60)
    assert not thread.is_alive()


@contextmanager
def attacked(folder: Path, *names: str) -> Iterator[None]:
    """All these attacks at once, by a process of their own."""
    attackers = subprocess.Popen([sys.executable, hostile.__file__, str(folder / "sock"), *names])
    time.sleep(0.5)
    try:
        yield
        assert attackers.poll() is None, "the attackers gave up"
    finally:
        attackers.kill()
        attackers.wait()


def letters(nursery: Nursery, folder: Path) -> list[str]:
    status, said = nursery.run("dead-letters", "list", "--data", folder / "pit")
    assert status == 0, said
    return said.splitlines()


def honest() -> list[bytes]:
    return lines(day())


def memory(gateway: Forked, which: str) -> int:
    """Megabytes."""
    found = re.search(rf"{which}:\s+(\d+)", Path(f"/proc/{gateway.pid}/status").read_text())
    assert found
    return int(found[1]) // 1000


DAY = {"T7/2026-11-18": honest()}
