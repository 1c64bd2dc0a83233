"""What was altered, and where: a file, a line and a byte of it, a record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class AlteredError(Exception):
    """Something is not what was signed: which file, line and byte of it, which record, and why."""

    def __init__(
        self, says: str, path: str = "", *, line: int = 0, byte: int = -1, stream: str = "", sequence: int = 0
    ) -> None:
        super().__init__(says)
        self.says, self.path, self.line, self.byte = says, path, line, byte
        self.stream, self.sequence = stream, sequence

    def __str__(self) -> str:
        place = [self.path or "the export"]
        place += [f"line {self.line}"] if self.line else []
        place += [f"byte {self.byte}"] if self.byte >= 0 else []
        place += [f"{self.stream} record {self.sequence}"] if self.sequence else []
        return f"{', '.join(place)}: {self.says}"


class UnreadableError(Exception):
    """The file cannot be read, or is no export at all."""


class MisgivenError(Exception):
    """What was given from outside belongs elsewhere: a witness's key was given as the property's, or the other way."""


class Line(NamedTuple):
    """A line of a file without its end: its number from 1, its first byte in the file, its bytes."""

    number: int
    byte: int
    text: bytes


@contextmanager
def altered(path: str, line: Line | None, otherwise: str) -> Iterator[None]:
    """What is wrong in here is said with its place."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        says = (str(error) if isinstance(error, ValueError) else "") or otherwise
        number, byte = (line.number, line.byte) if line else (0, -1)
        raise AlteredError(says, path, line=number, byte=byte) from error
