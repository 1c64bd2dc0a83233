"""One client's connection: its input, how much of it was taken, and the answers still to send."""

import socket

import msgspec

from consumers.gateway.arrivals import Arrival
from consumers.gateway.clients import Answer, Client
from consumers.gateway.gateway import InputLine
from consumers.gateway.splitting import Splitter
from consumers.local_socket import user_at


class Connection:
    """A connection that never blocks the gateway, neither for reading nor for writing."""

    def __init__(self, connection: socket.socket, client: Client, now: float = 0) -> None:
        connection.setblocking(False)
        self.socket = connection
        self.client = client
        self.served = -1
        self.reading = True  # until the client disconnects, or is cut off
        self.listened_to = 0  # the events that wake the loop up: it sends, or reads its answers
        self.spoke_at = now  # when it connected, or sent its newest complete line
        self.half_since: float | None = None  # when its unfinished line began
        self.unread_since: float | None = None  # since when it has not read its answers
        self._half = 0
        self._splitter = Splitter()
        self._given = 0  # lines handed over to be taken
        self._taken = 0
        self._told = 0
        self._rest = b""
        self._last_word = b""

    @property
    def must_read_first(self) -> bool:
        """Whether it has to read its answers before more is taken: a line has one each, so they would add up."""
        return self.client.answers is not None and bool(self._rest)

    @property
    def waiting(self) -> int:
        """The length of the next line or piece to take, or 0."""
        return 0 if self.must_read_first else self._splitter.waiting

    @property
    def held(self) -> int:
        """The number of bytes held for it."""
        return self._splitter.held

    @property
    def answered(self) -> bool:
        """Whether all its lines are taken and acknowledged; at most an unfinished line is left."""
        answered = self._told == self._taken == self._given and not self._rest
        return self.reading and not self.waiting and answered

    @property
    def silent(self) -> bool:
        """Whether it has been answered and has begun no line since."""
        return self.answered and not self._splitter.half

    @property
    def over(self) -> bool:
        """Whether everything is taken and acknowledged, so that the connection can be closed."""
        told = not self._rest and self._told == self._taken and not self._last_word
        return not self.reading and not self.waiting and told

    def read(self, most: int) -> None:
        """Read at most this many bytes, unless there is something to take first."""
        if self.waiting or self.must_read_first or not self.reading:
            return
        try:
            come = self.socket.recv(most)
        except BlockingIOError:
            return
        except OSError:  # it disconnected without reading its answers
            come = b""
        self._splitter.feed(come)
        if not come:
            self.cut("")

    def give(self) -> InputLine | None:
        """Return the next line or piece to take."""
        piece = self._splitter.take()
        if piece is None:
            return None
        self._given += piece.ends  # only the last piece of a line counts as a line
        client = self.client
        return InputLine(
            client.came_from or client.name, piece.number - client.greeted_at, piece.stored, client, piece.cut
        )

    def acknowledge(self) -> None:
        """Count the lines given so far as durable; for a client whose lines cannot be stored, those before them."""
        self._taken = self._given
        if self.client.left_at is not None:
            self._taken = self._given = self.client.left_at - 1
            self._splitter = Splitter()
            self.cut(self.client.why_left)

    def cut(self, why: str) -> None:
        """Stop reading from this client; with a reason, end its unfinished line and send the reason last."""
        self.reading = False
        self._splitter.finish(why)
        if why:
            self._last_word = farewell(why, self.client.left_for)

    def note_half_line(self, now: float) -> None:
        """Note when its unfinished line began."""
        half = self._splitter.half
        if half != self._half:
            self._half, self.half_since = half, now if half else None

    def tell(self, now: float) -> None:
        """Send it the number of lines taken, as far as its socket has room, and then the last word."""
        while self._next_word():
            try:
                self._rest = self._rest[self.socket.send(self._rest, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                self.unread_since = now if self.unread_since is None else self.unread_since
                return
            except OSError:  # the client is gone
                self._rest, self._last_word, self._told = b"", b"", self._taken
            self.unread_since = None

    def close(self) -> None:
        """Close the connection."""
        self.socket.close()

    def _count(self) -> bytes:
        """The acknowledgement line: the number of its lines taken; a console command also gets the results.

        A client that wants the result of each line gets those first, a line each.
        """
        told: dict[str, object] = {"taken": self._taken}
        if self.client.greeted_at:
            report = self.client.report
            told |= {"refused": report.dead, "held": report.held, "placed": report.placed}
            told |= {"repeated": report.repeated, "sealed": report.sealed, "causes": report.causes.all()}
        results, self.client.answers = self.client.answers, [] if self.client.answers is not None else None
        return b"".join(msgspec.json.encode(each) + b"\n" for each in [*(results or ()), told])

    def _next_word(self) -> bool:
        if not self._rest and self._told < self._taken:
            self._rest, self._told = self._count(), self._taken
        elif not self._rest and self._last_word and not self.waiting:
            self._rest, self._last_word = self._last_word, b""
        return bool(self._rest)


def accepted(connection: socket.socket, number: str) -> Client:
    """Return the client behind a new connection of the local socket; the number is unique across all starts."""
    uid = user_at(connection)
    return Client(f"user {uid}, socket {number}", uid=uid)


def arrived(arrival: Arrival, number: str) -> Client:
    """Return the client behind a new connection of the network."""
    answers: list[Answer] | None = [] if arrival.answers else None
    return Client(f"{arrival.peer}, connection {number}", peer=arrival.peer, answers=answers)


def farewell(why: str, rule: str = "") -> bytes:
    """Return the last line for a client that is disconnected; the rule if one was broken."""
    return msgspec.json.encode({"closed": why} | ({"rule": rule} if rule else {})) + b"\n"
