"""Several watchers on one cluster: Kafka's group protocol assigns the partitions, and the marks say where to resume.

Nothing is committed to Kafka. A new partition of this process begins where its findings end. A partition that leaves
has all its findings written, because no facts are taken while partitions change hands. A partition that returns at
once, as all do whenever a watcher joins or leaves, continues where it was. Only one process at a time compares tables:
the one with the partition of the property's stream.
"""

import threading
from collections.abc import Callable, Iterable
from typing import Any, Final

from kafka import TopicPartition
from kafka.consumer.subscription_state import ConsumerRebalanceListener
from kafka.errors import KafkaError

from consumers.kafka import client
from consumers.kafka.settings import KafkaSettings
from consumers.logs.kafka import KafkaLog
from consumers.watching.tables_watcher import Turns
from consumers.watching.watcher import Watcher
from domain.facts.streams import PROPERTY

GROUP: Final = "watch"
POLL_MS: Final = 100
# The longest delay of another process's appends in this machine's index of streams.
INDEX_SECONDS: Final = 60


class GroupWatch:
    """One member of the group, from joining to leaving."""

    def __init__(self, settings: KafkaSettings, facts: KafkaLog, watcher: Watcher, tables: Turns) -> None:
        self._facts = facts
        self._watcher = watcher
        self._tables = tables
        self._behind: dict[int, int] = {}  # our partitions, each with the position reached
        self._news = _Assignments()
        facts.catch_up()  # before joining: a machine without an index reads the whole log first
        self._consumer = client.member(settings, GROUP, facts.topic, self._news)

    def run(self, stop: threading.Event, told: Callable[[Iterable[int]], object]) -> None:
        """Watch our partitions until stopped; `told` is called with their numbers whenever they change."""
        indexing = threading.Thread(target=self._keep_index, args=(stop,), name="catwalk-index", daemon=True)
        indexing.start()
        try:
            while not stop.is_set():
                polled = self._consumer.poll(timeout_ms=POLL_MS)
                ours = self._news.taken()
                if ours is None:
                    for at, records in polled.items():
                        self._take(at, records)
                else:  # reread the polled records, each partition from its position
                    self._settle(ours)
                    told(ours)
                self._tables.check()
        finally:
            self._tables.ours(False)
            self._consumer.close(autocommit=False)
            indexing.join()

    def _settle(self, ours: set[int]) -> None:
        """Compare tables if we have the partition of the property's stream."""
        self._tables.ours(self._facts.home(PROPERTY) in ours)
        for partition in self._behind.keys() - ours:
            self._watcher.let_go(partition)
            del self._behind[partition]
        for partition in sorted(ours):
            if partition not in self._behind:
                self._behind[partition] = self._watcher.begin(partition)
            self._consumer.seek(TopicPartition(self._facts.topic, partition), self._behind[partition])

    def _take(self, at: TopicPartition, records: list[Any]) -> None:
        facts = [(record.offset + 1, record.value or b"") for record in records]
        again = self._watcher.take(at.partition, facts)
        self._behind[at.partition] = facts[-1][0] if again is None else again
        if again is not None:
            self._consumer.seek(at, again)

    def _keep_index(self, stop: threading.Event) -> None:
        """Keep the index current, because a partition may arrive at any time and then needs its streams at once."""
        while not stop.wait(INDEX_SECONDS):
            try:
                self._facts.catch_up()
            except KafkaError:
                continue  # the log is unreachable now; a later use of the index reports it


class _Assignments(ConsumerRebalanceListener):  # type: ignore[misc] # kafka-python ships no types
    """A listener on kafka-python's own thread that only notes our partitions."""

    def __init__(self) -> None:
        self._ours: set[int] | None = None

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        """Do nothing: all findings are written already, and the group announces the next owner later."""

    def on_partitions_lost(self, lost: Iterable[TopicPartition]) -> None:
        """Note that the group continued without us; anything we wrote meanwhile does no harm."""
        self._ours = set()

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        """Note all partitions that are now ours."""
        self._ours = {at.partition for at in assigned}

    def taken(self) -> set[int] | None:
        """Our partitions if they changed since the last call, otherwise None."""
        found, self._ours = self._ours, None
        return found
