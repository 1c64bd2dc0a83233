"""The pair of sockets between a client of the network and the gateway's loop."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from consumers.gateway.arrivals import Arrival, Arrivals

_PIECE = 1 << 16


@contextmanager
def connected(
    arrivals: Arrivals, peer: str, greeting: bytes = b"", *, answers: bool = False
) -> Iterator[socket.socket]:
    """Hand a client to the loop and return this thread's end of the pair."""
    here, there = socket.socketpair()
    with here:
        here.setblocking(False)
        arrivals.hand(Arrival(there, peer, greeting, answers=answers))
        yield here


async def heard(here: socket.socket) -> bytes:
    """Return what the loop says next; nothing if it has disconnected the client, with or without unread lines."""
    try:
        return await asyncio.get_running_loop().sock_recv(here, _PIECE)
    except ConnectionError:
        return b""
