"""A record, its keys and everything beside it, as one consistent file and back.

The backup holds the gateway's outbox and the tree while it copies, so that nothing is written meanwhile and no leaf
tells of what the copy does not have. Databases are copied through SQLite's own backup, the rest byte by byte; a
manifest inside names every file with its size and hash. Restoring checks the manifest before anything is put in place.
The read models are left out: they follow from the record. So are open sessions and failed sign-ins, and the keys of
identities: whoever is erased in the vault is to be gone in every backup.
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
# `catwalk rebuild` makes the read models again from the record, and whoever keeps them writes them all the time; a copy
# of the sign-ins would bring back sessions that were ended since; the door is open only while a gateway listens.
_LEFT_OUT = ("read/", SIGN_INS, KEYS_FILE, DOOR)
_SIDE_FILES = ("-wal", "-shm", "-journal", ".lock")


class BackupTroubleError(Exception):
    """A backup that cannot be made, read or put in place: what, and what to do."""


class Entry(msgspec.Struct, frozen=True):
    """One file of a backup."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup holds."""

    format: int
    files: dict[str, Entry]


More = Callable[[Path, dict[str, Path]], dict[str, Path]]  # a scratch folder, the files so far -> further files


def backup(folder: Path, out: Path, more: More | None = None) -> Manifest:
    """Writes the whole of a data folder, and what `more` makes, into one tar file, which is not there yet."""
    if not folder.is_dir():
        raise BackupTroubleError(f"{folder} is no folder: name the one the record is in")
    if out.exists():
        raise BackupTroubleError(f"{out} is there already: a backup is never written over another")
    with held_still(folder) if (folder / TREE_FILE).exists() else nullcontext():
        return _copied(folder, out, more)


def _copied(folder: Path, out: Path, more: More | None) -> Manifest:
    unfinished = out.with_name(out.name + ".unfinished")
    outbox = folder / _OUTBOX
    held = Outbox(outbox) if outbox.exists() else None  # nobody writes while it is open, or where there is none
    try:
        with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
            contents = dict(_contents(folder, Path(scratch), held))
            if more is not None:
                contents |= more(Path(scratch), contents)
            manifest = Manifest(FORMAT, {name: _entry(path) for name, path in contents.items()})
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
    """Every file of the folder by its name in the backup, databases as consistent copies."""
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


def _entry(path: Path) -> Entry:
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return Entry(path.stat().st_size, digest.hexdigest())


def _add(tar: tarfile.TarFile, name: str, file: io.BufferedIOBase, size: int) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    tar.addfile(member, file)


def restore(source: Path, folder: Path) -> Manifest:
    """Puts a backup in place as a new data folder, after proving each file against the manifest."""
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


def _unpack(source: Path, whole: Path) -> Manifest:
    try:
        with tarfile.open(source, "r:") as tar:
            first = tar.next()
            if first is None or first.name != MANIFEST:
                raise BackupTroubleError(f"{source} is no backup: it does not begin with {MANIFEST}")
            manifest = msgspec.json.decode(_bytes_of(tar, first), type=Manifest)
            if manifest.format != FORMAT:
                raise BackupTroubleError(f"{source} is of format {manifest.format}, and {FORMAT} is understood")
            found = {member.name for member in tar if member is not first and _put(tar, member, manifest, whole)}
    except (tarfile.TarError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError, EOFError) as error:
        raise BackupTroubleError(f"{source} cannot be read as a backup: {error}") from error
    if missing := manifest.files.keys() - found:
        raise BackupTroubleError(f"{source} lacks {min(missing)}: it is not whole")
    return manifest


def _put(tar: tarfile.TarFile, member: tarfile.TarInfo, manifest: Manifest, whole: Path) -> bool:
    """Writes one file out, proving it on the way."""
    entry = manifest.files.get(member.name)
    content = tar.extractfile(member) if entry is not None and member.isfile() else None
    if entry is None or content is None:
        raise BackupTroubleError(f"the backup holds {member.name}, which its manifest does not name")
    path = (whole / member.name).resolve()
    if not path.is_relative_to(whole.resolve()):
        raise BackupTroubleError(f"{member.name} would leave the folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, size = sha256(), 0
    with path.open("wb") as file:
        while piece := content.read(1 << 20):
            digest.update(piece)
            size += len(piece)
            file.write(piece)
    path.chmod(0o600)
    if (size, digest.hexdigest()) != (entry.size, entry.sha256):
        raise BackupTroubleError(f"{member.name} is not what the manifest says: the backup was changed")
    return True


def _bytes_of(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    if file is None:
        raise BackupTroubleError(f"{tar.name!s} is no backup: its {member.name} is no file")
    return file.read()
