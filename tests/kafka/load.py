"""Send numbered facts of many tables and list the lost, doubled or misplaced ones in the log."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from kafka import TopicPartition

from consumers.kafka.client import consumer, producer
from consumers.kafka.kafka_fixes import give_up
from consumers.kafka.settings import KafkaSettings

TABLES = 24
DRAIN_SECONDS = 60.0
ACKNOWLEDGED_SECONDS = 120.0  # for the last of all


class Sent(msgspec.Struct):
    """Facts that the brokers acknowledged and those they did not, each as (table, number)."""

    acknowledged: list[tuple[str, int]] = []
    failed: list[tuple[str, int, str]] = []


def send(settings: KafkaSettings, topic: str, count: int, *, at: Mapping[int, Callable[[], Any]] | None = None) -> Sent:
    """Send `count` facts of 24 tables in turn; before the number `n` of `at` is sent, its action happens."""
    actions = dict(at or {})
    futures = []
    with producer(settings) as sender:
        for number in range(count):
            if number in actions:
                actions.pop(number)()
            table = f"T{number % TABLES}"
            value = b'{"table":"%s","number":%d,"filling":"%s"}' % (table.encode(), number, b"x" * 280)
            futures.append((table, number, sender.send(topic, key=table.encode(), value=value)))
        sent = Sent()
        deadline = time.monotonic() + ACKNOWLEDGED_SECONDS
        for table, number, future in futures:
            try:
                future.get(timeout=max(0.001, deadline - time.monotonic()))
            except Exception as error:
                sent.failed.append((table, number, repr(error)))
            else:
                sent.acknowledged.append((table, number))
        if sent.failed:
            give_up(sender)
    return sent


def faults(settings: KafkaSettings, topic: str, sent: Sent) -> list[str]:
    """Faults of the log, a sentence each; empty if all is well."""
    found = drained(settings, topic)
    wrong = [f"{table} {number} was not acknowledged: {why}" for table, number, why in sent.failed]
    times = Counter(number for facts in found.values() for _, number in facts)
    wrong += [
        f"{table} {number} was acknowledged and is lost" for table, number in sent.acknowledged if not times[number]
    ]
    wrong += [f"{number} is there {count} times" for number, count in times.items() if count > 1]
    homes: dict[str, set[int]] = defaultdict(set)
    for partition, facts in found.items():
        numbers = [number for _, number in facts]
        if numbers != sorted(numbers):
            wrong.append(f"partition {partition} is out of order")
        for table, _ in facts:
            homes[table].add(partition)
    return wrong + [f"{table} is in the partitions {home}" for table, home in homes.items() if len(home) > 1]


def drained(settings: KafkaSettings, topic: str) -> dict[int, list[tuple[str, int]]]:
    """Every partition's facts, as (table, number), in the order of the log up to its present end."""
    partitions = [TopicPartition(topic, number) for number in range(settings.partitions)]
    found: dict[int, list[tuple[str, int]]] = defaultdict(list)
    reader = consumer(settings, partitions)
    try:
        ends = reader.end_offsets(partitions)
        deadline = time.monotonic() + DRAIN_SECONDS
        while any(reader.position(partition) < end for partition, end in ends.items()):
            assert time.monotonic() < deadline, "the log could not be read to its end"
            for partition, records in reader.poll(timeout_ms=200).items():
                facts = [msgspec.json.decode(record.value) for record in records]
                assert [record.key for record in records] == [fact["table"].encode() for fact in facts]
                found[partition.partition] += [(fact["table"], fact["number"]) for fact in facts]
    finally:
        reader.close()
    return found
