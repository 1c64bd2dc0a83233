"""Backup of an embedded record, with its keys and everything beside it, to one consistent file; and restore.

While it copies, the backup holds the gateway's outbox and the tree, so that nothing is written and no leaf covers
records that the copy lacks. It copies databases with SQLite's own backup and other files byte by byte. A manifest
inside names every file with its size and hash; restoring checks it before putting anything in place. The backup omits
the read models, which follow from the record, and open sessions and failed sign-ins. It also omits the keys of
identities, so that a person erased in the vault is erased in every backup.
"""

import io
import sqlite3
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from hashlib import sha256
from pathlib import Path

import msgspec

from consumers.accounts.sign_in_file import SIGN_INS
from consumers.gateway.door import DOOR
from consumers.gateway.outbox import Outbox
from consumers.trust.holding import held_still
from consumers.trust.tree_file import TREE_FILE
from consumers.vault.people import KEYS_FILE

MANIFEST = "manifest.json"
FORMAT = 1
_OUTBOX = "gateway/outbox.sqlite"
_DATABASE = ".sqlite"
# `catwalk rebuild` recreates the read models from the record, and the projector writes them all the time. A copy of the
# sign-ins would revive ended sessions. The door exists only while a gateway listens.
_LEFT_OUT = ("read/", SIGN_INS, KEYS_FILE, DOOR)
_SIDE_FILES = ("-wal", "-shm", "-journal", ".lock")


class BackupTroubleError(Exception):
    """A backup that cannot be made, read or restored; the message says what is wrong and what to do."""


class BackupEntry(msgspec.Struct, frozen=True):
    """One file of a backup."""

    size: int
    sha256: str


class BackupManifest(msgspec.Struct, frozen=True):
    """The contents of a backup."""

    format: int
    files: dict[str, BackupEntry]


More = Callable[[Path, dict[str, Path]], dict[str, Path]]  # a scratch folder, the files so far -> further files


def backup(folder: Path, out: Path, more: More | None = None) -> BackupManifest:
    """Write a whole data folder, and what `more` adds, into one new tar file."""
    if not folder.is_dir():
        raise BackupTroubleError(f"{folder} is not a folder: name the folder of the record")
    if out.exists():
        raise BackupTroubleError(f"{out} already exists: a backup never overwrites a file, so choose another name")
    with held_still(folder) if (folder / TREE_FILE).exists() else nullcontext():
        return _copied(folder, out, more)


def _copied(folder: Path, out: Path, more: More | None) -> BackupManifest:
    unfinished = out.with_name(out.name + ".unfinished")
    outbox = folder / _OUTBOX
    held = Outbox(outbox) if outbox.exists() else None  # nothing writes while it is open, or without one
    try:
        with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
            contents = dict(_contents(folder, Path(scratch), held))
            if more is not None:
                contents |= more(Path(scratch), contents)
            manifest = BackupManifest(FORMAT, {name: _entry(path) for name, path in contents.items()})
            with tarfile.open(unfinished, "w", format=tarfile.PAX_FORMAT) as tar:
                encoded = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
                _add(tar, MANIFEST, io.BytesIO(encoded), len(encoded))
                for name, path in contents.items():
                    with path.open("rb") as file:
                        _add(tar, name, file, manifest.files[name].size)
            unfinished.rename(out)
    finally:
        if held is not None:
            held.close()
        unfinished.unlink(missing_ok=True)
    return manifest


def _contents(folder: Path, scratch: Path, held: Outbox | None) -> Iterator[tuple[str, Path]]:
    """Yield every file of the folder with its name in the backup; databases as consistent copies."""
    for number, path in enumerate(sorted(folder.rglob("*"))):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or name.endswith(_SIDE_FILES) or name.startswith(_LEFT_OUT):
            continue
        copy = scratch / str(number)
        if name == _OUTBOX and held is not None:
            held.copy_to(copy)
            yield name, copy
        elif name.endswith(_DATABASE):
            _copy_database(path, copy)
            yield name, copy
        else:
            yield name, path


def _copy_database(path: Path, copy: Path) -> None:
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            wrong = target.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        wrong = str(error)
    if wrong != "ok":
        raise BackupTroubleError(
            f"{path} cannot be copied: {wrong}. Restore it from a backup, or move it elsewhere first"
        )


def _entry(path: Path) -> BackupEntry:
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return BackupEntry(path.stat().st_size, digest.hexdigest())


def _add(tar: tarfile.TarFile, name: str, file: io.BufferedIOBase, size: int) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    tar.addfile(member, file)


def restore(source: Path, folder: Path) -> BackupManifest:
    """Put a backup in place as a new data folder, after checking each file against the manifest."""
    if folder.exists() and any(folder.iterdir()):
        raise BackupTroubleError(f"{folder} is not empty: restore into a new folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        whole = Path(scratch) / "data"
        manifest = _unpack(source, whole)
        if folder.exists():
            folder.rmdir()
        whole.rename(folder)
    return manifest


def _unpack(source: Path, whole: Path) -> BackupManifest:
    try:
        with tarfile.open(source, "r:") as tar:
            first = tar.next()
            if first is None or first.name != MANIFEST:
                raise BackupTroubleError(f"{source} is not a backup: it does not begin with {MANIFEST}")
            manifest = msgspec.json.decode(_bytes_of(tar, first), type=BackupManifest)
            if manifest.format != FORMAT:
                raise BackupTroubleError(f"{source} has format {manifest.format}; this version reads format {FORMAT}")
            found = {member.name for member in tar if member is not first and _put(tar, member, manifest, whole)}
    except (tarfile.TarError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError, EOFError) as error:
        raise BackupTroubleError(f"{source} cannot be read as a backup: {error}. Use another backup") from error
    if missing := manifest.files.keys() - found:
        raise BackupTroubleError(f"{source} is incomplete: {min(missing)} is missing. Use another backup")
    return manifest


def _put(tar: tarfile.TarFile, member: tarfile.TarInfo, manifest: BackupManifest, whole: Path) -> bool:
    """Write one file out and check it on the way."""
    entry = manifest.files.get(member.name)
    content = tar.extractfile(member) if entry is not None and member.isfile() else None
    if entry is None or content is None:
        raise BackupTroubleError(
            f"the backup was changed: it holds {member.name}, which its manifest does not name. Use another backup"
        )
    path = (whole / member.name).resolve()
    if not path.is_relative_to(whole.resolve()):
        raise BackupTroubleError(f"the backup was changed: {member.name} points outside the folder. Use another backup")
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, size = sha256(), 0
    with path.open("wb") as file:
        while piece := content.read(1 << 20):
            digest.update(piece)
            size += len(piece)
            file.write(piece)
    path.chmod(0o600)
    if (size, digest.hexdigest()) != (entry.size, entry.sha256):
        raise BackupTroubleError(f"the backup was changed: {member.name} differs from the manifest. Use another backup")
    return True


def _bytes_of(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    if file is None:
        raise BackupTroubleError(f"{tar.name!s} is not a backup: its {member.name} is not a file")
    return file.read()
