"""The chain of a stream: each fact names the hash of the one before it.

Reading a stream, a link is one of five things: the next fact, a repeat of one already read (harmless), a fork (the
same place, other content), a gap, or a break (the place is right and the hash is not).
"""

from hashlib import sha256
from typing import Literal

import msgspec

Kind = Literal["next", "repeat", "fork", "gap", "break"]


def digest(stored: bytes) -> str:
    """The hash of a fact's stored bytes."""
    return sha256(stored).hexdigest()


class Link(msgspec.Struct, frozen=True, gc=False):
    """What one fact is to the chain so far, and what was to be expected of it."""

    kind: Kind
    sequence: int
    expected_sequence: int
    expected_previous: str = ""


# A repeat comes soon after its first: a gateway sends again after a crash at most what it sends at once.
REMEMBERED = 10_000
_PIECE = 16


class Recent:
    """The hashes of a stream's last facts by sequence, sixteen bytes of each: they only tell a repeat from a fork.

    A few hundred kilobytes for the longest stream, so that a property of hundreds of tables is read in little memory.
    """

    __slots__ = ("_first", "_kept")

    def __init__(self) -> None:
        self._first = 1
        self._kept = bytearray()

    def put(self, sequence: int, own: str) -> None:
        """Remembers a fact behind all that were put before."""
        missing = sequence - self._first - len(self._kept) // _PIECE
        if missing > REMEMBERED:
            self._first, self._kept = sequence, bytearray()
        elif missing:
            self._kept += bytes(_PIECE * missing)
        self._kept += bytes.fromhex(own[: 2 * _PIECE])
        if len(self._kept) > 2 * REMEMBERED * _PIECE:
            del self._kept[: REMEMBERED * _PIECE]
            self._first += REMEMBERED

    def put_pieces(self, sequence: int, pieces: bytes) -> None:
        """Remembers facts that follow each other up to this sequence, by the first sixteen bytes of each hash."""
        begin = 0
        while begin < len(pieces):
            number = sequence + 1 - (len(pieces) - begin) // _PIECE
            self.put(number, pieces[begin : begin + _PIECE].hex())
            begin += _PIECE
            room = 2 * REMEMBERED * _PIECE - len(self._kept)
            self._kept += pieces[begin : begin + room]
            begin += max(0, room)

    def __contains__(self, sequence: int) -> bool:
        return any(self._piece(sequence))

    def same(self, sequence: int, own: str) -> bool:
        """Whether the fact of this sequence is remembered, and has this hash."""
        return self._piece(sequence) == bytes.fromhex(own[: 2 * _PIECE])

    def _piece(self, sequence: int) -> bytes:
        at = (sequence - self._first) * _PIECE
        return bytes(self._kept[at : at + _PIECE]) if at >= 0 else b""


class Chain(msgspec.Struct, gc=False):
    """How far one stream has been read: its head, and the hashes of the last facts, to tell repeat from fork."""

    stream: str
    sequence: int = 0
    head: str = ""
    recent: Recent = msgspec.field(default_factory=Recent)

    def follow(self, sequence: int, previous: str, own: str) -> Link:
        """Takes the next fact read. A repeat or fork leaves the head; a gap or break moves it."""
        expected = self.sequence + 1
        if sequence == expected and previous == self.head:
            self._move(sequence, own)
            return Link("next", sequence, expected)
        if sequence < expected:
            return Link("repeat" if self.recent.same(sequence, own) else "fork", sequence, expected)
        link = Link("gap" if sequence > expected else "break", sequence, expected, self.head)
        self._move(sequence, own)
        return link

    def _move(self, sequence: int, own: str) -> None:
        self.sequence, self.head = sequence, own
        self.recent.put(sequence, own)
