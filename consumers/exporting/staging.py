"""`FILE.part`: what is done of an export, so that a command that was killed goes on where it was.

Files of a stream are written whole and written again if in doubt. Tables grow; the journal says how long each was when
a stream was done, and what stands behind that is cut off. Nothing is at FILE before the whole is.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import IO, Final

import msgspec

BAG: Final = "bag"  # what goes into the export lies here; what helps to make it beside it
_JOURNAL, _LOCK = "journal.jsonl", "lock"
_MARK_SECONDS = 2.0  # what a kill may cost, more or less


class StagingError(Exception):
    """An export that cannot be made where it is to be made: why, and what to do."""


class _Begun(msgspec.Struct, frozen=True, tag="begun"):
    question: str


class _Mark(msgspec.Struct, frozen=True, tag="done"):
    place: str
    sizes: dict[str, int]


_DECODER: msgspec.json.Decoder[_Begun | _Mark] = msgspec.json.Decoder(_Begun | _Mark)


class Staging:
    """The folder beside a file in the making. One process works in it."""

    def __init__(self, file: Path, question: str) -> None:
        self.file = file
        self.folder = file.with_name(file.name + ".part")
        self.place = ""  # the last thing that was done before
        self.resumed = False
        self._question = question
        self._open: dict[str, IO[bytes]] = {}
        self._sizes: dict[str, int] = {}
        self._fresh: list[Path] = []
        self._made: set[Path] = set()
        self._waits = ""
        self._waiting: dict[str, int] = {}  # how long each file was when that was done; more may stand there by now
        self._marked = monotonic()
        if file.exists():
            raise StagingError(f"{file} is there already, and is not written over: name another file, or move it away")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = (self.folder / _LOCK).open("a")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StagingError(f"another process is making {file}: wait for it, or name another file") from error
        except OSError as error:
            raise StagingError(f"{self.folder}: {error.strerror}. Name a file where this user may write.") from error
        self._resume()

    def _resume(self) -> None:
        told = self._journal()
        begun = told[0] if told else None
        if not isinstance(begun, _Begun) or begun.question != self._question:
            self._begin()
            return
        self.resumed = True
        last = next((mark for mark in reversed(told) if isinstance(mark, _Mark)), None)
        if last is not None:
            self.place, self._sizes = last.place, dict(last.sizes)
        for name, size in self._sizes.items():
            os.truncate(self.folder / name, size)

    def _begin(self) -> None:
        for each in self.folder.iterdir():
            if each.name == _LOCK:
                continue
            if each.is_dir():
                shutil.rmtree(each)
            else:
                each.unlink()
        self._write_down(_Begun(self._question))

    def _journal(self) -> list[_Begun | _Mark]:
        """What was written down; a line that is not whole was never true."""
        file = self.folder / _JOURNAL
        found: list[_Begun | _Mark] = []
        for line in file.read_bytes().split(b"\n")[:-1] if file.is_file() else ():
            try:
                found.append(_DECODER.decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError):
                break
        return found

    def _write_down(self, told: _Begun | _Mark) -> None:
        with (self.folder / _JOURNAL).open("ab") as journal:
            journal.write(msgspec.json.encode(told) + b"\n")
            journal.flush()
            os.fsync(journal.fileno())

    def path(self, name: str) -> Path:
        """Where a file lies, with the folders above it."""
        file = self.folder / name
        if ".." in file.parts or not file.is_relative_to(self.folder):
            raise StagingError(f"{name!r} leads out of {self.folder}: nothing was written there")
        if file.parent not in self._made:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(file.parent)
        return file

    def put(self, name: str, content: bytes) -> None:
        """Writes a file of the export whole."""
        file = self.path(f"{BAG}/{name}")
        file.write_bytes(content)
        self._fresh.append(file)

    def add(self, name: str, content: bytes) -> None:
        """Adds to a table of the export."""
        self._add(f"{BAG}/{name}", content)

    def note(self, name: str, told: object) -> None:
        """Adds a line to what is kept beside the export, for later steps of making it."""
        self._add(name, msgspec.json.encode(told) + b"\n")

    def _add(self, name: str, content: bytes) -> None:
        out = self._open.get(name)
        if out is None:
            file = self.path(name)
            if name not in self._sizes:
                file.unlink(missing_ok=True)  # begun after the last mark, and not known to it
            out = self._open[name] = file.open("ab")
            self._sizes[name] = out.tell()
        out.write(content)
        self._sizes[name] += len(content)

    def noted(self, name: str) -> Iterator[bytes]:
        """The lines kept beside the export."""
        self.flush()
        file = self.folder / name
        if name in self._sizes and file.is_file():
            with file.open("rb") as lines:
                yield from lines

    def has(self, name: str) -> bool:
        """Whether a table of the export was begun."""
        return f"{BAG}/{name}" in self._sizes

    def done(self, place: str, *, now: bool = False) -> None:
        """Everything up to here is written; it is made durable now, or soon."""
        self._waits, self._waiting = place, dict(self._sizes)
        if now or monotonic() - self._marked >= _MARK_SECONDS:
            self.mark()

    def mark(self) -> None:
        """What is written becomes durable."""
        if not self._waits:
            return
        for out in self._open.values():
            out.flush()
            os.fsync(out.fileno())
        for file in self._fresh:
            _synced(file)
        self._fresh = []
        self._write_down(_Mark(self._waits, self._waiting))
        self.place, self._waits, self._marked = self._waits, "", monotonic()

    def flush(self) -> None:
        """What was added can be read."""
        for out in self._open.values():
            out.flush()

    def files(self) -> dict[str, Path]:
        """Every file of the export so far, by its path there."""
        self.flush()
        bag = self.folder / BAG
        return {file.relative_to(bag).as_posix(): file for file in bag.rglob("*") if file.is_file()}

    def finish(self, whole: Path) -> None:
        """Puts the whole where it was wanted, and takes the folder away."""
        _synced(whole)
        if self.file.exists():
            raise StagingError(f"{self.file} came into being meanwhile, and is not written over: the export is {whole}")
        whole.rename(self.file)
        _synced(self.file.parent)
        self.close()
        shutil.rmtree(self.folder)

    def drop(self) -> None:
        """Nothing comes of it."""
        shutil.rmtree(self.folder)

    def close(self) -> None:
        """Leaves what is done for the next time."""
        if self.folder.is_dir():
            self.mark()
        for out in self._open.values():
            out.close()
        self._open = {}
        self._lock.close()


def _synced(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
