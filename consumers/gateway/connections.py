"""One client's connection: its input, how much of it was taken, and the answers still to send."""

import socket

import msgspec

from consumers.gateway.clients import Client
from consumers.gateway.gateway import InputLine
from consumers.gateway.splitting import Splitter
from consumers.local_socket import user_at


class Connection:
    """A connection that never blocks the gateway, neither for reading nor for writing."""

    def __init__(self, connection: socket.socket, name: str, now: float = 0) -> None:
        connection.setblocking(False)
        self.socket = connection
        uid = user_at(connection)
        self.client = Client(f"user {uid}, socket {name}", uid=uid)
        self.served = -1
        self.reading = True  # until the client disconnects, or is cut off
        self.listened_to = False  # whether the loop wakes up when it sends
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
    def waiting(self) -> int:
        """The length of the next line or piece to take, or 0."""
        return self._splitter.waiting

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
        if self.waiting or not self.reading:
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
        if self.client.left_at:
            self._taken = self._given = self.client.left_at - 1
            self._splitter = Splitter()
            self.cut(self.client.why_left)

    def cut(self, why: str) -> None:
        """Stop reading from this client; with a reason, end its unfinished line and send the reason last."""
        self.reading = False
        self._splitter.finish(why)
        if why:
            self._last_word = farewell(why)

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
        """The acknowledgement line: the number of its lines taken; a console command also gets the results."""
        told: dict[str, object] = {"taken": self._taken}
        if self.client.greeted_at:
            report = self.client.report
            told |= {"refused": report.dead, "held": report.held, "placed": report.placed}
            told |= {"repeated": report.repeated, "sealed": report.sealed, "causes": report.causes.all()}
        return msgspec.json.encode(told) + b"\n"

    def _next_word(self) -> bool:
        if not self._rest and self._told < self._taken:
            self._rest, self._told = self._count(), self._taken
        elif not self._rest and self._last_word and not self.waiting:
            self._rest, self._last_word = self._last_word, b""
        return bool(self._rest)


def farewell(why: str) -> bytes:
    """Return the last line for a client that is disconnected."""
    return msgspec.json.encode({"closed": why}) + b"\n"
