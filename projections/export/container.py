"""The container: a tar with fixed dates, order and owner, so that the same files give the same bytes."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import IO, Final

BLOCK: Final = 512
_LARGEST = 8**11 - 1  # the largest file size that a header can state
_MOST_NAME, _MOST_PREFIX = 100, 155
_PIECE = 1 << 20
MOST_FILES: Final = 250_000


class UncontainedError(ValueError):
    """The container cannot hold a file."""


def header(name: str, size: int, at: int) -> bytes:
    """Return the header of a regular file; `at` is in whole seconds since 1970."""
    prefix, rest = _split(name)
    if size > _LARGEST:
        raise UncontainedError(f"{name} has {size} bytes, but a file in an export has at most {_LARGEST}: ask for less")
    made = b"".join(
        (
            rest.ljust(100, b"\0"),
            b"0000644\x000000000\x000000000\0",
            b"%011o\0%011o\0" % (size, at),
            b" " * 8,
            b"0".ljust(101, b"\0"),
            b"ustar\x0000".ljust(8 + 64, b"\0"),
            b"0000000\x000000000\0",
            prefix.ljust(155, b"\0"),
        )
    ).ljust(BLOCK, b"\0")
    return made[:148] + b"%06o\0 " % sum(made) + made[156:]


def _split(name: str) -> tuple[bytes, bytes]:
    """Return a long name in two parts, split at the first slash after which the rest is short enough."""
    whole = name.encode("ascii")
    if len(whole) <= _MOST_NAME:
        return b"", whole
    for place, letter in enumerate(whole):
        if letter == ord("/") and len(whole) - place - 1 <= _MOST_NAME and place <= _MOST_PREFIX:
            return whole[:place], whole[place + 1 :]
    raise UncontainedError(f"{name} is too long for a name in an export")


def lay_down(out: IO[bytes], name: str, files: Iterable[tuple[str, Path]], at: int) -> str:
    """Write these files below `name`, in the order of their names, and return the digest of the whole."""
    told = sha256()

    def put(piece: bytes) -> None:
        out.write(piece)
        told.update(piece)

    held = sorted((f"{name}/{path}", file) for path, file in files)
    if len(held) > MOST_FILES:
        raise UncontainedError(f"it has {len(held)} files, but an export has at most {MOST_FILES}: ask for less")
    for path, file in held:
        size = file.stat().st_size
        put(header(path, size, at))
        with file.open("rb") as content:
            while piece := content.read(_PIECE):
                put(piece)
        put(bytes(-size % BLOCK))
    put(bytes(2 * BLOCK))
    return told.hexdigest()
