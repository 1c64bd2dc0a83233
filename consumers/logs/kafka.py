"""The log in Kafka: one topic, each partition a notification log, a record's value the stored bytes of a fact.

The key is the table, so a table stays in one partition; the position is the offset plus one. Kafka has no conditional
append: a place known to be taken is refused, but only the single writer of each stream and its epoch keep out a second
writer, not the log.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from eventsourcing.persistence import IntegrityError, OperationalError
from kafka import TopicPartition
from kafka.errors import KafkaError, TopicAuthorizationFailedError
from kafka.partitioner.default import murmur2

from consumers.kafka import client
from consumers.kafka.kafka_fixes import give_up
from consumers.kafka.settings import KafkaSettings
from consumers.kafka.topic_names import Kind, name_of
from consumers.logs.kafka_feed import POLL_MS, Feed, Patience
from consumers.logs.kafka_index import Index, StreamSpan, widened
from consumers.logs.log import Batch, LogPosition, NoPlaceError, Placed, StoredFact, before_newest, place_of
from domain.facts.streams import owner

FLUSH_SECONDS: Final = 120
# A reader up to an existing end does not need to wait for more.
AT_ONCE: Final = {"fetch_min_bytes": 1}
# One stream is a small part of its partition: fetching megabytes ahead would read its neighbors.
STREAM_FETCH_BYTES: Final = 512 * 1024


class KafkaLog:
    """A log with as many partitions as its topic has."""

    def __init__(self, settings: KafkaSettings, index: Index, *, kind: Kind = "facts") -> None:
        self.name: str = kind
        self.topic = name_of(settings, kind)
        self._settings = settings
        self._index = index
        self._lock = threading.RLock()
        self._reader = client.reader(settings, [], **AT_ONCE)
        self._producer: Any = None
        self._stream_reader: Any = None
        self._caught_up: set[int] = set()
        self._homes: dict[str, int] = {}
        self._may_read = True
        numbers = self._reader.partitions_for_topic(self.topic)
        if not numbers:
            self.close()
            raise OperationalError(f"the topic {self.topic} does not exist. Run: catwalk topics create")
        self.partitions: tuple[int, ...] = tuple(sorted(numbers))
        self._forget_what_is_not_there()

    def append(self, facts: Sequence[StoredFact]) -> list[int]:
        """Append a batch; return when every in-sync replica has all of its facts."""
        with self._lock:
            standing = self._standing(facts)
            if standing or len({fact[:2] for fact in facts}) < len(facts):
                taken = next(iter(standing), facts[0][:2])
                raise IntegrityError(f"{taken[0]}:{taken[1]} is taken")
            return self._send(facts)

    def append_once(self, facts: Sequence[StoredFact]) -> list[int]:
        """Append the missing facts, as far as the log is known; nothing if other bytes are in a place."""
        with self._lock:
            standing = self._standing(facts)
            missing: dict[tuple[str, int], StoredFact] = {}
            for fact in facts:
                place = (fact.stream, fact.sequence)
                held = standing[place][1] if place in standing else missing.setdefault(place, fact).stored
                if held != fact.stored:
                    raise IntegrityError(f"{fact.stream}:{fact.sequence} already holds other bytes")
            positions = {place: position for place, (position, _) in standing.items()}
            positions.update(zip(missing, self._send(list(missing.values())), strict=True))
            return [positions[fact.stream, fact.sequence] for fact in facts]

    def read(self, partition: int, after: int, limit: int) -> list[Placed]:
        """Facts after a position."""
        return [(record.offset + 1, record.value or b"") for record in self.records(partition, after, limit)]

    def records(self, partition: int, after: int, limit: int) -> list[Any]:
        """The same as Kafka's records; continuing where the last read ended uses records that were fetched ahead."""
        at = self._partition(partition)
        with self._lock:
            end = self._ends([partition])[at]
            if after >= end:
                return []
            if self._reader.assignment() != {at}:
                self._reader.assign([at])
                self._reader.seek(at, after)
            elif self._reader.position(at) != after:
                self._reader.seek(at, after)
            found: list[Any] = []
            patience = Patience(self.topic)
            while len(found) < limit and self._reader.position(at) < end:
                polled = self._reader.poll(timeout_ms=POLL_MS, max_records=limit - len(found))
                found += patience.polled(polled).get(at, [])
            return found

    def drain(self, after: Mapping[int, int]) -> Iterator[Batch]:
        """Every fact after these positions up to the current end, fetched ahead by a separate thread."""
        return _batches(self._drained(self.partitions, after))

    def follow(self, after: Mapping[int, int], stop: threading.Event) -> Iterator[Batch]:
        """Every fact after these positions, and every later one as it arrives."""
        for at, end in self._ends(self.partitions).items():
            if after.get(at.partition, 0) > end:
                says = f"partition {at.partition} of {self.topic} ends at {end}"
                raise OperationalError(f"{says}, before position {after[at.partition]}: it is a different log")
        feed = self._feed(self.partitions, after, None)
        try:
            yield from _batches(feed.batches(stop))
        finally:
            feed.close()

    def read_stream(self, stream: str) -> list[bytes]:
        """The facts of one stream by sequence, located through the index."""
        return [fact.stored for fact, _ in self.stream_facts(stream)]

    def stream_facts(self, stream: str) -> list[tuple[StoredFact, int]]:
        """The facts of one stream with positions: by sequence, without repeats, but with second claims of a place."""
        with self._lock:
            self._catch_up(self.partitions)
            found: dict[tuple[int, bytes], tuple[StoredFact, int]] = {}
            for span in self._index.spans(stream):
                for record in self._span_records(span):
                    fact = fact_of(record)
                    if fact is not None and fact.stream == stream:
                        found.setdefault((fact.sequence, fact.stored), (fact, record.offset + 1))
            return sorted(found.values(), key=lambda each: (each[0].sequence, each[1]))

    def stream_before(self, stream: str, position: int) -> list[bytes]:
        """The facts of one stream before a position of its home partition; records elsewhere do not belong to it."""
        with self._lock:
            home, end = self.home(stream), position - 1
            if self._index.until(home) < end:
                self._catch_up([home])
            found: dict[bytes, None] = {}
            for span in self._index.spans(stream):
                if span.partition == home and span.first < end:
                    for record in self._span_records(span._replace(last=min(span.last, end - 1))):
                        fact = fact_of(record)
                        if fact is not None and fact.stream == stream:
                            found.setdefault(fact.stored)
            return list(found)

    def streams(self, owner: str) -> list[str]:
        """The streams of a table, from the index after it has caught up."""
        with self._lock:
            self._catch_up(self.partitions)
            return self._index.streams(owner)

    def begins(self, stream: str) -> LogPosition | None:
        """The beginning of a stream; records that were written elsewhere with another key do not belong to it."""
        with self._lock:
            home = self.home(stream)
            found = [span for span in self._index.spans(stream) if span.partition == home]
            if not found:
                self._catch_up([home])
                found = [span for span in self._index.spans(stream) if span.partition == home]
            return LogPosition(home, found[0].first + 1) if found else None

    def recent(self, days: int) -> dict[int, int]:
        """For each partition, a position before the newest gaming days."""
        with self._lock:
            self._catch_up(self.partitions)
            spans = [(stream, span) for stream, span in self._index.all() if span.partition == self.home(stream)]
        told = ((stream, span.partition, span.first + 1) for stream, span in spans)
        return before_newest(told, days, self.partitions)

    def last_position(self, partition: int) -> int:
        """The position of the last fact of a partition."""
        return self._ends([partition])[self._partition(partition)]

    def recorder(self, partition: int) -> Any:
        """A partition with the library's own interface."""
        from consumers.logs.kafka_recorder import KafkaRecorder  # noqa: PLC0415 - each of the two needs the other

        self._partition(partition)
        return KafkaRecorder(self, partition)

    def where(self, partition: int, position: int) -> tuple[str, int]:
        """The topic's name, and the offset."""
        return f"{self.topic}/{partition}", position - 1

    def home(self, stream: str) -> int:
        """The partition of a stream: Kafka's own choice by key, the same default in every client."""
        known = self._homes.get(stream)
        if known is None:
            known = self._homes[stream] = (murmur2(owner(stream).encode()) & 0x7FFFFFFF) % len(self.partitions)
        return known

    def ends(self) -> dict[str, int]:
        """The last sequence of each stream, from the index after it has caught up."""
        with self._lock:
            self._catch_up(self.partitions)
            found: dict[str, int] = {}
            for stream, span in self._index.all():
                found[stream] = max(span.sequence, found.get(stream, 0))
            return found

    def catch_up(self) -> None:
        """Bring the index up to date with the whole log, from its beginning if this machine has no index."""
        with self._lock:
            self._catch_up(self.partitions)

    def close(self) -> None:
        """Close the connections and the index."""
        with self._lock:
            if self._producer is not None:
                self._producer.close()
            if self._stream_reader is not None:
                self._stream_reader.close()
            self._reader.close()
            self._index.close()

    def _send(self, facts: Sequence[StoredFact]) -> list[int]:
        """Send a batch and add it to the index; raise an error if a fact was not acknowledged."""
        if not facts:
            return []
        if self._producer is None:
            self._producer = client.producer(self._settings)
        try:
            offsets = self._acknowledged(facts)
        except BaseException:
            # Facts after a failed one must not be sent any more: they would come before it in the log.
            give_up(self._producer)
            self._producer = None
            raise
        self._note_own(facts, offsets)
        return [offset + 1 for offset in offsets]

    def _acknowledged(self, facts: Sequence[StoredFact]) -> list[int]:
        """The offset of each fact, once every in-sync replica has all of them."""
        try:
            sent = [
                self._producer.send(
                    self.topic,
                    key=owner(fact.stream).encode(),
                    value=fact.stored,
                    partition=self.home(fact.stream),
                    headers=_headers(fact),
                )
                for fact in facts
            ]
            self._producer.flush(FLUSH_SECONDS)
        except KafkaError as error:
            raise OperationalError(f"{self.topic}: not all of {len(facts)} facts were acknowledged: {error}") from error
        unsaid = [one for one in sent if not one.succeeded() or one.value.offset < 0]
        if unsaid:
            why = unsaid[0].exception or "no answer in time"
            raise OperationalError(f"{self.topic}: {len(unsaid)} of {len(facts)} facts were not acknowledged: {why}")
        return [one.value.offset for one in sent]

    def _note_own(self, facts: Sequence[StoredFact], offsets: Sequence[int]) -> None:
        """Add our own facts to the index without reading them; and the partition's end, if nothing came between."""
        spans: dict[str, StreamSpan] = {}
        own: dict[int, set[int]] = {}
        for fact, offset in zip(facts, offsets, strict=True):
            home = self.home(fact.stream)
            widened(spans, fact.stream, home, offset, fact.sequence)
            own.setdefault(home, set()).add(offset)
        until = []
        for partition, held in own.items():
            known = self._index.until(partition)
            first = known
            while known in held:
                known += 1
            if known > first:
                until.append((partition, known))
        self._index.note(spans, until)

    def _standing(self, facts: Sequence[StoredFact]) -> dict[tuple[str, int], Placed]:
        """The places of a batch that are taken, as far as the log is known, with position and bytes.

        The index catches up with each partition of facts before the first append to it, and then knows our own appends.
        A foreign append to our streams breaks the rule of one writer, and readers see it as a fork. Other logs have
        several writers, so the index catches up before each append.
        """
        streams: dict[str, int] = {}
        for fact in facts:
            streams[fact.stream] = min(fact.sequence, streams.get(fact.stream, fact.sequence))
        homes = {self.home(stream) for stream in streams}
        try:
            self._catch_up(sorted(self._behind(homes)) if self._may_read else [])
        except TopicAuthorizationFailedError:
            # A gateway may have the right to write and none to read. Then only its outbox knows which places are taken.
            self._may_read = False
        if not self._may_read:
            return {}
        self._caught_up |= homes
        wanted = {(fact.stream, fact.sequence) for fact in facts}
        found: dict[tuple[str, int], Placed] = {}
        for stream, lowest in streams.items():
            if lowest <= self._index.sequence(stream):
                for fact, position in self.stream_facts(stream):
                    if (fact.stream, fact.sequence) in wanted:
                        found.setdefault((fact.stream, fact.sequence), (position, fact.stored))
        return found

    def _behind(self, homes: set[int]) -> set[int]:
        if self.name == "facts":
            return homes - self._caught_up
        return {at.partition for at, end in self._ends(sorted(homes)).items() if end > self._index.until(at.partition)}

    def _catch_up(self, partitions: Sequence[int]) -> None:
        """Read the records that the index does not know yet."""
        known = {partition: self._index.until(partition) for partition in partitions}
        for partition, records in self._drained(partitions, known):
            spans: dict[str, StreamSpan] = {}
            for record in records:
                fact = fact_of(record)
                if fact is not None:
                    widened(spans, fact.stream, partition, record.offset, fact.sequence)
            self._index.note(spans, [(partition, records[-1].offset + 1)])

    def _span_records(self, span: StreamSpan) -> list[Any]:
        """The records of a partition from the first to the last fact of a stream."""
        if self._stream_reader is None:
            sizes = {**AT_ONCE, "max_partition_fetch_bytes": STREAM_FETCH_BYTES}
            self._stream_reader = client.reader(self._settings, [], **sizes)
        reader, at = self._stream_reader, self._partition(span.partition)
        reader.assign([at])
        reader.seek(at, span.first)
        found: list[Any] = []
        patience = Patience(self.topic)
        while reader.position(at) <= span.last:
            found += patience.polled(reader.poll(timeout_ms=POLL_MS)).get(at, [])
        reader.unsubscribe()
        return [record for record in found if record.offset <= span.last]

    def _drained(self, partitions: Sequence[int], after: Mapping[int, int]) -> Iterator[tuple[int, list[Any]]]:
        ends = self._ends(partitions)
        left = {at: end for at, end in ends.items() if after.get(at.partition, 0) < end}
        if not left:
            return
        feed = self._feed([at.partition for at in left], after, left)
        try:
            yield from feed.batches()
        finally:
            feed.close()

    def _feed(
        self, partitions: Sequence[int], after: Mapping[int, int], ends: Mapping[TopicPartition, int] | None
    ) -> Feed:
        at = [self._partition(partition) for partition in partitions]
        sizes = {} if ends is None else AT_ONCE
        reader = client.reader(self._settings, at, **sizes)
        for each in at:
            reader.seek(each, after.get(each.partition, 0))
        return Feed(reader, ends)

    def _ends(self, partitions: Sequence[int]) -> dict[TopicPartition, int]:
        with self._lock:
            found = self._reader.end_offsets([self._partition(partition) for partition in partitions])
            return dict(found)

    def _partition(self, partition: int) -> TopicPartition:
        if partition not in self.partitions:
            raise IndexError(f"{self.topic} has no partition {partition}")
        return TopicPartition(self.topic, partition)

    def _forget_what_is_not_there(self) -> None:
        """Clear the index if it knows more than the log: it belongs to another log."""
        ends = self._ends(self.partitions)
        if any(self._index.until(at.partition) > end for at, end in ends.items()):
            self._index.forget()


def _headers(fact: StoredFact) -> list[tuple[str, bytes]]:
    """No headers for a fact, whose bytes name its place; the place, for other bytes."""
    try:
        if place_of(fact.stored) == fact:
            return []
    except NoPlaceError:
        pass
    return [("stream", fact.stream.encode()), ("sequence", b"%d" % fact.sequence), ("type", fact.type.encode())]


def fact_of(record: Any) -> StoredFact | None:
    """The fact in a record; None for a record without a place, which becomes a dead letter."""
    stored = record.value or b""
    try:
        if record.headers:
            held = dict(record.headers)
            return StoredFact(held["stream"].decode(), int(held["sequence"]), held["type"].decode(), stored)
        return place_of(stored)
    except (KeyError, ValueError):
        return None


def _batches(read: Iterable[tuple[int, list[Any]]]) -> Iterator[Batch]:
    for partition, records in read:
        yield Batch(partition, [(record.offset + 1, record.value or b"") for record in records])
