"""The gateway on a local socket: several devices at once, one loop that writes.

A reader a device puts its lines into one queue; the loop takes what has come, makes it durable in one batch, and
tells each device how many of its lines have been taken.
"""

import queue
import signal
import socket
import threading
from pathlib import Path
from types import FrameType

import msgspec

from consumers.gateway.gateway import Gateway, Line

_QUEUE = 20_000  # a device that sends faster than the record takes has to wait
_BATCH = 2000
_WAIT = 0.2


class _Device:
    """One connection: its lines, and how many of them have been taken."""

    def __init__(self, connection: socket.socket, name: str) -> None:
        self.connection = connection
        self.name = name
        self.taken = 0

    def tell(self) -> None:
        """Says how many lines are on record; a device that is gone is not told."""
        try:
            self.connection.sendall(msgspec.json.encode({"taken": self.taken}) + b"\n")
        except OSError:
            return


Entry = tuple[_Device, Line]


def serve(gateway: Gateway, path: Path) -> None:
    """Listens until the process is asked to end, then takes what has come and returns."""
    ending = threading.Event()

    def end(_: int, __: FrameType | None) -> None:
        ending.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    entries: queue.Queue[Entry] = queue.Queue(_QUEUE)
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(path))
        path.chmod(0o600)
        server.listen()
        server.settimeout(_WAIT)
        acceptor = threading.Thread(target=_accept, args=(server, entries, ending), daemon=True)
        acceptor.start()
        while not ending.is_set():
            _take(gateway, entries)
        acceptor.join()
        while not entries.empty():
            _take(gateway, entries)
    path.unlink(missing_ok=True)


def _accept(server: socket.socket, entries: queue.Queue[Entry], ending: threading.Event) -> None:
    number = 0
    while not ending.is_set():
        try:
            connection, _ = server.accept()
        except TimeoutError:
            continue
        number += 1
        device = _Device(connection, f"socket {number}")
        threading.Thread(target=_read, args=(device, entries, ending), daemon=True).start()


def _read(device: _Device, entries: queue.Queue[Entry], ending: threading.Event) -> None:
    with device.connection.makefile("rb") as file:
        for place, text in enumerate(file, start=1):
            if ending.is_set():
                return
            entries.put((device, Line(device.name, place, text.rstrip(b"\r\n"))))


def _take(gateway: Gateway, entries: queue.Queue[Entry]) -> None:
    """Takes what has come, at most a batch, and tells its devices."""
    try:
        batch = [entries.get(timeout=_WAIT)]
    except queue.Empty:
        return
    while len(batch) < _BATCH:
        try:
            batch.append(entries.get_nowait())
        except queue.Empty:
            break
    gateway.take([line for _, line in batch])
    for device, _ in batch:
        device.taken += 1
    for device in {id(device): device for device, _ in batch}.values():
        device.tell()
