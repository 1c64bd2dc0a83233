"""Decompress a batch of records, up to a limit: a megabyte of zeros compressed well is a gigabyte in memory."""

import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import lz4.frame
import snappy
import zstandard
from kafka.errors import CorruptRecordError

MOST_BYTES: Final = 64 << 20  # clients make batches of a megabyte or two
_PIECE: Final = 1 << 14
_ERRORS: Final = (zlib.error, snappy.UncompressError, RuntimeError, zstandard.ZstdError, struct.error)
_GZIP: Final = 31  # zlib's word for gzip's header and checksum
_XERIAL: Final = b"\x82SNAPPY\x00"  # Java's snappy: this, two version numbers, and blocks with their lengths
_XERIAL_HEADER: Final = 16


def decompressed(codec: int, stored: bytes) -> bytes:
    """Return the records of a batch; `codec` is its number in Kafka.

    Raises CorruptRecordError if they cannot be decompressed, or take more than the limit.
    """
    if codec not in _DECODERS:
        raise CorruptRecordError(f"Kafka has no codec {codec}")
    try:
        return _DECODERS[codec](stored)
    except _ERRORS as error:
        raise CorruptRecordError(f"its records cannot be decompressed: {error or type(error).__name__}") from error


def _gzip(stored: bytes) -> bytes:
    parts, left, at = [], MOST_BYTES, 0
    while at < len(stored):
        member = zlib.decompressobj(_GZIP)
        while not member.eof:
            _require(at < len(stored), "it ends within its compressed records")
            # A member copies what is behind it: of a million bytes, each of fifty thousand small members would.
            piece = stored[at : at + _PIECE]
            parts.append(member.decompress(piece, left + 1))
            left -= len(parts[-1])
            _require(left >= 0 and not member.unconsumed_tail)
            at += len(piece) - len(member.unused_data)
    return b"".join(parts)


def _lz4(stored: bytes) -> bytes:
    frame: Any = lz4.frame.LZ4FrameDecompressor()
    found: bytes = frame.decompress(stored, max_length=MOST_BYTES + 1)
    _require(len(found) <= MOST_BYTES)
    _require(frame.eof, "it ends within its compressed records")
    return found


def _zstd(stored: bytes) -> bytes:
    with zstandard.ZstdDecompressor().stream_reader(stored, read_across_frames=True) as reader:
        found = reader.read(MOST_BYTES + 1)
    _require(len(found) <= MOST_BYTES)
    return found


def _snappy(stored: bytes) -> bytes:
    blocks = list(_blocks(stored)) if stored.startswith(_XERIAL) else [stored]
    _require(sum(map(_announced, blocks)) <= MOST_BYTES)
    return b"".join(map(snappy.uncompress, blocks))


def _blocks(stored: bytes) -> Iterator[bytes]:
    at = _XERIAL_HEADER
    while at < len(stored):
        (size,) = struct.unpack_from(">i", stored, at)
        _require(size >= 0, "a block has a negative length")
        yield stored[at + 4 : at + 4 + size]
        at += 4 + size


def _announced(block: bytes) -> int:
    """Return the length that a block of snappy says it decompresses to: seven bits a byte, the lowest first."""
    found = 0
    for place, byte in enumerate(block[:5]):
        found |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            break
    return found


def _require(good: bool, says: str = f"its records take more than {MOST_BYTES >> 20} MiB decompressed") -> None:
    if not good:
        raise CorruptRecordError(says)


_DECODERS: Final[Mapping[int, Callable[[bytes], bytes]]] = {1: _gzip, 2: _snappy, 3: _lz4, 4: _zstd}
