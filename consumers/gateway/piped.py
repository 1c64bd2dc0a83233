"""The lines of a file or a pipe in batches: full ones while there is more to read, smaller ones after a pause.

So the lines of a device that sends slowly through a pipe are recorded at once, not when a batch is full.
"""

import select
from collections.abc import Iterator
from io import BufferedReader, UnsupportedOperation

from consumers.gateway.gateway import InputLine
from consumers.gateway.reading_lines import LONGEST, says_something
from consumers.gateway.splitting import Piece, Splitter

_PIECE = 1 << 16
_MOST_BYTES = 4 << 20  # the most bytes of a batch
_QUIET_SECONDS = 1.0


def batches(file: BufferedReader, name: str, size: int) -> Iterator[list[InputLine]]:
    """Lines with their numbers, without empty lines; an empty batch means that no line came for a while."""
    splitter, long = Splitter(), _LongLine()
    batch: list[InputLine] = []
    held = 0
    piece = b"-"
    while piece:
        if not _ready(file, 0 if batch else _QUIET_SECONDS):
            yield batch
            batch, held = [], 0
            continue
        piece = file.read1(_PIECE)
        splitter.feed(piece)
        if not piece:
            splitter.finish()
        for line in _lines(splitter, name, long, over=not piece):
            batch.append(line)
            held += len(line.stored)
        if len(batch) >= size or held >= _MOST_BYTES or not batch or not piece:
            yield batch
            batch, held = [], 0


class _LongLine:
    """A line longer than any fact: its first piece, and the number of bytes behind that."""

    def __init__(self) -> None:
        self.first: Piece | None = None
        self.more = 0

    def add(self, piece: Piece) -> None:
        """Keep the first piece, and count the others."""
        if self.first is None:
            self.first, self.more = piece, 0
        else:
            self.more += len(piece.stored)

    def take(self, name: str) -> Iterator[InputLine]:
        """Yield its one line, which says how much of it is kept."""
        if self.first is not None:
            kept, number = self.first.stored, self.first.number
            self.first = None
            says = (
                f"it has {len(kept) + self.more:,} bytes, and a fact has {LONGEST:,} at most: end each fact with a line"
            )
            yield InputLine(name, number, kept, cut=f"{says} end. The first {len(kept):,} bytes are kept here")


def _lines(splitter: Splitter, name: str, long: _LongLine, *, over: bool) -> Iterator[InputLine]:
    while (one := splitter.take()) is not None:
        if long.first is not None or not one.ends:
            long.add(one)
            if one.ends:
                yield from long.take(name)
        elif says_something(one.stored):
            yield InputLine(name, one.number, one.stored, cut=one.cut)
    if over:
        yield from long.take(name)


def _ready(file: BufferedReader, seconds: float) -> bool:
    """Whether there is something to read, or the end, within this many seconds; for a file, always."""
    try:
        return bool(select.select([file], [], [], seconds)[0])
    except (UnsupportedOperation, TypeError):
        return True  # not a file of the operating system
