"""The clients of the gateway: a connection or a run of a command, and what each has proved about its identity."""

import re
from typing import Literal

import msgspec

from domain.facts.refused import RefusedGroups
from domain.ledger.admission import Speaker


class InputReport(msgspec.Struct):
    """The results so far: placed, repeated, dead, held and greetings add up to the lines read."""

    read: int = 0
    placed: int = 0
    repeated: int = 0
    dead: int = 0
    greetings: int = 0
    sealed: int = 0
    held: int = 0  # revocations in force that wait for the property's next day
    said: int = 0  # the gateway's own facts: refusals and clock corrections
    causes: RefusedGroups = msgspec.field(default_factory=RefusedGroups)  # why lines were refused


_AT_THE_SOCKET = " at the socket"
_CONNECTED = re.compile(r"\b(user [0-9]+), socket [0-9.]+$")


def label_of(came_from: str) -> str:
    """The label of the client behind a letter's origin; empty if that was not a connection."""
    found = _CONNECTED.search(came_from)
    return found[1] + _AT_THE_SOCKET if found else ""


class Client(msgspec.Struct):
    """A client: a connection of the socket, or the console, which is a command run on the gateway's own files."""

    name: str
    uid: int | None = None  # the connected account, as the operating system reports it; None if it does not
    console: bool = False
    registrar: bool = False  # a command that asked for its user's role
    proved: dict[str, str] = {}  # the sources whose secret it has shown, with the digest of that secret
    report: InputReport = msgspec.field(default_factory=InputReport)
    came_from: str = ""  # the origin of the lines that a console command passes on
    greeted_at: int = 0  # the number of the line that said so; the command's own lines count from there
    tries: Literal["", "retry", "vouch"] = ""  # whether its lines are numbers of dead letters to retry
    counted: bool = True  # whether refusals are recorded; a retried letter's already was
    vouched: bool = False  # whether a person says that what its lines say happened, possible or not
    left_at: int = 0  # the number of its first line not taken; no later line is taken
    why_left: str = ""

    @property
    def is_console(self) -> bool:
        """Whether it is a command on the gateway's own files, whichever source it speaks for."""
        return self.console or self.uid is None

    @property
    def label(self) -> str:
        """The client's label, the same for all connections of one account."""
        return self.name if self.is_console else f"user {self.uid}{_AT_THE_SOCKET}"

    @property
    def speaker(self) -> Speaker:
        """The client in the form that the rules of admission use."""
        return Speaker(self.console, self.registrar, self.uid, self.proved)


CONSOLE = Client("console", console=True)
REGISTRAR = Client("registrar", console=True, registrar=True)
