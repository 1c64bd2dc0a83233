"""The property's key, with which it signs the heads of its tree: made, kept and rotated as device keys are.

It lives in the same folder and under the same passphrase, as `checkpoint.pem`, `checkpoint@2.pem` and so on. Whatever
else can sign 64 bytes of Ed25519, a hardware module for one, may stand in its place: a Signer is all a keeper asks for.
"""

from typing import Final, Protocol

from consumers.gateway.keys import KeyStore, KeyTroubleError
from domain.ledger.checkpoint import ED25519, Key, is_name
from domain.ledger.seals import Since

OWNER: Final = "checkpoint"  # in the place of a table


class Signer(Protocol):
    """Who holds a private key and signs with it."""

    @property
    def key(self) -> Key:
        """Its public half, under the name it signs by."""

    def sign(self, words: bytes) -> bytes:
        """The signature over these words."""


class FileSigner:
    """One key of an owner in a folder of keys, opened when it first signs.

    A key of such an owner has its number for the time it begins at, so that an earlier one is found as well.
    """

    def __init__(self, store: KeyStore, key: Key, number: int, owner: str = OWNER) -> None:
        self.key = key
        self._store = store
        self._number = number
        self._owner = owner

    def sign(self, words: bytes) -> bytes:
        """The signature over these words."""
        found = self._store.signer(self._owner, "", 0, self._number)
        if found is None:
            says = f"no key {_called(self._owner, self._number)} lives in {self._store.folder}"
            raise KeyTroubleError(f"{says}: restore it from a backup")
        if found.private.public_key().public_bytes_raw() != self.key.public:
            raise KeyTroubleError(f"{found.name} in {self._store.folder} is another key than {self.key.text}")
        return bytes.fromhex(found.sign(words))


def made(store: KeyStore, name: str, number: int = 1, owner: str = OWNER, kind: int = ED25519) -> FileSigner:
    """Makes the owner's key of this number, or finds it there; `name` is what it signs by."""
    called, since = _called(owner, number), Since(number)
    told = store.make(owner, called, since) if number == 1 else store.rotate(owner, called, since)
    return FileSigner(store, Key(name, bytes.fromhex(told.public_key), kind), number, owner)


def checked_name(name: str) -> str:
    """A name signatures may bear."""
    if not is_name(name):
        raise KeyTroubleError(f"{name!r} is no name to sign by: no spaces and no plus in it, like catwalk/riverside")
    return name


def _called(owner: str, number: int) -> str:
    return owner if number == 1 else f"{owner}@{number}"
