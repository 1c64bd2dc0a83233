"""The topics of the record: their names, their creation, and the check that refuses unsafe ones."""

import time
from collections.abc import Collection, Mapping
from typing import Any, Final

import kafka.errors
from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType

from consumers.kafka import client
from consumers.kafka.safety import (
    DEAD_LETTER_BYTES,
    FACT_BYTES,
    ReadBackSettings,
    TopicSeen,
    TopicSettings,
    Unsafe,
    footing,
    topic_settings,
    unsafe,
)
from consumers.kafka.settings import KafkaSettings
from consumers.kafka.topic_names import ALL, Kind, inputs_of, name_of
from consumers.kafka.unpacking import decoders

# Facts and findings are spread by table over the same number of partitions, so that one reader has both of a table.
_BY_TABLE: Final = frozenset({"facts", "findings"})
_APPEAR_SECONDS: Final = 15.0


class UnsafeKafkaError(Exception):
    """A cluster, topic or client that is not safe for the record; one sentence for each problem."""

    def __init__(self, found: list[Unsafe]) -> None:
        super().__init__("\n".join(one.sentence for one in found))
        self.found = found


def wanted(
    settings: KafkaSettings, kinds: Collection[Kind] = ALL, sources: Collection[str] = ()
) -> dict[str, TopicSettings]:
    """The required form of each topic, by its name."""
    of_record = {
        name_of(settings, kind): TopicSettings(
            partitions=settings.partitions if kind in _BY_TABLE else 1,
            record_bytes=DEAD_LETTER_BYTES if kind == "dead-letters" else FACT_BYTES,
        )
        for kind in kinds
    }
    # One partition, so that a source's facts keep their order.
    return of_record | {inputs_of(settings, source): TopicSettings(1, FACT_BYTES) for source in sources}


def create(settings: KafkaSettings, sources: Collection[str] = ()) -> list[str]:
    """Create the missing topics, including these sources' inputs, and return their names; change no existing one.

    Nothing is created on unsafe brokers or with unsafe clients, and new topics are read back.
    """
    want = wanted(settings, sources=sources)
    with client.admin(settings) as admin:
        seen = _read_patiently(admin, settings, want)
        before = unsafe(settings.profile, seen, {})
        if before:
            raise UnsafeKafkaError(before)
        missing = [name for name in want if name not in seen.topics]
        if missing:
            _create(admin, settings, {name: want[name] for name in missing}, len(seen.brokers))
        after = unsafe(settings.profile, _read_patiently(admin, settings, want), want)
    if after:
        raise UnsafeKafkaError(after)
    return missing


def check(settings: KafkaSettings, kinds: Collection[Kind] = ALL, sources: Collection[str] = ()) -> list[Unsafe]:
    """All unsafe settings of the cluster, these topics and our clients."""
    want = wanted(settings, kinds, sources)
    with client.admin(settings) as admin:
        return unsafe(settings.profile, _read_patiently(admin, settings, want), want)


def unsafe_inputs(admin: KafkaAdminClient, settings: KafkaSettings, sources: Collection[str]) -> list[Unsafe]:
    """All unsafe settings of the topics of these sources."""
    want = wanted(settings, (), sources)
    found = unsafe(settings.profile, _read_patiently(admin, settings, want), want)
    return [one for one in found if one.subject in want]


def require_safe(settings: KafkaSettings, kinds: Collection[Kind]) -> None:
    """Raise an error unless the cluster is safe; called first whenever a log is opened."""
    found = check(settings, kinds)
    if found:
        raise UnsafeKafkaError(found)


def _read_patiently(
    admin: KafkaAdminClient, settings: KafkaSettings, want: Mapping[str, TopicSettings]
) -> ReadBackSettings:
    return client.patiently(settings, lambda: read_back(admin, settings, want))


def read_back(admin: KafkaAdminClient, settings: KafkaSettings, want: Mapping[str, TopicSettings]) -> ReadBackSettings:
    """The settings in force: the brokers' and topics' as they report them, our clients' as we would make them."""
    registered = admin.describe_cluster()["brokers"]
    running = [str(broker["broker_id"]) for broker in registered if not broker.get("is_fenced")]
    return ReadBackSettings(
        broker_count=len(registered),
        brokers={broker: found for broker in running if (found := _broker(admin, broker)) is not None},
        topics={
            topic["name"]: TopicSeen(
                replicas=tuple(len(partition["replica_nodes"]) for partition in topic["partitions"]),
                settings=_config(admin, ConfigResourceType.TOPIC, topic["name"]),
            )
            for topic in _described(admin, want)
        },
        producer=client.producer_settings(settings),
        consumer={**client.consumer_settings(settings), "decoders": ",".join(decoders())},
    )


def _described(admin: KafkaAdminClient, want: Mapping[str, TopicSettings]) -> list[dict[str, Any]]:
    """The existing topics. A topic that we may not see might exist, so that is an error."""
    found = []
    for topic in admin.describe_topics(list(want)) if want else []:
        if topic["error_code"] == 0:
            found.append(topic)
        elif topic["error_code"] != kafka.errors.UnknownTopicOrPartitionError.errno:
            raise kafka.errors.for_code(topic["error_code"])(topic["name"])
    return found


def _broker(admin: KafkaAdminClient, broker: str) -> dict[str, Any] | None:
    """A broker's settings, or None if it died and the cluster has not noticed yet."""
    try:
        found = _config(admin, ConfigResourceType.BROKER, broker)
    except kafka.errors.RetriableError:
        return None
    return {**found, "log.dirs": found.get("log.dirs") or found.get("log.dir")}


def _config(admin: KafkaAdminClient, kind: ConfigResourceType, name: str) -> dict[str, Any]:
    """All settings of a broker or topic; empty if we may not read them, which the check then reports."""
    found = admin.describe_configs([ConfigResource(kind, name)], config_filter="all")
    return {key: entry["value"] for key, entry in found[kind.name.lower()][name].items()}


def _create(
    admin: KafkaAdminClient, settings: KafkaSettings, want: Mapping[str, TopicSettings], broker_count: int
) -> None:
    on = footing(settings.profile, broker_count)
    asked = {
        name: {
            "num_partitions": one.partitions,
            "replication_factor": on.replicas,
            "configs": topic_settings(on, one.record_bytes),
        }
        for name, one in want.items()
    }
    answer = admin.create_topics(asked, raise_errors=False)
    for topic in answer["topics"]:
        # Another process may have created it meanwhile; reading back shows its settings.
        if topic["error_code"] not in (0, kafka.errors.TopicAlreadyExistsError.errno):
            raise kafka.errors.for_code(topic["error_code"])(f"{topic['name']}: {topic.get('error_message') or ''}")
    _wait_until_known(admin, list(want))


def _wait_until_known(admin: KafkaAdminClient, names: list[str]) -> None:
    """Wait until every broker knows a new topic, because any of them may be asked for its settings."""
    admin.wait_for_topics(names, timeout_ms=_APPEAR_SECONDS * 1000)
    deadline = time.monotonic() + _APPEAR_SECONDS
    for name in names:
        while not _config(admin, ConfigResourceType.TOPIC, name) and time.monotonic() < deadline:
            time.sleep(0.1)
