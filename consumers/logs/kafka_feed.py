"""Records of Kafka, fetched ahead by a thread while the reader works on the batch before."""

import queue
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final

from eventsourcing.persistence import OperationalError
from kafka import KafkaConsumer, TopicPartition

Records = tuple[int, list[Any]]  # a partition, and its records in order

_AHEAD: Final = 4
POLL_MS: Final = 100
# Empty polls in a row, a minute of them, before a log with more records counts as unavailable.
SILENT_POLLS: Final = 600


class Patience:
    """A limit on the wait for existing records that do not arrive."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._empty = 0

    def polled(self, records: Mapping[TopicPartition, list[Any]]) -> Mapping[TopicPartition, list[Any]]:
        """Return the records of a poll, or raise an error after too many empty ones."""
        self._empty = 0 if records else self._empty + 1
        if self._empty > SILENT_POLLS:
            seconds = SILENT_POLLS * POLL_MS // 1000
            raise OperationalError(f"{self._topic}: no broker sent the remaining records for {seconds} seconds")
        return records


class Feed:
    """Batches of records of one consumer, which is closed at the end.

    With `ends`, it ends when every partition has reached its own; without, only when it is closed.
    """

    def __init__(self, consumer: KafkaConsumer, ends: Mapping[TopicPartition, int] | None) -> None:
        self._consumer = consumer
        self._ends = None if ends is None else dict(ends)
        self._batches: queue.Queue[Records | BaseException | None] = queue.Queue(_AHEAD)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._fetch, name="kafka-feed", daemon=True)
        self._thread.start()

    def batches(self, stop: threading.Event | None = None) -> Iterator[Records]:
        """The batches until the end, or until `stop` is set."""
        while stop is None or not stop.is_set():
            try:
                batch = self._batches.get(timeout=POLL_MS / 1000)
            except queue.Empty:
                continue
            if batch is None:
                return
            if isinstance(batch, BaseException):
                raise batch
            yield batch

    def close(self) -> None:
        """End the thread and the consumer."""
        self._closed.set()
        self._thread.join()
        self._consumer.close()

    def _fetch(self) -> None:
        patience = Patience("the log")
        try:
            while not self._closed.is_set() and (self._ends is None or self._ends):
                polled = self._consumer.poll(timeout_ms=POLL_MS)
                if self._ends is not None:
                    patience.polled(polled)
                for partition, records in polled.items():
                    kept = self._before_end(partition, records)
                    if kept:
                        self._put((partition.partition, kept))
                self._drop_ended()
            self._put(None)
        except BaseException as error:
            self._put(error)

    def _before_end(self, partition: TopicPartition, records: list[Any]) -> list[Any]:
        """The records before the requested end."""
        if self._ends is None:
            return records
        end = self._ends.get(partition, 0)
        return records if records[-1].offset < end else [record for record in records if record.offset < end]

    def _drop_ended(self) -> None:
        """Drop partitions that reached their end; offsets have gaps, so the position decides, not a record's offset."""
        if self._ends is None:
            return
        ended = [partition for partition, end in self._ends.items() if self._consumer.position(partition) >= end]
        for partition in ended:
            del self._ends[partition]
        if ended:
            self._consumer.pause(*ended)

    def _put(self, batch: Records | BaseException | None) -> None:
        while not self._closed.is_set():
            try:
                self._batches.put(batch, timeout=POLL_MS / 1000)
            except queue.Full:
                continue
            return
