"""Device keys on this machine: Ed25519, one file per key, sealed with a passphrase from a file or the environment.

A table's keys are `T7.pem`, `T7@2.pem` and so on, each with its name and the place or time from which it seals. A
revoked key keeps its file and gets a mark beside it. The key for a place is chosen by the same rule as in the register
of keys.
"""

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from consumers.private import SecretError, read_secret
from domain.ledger.ed25519 import may_be_signature
from domain.ledger.seals import KeyRegister, Since, standing

PASSPHRASE = "CATWALK_KEY_PASSPHRASE"  # noqa: S105 - the name of a variable
PASSPHRASE_FILE = "CATWALK_KEY_PASSPHRASE_FILE"  # noqa: S105 - the name of a variable
ALWAYS = Since(0)
_TABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_PUBLIC_NAME = re.compile(r"[^\s].{0,126}[^\s]|[^\s]")


class KeyTroubleError(Exception):
    """A key that cannot be made, read or opened; the message says which and what to do."""


class NewKey(msgspec.Struct, frozen=True):
    """A key made here, as it is registered with the property."""

    name: str
    table: str
    public_key: str
    since: Since
    before: str = ""  # the key it replaces


class _Head(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line of a key's file."""

    key: str
    since: Since


class _Key:
    """One key of a table; its private part is opened when it first signs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            line, _, self.sealed = path.read_bytes().partition(b"\n")
            head = msgspec.json.decode(line.removeprefix(b"# "), type=_Head)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise KeyTroubleError(f"{path} does not begin with the key's name: {error}") from error
        except OSError as error:
            raise KeyTroubleError(f"{path} cannot be read: {error.strerror or error}") from error
        self.name, self.since = head.key, head.since
        self._private: Ed25519PrivateKey | None = None

    def private(self) -> Ed25519PrivateKey:
        if self._private is None:
            try:
                opened = load_pem_private_key(self.sealed, passphrase())
            except (ValueError, TypeError) as error:
                raise KeyTroubleError(f"{self.path} does not open with this passphrase: {error}") from error
            if not isinstance(opened, Ed25519PrivateKey):
                raise KeyTroubleError(f"{self.path} does not hold an Ed25519 key. Restore it from a backup")
            self._private = opened
        return self._private

    @property
    def mark(self) -> Path:
        return self.path.with_suffix(".revoked")

    def revoked(self, stream: str, sequence: int, at: int) -> bool:
        return any(since.reached(stream, sequence, at) for since in self.marks())

    def marks(self) -> list[Since]:
        """The points from which it is revoked; several if it was revoked more than once."""
        if not self.mark.exists():
            return []
        try:
            return msgspec.json.decode(self.mark.read_bytes(), type=list[Since])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            says = f"{self.mark} does not say from when the key is revoked: {error}"
            raise KeyTroubleError(f"{says}. Restore it from a backup") from error


def passphrase(environment: Mapping[str, str] = os.environ) -> bytes:
    """The passphrase of the key files, from a named file or the environment, never from a flag."""
    if named := environment.get(PASSPHRASE_FILE):
        try:
            held = read_secret(Path(named)).strip()
        except SecretError as error:
            raise KeyTroubleError(f"no passphrase for the keys: {error}") from error
        if not held:
            raise KeyTroubleError(f"no passphrase for the keys: {named} is empty. Write the passphrase into it")
        return held
    if given := environment.get(PASSPHRASE):
        return given.encode()
    raise KeyTroubleError(f"no passphrase for the keys: set {PASSPHRASE_FILE} to a file, or {PASSPHRASE}")


class SealingKey(msgspec.Struct, frozen=True):
    """A key that may seal now."""

    name: str
    private: Ed25519PrivateKey

    def sign(self, words: bytes) -> str:
        """Return the signature over these words, in hex."""
        return self.private.sign(words).hex()


class KeyStore:
    """The keys of a folder. A hardware module would also make, rotate, revoke and sign."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._keys: dict[str, list[_Key]] = {}

    def make(self, table: str, name: str, since: Since = ALWAYS) -> NewKey:
        """Make a table's first key; a repeated request makes nothing and returns the same key."""
        keys = self._of(table)
        if keys and keys[0].name != name:
            raise KeyTroubleError(f"{keys[0].path} already exists: replace the key with catwalk keys rotate")
        key = keys[0] if keys else self._made(table, name, since)
        return NewKey(key.name, table, _public(key), key.since)

    def rotate(self, table: str, name: str, since: Since) -> NewKey:
        """Make a table's next key, which seals from `since` on; a repeated request returns the same key."""
        keys = self._of(table)
        if not keys:
            raise KeyTroubleError(f"{self.folder} has no key of {table}: first make one with catwalk keys make")
        if keys[-1].name != name:
            self._made(table, name, since)
        elif len(keys) == 1:
            raise KeyTroubleError(f"{name} is the current key of {table}: give the new key another name")
        old, new = self._of(table)[-2:]
        return NewKey(new.name, table, _public(new), new.since, old.name)

    def put_off(self, name: str, since: Since) -> None:
        """Let an unregistered key seal only from `since` on; it has sealed nothing yet."""
        if (key := self._named(name)) is not None and key.since != since:
            _put(key.path, b"# " + msgspec.json.encode(_Head(name, since)) + b"\n" + key.sealed, replace=True)
            self._keys.clear()

    def revoke(self, name: str, since: Since) -> bool:
        """Stop a key from sealing from `since` on; return False if the key is not here."""
        key = self._named(name)
        if key is None:
            return False
        marks = key.marks()
        if since not in marks:
            _put(key.mark, msgspec.json.encode([*marks, since]), replace=True)
        return True

    def lives_here(self, name: str) -> bool:
        """Whether this folder has the private part of a key."""
        return self._named(name) is not None

    def held(self) -> list[tuple[str, str]]:
        """The table and name of every key whose private part is in this folder, a table's first key first."""
        return [(table, key.name) for table in self._tables() for key in self._of(table)]

    def signer(
        self, table: str, stream: str, sequence: int, at: int, register: KeyRegister | None = None
    ) -> SealingKey | None:
        """The key that may seal a table's record at this place and time, or None.

        It is the newest key whose time has come; from then on older keys may not seal, even if the newest is revoked. A
        register is obeyed too: a key that is unknown to it, belongs to another table, or has ended is not used.
        """
        place = (stream, sequence, at)
        for key in reversed(self._of(table)):
            told = None if register is None else register.keys.get(key.name)
            if register is not None and told is None:
                continue  # made here, but never registered on record
            if (key.since if told is None else told.since).reached(*place):
                if key.revoked(*place) or (register is not None and not _in_force(register, key, table, place)):
                    return None
                return SealingKey(key.name, key.private())
        return None

    def open_newest(self) -> None:
        """Open the newest key of each table, so that a key that does not open fails before anything is to be sealed."""
        for table in self._tables():
            self.open_newest_of(table)

    def open_newest_of(self, table: str) -> bool:
        """Open the newest key of one table; return False if it has none here."""
        keys = self._of(table)
        if keys:
            keys[-1].private()
        return bool(keys)

    def _tables(self) -> list[str]:
        return sorted({path.stem.partition("@")[0] for path in self.folder.glob("*.pem")})

    def _of(self, table: str) -> list[_Key]:
        """The keys of a table, the newest last, including files that another process has added."""
        keys = self._keys.setdefault(table, [])
        while (path := self._path(table, len(keys) + 1)).exists():
            keys.append(_Key(path))
        return keys

    def _path(self, table: str, number: int) -> Path:
        return self.folder / (f"{table}.pem" if number == 1 else f"{table}@{number}.pem")

    def _named(self, name: str) -> _Key | None:
        found = (_Key(path) for path in sorted(self.folder.glob("*.pem")))
        return next((key for key in found if key.name == name), None)

    def _made(self, table: str, name: str, since: Since) -> _Key:
        if not _TABLE.fullmatch(table):
            raise KeyTroubleError(f"{table!r} is not a table's name: use up to forty letters, digits, and . _ -")
        if not _PUBLIC_NAME.fullmatch(name):
            raise KeyTroubleError(f"{name!r} is not a key's name: use one to 128 characters on one line")
        if (other := self._named(name)) is not None:
            raise KeyTroubleError(f"{other.path} already holds the key {name}: choose another name")
        beside = self._of(table)[-1:] or [_Key(path) for path in sorted(self.folder.glob("*.pem"))[:1]]
        for key in beside:
            key.private()  # with two passphrases, a gateway could open only some of the keys
        private = Ed25519PrivateKey.generate()
        sealed = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(passphrase()))
        path = self._path(table, len(self._of(table)) + 1)
        _put(path, b"# " + msgspec.json.encode(_Head(name, since)) + b"\n" + sealed)
        return self._of(table)[-1]


