"""The lines of a file or a pipe in batches: full ones while there is more to read, what has come when there is not.

A device that speaks through a pipe for hours is heard at once, and not when its batch is full.
"""

import select
from collections.abc import Iterator
from io import BufferedReader, UnsupportedOperation

from consumers.gateway.gateway import LONGEST, Line, says_something

_PIECE = 1 << 16
# What has no end within this is cut and kept as it is: a line that never ends would fill the memory.
_CUT = 4 * LONGEST
_QUIET_SECONDS = 1.0


def batches(file: BufferedReader, name: str, size: int) -> Iterator[list[Line]]:
    """Lines with their numbers, empty ones left out; an empty batch says that nothing else has come for a while."""
    batch: list[Line] = []
    rest, number = b"", 1
    while True:
        if not _ready(file, 0 if batch else _QUIET_SECONDS):
            yield batch
            batch = []
            continue
        piece = file.read1(_PIECE)
        *ended, rest = (rest + piece).split(b"\n")
        for text in ended:
            batch += _line(name, number, text)
            number += 1
        if len(rest) > _CUT or not piece:
            batch += _line(name, number, rest)
            rest = b""
        if len(batch) >= size or not batch or not piece:
            yield batch
            batch = []
        if not piece:
            return


def _line(name: str, number: int, text: bytes) -> list[Line]:
    stored = text.rstrip(b"\r")
    return [Line(name, number, stored)] if says_something(stored) else []


def _ready(file: BufferedReader, seconds: float) -> bool:
    """Whether there is something to read, or the end, within so many seconds. A file always has one of the two."""
    try:
        return bool(select.select([file], [], [], seconds)[0])
    except (UnsupportedOperation, TypeError):
        return True  # no file of the system's
