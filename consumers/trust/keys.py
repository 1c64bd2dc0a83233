"""The property's key, which signs the heads of its tree: made, stored and rotated like device keys.

It is in the same folder under the same passphrase, as `checkpoint.pem`, `checkpoint@2.pem` and so on. Anything else
that signs 64 bytes of Ed25519, such as a hardware module, can replace it: a keeper needs only a Signer.
"""

from typing import Final, Protocol

from consumers.gateway.keys import KeyStore, KeyTroubleError
from domain.ledger.checkpoint import ED25519, NoteKey, is_name
from domain.ledger.seals import Since

OWNER: Final = "checkpoint"  # used where device keys name a table


class NoteSigner(Protocol):
    """A holder of a private key that signs with it."""

    @property
    def key(self) -> NoteKey:
        """The public key, under the name it signs by."""

    def sign(self, words: bytes) -> bytes:
        """Return the signature over these words."""


class FileSigner:
    """One key of an owner in a folder of keys, opened when it first signs.

    The key's number serves as the time from which it is valid, so that earlier keys can be found too.
    """

    def __init__(self, store: KeyStore, key: NoteKey, number: int, owner: str = OWNER) -> None:
        self.key = key
        self._store = store
        self._number = number
        self._owner = owner

    def sign(self, words: bytes) -> bytes:
        """Return the signature over these words."""
        found = self._store.signer(self._owner, "", 0, self._number)
        if found is None:
            says = f"{self._store.folder} has no key {_called(self._owner, self._number)}"
            raise KeyTroubleError(f"{says}: restore it from a backup")
        if found.private.public_key().public_bytes_raw() != self.key.public:
            raise KeyTroubleError(f"{found.name} in {self._store.folder} is not {self.key.text}: restore a backup")
        return bytes.fromhex(found.sign(words))


def made(store: KeyStore, name: str, number: int = 1, owner: str = OWNER, kind: int = ED25519) -> FileSigner:
    """Make the owner's key of this number, or find the existing one; `name` is the name it signs by."""
    called, since = _called(owner, number), Since(number)
    told = store.make(owner, called, since) if number == 1 else store.rotate(owner, called, since)
    return FileSigner(store, NoteKey(name, bytes.fromhex(told.public_key), kind), number, owner)


def checked_name(name: str) -> str:
    """Return a name that signatures may have, or raise an error."""
    if not is_name(name):
        raise KeyTroubleError(f"{name!r} cannot be a signer's name: use no spaces and no plus, as in catwalk/riverside")
    return name


def _called(owner: str, number: int) -> str:
    return owner if number == 1 else f"{owner}@{number}"
