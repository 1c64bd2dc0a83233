"""Device keys that live here: Ed25519, one file a key, sealed by a passphrase from a file or the environment.

A table's keys are `T7.pem`, `T7@2.pem` and so on, each with its name and from when on it seals. A revoked key keeps its
file and gets a mark beside it. Which key seals at a place is decided as the register of keys decides it.
"""

import os
import re
from collections.abc import Mapping
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
    """A key that cannot be made, read or opened: what, and what to do."""


class Made(msgspec.Struct, frozen=True):
    """A key that was made here: what the property is told of it."""

    name: str
    table: str
    public_key: str
    since: Since
    before: str = ""  # the key whose place it takes


class _Head(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line of a key's file."""

    key: str
    since: Since


class _Key:
    """One key of a table, its private part opened when it first signs."""

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
                raise KeyTroubleError(f"{self.path} holds no Ed25519 key")
            self._private = opened
        return self._private

    @property
    def mark(self) -> Path:
        return self.path.with_suffix(".revoked")

    def revoked(self, stream: str, sequence: int, at: int) -> bool:
        return any(since.reached(stream, sequence, at) for since in self.marks())

    def marks(self) -> list[Since]:
        """From where on it is revoked; more than one, where that was said more than once."""
        if not self.mark.exists():
            return []
        try:
            return msgspec.json.decode(self.mark.read_bytes(), type=list[Since])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            says = f"{self.mark} does not tell from when on a key is revoked: {error}"
            raise KeyTroubleError(f"{says}. Restore it from a backup") from error


def passphrase(environment: Mapping[str, str] = os.environ) -> bytes:
    """The passphrase of the key files, from a named file or the environment, never from a flag."""
    if named := environment.get(PASSPHRASE_FILE):
        try:
            held = read_secret(Path(named)).strip()
        except SecretError as error:
            raise KeyTroubleError(f"no passphrase for the keys: {error}") from error
        if not held:
            raise KeyTroubleError(f"no passphrase for the keys: {named} is empty")
        return held
    if given := environment.get(PASSPHRASE):
        return given.encode()
    raise KeyTroubleError(f"no passphrase for the keys: set {PASSPHRASE_FILE} to a file, or {PASSPHRASE}")


class Signer(msgspec.Struct, frozen=True):
    """A key that seals here and now."""

    name: str
    private: Ed25519PrivateKey

    def sign(self, words: bytes) -> str:
        """The signature over these words, in hex."""
        return self.private.sign(words).hex()


class KeyStore:
    """The keys of a folder. A hardware module would make, rotate, revoke and sign as well."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._keys: dict[str, list[_Key]] = {}

    def make(self, table: str, name: str, since: Since = ALWAYS) -> Made:
        """Makes a table's first key. The same asked again makes nothing and tells the same."""
        keys = self._of(table)
        if keys and keys[0].name != name:
            raise KeyTroubleError(f"{keys[0].path} is there already: catwalk keys rotate puts another in its place")
        key = keys[0] if keys else self._made(table, name, since)
        return Made(key.name, table, _public(key), key.since)

    def rotate(self, table: str, name: str, since: Since) -> Made:
        """Makes a table's next key, which seals from there on. The same asked again tells the same."""
        keys = self._of(table)
        if not keys:
            raise KeyTroubleError(f"no key of {table} lives in {self.folder}: catwalk keys make comes first")
        if keys[-1].name != name:
            self._made(table, name, since)
        elif len(keys) == 1:
            raise KeyTroubleError(f"{name} is the key of {table} now: give the new key another name")
        old, new = self._of(table)[-2:]
        return Made(new.name, table, _public(new), new.since, old.name)

    def put_off(self, name: str, since: Since) -> None:
        """A key that is on no record yet seals from there on: nothing it was made for earlier has come about."""
        if (key := self._named(name)) is not None and key.since != since:
            _put(key.path, b"# " + msgspec.json.encode(_Head(name, since)) + b"\n" + key.sealed, replace=True)
            self._keys.clear()

    def revoke(self, name: str, since: Since) -> bool:
        """Keeps a key from sealing from there on; false, if it does not live here."""
        key = self._named(name)
        if key is None:
            return False
        marks = key.marks()
        if since not in marks:
            _put(key.mark, msgspec.json.encode([*marks, since]), replace=True)
        return True

    def lives_here(self, name: str) -> bool:
        """Whether the private part of a key is in this folder."""
        return self._named(name) is not None

    def held(self) -> list[tuple[str, str]]:
        """Table and name of every key whose private part is in this folder, a table's first one first."""
        return [(table, key.name) for table in self._tables() for key in self._of(table)]

    def signer(
        self, table: str, stream: str, sequence: int, at: int, register: KeyRegister | None = None
    ) -> Signer | None:
        """The key that may seal a table's record at this place and time; none, if none lives here that may.

        The newest whose time has come: once it is there those before it may not, even where it is revoked itself.
        A register is obeyed as well: a key it does not know, or knows to be another's or over, is not used.
        """
        place = (stream, sequence, at)
        for key in reversed(self._of(table)):
            told = None if register is None else register.keys.get(key.name)
            if register is not None and told is None:
                continue  # it was made here, and its registration did not get onto the record
            if (key.since if told is None else told.since).reached(*place):
                if key.revoked(*place) or (register is not None and not _in_force(register, key, table, place)):
                    return None
                return Signer(key.name, key.private())
        return None

    def open_newest(self) -> None:
        """Opens the newest key of each table: one that does not open is an error before anything is to be sealed."""
        for table in self._tables():
            self.open_newest_of(table)

    def open_newest_of(self, table: str) -> bool:
        """The same for one table; no, where it has none here."""
        keys = self._of(table)
        if keys:
            keys[-1].private()
        return bool(keys)

    def _tables(self) -> list[str]:
        return sorted({path.stem.partition("@")[0] for path in self.folder.glob("*.pem")})

    def _of(self, table: str) -> list[_Key]:
        """The keys of a table, the newest last; a file that another process has put there since is seen."""
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
            raise KeyTroubleError(f"{table!r} is no table: letters, digits, . _ - and at most forty of them")
        if not _PUBLIC_NAME.fullmatch(name):
            raise KeyTroubleError(f"{name!r} is no name of a key: one to 128 characters on one line")
        if (other := self._named(name)) is not None:
            raise KeyTroubleError(f"{other.path} holds the key {name} already: a key's name is used once")
        beside = self._of(table)[-1:] or [_Key(path) for path in sorted(self.folder.glob("*.pem"))[:1]]
        for key in beside:
            key.private()  # with another passphrase than the keys here have, a gateway could open one or the other
        private = Ed25519PrivateKey.generate()
        sealed = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(passphrase()))
        path = self._path(table, len(self._of(table)) + 1)
        _put(path, b"# " + msgspec.json.encode(_Head(name, since)) + b"\n" + sealed)
        return self._of(table)[-1]


def _put(path: Path, content: bytes, *, replace: bool = False) -> None:
    """A file that is there whole or not at all, for its owner's eyes alone."""
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
            raise KeyTroubleError(f"{path} has just been made by somebody else: look at it first") from error
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


def verify(public: bytes, signature: bytes, words: bytes) -> bool:
    """Whether this signature over these words is the key's, as strictly as the verifier of exports asks it."""
    if not may_be_signature(public, signature):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, words)
    except (InvalidSignature, ValueError):
        return False
    return True
