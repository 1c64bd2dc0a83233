"""Who looked at what, when and why: a line of JSON each, written before anything is shown."""

import getpass
import os
from datetime import UTC, datetime
from pathlib import Path

import msgspec

FILE = "access.jsonl"


class Access(msgspec.Struct, frozen=True, omit_defaults=True):
    """One access."""

    at: datetime
    user: str
    what: str
    purpose: str
    generation: int
    statement: str = ""


class AccessRecord:
    """The access record of one folder of read models; whoever cannot write there sees nothing."""

    def __init__(self, folder: Path, what: str, purpose: str) -> None:
        self.path = folder / FILE
        self._what = what
        self._purpose = purpose
        self._user = user()

    def add(self, generation: int, statement: str = "") -> None:
        """One more line, on the disk when this returns."""
        line = Access(datetime.now(UTC), self._user, self._what, self._purpose, generation, statement)
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)
        try:
            os.write(file, msgspec.json.encode(line) + b"\n")
            os.fsync(file)
        finally:
            os.close(file)


def user() -> str:
    """Who runs this, and for whom where they became somebody else."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = str(os.getuid())
    before = os.environ.get("SUDO_USER", "")
    return f"{name} ({before})" if before and before != name else name
