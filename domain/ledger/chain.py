"""The chain of a stream: each fact names the hash of the one before it.

While a stream is read, each link is one of five things: the next fact, a repeat of one already read (harmless), a fork
(same place, other content), a gap, or a break (right place, wrong hash).
"""

from hashlib import sha256
from typing import Literal

import msgspec

Kind = Literal["next", "repeat", "fork", "gap", "break"]


def digest(stored: bytes) -> str:
    """Return the hash of a fact's stored bytes."""
    return sha256(stored).hexdigest()


def fits(before: tuple[int, bytes] | None, sequence: int, previous: str) -> bool:
    """Return whether a record names the hash of the one before it; if that one is not there, nothing says otherwise."""
    if before is not None and before[0] == sequence - 1:
        return previous == digest(before[1])
    return sequence != 1 or not previous


class ChainStep(msgspec.Struct, frozen=True, gc=False):
    """The relation of one fact to the chain so far, and what the chain expected."""

    kind: Kind
    sequence: int
    expected_sequence: int
    expected_previous: str = ""


# A repeat comes soon after the original: after a crash a gateway sends again at most one batch.
REMEMBERED = 10_000
_PIECE = 16


class Recent:
    """The hashes of a stream's last facts by sequence, sixteen bytes each, to distinguish a repeat from a fork.

    They take a few hundred kilobytes for the longest stream, so hundreds of tables can be read in little memory.
    """

    __slots__ = ("_first", "_kept")

    def __init__(self) -> None:
        self._first = 1
        self._kept = bytearray()

    def put(self, sequence: int, own: str) -> None:
        """Remember a fact that follows all those put before."""
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
        """Return whether the fact of this sequence is remembered with this hash."""
        return self._piece(sequence) == bytes.fromhex(own[: 2 * _PIECE])

    def _piece(self, sequence: int) -> bytes:
        at = (sequence - self._first) * _PIECE
        return bytes(self._kept[at : at + _PIECE]) if at >= 0 else b""


class ChainReader(msgspec.Struct, gc=False):
    """The state of one stream as read: its head, and the last hashes, to distinguish a repeat from a fork."""

    stream: str
    sequence: int = 0
    head: str = ""
    recent: Recent = msgspec.field(default_factory=Recent)

    def follow(self, sequence: int, previous: str, own: str) -> ChainStep:
        """Take the next fact and return its link. A repeat or fork leaves the head; a gap or break moves it."""
        expected = self.sequence + 1
        if sequence == expected and previous == self.head:
            self._move(sequence, own)
            return ChainStep("next", sequence, expected)
        if sequence < expected:
            return ChainStep("repeat" if self.recent.same(sequence, own) else "fork", sequence, expected)
        link = ChainStep("gap" if sequence > expected else "break", sequence, expected, self.head)
        self._move(sequence, own)
        return link

    def _move(self, sequence: int, own: str) -> None:
        self.sequence, self.head = sequence, own
        self.recent.put(sequence, own)
