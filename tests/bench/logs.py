"""Facts appended and read a second: the embedded log beside the library's own, Kafka's beside its bare clients."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar
from uuid import uuid4

import msgspec
from eventsourcing.persistence import JSONTranscoder, Mapper
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore
from kafka import TopicPartition

from consumers.kafka import client, topics
from consumers.kafka.clusters import one_broker
from consumers.kafka.jars import BrokerUnavailableError, cache_folder
from consumers.kafka.settings import KafkaSettings, Plaintext
from consumers.logs import StoredFact, stored_fact
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from consumers.logs.sqlite import SqliteLog
from domain.facts.codec import decode
from domain.facts.streams import owner
from tests.logs.numbered import crowd

FACTS = 100_000
BATCH = 5_000
TURNS = 4
TABLES = 40
PARTITIONS = 3


class _Event:
    """The same fields as the library's own events keep them: attributes in a dictionary."""

    originator_id: str
    originator_version: int
    TOPIC: ClassVar[str] = "tests.bench.logs:_Event"

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)


def beside(
    what: str, ours: Callable[[], Any], theirs: Callable[[], Any], *, count: int = FACTS, goal: str = ""
) -> None:
    """Both in turns, the shortest run of each by the clock, for disks and brokers are waited for; one line."""
    took = [float("inf"), float("inf")]
    for _ in range(TURNS):
        for which, work in enumerate((ours, theirs)):
            began = perf_counter()
            work()
            took[which] = min(took[which], perf_counter() - began)
    rates = [count / each for each in took]
    reached = {"": "", "rate": f"   goal 100,000: {rates[0] / 100_000:.2f}", "share": "   goal of the ratio 0.80"}[goal]
    print(
        f"{what:<28} ours {rates[0]:>10,.0f}/s   peer {rates[1]:>10,.0f}/s   ratio {rates[0] / rates[1]:.2f}{reached}"
    )


def embedded() -> None:
    """Facts mapped and appended, read as stored bytes, read and decoded; the library's stock SQLite and JSON beside."""
    rows = list(crowd(TABLES, FACTS, "2026-11-18"))
    facts = [decode(row.stored) for row in rows]
    events: list[Any] = [
        _Event({"originator_id": one.stream, "originator_version": one.sequence, **_plain(one)}) for one in facts
    ]
    stock_mapper: Mapper[str] = Mapper(JSONTranscoder())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def ours() -> SqliteLog:
            log = SqliteLog(folder / f"{uuid4()}.sqlite", create=True)
            for start in range(0, FACTS, BATCH):
                log.append([stored_fact(fact) for fact in facts[start : start + BATCH]])
            return log

        def stock() -> SQLiteApplicationRecorder:
            datastore = SQLiteDatastore(str(folder / f"{uuid4()}.sqlite"), originator_id_type="text")
            recorder = SQLiteApplicationRecorder(datastore)
            recorder.create_table()
            for start in range(0, FACTS, BATCH):
                recorder.insert_events([stock_mapper.to_stored_event(event) for event in events[start : start + BATCH]])
            return recorder

        beside("embedded, encode and append", ours, stock, goal="rate")
        log, recorder = ours(), stock()

        def rows_of_stock() -> Any:
            return recorder.select_notifications(start=1, limit=FACTS)

        beside("embedded, read stored bytes", lambda: log.read(0, 0, FACTS), rows_of_stock)
        beside(
            "embedded, read and decode",
            lambda: [decode(stored) for batch in log.drain({}) for _, stored in batch.facts],
            lambda: [stock_mapper.to_domain_event(one) for one in rows_of_stock()],
        )
        log.close()
        recorder.datastore.close()


def _plain(fact: Any) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(fact)
    return {key: value for key, value in fields.items() if key not in ("stream", "sequence", "type")}


@contextmanager
def broker(folder: Path) -> Iterator[KafkaSettings]:
    """The settings of a fresh broker of its own, its topics made."""
    with one_broker(folder) as cluster:
        settings = KafkaSettings(
            profile="development",
            bootstrap_servers=cluster.bootstrap_servers,
            security=Plaintext(),
            partitions=PARTITIONS,
            log_file=folder / "kafka-client.log",
        )
        for prefix in ("ours.", "bare."):
            topics.create(msgspec.structs.replace(settings, topic_prefix=prefix))
        yield settings


def in_kafka() -> None:
    """Batches acknowledged and partitions drained, by the log and by kafka-python alone, on one broker."""
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache_folder()) as name, broker(Path(name)) as settings:
            _in_kafka(settings, Path(name))
    except BrokerUnavailableError as error:
        print(f"Kafka: not measured: {error}")


def _in_kafka(settings: KafkaSettings, folder: Path) -> None:
    ours, bare = (msgspec.structs.replace(settings, topic_prefix=prefix) for prefix in ("ours.", "bare."))
    log = KafkaLog(ours, Index(folder / "index.sqlite"), hashes_checked=True)
    producer = client.producer(bare)
    topic = topics.name_of(bare, "facts")

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

    batches = iter([list(crowd(TABLES, FACTS, f"2026-11-{day}")) for day in range(10, 10 + TURNS) for _ in range(2)])
    beside("Kafka, append acknowledged", lambda: our_append(next(batches)), lambda: bare_append(next(batches)))

    def bare_drain() -> None:
        partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
        reader = client.consumer(bare, partitions, hashes_checked=True)
        count = 0
        while count < TURNS * FACTS:
            count += sum(len(records) for records in reader.poll(timeout_ms=1000).values())
        reader.close()

    def our_drain() -> None:
        if sum(len(batch.facts) for batch in log.drain({})) != TURNS * FACTS:
            raise RuntimeError("the log lost a fact")

    beside("Kafka, drain", our_drain, bare_drain, count=TURNS * FACTS, goal="share")
    producer.close()
    log.close()


if __name__ == "__main__":
    embedded()
    in_kafka()
