"""Batches are decompressed as kafka-python does it, up to a limit."""

import gzip
import random
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import lz4.frame
import pytest
import snappy
import zstandard
from kafka import codec
from kafka.errors import CorruptRecordError

from consumers.kafka.decompressing import MOST_BYTES, decompressed

CODECS: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "gzip": (1, codec.gzip_encode),
    "gzip in members": (
        1,
        lambda data: b"".join(gzip.compress(data[at : at + 999]) for at in range(0, len(data), 999)),
    ),
    "snappy of Java": (2, codec.snappy_encode),
    "snappy": (2, snappy.compress),
    "lz4": (3, codec.lz4_encode),
    "lz4 in linked blocks": (3, lambda data: bytes(lz4.frame.compress(data, block_linked=True))),
    "zstd": (4, codec.zstd_encode),
    "zstd without a size": (4, zstandard.ZstdCompressor(write_content_size=False).compress),
}


@pytest.mark.parametrize("name", CODECS)
def test_a_batch_is_decompressed(name: str) -> None:
    number, encode = CODECS[name]
    chance = random.Random(5)  # noqa: S311 - the same bytes every time
    for size in (1, 100, 40_000, 1_000_000):
        data = chance.randbytes(size // 2) + b"facts " * (size // 2)
        if data:
            assert decompressed(number, encode(data)) == data


@pytest.mark.parametrize("name", CODECS)
def test_a_batch_beyond_the_limit_is_not_decompressed(name: str) -> None:
    """The memory it takes is bounded."""
    number, encode = CODECS[name]
    if name == "gzip in members":
        small = gzip.compress(bytes(8 << 20)) * (MOST_BYTES // (8 << 20) + 40)
    else:
        small = encode(bytes(MOST_BYTES * 3))
    tracemalloc.start()
    try:
        with pytest.raises(CorruptRecordError, match="its records take more than 64 MiB decompressed"):
            decompressed(number, small)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2.5 * MOST_BYTES


@pytest.mark.parametrize("name", CODECS)
def test_a_batch_that_ends_early_is_an_error_or_short(name: str) -> None:
    """The one error of every codec. What is short lacks a record, which its reader notices."""
    number, encode = CODECS[name]
    stored = encode(random.Random(6).randbytes(5000))  # noqa: S311
    found = b""
    with suppress(CorruptRecordError):
        found = decompressed(number, stored[: len(stored) // 2])
    assert len(found) < 5000


@pytest.mark.parametrize("number", range(1, 6))
def test_bytes_of_no_codec_are_the_same_error_in_each(number: int) -> None:
    chance = random.Random(number)  # noqa: S311 - the same bytes every time
    for size in (1, 3, 9, 40, 300):
        with pytest.raises(CorruptRecordError, match=r"."):
            decompressed(number, b"\xf7" + chance.randbytes(size))


def test_a_megabyte_of_empty_members_is_read_in_pieces() -> None:
    """A member copies the bytes behind it: in one piece, this megabyte was copied fifty thousand times."""
    empty = gzip.compress(b"")
    tracemalloc.start()
    try:
        assert decompressed(1, empty * ((1 << 20) // len(empty)) + gzip.compress(b"a fact")) == b"a fact"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20
