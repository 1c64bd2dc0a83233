"""`catwalk accounts`: who may sign in by the local file, with which roles; every change stands in the access log."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec

from consumers.asking.place import place_of_answers
from consumers.desk.asker import account_options
from consumers.desk.trail import Trail, asked, trail
from consumers.room import accounts
from consumers.room.accounts import ACCOUNTS, AccountsError
from domain.desk.access import AccountAdded, AccountRemoved
from domain.desk.acting import by
from domain.desk.roles import ROLES

PASSWORD: Final = "CATWALK_ACCOUNT_PASSWORD"  # noqa: S105 - a name in the environment
_EXAMPLES = """\b
Examples:
  catwalk accounts add olga --role operator --data pit
  catwalk accounts add ivan --role investigator --role auditor --password-file ivan.txt --data pit
  catwalk accounts list --data pit
  catwalk accounts remove olga --data pit

The local file is for a demonstration, and for a room without a sign-in service of its own; docs/operations.md tells
how to use one. It holds each password as scrypt keeps it, and belongs to its owner alone. A room that runs takes a
change up at once; whoever has signed in stays so until they leave or their time is over.
"""
_ADD = """\b
Examples:
  catwalk accounts add olga --role operator --data pit
  pass show room/olga | catwalk accounts add olga --role operator --password-file - --data pit

The password is asked for, or read from a file, from standard input (-) or from CATWALK_ACCOUNT_PASSWORD. An account
of this name is replaced. Roles: operator, investigator, manager, auditor, regulator, device-admin.

\b
Exit status: 0 written; 2 usage, a name, role or password that will not do, or a file or desk nobody can write.
"""
Command = TypeVar("Command", bound=Callable[..., Any])


class AccountsStoppedError(click.ClickException):
    """Ends the command with status 2."""

    exit_code = 2


@click.group("accounts", epilog=_EXAMPLES)
def accounts_command() -> None:
    """Local accounts of the room: who may sign in without a sign-in service."""


def _account_options(command: Command) -> Command:
    return account_options(command, "--own-password-file")


def _file_option(command: Command) -> Command:
    return click.option(
        "--file",
        type=click.Path(dir_okay=False, path_type=Path),
        envvar="CATWALK_ACCOUNTS",
        metavar="FILE",
        help="The file of accounts; accounts.toml in the folder where left out. Or CATWALK_ACCOUNTS.",
    )(command)


@accounts_command.command("add", epilog=_ADD)
@click.argument("name")
@click.option("--role", "roles", multiple=True, type=click.Choice(ROLES), help="A role; repeat for more.")
@click.option(
    "--password-file",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="Read the password from here instead of asking; `-` is standard input.",
)
@_file_option
@_account_options
@place_of_answers
def add_command(
    *,
    name: str,
    roles: tuple[str, ...],
    password_file: Path | None,
    file: Path | None,
    data: Path | None,
    state: Path | None,
) -> None:
    """Add an account NAME, or give it another password and other roles."""
    folder = _folder(data, state)
    chosen = file or folder / ACCOUNTS
    roles = tuple(role for role in ROLES if role in roles)
    with _trouble():
        password = _password(name, password_file)
        accounts.check(name, roles, password)
        replaced = chosen.exists() and name in accounts.read(chosen)
        with _keeper(folder) as told:
            told.done(AccountAdded(**by(told.act()), account=name, roles=roles, replaced=replaced))
        accounts.added(chosen, name, roles, password)
    click.echo(f"{chosen}: {name} {'changed' if replaced else 'added'} ({', '.join(roles)})", err=True)


@accounts_command.command("list", epilog="\b\nExamples:\n  catwalk accounts list --data pit\n")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON an account.")
@_file_option
@_account_options
@place_of_answers
def list_command(*, as_json: bool, file: Path | None, data: Path | None, state: Path | None) -> None:
    """List the accounts and their roles."""
    folder = _folder(data, state)
    with _trouble():
        found = accounts.read(file or folder / ACCOUNTS)
        with _keeper(folder):
            pass
    for name, account in sorted(found.items()):
        if as_json:
            click.echo(msgspec.json.encode({"name": name, "roles": account.roles}))
        else:
            click.echo(f"{name:<24}  {', '.join(account.roles)}")


@accounts_command.command("remove", epilog="\b\nExamples:\n  catwalk accounts remove olga --data pit\n")
@click.argument("name")
@_file_option
@_account_options
@place_of_answers
def remove_command(*, name: str, file: Path | None, data: Path | None, state: Path | None) -> None:
    """Remove the account NAME."""
    folder = _folder(data, state)
    chosen = file or folder / ACCOUNTS
    with _trouble():
        with _keeper(folder) as told:
            if name not in accounts.read(chosen):
                raise AccountsError(f"{chosen} has no account {name}")
            told.done(AccountRemoved(**by(told.act()), account=name))
        accounts.removed(chosen, name)
    click.echo(f"{chosen}: {name} removed", err=True)


@contextmanager
def _keeper(folder: Path) -> Iterator[Trail]:
    """Somebody who may keep accounts; the owner of the files as long as no account may."""
    with trail(folder, unless_nobody_may="keep-accounts") as told:
        told.needs("keep-accounts", "sign-in", asked())
        yield told


def _folder(data: Path | None, state: Path | None) -> Path:
    """Where accounts and desk lie."""
    if (data is None) == (state is None):
        raise click.UsageError(
            "whose room? Give --data DIR, or for a record in Kafka --state DIR "
            "(CATWALK_DATA and CATWALK_STATE count too), and not both."
        )
    return data or state or Path()


def _password(name: str, file: Path | None) -> str:
    """The password from where it was said to be; never from the command line, which others can read."""
    if file is not None:
        try:
            held = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise AccountsError(f"{file}: the password cannot be read: {error}") from error
        return held.rstrip("\r\n")
    if given := os.environ.get(PASSWORD):
        return given
    if not sys.stdin.isatty():
        raise AccountsError(f"no password for {name}: give --password-file FILE, set {PASSWORD}, or run at a terminal")
    asked: str = click.prompt(f"password of {name}", hide_input=True, confirmation_prompt=True, err=True)
    return asked


@contextmanager
def _trouble() -> Iterator[None]:
    try:
        yield
    except AccountsError as error:
        raise AccountsStoppedError(f"{str(error).rstrip('.')}.") from error
    except OSError as error:
        raise AccountsStoppedError(f"the file of accounts cannot be written: {error}.") from error
