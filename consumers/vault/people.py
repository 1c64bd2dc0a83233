"""The vault: the identities behind players' tokens, each entry sealed under a key of its own.

The record holds only tokens and is never rewritten, so identities must be where they can be erased. Entries are in
`vault/people.sqlite`, which backups include. Their keys are in a separate file, sealed with the passphrase, which
backups omit: erasing a person deletes their key, so that no backup can open the entry. Hashes, chains and proofs cover
only tokens and stay valid.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Self

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

VAULT_FILE: Final = "vault/people.sqlite"  # in the data or state folder
KEYS_FILE: Final = "vault/identity-keys.sqlite"  # in the same folder, unless the variable names another file
KEYS_VARIABLE: Final = "CATWALK_IDENTITY_KEYS"
_SALT_BYTES, _NONCE_BYTES, _NAME_BYTES = 16, 12, 8
_COST: Final = 1 << 15  # scrypt's cost: a tenth of a second for each opening
_CHECK: Final = b"catwalk vault"
_CHECKED: Final = b"check"
_OWN_KEYS: Final = 2  # the version with a key per entry; in the one before, the passphrase sealed all entries
_PEOPLE: Final = "CREATE TABLE IF NOT EXISTS people (player TEXT PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID"
_KEYS: Final = (
    "CREATE TABLE keys.about (salt BLOB NOT NULL, sealed BLOB NOT NULL)",
    "CREATE TABLE keys.keys (player TEXT PRIMARY KEY, name BLOB NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID",
)
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
Token = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class VaultTroubleError(Exception):
    """A vault that cannot be opened, read or written; the message says why and what to do."""


class Identity(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A person's identity."""

    name: Text
    document: Annotated[str, msgspec.Meta(max_length=400)] = ""
    note: Annotated[str, msgspec.Meta(max_length=4_000)] = ""


