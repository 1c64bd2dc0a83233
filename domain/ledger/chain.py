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


class Chain(msgspec.Struct, gc=False):
    """How far one stream has been read: its head, and the hashes of the last facts, to tell repeat from fork."""

    stream: str
    sequence: int = 0
    head: str = ""
    recent: dict[int, str] = {}

    def follow(self, sequence: int, previous: str, own: str) -> Link:
        """Takes the next fact read. A repeat or fork leaves the head; a gap or break moves it."""
        expected = self.sequence + 1
        if sequence == expected and previous == self.head:
            self._move(sequence, own)
            return Link("next", sequence, expected)
        if sequence < expected:
            same = self.recent.get(sequence) == own
            return Link("repeat" if same else "fork", sequence, expected)
        link = Link("gap" if sequence > expected else "break", sequence, expected, self.head)
        self._move(sequence, own)
        return link

    def _move(self, sequence: int, own: str) -> None:
        self.sequence, self.head = sequence, own
        self.recent[sequence] = own
        if len(self.recent) > REMEMBERED:
            del self.recent[next(iter(self.recent))]


# A repeat comes soon after its first: a gateway sends again after a crash at most what it sends at once.
REMEMBERED = 10_000
