"""Records unpacked our way are those kafka-python unpacks, and corrupt where it calls them corrupt."""

import random
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import Fetcher
from kafka.errors import CorruptRecordError
from kafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder
from kafka.record.memory_records import MemoryRecords
from kafka.record.util import calc_crc32c, encode_varint

from consumers.kafka import client, topic_names, topics
from consumers.kafka.settings import KafkaSettings
from consumers.kafka.unpacking import _Records, unpack_lightly, unpacked
from tests.fuzz.topics import batch as holding
from tests.kafka.conftest import with_prefix

CODECS = {"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}
Row = tuple[int, bytes | None, list[tuple[str, bytes | None]]]


def some(chance: random.Random, *, longest: int) -> bytes | None:
    return chance.choice((None, b"", chance.randbytes(chance.randrange(1, longest))))


def batch(codec: int, count: int, seed: int, *, first: int = 0) -> bytes:
    """A batch of records of every shape: no key, no value, an empty one, long ones, headers with and without a value."""
    chance = random.Random(seed)  # noqa: S311 - the same records every time
    made = DefaultRecordBatchBuilder(2, codec, 0, -1, -1, -1, 32 * 1024 * 1024)
    for number in range(count):
        headers = [(f"h{n}é", some(chance, longest=300)) for n in range(chance.choice((0, 0, 1, 70)))]
        time = 1_795_000_000_000 + chance.randrange(-(10**9), 10**9)
        value = some(chance, longest=chance.choice((10, 63, 64, 8191, 8192, 70_000)))
        assert made.append(number, time, some(chance, longest=200), value, headers) is not None
    built = bytearray(made.build())
    built[:8] = first.to_bytes(8, "big")
    return bytes(built)


def theirs(stored: bytes) -> list[Row]:
    return [(record.offset, record.value, record.headers) for record in DefaultRecordBatch(stored)]


def ours(stored: bytes) -> list[Row]:
    held = DefaultRecordBatch(stored)
    iter(held)
    found = unpacked(bytes(held._buffer), held._pos, held.base_offset, held.records_count)
    return [(record.offset, record.value, record.headers or []) for record in found]


@pytest.mark.parametrize("codec", CODECS)
def test_every_shape_of_record_is_unpacked_as_kafka_python_does(codec: str) -> None:
    for seed, count in enumerate((1, 2, 63, 64, 65, 300)):
        stored = batch(CODECS[codec], count, seed, first=5_000_000_000)
        assert len(theirs(stored)) == count
        assert ours(stored) == theirs(stored)


def test_a_batch_that_ends_anywhere_else_is_corrupt() -> None:
    stored = batch(0, 12, 5)
    for cut in range(DefaultRecordBatch.HEADER_STRUCT.size, len(stored), 7):
        with pytest.raises(CorruptRecordError):
            ours(stored[:cut])
    with pytest.raises(CorruptRecordError):
        ours(stored + b"\x00")


def test_a_changed_byte_is_corrupt_or_read_as_kafka_python_reads_it() -> None:
    """The check comes before kafka-python's own check of the whole batch, which finds each of these."""
    chance = random.Random(7)  # noqa: S311 - the same damage every time
    stored = batch(0, 12, 5)
    begin = DefaultRecordBatch.HEADER_STRUCT.size
    corrupt = 0
    for _ in range(3000):
        at = chance.randrange(begin, min(len(stored), begin + 3000))
        changed = stored[:at] + bytes([stored[at] ^ 1 << chance.randrange(8)]) + stored[at + 1 :]
        assert not DefaultRecordBatch(changed).validate_crc()
        try:
            expected = theirs(changed)
        except CorruptRecordError:
            corrupt += 1
            with pytest.raises(CorruptRecordError):
                ours(changed)
        else:
            assert ours(changed) == expected
    assert corrupt > 20


@pytest.mark.parametrize("second", [0, -100, 2, 1 << 40])
def test_a_record_out_of_order_is_corrupt(second: int) -> None:
    """The reader continues behind its offset, which the writer of the batch chose."""
    rows = bytearray()
    for delta in (0, second):
        row = bytearray(b"\0\0")
        encode_varint(delta, row.append)
        row += b"\x01\0\0"
        encode_varint(len(row), rows.append)
        rows += row
    found, after = given_out(holding(0, 2, bytes(rows)), set())
    assert ([one.offset for one in found], after) == ([0, 1], 2)
    assert found[1].value.says.endswith(f"a record has the offset {second}, out of order")


def test_a_number_has_an_end() -> None:
    """Python's integers have none: a megabyte of it took minutes, and kept every other topic waiting."""
    begun = time.monotonic()
    for before in (b"", b"\x10\0\0", b"\x10\0\0\0", b"\x10\0\0\0\x01"):
        with pytest.raises(CorruptRecordError, match="a number of more than ten bytes"):
            list(unpacked(before + b"\xff" * (1 << 20) + b"\x01", 0, 0, 1))
    assert time.monotonic() - begun < 5


def test_a_record_has_so_many_headers_at_most() -> None:
    """Two bytes of a header are two hundred as objects. The limit is far beyond what clients write."""
    for count, is_read in ((1_000, True), (1_001, False)):
        data = bytearray(b"\0\0\0\x01\x01")
        encode_varint(count, data.append)
        data += b"\0\0" * count
        record = bytearray()
        encode_varint(len(data), record.append)
        if is_read:
            (found,) = unpacked(bytes(record + data), 0, 0, 1)
            assert len(found.headers or ()) == count
        else:
            with pytest.raises(CorruptRecordError, match="a record has 1001 headers; the limit is 1,000"):
                list(unpacked(bytes(record + data), 0, 0, 1))


class _Parts:
    """A partition's result: given out whole, or from an offset within a batch on."""

    def __init__(self, stored: bytes, fetch_offset: int, *, light: bool, check_crcs: bool = True) -> None:
        kind = partial(_Records, doubted=set()) if light else Fetcher.PartitionRecords
        self.records = kind(fetch_offset, TopicPartition("t", 0), MemoryRecords(stored), check_crcs=check_crcs)

    def taken(self, at_once: int) -> Iterator[tuple[int, Any, int]]:
        while self.records:
            part = self.records.take(at_once)
            for record in part:
                yield record.offset, record.value, 0
            yield -1, None, self.records.next_fetch_offset


@pytest.mark.parametrize("at_once", [1, 7, 1000])
@pytest.mark.parametrize("offset", [100, 104, 111, 119, 120])
def test_a_partition_is_given_out_from_any_offset_in_any_pieces_as_kafka_python_does(at_once: int, offset: int) -> None:
    stored = batch(3, 12, 5, first=100) + batch(0, 8, 6, first=112)
    light, stock = (list(_Parts(stored, offset, light=light).taken(at_once)) for light in (True, False))
    assert light == stock
    assert stock[-1][2] == 120


def given_out(stored: bytes, doubted: set[Any], offset: int = 0) -> tuple[list[Any], int]:
    """Records a consumer is given from a fetch, and its next offset."""
    records = MemoryRecords(stored)
    part = _Records(offset, TopicPartition("t", 0), records, check_crcs=True, doubted=doubted)
    return part.take(1000), part.next_fetch_offset


def test_a_batch_with_another_checksum_is_fetched_again_and_then_stands_as_one_record() -> None:
    bad = bytearray(batch(0, 3, 5, first=7))
    bad[-1] ^= 1
    stored = bytes(bad) + batch(3, 4, 6, first=10)
    doubted: set[Any] = set()
    assert given_out(stored, doubted, 7) == ([], 7)
    (letter, *others), after = given_out(stored, doubted, 7)
    assert (letter.offset, bytes(letter.value)) == (7, bytes(bad))
    assert letter.value.says == "the batch of records 7 to 9 of t/0 cannot be read: its checksum is wrong"
    assert ([each.offset for each in others], after) == ([10, 11, 12, 13], 14)


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd"])
def test_a_batch_that_cannot_be_decompressed_stands_as_one_record(codec: str) -> None:
    bad = bytearray(batch(CODECS[codec], 5, 5, first=7))
    bad[61:81] = bytes(20)
    bad[17:21] = calc_crc32c(bytes(bad[21:])).to_bytes(4, "big")
    (letter, *others), after = given_out(bytes(bad) + batch(3, 4, 6, first=12), set(), 7)
    assert (letter.offset, bytes(letter.value)) == (7, bytes(bad))
    assert letter.value.says.startswith("the batch of records 7 to 11 of t/0 cannot be read: ")
    assert ([each.offset for each in others], after) == ([12, 13, 14, 15], 16)


def test_a_batch_that_ends_before_its_time_stands_for_the_records_that_are_left() -> None:
    bad = bytearray(batch(0, 6, 5))
    bad[57:61] = (8).to_bytes(4, "big")  # as if there were two more
    bad[23:27] = (7).to_bytes(4, "big")
    bad[17:21] = calc_crc32c(bytes(bad[21:])).to_bytes(4, "big")
    found, after = given_out(bytes(bad), set())
    assert ([each.offset for each in found], after) == ([0, 1, 2, 3, 4, 5, 6], 8)
    assert found[-1].value.says.endswith("a record does not end where it should: index out of range")


@pytest.mark.xdist_group("kafka")
def test_a_consumer_of_a_broker_gives_out_the_same_records_either_way(development: KafkaSettings) -> None:
    settings = with_prefix(development, "unpacked.")
    topics.create(settings)
    topic = topic_names.name_of(settings, "facts")
    partitions = [TopicPartition(topic, number) for number in range(settings.partitions)]
    chance = random.Random(9)  # noqa: S311 - the same records every time
    with client.producer(settings) as sender:
        for number in range(3000):
            headers = [("stream", b"T7")] if number % 5 == 0 else []
            value = None if number % 7 == 0 else chance.randbytes(chance.randrange(900))
            sender.send(topic, key=b"%d" % (number % 20), value=value, headers=headers)
    told = []
    for make in (client.reader, client.consumer):
        one = make(settings, partitions)
        found: list[Any] = []
        while len(found) < 3000:
            for partition, records in one.poll(timeout_ms=500, max_records=37).items():
                found += [(partition.partition, each.offset, each.value, each.headers or []) for each in records]
        assert {partition: one.position(partition) for partition in partitions} == one.end_offsets(partitions)
        one.close()
        told.append(sorted(found, key=lambda row: row[:2]))
    assert told[0] == told[1]


def test_only_records_nobody_broke_off_can_be_told_so(development: KafkaSettings) -> None:
    config = {**client.consumer_settings(development), "isolation_level": "read_committed"}
    one = KafkaConsumer(**config)
    with pytest.raises(ValueError, match="aborted transactions"):
        unpack_lightly(one)
    one.close()
