"""Who runs a command: an account of the folder, by its password; or whoever owns the files, where no account is kept.

Once a folder has a file of accounts nobody is let in without one: as on the pages, what nobody granted is denied.
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
from consumers.accounts.door import WRONG, Door, KeptOutError
from consumers.accounts.failures import Failures
from consumers.accounts.sign_in_file import SignInFile
from consumers.desk.application import Desk
from consumers.private import SecretError, read_secret
from domain.desk.roles import ROLES, Person, Right, known

AS: Final = "CATWALK_ACCOUNT"  # in the environment: whose account, ...
PASSWORD_FILE: Final = "CATWALK_ACCOUNT_PASSWORD_FILE"  # noqa: S105 - ... where its password lies
ELSEWHERE: Final = "room/accounts-file"  # in the folder: where the room's accounts lie, in the words of `catwalk up`
_META: Final = "catwalk.asker"

Command = TypeVar("Command", bound=Callable[..., Any])


class Asker(msgspec.Struct, frozen=True):
    """Somebody, with the roles that count here; `role` is what stands in the access log."""

    person: Person
    role: str


class NotLetInError(click.ClickException):
    """Ends a command with status 4: who asks did not say who they are, or may not."""

    exit_code = 4

    def __init__(self, message: str, *, recorded: bool = False) -> None:
        super().__init__(message)
        self.recorded = recorded  # whether it stands in the access log already


class _Said(msgspec.Struct):
    """What the options of a command say about who runs it."""

    account: str = ""
    password_file: Path | None = None


def account_options(command: Command, password: str = "--password-file") -> Command:  # noqa: S107 - an option's name
    """Gives a command `--as` and an option for the password's file."""
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
        setattr(context.meta.setdefault(_META, _Said()), field, value)

    return keep


def asker(file: Path | None, folder: Path, desk: Desk) -> Asker:
    """Who runs this command, by this file of accounts; whoever owns the files where there is none."""
    if file is None:
        return owner()
    context = click.get_current_context(silent=True)
    said = context.meta.get(_META, _Said()) if context is not None else _Said()
    if not said.account:
        raise NotLetInError(f"{file} keeps accounts: say who you are with --as NAME, or {AS}.")
    person = identified(file, said.account, said.password_file, folder, desk)
    return Asker(person, ", ".join(person.roles))


def identified(file: Path, account: str, password_file: Path | None, folder: Path, desk: Desk) -> Person:
    """Who this is by a file of accounts, if they know the password; a failure counts as one on the pages does."""
    try:
        password = _password(account, password_file)
        door = Door(Accounts(file), Failures(SignInFile(folder)), lambda: desk)
        return door.enter(account, password, by_whom=owner().person.name)
    except KeptOutError as error:
        says = f"{account}: that name and password do not belong together in {file}."
        raise NotLetInError(says if str(error) == WRONG else f"{account}: {error}", recorded=True) from error
    except AccountsError as error:
        raise NotLetInError(f"{str(error).rstrip('.')}.") from error


def owner() -> Asker:
    """Whoever owns the files: known by the account of the machine, with every right."""
    return Asker(Person(user(), ROLES), "")


def accounts_of(folder: Path) -> Path | None:
    """The file of accounts that counts for this folder; none where there is none."""
    named = os.environ.get("CATWALK_ACCOUNTS", "")
    if named:
        return Path(named)
    if (folder / ELSEWHERE).is_file():
        return Path((folder / ELSEWHERE).read_text("utf-8").strip())
    file = folder / ACCOUNTS
    return file if file.exists() else None


def somebody_may(file: Path, right: Right) -> bool:
    """Whether any account of this file has this right."""
    return any(Person(name, known(each.roles)).may(right) for name, each in read(file).items())


def user() -> str:
    """Who runs this by the machine's accounts, and for whom where they became somebody else."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = str(os.getuid())
    before = os.environ.get("SUDO_USER", "")
    return f"{name} ({before})" if before and before != name else name


def says_who(account: str, password_file: Path | None) -> None:
    """The same as the options above, for a command whose own options tell it."""
    click.get_current_context().meta[_META] = _Said(account, password_file)


def _password(account: str, file: Path | None) -> str:
    """From a file or from the terminal; never from the command line, which others can read."""
    if file is not None:
        try:
            return read_secret(file).decode().rstrip("\r\n")
        except (SecretError, UnicodeDecodeError) as error:
            raise AccountsError(f"no password for {account}: {error}") from error
    if not sys.stdin.isatty():
        raise AccountsError(f"no password for {account}: name its file ({PASSWORD_FILE}), or run at a terminal")
    asked: str = click.prompt(f"password of {account}", hide_input=True, err=True)
    return asked
