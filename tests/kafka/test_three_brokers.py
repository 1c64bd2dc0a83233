"""Three brokers that ask for TLS, a password and rights; and one of them killed while facts come in."""

import datetime
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from kafka import TopicPartition
from kafka.errors import KafkaError, TopicAuthorizationFailedError

from consumers.command import main
from consumers.kafka import topic_names, topics
from consumers.kafka.certificates import make_certificates
from consumers.kafka.client import admin, consumer, producer
from consumers.kafka.clusters import ADMINISTRATOR
from consumers.kafka.settings import KafkaSettings, KafkaUnreachableError, Plaintext
from tests.kafka.conftest import Secured, settings_file
from tests.kafka.load import faults, send

pytestmark = pytest.mark.xdist_group("kafka")

IMPATIENT_MS = 1500


def impatient(settings: KafkaSettings, **changes: object) -> KafkaSettings:
    return msgspec.structs.replace(settings, bootstrap_timeout_ms=IMPATIENT_MS, **changes)


def test_production_topics_are_safe(secured: Secured, tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["topics", "check", "--kafka", settings_file(tmp_path, secured.settings("keeper"))])
    assert told.exit_code == 0, told.output
    assert told.stderr == ""


def test_a_wrong_password_is_refused(secured: Secured, capfd: pytest.CaptureFixture[str]) -> None:
    settings = impatient(secured.settings("gateway", password="not the password"))
    with pytest.raises(KafkaUnreachableError, match="a wrong user name or password") as refused:
        producer(settings)
    assert "not the password" not in str(refused.value)
    assert settings.log_file is not None
    assert "Bootstrap failed" in settings.log_file.read_text()
    assert capfd.readouterr().err == ""


def test_plain_text_is_refused(secured: Secured) -> None:
    settings = impatient(secured.settings("gateway"), profile="development", security=Plaintext())
    with pytest.raises(KafkaUnreachableError, match="no connection to Kafka"):
        producer(settings)


def test_brokers_of_a_strange_authority_are_refused(secured: Secured, tmp_path: Path) -> None:
    strange = make_certificates(tmp_path, start=datetime.datetime.now(datetime.UTC))
    settings = secured.settings("gateway")
    security = msgspec.structs.replace(settings.security, ca_file=strange.authority)
    with pytest.raises(KafkaUnreachableError, match="certificate verify failed"):
        producer(impatient(settings, security=security))


def test_no_password_is_on_a_command_line(secured: Secured) -> None:
    lines = [Path(f"/proc/{broker.pid}/cmdline").read_bytes() for broker in secured.cluster.brokers]
    assert all(b"kafka.Kafka" in line for line in lines)
    files = list(secured.folder.rglob("server.properties"))
    assert len(files) == 3
    for password in secured.passwords.values():
        assert not any(password.encode() in line for line in lines)
        assert not any(password in file.read_text() for file in files)


@pytest.mark.parametrize("kind", ["facts", "dead-letters"])
def test_a_gateway_writes_facts_and_dead_letters(secured: Secured, kind: topic_names.Kind) -> None:
    settings = secured.settings("gateway")
    topics.require_safe(settings, (kind,))
    with producer(settings) as sender:
        sent = [sender.send(topic_names.name_of(settings, kind), key=b"T1", value=b"{}") for _ in range(10)]
        assert len({future.get(timeout=90).offset for future in sent}) == 10


@pytest.mark.parametrize("kind", [kind for kind in topic_names.ALL if kind not in ("facts", "dead-letters")])
def test_a_gateway_writes_nothing_else(secured: Secured, kind: topic_names.Kind) -> None:
    settings = secured.settings("gateway")
    with producer(settings) as sender, pytest.raises(TopicAuthorizationFailedError):
        sender.send(topic_names.name_of(settings, kind), key=b"T1", value=b"{}").get(timeout=90)


