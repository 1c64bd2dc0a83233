"""A topic of inputs as a client of the loop, without Kafka: what it holds, and how far the outbox says it was taken."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from consumers.gateway import topic_inputs
from consumers.gateway.clients import OwnTopic, label_of
from consumers.gateway.gateway import Gateway
from consumers.gateway.letter_budget import LetterLimits
from consumers.gateway.outbox import Outbox
from consumers.gateway.topic_inputs import MOST_BYTES, MOST_RECORDS, TopicInput, TopicRecord
from consumers.record_place import OUTBOX, RecordOptions, open_gateway
from domain.facts.codec import encode
from domain.facts.refused import Refused
from domain.facts.sources import SourceRevoked
from domain.ledger.source_register import evolve
from tests.gateway.admitted import ALL, begin, register
from tests.gateway.floor import START, opening

DAY = "2026-11-18"
TOPIC = OwnTopic("device", "catwalk.inputs.device", "an id")
BAD = b"x" * 600_000


@pytest.fixture
def place(tmp_path: Path) -> RecordOptions:
    """A record with one source that has a topic, which may also open tables."""
    begin(tmp_path / "pit")
    register(tmp_path / "pit", "device", *ALL, "--topic")
    return RecordOptions(tmp_path / "pit", None, None)


@pytest.fixture
def gateway(place: RecordOptions) -> Iterator[Gateway]:
    with open_gateway(place, limits=LetterLimits(1, 9, 0)) as found:
        yield found


def records(*lines: bytes | Refused, begins: int = 0) -> list[TopicRecord]:
    return [
        TopicRecord(at, at + 1, line) if isinstance(line, bytes) else TopicRecord(at, at + 1, b"", line)
        for at, line in enumerate(lines, begins)
    ]


def take(gateway: Gateway, topic: TopicInput, most: int = 100) -> int:
    """One turn; returns how many lines were given."""
    lines = [line for line in (topic.give() for _ in range(most)) if line is not None]
    gateway.take(lines)
    topic.acknowledge()
    return len(lines)


def opened() -> bytes:
    return encode(msgspec.structs.replace(opening("T7", DAY, START), source="device"))


def test_what_the_outbox_says_was_taken_is_what_is_durable(gateway: Gateway, place: RecordOptions) -> None:
    """Facts, repeats and dead letters move the offset alike, each with the batch that made them."""
    topic = TopicInput(TOPIC, 40)
    topic.add(records(opened(), opened(), b"bad", begins=40))
    assert (topic.read_to, topic.waiting) == (43, len(opened()) + 1)
    assert take(gateway, topic, 1) == 1
    assert gateway.outbox.read_to() == {TOPIC: 41}
    assert take(gateway, topic) == 2
    assert gateway.outbox.read_to() == {TOPIC: 43}
    assert (gateway.report.placed, gateway.report.repeated, gateway.report.dead) == (1, 1, 1)
    (letter,) = gateway.letters.all()
    assert (letter.letter.came_from, letter.letter.place) == ("catwalk.inputs.device/0", 42)
    assert label_of(letter.letter.came_from) == TOPIC.client.label == "topic catwalk.inputs.device"


def test_a_batch_that_the_outbox_refuses_leaves_the_offset_where_it_was(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transaction has both."""
    topic = TopicInput(TOPIC, 0)
    topic.add(records(opened(), b"bad"))
    monkeypatch.setattr(gateway.outbox, "_remember", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        take(gateway, topic)
    assert gateway.outbox.read_to() == {}
    assert gateway.outbox.pending() == []


def test_a_line_without_room_for_its_letter_stays_in_the_topic(
    place: RecordOptions, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All behind it wait too, so that the order stays; later it is tried again."""
    topic = TopicInput(TOPIC, 0)
    topic.add(records(BAD, BAD, opened()))
    held = topic.held
    assert take(gateway, topic) == 3
    assert gateway.outbox.read_to() == {TOPIC: 1}
    assert (gateway.report.dead, gateway.report.placed, topic.waiting) == (1, 0, 0)
    assert 0 < topic.held < held
    monkeypatch.setattr(topic_inputs, "monotonic", lambda: time.monotonic() + topic_inputs.FULL_SECONDS)
    assert topic.waiting == len(BAD) + 1
    gateway.budget = None
    assert take(gateway, topic) == 2
    assert gateway.outbox.read_to() == {TOPIC: 3}
    assert (gateway.report.dead, gateway.report.placed, topic.held) == (2, 1, 0)


def test_a_topic_that_is_far_ahead_waits_in_kafka() -> None:
    few, many = TopicInput(TOPIC, 0), TopicInput(TOPIC, 0)
    few.add(records(*[b"x" * (MOST_BYTES // 4)] * 3))
    assert not few.is_full
    few.add(records(b"x" * (MOST_BYTES // 4), begins=3))
    many.add(records(*[b""] * MOST_RECORDS))
    assert few.is_full
    assert many.is_full


def test_records_that_kafka_deleted_are_a_letter_and_on_record(gateway: Gateway) -> None:
    topic = TopicInput(TOPIC, 7)
    topic.add([TopicRecord(7, 12, b"", Refused("records-lost", "the records 7 to 11 are gone"))])
    take(gateway, topic)
    gateway.seal_quiet()
    assert gateway.outbox.read_to() == {TOPIC: 12}
    (letter,) = gateway.letters.all()
    assert (letter.letter.place, letter.letter.reason) == (7, "records-lost")


def test_what_a_revoked_source_still_writes_is_refused(gateway: Gateway, place: RecordOptions) -> None:
    """The gateway still reads its topic, so that each line is seen."""
    topic = TopicInput(TOPIC, 0)
    told = SourceRevoked("device", "stolen", at=START, source="sources", source_key="r", stream=f"property/{DAY}")
    evolve(gateway.standing.sources, told)
    assert gateway.standing.sources.with_topics() == {"device"}
    topic.add(records(opened()))
    take(gateway, topic)
    (letter,) = gateway.letters.all()
    assert letter.letter.reason == "source-revoked"


def test_the_next_gateway_reads_on(place: RecordOptions) -> None:
    with open_gateway(place) as gateway:
        topic = TopicInput(TOPIC, 0)
        topic.add(records(opened(), b"bad", b"worse"))
        assert take(gateway, topic, 2) == 2
    assert place.data is not None
    with closing(Outbox(place.data / OUTBOX)) as outbox:
        assert outbox.read_to() == {TOPIC: 2}
