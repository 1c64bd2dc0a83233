"""The person who runs a command: an account of the folder, or the files' owner if the folder has no accounts.

Once a folder has a file of accounts, a command requires an account. As on the pages, access that was not granted is
denied.
"""

import getpass
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec

from consumers.accounts.accounts import ACCOUNTS, Accounts, AccountsError, read
from consumers.accounts.door import WRONG, KeptOutError, SignInDoor
from consumers.accounts.failures import Failures
from consumers.accounts.sign_in_file import SignInFile
from consumers.desk.application import Desk
from consumers.private import SecretError, read_secret
from domain.desk.roles import ROLES, Person, Right, known

AS: Final = "CATWALK_ACCOUNT"  # environment variable: the account's name
PASSWORD_FILE: Final = "CATWALK_ACCOUNT_PASSWORD_FILE"  # noqa: S105 - variable: its password file
ELSEWHERE: Final = "room/accounts-file"  # in the folder: the path of the room's accounts file, written by `catwalk up`
_META: Final = "catwalk.asker"

Command = TypeVar("Command", bound=Callable[..., Any])


class Asker(msgspec.Struct, frozen=True):
    """The person who runs a command, with the roles that count here; `role` is the one written to the access log."""

    person: Person
    role: str


class NotLetInError(click.ClickException):
    """An error with exit status 4: the person did not identify themselves, or lacks the right."""

    exit_code = 4

    def __init__(self, message: str, *, recorded: bool = False) -> None:
        super().__init__(message)
        self.recorded = recorded  # whether the access log already has it


class _AskedAs(msgspec.Struct):
    """The options of a command that identify the person who runs it."""

    account: str = ""
    password_file: Path | None = None


def account_options(command: Command, password: str = "--password-file") -> Command:  # noqa: S107 - an option's name
    """Give a command `--as` and an option for the password's file."""
    named = click.option(
        "--as",
        "account",
        envvar=AS,
        default="",
        metavar="NAME",
        expose_value=False,
        callback=_kept("account"),
        help=f"Your account, required if the folder keeps accounts; or {AS}.",
    )
    file = click.option(
        password,
        envvar=PASSWORD_FILE,
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        expose_value=False,
        callback=_kept("password_file"),
        help=f"Its password; without this option, the command asks for it. Or {PASSWORD_FILE}.",
    )
    return named(file(command))


def _kept(field: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def keep(context: click.Context, _: click.Parameter, value: Any) -> None:
        setattr(context.meta.setdefault(_META, _AskedAs()), field, value)

    return keep


def asker(file: Path | None, folder: Path, desk: Desk) -> Asker:
    """Return who runs this command according to this file of accounts, or the files' owner if there is none."""
    if file is None:
        return owner()
    context = click.get_current_context(silent=True)
    said = context.meta.get(_META, _AskedAs()) if context is not None else _AskedAs()
    if not said.account:
        raise NotLetInError(f"{file} has accounts: name yours with --as NAME or {AS}.")
    person = identified(file, said.account, said.password_file, folder, desk)
    return Asker(person, ", ".join(person.roles))


def identified(file: Path, account: str, password_file: Path | None, folder: Path, desk: Desk) -> Person:
    """Return the person if they know the account's password; a failure counts like one on the pages."""
    try:
        password = _password(account, password_file)
        door = SignInDoor(Accounts(file), Failures(SignInFile(folder)), lambda: desk)
        return door.enter(account, password, by_whom=owner().person.name)
    except KeptOutError as error:
        says = f"{account}: {file} has no account with this name and password."
        raise NotLetInError(says if str(error) == WRONG else f"{account}: {error}", recorded=True) from error
    except AccountsError as error:
        raise NotLetInError(f"{str(error).rstrip('.')}.") from error


def owner() -> Asker:
    """The owner of the files: identified by the machine's account, with every right."""
    return Asker(Person(user(), ROLES), "")


def accounts_of(folder: Path) -> Path | None:
    """The file of accounts that applies to this folder, or None."""
    named = os.environ.get("CATWALK_ACCOUNTS", "")
    if named:
        return Path(named)
    if (folder / ELSEWHERE).is_file():
        return Path((folder / ELSEWHERE).read_text("utf-8").strip())
    file = folder / ACCOUNTS
    return file if file.exists() else None


def somebody_may(file: Path, right: Right) -> bool:
    """Whether any account in this file has this right."""
    return any(Person(name, known(each.roles)).may(right) for name, each in read(file).items())


def user() -> str:
    """The machine account that runs this, and the account it was before `sudo` or `su`."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = str(os.getuid())
    before = os.environ.get("SUDO_USER", "")
    return f"{name} ({before})" if before and before != name else name


def says_who(account: str, password_file: Path | None) -> None:
    """Set the same values as the options above, for a command whose own options give them."""
    click.get_current_context().meta[_META] = _AskedAs(account, password_file)


def _password(account: str, file: Path | None) -> str:
    """Read the password from a file or the terminal; never from the command line, which other users can see."""
    if file is not None:
        try:
            return read_secret(file).decode().rstrip("\r\n")
        except (SecretError, UnicodeDecodeError) as error:
            raise AccountsError(f"no password for {account}: {error}") from error
    if not sys.stdin.isatty():
        raise AccountsError(f"no password for {account}: name its file with {PASSWORD_FILE}, or run at a terminal")
    asked: str = click.prompt(f"password of {account}", hide_input=True, err=True)
    return asked
