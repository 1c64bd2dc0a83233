"""The container: a tar in one fixed form. Each header is rebuilt from name, size and time, and compared."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from projections.export.verifier.places import CHECKPOINT, MAY_BE_EMPTY, NEEDED, PLACES, QUESTION, STATEMENT
from projections.export.verifier.texts import MOST_OF_JSON
from projections.export.verifier.trouble import AlteredError, Line, UnreadableError

BLOCK = 512
NOTHING = bytes(BLOCK)
MOST_IN_MEMORY = 64 << 20
MOST_OF_A_LINE = 16 << 20
MOST_FILES = 250_000
KINDS_OF_MEMBER = {
    b"\x00": "a file with an old form of header",
    b"1": "a hard link",
    b"2": "a symbolic link",
    b"3": "a device",
    b"4": "a device",
    b"5": "a folder",
    b"6": "a pipe",
    b"g": "an extended header (pax)",
    b"x": "an extended header (pax)",
    b"K": "a long name of GNU tar",
    b"L": "a long name of GNU tar",
    b"S": "a sparse file",
}
_NUMBERS = re.compile(rb"([0-7]{11})\0([0-7]{11})\0")
_NAME = re.compile("export-[0-9a-f]{16}")


class Member(NamedTuple):
    """A file of the export: its path below NAME, its first byte in the container, its size, and its time."""

    path: str
    at: int
    size: int
    mtime: int


def header(whole_name: bytes, size: int, mtime: int) -> bytes:
    """Return the required header of a member."""
    before, name = b"", whole_name
    if len(name) > 100:
        cut = whole_name.find(b"/", len(whole_name) - 101)
        before, name = whole_name[:cut], whole_name[cut + 1 :]
    made = name.ljust(100, b"\0")
    made += b"0000644\0" + b"0000000\0" * 2 + b"%011o\0" % size + b"%011o\0" % mtime
    rest = b"0" + bytes(100) + b"ustar\x0000" + bytes(64) + b"0000000\0" * 2 + before.ljust(155, b"\0") + bytes(12)
    return made + b"%06o\0 " % (sum(made) + sum(rest) + 8 * 32) + rest


class Export:
    """An export's container, read once when opened. Its files are read in place and never unpacked to disk."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.length = file.seek(0, os.SEEK_END)
        self.name = ""
        self.members: dict[str, Member] = {}
        self._read_through()

    def _read_through(self) -> None:
        at, last = 0, b""
        while True:
            block = self._bytes(at, BLOCK)
            if at == 0 and block[257:262] != b"ustar" and not block.startswith(b"export-"):
                raise UnreadableError("this is not an export: it does not begin like an export's tar")
            if block == NOTHING:
                break
            whole_name, member = self._member(block, at)
            if whole_name <= last:
                says = "is in it twice" if whole_name == last else "comes after a name that sorts behind it"
                raise self._at(at, f"{member.path} {says}")
            if member.path in self.members:
                raise self._at(at, f"{member.path} is in it twice")
            if member.size == 0 and member.path not in MAY_BE_EMPTY:
                raise self._at(at, f"{member.path} is empty")
            if len(self.members) == MOST_FILES:
                raise self._at(at, f"it has more than {MOST_FILES} files")
            self.members[member.path], last = member, whole_name
            end = member.at + member.size
            at = end + -end % BLOCK
            if at > self.length:
                raise self._at(at, f"the header gives {member.path} {member.size} bytes, but the file ends before that")
            if any(filling := self._bytes(end, at - end)):
                first = next(place for place, byte in enumerate(filling) if byte)
                raise self._at(end + first, f"the padding after {member.path} is not all zeros")
        rest = self._bytes(at, 3 * BLOCK)
        if rest != 2 * NOTHING:
            place = next((n for n, byte in enumerate(rest[: 2 * BLOCK]) if byte), min(len(rest), 2 * BLOCK))
            raise self._at(at + place, "it does not end with exactly two blocks of zeros")
        if missing := [path for path in NEEDED if path not in self.members]:
            raise AlteredError(f"there is no {missing[0]} in it")

    def _member(self, block: bytes, at: int) -> tuple[bytes, Member]:
        """Return the member that this header describes."""
        name, before = block[:100].rstrip(b"\0"), block[345:500].rstrip(b"\0")
        whole_name = before + b"/" + name if before else name
        numbers = _NUMBERS.fullmatch(block[124:148])
        folder, _, path = whole_name.decode("ascii", "replace").partition("/")
        self.name = self.name or folder
        if numbers is not None and folder == self.name and PLACES.fullmatch(path) and _NAME.fullmatch(folder):
            size, mtime = int(numbers[1], 8), int(numbers[2], 8)
            wanted = header(whole_name, size, mtime)
            if wanted == block:
                return whole_name, Member(path, at + BLOCK, size, mtime)
            at += next((n for n in range(len(block)) if wanted[n] != block[n]), len(block))
        raise self._at(at, self._wrong(block, whole_name.decode("ascii", "replace")))

    def _wrong(self, block: bytes, shown: str) -> str:
        """Describe what is wrong with a header, the plainest fault first."""
        folder, _, path = shown.partition("/")
        if len(block) < BLOCK:
            return "it ends in the middle of a header: it was cut off"
        if block[148:156] != b"%06o\0 " % (sum(block) - sum(block[148:156]) + 8 * 32):
            return f"the header of member {len(self.members) + 1} does not match its checksum"
        if block[156:157] != b"0":
            kind = KINDS_OF_MEMBER.get(block[156:157], "not a regular file")
            return f"{shown} is {kind}; an export holds regular files only"
        if not _NUMBERS.fullmatch(block[124:148]):
            return f"the size and time of {shown} are not eleven octal digits each"
        if shown.startswith("/") or "\\" in shown or any(part in ("", ".", "..") for part in shown.split("/")):
            return f"{shown!r} leads out of the export"
        if folder != self.name or not _NAME.fullmatch(folder):
            return f"{shown!r} is not below {self.name}/"
        if not PLACES.fullmatch(path):
            return f"{path!r} is not a file of an export"
        return f"the header of {path} differs from the required one"

    @staticmethod
    def _at(byte: int, says: str) -> AlteredError:
        return AlteredError(says, "the container", byte=byte)

    def part(self, member: Member, at: int, count: int) -> bytes:
        """Return some bytes of a file."""
        return self._bytes(member.at + at, max(0, min(count, member.size - at)))

    def _bytes(self, at: int, count: int) -> bytes:
        self._file.seek(at)
        return self._file.read(count)

    def blocks(self, path: str, size: int = 1 << 20) -> Iterator[bytes]:
        """The bytes of a file, in blocks."""
        member = self.members[path]
        for at in range(0, member.size, size):
            yield self._bytes(member.at + at, min(size, member.size - at))

    def read(self, path: str) -> bytes:
        """Return the whole of a file that fits in memory."""
        member = self._one(path)
        if member.size > (MOST_OF_JSON if path in (STATEMENT, QUESTION, CHECKPOINT) else MOST_IN_MEMORY):
            raise AlteredError(f"it has {member.size} bytes, more than the limit for such a file", path)
        return self._bytes(member.at, member.size)

    def text(self, path: str) -> str:
        """Return the whole of a text file."""
        try:
            return self.read(path).decode()
        except UnicodeDecodeError as error:
            raise AlteredError("it is not text", path, byte=error.start) from error

    def lines(self, path: str) -> Iterator[Line]:
        """The lines of a file, each of which must end with a line feed."""
        number, byte, rest = 0, 0, b""
        self._one(path)
        for block in self.blocks(path):
            parts = (rest + block).split(b"\n")
            rest = parts.pop()
            for text in parts:
                number += 1
                yield Line(number, byte, text)
                byte += len(text) + 1
            if len(rest) > MOST_OF_A_LINE:
                says = f"the line has more than {MOST_OF_A_LINE} bytes"
                raise AlteredError(says, path, line=number + 1, byte=byte)
        if rest:
            raise AlteredError("the line does not end", path, line=number + 1, byte=byte)

    def _one(self, path: str) -> Member:
        if path not in self.members:
            raise AlteredError("it is not in the export", path)
        return self.members[path]

    def line_ends(self, path: str, upto: int) -> int:
        """Return the number of line feeds before a byte of a file."""
        count = at = 0
        for block in self.blocks(path):
            count, at = count + block[: max(0, upto - at)].count(b"\n"), at + len(block)
            if at >= upto:
                break
        return count

    def holds(self, path: str, words: Sequence[bytes]) -> bool:
        """Return whether a file contains any of these words."""
        rest = b""
        for block in self.blocks(path):
            rest += block
            if any(word in rest for word in words):
                return True
            rest = rest[-64:]
        return False
