"""Read records from a broker's bytes faster than kafka-python: the hot path of every replay from Kafka.

kafka-python makes two objects of some twenty fields for each record, and calls a function for each length in it. A
reader of the record needs an offset, the bytes and seldom a header. This module takes just those from the same batches,
with the same checks; kafka-python still decides which bytes to fetch. Measured in `make bench`.

An unreadable batch is returned as one record whose bytes are the whole batch, and the reader continues after it.
kafka-python would raise an error there on every attempt, so its readers could never pass it.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from kafka import KafkaConsumer, codec
from kafka.consumer.fetcher import Fetcher
from kafka.errors import CorruptRecordError

from consumers.kafka.decompressing import decompressed
from consumers.kafka.unpacked import CutRecord, UnpackedRecord, UnreadableBatch

_LATEST_FORMAT = 2
_LONGEST_NUMBER = 63  # bits before its last byte: Python's integers have no end, and a longer one takes minutes
_MOST_HEADERS = 1_000  # as objects, headers of two bytes each take a hundred times their memory
_TRIED = b"a fact" * 8


class _Records(Fetcher.PartitionRecords):  # type: ignore[misc] # kafka-python ships no types
    """The bytes fetched from one partition, returned as our records."""

    def __init__(self, *given: Any, doubted: set[tuple[Any, int]], longest: int | None = None, **named: Any) -> None:
        self._doubted = doubted
        self._longest = longest
        super().__init__(*given, **named)

    def _unpack_records(self, tp: Any, records: Any, key_deserializer: Any, value_deserializer: Any) -> Iterator[Any]:
        while (batch := records.next_batch()) is not None:
            wrong = self.check_crcs and not batch.validate_crc()
            if wrong and (tp, batch.base_offset) not in self._doubted:
                # It may have been damaged in transit: fetch it once more before it counts as the stored bytes.
                self._doubted.add((tp, batch.base_offset))
                break
            if batch.magic == _LATEST_FORMAT:
                self.leader_epoch = batch.leader_epoch
            if wrong or batch.magic != _LATEST_FORMAT:
                why = "its checksum is wrong" if wrong else f"its format is {batch.magic}, which the record never uses"
                yield _unreadable(tp, batch, batch._buffer, batch.base_offset, why)
            elif not batch.is_control_batch:
                yield from self._opened(tp, batch)
            # Offsets may have gaps at the end of a batch, and the next fetch continues after them.
            self.next_fetch_offset = batch.next_offset
        self.drain()

    def _opened(self, tp: Any, batch: Any) -> Iterator[UnpackedRecord]:
        """The records of a batch; if they end early, the batch itself stands for the rest."""
        stored, after = batch._buffer, batch.base_offset
        try:
            count, last = batch.records_count, batch.last_offset
            data, at = bytes(stored), batch._pos
            if batch.compression_type:
                data, at = decompressed(batch.compression_type, data[at:]), 0
            self.records_read += count
            self.bytes_read += batch.size_in_bytes
            for record in unpacked(data, at, batch.base_offset, count):
                if not after <= record.offset <= last:
                    raise CorruptRecordError(f"a record has the offset {record.offset}, out of order")
                self.next_fetch_offset = after = record.offset + 1
                yield record if self._longest is None else _cut(record, self._longest)
        except Exception as error:  # each codec has its own errors, and a batch can be damaged in any way
            if after <= batch.last_offset:
                yield _unreadable(tp, batch, stored, after, str(error) or type(error).__name__)


def _cut(record: UnpackedRecord, longest: int) -> UnpackedRecord:
    """A record of bounded size: a small batch may hold records of many megabytes each."""
    value = record.value or b""
    size = len(value) + sum(len(name) + len(text or b"") for name, text in record.headers or ())
    return record if size <= longest else UnpackedRecord(record.offset, CutRecord(value[:longest], size))


def _unreadable(tp: Any, batch: Any, stored: Any, offset: int, why: str) -> UnpackedRecord:
    last = batch.next_offset - 1
    says = f"the batch of records {batch.base_offset} to {last} of {tp.topic}/{tp.partition} cannot be read: {why}"
    return UnpackedRecord(offset, UnreadableBatch(bytes(stored), says))


def decoders() -> list[str]:
    """The codecs this Python can decompress, each tried on a few bytes."""
    found = []
    for name, encode, decode in (
        ("gzip", codec.gzip_encode, codec.gzip_decode),
        ("snappy", codec.snappy_encode, codec.snappy_decode),
        ("lz4", codec.lz4_encode, codec.lz4_decode),
        ("zstd", codec.zstd_encode, codec.zstd_decode),
    ):
        with suppress(NotImplementedError, TypeError):  # kafka-python raises these without a codec's package
            if decode(encode(_TRIED)) == _TRIED:
                found.append(name)
    return found


def unpack_lightly(consumer: KafkaConsumer, longest: int | None = None) -> None:
    """Make a consumer without deserializers return our records; it must read uncommitted records.

    `longest` cuts records with more bytes than that.
    """
    if consumer.config["isolation_level"] != "read_uncommitted":
        raise ValueError("only kafka-python's own reader can skip records of aborted transactions")
    consumer._fetcher.PartitionRecords = partial(_Records, doubted=set(), longest=longest)


def unpacked(data: bytes, at: int, base_offset: int, count: int) -> Iterator[UnpackedRecord]:
    """The records of one decompressed batch from this byte on.

    Each has a length, a byte of attributes, the differences of time and offset, key, value and headers. A number has
    seven bits per byte, the lowest first, with its sign in its lowest bit.
    """
    try:
        for _ in range(count):
            length, at = _number(data, at)
            end = at + length
            if data[at] >= 0x80:
                raise CorruptRecordError(f"a record has the attributes {data[at]} instead of 0")
            at += 1
            while data[at] & 0x80:  # skip the time: a log is ordered by its offsets
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
                raise CorruptRecordError(f"a record of {length} bytes is {at - end} bytes too long")
            yield UnpackedRecord(base_offset + delta, value, headers)
    except (IndexError, UnicodeDecodeError) as error:
        raise CorruptRecordError(f"a record does not end where it should: {error}") from error
    if at != len(data):
        raise CorruptRecordError(f"a batch has {len(data) - at} bytes after its last record")


def _number(data: bytes, at: int) -> tuple[int, int]:
    twice, at = _number_twice(data, at)
    return (twice >> 1) ^ -(twice & 1), at


def _number_twice(data: bytes, at: int) -> tuple[int, int]:
    """A number from its bytes, with the sign in its lowest bit."""
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
        if shift > _LONGEST_NUMBER:
            raise CorruptRecordError("a record has a number of more than ten bytes")


def _headers(data: bytes, at: int) -> tuple[list[tuple[str, bytes | None]], int]:
    count, at = _number(data, at)
    headers: list[tuple[str, bytes | None]] = []
    if not 0 <= count <= _MOST_HEADERS:
        raise CorruptRecordError(f"a record has {count} headers; the limit is {_MOST_HEADERS:,}")
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
