"""Local accounts in a file, for demonstrations and for rooms without a sign-in service.

The file is TOML with one table per person: their roles, and their password as a scrypt hash. An unknown name takes as
long to check as a wrong password, so response times do not reveal which names exist.
"""

import fcntl
import hashlib
import hmac
import os
import re
import secrets
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from consumers.accounts import passwords
from consumers.accounts.passwords import WeakPasswordError
from consumers.private import SecretError, read_secret
from domain.desk.roles import ROLES, Person, known

# OWASP's parameters for scrypt: about 60 ms per attempt here.
_COST: Final = 2**15
_BLOCK, _LANES, _BYTES = 8, 3, 32
_KEPT: Final = re.compile(r"(?:[0-9a-f]{2}){16,}:(?:[0-9a-f]{2}){32}")
ACCOUNTS: Final = "accounts.toml"  # in the data or state folder
_NAME_LETTERS: Final = 64


class AccountsError(ValueError):
    """A file of accounts that cannot be used; the message says what is wrong and where."""


class Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One person's account."""

    roles: tuple[str, ...]
    password: str  # salt and hash, in hex


def hashed(password: str, salt: bytes | None = None) -> str:
    """The stored form of a password: its salt and scrypt hash, in hex."""
    own = secrets.token_bytes(16) if salt is None else salt
    kept = hashlib.scrypt(
        passwords.normal(password).encode(), salt=own, n=_COST, r=_BLOCK, p=_LANES, dklen=_BYTES, maxmem=2**27
    )
    return f"{own.hex()}:{kept.hex()}"


class Accounts:
    """The accounts of one file, read again whenever the file changes."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read_at = -1
        self._held: dict[str, Account] = {}
        self._nobody = hashed(secrets.token_hex(16))

    def person(self, user: str, password: str) -> Person | None:
        """Return the person with this name if the password is right."""
        account = self._accounts().get(user)
        kept = account.password if account is not None else self._nobody
        salt = bytes.fromhex(kept.partition(":")[0])
        right = hmac.compare_digest(hashed(password, salt), kept)
        return Person(user, known(account.roles)) if right and account is not None else None

    def proof(self, user: str) -> str | None:
        """A digest of an account's name, roles and password; it changes when any of them does."""
        try:
            account = self._accounts().get(user)
        except AccountsError:
            return None  # without the file there are no accounts
        if account is None:
            return None
        return hashlib.sha256(f"{user} {sorted(account.roles)} {account.password}".encode()).hexdigest()

    def knows(self, user: str) -> bool:
        """Whether the account exists. For the access log only: a person signing in never learns this."""
        return user in self._accounts()

    def _accounts(self) -> dict[str, Account]:
        try:
            changed = self._file.stat().st_mtime_ns
        except OSError as error:
            raise AccountsError(f"{self._file}: {error.strerror}. Create it with catwalk accounts add.") from error
        if changed != self._read_at:
            self._held, self._read_at = read(self._file), changed
        return self._held


def read(file: Path) -> dict[str, Account]:
    """The accounts of a file."""
    try:
        rows = tomllib.loads(read_secret(file).decode())
    except SecretError as error:
        raise AccountsError(str(error)) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AccountsError(f"{file} cannot be read: {error}. Fix the file or restore it from a backup") from error
    found = {}
    for user, row in rows.items():
        try:
            account = msgspec.convert(row, Account)
        except msgspec.ValidationError as error:
            raise AccountsError(f"{file}, [{user}]: {error}") from error
        if not _KEPT.fullmatch(account.password):
            raise AccountsError(
                f"{file}, [{user}]: the password is not as catwalk accounts add writes it; add the account again"
            )
        if unknown := set(account.roles) - set(ROLES):
            raise AccountsError(f"{file}, [{user}]: unknown role {min(unknown)}; the roles are {', '.join(ROLES)}")
        found[user] = account
    return found


def check(user: str, roles: tuple[str, ...], password: str) -> None:
    """Raise an error if the name, the roles or the password are not allowed."""
    if len(user) > _NAME_LETTERS or not user.isascii() or not user.replace("-", "").replace(".", "").isalnum():
        raise AccountsError(f"{user!r} is not an account name: up to {_NAME_LETTERS} letters, digits, dots, hyphens")
    if unknown := set(roles) - set(ROLES):
        raise AccountsError(f"unknown role {min(unknown)}; the roles are {', '.join(ROLES)}")
    if not roles:
        raise AccountsError(f"{user} needs at least one role: {', '.join(ROLES)}")
    try:
        passwords.check(user, password)
    except WeakPasswordError as error:
        raise AccountsError(str(error)) from error


def added(file: Path, user: str, roles: tuple[str, ...], password: str) -> None:
    """Write an account into the file, replacing one of the same name. Only the file's owner can read it."""
    check(user, roles, password)
    new = Account(roles, hashed(password))
    file.parent.mkdir(parents=True, exist_ok=True)
    with _changing(file) as held:
        held[user] = new


def removed(file: Path, user: str) -> None:
    """Remove an account from the file."""
    with _changing(file) as held:
        if held.pop(user, None) is None:
            raise AccountsError(f"{file} has no account {user}")


@contextmanager
def _changing(file: Path) -> Iterator[dict[str, Account]]:
    """Yield the accounts, and write them back if they changed; a lock keeps others from changing them meanwhile."""
    with file.with_name(f".{file.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        held = read(file) if file.exists() else {}
        yield held
        text = "".join(_row(each, account) for each, account in sorted(held.items()))
        new = file.with_name(f".{file.name}.{os.getpid()}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        new.replace(file)


def _row(user: str, account: Account) -> str:
    roles = ", ".join(f'"{role}"' for role in account.roles)
    return f'["{user}"]\nroles = [{roles}]\npassword = "{account.password}"\n\n'
