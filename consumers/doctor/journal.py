"""Read the write-ahead journal of an SQLite file frame by frame.

SQLite reads a journal up to the first invalid frame and silently ignores the rest, so one changed byte undoes every
later transaction. This check therefore reads the journal before anything opens the file. A frame has the two salts of
its journal, and a checksum over all frames before it. Frames of an older journal, left after the end, have other salts
and do not count.
"""

import struct
from array import array
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import IO, Final, NamedTuple

_HEADER: Final = struct.Struct(">8I")  # magic, format, page size, number, two salts, two checksums
_FRAME: Final = struct.Struct(">6I")  # page, pages after a commit, two salts, two checksums
_MAGIC: Final = 0x377F0682
_FORMAT: Final = 3007000
_SUMMED: Final = 8  # the bytes of a frame's header in its checksum: without the salts and the sums
_WORD: Final = 0xFFFFFFFF
_TRIES: Final = 5
WAIT_SECONDS = 0.1  # the wait before an invalid journal is read again

Sums = tuple[int, int]


class _Journal(NamedTuple):
    """The content of a journal's header."""

    page_size: int
    salts: Sums
    sums: Sums
    byte_order: str


def journal_trouble(database: Path) -> str:
    """The reason not to trust the journal beside a database; empty if there is none.

    A running writer may have written half a frame, so an invalid journal is read again.
    """
    path = database.with_name(f"{database.name}-wal")
    says = ""
    for tries in range(_TRIES):
        if tries and WAIT_SECONDS:
            sleep(WAIT_SECONDS)
        try:
            with path.open("rb") as file:
                says = _trouble(file)
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"{path.name} cannot be read: {error.strerror or error}"
        if not says:
            return ""
    return f"{path.name}: {says}. SQLite ignores everything after that"


def _trouble(file: IO[bytes]) -> str:
    head = file.read(_HEADER.size)
    if len(head) < _HEADER.size:
        return ""  # nothing has been committed to it yet
    journal = _journal(head)
    if journal is None:
        return "its header was changed"
    sums, broken = journal.sums, 0
    for number, frame in enumerate(_frames(file, journal.page_size), 1):
        salts = _FRAME.unpack_from(frame)[2:4]
        if broken:
            if salts == journal.salts:
                return f"frame {broken} was changed, and more frames follow it"
            continue
        own = _FRAME.unpack_from(frame)[4:6]
        sums = _summed(frame[_FRAME.size :], _summed(frame[:_SUMMED], sums, journal), journal)
        if sums == own and salts == journal.salts:
            continue
        broken = number
        if salts == journal.salts or sums == own:
            return f"frame {number} was changed"
    return ""


def _journal(head: bytes) -> _Journal | None:
    magic, form, page_size, _, *rest = _HEADER.unpack(head)
    if magic & ~1 != _MAGIC or form != _FORMAT or not 512 <= page_size <= 65536 or page_size & (page_size - 1):
        return None
    made = _Journal(page_size, (rest[0], rest[1]), (rest[2], rest[3]), "big" if magic & 1 else "little")
    return made if _summed(head[:-8], (0, 0), made) == made.sums else None


def _frames(file: IO[bytes], page_size: int) -> Iterator[bytes]:
    """Every complete frame, without one that a dead process left incomplete."""
    size = _FRAME.size + page_size
    while len(frame := file.read(size)) == size:
        yield frame


def _summed(piece: bytes, sums: Sums, journal: _Journal) -> Sums:
    """SQLite's checksum, continued over these bytes."""
    words = array("I", piece)
    if (journal.byte_order == "big") == _IS_LITTLE:
        words.byteswap()
    first, second = sums
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & _WORD
        second = (second + other + first) & _WORD
    return first, second


_IS_LITTLE: Final = array("I", b"\x01\x00\x00\x00")[0] == 1
