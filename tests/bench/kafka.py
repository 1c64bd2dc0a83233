"""Facts appended to and drained from one topic of a broker of its own, by the log and by the bare clients."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kafka import TopicPartition

from consumers.kafka import client, topic_names, topics
from consumers.kafka.clusters import one_broker
from consumers.kafka.jars import BrokerUnavailableError, cache_folder
from consumers.kafka.settings import KafkaSettings, Plaintext
from consumers.logs import StoredFact
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from domain.facts.streams import owner
from tests.bench.chained import chained
from tests.bench.logs import read_through
from tests.bench.sides import TURNS, beside

FACTS = 100_000
BATCH = 5_000
PARTITIONS = 3
# What a bare client may be outdone by, at most: the log does the index, the places and the chains besides.
RATIO_GOAL = 0.8


@contextmanager
def broker(folder: Path, partitions: int = PARTITIONS) -> Iterator[KafkaSettings]:
    """The settings of a fresh broker of its own, its topics made."""
    with one_broker(folder) as cluster:
        settings = KafkaSettings(
            profile="development",
            bootstrap_servers=cluster.bootstrap_servers,
            security=Plaintext(),
            partitions=partitions,
            log_file=folder / "kafka-client.log",
        )
        topics.create(settings)
        yield settings


def in_kafka() -> None:
    """Batches acknowledged and partitions drained, by the log and by kafka-python alone."""
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache_folder()) as name, broker(Path(name)) as settings:
            _in_kafka(settings, Path(name))
    except BrokerUnavailableError as error:
        print(f"Kafka: not measured: {error}")


def _in_kafka(settings: KafkaSettings, folder: Path) -> None:
    log = KafkaLog(settings, Index(folder / "index.sqlite"))
    producer = client.producer(settings)
    topic = topic_names.name_of(settings, "facts")

    def bare_append(rows: list[StoredFact]) -> None:
        for start in range(0, len(rows), BATCH):
            sent = [
                producer.send(topic, key=owner(row.stream).encode(), value=row.stored)
                for row in rows[start : start + BATCH]
            ]
            producer.flush()
            if not all(one.succeeded() for one in sent):
                raise RuntimeError("the bare producer lost a fact")

    def our_append(rows: list[StoredFact]) -> None:
        for start in range(0, len(rows), BATCH):
            log.append(rows[start : start + BATCH])

    days = [chained(FACTS, f"2026-11-{day}") for day in range(10, 10 + 2 * TURNS)]
    written = FACTS * len(days)
    appended = iter(days)
    beside(
        "Kafka, append, acknowledged",
        lambda: our_append(next(appended)),
        lambda: bare_append(next(appended)),
        count=FACTS,
        peer="bare producer",
        ratio_goal=RATIO_GOAL,
        waits=True,
    )

    def bare_drain() -> None:
        """kafka-python's consumer as well tuned as it goes, without its check of checksums, counting records."""
        partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
        reader = client.consumer(settings, partitions, check_crcs=False)
        count = 0
        while count < written:
            count += sum(len(records) for records in reader.poll(timeout_ms=1000).values())
        reader.close()

    def our_drain() -> None:
        if read_through(log) != written:
            raise RuntimeError("the log lost a fact")

    beside(
        "Kafka, drain, decode, follow the chains",
        our_drain,
        bare_drain,
        count=written,
        peer="bare consumer",
        ratio_goal=RATIO_GOAL,
        waits=True,
    )
    producer.close()
    log.close()
