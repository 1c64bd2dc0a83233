"""The clients that come over the network: other threads accept them, and the gateway's one loop serves them.

Each is one end of a pair of sockets. The other end is with the thread that speaks TLS or HTTP to the client. So the
loop treats a client of the network like any other: the same turns, the same limits, the same acknowledgment.
"""

import queue
import socket
from collections.abc import Iterator
from typing import Protocol

import msgspec

from consumers.gateway.bells import Bell


class Arrival(msgspec.Struct, frozen=True):
    """A new client of the network."""

    end: socket.socket  # the loop's end of the pair
    peer: str  # its origin: "address 10.0.0.5 by TLS"
    greeting: bytes = b""  # a line that proves who it is, taken before its own lines
    answers: bool = False  # whether it gets the result of each line


class Arrivals:
    """The clients that wait for the loop. Any thread may hand over one; only the loop takes them."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Arrival] = queue.SimpleQueue()
        self.bell = Bell()
        self._closed = False

    def hand(self, arrival: Arrival) -> None:
        """Hand a client to the loop."""
        self._waiting.put(arrival)
        if self._closed:
            self._disconnect()
        self.bell.ring()

    def take(self) -> Iterator[Arrival]:
        """Take the clients that wait, in the order of their arrival."""
        self.bell.hear()
        while True:
            try:
                yield self._waiting.get_nowait()
            except queue.Empty:
                return

    def close(self) -> None:
        """Disconnect those that wait, and those that still come."""
        self._closed = True
        self._disconnect()

    def _disconnect(self) -> None:
        for arrival in self.take():
            arrival.end.close()


class Network(Protocol):
    """The ways in over the network, as the loop uses them."""

    arrivals: Arrivals

    def start(self) -> None:
        """Begin to accept clients."""

    def stop(self) -> None:
        """Accept no more clients."""

    def close(self) -> None:
        """Wait until each client has its last answer, for a few seconds at most."""