@pytest.mark.parametrize("kind", ["facts", "dead-letters"])
def test_a_gateway_reads_nothing_of_what_it_writes(secured: Secured, kind: topic_names.Kind) -> None:
    settings = secured.settings("gateway")
    reader = consumer(settings, [TopicPartition(topic_names.name_of(settings, kind), 0)])
    try:
        with pytest.raises(TopicAuthorizationFailedError):
            reader.poll(timeout_ms=10_000)
    finally:
        reader.close()


def test_a_gateway_that_asks_about_other_topics_is_told_of_its_rights(secured: Secured, tmp_path: Path) -> None:
    file = settings_file(tmp_path, secured.settings("gateway"))
    told = CliRunner().invoke(main, ["topics", "check", "--kafka", file])
    assert told.exit_code == 2
    assert "this user lacks the right" in told.stderr
    assert CliRunner().invoke(main, ["topics", "check", "--kafka", file, "--only", "facts"]).exit_code == 0


def test_a_verifier_writes_findings_and_reads_facts_but_writes_none(secured: Secured) -> None:
    settings = secured.settings("verifier")
    topics.require_safe(settings, ("facts", "findings", "dead-letters"))
    with producer(settings) as sender:
        sender.send(topic_names.name_of(settings, "findings"), key=b"T1", value=b"{}").get(timeout=90)
        with pytest.raises(TopicAuthorizationFailedError):
            sender.send(topic_names.name_of(settings, "facts"), key=b"T1", value=b"{}").get(timeout=90)


def test_a_leader_killed_under_load_loses_doubles_and_reorders_nothing(secured: Secured) -> None:
    keeper = msgspec.structs.replace(secured.settings(ADMINISTRATOR), topic_prefix="load.")
    topics.create(keeper)
    topic = topic_names.name_of(keeper, "facts")
    killed = secured.cluster.broker(leader_of(keeper, topic))
    unsafe: list[object] = []
    try:
        # A client that starts during the outage is not turned away, either.
        sent = send(
            keeper, topic, 100_000, at={35_000: killed.kill, 45_000: lambda: unsafe.extend(topics.check(keeper))}
        )
        assert unsafe == []
        assert len(sent.acknowledged) == 100_000
        assert leader_of(keeper, topic) != killed.node_id
        assert faults(keeper, topic, sent) == []
        assert topics.check(keeper) == []
    finally:
        killed.start()
        killed.wait()
    wait_for_all_in_sync(keeper, topic)


def test_another_user_may_read(secured: Secured) -> None:
    settings = secured.settings("reader")
    topics.require_safe(settings, topic_names.ALL)
    with producer(secured.settings("gateway")) as sender:
        written = sender.send(
            topic_names.name_of(settings, "facts"), key=b"T7", value=b'{"table":"T7","number":1}'
        ).get(20)
    partition = TopicPartition(written.topic, written.partition)
    reader = consumer(settings, [partition])
    try:
        reader.seek(partition, written.offset)
        records = next(filter(None, (reader.poll(timeout_ms=1000) for _ in range(20))))
    finally:
        reader.close()
    assert records[partition][0].value == b'{"table":"T7","number":1}'
    # Who may write nowhere is not even given a producer's number.
    with producer(settings) as sender, pytest.raises(KafkaError, match="ClusterAuthorizationFailed"):
        sender.send(topic_names.name_of(settings, "facts"), key=b"T7", value=b"{}").get(timeout=90)


def leader_of(settings: KafkaSettings, topic: str) -> int:
    """The leader of the topic's first partition."""
    with admin(settings) as client:
        (described,) = client.describe_topics([topic])
    return int(next(one["leader_id"] for one in described["partitions"] if one["partition_index"] == 0))


def wait_for_all_in_sync(settings: KafkaSettings, topic: str) -> None:
    """A broker that came back has caught up."""
    deadline = time.monotonic() + 90
    with admin(settings) as client:
        while True:
            (described,) = client.describe_topics([topic])
            if all(len(partition["isr_nodes"]) == 3 for partition in described["partitions"]):
                return
            assert time.monotonic() < deadline, "the broker that came back did not catch up"
            time.sleep(0.2)
