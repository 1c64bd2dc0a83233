"""Who hands a line to the gateway: one connection or one run of a command, and what it has proved about itself."""

import re
from typing import Literal

import msgspec

from domain.ledger.admission import Speaker


class Report(msgspec.Struct):
    """What became of the inputs so far: placed, repeated, dead, held and greetings add up to the lines read."""

    read: int = 0
    placed: int = 0
    repeated: int = 0
    dead: int = 0
    greetings: int = 0
    sealed: int = 0
    held: int = 0  # revocations that are obeyed and wait for the property's next day
    said: int = 0  # facts of the gateway's own: what it refused, which clocks were off


_AT_THE_SOCKET = " at the socket"
_CONNECTED = re.compile(r"\b(user [0-9]+), socket [0-9.]+$")


def label_of(came_from: str) -> str:
    """Whose letter came from there, by the label of the client; nothing where that was no connection."""
    found = _CONNECTED.search(came_from)
    return found[1] + _AT_THE_SOCKET if found else ""


class Client(msgspec.Struct):
    """One connection of the socket, or the console: whoever runs a command on the gateway's own files."""

    name: str
    uid: int | None = None  # the operating system's word for who connected; None where there is no such word
    console: bool = False
    registrar: bool = False  # a command that asked for the role of whoever runs it
    proved: dict[str, str] = {}  # the sources whose secret it has shown, with the digest of that secret
    report: Report = msgspec.field(default_factory=Report)
    came_from: str = ""  # where the lines come from that a command at the console hands over
    greeted_at: int = 0  # the number of the line by which that command said so: its own are counted from there
    tries: Literal["", "retry", "vouch"] = ""  # whether its lines are the numbers of dead letters to be tried again
    counted: bool = True  # whether what is refused goes on record: it has been there, where a letter is tried again
    left_at: int = 0  # the number of its first line that was not taken, once there is one: nothing behind it is
    why_left: str = ""

    @property
    def is_console(self) -> bool:
        """Whether it is a command on the gateway's own files, whoever it speaks for."""
        return self.console or self.uid is None

    @property
    def label(self) -> str:
        """Who that is, the same for each of their connections."""
        return self.name if self.is_console else f"user {self.uid}{_AT_THE_SOCKET}"

    @property
    def speaker(self) -> Speaker:
        """The same as the rules of admission ask for it."""
        return Speaker(self.console, self.registrar, self.uid, self.proved)


CONSOLE = Client("console", console=True)
REGISTRAR = Client("registrar", console=True, registrar=True)
