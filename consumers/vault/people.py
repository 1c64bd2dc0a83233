"""The vault: who stands behind a player's token, each entry sealed under a key of its own.

The record holds tokens alone and is never rewritten; so who a player is must lie where it can be erased. Entries lie in
`vault/people.sqlite`, which a backup takes along. Their keys lie in a file of their own, sealed by the passphrase, and
no backup takes that along: whoever is erased loses their key, and with it the entry is gone in every backup as well.
Hashes, chains and proofs are of tokens and stay as they are.
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
KEYS_FILE: Final = "vault/identity-keys.sqlite"  # there as well, unless the variable names another place
KEYS_VARIABLE: Final = "CATWALK_IDENTITY_KEYS"
_SALT_BYTES, _NONCE_BYTES, _NAME_BYTES = 16, 12, 8
_COST: Final = 1 << 15  # of scrypt: a tenth of a second, once for each opening
_CHECK: Final = b"catwalk vault"
_CHECKED: Final = b"check"
_OWN_KEYS: Final = 2  # the form of the file since each entry has a key; before, the passphrase sealed all of them
_PEOPLE: Final = "CREATE TABLE IF NOT EXISTS people (player TEXT PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID"
_KEYS: Final = (
    "CREATE TABLE keys.about (salt BLOB NOT NULL, sealed BLOB NOT NULL)",
    "CREATE TABLE keys.keys (player TEXT PRIMARY KEY, name BLOB NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID",
)
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
        self._file, self.keys_file = file, keys_file(file)
        self.taken_over = False  # whether entries of the form before were given keys of their own just now
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
            # A vault somebody is in has keys somewhere. Only one of nobody, or of the form before, gets a new file.
            if not (fresh or old) and self._rows("SELECT 1 FROM people"):
                says = f"{self._file} holds entries, and the file of their keys, {self.keys_file}, is not here"
                raise VaultTroubleError(f"{says}. Put a copy of it there: no backup of the record holds it")
            _made(self.keys_file)
        for name in ("main", "keys"):
            if name == "keys":
                self._rows("ATTACH ? AS keys", f"{self.keys_file.absolute().as_uri()}?mode=rw")
            self._rows(f"PRAGMA {name}.secure_delete = ON")  # what is erased is overwritten, not only forgotten
            self._rows(f"PRAGMA {name}.journal_mode = TRUNCATE")  # nor does a log beside the file keep it
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
            raise VaultTroubleError(f"{self._file} does not open with this passphrase") from error
        return box

    def _take_over(self, box: AESGCM) -> None:
        """Gives each entry of the form before a key of its own, and forgets that the passphrase sealed it."""
        for player, sealed in self._rows("SELECT player, sealed FROM people"):
            try:
                words = _opened(box, sealed, player.encode())
            except InvalidTag as error:
                raise VaultTroubleError(f"{self._file}: what is kept of {player} was altered") from error
            self._rows("UPDATE people SET sealed = ? WHERE player = ?", self._own(player, words), player)
        self._rows("DROP TABLE main.about")

    def _own(self, player: str, words: bytes) -> bytes:
        """These words sealed by the player's own key, which is made where there is none; its name comes first."""
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
            raise VaultTroubleError(f"{self.keys_file}: the key of {player} was altered; put a copy there") from error

    def _new_key(self, player: str) -> tuple[bytes, bytes]:
        name, key = os.urandom(_NAME_BYTES), AESGCM.generate_key(256)
        sealed = _sealed(self._box, key, name + player.encode())
        self._rows("INSERT INTO keys.keys VALUES (?, ?, ?)", player, name, sealed)
        return name, key

    def put(self, entries: list[Entry]) -> int:
        """Keeps these, all or none, in the place of what was kept of them; how many are new."""
        new = sum(not self._rows("SELECT 1 FROM keys.keys WHERE player = ?", entry.player) for entry in entries)
        with self._whole():
            for entry in entries:
                sealed = self._own(entry.player, _stored(entry))
                self._rows("INSERT OR REPLACE INTO people VALUES (?, ?)", entry.player, sealed)
        return new

    def identity(self, player: str) -> Identity | None:
        """Who a player is; None where nobody said so, or it was erased, here or since a backup that was put back."""
        held = self._rows("SELECT sealed FROM people WHERE player = ?", player)
        own = self._key(player) if held else None
        if own is None or not held[0][0].startswith(own[0]):
            return None
        try:
            words = _opened(AESGCM(own[1]), held[0][0][_NAME_BYTES:], player.encode())
            return msgspec.json.decode(words, type=Identity)
        except (InvalidTag, msgspec.DecodeError) as error:
            raise VaultTroubleError(f"{self._file}: what is kept of {player} was altered; restore a backup") from error

    def name(self, player: str) -> str:
        """Their name; nothing where it is not kept."""
        found = self.identity(player)
        return found.name if found else ""

    def erase(self, player: str) -> bool:
        """Erases who a player is, and the key without which no backup tells it; False where nothing was kept."""
        with self._whole():
            there = bool(self._rows("DELETE FROM keys.keys WHERE player = ? RETURNING 1", player))
            there |= bool(self._rows("DELETE FROM people WHERE player = ? RETURNING 1", player))
        if there:
            self._rows("VACUUM keys")
            self._rows("VACUUM main")
        return there

    def players(self) -> list[str]:
        """Of whom something is kept."""
        asked = "SELECT player FROM people JOIN keys.keys USING (player) WHERE substr(people.sealed, 1, ?) = keys.name"
        return [player for (player,) in self._rows(f"{asked} ORDER BY player", _NAME_BYTES)]

    def copy_keys(self, out: Path) -> int:
        """Writes the file of keys to another place, over the copy before, which is overwritten; how many keys."""
        if out.exists() and not _is_copy(out):
            raise VaultTroubleError(f"{out} is there and is no copy of identity keys: name another file")
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
        """Lets the files go."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def keys_file(vault: Path) -> Path:
    """Where the keys of a vault's entries lie: beside it, or where CATWALK_IDENTITY_KEYS says."""
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


def _stored(entry: Entry) -> bytes:
    return msgspec.json.encode(Identity(entry.name, entry.document, entry.note))


def _sealed(box: AESGCM, words: bytes, of: bytes) -> bytes:
    """Sealed for this place alone: an entry that is moved to another token does not open there."""
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
