"""The layout of the read models' folder.

current                        names the generation to read
1/                             a build: everything made from the log in one go; a rebuild makes the next
  lock                         held by the projector that owns the build
  work.duckdb                  its working file
  segments/rounds-17.parquet   closed stretches of open days
  days/rounds/2026-11-18/…     sealed days
  generations/00000012.duckdb  small snapshots; a reader holds a shared lock on the one it reads
"""

import fcntl
import os
import shutil
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from projections.troubles import DamagedError, OwnedError


class Pointer(msgspec.Struct, frozen=True):
    """The contents of `current`."""

    build: int
    generation: int
    made_at: int  # microseconds since 1970: when it was made, or last confirmed as current

    @property
    def told_at(self) -> datetime:
        """The time as a datetime."""
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=self.made_at)


class Build:
    """One build's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = int(path.name)
        self.work = path / "work.duckdb"
        self.generations = path / "generations"

    def generation(self, number: int) -> Path:
        """Return the path of a generation's snapshot."""
        return self.generations / f"{number:08}.duckdb"

    def published(self) -> list[int]:
        """Return the generations in this folder, oldest first."""
        return sorted(int(each.stem) for each in self.generations.glob("*.duckdb"))


class Folder:
    """The whole folder."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        self._current = self.root / "current"

    def pointer(self) -> Pointer | None:
        """Return the generation to read, or None if none is published."""
        try:
            return msgspec.json.decode(self._current.read_bytes(), type=Pointer)
        except FileNotFoundError:
            return None
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise DamagedError(self._current, error) from error

    def point(self, pointer: Pointer) -> None:
        """Switch readers to another generation."""
        waiting = self.root / "current.new"
        waiting.write_bytes(msgspec.json.encode(pointer))
        synced(waiting)
        waiting.replace(self._current)
        synced(self.root)

    def build(self, number: int) -> Build:
        """Return the build of this number, existing or not."""
        return Build(self.root / str(number))

    def builds(self) -> list[Build]:
        """Return the existing builds, oldest first."""
        found = (each for each in self.root.glob("*") if each.name.isdigit())
        return sorted(map(Build, found), key=lambda build: build.number)


class FileLock:
    """A lock on a file, until it is closed or the process ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def close(self) -> None:
        """Release the lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def owned(build: Build) -> FileLock:
    """Lock a build for this projector alone."""
    held = _locked(build.path / "lock", os.O_RDWR | os.O_CREAT, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if held is None:
        raise OwnedError(build.path)
    return held


def read(generation: Path) -> FileLock | None:
    """Lock a generation against removal; return None if it is gone."""
    try:
        return _locked(generation, os.O_RDONLY, fcntl.LOCK_SH)
    except FileNotFoundError:
        return None


def unread(generation: Path) -> FileLock | None:
    """Lock a generation without readers against new ones; return None if it has readers or is gone."""
    try:
        return _locked(generation, os.O_RDONLY, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return None


def _locked(path: Path, flags: int, how: int) -> FileLock | None:
    descriptor = os.open(path, flags | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, how)
        if os.fstat(descriptor).st_nlink:
            return FileLock(descriptor)
    except BlockingIOError:
        pass
    os.close(descriptor)
    return None


def remove_build(build: Build) -> bool:
    """Remove a build without owner or readers; otherwise keep it and return False."""
    try:
        holds = [owned(build)]
    except OwnedError:
        return False
    try:
        for number in build.published():
            held = unread(build.generation(number))
            if held is None:
                return False
            holds.append(held)
        for number in build.published():
            build.generation(number).unlink()
        shutil.rmtree(build.path)
        return True
    finally:
        for held in holds:
            held.close()


def synced(*paths: Path) -> None:
    """Make files, or the names in folders, durable."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sync_files(paths: Iterable[Path]) -> None:
    """Make new files and their names durable."""
    files = list(paths)
    synced(*files, *{file.parent for file in files})


def made(folder: Path) -> None:
    """Create a folder, durably."""
    if not folder.is_dir():
        made(folder.parent)
        folder.mkdir(exist_ok=True)
        synced(folder.parent)
