"""The connection of a console command to the running gateway: through its socket, with its token.

While it listens, the gateway publishes both in a file that only its own account can read. Through the socket, a command
has exactly the rights that it has on the gateway's own files.
"""

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from consumers.gateway.clients import InputReport
from consumers.gateway.gateway import InputLine
from consumers.gateway.greeting import Greeting, Role
from domain.facts.refused import RefusedGroup

DOOR = "gateway/door.json"
_GREETING_SECONDS = 30.0
_TAKING_SECONDS = 300.0  # an unreachable log delays the gateway by up to two minutes
_PIECE = 1 << 16
_NEVER = 1 << 62  # more lines than any client sends


class GatewayDoor(msgspec.Struct, frozen=True):
    """The path of a gateway's socket, and the token that a command shows it."""

    socket: str
    token: str


class _DoorAnswer(msgspec.Struct):
    """The gateway's answer. Only a command with the right token gets more than the first two fields."""

    taken: int = 0
    closed: str = ""
    refused: int | None = None
    held: int = 0
    placed: int = 0
    repeated: int = 0
    sealed: int = 0
    causes: list[RefusedGroup] = []


class DoorClosedError(Exception):
    """A running gateway that cannot be reached; the message says why and what to do."""


def open_door(file: Path, listens: Path, token: str) -> None:
    """Publish the path of this gateway's socket and the token."""
    unfinished = file.with_name(f"{file.name}~")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as written:
        written.write(msgspec.json.encode(GatewayDoor(str(listens.absolute()), token)))
    unfinished.replace(file)


class DoorSession:
    """A command's connection to the running gateway. It takes lines in batches, as a gateway does."""

    def __init__(self, gateway: socket.socket, heard_at: str) -> None:
        self.report = InputReport()  # the results of its lines
        self._gateway = gateway
        self._heard_at = heard_at
        self._rest = b""
        self._ends = 0  # the number of lines sent completely
        self._half = False  # whether another was begun

    @property
    def next(self) -> int:
        """The number of the next line."""
        return self._ends + 1

    def greet(self, greeting: Greeting) -> None:
        """Connect, identify the command, and wait for the answer."""
        with self._answering():
            self._gateway.settimeout(_GREETING_SECONDS)
            self._gateway.connect(self._heard_at)
            self._gateway.sendall(msgspec.json.encode(greeting) + b"\n")
            if self._heard_until(1).refused is None:
                raise OSError("it rejects this record's token: another gateway listens there")
            self._gateway.settimeout(_TAKING_SECONDS)

    def take(self, lines: Sequence[InputLine]) -> None:
        """Send a batch of lines; when this returns, each is on record, a known repeat, or a dead letter."""
        with self._answering():
            for line in lines:
                self._end_until(line.place - 1)
                self._gateway.sendall(line.stored)
                self._half = bool(line.cut)  # the rest of this line may follow
                if not self._half:
                    self._end_until(line.place)
            self._wait()

    def seal_quiet(self, quiet: int = 0) -> None:
        """End a line that was cut, if nothing more follows. The running gateway itself seals streams."""
        if self._half and not quiet:
            self._half = False
            with self._answering():
                self._end_until(self._ends + 1)
                self._wait()

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            why = self._farewell() if isinstance(error, BrokenPipeError) else ""
            says = f"the gateway at {self._heard_at} does not answer: {why or error.strerror or error}"
            raise DoorClosedError(f"{says}. Check that it runs, then try again") from error

    def _farewell(self) -> str:
        """The reason for the disconnection, if the gateway's last line was not read before."""
        try:
            self._heard_until(_NEVER)
        except OSError as error:
            return error.strerror or str(error)
        return ""

    def _end_until(self, count: int) -> None:
        """End the last line, and send empty lines, so that each line has the same number as in its file."""
        while self._ends < count:
            ends = min(count - self._ends, _PIECE)
            self._gateway.sendall(b"\n" * ends)
            self._ends += ends

    def _wait(self) -> None:
        said = self._heard_until(1 + self._ends)
        told = (said.placed, said.repeated, said.refused or 0, said.held)
        self.report = InputReport(sum(told), *told[:3], sealed=said.sealed, held=said.held)
        self.report.causes.add_all(said.causes)

    def _heard_until(self, count: int) -> _DoorAnswer:
        while True:
            piece = self._gateway.recv(4096)
            if not piece:
                raise OSError("it hung up")
            *told, self._rest = (self._rest + piece).split(b"\n")
            for line in told:
                said = msgspec.json.decode(line, type=_DoorAnswer)
                if said.closed:
                    raise OSError(f"it disconnected: {said.closed}")
                if said.taken >= count:
                    return said


@contextmanager
def visited(file: Path, role: Role, name: str = "") -> Iterator[DoorSession]:
    """The running gateway of a record. `name` is the origin of the lines, as their dead letters show it."""
    try:
        door = msgspec.json.decode(file.read_bytes(), type=GatewayDoor)
    except FileNotFoundError as error:
        says = "another process writes this record and accepts no facts from others: stop it, then try again"
        raise DoorClosedError(says) from error
    except (OSError, msgspec.DecodeError) as error:
        raise DoorClosedError(f"{file} cannot be read: {error}. Start the gateway again") from error
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as gateway:
        visit = DoorSession(gateway, door.socket)
        visit.greet(Greeting(door.token, role=role, name=name))
        yield visit
