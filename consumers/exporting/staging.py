"""`FILE.part`: the finished work of an export, so that a killed command resumes where it stopped.

Files of a stream are written completely, and again if in doubt. Tables grow; the journal stores their lengths after
each stream, and anything beyond is cut off. Nothing is at FILE before the export is complete.

Otherwise a person with write access to that folder could have the property sign forged content. So the journal has the
hash of each file, and each of its lines carries a code that only the property's key can make. Anything that does not
match is made again.
"""

import fcntl
import hmac
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import IO, Any, Final

import msgspec

BAG: Final = "bag"  # the export's files are here; helper files are beside it
_JOURNAL, _LOCK = "journal.jsonl", "lock"
_MARK_SECONDS = 2.0  # the work that a kill may lose, approximately
_WORDS = b"catwalk what is done of an export\n"


class StagingError(Exception):
    """An export that cannot be made at this place; the message says why and what to do."""


class _ChangedError(Exception):
    """Earlier work that was changed: all of it is made again."""


class _Begun(msgspec.Struct, frozen=True, tag="begun"):
    question: str


class _Mark(msgspec.Struct, frozen=True, tag="done"):
    place: str
    sizes: dict[str, int]  # lengths of growing files
    digests: dict[str, str]  # SHA-256 of growing files, up to those lengths
    files: dict[str, str]  # and of files written completely since the last mark


_DECODER: msgspec.json.Decoder[_Begun | _Mark] = msgspec.json.Decoder(_Begun | _Mark)


