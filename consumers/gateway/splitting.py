"""Split arriving bytes into lines, holding no more of a line than a fact may have."""

import msgspec

from consumers.gateway.reading_lines import LONGEST

# The longest fact, plus the line ending of any system.
LONGEST_PIECE = LONGEST + len(b"\r\n")
TOO_LONG = f"it is a piece of a line longer than {LONGEST:,} bytes, and a fact has {LONGEST:,} at most"


class Piece(msgspec.Struct, frozen=True):
    """A line, or a piece of a line that was cut."""

    number: int  # of its line, from 1
    stored: bytes
    cut: str  # why this is not a whole line; empty if it is
    ends: bool  # whether it is the last of its line


class Splitter:
    """The bytes of one sender that were not taken yet."""

    def __init__(self) -> None:
        self.number = 1  # of the first line held, or of the next one
        self._held = bytearray()
        self._searched = 0  # no line ends before this index
        self._end = -1  # where the first line held ends, or -1
        self._over = False  # whether nothing more arrives
        self._why = ""  # why the rest is then not a whole line
        self._cut = ""  # why the first line held is not whole

    def feed(self, come: bytes) -> None:
        """Add the bytes that arrived."""
        self._held += come
        self._search()

    def finish(self, cut: str = "") -> None:
        """Make the rest the last line: a whole one, or one that was cut for this reason."""
        self._over, self._why = True, cut

    @property
    def held(self) -> int:
        """The number of bytes held."""
        return len(self._held)

    @property
    def waiting(self) -> int:
        """The length of the next piece to take, or 0."""
        if 0 <= self._end < LONGEST_PIECE:
            return self._end + 1
        if len(self._held) >= LONGEST_PIECE:
            return LONGEST_PIECE
        return len(self._held) if self._over else 0

    @property
    def half(self) -> int:
        """The number of the unfinished line, or 0."""
        begun = self._end < 0 and (self._held or self._cut)
        return self.number if begun and not self._over else 0

    def take(self) -> Piece | None:
        """Remove and return the next line, or piece of a line."""
        length = self.waiting
        if not length:
            return None
        whole = self._end == length - 1
        stored = bytes(self._held[: length - whole])
        del self._held[:length]
        ends = whole or (self._over and not self._held)
        if ends:  # within a line every byte is kept
            stored = stored.rstrip(b"\r")
        piece = Piece(self.number, stored, self._cut or self._trouble(whole=whole, ends=ends), ends)
        self._cut = "" if ends else TOO_LONG
        self.number += ends
        self._searched, self._end = 0, -1
        self._search()
        return piece

    def _trouble(self, *, whole: bool, ends: bool) -> str:
        if whole:
            return ""
        return self._why if ends else TOO_LONG

    def _search(self) -> None:
        if self._end < 0:
            self._end = self._held.find(b"\n", self._searched)
            self._searched = len(self._held)
