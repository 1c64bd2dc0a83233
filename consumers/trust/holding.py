"""The hold on a property's tree: one keeper has it while it lives, and no other signs meanwhile.

For an embedded record it is a lock of the operating system on a file, which ends with the process, however it ends. The
file names the holder. For a record in Kafka, the machine's lock comes first and the cluster's second
(`cluster_hold.py`), because two machines may each have a copy of the tree.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from socket import gethostname
from typing import IO, Any, Final, Protocol

import msgspec

HOLD_FILE: Final = "trust/keeper.lock"  # held for the life of a keeper
GROWING_FILE: Final = "trust/growing.lock"  # held while the tree grows or is copied


class Holder(msgspec.Struct, frozen=True):
    """The keeper of a tree: its process, its machine, and when it started."""

    process: int
    machine: str
    since: str

    @classmethod
    def this(cls) -> "Holder":
        """The current process as a holder, from now on."""
        return cls(os.getpid(), gethostname(), f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")

    @property
    def text(self) -> str:
        """The holder in words."""
        return f"process {self.process} on {self.machine} since {self.since}"


class HeldError(Exception):
    """A tree that another keeper holds; the message says which and what to do."""

    def __init__(self, holder: Holder | None, what: str) -> None:
        who = holder.text if holder is not None else "an unnamed process"
        says = f"{what} is held by {who}. Only one keeper may sign, so nothing was signed here"
        super().__init__(f"{says}. That keeper signs by itself; to sign from here, end it first")
        self.holder = holder


class LostError(Exception):
    """A keeper that lost the tree; it signs and publishes nothing more."""


class TreeHold(Protocol):
    """A hold on a tree."""

    def check(self) -> None:
        """Raise LostError unless the tree is still this keeper's."""


class FileHold:
    """The lock of one machine."""

    def __init__(self, path: Path, held: IO[bytes]) -> None:
        self._path = path
        self._held = held

    def check(self) -> None:
        """Raise LostError if the lock's file was removed or replaced: another keeper could lock a new one."""
        try:
            here = self._path.stat()
        except OSError as error:
            raise LostError(_put_away(self._path)) from error
        if not os.path.samestat(here, os.fstat(self._held.fileno())):
            raise LostError(_put_away(self._path))


def _put_away(path: Path) -> str:
    return f"{path} was removed or replaced while its keeper was running. Nothing more is signed: start it again"


@contextmanager
def file_hold(folder: Path) -> Iterator[FileHold]:
    """The hold on the tree in a folder; raise HeldError at once if another keeper has it."""
    path = folder / HOLD_FILE
    with _locked(path, fcntl.LOCK_EX | fcntl.LOCK_NB) as held:
        held.seek(0)
        held.truncate()
        held.write(msgspec.json.encode(Holder.this()) + b"\n")
        held.flush()
        yield FileHold(path, held)


@contextmanager
def _locked(path: Path, how: int) -> Iterator[IO[bytes]]:
    """An open file with a lock on it; if it was replaced while waiting, the new one is opened."""
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with path.open("a+b") as held:
            try:
                fcntl.flock(held, how)
            except BlockingIOError:
                raise HeldError(_told(held), f"the tree in {path.parent}") from None
            if path.exists() and os.path.samestat(path.stat(), os.fstat(held.fileno())):
                yield held
                return


def _told(held: IO[bytes]) -> Holder | None:
    held.seek(0)
    try:
        return msgspec.json.decode(held.read(), type=Holder)
    except msgspec.DecodeError:
        return None  # it has the lock but has not written its name yet


@contextmanager
def held_still(folder: Path) -> Iterator[Any]:
    """Keep the tree in a folder from growing; wait for a keeper that is adding to it now."""
    with _locked(folder / GROWING_FILE, fcntl.LOCK_EX):
        yield
