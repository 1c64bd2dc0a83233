"""Errors of kafka-python when a broker dies or stands still, which our code does not make."""

import os
import signal
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from eventsourcing.persistence import OperationalError
from kafka import KafkaConsumer

from consumers.kafka import client, topics
from consumers.kafka.clusters import Cluster
from consumers.kafka.settings import KafkaSettings
from consumers.logs import kafka as kafka_log
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from consumers.logs.log import place_of
from tests.kafka.conftest import Secured, with_prefix
from tests.kafka.records import records
from tests.logs.contract import T7
from tests.logs.numbered import run

pytestmark = pytest.mark.xdist_group("kafka")


def test_a_client_whose_connections_were_reset_before_the_handshake_asks_again(
    secured: Secured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broker that is dying resets what waits to be let in; later questions where the partitions lie are answered."""
    reader = client.consumer(secured.settings("reader"), [])
    try:
        began = answered(reader)
        monkeypatch.setattr(ssl.SSLContext, "wrap_socket", reset)
        manager = reader._client._manager
        manager.call_soon(lambda: [connection.close() for connection in list(manager._conns.values())])
        reader._client.cluster.request_update()
        time.sleep(0.5)
        assert answered(reader) == began
        monkeypatch.undo()
        deadline = time.monotonic() + 60
        while answered(reader) == began:
            assert time.monotonic() < deadline, "it asks no more"
            time.sleep(0.05)
    finally:
        reader.close()


def answered(reader: KafkaConsumer) -> float:
    """The time at which this reader last learned where the partitions lie."""
    when: float = reader._client.cluster._last_successful_refresh_ms
    return when


def reset(*_: object, **__: object) -> None:
    raise ConnectionResetError(104, "Connection reset by peer")


@contextmanager
def standing_still(cluster: Cluster) -> Iterator[None]:
    """One broker that does nothing for as long as this lasts."""
    pid = cluster.brokers[0].pid
    assert pid
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_what_stands_behind_a_fact_that_failed_is_not_sent_and_nobody_waits_for_it(
    development: KafkaSettings, plain_cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = with_prefix(development, "failing.")
    topics.create(settings)
    log = KafkaLog(settings, Index(tmp_path / "index.sqlite"))
    log.append(run(T7, 1, 10))
    monkeypatch.setattr(kafka_log, "FLUSH_SECONDS", 1)
    with standing_still(plain_cluster):
        began = time.monotonic()
        with pytest.raises(OperationalError, match="not all of 9990 facts were acknowledged"):
            log.append(run(T7, 11, 10_000))
        log.close()
        assert time.monotonic() - began < 60  # it gave up; it would have waited for 120 seconds
    time.sleep(1)
    arrived = sequences(settings)
    assert arrived == list(range(1, len(arrived) + 1))
    assert 10 <= len(arrived) < 10_000
    again = KafkaLog(settings, Index(tmp_path / "index.sqlite"))
    again.append_once(run(T7, 1, 10_000))
    again.close()
    assert sequences(settings) == list(range(1, 10_001))


def sequences(settings: KafkaSettings) -> list[int]:
    """The sequences in the log, in its order."""
    return [place_of(one.value).sequence for _, one in records(settings)]
