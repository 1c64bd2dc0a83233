"""The gateway on a local socket: several devices at once, one loop that writes.

A reader a device puts its lines into one queue; the loop takes what has come, makes it durable in one batch, and
tells each device how many of its lines have been taken. The loop never waits for a device: one that does not listen
is told later, by a count that says all it has missed.
"""

import contextlib
import os
import queue
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import msgspec

from consumers.gateway.gateway import LONGEST, QUIET, Gateway, Line, says_something

_QUEUE = 20_000  # a device that sends faster than the record takes has to wait
_BATCH = 2000
_WAIT = 0.2
# What has no end within this is cut and kept as it is: a device that never ends its line would fill the memory.
_PIECE = 4 * LONGEST


class SocketTroubleError(Exception):
    """A path that cannot be listened on: why, and what to do."""


class _Device:
    """One connection: its lines, how many of them have been taken, and what it has still to hear of that."""

    def __init__(self, connection: socket.socket, name: str) -> None:
        self.connection = connection
        self.name = name
        self.taken = 0
        self._told = 0
        self._rest = b""

    def tell(self) -> bool:
        """Says how many lines are on record; False while the device has not room for it."""
        while self._rest or self._told < self.taken:
            if not self._rest:
                self._rest, self._told = msgspec.json.encode({"taken": self.taken}) + b"\n", self.taken
            try:
                self._rest = self._rest[self.connection.send(self._rest, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                return False
            except OSError:
                return True  # a device that is gone is not told
        return True


class _Entry(NamedTuple):
    device: _Device
    line: Line
    ends: bool  # a piece of a line that is not its last counts for nothing


def serve(gateway: Gateway, path: Path, heard: Callable[[], None]) -> None:
    """Listens until the process is asked to end, then takes what has come and returns; `heard` is told it listens."""
    ending = threading.Event()

    def end(_: int, __: FrameType | None) -> None:
        ending.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    entries: queue.Queue[_Entry] = queue.Queue(_QUEUE)
    behind: set[_Device] = set()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        _listen(server, path)
        heard()
        acceptor = threading.Thread(target=_accept, args=(server, entries, ending), daemon=True)
        acceptor.start()
        while not ending.is_set():
            behind = _tell(_take(gateway, entries) | behind)
            gateway.seal_quiet(QUIET)
        acceptor.join()
        while not entries.empty():
            behind = _tell(_take(gateway, entries) | behind)
        gateway.seal_quiet()
    path.unlink(missing_ok=True)


def _listen(server: socket.socket, path: Path) -> None:
    unheard = Path(f"{path}~")
    try:
        _make_way(path)
        _make_way(unheard)
        server.bind(str(unheard))
        unheard.chmod(0o600)
        server.listen()
        unheard.rename(path)  # who sees the socket is not refused
    except OSError as error:
        raise SocketTroubleError(f"nobody can listen on {path}: {error.strerror or error}") from error
    server.settimeout(_WAIT)


def _make_way(path: Path) -> None:
    """Removes a socket that a gateway left when it was killed; what is anything else is somebody's, and stays."""
    if not os.path.lexists(path):
        return
    if not path.is_socket():
        raise SocketTroubleError(f"{path} is there and is no socket: name another path")
    with socket.socket(socket.AF_UNIX) as asking, contextlib.suppress(ConnectionRefusedError):
        asking.settimeout(_WAIT)
        with contextlib.suppress(TimeoutError):
            asking.connect(str(path))
        raise SocketTroubleError(f"another gateway listens on {path}: stop it first, or name another path")
    path.unlink()


def _accept(server: socket.socket, entries: queue.Queue[_Entry], ending: threading.Event) -> None:
    number = 0
    while not ending.is_set():
        try:
            connection, _ = server.accept()
        except TimeoutError:
            continue
        except OSError:
            ending.wait(_WAIT)  # no more connections than the system has: those that end make room
            continue
        number += 1
        device = _Device(connection, f"socket {number}")
        threading.Thread(target=_read, args=(device, entries, ending), daemon=True).start()


def _read(device: _Device, entries: queue.Queue[_Entry], ending: threading.Event) -> None:
    # A device that hangs up without hearing what it was told is an error here, and none to us.
    with contextlib.suppress(ConnectionError), device.connection.makefile("rb") as file:
        place = 1
        while (text := file.readline(_PIECE)) and not ending.is_set():
            ends = text.endswith(b"\n") or len(text) < _PIECE
            entries.put(_Entry(device, Line(device.name, place, text.rstrip(b"\r\n")), ends))
            place += ends


def _take(gateway: Gateway, entries: queue.Queue[_Entry]) -> set[_Device]:
    """Takes what has come, at most a batch; the devices it came from."""
    try:
        batch = [entries.get(timeout=_WAIT)]
    except queue.Empty:
        return set()
    while len(batch) < _BATCH:
        try:
            batch.append(entries.get_nowait())
        except queue.Empty:
            break
    gateway.take([entry.line for entry in batch if says_something(entry.line.stored)])
    for entry in batch:
        entry.device.taken += entry.ends
    return {entry.device for entry in batch}


def _tell(devices: set[_Device]) -> set[_Device]:
    """Tells these devices what has been taken of theirs; those that have to be told later."""
    return {device for device in devices if not device.tell()}
