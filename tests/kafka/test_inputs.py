"""Topics of inputs: each record of a source's own topic is a fact once and in order, whatever client and codec wrote it."""

import json
import random
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cloudevents.core.bindings.kafka import to_binary_event, to_structured_event
from cloudevents.core.v1.event import CloudEvent
from kafka import TopicPartition

from consumers.gateway.clients import OwnTopic
from consumers.gateway.outbox import Outbox
from consumers.kafka import topic_names, topics
from consumers.kafka.access import grant
from consumers.kafka.client import admin
from consumers.kafka.clusters import ADMINISTRATOR
from consumers.kafka.settings import KafkaSettings, Plaintext
from tests.kafka.conftest import WRITERS, Secured, is_running, with_prefix
from tests.kafka.inputs import InputsSite, keys, reading, waited
from tests.kafka.writers import CODECS, Librdkafka, in_java
from tests.network import test_kills as kills
from tests.network.serving import opened

pytestmark = pytest.mark.xdist_group("kafka")

EACH = 30


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, development: KafkaSettings) -> Iterator[InputsSite]:
    """One gateway for the tests that do not end it; each has topics of its own."""
    names = ("c-device", "java-device", "other-device", "bad-device", "event-device")
    with reading(tmp_path_factory.mktemp("inputs"), development, *names, prefix="ins.") as one:
        yield one


def facts(site: InputsSite, source: str, count: int = EACH) -> list[dict[str, Any]]:
    return [site.fact(source=source) for _ in range(count)]


def test_librdkafka_writes_with_every_codec(site: InputsSite) -> None:
    sent = []
    for codec in CODECS:
        told = facts(site, "c-device")
        assert Librdkafka(site.settings, codec).write(site.topic("c-device"), told, key=b"T7").finish() == []
        sent += told
    assert keys(site.waits_for("c-device", len(sent))) == keys(sent)


