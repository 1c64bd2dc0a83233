"""Several watchers on one cluster: Kafka's group protocol says whose each partition is, the marks where it goes on.

Nothing is committed to Kafka. A partition that comes to this process is begun where its findings say; one that leaves
it has everything written that was taken, for nothing is taken while partitions change hands. One that comes back at
once, as all do whenever a watcher joins or leaves, goes on where it was. What shows only when tables are looked at
together is asked by one process at a time: the one that has the partition of the property's stream.
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
# How long what another process appended may be missing in the index of streams of this machine.
INDEX_SECONDS: Final = 60


class GroupWatch:
    """One member of the group, from its joining to its leaving."""

    def __init__(self, settings: KafkaSettings, facts: KafkaLog, watcher: Watcher, tables: Turns) -> None:
        self._facts = facts
        self._watcher = watcher
        self._tables = tables
        self._behind: dict[int, int] = {}  # the partitions that are ours: behind which position each is read
        self._news = _Assignments()
        facts.catch_up()  # before anybody counts on us: a machine that has no index yet reads the whole log for it
        self._consumer = client.member(settings, GROUP, facts.topic, self._news)

    def run(self, stop: threading.Event, told: Callable[[Iterable[int]], object]) -> None:
        """Watches whatever is ours until it is stopped; `told` hears which partitions these are."""
        indexing = threading.Thread(target=self._keep_index, args=(stop,), name="catwalk-index", daemon=True)
        indexing.start()
        try:
            while not stop.is_set():
                polled = self._consumer.poll(timeout_ms=POLL_MS)
                ours = self._news.taken()
                if ours is None:
                    for at, records in polled.items():
                        self._take(at, records)
                else:  # what was just polled is read again, each from its place
                    self._settle(ours)
                    told(ours)
                self._tables.check()
        finally:
            self._tables.ours(False)
            self._consumer.close(autocommit=False)
            indexing.join()

    def _settle(self, ours: set[int]) -> None:
        """Whoever has the partition of the property's stream looks across the tables."""
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
        """A partition may come to us at any time, and then it must be known soon where its streams begin."""
        while not stop.wait(INDEX_SECONDS):
            try:
                self._facts.catch_up()
            except KafkaError:
                continue  # the log cannot be reached now; who needs the index then says so


class _Assignments(ConsumerRebalanceListener):  # type: ignore[misc] # kafka-python ships no types
    """Hears on kafka-python's own thread which partitions are ours, and does nothing there but note it."""

    def __init__(self) -> None:
        self._ours: set[int] | None = None

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        """Everything taken is written already; who has them next is told when that is settled."""

    def on_partitions_lost(self, lost: Iterable[TopicPartition]) -> None:
        """The group went on without us; we may have written meanwhile, and that does no harm."""
        self._ours = set()

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        """All that are ours from now on."""
        self._ours = {at.partition for at in assigned}

    def taken(self) -> set[int] | None:
        """What is ours since the last question, or nothing if that has not changed."""
        found, self._ours = self._ours, None
        return found
