"""Every setting that could lose, change or hide a record is refused, with a sentence of its own."""

from typing import Any

import msgspec
import pytest

from consumers.kafka import rules
from consumers.kafka.client import consumer_settings, producer_settings
from consumers.kafka.safety import ReadBackSettings, TopicSeen, Unsafe, footing, topic_settings, unsafe
from consumers.kafka.settings import KafkaSettings, Plaintext, Profile, ScramOverTls
from consumers.kafka.topics import wanted

# One change to a safe cluster a row. `-` is a setting that could not be read.
MATRIX = """
profile     | of       | setting                               | value           | says
production  | cluster  | brokers                               | 2               | the loss of one would stop the record or lose it
production  | broker   | auto.create.topics.enable             | true            | a misspelled name would create a topic
production  | broker   | offsets.topic.replication.factor      | 1               | could stop readers from sharing partitions
production  | broker   | log.dirs                              | /tmp/kafka      | a folder that a restart empties
production  | broker   | log.dirs                              | /data,/tmp      | a folder that a restart empties
production  | broker   | authorizer.class.name                 |                 | without access lists
production  | broker   | authorizer.class.name                 | -               | without access lists
production  | broker   | listener.security.protocol.map        | INNER:PLAINTEXT | act as a broker
production  | broker   | listener.security.protocol.map        | -               | act as a broker
production  | facts    | topic                                 | -               | records have no place to go
production  | facts    | partitions                            | 24              | a table whose key moves
production  | facts    | replicas                              | 2               | fewer than 3 copies
production  | facts    | min.insync.replicas                   | 1               | on two replicas before it counts
production  | facts    | min.insync.replicas                   | 3               | one broker less must not stop the floor
production  | facts    | unclean.leader.election.enable        | true            | drop acknowledged facts
production  | findings | cleanup.policy                        | compact         | compaction keeps the last record
production  | findings | cleanup.policy                        | compact,delete  | compaction keeps the last record
production  | cases    | retention.ms                          | 604800000       | deleted by age
production  | access   | retention.bytes                       | 1073741824      | deleted by size
production  | access   | retention.bytes                       | -               | deleted by size
production  | facts    | compression.type                      | brotli          | decompress its records
production  | facts    | message.timestamp.type                | CreateTime      | refuse a fact whose clock is ahead
production  | facts    | max.message.bytes                     | 65536           | no fact may be
production  | producer | acks                                  | 1               | before it is safe
production  | producer | acks                                  | 0               | before it is safe
production  | producer | enable_idempotence                    | false           | double or reorder
production  | producer | max_in_flight_requests_per_connection | 6               | a retry could reorder
production  | producer | retries                               | 0               | the first lost broker
production  | producer | transactional_id                      | gateway         | transactions can lose writes
production  | producer | allow_auto_create_topics              | true            | a misspelled topic would be created
production  | producer | security_protocol                     | PLAINTEXT       | cross the network unencrypted
production  | consumer | security_protocol                     | SASL_PLAINTEXT  | cross the network unencrypted
production  | consumer | sasl_mechanism                        | PLAIN           | prove their identity weakly
production  | consumer | ssl_check_hostname                    | false           | would pass for the broker
production  | consumer | allow_auto_create_topics              | true            | a misspelled topic would be created
production  | consumer | enable_auto_commit                    | true            | loses or doubles rows after a crash
production  | consumer | auto_offset_reset                     | latest          | would skip existing records
production  | consumer | decoders                              | gzip,lz4,zstd   | in a batch with another compression
production  | consumer | isolation_level                       | read_committed  | hide every later fact
development | broker   | auto.create.topics.enable             | true            | a misspelled name would create a topic
development | consumer | decoders                              | gzip            | in a batch with another compression
development | facts    | cleanup.policy                        | compact         | compaction keeps the last record
development | facts    | retention.ms                          | 1000            | deleted by age
development | facts    | min.insync.replicas                   | 2               | on two replicas before it counts
development | producer | acks                                  | 1               | before it is safe
development | consumer | auto_offset_reset                     | latest          | would skip existing records
"""
ROWS = [tuple(cell.strip() for cell in line.split("|")) for line in MATRIX.strip().splitlines()[1:]]
# What only production asks for, and the sound value a development cluster is without.
RELAXED = {"authorizer.class.name", "log.dirs", "security_protocol", "sasl_mechanism", "ssl_check_hostname"}


