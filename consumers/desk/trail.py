"""What commands leave in the access log: who ran them, on what and why, written before anything is shown or done."""

import getpass
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from time import time_ns
from typing import Any, Final, TypeVar

import click
from eventsourcing.persistence import PersistenceError

from consumers.desk.application import CrowdedError, Desk
from consumers.desk.opening import DeskPlaceError, database, open_desk
from domain.desk import access
from domain.desk.access import Looked
from domain.desk.acting import Act, Done

WHY: Final = "CATWALK_PURPOSE"  # in the environment: why somebody looks
_NAME_LETTERS: Final = 128
_NO_QUESTION: Final = frozenset({"data", "kafka", "state", "purpose"})
_OF_LETTERS: Final = 20_000  # of a statement somebody pasted; a record has a size

Command = TypeVar("Command", bound=Callable[..., Any])


class UnrecordedError(click.ClickException):
    """Ends a command with status 2: who looks is recorded, or nothing is shown."""

    exit_code = 2


class Trail:
    """What one run of a command writes."""

    def __init__(self, desk: Desk, why: str) -> None:
        self._desk = desk
        self._why = why
        self._who = user()[:_NAME_LETTERS]
        self._run = secrets.token_hex(8)
        self._count = 0

    def act(self) -> Act:
        """The next act of this run."""
        self._count += 1
        return Act(self._who, time_ns() // 1_000, f"{self._run}-{self._count}")

    def looked(self, what: Looked, of: str, *, generation: int | None = None) -> None:
        """Somebody is about to look at something, or to take it away."""
        self.done(access.looked(self.act(), what, _short(of), why=self._why, generation=generation))

    def done(self, record: Done) -> None:
        """Writes one record; it is durable when this returns."""
        try:
            self._desk.looked([record])
        except (PersistenceError, sqlite3.Error, OSError, CrowdedError) as error:
            raise _unrecorded(error) from error


@contextmanager
def trail(folder: Path, why: str = "") -> Iterator[Trail]:
    """The access log of a data or state folder's desk; whoever cannot write there sees nothing."""
    try:
        desk = open_desk(folder)
    except (PersistenceError, sqlite3.Error, OSError, DeskPlaceError) as error:
        raise _unrecorded(error) from error
    with closing(desk):
        yield Trail(desk, why)


def purpose_option(command: Command) -> Command:
    """Gives a command `--purpose`."""
    return click.option(
        "--purpose", envvar=WHY, default="", metavar="WHY", help=f"Why you look, for the access log; or {WHY}."
    )(command)


def desk_folder(data: Path | None, state: Path | None) -> Path:
    """Where the desk of a record lies: beside an embedded one, in the state folder of one in Kafka, or a database."""
    if data is None and state is None and not database():
        raise click.UsageError(
            "who looks is recorded: name the folder the desk of this record is in with --state DIR (or CATWALK_STATE)."
        )
    return data or state or Path()


def asked() -> str:
    """The command that runs, as it was typed but for where the record is and why somebody looks."""
    context = click.get_current_context()
    words = [context.command_path.partition(" ")[2]]
    for name, value in context.params.items():
        if name not in _NO_QUESTION and value not in (None, "", (), False):
            words.append(f"{name}={value}")
    return " ".join(words)


def user() -> str:
    """Who runs this, and for whom where they became somebody else."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = str(os.getuid())
    before = os.environ.get("SUDO_USER", "")
    return f"{name} ({before})" if before and before != name else name


def _unrecorded(error: Exception) -> UnrecordedError:
    return UnrecordedError(
        f"the desk's access log cannot be written: {error}. Who looks is recorded, or nothing is shown."
    )


def _short(of: str) -> str:
    """What was asked; of what is longer than a record may be, its beginning and its hash."""
    if len(of) <= _OF_LETTERS:
        return of
    return f"{of[:_OF_LETTERS]} ... ({len(of)} letters, SHA-256 {sha256(of.encode()).hexdigest()})"
