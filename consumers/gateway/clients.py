"""Who hands a line to the gateway: one connection or one run of a command, and what it has proved about itself."""

import msgspec

from domain.ledger.admission import Speaker


class Client(msgspec.Struct):
    """One connection of the socket, or the console: whoever runs a command on the gateway's own files."""

    name: str
    uid: int | None = None  # the operating system's word for who connected; None where there is no such word
    console: bool = False
    registrar: bool = False  # a command that asked for the role of whoever runs it
    proved: dict[str, str] = {}  # the sources whose secret it has shown, with the digest of that secret
    refused: int = 0  # lines of it that became dead letters
    held: int = 0  # lines of it that are obeyed, and wait for the property's next day
    counted: bool = True  # whether what is refused goes on record: it has been there, where a letter is tried again

    @property
    def label(self) -> str:
        """Who that is, the same for each of their connections."""
        if self.console or self.uid is None:
            return self.name
        return f"user {self.uid} at the socket"

    @property
    def speaker(self) -> Speaker:
        """The same as the rules of admission ask for it."""
        return Speaker(self.console, self.registrar, self.uid, self.proved)


CONSOLE = Client("console", console=True)
REGISTRAR = Client("registrar", console=True, registrar=True)
