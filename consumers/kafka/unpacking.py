"""Records out of what a broker sent, faster than kafka-python's own way: the hot path of every replay from Kafka.

kafka-python makes two objects of some twenty fields out of each record, and calls a function for each length in it. A
reader of the record needs an offset, the bytes and seldom a header. This takes just those, out of the same batches,
with the same checks; which bytes come when stays kafka-python's to say. Measured in `make bench`.

A batch that cannot be read is given out as one record whose bytes are the whole batch, and the reader goes on behind
it. kafka-python raises there, each time it comes by, so that nobody ever gets past it.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from kafka import KafkaConsumer, codec
from kafka.consumer.fetcher import Fetcher
from kafka.errors import CorruptRecordError

_LATEST_FORMAT = 2
_TRIED = b"a fact" * 8


class Record(msgspec.Struct, frozen=True, gc=False):
    """What a reader needs of one record; named as kafka-python names it."""

    offset: int
    value: bytes | None
    headers: list[tuple[str, bytes | None]] | None = None


class UnreadableBatch(bytes):
    """The bytes of a batch nobody here can read, and why: no fact, so every reader keeps it as a dead letter."""

    says: str

    def __new__(cls, stored: bytes, says: str) -> "UnreadableBatch":
        """The batch with a sentence about it."""
        made = super().__new__(cls, stored)
        made.says = says
        return made


class _Records(Fetcher.PartitionRecords):  # type: ignore[misc] # kafka-python ships no types
    """What came of one partition, given out as our records."""

    def __init__(self, *given: Any, doubted: set[tuple[Any, int]], **named: Any) -> None:
        self._doubted = doubted
        super().__init__(*given, **named)

    def _unpack_records(self, tp: Any, records: Any, key_deserializer: Any, value_deserializer: Any) -> Iterator[Any]:
        while (batch := records.next_batch()) is not None:
            wrong = self.check_crcs and not batch.validate_crc()
            if wrong and (tp, batch.base_offset) not in self._doubted:
                # It may have come to harm on the way: it is fetched once more before it counts as what is stored.
                self._doubted.add((tp, batch.base_offset))
                break
            if batch.magic == _LATEST_FORMAT:
                self.leader_epoch = batch.leader_epoch
            if wrong or batch.magic != _LATEST_FORMAT:
                why = "it has another checksum" if wrong else f"it is of format {batch.magic}, and none of ours is"
                yield _unreadable(tp, batch, batch._buffer, batch.base_offset, why)
            elif not batch.is_control_batch:
                yield from self._opened(tp, batch)
            # Offsets may have gaps at the end of a batch, and the next fetch goes on behind them.
            self.next_fetch_offset = batch.next_offset
        self.drain()

    def _opened(self, tp: Any, batch: Any) -> Iterator[Record]:
        """The records of a batch; where they end before their time, the batch stands for those that are left."""
        stored, after = batch._buffer, batch.base_offset
        try:
            count = batch.records_count
            iter(batch)  # decompresses it
            self.records_read += count
            self.bytes_read += batch.size_in_bytes
            for record in unpacked(bytes(batch._buffer), batch._pos, batch.base_offset, count):
                self.next_fetch_offset = after = record.offset + 1
                yield record
        except Exception as error:  # each codec has errors of its own, and a batch can be wrong in every way there is
            if after <= batch.last_offset:
                yield _unreadable(tp, batch, stored, after, str(error) or type(error).__name__)


def _unreadable(tp: Any, batch: Any, stored: Any, offset: int, why: str) -> Record:
    last = batch.next_offset - 1
    says = f"the batch of records {batch.base_offset} to {last} of {tp.topic}/{tp.partition} cannot be read: {why}"
    return Record(offset, UnreadableBatch(bytes(stored), says))


def decoders() -> list[str]:
    """The codecs this Python can decompress, each tried on a few bytes."""
    found = []
    for name, encode, decode in (
        ("gzip", codec.gzip_encode, codec.gzip_decode),
        ("snappy", codec.snappy_encode, codec.snappy_decode),
        ("lz4", codec.lz4_encode, codec.lz4_decode),
        ("zstd", codec.zstd_encode, codec.zstd_decode),
    ):
        with suppress(NotImplementedError, TypeError):  # what kafka-python does without the package of a codec
            if decode(encode(_TRIED)) == _TRIED:
                found.append(name)
    return found


def unpack_lightly(consumer: KafkaConsumer) -> None:
    """Makes a consumer, of uncommitted records too and without deserializers, give out our records."""
    if consumer.config["isolation_level"] != "read_uncommitted":
        raise ValueError("records of transactions that were broken off are told apart by kafka-python's own way only")
    consumer._fetcher.PartitionRecords = partial(_Records, doubted=set())


def unpacked(data: bytes, at: int, base_offset: int, count: int) -> Iterator[Record]:
    """The records of one decompressed batch that begin at this byte.

    Each is a length, a byte of attributes, the differences of time and offset, key, value and headers; a number is
    seven bits a byte, the lowest first, with its sign in its lowest bit.
    """
    try:
        for _ in range(count):
            length, at = _number(data, at)
            end = at + length
            if data[at] >= 0x80:
                raise CorruptRecordError(f"a record has the attributes {data[at]}, and none has any")
            at += 1
            while data[at] & 0x80:  # the time: a log's order is that of its offsets
                at += 1
            at += 1
            delta, at = (data[at] >> 1, at + 1) if data[at] < 0x80 else _number(data, at)
            key, at = (data[at], at + 1) if data[at] < 0x80 else _number_twice(data, at)
            at += 0 if key & 1 else key >> 1
            size, at = _number(data, at)
            value = data[at : at + size] if size >= 0 else None
            at += max(size, 0)
            headers = None
            if data[at]:
                headers, at = _headers(data, at)
            else:
                at += 1
            if at != end:
                raise CorruptRecordError(f"a record of {length} bytes has {at - end} too many")
            yield Record(base_offset + delta, value, headers)
    except (IndexError, UnicodeDecodeError) as error:
        raise CorruptRecordError(f"a record does not end where it should: {error}") from error
    if at != len(data):
        raise CorruptRecordError(f"a batch has {len(data) - at} bytes behind its last record")


def _number(data: bytes, at: int) -> tuple[int, int]:
    twice, at = _number_twice(data, at)
    return (twice >> 1) ^ -(twice & 1), at


def _number_twice(data: bytes, at: int) -> tuple[int, int]:
    """A number as it is written, its sign in its lowest bit."""
    byte = data[at]
    if byte < 0x80:
        return byte, at + 1
    found, shift = byte & 0x7F, 7
    while True:
        at += 1
        byte = data[at]
        found |= (byte & 0x7F) << shift
        if byte < 0x80:
            return found, at + 1
        shift += 7


def _headers(data: bytes, at: int) -> tuple[list[tuple[str, bytes | None]], int]:
    count, at = _number(data, at)
    headers: list[tuple[str, bytes | None]] = []
    if count < 0:
        raise CorruptRecordError(f"a record has {count} headers")
    for _ in range(count):
        size, at = _number(data, at)
        if size < 0:
            raise CorruptRecordError("a header has no name")
        name = data[at : at + size].decode()
        at += size
        size, at = _number(data, at)
        headers.append((name, data[at : at + size] if size >= 0 else None))
        at += max(size, 0)
    return headers, at
