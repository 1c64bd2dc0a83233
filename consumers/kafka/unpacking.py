"""Records out of what a broker sent, faster than kafka-python's own way: the hot path of every replay from Kafka.

kafka-python makes two objects of some twenty fields out of each record, and calls a function for each length in it. A
reader of the record needs an offset, the bytes and seldom a header. This takes just those, out of the same batches,
with the same checks; which bytes come when, and what is corrupt, stays kafka-python's to say. Measured in `make bench`.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from kafka import KafkaConsumer
from kafka.consumer.fetcher import Fetcher
from kafka.errors import CorruptRecordError

_LATEST_FORMAT = 2


class Record(msgspec.Struct, frozen=True, gc=False):
    """What a reader needs of one record; named as kafka-python names it."""

    offset: int
    value: bytes | None
    headers: list[tuple[str, bytes | None]] | None = None


class _Records(Fetcher.PartitionRecords):  # type: ignore[misc] # kafka-python ships no types
    """What came of one partition, given out as our records."""

    def _unpack_records(self, tp: Any, records: Any, key_deserializer: Any, value_deserializer: Any) -> Iterator[Any]:
        while (batch := records.next_batch()) is not None:
            if self.check_crcs and not batch.validate_crc():
                raise CorruptRecordError(f"the batch at {tp.topic} {tp.partition}:{batch.base_offset} has another CRC")
            if batch.magic != _LATEST_FORMAT:
                raise CorruptRecordError(f"{tp.topic} {tp.partition}: a batch of format {batch.magic}: none is ours")
            self.leader_epoch = batch.leader_epoch
            if not batch.is_control_batch:
                count = batch.records_count
                iter(batch)  # decompresses it
                self.records_read += count
                self.bytes_read += batch.size_in_bytes
                for record in unpacked(bytes(batch._buffer), batch._pos, batch.base_offset, count):
                    self.next_fetch_offset = record.offset + 1
                    yield record
            # Offsets may have gaps at the end of a batch, and the next fetch goes on behind them.
            self.next_fetch_offset = batch.next_offset
        self.drain()


def unpack_lightly(consumer: KafkaConsumer) -> None:
    """Makes a consumer, of uncommitted records too and without deserializers, give out our records."""
    if consumer.config["isolation_level"] != "read_uncommitted":
        raise ValueError("records of transactions that were broken off are told apart by kafka-python's own way only")
    consumer._fetcher.PartitionRecords = _Records


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
