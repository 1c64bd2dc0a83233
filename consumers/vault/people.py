"""The vault: a file of its own that says who stands behind a player's token, each entry sealed by the passphrase.

The record holds tokens alone and is never rewritten; so who a player is must lie where it can be erased. What is erased
is overwritten in the file; hashes, chains and proofs are of tokens and stay as they are. A backup made before still
holds the entry, sealed.
"""

import os
import sqlite3
from pathlib import Path
from typing import Annotated, Any, Final, Self

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

VAULT_FILE: Final = "vault/people.sqlite"  # in the data or state folder
_SALT_BYTES, _NONCE_BYTES = 16, 12
_COST: Final = 1 << 15  # of scrypt: a tenth of a second, once for each opening
_CHECK: Final = b"catwalk vault"
_CHECKED: Final = b"check"
_TABLES: Final = """
CREATE TABLE about (salt BLOB NOT NULL, sealed BLOB NOT NULL);
CREATE TABLE people (player TEXT PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID;
"""
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
Token = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class VaultTroubleError(Exception):
    """A vault that cannot be opened, read or written: what, and what to do."""


class Identity(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who somebody is."""

    name: Text
    document: Annotated[str, msgspec.Meta(max_length=400)] = ""
    note: Annotated[str, msgspec.Meta(max_length=4_000)] = ""


class Entry(Identity, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A line by which the vault is told who somebody is."""

    player: Token


class Vault:
    """An open vault."""

    def __init__(self, file: Path, passphrase: bytes, *, create: bool = False) -> None:
        if not file.exists() and not create:
            raise VaultTroubleError(f"{file}: there is no vault here; catwalk vault put makes one")
        self._file = file
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.parent.chmod(0o700)
            file.touch(0o600)
        self._db = self._opened()
        try:
            self._box = self._unlocked(passphrase)
        except BaseException:
            self._db.close()
            raise

    def _opened(self) -> sqlite3.Connection:
        try:
            db = sqlite3.connect(self._file, isolation_level=None)
            db.execute("PRAGMA secure_delete = ON")  # what is erased is overwritten, not only forgotten
            db.execute("PRAGMA journal_mode = TRUNCATE")  # nor does a log beside the file keep it
            if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'about'").fetchone():
                db.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
        except sqlite3.Error as error:
            raise VaultTroubleError(f"{self._file}: {error}") from error
        return db

    def _unlocked(self, passphrase: bytes) -> AESGCM:
        held = self._rows("SELECT salt, sealed FROM about")
        salt = held[0][0] if held else os.urandom(_SALT_BYTES)
        box = AESGCM(Scrypt(salt=salt, length=32, n=_COST, r=8, p=1).derive(passphrase))
        if not held:
            self._rows("INSERT INTO about VALUES (?, ?)", salt, _sealed(box, _CHECK, _CHECKED))
            return box
        try:
            _opened(box, held[0][1], _CHECKED)
        except InvalidTag as error:
            raise VaultTroubleError(f"{self._file} does not open with this passphrase") from error
        return box

    def put(self, entries: list[Entry]) -> int:
        """Keeps these, all or none, in the place of what was kept of them; how many are new."""
        new = sum(not self._rows("SELECT 1 FROM people WHERE player = ?", entry.player) for entry in entries)
        sealed = [(entry.player, _sealed(self._box, _stored(entry), entry.player.encode())) for entry in entries]
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("INSERT OR REPLACE INTO people VALUES (?, ?)", sealed)
        except sqlite3.Error as error:
            raise VaultTroubleError(f"{self._file}: {error}") from error
        return new

    def identity(self, player: str) -> Identity | None:
        """Who a player is; None where nobody said so, or it was erased."""
        held = self._rows("SELECT sealed FROM people WHERE player = ?", player)
        if not held:
            return None
        try:
            return msgspec.json.decode(_opened(self._box, held[0][0], player.encode()), type=Identity)
        except (InvalidTag, msgspec.DecodeError) as error:
            raise VaultTroubleError(f"{self._file}: what is kept of {player} was altered; restore a backup") from error

    def name(self, player: str) -> str:
        """Their name; nothing where it is not kept."""
        found = self.identity(player)
        return found.name if found else ""

    def erase(self, player: str) -> bool:
        """Erases who a player is; False where nothing was kept."""
        there = bool(self._rows("DELETE FROM people WHERE player = ? RETURNING 1", player))
        if there:
            self._rows("VACUUM")
        return there

    def players(self) -> list[str]:
        """Of whom something is kept."""
        return [player for (player,) in self._rows("SELECT player FROM people ORDER BY player")]

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise VaultTroubleError(f"{self._file}: {error}") from error

    def close(self) -> None:
        """Lets the file go."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _stored(entry: Entry) -> bytes:
    return msgspec.json.encode(Identity(entry.name, entry.document, entry.note))


def _sealed(box: AESGCM, words: bytes, of: bytes) -> bytes:
    """Sealed for this place alone: an entry that is moved to another token does not open there."""
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + box.encrypt(nonce, words, of)


def _opened(box: AESGCM, sealed: bytes, of: bytes) -> bytes:
    return box.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], of)