class Staging:
    """The folder beside a file in the making. One process uses it; `sign` is the property's signature."""

    def __init__(self, file: Path, question: str, sign: Callable[[bytes], bytes]) -> None:
        self.file = file
        self.folder = file.with_name(file.name + ".part")
        self.place = ""  # the last step of an earlier run
        self.resumed = False
        self._question = question
        self._open: dict[str, IO[bytes]] = {}
        self._sizes: dict[str, int] = {}
        self._growing: dict[str, Any] = {}  # for each growing file, the SHA-256 of its content
        self._digests: dict[str, str] = {}  # for each file that was written completely
        self._fresh: dict[str, str] = {}  # of those, the ones since the last step
        self._ready: dict[str, str] = {}  # and earlier ones that no mark includes yet
        self._made: set[Path] = set()
        self._waits = ""
        # The length and hash of each file after that step; more may follow in the file.
        self._waiting: tuple[dict[str, int], dict[str, str]] = ({}, {})
        self._marked = monotonic()
        self._secret = sha256(sign(_WORDS + question.encode())).digest()
        self._code = b""  # the code of the journal's last line
        if file.exists():
            raise StagingError(f"{file} already exists and was not overwritten: name another file, or move it")
        try:
            if self.folder.is_symlink():
                raise StagingError(f"{self.folder} is a link to another place: remove it, or name another file")
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
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
        marks = [each for each in told if isinstance(each, _Mark)]
        for mark in marks:
            self._digests.update(mark.files)
        try:
            self._go_on_from(marks[-1] if marks else _Mark("", {}, {}, {}))
        except _ChangedError:
            self._begin()
            return
        self.resumed = True

    def _go_on_from(self, last: _Mark) -> None:
        """Restore the files to their state at a mark, and remove everything else from the folder."""
        self._take_away({*last.sizes, *self._digests, _JOURNAL, _LOCK})
        for name, size in last.sizes.items():
            if not (file := self.folder / name).is_file() or file.stat().st_size < size:
                raise _ChangedError
            os.truncate(file, size)
            self._growing[name] = _hashed(file)
        found = {name: each.hexdigest() for name, each in self._growing.items()}
        if found != last.digests:
            raise _ChangedError
        for name, digest in self._digests.items():
            if not (file := self.folder / name).is_file() or _hashed(file).hexdigest() != digest:
                raise _ChangedError
        self.place, self._sizes = last.place, dict(last.sizes)

    def _take_away(self, kept: set[str]) -> None:
        """Remove everything except these, including links that lead elsewhere."""
        for at, folders, files in os.walk(self.folder):
            for name in (*files, *folders):
                each = Path(at, name)
                if each.is_symlink() or (name in files and each.relative_to(self.folder).as_posix() not in kept):
                    each.unlink()

    def _begin(self) -> None:
        self._growing, self._digests, self._code = {}, {}, b""
        for each in self.folder.iterdir():
            if each.name == _LOCK:
                continue
            if each.is_dir() and not each.is_symlink():
                shutil.rmtree(each)
            else:
                each.unlink()
        self._write_down(_Begun(self._question))

    def _journal(self) -> list[_Begun | _Mark]:
        """The journal's lines; incomplete lines, and lines without the property's code, do not count."""
        file = self.folder / _JOURNAL
        found: list[_Begun | _Mark] = []
        whole = 0
        for line in file.read_bytes().split(b"\n")[:-1] if file.is_file() and not file.is_symlink() else ():
            said, _, code = line.rpartition(b" ")
            if not hmac.compare_digest(code, self._code_of(said)):
                break
            try:
                found.append(_DECODER.decode(said))
            except (msgspec.DecodeError, UnicodeDecodeError):
                break
            self._code, whole = code, whole + len(line) + 1
        if found:
            os.truncate(file, whole)  # so that the next line follows the last valid one
        return found

    def _code_of(self, said: bytes) -> bytes:
        """A code that only the property's key can make, for a line after the lines so far."""
        return hmac.new(self._secret, self._code + said, sha256).hexdigest().encode()

    def _write_down(self, told: _Begun | _Mark) -> None:
        said = msgspec.json.encode(told)
        self._code = self._code_of(said)
        with (self.folder / _JOURNAL).open("ab") as journal:
            journal.write(said + b" " + self._code + b"\n")
            journal.flush()
            os.fsync(journal.fileno())

    def path(self, name: str) -> Path:
        """The path of a file, with its folders created."""
        file = self.folder / name
        if ".." in file.parts or not file.is_relative_to(self.folder):
            raise StagingError(f"{name!r} is outside {self.folder}: nothing was written there")
        if file.parent not in self._made:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(file.parent)
        return file

    def put(self, name: str, content: bytes) -> None:
        """Write a file of the export completely."""
        place = f"{BAG}/{name}"
        self.path(place).write_bytes(content)
        self._digests[place] = self._fresh[place] = sha256(content).hexdigest()

    def add(self, name: str, content: bytes) -> None:
        """Append to a table of the export."""
        self._add(f"{BAG}/{name}", content)

    def note(self, name: str, told: object) -> None:
        """Append a line to a helper file, for later steps."""
        self._add(name, msgspec.json.encode(told) + b"\n")

    def _add(self, name: str, content: bytes) -> None:
        out = self._open.get(name)
        if out is None:
            file = self.path(name)
            if name not in self._sizes:
                file.unlink(missing_ok=True)  # begun after the last mark, which does not include it
            out = self._open[name] = file.open("ab")
            self._sizes[name] = out.tell()
            self._growing.setdefault(name, sha256())
        out.write(content)
        self._growing[name].update(content)
        self._sizes[name] += len(content)

    def noted(self, name: str) -> Iterator[bytes]:
        """The lines of a helper file, in order."""
        self.flush()
        if name not in self._sizes:
            return
        found = sha256()
        with (self.folder / name).open("rb") as lines:
            for line in lines:
                found.update(line)
                yield line
        if found.digest() != self._growing[name].digest():
            raise self._changed(name)

    def unchanged(self, digests: Mapping[str, str]) -> None:
        """Raise an error unless the export's files are still as they were written here."""
        for path, digest in digests.items():
            name = f"{BAG}/{path}"
            due = self._growing[name].hexdigest() if name in self._growing else self._digests.get(name, digest)
            if due != digest:
                raise self._changed(name)

    def _changed(self, name: str) -> StagingError:
        says = f"another process changed {self.folder / name} while the export was made, and nothing was signed"
        return StagingError(f"{says}. Find out who may write there, and make the export again")

    def has(self, name: str) -> bool:
        """Whether a table of the export was begun."""
        return f"{BAG}/{name}" in self._sizes

    def done(self, place: str, *, now: bool = False) -> None:
        """Note that everything up to this step is written; it becomes durable now, or soon."""
        digests = {name: each.hexdigest() for name, each in self._growing.items()}
        self._waits, self._waiting = place, (dict(self._sizes), digests)
        self._ready, self._fresh = self._ready | self._fresh, {}
        if now or monotonic() - self._marked >= _MARK_SECONDS:
            self.mark()

    def mark(self) -> None:
        """Make everything written so far durable."""
        if not self._waits:
            return
        for out in self._open.values():
            out.flush()
            os.fsync(out.fileno())
        for name in self._ready:
            _synced(self.folder / name)
        self._write_down(_Mark(self._waits, *self._waiting, self._ready))
        self._ready = {}
        self.place, self._waits, self._marked = self._waits, "", monotonic()

    def flush(self) -> None:
        """Make appended content readable."""
        for out in self._open.values():
            out.flush()

    def files(self) -> dict[str, Path]:
        """Every file of the export so far, by its path there."""
        self.flush()
        bag = self.folder / BAG
        return {file.relative_to(bag).as_posix(): file for file in bag.rglob("*") if file.is_file()}

    def finish(self, whole: Path) -> None:
        """Move the finished export to its place, and remove the folder."""
        _synced(whole)
        if self.file.exists():
            raise StagingError(f"{self.file} appeared in the meantime and was not overwritten: the export is {whole}")
        whole.rename(self.file)
        _synced(self.file.parent)
        self.close()
        shutil.rmtree(self.folder)

    def drop(self) -> None:
        """Discard all work."""
        shutil.rmtree(self.folder)

    def close(self) -> None:
        """Close the files; finished work stays for the next run."""
        if self.folder.is_dir():
            self.mark()
        for out in self._open.values():
            out.close()
        self._open = {}
        self._lock.close()


def _hashed(file: Path) -> Any:
    """The running SHA-256 of a file."""
    found = sha256()
    with file.open("rb") as content:
        while piece := content.read(1 << 20):
            found.update(piece)
    return found


def _synced(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
