"""Errors that name an alteration and its place: the file, the line and byte, the record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class AlteredError(Exception):
    """An alteration: the file, line and byte, the record, and the reason."""

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
    """The file cannot be read, or is not an export."""


class MisgivenError(Exception):
    """A key was given with the wrong option: a witness's as the property's, or the reverse."""


class Line(NamedTuple):
    """A line of a file without its end: its number from 1, its first byte in the file, its bytes."""

    number: int
    byte: int
    text: bytes


@contextmanager
def altered(path: str, line: Line | None, otherwise: str) -> Iterator[None]:
    """Add the place to any error raised inside."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        says = (str(error) if isinstance(error, ValueError) else "") or otherwise
        number, byte = (line.number, line.byte) if line else (0, -1)
        raise AlteredError(says, path, line=number, byte=byte) from error
