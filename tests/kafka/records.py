"""A record in Kafka as the judges of tests/gateway see it: read by a bare client, behind the project's back."""

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kafka import KafkaConsumer, TopicPartition

from consumers.kafka import topic_names
from consumers.kafka.client import connection_settings
from consumers.kafka.settings import KafkaSettings
from tests.gateway.nursery import Forked
from tests.gateway.proof import Entry
from tests.kafka.conftest import settings_file


class OnKafka:
    """A record in a topic, written to through `settings` and read back through `reader`."""

    def __init__(self, settings: KafkaSettings, state: Path, reader: KafkaSettings | None = None) -> None:
        self.state = state
        state.mkdir(parents=True, exist_ok=True)
        self.options = ("--kafka", settings_file(state, settings), "--state", str(state))
        self._settings = reader or settings
        (state / "reader").mkdir(exist_ok=True)
        self.proving = ("--kafka", settings_file(state / "reader", self._settings), "--state", str(state))

    def log(self) -> list[Entry]:
        return [Entry(at.partition, one.value, one.timestamp / 1000) for at, one in records(self._settings)]

    def standing(self, _facts: set[bytes]) -> bool:
        """Each record says when the broker appended it."""
        return False


def records(settings: KafkaSettings, kind: topic_names.Kind = "facts") -> Iterator[tuple[TopicPartition, Any]]:
    """Every record of a topic, partition by partition up to its present end."""
    reader = KafkaConsumer(**connection_settings(settings), enable_auto_commit=False, group_id=None)
    try:
        topic = topic_names.name_of(settings, kind)
        for at in [TopicPartition(topic, number) for number in sorted(reader.partitions_for_topic(topic))]:
            reader.assign([at])
            reader.seek(at, 0)
            end = reader.end_offsets([at])[at]
            deadline = time.monotonic() + 180
            while reader.position(at) < end:
                assert time.monotonic() < deadline, f"{at} cannot be read to its end"
                yield from ((at, one) for one in reader.poll(timeout_ms=200).get(at, []))
    finally:
        reader.close()


class Frozen:
    """An end of a gateway with sends on their way: the broker stands still, and hears of them after the death.

    Sometimes it goes on only while the next gateway is starting, and hears of both.
    """

    def __init__(self, pid: int, chance: random.Random) -> None:
        self._pid = pid
        self._chance = chance
        self._thaw: threading.Timer | None = None

    def __call__(self, gateway: Forked) -> None:
        self.thaw()
        os.kill(self._pid, signal.SIGSTOP)
        time.sleep(self._chance.uniform(0.05, 0.15))
        gateway.kill()
        wait = self._chance.choice((0.0, 0.0, self._chance.uniform(0, 0.4)))
        self._thaw = threading.Timer(wait, os.kill, (self._pid, signal.SIGCONT))
        self._thaw.start()
        if not wait:
            self._thaw.join()
            time.sleep(0.1)

    def thaw(self) -> None:
        """Let the broker run again, and return when it does."""
        if self._thaw:
            self._thaw.join()


@contextmanager
def frozen(pid: int, chance: random.Random) -> Iterator[Frozen]:
    """The broker goes on whatever happened."""
    end = Frozen(pid, chance)
    try:
        yield end
    finally:
        end.thaw()
        os.kill(pid, signal.SIGCONT)
