"""The required settings of brokers, topics and clients, and the check of a cluster against them.

Pure: settings come in, sentences go out. Nothing is repaired here; a log that may lose a fact is not used.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from consumers.kafka.rules import (
    BROKER_RULES,
    CLIENT_RULES,
    CONSUMER_RULES,
    PRODUCER_RULES,
    TOPIC_RULES,
    Footing,
    Rule,
    at_least,
)
from consumers.kafka.settings import Profile

Settings = Mapping[str, Any]

FACT_BYTES: Final = 1024 * 1024
# A dead letter contains the whole unreadable record as text, with its reason.
DEAD_LETTER_BYTES: Final = 4 * 1024 * 1024


class TopicSettings(msgspec.Struct, frozen=True):
    """The required form of one topic."""

    partitions: int
    record_bytes: int


class TopicSeen(msgspec.Struct, frozen=True):
    """A topic as the brokers describe it: the replicas of each partition, and its effective settings."""

    replicas: tuple[int, ...]
    settings: Settings


class ReadBackSettings(msgspec.Struct, frozen=True):
    """A cluster and our clients as read back. A setting that could not be read is missing or None.

    `broker_count` includes brokers that are down, whose settings cannot be read.
    """

    broker_count: int
    brokers: Mapping[str, Settings]
    topics: Mapping[str, TopicSeen]
    producer: Settings
    consumer: Settings


class Unsafe(msgspec.Struct, frozen=True):
    """A setting that could lose, change or hide a record."""

    subject: str
    setting: str
    found: str
    says: str
    do: str

    @property
    def sentence(self) -> str:
        """The unsafe setting, its danger, and what to do."""
        return f"{self.subject}: {self.setting} is {self.found}: {self.says}. {self.do}"


def footing(profile: Profile, broker_count: int) -> Footing:
    """Three copies with two in sync in production; in development, as many as there are brokers."""
    if profile == "production" or broker_count >= 3:
        return Footing(replicas=3, in_sync=2)
    return Footing(replicas=max(1, broker_count), in_sync=1)


def topic_settings(on: Footing, record_bytes: int) -> dict[str, str]:
    """The settings for creating a topic, all written out so that no broker's default decides."""
    return {
        **{rule.setting: rule.value(on) for rule in TOPIC_RULES},
        "max.message.bytes": str(record_bytes),
    }


def unsafe(profile: Profile, seen: ReadBackSettings, wanted: Mapping[str, TopicSettings]) -> list[Unsafe]:
    """All unsafe settings of a cluster and our clients, in the order in which to correct them."""
    on = footing(profile, seen.broker_count)
    found = list(_cluster(profile, seen))
    for broker, settings in seen.brokers.items():
        found += _broken(profile, on, BROKER_RULES, f"broker {broker}", settings)
        found += _inner(profile, broker, settings)
    for name, want in wanted.items():
        topic = seen.topics.get(name)
        if topic is None:
            found.append(
                Unsafe(name, "the topic", "missing", "records have no place to go", "Run: catwalk topics create")
            )
        else:
            found += _topic(profile, on, name, topic, want)
    for client, settings, rules in (
        ("our producer", seen.producer, (*CLIENT_RULES, *PRODUCER_RULES)),
        ("our consumer", seen.consumer, (*CLIENT_RULES, *CONSUMER_RULES)),
    ):
        found += _broken(profile, on, rules, client, settings)
    return found


def _cluster(profile: Profile, seen: ReadBackSettings) -> Iterator[Unsafe]:
    if profile == "production" and seen.broker_count < 3:
        says = "the loss of one would stop the record or lose it"
        yield Unsafe("cluster", "the number of brokers", str(seen.broker_count), says, "Run three brokers or more.")


def _inner(profile: Profile, broker: str, settings: Settings) -> Iterator[Unsafe]:
    """The listener between brokers, whose users have every right."""
    if profile == "development":
        return
    mapped = str(settings.get("listener.security.protocol.map") or "").split(",")
    protocols = dict(pair.split(":", 1) for pair in mapped if ":" in pair)
    listener = str(settings.get("inter.broker.listener.name"))
    protocol = protocols.get(listener, settings.get("security.inter.broker.protocol"))
    if protocol not in ("SSL", "SASL_SSL"):
        yield Unsafe(
            f"broker {broker}",
            "the protocol between brokers",
            _shown(protocol),
            "any program that reaches that port can read the record and act as a broker",
            "Give inter.broker.listener.name a listener of SSL (with ssl.client.auth=required) or SASL_SSL.",
        )


def _topic(profile: Profile, on: Footing, name: str, topic: TopicSeen, want: TopicSettings) -> Iterator[Unsafe]:
    if len(topic.replicas) != want.partitions:
        yield Unsafe(
            name,
            "the number of partitions",
            str(len(topic.replicas)),
            f"the settings say {want.partitions}; a table whose key moves to another partition loses its order",
            "Correct `partitions` in the Kafka settings; an existing topic keeps its number.",
        )
    fewest = min(topic.replicas, default=0)
    if fewest < on.replicas:
        yield Unsafe(
            name,
            "the number of replicas",
            str(fewest),
            f"fewer than {on.replicas} copies may not survive the loss of a broker and its disk",
            f"Reassign its partitions to {on.replicas} brokers each (kafka-reassign-partitions.sh).",
        )
    size = topic.settings.get("max.message.bytes")
    if not at_least(size, want.record_bytes):
        says = f"a record of up to {want.record_bytes} bytes would be refused, and no fact may be"
        yield Unsafe(
            name, "max.message.bytes", _shown(size), says, _do_topic(name, "max.message.bytes", str(want.record_bytes))
        )
    yield from _broken(profile, on, TOPIC_RULES, name, topic.settings)


def _broken(
    profile: Profile, on: Footing, rules: tuple[Rule, ...], subject: str, settings: Settings
) -> Iterator[Unsafe]:
    """Every rule of a table that these settings break."""
    for rule in rules:
        if rule.where == "production" and profile == "development":
            continue
        value = settings.get(rule.setting)
        if not rule.safe(value, on):
            do = _DO[rule.of](subject, rule.setting, rule.value(on))
            yield Unsafe(subject, rule.setting, _shown(value), rule.says, do)


def _shown(value: Any) -> str:
    if value is None:
        return "not readable"
    return "empty" if value == "" else str(value)


def _do_broker(_subject: str, setting: str, value: str) -> str:
    return f"Set {setting}={value} in the broker's server.properties and restart it."


def _do_topic(topic: str, setting: str, value: str) -> str:
    return f"Run: kafka-configs.sh --alter --entity-type topics --entity-name {topic} --add-config {setting}={value}"


def _do_client(_subject: str, setting: str, value: str) -> str:
    if setting == "decoders":
        return "Install python-snappy, lz4 and zstandard for this Python; requirements.lock has them."
    return f"Make the client with {setting}={value}; consumers/kafka/client.py does."


_DO: Final = {"broker": _do_broker, "topic": _do_topic, "client": _do_client}
