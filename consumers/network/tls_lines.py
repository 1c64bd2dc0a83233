"""Lines over TLS: the protocol of the gateway's local socket, for devices on other machines.

This thread only speaks TLS. It copies bytes both ways between the client and the gateway's loop, and copies no faster
than the slower of the two reads. So the loop's limits are the only ones.
"""

import asyncio
import contextlib
import socket
import ssl

from consumers.gateway.arrivals import Arrivals
from consumers.network.listeners import BoundedListener, name_of
from consumers.network.pairs import connected, heard

_PIECE = 1 << 16
_HANDSHAKE_SECONDS = 10.0
_LAST_WORD_SECONDS = 5.0  # for the last line to a client that is disconnected


class LinesOverTls:
    """The clients connected by TLS."""

    def __init__(
        self, listener: BoundedListener, certified: ssl.SSLContext, arrivals: Arrivals, unread_seconds: float
    ) -> None:
        self._unread_seconds = unread_seconds
        self._listener = listener
        self._certified = certified
        self._arrivals = arrivals
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin to accept clients."""
        self._server = await asyncio.start_server(
            self._serve, sock=self._listener, ssl=self._certified, ssl_handshake_timeout=_HANDSHAKE_SECONDS
        )

    def stop(self) -> None:
        """Accept no more clients."""
        if self._server is not None:
            self._server.close()

    async def drain(self) -> None:
        """Wait until each client has its last line; the loop has disconnected them all."""
        if self._clients:
            await asyncio.wait(self._clients)

    async def _serve(self, listens: asyncio.StreamReader, told: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._clients.add(task)
            task.add_done_callback(self._clients.discard)
        with connected(self._arrivals, name_of(told.get_extra_info("peername"), "TLS")) as here:
            sends = asyncio.create_task(_pass_on(listens, here))
            await self._tell(here, told)  # until the loop disconnects the client, which it does after the last line
            sends.cancel()
            await asyncio.wait([sends])
        await _close(told)

    async def _tell(self, here: socket.socket, told: asyncio.StreamWriter) -> None:
        """Pass on what the loop says; a client that has gone, or does not read it, may miss it."""
        there = True
        while piece := await heard(here):
            if not there:
                continue
            told.write(piece)
            try:
                await asyncio.wait_for(told.drain(), self._unread_seconds)
            except (OSError, TimeoutError):
                there = False
                told.transport.abort()


async def _pass_on(listens: asyncio.StreamReader, here: socket.socket) -> None:
    """Pass on what the client sends, and its end."""
    with contextlib.suppress(OSError):
        while piece := await listens.read(_PIECE):
            await asyncio.get_running_loop().sock_sendall(here, piece)
    with contextlib.suppress(OSError):
        here.shutdown(socket.SHUT_WR)


async def _close(told: asyncio.StreamWriter) -> None:
    """Close a connection once its client has read everything, or has had the time."""
    told.close()
    try:
        await asyncio.wait_for(told.wait_closed(), _LAST_WORD_SECONDS)
    except (OSError, TimeoutError):
        told.transport.abort()
