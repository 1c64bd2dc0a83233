"""Serve any number of clients on a local socket: one loop, short turns, bounded memory.

One thread does everything, turn after turn. It reads a little from each client that has nothing waiting, takes a short
batch with a fair share of each (`turns.py`), makes it durable, and sends each client its count. It reads only what it
has room for: a faster client waits in its own socket. So each client holds at most one line of a fact's length, all
clients together at most `IN_ALL` bytes of unfinished lines, and a turn takes at most `BYTES`. The loop waits for no
client: one that does not read its answers later gets one count that covers all it missed.

A client that blocks others is disconnected: it does not end its line, does not read its answers, holds the longest of
too many unfinished lines, or is one connection too many. Its last line says why. Its unfinished line becomes a dead
letter; lines not taken were never acknowledged. A client whose dead letters exceed their limit is disconnected too, and
keeps that line and all later ones. A client may be silent between its lines for any time, unless all connections are
taken and another client arrives (`making_room.py`).
"""

import contextlib
import os
import selectors
import signal
import socket
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import monotonic, sleep
from types import FrameType
from typing import Protocol

import msgspec

from consumers.gateway.arrivals import Arrival, Network
from consumers.gateway.connections import Connection, accepted, arrived, farewell
from consumers.gateway.gateway import QUIET, Gateway, InputLine
from consumers.gateway.letter_budget import LetterBudget
from consumers.gateway.making_room import leaving
from consumers.gateway.reading_lines import says_something
from consumers.gateway.retrying import try_numbered
from consumers.gateway.topic_inputs import TopicInput, Topics
from consumers.gateway.turns import BYTES, REST, share
from consumers.local_socket import InTheWayError, make_way
from domain.ledger.writer import Writer

IN_ALL = 32 << 20  # bytes of unfinished lines, of all clients together
_WAIT = 0.2  # seconds between two checks for late clients and for the end
_READ_ALONE = 1 << 18  # bytes read before a turn from the only client
_READ_LEAST = 1 << 10  # from each, if several clients share a turn's bytes
_OWN = 4  # more connections than the limit for the gateway's own account and root: commands at the console
_WELCOMED = 16  # new connections before each turn
_LONGEST_TURN = 1.0  # seconds; the most a turn counts, so that an unavailable log makes no client late
_ENDING_SECONDS = 2.0  # to take the lines read before the end
_ANSWERING_SECONDS = 0.01  # at the end, between two tries to tell a client its results


class ConnectionLimits(msgspec.Struct, frozen=True):
    """The limits on the number of clients, and on the time each may keep the gateway waiting."""

    clients: int = 64
    half_line_seconds: float = 30.0
    unread_seconds: float = 60.0
    group: int | None = None  # members of this group may connect too


class LineTaker(Protocol):
    """The receiver of the clients' lines: a gateway, or a check that records nothing."""

    writer: Writer
    budget: LetterBudget | None
    clock: Callable[[], int]

    def take(self, lines: Sequence[InputLine]) -> None:
        """Take a batch of lines; they are acknowledged when this returns."""

    def seal_quiet(self, quiet: int = 0) -> None:
        """Seal streams that were silent for this long."""


class SocketTroubleError(Exception):
    """A path that cannot be listened on; the message says why and what to do."""


