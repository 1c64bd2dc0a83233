"""Device keys that live here: Ed25519, one file a key, sealed by a passphrase from a file or the environment."""

import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

PASSPHRASE = "CATWALK_KEY_PASSPHRASE"  # noqa: S105 - the name of a variable
PASSPHRASE_FILE = "CATWALK_KEY_PASSPHRASE_FILE"  # noqa: S105 - the name of a variable


class KeyTroubleError(Exception):
    """A key that cannot be made, read or opened: what, and what to do."""


def passphrase() -> bytes:
    """The passphrase of the key files, from a named file or the environment, never from a flag."""
    if named := os.environ.get(PASSPHRASE_FILE):
        try:
            return Path(named).read_bytes().strip()
        except OSError as error:
            raise KeyTroubleError(f"{PASSPHRASE_FILE} names {named}, which cannot be read: {error}") from error
    if given := os.environ.get(PASSPHRASE):
        return given.encode()
    raise KeyTroubleError(f"no passphrase for the keys: set {PASSPHRASE_FILE} to a file, or {PASSPHRASE}")


class KeyStore:
    """The keys of a folder, `<table>.pem` each. A hardware module would have the same three methods."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[str, tuple[str, Ed25519PrivateKey]] = {}

    def make(self, table: str, name: str) -> str:
        """Makes a table's key; the public key in hex, to be registered by a fact of the property."""
        path = self.folder / f"{table}.pem"
        if path.exists():
            raise KeyTroubleError(f"{path} is there already: rotate the key under another name, or move the file away")
        private = Ed25519PrivateKey.generate()
        sealed = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(passphrase()))
        self.folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(f"# key {name}\n".encode() + sealed)
            file.flush()
            os.fsync(file.fileno())
        return private.public_key().public_bytes_raw().hex()

    def has(self, table: str) -> bool:
        """Whether this table's key lives here."""
        return (self.folder / f"{table}.pem").exists()

    def sign(self, table: str, words: bytes) -> tuple[str, str]:
        """The key's name and its signature over these words, in hex."""
        name, private = self._opened(table)
        return name, private.sign(words).hex()

    def _opened(self, table: str) -> tuple[str, Ed25519PrivateKey]:
        if table not in self._open:
            path = self.folder / f"{table}.pem"
            text = path.read_bytes()
            head, _, pem = text.partition(b"\n")
            try:
                private = load_pem_private_key(pem, passphrase())
            except (ValueError, TypeError) as error:
                raise KeyTroubleError(f"{path} does not open with this passphrase: {error}") from error
            if not isinstance(private, Ed25519PrivateKey):
                raise KeyTroubleError(f"{path} holds no Ed25519 key")
            self._open[table] = head.decode().removeprefix("# key "), private
        return self._open[table]


def verify(public: bytes, signature: bytes, words: bytes) -> bool:
    """Whether this signature over these words is the key's."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, words)
    except (InvalidSignature, ValueError):
        return False
    return True
