"""How a command at the console puts facts on record while a gateway is at work: through its socket, by its token.

The gateway leaves word of both in a file that only its own account can read, for as long as it listens.
"""

import os
import socket
from collections.abc import Sequence
from pathlib import Path

import msgspec

from consumers.gateway.greeting import Greeting

DOOR = "gateway/door.json"
_SECONDS = 30.0


class Door(msgspec.Struct, frozen=True):
    """Where a gateway listens, and what a command shows it."""

    socket: str
    token: str


class _Taken(msgspec.Struct):
    taken: int
    refused: int | None = None  # these two are told to a command whose token was right
    held: int = 0


class DoorClosedError(Exception):
    """The gateway at work cannot be spoken to: why, and what to do."""


def open_door(file: Path, listens: Path, token: str) -> None:
    """Leaves word where this gateway listens."""
    unfinished = file.with_name(f"{file.name}~")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as written:
        written.write(msgspec.json.encode(Door(str(listens.absolute()), token)))
    unfinished.replace(file)


def say(file: Path, lines: Sequence[bytes]) -> tuple[int, int]:
    """Says these lines to the gateway at work; how many of them it refused and holds. The others are on record."""
    try:
        door = msgspec.json.decode(file.read_bytes(), type=Door)
    except FileNotFoundError as error:
        says = "another process writes this record and takes no facts from elsewhere: stop it, then try again"
        raise DoorClosedError(says) from error
    except (OSError, msgspec.DecodeError) as error:
        raise DoorClosedError(f"{file} cannot be read: {error}. Start the gateway again") from error
    greeting = msgspec.json.encode(Greeting(door.token))
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as gateway:
            gateway.settimeout(_SECONDS)
            gateway.connect(door.socket)
            gateway.sendall(b"".join(line + b"\n" for line in (greeting, *lines)))
            return _hear(gateway, len(lines) + 1)
    except OSError as error:
        says = f"the gateway at {door.socket} does not answer: {error.strerror or error}"
        raise DoorClosedError(f"{says}. Look whether it runs, then try again") from error


def _hear(gateway: socket.socket, count: int) -> tuple[int, int]:
    heard = b""
    while True:
        piece = gateway.recv(4096)
        if not piece:
            raise OSError("it hung up")
        *told, heard = (heard + piece).split(b"\n")
        for said in (msgspec.json.decode(line, type=_Taken) for line in told):
            if said.taken >= count and said.refused is None:
                raise OSError("it does not know the token of this record: another gateway listens there")
            if said.taken >= count:
                return said.refused or 0, said.held
