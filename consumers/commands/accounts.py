"""`catwalk accounts`: who may sign in with the local file, and in which roles; the access log records each change."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec

from consumers.accounts import accounts
from consumers.accounts.accounts import ACCOUNTS, Account, AccountsError
from consumers.accounts.asker import account_options, accounts_of
from consumers.accounts.failures import Failures
from consumers.accounts.sign_in_file import SignInFile
from consumers.accounts.trail import Trail, asked, require_folder, trail
from consumers.asking.place import place_of_answers
from consumers.private import SecretError, read_secret
from domain.desk.access import AccountAdded, AccountRemoved, SignInUnlocked
from domain.desk.acting import by
from domain.desk.roles import ROLES, Person, Role, known

PASSWORD: Final = "CATWALK_ACCOUNT_PASSWORD"  # noqa: S105 - the name of a variable
_EXAMPLES = """\b
Examples:
  catwalk accounts add olga --role operator --data pit
  catwalk accounts add ivan --role investigator --role auditor --password-file ivan.txt --data pit
  catwalk accounts list --data pit
  catwalk accounts password olga --as mara --data pit
  catwalk accounts unlock olga --as mara --data pit
  catwalk accounts remove olga --as mara --data pit

The local file is for a demonstration, or for a dashboard without a sign-in service; docs/operations.md describes how
to use such a service. The file holds a scrypt hash of each password. A file that other users may open is refused. A
running dashboard applies changes at once: removing an account, or changing its password or roles, ends its sessions
within seconds. As soon as one account is a manager's, only a manager can change the file, and every command that
shows part of the record requires --as.

A password has at least 15 letters. Common passwords, sequences and the name of the account are refused.
"""
_ADD = """\b
Examples:
  catwalk accounts add olga --role operator --data pit
  pass show room/olga | catwalk accounts add olga --role operator --password-file - --data pit

The command asks for the password, or reads it from a file that other users may not open, from standard input (-) or
from CATWALK_ACCOUNT_PASSWORD. It replaces an account of this name. Roles: operator, investigator, manager, auditor,
regulator, device-admin.

\b
Exit status: 0 written; 2 usage error, a name, role or password that is not allowed, the last account that can manage
accounts, or a file or desk that cannot be written; 4 not permitted.
"""
_ANEW = """\b
Examples:
  catwalk accounts password olga --as mara --data pit
  catwalk accounts password olga --as olga --data pit

A manager can set any password; other people can change their own.
"""
_LIST = """\b
Examples:
  catwalk accounts list --data pit
  catwalk accounts list --data pit --json

For a locked account, the list shows when its lock ends, in UTC, and how many failed sign-ins in a row locked it.
"""
_UNLOCK = """\b
Examples:
  catwalk accounts unlock olga --as mara --data pit

