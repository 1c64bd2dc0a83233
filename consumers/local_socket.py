"""Local sockets: free the path of a socket that a dead process left, and identify the connected user."""

import os
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

_PEER: Final = struct.Struct("3i")  # the process, the user and the group at the other end
_WAIT_SECONDS: Final = 0.2  # for a listener there to accept a connection


class InTheWayError(Exception):
    """A file in the way of a socket; the message says which."""


def make_way(path: Path, taken: str) -> None:
    """Remove a socket that a killed process left; raise an error for anything else, `taken` for a live socket."""
    if not os.path.lexists(path):
        return
    if not path.is_socket():
        raise InTheWayError(f"{path} exists and is not a socket: name another path")
    with socket.socket(socket.AF_UNIX) as asking, suppress(ConnectionRefusedError):
        asking.settimeout(_WAIT_SECONDS)
        with suppress(TimeoutError):
            asking.connect(str(path))
        raise InTheWayError(taken)
    path.unlink()


def user_at(connection: socket.socket) -> int:
    """Return the user whose process is at the other end, as the operating system reports it."""
    return int(_PEER.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))[1])