class VaultEntry(Identity, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An input line with a player's identity."""

    player: Token


class Vault:
    """An open vault."""

    def __init__(self, file: Path, passphrase: bytes, *, create: bool = False) -> None:
        if not file.exists() and not create:
            raise VaultTroubleError(f"{file}: there is no vault here; create one with catwalk vault put")
        self._file, self.keys_file = file, keys_file(file)
        self.taken_over = False  # whether this opening converted entries of the earlier version
        fresh = not file.exists()
        if fresh:
            _made(file)
        try:
            self._db = sqlite3.connect(file.absolute().as_uri(), uri=True, isolation_level=None)
        except sqlite3.Error as error:
            raise VaultTroubleError(f"{file}: {error}") from error
        try:
            self._open(passphrase, fresh=fresh)
        except BaseException:
            self._db.close()
            raise

    def _open(self, passphrase: bytes, *, fresh: bool) -> None:
        before = [] if fresh else self._rows("SELECT 1 FROM sqlite_master WHERE name = 'about'")
        old = self._rows("SELECT salt, sealed FROM about") if before else []
        box = self._unlocked(old, passphrase) if old else None
        if not self.keys_file.exists():
            # Entries have keys somewhere. Only an empty vault, or one of the earlier version, gets a new file of keys.
            if not (fresh or old) and self._rows("SELECT 1 FROM people"):
                says = f"{self._file} holds entries, but the file of their keys, {self.keys_file}, is missing"
                raise VaultTroubleError(f"{says}. Restore a copy of it: no backup of the record includes it")
            _made(self.keys_file)
        for name in ("main", "keys"):
            if name == "keys":
                self._rows("ATTACH ? AS keys", f"{self.keys_file.absolute().as_uri()}?mode=rw")
            self._rows(f"PRAGMA {name}.secure_delete = ON")  # erased entries are overwritten, not only unlinked
            self._rows(f"PRAGMA {name}.journal_mode = TRUNCATE")  # and no journal beside the file keeps them
        with self._whole():
            self._rows(_PEOPLE)
            if not self._rows("SELECT 1 FROM keys.sqlite_master WHERE name = 'about'"):
                for statement in _KEYS:
                    self._rows(statement)
            self._box = self._keys_box(passphrase)
            if box is not None:
                self._take_over(box)
            self._rows(f"PRAGMA main.user_version = {_OWN_KEYS}")
        if box is not None:
            self._rows("VACUUM main")
            self.taken_over = True

    def _keys_box(self, passphrase: bytes) -> AESGCM:
        held = self._rows("SELECT salt, sealed FROM keys.about")
        if held:
            return self._unlocked(held, passphrase)
        salt = os.urandom(_SALT_BYTES)
        box = _box(salt, passphrase)
        self._rows("INSERT INTO keys.about VALUES (?, ?)", salt, _sealed(box, _CHECK, _CHECKED))
        return box

    def _unlocked(self, held: list[tuple[Any, ...]], passphrase: bytes) -> AESGCM:
        box = _box(held[0][0], passphrase)
        try:
            _opened(box, held[0][1], _CHECKED)
        except InvalidTag as error:
            raise VaultTroubleError(f"{self._file} does not open with this passphrase: check it") from error
        return box

    def _take_over(self, box: AESGCM) -> None:
        """Give each entry of the earlier version its own key, and remove the passphrase's seal."""
        for player, sealed in self._rows("SELECT player, sealed FROM people"):
            try:
                words = _opened(box, sealed, player.encode())
            except InvalidTag as error:
                raise VaultTroubleError(f"{self._file}: the entry of {player} was altered; restore a backup") from error
            self._rows("UPDATE people SET sealed = ? WHERE player = ?", self._own(player, words), player)
        self._rows("DROP TABLE main.about")

    def _own(self, player: str, words: bytes) -> bytes:
        """The words sealed with the player's own key, which is made if needed; the key's name comes first."""
        name, key = self._key(player) or self._new_key(player)
        return name + _sealed(AESGCM(key), words, player.encode())

    def _key(self, player: str) -> tuple[bytes, bytes] | None:
        held = self._rows("SELECT name, sealed FROM keys.keys WHERE player = ?", player)
        if not held:
            return None
        name, sealed = held[0]
        try:
            return name, _opened(self._box, sealed, name + player.encode())
        except InvalidTag as error:
            raise VaultTroubleError(f"{self.keys_file}: the key of {player} was altered; restore a copy") from error

    def _new_key(self, player: str) -> tuple[bytes, bytes]:
        name, key = os.urandom(_NAME_BYTES), AESGCM.generate_key(256)
        sealed = _sealed(self._box, key, name + player.encode())
        self._rows("INSERT INTO keys.keys VALUES (?, ?, ?)", player, name, sealed)
        return name, key

    def put(self, entries: list[VaultEntry]) -> int:
        """Store these entries, all or none, replacing earlier ones; return the number of new players."""
        new = sum(not self._rows("SELECT 1 FROM keys.keys WHERE player = ?", entry.player) for entry in entries)
        with self._whole():
            for entry in entries:
                sealed = self._own(entry.player, _stored(entry))
                self._rows("INSERT OR REPLACE INTO people VALUES (?, ?)", entry.player, sealed)
        return new

    def identity(self, player: str) -> Identity | None:
        """A player's identity; None if it was never stored or was erased, here or after the restored backup."""
        held = self._rows("SELECT sealed FROM people WHERE player = ?", player)
        own = self._key(player) if held else None
        if own is None or not held[0][0].startswith(own[0]):
            return None
        try:
            words = _opened(AESGCM(own[1]), held[0][0][_NAME_BYTES:], player.encode())
            return msgspec.json.decode(words, type=Identity)
        except (InvalidTag, msgspec.DecodeError) as error:
            raise VaultTroubleError(f"{self._file}: the entry of {player} was altered; restore a backup") from error

    def name(self, player: str) -> str:
        """A player's name; empty if it is not stored."""
        found = self.identity(player)
        return found.name if found else ""

    def erase(self, player: str) -> bool:
        """Erase a player's identity and its key, so that no backup can reveal it; return False if there was none."""
        with self._whole():
            there = bool(self._rows("DELETE FROM keys.keys WHERE player = ? RETURNING 1", player))
            there |= bool(self._rows("DELETE FROM people WHERE player = ? RETURNING 1", player))
        if there:
            self._rows("VACUUM keys")
            self._rows("VACUUM main")
        return there

    def players(self) -> list[str]:
        """The players with an entry."""
        asked = "SELECT player FROM people JOIN keys.keys USING (player) WHERE substr(people.sealed, 1, ?) = keys.name"
        return [player for (player,) in self._rows(f"{asked} ORDER BY player", _NAME_BYTES)]

    def copy_keys(self, out: Path) -> int:
        """Write the file of keys to another place, overwriting an earlier copy; return the number of keys."""
        if out.exists() and not _is_copy(out):
            raise VaultTroubleError(f"{out} exists and is not a copy of identity keys: name another file")
        unfinished = out.with_name(f".{out.name}.unfinished")
        unfinished.unlink(missing_ok=True)
        _made(unfinished, folder=False)
        copy = sqlite3.connect(unfinished)
        try:
            self._db.backup(copy, name="keys")
        except sqlite3.Error as error:
            raise VaultTroubleError(f"{out}: {error}") from error
        finally:
            copy.close()
        if out.exists():
            with out.open("r+b") as before:
                before.write(bytes(out.stat().st_size))
                before.flush()
                os.fsync(before.fileno())
        unfinished.replace(out)
        return int(self._rows("SELECT count(*) FROM keys.keys")[0][0])

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """One transaction over both files."""
        self._rows("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.rollback()
            raise
        self._rows("COMMIT")

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise VaultTroubleError(f"{self._file}: {error}") from error

    def close(self) -> None:
        """Close both files."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def keys_file(vault: Path) -> Path:
    """The file of a vault's keys: beside it, or the one that CATWALK_IDENTITY_KEYS names."""
    named = os.environ.get(KEYS_VARIABLE)
    return Path(named) if named else vault.with_name(Path(KEYS_FILE).name)


def _made(file: Path, *, folder: bool = True) -> None:
    if folder:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.parent.name == Path(VAULT_FILE).parent.name:
            file.parent.chmod(0o700)
    file.touch(0o600)


def _box(salt: bytes, passphrase: bytes) -> AESGCM:
    return AESGCM(Scrypt(salt=salt, length=32, n=_COST, r=8, p=1).derive(passphrase))


def _stored(entry: VaultEntry) -> bytes:
    return msgspec.json.encode(Identity(entry.name, entry.document, entry.note))


def _sealed(box: AESGCM, words: bytes, of: bytes) -> bytes:
    """Words sealed for this place alone: an entry that is moved to another token does not open there."""
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + box.encrypt(nonce, words, of)


def _opened(box: AESGCM, sealed: bytes, of: bytes) -> bytes:
    return box.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], of)


def _is_copy(file: Path) -> bool:
    """Whether a file is a copy of the keys, which may be overwritten."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
            db.execute("SELECT count(*) FROM keys").fetchone()
    except sqlite3.Error:
        return False
    return True