def settings_of(profile: Profile, tmp_path: Any) -> KafkaSettings:
    secret = tmp_path / "password"
    secret.write_text("x")
    security = Plaintext() if profile == "development" else ScramOverTls(tmp_path / "ca.pem", "gateway", secret)
    return KafkaSettings(profile=profile, bootstrap_servers=("localhost:9092",), security=security)


def safe(settings: KafkaSettings) -> ReadBackSettings:
    """The cluster each row changes one thing of."""
    production = settings.profile == "production"
    count = 3 if production else 1
    on = footing(settings.profile, count)
    broker = {
        "auto.create.topics.enable": "false",
        "offsets.topic.replication.factor": str(on.replicas),
        "log.dirs": "/var/lib/kafka" if production else "/tmp/kafka",
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer" if production else "",
        "inter.broker.listener.name": "INNER",
        "listener.security.protocol.map": "CLIENTS:SASL_SSL,INNER:SSL" if production else "INNER:PLAINTEXT",
    }
    return ReadBackSettings(
        broker_count=count,
        brokers={str(number): dict(broker) for number in range(1, count + 1)},
        topics={
            name: TopicSeen((on.replicas,) * one.partitions, topic_settings(on, one.record_bytes))
            for name, one in wanted(settings).items()
        },
        producer=producer_settings(settings),
        consumer={**consumer_settings(settings), "decoders": "gzip,snappy,lz4,zstd"},
    )


def changed(seen: ReadBackSettings, of: str, setting: str, value: str) -> ReadBackSettings:
    """The cluster with one setting of the row in it."""
    new: Any = None if value == "-" else {"true": True, "false": False}.get(value, value)
    if of == "cluster":
        return msgspec.structs.replace(seen, broker_count=int(value))
    if of == "broker":
        text = None if value == "-" else value
        return msgspec.structs.replace(seen, brokers={**seen.brokers, "1": {**seen.brokers["1"], setting: text}})
    if of in ("producer", "consumer"):
        new = int(value) if value.isdigit() else new
        return msgspec.structs.replace(seen, **{of: {**getattr(seen, of), setting: new}})
    name = f"catwalk.{of}"
    topics = dict(seen.topics)
    topic = topics.pop(name)
    if setting == "partitions":
        topic = msgspec.structs.replace(topic, replicas=(topic.replicas[0],) * int(value))
    elif setting == "replicas":
        topic = msgspec.structs.replace(topic, replicas=(int(value), *topic.replicas[1:]))
    else:
        topic = msgspec.structs.replace(topic, settings={**topic.settings, setting: None if value == "-" else value})
    return msgspec.structs.replace(seen, topics=topics if setting == "topic" else {**topics, name: topic})


def found(profile: Profile, seen: ReadBackSettings, settings: KafkaSettings) -> list[Unsafe]:
    return unsafe(profile, seen, wanted(settings))


@pytest.mark.parametrize("profile", ["production", "development"])
def test_a_safe_cluster_passes(profile: Profile, tmp_path: Any) -> None:
    settings = settings_of(profile, tmp_path)
    assert found(profile, safe(settings), settings) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]} {row[2]}={row[3]}")
def test_an_unsafe_setting_is_refused_with_its_own_sentence(row: tuple[Any, ...], tmp_path: Any) -> None:
    profile, of, setting, value, says = row
    settings = settings_of(profile, tmp_path)
    (one,) = found(profile, changed(safe(settings), of, setting, value), settings)
    assert says in one.says
    assert of in one.subject
    assert one.do
    assert one.says in one.sentence


RULES = (
    *rules.BROKER_RULES,
    *rules.TOPIC_RULES,
    *rules.CLIENT_RULES,
    *rules.PRODUCER_RULES,
    *rules.CONSUMER_RULES,
)


def test_each_setting_of_the_rules_has_a_row() -> None:
    assert {rule.setting for rule in RULES} <= {row[2] for row in ROWS}
    assert len({(row[1], row[2]) for row in ROWS}) >= 15


def test_development_is_let_off_exactly_what_needs_more_than_one_machine() -> None:
    assert {rule.setting for rule in RULES if rule.where == "production"} == RELAXED


def test_sentences_are_not_shared_between_settings() -> None:
    assert len({rule.says for rule in RULES}) == len(RULES)


def test_a_development_cluster_of_three_is_held_to_three_copies(tmp_path: Any) -> None:
    settings = settings_of("development", tmp_path)
    three = msgspec.structs.replace(safe(settings), broker_count=3)
    assert {one.setting for one in found("development", three, settings)} == {
        "offsets.topic.replication.factor",
        "the number of replicas",
        "min.insync.replicas",
    }
