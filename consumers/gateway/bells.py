"""A bell that another thread rings to wake the gateway's loop."""

import contextlib
import socket


class Bell:
    """The loop waits for the bell as for any socket."""

    def __init__(self) -> None:
        self._here, self._there = socket.socketpair()
        for end in (self._here, self._there):
            end.setblocking(False)

    def fileno(self) -> int:
        """Return the file that the loop waits for."""
        return self._here.fileno()

    def ring(self) -> None:
        """Wake the loop, from any thread."""
        with contextlib.suppress(OSError):  # it rings already, or the loop has ended
            self._there.send(b"\0")

    def hear(self) -> None:
        """Let the bell be still until it rings again."""
        with contextlib.suppress(BlockingIOError):
            self._here.recv(4096)