def _put(path: Path, content: bytes, *, replace: bool = False) -> None:
    """Write a file completely or not at all, readable only by its owner."""
    try:
        _put_whole(path, content, replace=replace)
    except OSError as error:
        raise KeyTroubleError(f"{path} cannot be written: {error.strerror or error}") from error


def _put_whole(path: Path, content: bytes, *, replace: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if replace:
        unfinished.replace(path)
    else:
        try:
            path.hardlink_to(unfinished)
        except FileExistsError as error:
            raise KeyTroubleError(f"another process has just created {path}: check it first") from error
        finally:
            unfinished.unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def _in_force(register: KeyRegister, key: _Key, table: str, place: tuple[str, int, int]) -> bool:
    told = register.keys[key.name]
    return told.table == table and told.public_key == _public(key) and not standing(told, *place)


def _public(key: _Key) -> str:
    return key.private().public_key().public_bytes_raw().hex()


@lru_cache(maxsize=8_192)  # an export's seals are checked for its faults, and again before it is signed
def verify(public: bytes, signature: bytes, words: bytes) -> bool:
    """Whether this signature over these words is the key's, checked as strictly as by the verifier of exports."""
    if not may_be_signature(public, signature):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, words)
    except (InvalidSignature, ValueError):
        return False
    return True
