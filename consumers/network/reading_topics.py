"""Read the topics of inputs from Kafka beside the gateway's loop: one thread for all of them.

The thread seeks to the offsets that the outbox has, and commits none to Kafka. It reads only as much as the loop has
room for. A topic that cannot be read does not end the gateway, because the other sources still send: the thread says
why, says what to do, and tries again.
"""

import os
import signal
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from threading import Event, Thread
from time import monotonic
from typing import Any, Final

import msgspec
from kafka import KafkaAdminClient, KafkaConsumer, TopicPartition
from kafka.errors import KafkaError, OffsetOutOfRangeError, TopicAuthorizationFailedError, UnknownTopicOrPartitionError

from consumers.gateway.bells import Bell
from consumers.gateway.clients import OwnTopic
from consumers.gateway.reading_lines import LONGEST
from consumers.gateway.topic_inputs import TopicInput, TopicRecord
from consumers.kafka import client, topics
from consumers.kafka.settings import KafkaSettings, KafkaSettingsError, KafkaUnreachableError
from consumers.kafka.topic_names import inputs_of
from consumers.network.topic_records import record_of
from domain.facts.refused import Refused

_LOOK_SECONDS: Final = 15.0  # between two looks at the topics
_AGAIN_SECONDS: Final = 5.0  # the same if one of them cannot be read
_ENDING_SECONDS: Final = 4.0
_POLL_MS: Final = 100
_NOTHING_SECONDS: Final = 0.2
_IN_ALL: Final = 32 << 20  # bytes of waiting records, of all topics together
# A position that Kafka no longer has is an error, and a source's line comes at once.
_SETTINGS: Final[Mapping[str, Any]] = {
    "auto_offset_reset": "none",
    "fetch_min_bytes": 1,
    "fetch_max_bytes": 16 << 20,
    "max_partition_fetch_bytes": 1 << 20,
    "max_poll_records": 50,  # each may have a megabyte
}
_Found = Mapping[TopicPartition, TopicInput]


