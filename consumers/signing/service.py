"""The signer: makes the exports that the room requests on a local socket, and signs them with the property's key.

It accepts only a process of the same user, or root. It makes one order at a time, each with the same result as in the
room.
"""

import logging
import os
import socket
import socketserver
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import Final

import msgspec

from consumers.exporting.orders import Shelf
from consumers.local_socket import InTheWayError, make_way, user_at
from consumers.signing.words import (
    LONGEST,
    TROUBLE,
    Answer,
    Ask,
    ExportDone,
    ExportProgress,
    ExportRefused,
    ExportTrouble,
    Forbidden,
    ask_of,
    in_words,
    line,
)
from domain.desk.acting import DeskAct, RefusedError
from domain.desk.roles import ForbiddenError, Person

_LONGEST_PATH: Final = 107  # bytes of the path of a socket
_SILENT_SECONDS: Final = 10  # the time a new connection has for its request
UNREAD_SECONDS: Final = 10.0  # the total time an order waits for a client that does not read
Tell = Callable[[Answer], None]
_LOG = logging.getLogger("catwalk.signer")
_UNFORESEEN: Final = "The signer could not make this export; see the signer's log for the reason."


class SocketError(Exception):
    """A socket that cannot be listened on; the message says why."""


@contextmanager
def serving(path: Path, shelf: Shelf) -> Iterator[None]:
    """Sign what the room requests while this context is open."""
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise SocketError(f"{path} is too long for a socket's path: name a shorter one")
    try:
        make_way(path, f"another signer listens on {path}: run one signer for each record")
    except InTheWayError as error:
        raise SocketError(str(error)) from error
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _Server(path, shelf) as server:
        try:
            Thread(target=server.serve_forever, daemon=True).start()
            yield
            server.shutdown()
        finally:
            path.unlink(missing_ok=True)


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 16

    def __init__(self, path: Path, shelf: Shelf) -> None:
        self.shelf = shelf
        self.alone = Lock()
        before = os.umask(0o177)
        try:
            super().__init__(str(path), _Handler)
        finally:
            os.umask(before)

    def verify_request(self, request: object, client_address: object) -> bool:
        """Whether the other process belongs to our own user or root."""
        return isinstance(request, socket.socket) and user_at(request) in (os.geteuid(), 0)


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        """Answer one request."""
        self.request.settimeout(_SILENT_SECONDS)
        try:
            ask = ask_of(self.rfile.readline(LONGEST))
        except (msgspec.DecodeError, OSError):
            return  # the client was not the room
        self._patience = UNREAD_SECONDS
        server = self.server
        if isinstance(server, _Server):
            with server.alone:
                self._say(_signed(server.shelf, ask, self._say))

    def _say(self, said: Answer) -> None:
        """Report the progress to a client that still reads, without delaying other orders.

        A client that does not read, or is gone, finds the result on the page.
        """
        if self._patience <= 0:
            return
        begun = monotonic()
        try:
            self.request.settimeout(self._patience)
            self.request.sendall(line(said))
            self._patience -= monotonic() - begun
        except OSError:
            self._patience = 0.0


def _signed(shelf: Shelf, ask: Ask, say: Tell) -> Answer:
    """Make and sign an order, and return the answer."""
    try:
        act = DeskAct(ask.person, ask.at, ask.key)
        person = Person(ask.person, ask.roles)
        return ExportDone(shelf.sign(person, act, ask.order, lambda *how_far: say(ExportProgress(*how_far))))
    except RefusedError as error:
        return ExportRefused(error.code, str(error))
    except ForbiddenError as error:
        return Forbidden(error.right)
    except TROUBLE as error:
        return ExportTrouble(in_words(error))
    except Exception:
        _LOG.exception("an export could not be made")
        return ExportTrouble(_UNFORESEEN)