def serve(
    gateway: LineTaker,
    path: Path,
    heard: Callable[[], None],
    say: Callable[[str], None],
    limits: ConnectionLimits | None = None,
    *,
    until_all_left: bool = False,
    network: Network | None = None,
    topics: Topics | None = None,
) -> None:
    """Listen until the process is asked to end, then take the lines already read.

    `heard` is called as soon as it listens, and `say` with messages for the person who runs it. With `until_all_left`,
    it also ends when its last client has left. Clients of the network and topics are served in the same turns.
    """
    asked: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        asked.append(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        limits = limits or ConnectionLimits()
        _listen(server, path, limits.group)
        loop = _ClientLoop(gateway, server, limits, say, network=network, topics=topics)
        beside = [each for each in (network, topics) if each is not None]
        for each in beside:
            each.start()
        heard()
        while not asked and not (until_all_left and loop.all_left):
            loop.turn()
            gateway.seal_quiet(QUIET)
    for each in beside:
        each.stop()
    loop.end()
    for each in beside:
        each.close()
    gateway.seal_quiet()
    path.unlink(missing_ok=True)


def _listen(server: socket.socket, path: Path, group: int | None) -> None:
    unheard = Path(f"{path}~")
    try:
        _make_way(path)
        _make_way(unheard)
        server.bind(str(unheard))
        unheard.chmod(0o600)
        if group is not None:
            os.chown(unheard, -1, group)
            unheard.chmod(0o660)
        server.listen()
        unheard.rename(path)  # once the socket is visible, it accepts connections
    except OSError as error:
        raise SocketTroubleError(f"cannot listen on {path}: {error.strerror or error}. Name another path") from error
    server.setblocking(False)


def _make_way(path: Path) -> None:
    try:
        make_way(path, f"another gateway listens on {path}: stop it first, or name another path")
    except InTheWayError as error:
        raise SocketTroubleError(str(error)) from error


class _ClientLoop:
    """The connected clients and their turns."""

    def __init__(
        self,
        gateway: LineTaker,
        server: socket.socket,
        limits: ConnectionLimits,
        say: Callable[[str], None],
        *,
        network: Network | None = None,
        topics: Topics | None = None,
    ) -> None:
        self._gateway = gateway
        self._server = server
        self._arrivals = network.arrivals if network is not None else None
        self._topics = topics
        self._limits = limits
        self._say = say
        self._no_room = self._has_no_room() != ""  # already reported at the start
        self._clients: list[Connection] = []
        self._selector = selectors.DefaultSelector()
        self._selector.register(server, selectors.EVENT_READ)
        for beside in (self._arrivals, topics):
            if beside is not None:
                self._selector.register(beside.bell, selectors.EVENT_READ)
        self._full = False  # whether memory has no room for more of long lines
        self._long_at = 0.0  # the time of the next long line
        self._number = 0  # the newest connection's number
        self._turn = 0
        self._clock = 0.0  # seconds, without the times when the log was unavailable
        self._began = self._looked = monotonic()

    def turn(self) -> None:
        """Read, take and acknowledge a little for each client; wait while there is nothing to do."""
        ready = self._selector.select(self._idle())
        now = monotonic()
        self._clock += min(now - self._began, _LONGEST_TURN)
        self._began = now
        senders = [key.data for key, _ in ready if key.data is not None]
        for client in senders:
            client.read(_READ_ALONE if len(self._clients) == 1 else max(_READ_LEAST, BYTES // len(senders)))
        self._keep_within_memory()
        self._take(long=now >= self._long_at)
        if len(ready) > len(senders):
            self._welcome()
            self._welcome_arrivals(self._arrivals.take() if self._arrivals is not None else ())
            if self._topics is not None:
                self._topics.bell.hear()
        if now - self._looked > _WAIT:
            self._looked = now
            self._look()
        self._listen_to_each()

    @property
    def all_left(self) -> bool:
        """Whether there were clients, and none is left."""
        return self._number > 0 and not self._clients

    def end(self) -> None:
        """Take the lines already read, within the time limit; then acknowledge and disconnect all clients."""
        until = monotonic() + _ENDING_SECONDS
        while any(client.waiting or client.must_read_first for client in self._clients) and monotonic() < until:
            self._take(long=True)
            if not any(client.waiting for client in self._clients):
                sleep(_ANSWERING_SECONDS)
        for client in self._clients:
            client.close()
        self._selector.close()

    def _idle(self) -> float:
        """The time for which there is nothing to do unless a client sends something."""
        waiting = [each.waiting for each in self._all() if each.waiting]
        if not waiting:
            return _WAIT
        return 0 if min(waiting) <= BYTES else max(0, min(_WAIT, self._long_at - monotonic()))

    def _take(self, *, long: bool) -> None:
        """Take a share from each waiting client; acknowledge it once it is durable."""
        lines: list[InputLine] = []
        said: list[InputLine] = []

        def take(client: Connection | TopicInput) -> None:
            if (line := client.give()) is not None:
                lines.append(line)
                if says_something(line.stored) or line.wrong:
                    client.spoke_at = self._clock
                    said.append(line)

        began = monotonic()
        self._turn += 1
        served = share(self._all(), self._turn, take, long=long)
        self._handle(said)
        others = any(client.reading and client not in served for client in self._clients)
        if others and any(len(line.stored) >= BYTES for line in lines):  # a rest helps only clients that may send
            self._long_at = monotonic() + REST * (monotonic() - began)
        for client in served:
            client.acknowledge()
        for client in self._clients:
            client.note_half_line(self._clock)
            client.tell(self._clock)
        self._part([client for client in self._clients if client.over])

    def _all(self) -> list[Connection | TopicInput]:
        """The connections, and the topics with something to take."""
        waiting = [each for each in self._topics.inputs if each.waiting] if self._topics is not None else []
        return [*self._clients, *waiting]

    def _handle(self, said: list[InputLine]) -> None:
        if facts := [line for line in said if not line.client.tries]:
            self._gateway.take(facts)
        numbers = [line for line in said if line.client.tries]
        if numbers and isinstance(self._gateway, Gateway):
            try_numbered(self._gateway, numbers)

    def _listen_to_each(self) -> None:
        """Wait for readable clients; skip those with something waiting, or without room for a long line."""
        for client in self._clients:
            room = not self._full or client.held <= BYTES
            if client.must_read_first:
                self._listen_to(client, selectors.EVENT_WRITE)
            else:
                reads = client.reading and not client.waiting and room
                self._listen_to(client, selectors.EVENT_READ if reads else 0)

    def _listen_to(self, client: Connection, events: int) -> None:
        if events == client.listened_to:
            return
        if client.listened_to:
            self._selector.unregister(client.socket)
        if events:
            self._selector.register(client.socket, events, client)
        client.listened_to = events

    def _welcome(self) -> None:
        """Accept new connections; if there are too many, disconnect another or the new one, and say why."""
        for _ in range(_WELCOMED):
            try:
                connection, _peer = self._server.accept()
            except BlockingIOError:
                return
            except OSError:  # the system is out of connections
                self._selector.unregister(self._server)  # until the next check
                return
            self._seat(Connection(connection, accepted(connection, self._next_number()), self._clock))

    def _welcome_arrivals(self, arrivals: Iterable[Arrival]) -> None:
        """Accept the clients that came over the network."""
        for arrival in arrivals:
            client = Connection(arrival.end, arrived(arrival, self._next_number()), self._clock)
            if arrival.greeting:
                self._gateway.take([InputLine(client.client.name, 1, arrival.greeting, client.client)])
                client.acknowledge()  # a wrong secret ends the connection
            self._seat(client)

    def _next_number(self) -> str:
        self._number += 1
        return f"{self._gateway.writer.epoch}.{self._number}"  # unique across all starts

    def _seat(self, client: Connection) -> None:
        """Serve a new client from now on, or tell it that there is no room."""
        if self._has_room(client):
            self._clients.append(client)
            return
        with client.socket as connection, contextlib.suppress(OSError):
            connection.send(farewell(f"the limit of {self._limits.clients} clients is reached: try again later"))

    def _has_room(self, newcomer: Connection) -> bool:
        """Whether there is room for one more connection, if necessary after another one leaves.

        A batch by HTTPS takes none: there is a limit for those before they come here, and they leave by themselves.
        """
        most = self._limits.clients
        staying = [client for client in self._clients if client.client.answers is None]
        if newcomer.client.answers is not None or len(staying) < most:
            return True
        for client in leaving(staying, newcomer.client.account, self._clock):
            half = client.held
            client.read(_READ_LEAST)  # it may have sent something a moment ago
            if client.waiting or client.held != half:
                continue
            self._cut(client, f"all {most} connections are taken, and this one was silent for longest: connect again")
            self._take_the_rest(client)
            return True
        return newcomer.client.uid in (os.geteuid(), 0) and len(staying) < most + _OWN

    def _take_the_rest(self, client: Connection) -> None:
        """Take the line that was cut, acknowledge it, and disconnect the client at once."""
        lines: list[InputLine] = []
        while (line := client.give()) is not None:
            lines.append(line)
        self._handle([line for line in lines if says_something(line.stored)])
        client.acknowledge()
        client.tell(self._clock)
        self._part([client])

    def _keep_within_memory(self) -> None:
        """Check the memory for long lines; if no room is coming soon, disconnect the longest unfinished line.

        Room comes soon while long lines wait to be taken.
        """
        self._full = sum(client.held for client in self._clients) > IN_ALL
        if not self._full or any(client.waiting > BYTES for client in self._clients):
            return
        unfinished = [client for client in self._clients if client.reading and not client.waiting]
        longest = max(unfinished, key=lambda client: client.held, default=None)
        if longest is not None and longest.held > BYTES:
            self._cut(longest, f"unfinished lines took {IN_ALL:,} bytes together, and this one was the longest")

    def _look(self) -> None:
        """Disconnect clients that keep the gateway waiting."""
        if self._server not in self._selector.get_map():
            self._selector.register(self._server, selectors.EVENT_READ)
        self._look_at_the_disk()
        if self._topics is not None:
            self._topics.look()
        half, unread = self._limits.half_line_seconds, self._limits.unread_seconds
        for client in list(self._clients):
            if client.half_since is not None and self._clock - client.half_since > half:
                self._cut(client, f"the line did not end within {half:g} seconds")
            if client.unread_since is not None and self._clock - client.unread_since > unread:
                self._cut(client, "")
                self._part([client])

    def _has_no_room(self) -> str:
        budget = self._gateway.budget
        return budget.room(self._gateway.clock()) if budget is not None else ""

    def _look_at_the_disk(self) -> None:
        why = self._has_no_room()
        if bool(why) != self._no_room:
            self._no_room = bool(why)
            self._say(why or "the disk has room again: the gateway takes dead letters from devices again")

    def _cut(self, client: Connection, why: str) -> None:
        if client.reading:
            client.cut(why)

    def _part(self, gone: list[Connection]) -> None:
        for client in gone:
            self._listen_to(client, 0)
            client.close()
            self._clients.remove(client)
