"""Local sockets that a part listens on: its path is free, or only a dead part's socket is there; and who connects."""

import os
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

_PEER: Final = struct.Struct("3i")  # the process, the user and the group at the other end
_WAIT_SECONDS: Final = 0.2  # for whoever listens there to take a connection


class InTheWayError(Exception):
    """What stands where a socket is to be: a sentence."""


def make_way(path: Path, taken: str) -> None:
    """Remove a socket that a part left when it was killed; anything else stays, and `taken` says that one listens."""
    if not os.path.lexists(path):
        return
    if not path.is_socket():
        raise InTheWayError(f"{path} is there and is no socket: name another path")
    with socket.socket(socket.AF_UNIX) as asking, suppress(ConnectionRefusedError):
        asking.settimeout(_WAIT_SECONDS)
        with suppress(TimeoutError):
            asking.connect(str(path))
        raise InTheWayError(taken)
    path.unlink()


def user_at(connection: socket.socket) -> int:
    """Return the user whose process is at the other end, as the operating system knows it."""
    return int(_PEER.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))[1])
