"""The access log of commands: who runs them, on what, and why, recorded before they show or do anything."""

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

from consumers.accounts.accounts import ACCOUNTS
from consumers.accounts.asker import (
    ELSEWHERE,
    Asker,
    NotLetInError,
    account_options,
    accounts_of,
    asker,
    owner,
    somebody_may,
)
from consumers.desk.application import DESK_FILE, CrowdedError, Desk
from consumers.desk.commands import SHOW
from consumers.desk.opening import DeskPlaceError, database, open_desk
from consumers.logs.opening import LOG_FILE
from domain.desk import access
from domain.desk.access import AccessFailed, AccessRefused, Looked
from domain.desk.acting import ActRecord, DeskAct, by
from domain.desk.roles import ForbiddenError, Person, Right, require

WHY: Final = "CATWALK_PURPOSE"  # environment variable: the purpose of the look
WHY_META: Final = "catwalk.purpose"
_NAME_LETTERS: Final = 128
_NO_QUESTION: Final = frozenset(
    {"data", "kafka", "state", "purpose", "account", "password_file", "signer_password_file"}
)
_OF_LETTERS: Final = 20_000  # of a pasted statement; a record has a maximum size

Command = TypeVar("Command", bound=Callable[..., Any])


class UnrecordedError(click.ClickException):
    """An error with exit status 2: the access log cannot be written, so nothing is shown."""

    exit_code = 2


class NoRecordError(click.ClickException):
    """An error with exit status 2: the folder has no record."""

    exit_code = 2


