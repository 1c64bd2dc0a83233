"""Bytes that a client puts into a topic: each batch and each record is read, or refused with the one declared error."""

import random
from pathlib import Path

import msgspec
from kafka import TopicPartition, codec
from kafka.errors import CorruptRecordError
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.memory_records import MemoryRecords
from kafka.record.util import calc_crc32c

from consumers.gateway.reading_lines import LONGEST, read_line
from consumers.kafka.decompressing import MOST_BYTES, decompressed
from consumers.kafka.unpacked import CutRecord, UnpackedRecord, UnreadableBatch
from consumers.kafka.unpacking import _Records
from consumers.network.topic_records import record_of
from domain.facts.envelope import Fact
from tests.fuzz.branches import seen
from tests.fuzz.facts import events, samples
from tests.fuzz.kit import Choices, Run, Target, require

CODECS = 6  # five that there are, and one that nobody has
HEADER = 61  # bytes of a batch before its records
MOST_RECORDS = 256
MOST_BODY = 8192
GROWTH = 8  # times its bytes, at most, that a header and its quoted text take in a line


def batches(_: Path) -> Run:
    """A batch whose checksum is right, as its writer makes it: a byte for the codec, one for the count, and the rest."""

    def run(data: bytes) -> None:
        choices = Choices(data)
        number, count = choices.below(CODECS), choices.below(MOST_RECORDS) + 1
        packed = choices.rest(len(data))
        if number:
            try:
                require(len(decompressed(number, packed)) <= MOST_BYTES, "more was decompressed than may be")
            except CorruptRecordError as error:
                require(str(error), "it is refused without a reason")
        stored = batch(number, count, packed)
        part = _Records(
            0, TopicPartition("t", 0), MemoryRecords(stored), check_crcs=True, doubted=set(), longest=LONGEST
        )
        found: list[UnpackedRecord] = []
        while part:
            found += part.take(7)
        require(
            part.next_fetch_offset == count, f"the reader goes on at {part.next_fetch_offset}, behind {count} records"
        )
        whole = [one for one in found if isinstance(one.value, UnreadableBatch)]
        require(
            len(whole) <= 1 and len(found) <= count, f"{len(found)} records of {count}, {len(whole)} of them the batch"
        )
        require(all(bytes(one.value or b"") == stored for one in whole), "other bytes stand for the batch")
        for one in found:
            _taken(one)

    return run


def records(_: Path) -> Run:
    """A record of three parts, each behind its length: the names of its headers, their values, and its value."""

    def run(data: bytes) -> None:
        choices = Choices(data)
        names, texts = (choices.rest(choices.below(MOST_RECORDS)).split(b"\n") for _ in range(2))
        headers = [
            (name.decode("utf-8", "replace"), texts[place] if place < len(texts) else None)
            for place, name in enumerate(names)
        ]
        _taken(UnpackedRecord(7, choices.rest(len(data)), headers))

    return run


def _taken(found: UnpackedRecord) -> None:
    """Require that a record has a line, its place and, if it is no fact, a reason."""
    taken = record_of(found)
    require((taken.offset, taken.next) == (found.offset, found.offset + 1), f"{taken.offset} to {taken.next}")
    given = len(found.value or b"") + sum(len(name) + len(text or b"") for name, text in found.headers or ())
    require(len(taken.line) <= GROWTH * (given + 64), f"a line of {len(taken.line)} bytes of {given}")
    if isinstance(found.value, UnreadableBatch | CutRecord):
        require(taken.wrong is not None, "what cannot be a fact is taken")
    if taken.wrong is not None:
        seen(taken.wrong.says)
        require(taken.wrong.code and taken.wrong.says, "it is refused without a reason")
        require(msgspec.json.encode(taken.wrong), "the refusal cannot be written")
        return
    said = read_line(taken.line)
    seen(said.says if not isinstance(said, Fact) else type(said).__name__)


def batch(number: int, count: int, packed: bytes) -> bytes:
    """Return a batch with these bytes in the place of its records."""
    made = DefaultRecordBatchBuilder(2, 0, 0, -1, -1, -1, 1 << 20).build()[:HEADER] + bytearray(packed)
    for at, size, value in ((8, 4, len(made) - 12), (21, 2, number), (23, 4, count - 1), (57, 4, count)):
        made[at : at + size] = value.to_bytes(size, "big")
    made[17:21] = calc_crc32c(bytes(made[21:])).to_bytes(4, "big")
    return bytes(made)


def _repacked(data: bytes, chance: random.Random) -> bytes:
    """Change what is in a batch, and pack it again with any codec: a turned bit of packed bytes gets no further."""
    choices = Choices(data)
    number, count = choices.below(CODECS), choices.below(MOST_RECORDS)
    body = choices.rest(len(data))
    try:
        body = decompressed(number, body)[:MOST_BODY] if number else body
    except CorruptRecordError:
        body = b""
    if not body or chance.random() < 0.2:
        count, body = _written(chance)
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        body = _turned(body, chance)
    number = chance.randrange(len(PACKERS))
    packed = PACKERS[number](body)
    return bytes([number, count]) + (_turned(packed, chance) if chance.random() < 0.1 else packed)


def _written(chance: random.Random) -> tuple[int, bytes]:
    """Records as a client writes them, and one less than their number."""
    made = DefaultRecordBatchBuilder(2, 0, 0, -1, -1, -1, 1 << 20)
    count = chance.randrange(1, 4)
    for place in range(count):
        event = dict(chance.choice(events()))
        data = msgspec.json.encode(event.pop("data", {}))
        headers = [(f"ce_{name}", str(text).encode()) for name, text in event.items()]
        value = msgspec.json.encode(chance.choice(samples()))
        made.append(place, place, None, *chance.choice(((data, headers), (value, []), (None, []))))
    return count - 1, bytes(made.build()[HEADER:])


def _turned(body: bytes, chance: random.Random) -> bytes:
    """Change a byte, leave some out, or put some in."""
    at, size = chance.randrange(len(body) + 1), chance.choice((1, 1, 2, 9))
    put = chance.choice(
        (b"", b"\xff" * size, b"\x80" * size, b"\0" * size, chance.randbytes(size), body[at : at + size] * 2)
    )
    return body[:at] + put + body[at + chance.choice((0, len(put), size)) :]


PACKERS = (bytes, codec.gzip_encode, codec.snappy_encode, codec.lz4_encode, codec.zstd_encode)
TARGETS = (Target("batches", batches, _repacked), Target("records", records))