def test_kafkas_client_for_java_writes_with_every_codec_while_another_device_writes(
    site: InputsSite, tmp_path: Path
) -> None:
    """Each source keeps its own order."""
    sent = facts(site, "java-device", len(CODECS) * EACH)
    lines = [(CODECS[at // EACH], site.topic("java-device"), fact) for at, fact in enumerate(sent)]
    others = facts(site, "other-device", 400)
    other = threading.Thread(
        target=lambda: Librdkafka(site.settings, linger_ms=1).write(site.topic("other-device"), others).finish()
    )
    other.start()
    assert "Exception" not in in_java(tmp_path, site.settings, lines)
    other.join()
    # Each codec is a producer of its own, so only the records of one have an order.
    found = keys(site.waits_for("java-device", len(sent)))
    for at in range(0, len(sent), EACH):
        mine = keys(sent[at : at + EACH])
        assert [key for key in found if key in mine] == mine
    assert len(found) == len(sent)
    assert keys(site.waits_for("other-device", len(others))) == keys(others)


def test_a_line_that_is_refused_is_a_dead_letter_with_its_place(site: InputsSite) -> None:
    """The lines behind it are taken; keys, other headers and records without a value are ignored."""
    good = facts(site, "bad-device", 2)
    lines: list[tuple[Any, dict[str, Any]]] = [
        (good[0], {}),
        (b"no JSON", {}),
        (None, {}),
        (site.fact(source="office"), {}),
        ({**site.fact(source="bad-device"), "cents": "10.00"}, {}),
        ({"source": "office", "secret": site.secret()}, {}),
        (b"{}", {"headers": [("ce_specversion", b"1.0"), ("ce_id", b"1"), ("ce_id", b"2")]}),
        (b"\xff", {"headers": [("ce_specversion", b"1.0"), ("ce_type", b"catwalk.wager-placed.1")]}),
        (good[1], {"key": b"\xff\x00", "headers": [("traceparent", b"00-4b"), ("none", None)]}),
    ]
    writer = Librdkafka(site.settings)
    for line, more in lines:
        writer.write(site.topic("bad-device"), [line], **more)
    assert writer.finish() == []
    assert keys(site.waits_for("bad-device", 2)) == keys(good)
    told = [letter for letter in site.letters() if letter["came_from"] == "ins.inputs.bad-device/0"]
    assert [(letter["place"], letter["reason"], letter["refused"]["code"]) for letter in told] == [
        (1, "unreadable", "not-json"),
        (3, "source-unproved", "source-unproved"),
        (4, "unreadable", "money-wrong"),
        (5, "secret-wrong", "secret-wrong"),
        (6, "unreadable", "event-wrong"),
        (7, "unreadable", "event-wrong"),
    ]
    assert "each source that has a topic of inputs writes to its own" in told[1]["says"]
    assert "the header ce_id is there twice" in told[4]["says"]
    assert site.secret() not in json.dumps(told)
    refused = [fact for fact in site.everything() if fact["type"] == "input-refused.1"]
    assert ("source-unproved", "topic ins.inputs.bad-device", "office") in {
        (fact["rule"], fact["client"], fact["claimed"]) for fact in refused
    }


def test_the_sdk_of_cloudevents_writes_in_each_mode(site: InputsSite) -> None:
    writer, when = Librdkafka(site.settings), datetime(2026, 11, 18, 22, 0, 0, 250, tzinfo=UTC)
    for number, convert in enumerate((to_binary_event, to_structured_event)):
        attributes = {"type": "catwalk.wager-placed.1", "source": "event-device", "id": f"e:{number}", "time": when}
        more = {"subject": "T7", "partitionkey": "T7", "traceparent": "00-4b", "round": number}
        message = convert(CloudEvent(attributes=attributes | more, data={"seat": 1, "wager": "blind", "cents": 500}))
        headers = list(message.headers.items())
        writer.write(site.topic("event-device"), [message.value], key=message.key, headers=headers)
    assert writer.finish() == []
    found = site.waits_for("event-device", 2)
    assert [(fact["source_key"], fact["round"], fact["cents"]) for fact in found] == [("e:0", 0, 500), ("e:1", 1, 500)]


def test_a_source_registered_while_the_gateway_runs_is_read(site: InputsSite) -> None:
    """Until its topic is there, the gateway says what is missing, and reads the others."""
    site.adds("late-device", create=False)
    site.waits_until_said("there is no topic ins.inputs.late-device: run catwalk topics create --source late-device")
    more = facts(site, "c-device", 1)
    Librdkafka(site.settings).write(site.topic("c-device"), more).finish()
    waited(lambda: more[0]["source_key"] in keys(site.of("c-device")) or None, site.said)
    topics.create(site.settings, ("late-device",))
    late = facts(site, "late-device")
    Librdkafka(site.settings).write(site.topic("late-device"), late).finish()
    assert keys(site.waits_for("late-device", EACH)) == keys(late)
    site.waits_until_said("ins.inputs.late-device can be read again")


def test_a_topic_with_several_partitions_is_not_read(site: InputsSite) -> None:
    """Their records have no order."""
    with admin(site.settings) as client:
        client.create_topics({"ins.inputs.wide-device": {"num_partitions": 2, "replication_factor": 1}})
    site.adds("wide-device", create=False)
    site.waits_until_said("the topic ins.inputs.wide-device has 2 partitions, and only one keeps a source's lines")


def test_what_kafka_deleted_unread_is_said_and_found(development: KafkaSettings, tmp_path: Path) -> None:
    """The rest is read. A topic that was made again is read from its beginning, and that is said too."""
    settings = with_prefix(development, "lost.")
    with opened(tmp_path, made=InputsSite) as site:
        site.reads(settings, "device")
        sent = facts(site, "device", 10)
        Librdkafka(settings).write(site.topic("device"), sent).finish()
        at = TopicPartition(site.topic("device"), 0)
        with admin(settings) as client:
            client.delete_records({at: 4})
        site.begin()
        assert keys(site.waits_for("device", 6)) == keys(sent[4:])
        site.end()
        with admin(settings) as client:
            client.delete_topics([at.topic])
        waited(lambda: None if at.topic in described(settings) else True, lambda: "the topic is still there")
        topics.create(settings, ("device",))
        again = [*sent[:4], *facts(site, "device", 2)]
        Librdkafka(settings).write(site.topic("device"), again).finish()
        site.begin()
        assert keys(site.waits_for("device", 12)) == keys([*sent[4:], *again])
        site.end()
        told = [(letter["place"], letter["reason"], letter["says"]) for letter in site.letters()]
        assert [row[:2] for row in told] == [(0, "records-lost"), (0, "records-lost")]
        assert "Kafka deleted the records 0 to 3 of lost.inputs.device before the gateway read them" in told[0][2]
        assert "the topic lost.inputs.device was made again" in told[1][2]
        refused = [fact for fact in site.everything() if fact["type"] == "input-refused.1"]
        assert [(fact["rule"], fact["claimed"]) for fact in refused] == [("records-lost", "device")] * 2


def described(settings: KafkaSettings) -> set[str]:
    with admin(settings) as client:
        return {topic["name"] for topic in client.describe_topics()}


def test_records_that_are_small_in_kafka_and_huge_in_memory_are_letters(
    development: KafkaSettings, tmp_path: Path
) -> None:
    """Zeros compress well, and the broker counts compressed bytes."""
    with reading(tmp_path, development, "device", prefix="huge.") as site:
        site.waits_until_said("reading the topics huge.inputs.*")
        before = peak_megabytes(site.gateway.pid)
        huge = Librdkafka(site.settings, "zstd", message_max_bytes=200_000_000)
        for _ in range(20):
            huge.write(site.topic("device"), [bytes(30_000_000)])
        huge.write(site.topic("device"), [bytes(1)], headers=[("a", bytes(30_000_000))])
        huge.write(site.topic("device"), [bytes(150_000_000)])
        assert huge.finish() == []
        good = facts(site, "device", 2)
        assert Librdkafka(site.settings).write(site.topic("device"), good).finish() == []
        assert keys(site.waits_for("device", 2)) == keys(good)
        told = [(letter["refused"]["code"], letter["size"] > 1_000_000) for letter in site.letters()]
        assert told == [("line-too-long", False)] * 21 + [("batch-unreadable", False)]
        assert peak_megabytes(site.gateway.pid) - before < 400


def peak_megabytes(pid: int) -> int:
    (line,) = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) // 1000


def test_a_gateway_without_its_cluster_takes_what_comes_otherwise(tmp_path: Path) -> None:
    """The devices of the other ways in do not stand still."""
    with closing(socket.create_server(("localhost", 0))) as closed:
        port = closed.getsockname()[1]
    settings = KafkaSettings(
        "development", (f"localhost:{port}",), Plaintext(), bootstrap_timeout_ms=300, log_file=tmp_path / "log"
    )
    with opened(tmp_path, made=InputsSite) as site:
        site.reads(settings, "device", create=False)
        site.begin()
        site.waits_until_said(f"no topic of inputs can be read: no connection to Kafka at localhost:{port}")
        assert site.send(site.fact()).status == 200
        site.end()


KILLS = 6


def test_a_killed_gateway_takes_each_record_once(development: KafkaSettings, tmp_path: Path) -> None:
    """The next one resumes at the offset in the outbox: no fact, no letter and not even a repeat comes twice."""
    chance = random.Random(17)  # noqa: S311 - it can be repeated
    settings = with_prefix(development, "once.")
    with opened(tmp_path, made=InputsSite) as site:
        site.reads(settings, "device")
        sent, bad = facts(site, "device", 4000), 0
        writer, lines = Librdkafka(settings), []
        for at, fact in enumerate(sent):
            lines.append(json.dumps(fact).encode())
            if at % 40 == 7:
                lines.append(b"bad line %d" % at)
                bad += 1

        def write() -> None:
            for at in range(0, len(lines), 20):
                writer.write(site.topic("device"), lines[at : at + 20])
                time.sleep(0.025)
            writer.finish()

        writing = threading.Thread(target=write)
        while_writing = 0
        for number in range(KILLS):
            before = len(site.of("device"))
            site.begin()
            if not number:
                writing.start()
            site.waits_for("device", min(before + 1, len(sent)))
            time.sleep(chance.uniform(0, 0.1))
            while_writing += writing.is_alive()
            site.gateway.kill()
            site.gateway.wait()
        writing.join()
        site.begin()
        assert keys(site.waits_for("device", len(sent))) == keys(sent)
        letters = site.waits_for_letters(bad)
        site.end()
        assert [letter["place"] for letter in letters] == [at for at, line in enumerate(lines) if b"bad" in line]
        assert "0 known already" in site.said()
        assert while_writing >= KILLS / 2, "the kills came when nothing was under way"
        with closing(Outbox(tmp_path / "pit/gateway/outbox.sqlite")) as outbox:
            ((topic, after),) = outbox.read_to().items()
        assert isinstance(topic, OwnTopic)
        assert (topic.source, topic.name, after) == ("device", site.topic("device"), len(lines))


def test_gateways_killed_while_four_ways_in_deliver_lose_and_double_nothing(
    development: KafkaSettings, tmp_path: Path
) -> None:
    """The test of three ways in, with a source that writes into its topic besides."""
    settings = with_prefix(development, "four.")

    def begun(site: InputsSite) -> tuple[object, ...]:
        site.reads(settings, "device")
        return site.options

    def by_topic(site: InputsSite, told: Sequence[dict[str, Any]]) -> bool:
        """Write all facts again, as the others do, and return when the gateway has read it."""
        Librdkafka(settings, "lz4").write(site.topic("device"), told).finish()
        last = {
            name: value for name, value in site.fact(source="device").items() if name not in ("seat", "wager", "cents")
        }
        Librdkafka(settings).write(site.topic("device"), [last | {"type": "bets-closed.1"}]).finish()
        while is_running(site.gateway.pid):
            if last["source_key"] in keys(site.of("device")):
                return True
            time.sleep(0.05)
        return False

    kills.killed(tmp_path, InputsSite, {**kills.WAYS, "device": by_topic}, begun)


def test_brokers_let_a_source_write_to_its_own_topic_alone(secured: Secured, tmp_path: Path) -> None:
    """With TLS, passwords and access lists; the gateway has the rights of its role."""
    root = secured.settings(ADMINISTRATOR)
    one, two = WRITERS
    with admin(root) as client:
        for name in (one, two):
            grant(client, root, "source", name, name)
    with opened(tmp_path, made=InputsSite) as site:
        site.reads(secured.settings("gateway"), one, two, create=False)
        topics.create(secured.settings("keeper"), (one, two))
        site.begin()
        mine = facts(site, one)
        writer = Librdkafka(secured.settings(one), "zstd")
        assert writer.write(site.topic(one), mine).finish() == []
        forged = facts(site, two, 1)
        for topic in (site.topic(two), topic_names.name_of(root, "facts")):
            refused = Librdkafka(secured.settings(one)).write(topic, forged).finish()
            assert refused == ["TOPIC_AUTHORIZATION_FAILED"]
        assert keys(site.waits_for(one, EACH)) == keys(mine)
        assert site.of(two) == []
        site.end()
        site.reads(secured.settings(one), create=False)
        site.begin()
        site.waits_until_said(f"this user may not read the topic {site.topic(two)}: run catwalk topics access gateway")
        site.end()