class Trail:
    """The entries of one run of a command in the access log, and the rights of its user."""

    def __init__(self, desk: Desk, who: Asker, why: str) -> None:
        self._desk = desk
        self._why = why
        self._who = who
        self._run = secrets.token_hex(8)
        self._count = 0

    @property
    def person(self) -> Person:
        """The person who runs this command."""
        return self._who.person

    @property
    def desk(self) -> Desk:
        """The desk that holds the access log."""
        return self._desk

    def act(self) -> DeskAct:
        """The next act of this run."""
        self._count += 1
        return DeskAct(self.person.name[:_NAME_LETTERS], time_ns() // 1_000, f"{self._run}-{self._count}")

    def asks(self, of: str, *also: Right, generation: int | None = None) -> None:
        """Check and record that the user is about to see this command's answer; `also` names further rights."""
        shows = SHOW[command_name()]
        for right in also:
            self.needs(right, shows.what, of)
        self.looked(shows.what, of, shows.right, generation=generation)

    def looked(self, what: Looked, of: str, right: Right, *, generation: int | None = None) -> None:
        """Record that the user is about to view or download something."""
        self.needs(right, what, of)
        record = access.looked(self.act(), what, _short(of), role=self._who.role, why=self._why, generation=generation)
        self.done(record)

    def needs(self, right: Right, what: Looked, of: str) -> None:
        """Raise an error, and record it, if the user lacks a right."""
        try:
            require(self.person, right)
        except ForbiddenError as error:
            self.refused(what, of)
            raise NotLetInError(f"{error} The attempt is on record.") from error

    def refused(self, what: Looked, of: str, why: str = "") -> None:
        """Record a request for something the user may not see, or that is never answered."""
        self.done(AccessRefused(**by(self.act()), what=what, of=_short(of), role=self._who.role, why=_short(why)))

    def failed(self, what: Looked, of: str, why: str) -> None:
        """Record a request that could not be answered, and why."""
        self.done(AccessFailed(**by(self.act()), what=what, of=_short(of), role=self._who.role, why=_short(why)))

    def done(self, record: ActRecord) -> None:
        """Write one record; it is durable when this returns."""
        try:
            self._desk.looked([record])
        except (PersistenceError, sqlite3.Error, OSError, CrowdedError) as error:
            raise _unrecorded(error) from error


@contextmanager
def trail(folder: Path, why: str = "", *, accounts: Path | None = None) -> Iterator[Trail]:
    """Open the access log of a data or state folder's desk for the user of this command.

    A user who cannot write to the log, or who is not signed in, sees nothing. `accounts` names the file of accounts to
    read or change; the user then needs the right to manage that file.
    """
    try:
        desk = open_desk(folder)
    except (PersistenceError, sqlite3.Error, OSError, DeskPlaceError) as error:
        raise _unrecorded(error) from error
    with closing(desk):
        file = accounts_of(folder) if accounts is None else _kept_by(folder, accounts)
        yield Trail(desk, _let_in(desk, file, folder), why or _purpose())


@contextmanager
def trail_if_any(data: Path | None, kafka: Path | None, state: Path | None) -> Iterator[Trail | None]:
    """The same as `trail`, for commands that also read a plain file or a folder without a record."""
    if kafka is None and (data is None or not any((data / each).exists() for each in (LOG_FILE, ACCOUNTS))):
        yield None
        return
    with trail(desk_folder(data, state)) as told:
        yield told


def only_with_right(folder: Path) -> None:
    """For commands that record their own action: check the user's right if the folder has accounts."""
    if accounts_of(folder) is not None:
        with trail(folder) as told:
            told.asks(asked())


def _kept_by(folder: Path, accounts: Path) -> Path | None:
    """The file of accounts that decides who may change `accounts`, or None while nobody can have that right yet.

    The file itself decides first, wherever it is. Otherwise anyone could name another folder to get in.
    """
    files = (accounts, accounts_of(folder))
    return next((each for each in files if each and each.exists() and somebody_may(each, "keep-accounts")), None)


def _let_in(desk: Desk, file: Path | None, folder: Path) -> Asker:
    try:
        return asker(file, folder, desk)
    except NotLetInError as error:
        if not error.recorded:
            Trail(desk, owner(), "").refused("sign-in", "no account of the folder")
        raise
    except (PersistenceError, sqlite3.Error, OSError, CrowdedError) as error:
        raise _unrecorded(error) from error


def _purpose() -> str:
    context = click.get_current_context(silent=True)
    return str(context.meta.get(WHY_META, "")) if context is not None else ""


def asker_options(command: Command) -> Command:
    """Give a command `--purpose` and the options that identify its user."""
    why = click.option(
        "--purpose",
        envvar=WHY,
        default="",
        metavar="WHY",
        expose_value=False,
        callback=lambda context, _, value: context.meta.__setitem__(WHY_META, value),
        help=f"Why you look, for the access log; or set {WHY}.",
    )
    return why(account_options(command))


def desk_folder(data: Path | None, state: Path | None) -> Path:
    """The place of a record's desk: beside an embedded record, in the state folder for Kafka, or a database."""
    if data is None and state is None and not database():
        raise click.UsageError(
            "the access log needs the folder of this record's desk: name it with --state DIR (or CATWALK_STATE)."
        )
    return data or state or Path()


def require_folder(data: Path | None, state: Path | None, *, new: bool = False) -> None:
    """Raise an error, before creating anything, if a folder has no record: its name may be misspelled."""
    if new:
        return
    begun = (LOG_FILE, ACCOUNTS, ELSEWHERE, DESK_FILE)
    if data is not None and not any((data / name).is_file() for name in begun):
        says = f"there is no record in {data}: no file {data / LOG_FILE}. Name the folder that catwalk wrote to"
    elif data is None and state is not None and not state.is_dir():
        says = f"there is no folder {state}. Name the state folder of this record"
    else:
        return
    raise NoRecordError(f"{says}; `accounts add` and `vault put` create a new folder with --new.")


def command_name() -> str:
    """The name of the running command, without the program's own name."""
    context = click.get_current_context()
    return context.command_path.removeprefix(f"{context.find_root().command_path} ")


def asked() -> str:
    """The running command as typed, without the record's place and the purpose."""
    context = click.get_current_context()
    words = [command_name()]
    for name, value in context.params.items():
        if name not in _NO_QUESTION and value not in (None, "", (), False):
            words.append(f"{name}={value}")
    return " ".join(words)


def _unrecorded(error: Exception) -> UnrecordedError:
    return UnrecordedError(
        f"the desk's access log cannot be written: {error}. Nothing is shown without a record of who looks."
    )


def _short(of: str) -> str:
    """The text of a request; if it is too long for a record, its beginning and its hash."""
    if len(of) <= _OF_LETTERS:
        return of
    return f"{of[:_OF_LETTERS]} ... ({len(of)} letters, SHA-256 {sha256(of.encode()).hexdigest()})"