After ten failed sign-ins in a row an account is locked for 30 minutes, on the pages and in commands. This command, run
by a manager, unlocks it earlier. The access log holds the failures, the lock and its end.
"""
Command = TypeVar("Command", bound=Callable[..., Any])


class AccountsStoppedError(click.ClickException):
    """An error that ends the command with status 2."""

    exit_code = 2


@click.group("accounts", epilog=_EXAMPLES)
def accounts_command() -> None:
    """Manage local accounts: who may sign in without a sign-in service."""


def _account_options(command: Command) -> Command:
    return account_options(command, "--own-password-file")


def _file_option(command: Command) -> Command:
    return click.option(
        "--file",
        type=click.Path(dir_okay=False, path_type=Path),
        envvar="CATWALK_ACCOUNTS",
        metavar="FILE",
        help="The file of accounts; default: the dashboard's, or accounts.toml in the folder. Or CATWALK_ACCOUNTS.",
    )(command)


_PASSWORD_FILE = click.option(
    "--password-file",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="Read the password from here instead of asking; `-` is standard input.",
)
_LAST = click.option("--last", is_flag=True, help="Allow this even for the last account that can manage accounts.")


@accounts_command.command("add", epilog=_ADD)
@click.argument("name")
@click.option("--role", "roles", multiple=True, type=click.Choice(ROLES), help="A role; repeat for more.")
@_PASSWORD_FILE
@_LAST
@click.option("--new", is_flag=True, help="Create a folder without a record, if needed.")
@_file_option
@_account_options
@place_of_answers
def add_command(
    *,
    name: str,
    roles: tuple[str, ...],
    password_file: Path | None,
    last: bool,
    new: bool,
    file: Path | None,
    data: Path | None,
    state: Path | None,
) -> None:
    """Add the account NAME, or replace its password and roles."""
    folder = _folder(data, state, new=new)
    chosen = _chosen(file, folder)
    wanted = known(roles)
    with _trouble():
        password = _password(name, password_file)
        accounts.check(name, wanted, password)
        with _keeper(folder, chosen) as told:
            held = _held(chosen)
            _still_kept(chosen, held, name, wanted, last=last)
            told.done(AccountAdded(**by(told.act()), account=name, roles=wanted, replaced=name in held))
        accounts.added(chosen, name, wanted, password)
    click.echo(f"{chosen}: {name} {'changed' if name in held else 'added'} ({', '.join(wanted)})", err=True)


@accounts_command.command("password", epilog=_ANEW)
@click.argument("name")
@_PASSWORD_FILE
@_file_option
@_account_options
@place_of_answers
def password_command(
    *, name: str, password_file: Path | None, file: Path | None, data: Path | None, state: Path | None
) -> None:
    """Change the password of the account NAME; its roles stay."""
    folder = _folder(data, state)
    chosen = _chosen(file, folder)
    with _trouble():
        with trail(folder, accounts=chosen) as told:
            if told.person.name != name:
                told.needs("keep-accounts", "sign-in", asked())
            account = _held(chosen).get(name)
            if account is None:
                raise AccountsError(f"{chosen} has no account {name}")
            password = _password(name, password_file)
            accounts.check(name, account.roles, password)
            told.done(AccountAdded(**by(told.act()), account=name, roles=account.roles, replaced=True))
        accounts.added(chosen, name, account.roles, password)
    click.echo(f"{chosen}: the password of {name} is changed", err=True)


@accounts_command.command("list", epilog=_LIST)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each account.")
@_file_option
@_account_options
@place_of_answers
def list_command(*, as_json: bool, file: Path | None, data: Path | None, state: Path | None) -> None:
    """List the accounts, their roles, and which of them are locked."""
    folder = _folder(data, state)
    with _trouble():
        chosen = _chosen(file, folder)
        with _keeper(folder, chosen) as told:
            told.asks(asked())
            found, locks = accounts.read(chosen), Failures(SignInFile(folder)).locked()
    for name, account in sorted(found.items()):
        lock = locks.get(name)
        until = datetime.fromtimestamp(lock.until, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if lock else None
        if as_json:
            row = {"name": name, "roles": account.roles, "locked_until": until}
            click.echo(msgspec.json.encode(row | {"failures": lock.failures if lock else 0}))
        else:
            locked = f"  locked until {until} after {lock.failures} failed sign-ins" if lock else ""
            click.echo(f"{name:<24}  {', '.join(account.roles)}{locked}")


@accounts_command.command("remove", epilog="\b\nExamples:\n  catwalk accounts remove olga --as mara --data pit\n")
@click.argument("name")
@_LAST
@_file_option
@_account_options
@place_of_answers
def remove_command(*, name: str, last: bool, file: Path | None, data: Path | None, state: Path | None) -> None:
    """Remove the account NAME."""
    folder = _folder(data, state)
    chosen = _chosen(file, folder)
    with _trouble():
        with _keeper(folder, chosen) as told:
            held = _held(chosen)
            if name not in held:
                raise AccountsError(f"{chosen} has no account {name}")
            _still_kept(chosen, held, name, (), last=last)
            told.done(AccountRemoved(**by(told.act()), account=name))
        accounts.removed(chosen, name)
    click.echo(f"{chosen}: {name} removed", err=True)


@accounts_command.command("unlock", epilog=_UNLOCK)
@click.argument("name")
@_file_option
@_account_options
@place_of_answers
def unlock_command(*, name: str, file: Path | None, data: Path | None, state: Path | None) -> None:
    """Let the account NAME sign in again before its lock ends."""
    folder = _folder(data, state)
    chosen = _chosen(file, folder)
    with _trouble(), _keeper(folder, chosen) as told:
        if name not in _held(chosen):
            raise AccountsError(f"{chosen} has no account {name}")
        told.done(SignInUnlocked(**by(told.act()), account=name))
        if Failures(SignInFile(folder)).unlock(name):
            click.echo(f"{name} may sign in again: its failed sign-ins are cleared", err=True)
        else:
            click.echo(f"{name} has no failed sign-ins", err=True)


@contextmanager
def _keeper(folder: Path, chosen: Path) -> Iterator[Trail]:
    """The access log, for a person who can manage accounts, or the files' owner while no account can."""
    with trail(folder, accounts=chosen) as told:
        told.needs("keep-accounts", "sign-in", asked())
        yield told


def _chosen(file: Path | None, folder: Path) -> Path:
    return file or accounts_of(folder) or folder / ACCOUNTS


def _held(file: Path) -> dict[str, Account]:
    return accounts.read(file) if file.exists() else {}


def _still_kept(file: Path, held: dict[str, Account], name: str, roles: tuple[Role, ...], *, last: bool) -> None:
    """Refuse a change that leaves no account able to manage accounts, unless `last` allows it."""

    def keepers(rows: dict[str, tuple[Role, ...]]) -> list[str]:
        return [each for each, its in rows.items() if Person(each, its).may("keep-accounts")]

    now = {each: known(account.roles) for each, account in held.items()}
    if keepers(now) and not keepers({**now, name: roles}) and not last:
        says = f"{name} is the last account of {file} that can manage accounts; without one, the owner of the files can"
        raise AccountsError(f"{says}. To allow this, add --last; otherwise create another manager first")


def _folder(data: Path | None, state: Path | None, *, new: bool = False) -> Path:
    """The folder of the accounts and the desk; it must exist unless `new`."""
    if (data is None) == (state is None):
        raise click.UsageError(
            "the folder of the accounts is missing: give --data DIR, or for a record in Kafka --state DIR "
            "(or CATWALK_DATA or CATWALK_STATE), but not both."
        )
    require_folder(data, state, new=new)
    return data or state or Path()


def _password(name: str, file: Path | None) -> str:
    """Read the password from where the options say; never from the command line, which other users can see."""
    if file is not None:
        try:
            held = sys.stdin.read() if str(file) == "-" else read_secret(file).decode()
        except (SecretError, UnicodeDecodeError) as error:
            raise AccountsError(f"no password for {name}: {error}") from error
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