class ReadingTopics:
    """The topics of the sources that have one. `sources` is called by the loop alone."""

    def __init__(
        self,
        settings: KafkaSettings,
        read_to: Mapping[OwnTopic, int],
        sources: Callable[[], Collection[str]],
        say: Callable[[str], None],
    ) -> None:
        self.inputs: tuple[TopicInput, ...] = ()
        self.bell = Bell()
        self._settings = settings
        self._read_to = read_to
        self._sources = sources
        self._say = say
        self._said: dict[str, str] = {}  # by topic, why it cannot be read
        self._of: dict[str, TopicInput] = {}  # by the topic's id
        self._wanted: frozenset[str] = frozenset()
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="topics of inputs", daemon=True)

    @property
    def says(self) -> str:
        """The place it reads from, in words."""
        name = f"{self._settings.topic_prefix}inputs.*"
        return f"reading the topics {name} at {', '.join(self._settings.bootstrap_servers)}"

    def start(self) -> None:
        """Begin to read."""
        self.look()
        self._thread.start()

    def look(self) -> None:
        """Notice sources that were registered since."""
        self._wanted = frozenset(self._sources())

    def stop(self) -> None:
        """Read no more."""
        self._stopping.set()

    def close(self) -> None:
        """Wait until the reading has ended, for a few seconds at most."""
        self._thread.join(_ENDING_SECONDS)

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                try:
                    self._read()
                except (KafkaError, KafkaUnreachableError, KafkaSettingsError) as error:
                    why = str(error).rstrip(".") or type(error).__name__
                    self._tell("", f"no topic of inputs can be read: {why}")
                    self._stopping.wait(_AGAIN_SECONDS)
        except BaseException:
            os.kill(os.getpid(), signal.SIGTERM)  # without its topics, the gateway would only seem to run
            raise

    def _read(self) -> None:
        """Read with one connection until something fails."""
        settings = self._settings
        with (
            client.admin(settings) as admin,
            closing(client.reader(settings, (), longest=LONGEST, **_SETTINGS)) as consumer,
        ):
            while not self._stopping.is_set():
                wanted = self._wanted
                found = self._find(admin, wanted)
                until = monotonic() + (_AGAIN_SECONDS if len(found) < len(wanted) else _LOOK_SECONDS)
                self._tell("", "")
                if found:
                    consumer.assign(list(found))
                for at, topic in found.items():
                    consumer.seek(at, topic.read_to)
                while self._wanted == wanted and monotonic() < until and not self._stopping.is_set():
                    if not found:
                        self._stopping.wait(_NOTHING_SECONDS)
                    elif not self._poll(consumer, found):
                        break

    def _find(self, admin: KafkaAdminClient, wanted: Collection[str]) -> _Found:
        """Return the topics of these sources that can be read, and say what is wrong with the others."""
        names = {inputs_of(self._settings, source): source for source in sorted(wanted)}
        described = client.patiently(self._settings, lambda: admin.describe_topics(list(names))) if names else []
        found, new = {}, []
        for each in described:
            name = each["name"]
            why = _why_not(each, names[name])
            self._tell(name, why)
            if why:
                continue
            topic = OwnTopic(names[name], name, str(each["topic_id"]))
            if topic.id not in self._of:
                self._of[topic.id] = self._begun(topic)
                new.append(topic.source)
            found[TopicPartition(name, 0)] = self._of[topic.id]
        for one in topics.unsafe_inputs(admin, self._settings, new) if new else ():
            self._say(f"Warning: {one.sentence}")
        self.inputs = tuple(self._of.values())
        return found

    def _begun(self, topic: OwnTopic) -> TopicInput:
        """Return a topic from the place that the outbox has, or, for a new one, from its beginning."""
        begun = {known.id: after for known, after in self._read_to.items()}
        found = TopicInput(topic, begun.get(topic.id, 0))
        before = [after for known, after in self._read_to.items() if known.name == topic.name]
        if before and topic.id not in begun:
            says = f"the topic {topic.name} was made again, or is in another cluster: of the one before, the gateway"
            says += f" read the records before {max(before)}, and those behind it are lost unless they are sent again"
            found.add([_loss(topic, 0, 0, says)])
        return found

    def _poll(self, consumer: KafkaConsumer, found: _Found) -> bool:
        """Hand over the next records; return whether the topics are still those that were found."""
        full = sum(topic.held for topic in found.values()) > _IN_ALL
        waits = [at for at, topic in found.items() if full or topic.is_full]
        consumer.pause(*waits)
        consumer.resume(*(found.keys() - set(waits)))
        try:
            came = consumer.poll(timeout_ms=_POLL_MS)
        except OffsetOutOfRangeError as error:
            for at in error.args[0]:
                found[at].add([_lost(consumer, at, found[at])])
                consumer.seek(at, found[at].read_to)
            came = {at: [] for at in error.args[0]}
        except (TopicAuthorizationFailedError, UnknownTopicOrPartitionError):
            return False
        for at, records in came.items():
            found[at].add(map(record_of, records))
        if came:
            self.bell.ring()
        return True

    def _tell(self, topic: str, why: str) -> None:
        """Say once why a topic cannot be read, and when it can be again."""
        before = self._said.get(topic, "")
        self._said[topic] = why
        if why and why != before:
            self._say(f"{why}. Lines wait in Kafka meanwhile")
        elif before and not why:
            self._say(f"{topic or 'the topics of inputs'} can be read again")


def _why_not(described: Mapping[str, Any], source: str) -> str:
    """Return why a topic cannot be read, with the cure, or an empty string."""
    name, error = described["name"], described["error_code"]
    if error == UnknownTopicOrPartitionError.errno:
        return f"there is no topic {name}: run catwalk topics create --source {source}"
    if error == TopicAuthorizationFailedError.errno:
        return f"this user may not read the topic {name}: run catwalk topics access gateway --apply"
    if error:
        return f"the topic {name} cannot be read: Kafka answers with error {error}"
    if (count := len(described["partitions"])) != 1:
        return f"the topic {name} has {count} partitions, and only one keeps a source's lines in order: make it again"
    return ""


def _lost(consumer: KafkaConsumer, at: TopicPartition, topic: TopicInput) -> TopicRecord:
    """Return what Kafka no longer has of a topic as a record of its own."""
    begins, ends = consumer.beginning_offsets([at])[at], consumer.end_offsets([at])[at]
    here = topic.read_to
    if here < begins:
        says = f"Kafka deleted the records {here} to {begins - 1} of {at.topic} before the gateway read them: set its"
        says += " retention.ms and retention.bytes to -1, and let its source send these facts again"
        return _loss(topic.topic, here, begins, says)
    says = f"{at.topic} ends at record {ends}, and the gateway has read it up to {here}: records were taken out of it"
    return _loss(topic.topic, here, ends, says)


def _loss(topic: OwnTopic, here: int, after: int, says: str) -> TopicRecord:
    """Return a record in the place of lost ones; its line keeps the letters of two topics of one name apart."""
    line = msgspec.json.encode({"topic_id": topic.id, "offset": here, "next": after})
    return TopicRecord(here, after, line, Refused("records-lost", says))
