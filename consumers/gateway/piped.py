"""The lines of a file or a pipe in batches: full ones while there is more to read, smaller ones after a pause.

So the lines of a device that sends slowly through a pipe are recorded at once, not when a batch is full.
"""

import select
from collections.abc import Iterator
from io import BufferedReader, UnsupportedOperation

from consumers.gateway.gateway import InputLine
from consumers.gateway.reading_lines import says_something
from consumers.gateway.splitting import Splitter

_PIECE = 1 << 16
_MOST_BYTES = 4 << 20  # the most bytes of a batch
_QUIET_SECONDS = 1.0


def batches(file: BufferedReader, name: str, size: int) -> Iterator[list[InputLine]]:
    """Lines with their numbers, without empty lines; an empty batch means that no line came for a while."""
    splitter = Splitter()
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
        for line in _lines(splitter, name):
            batch.append(line)
            held += len(line.stored)
        if len(batch) >= size or held >= _MOST_BYTES or not batch or not piece:
            yield batch
            batch, held = [], 0


def _lines(splitter: Splitter, name: str) -> Iterator[InputLine]:
    while (one := splitter.take()) is not None:
        if says_something(one.stored):
            yield InputLine(name, one.number, one.stored, cut=one.cut)


def _ready(file: BufferedReader, seconds: float) -> bool:
    """Whether there is something to read, or the end, within this many seconds; for a file, always."""
    try:
        return bool(select.select([file], [], [], seconds)[0])
    except (UnsupportedOperation, TypeError):
        return True  # not a file of the operating system
