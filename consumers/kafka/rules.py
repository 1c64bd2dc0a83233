"""The rules for safe Kafka settings: the setting, its safe values, the danger of others, and the value to set."""

from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

CODECS: Final = ("gzip", "snappy", "lz4", "zstd")  # all that a broker accepts


class Footing(msgspec.Struct, frozen=True):
    """The number of copies of a record, and how many must hold it before it counts as written."""

    replicas: int
    in_sync: int


class Rule(msgspec.Struct, frozen=True):
    """One setting, its safe values, the danger of others, and the value to set."""

    of: Literal["broker", "topic", "client"]
    setting: str
    safe: Callable[[Any, Footing], bool]
    says: str
    value: Callable[[Footing], str]
    where: Literal["always", "production"] = "always"


def _is(*values: Any) -> Callable[[Any, Footing], bool]:
    return lambda found, _on: found in values


def _always(value: str) -> Callable[[Footing], str]:
    return lambda _on: value


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def at_least(value: Any, least: int) -> bool:
    """Whether a setting, given as text, is a number of at least this size."""
    return _number(value) >= least


def _outside_tmp(found: Any, _on: Footing) -> bool:
    places = [place.strip() for place in str(found or "").split(",")]
    return all(place and place != "/tmp" and not place.startswith("/tmp/") for place in places)  # noqa: S108


def _known(found: Any, _on: Footing) -> bool:
    """Whether every batch of a topic is compressed with one of Kafka's codecs; `producer` leaves it to the writer."""
    return str(found) in ("producer", "uncompressed", *CODECS)


def _decodes(found: Any, _on: Footing) -> bool:
    """Whether a reader can decompress every codec that a broker accepts: a writing client may choose any."""
    return set(CODECS) <= set(str(found or "").split(","))


def _in_sync(found: Any, on: Footing) -> bool:
    return on.in_sync <= _number(found) <= max(1, on.replicas - 1)


# fmt: off
BROKER_RULES: Final = (
    Rule("broker", "auto.create.topics.enable", _is("false"), "a misspelled name would create a topic with unsafe settings, and facts would go there", _always("false")),
    Rule("broker", "offsets.topic.replication.factor", lambda found, on: at_least(found, on.replicas), "the loss of one broker could stop readers from sharing partitions", lambda on: str(on.replicas)),
    Rule("broker", "log.dirs", _outside_tmp, "the record would be in a folder that a restart empties", _always("/var/lib/kafka"), "production"),
    Rule("broker", "authorizer.class.name", lambda found, _on: bool(found), "without access lists, every user may write anything", _always("org.apache.kafka.metadata.authorizer.StandardAuthorizer"), "production"),
)

TOPIC_RULES: Final = (
    Rule("topic", "min.insync.replicas", _in_sync, "a record must be on two replicas before it counts as written, and one broker less must not stop the floor", lambda on: str(on.in_sync)),
    Rule("topic", "unclean.leader.election.enable", _is("false"), "a replica that lags could become leader and drop acknowledged facts", _always("false")),
    Rule("topic", "cleanup.policy", _is("delete"), "compaction keeps the last record of a table and drops the others", _always("delete")),
    Rule("topic", "retention.ms", _is("-1"), "facts would be deleted by age", _always("-1")),
    Rule("topic", "retention.bytes", _is("-1"), "facts would be deleted by size", _always("-1")),
    Rule("topic", "compression.type", _known, "no reader here could decompress its records", _always("producer")),
    Rule("topic", "message.timestamp.type", _is("LogAppendTime"), "the broker would refuse a fact whose clock is ahead", _always("LogAppendTime")),
)

CLIENT_RULES: Final = (
    Rule("client", "security_protocol", _is("SASL_SSL"), "the record would cross the network unencrypted, from unproved senders", _always("SASL_SSL"), "production"),
    Rule("client", "sasl_mechanism", _is("SCRAM-SHA-512"), "clients would prove their identity weakly or not at all", _always("SCRAM-SHA-512"), "production"),
    Rule("client", "ssl_check_hostname", _is(True), "any certificate of the authority would pass for the broker", _always("True"), "production"),
    Rule("client", "allow_auto_create_topics", _is(False), "a misspelled topic would be created", _always("False")),
)

PRODUCER_RULES: Final = (
    Rule("client", "acks", _is("all", -1), "a record would count as sent before it is safe", _always("all")),
    Rule("client", "enable_idempotence", _is(True), "a retry could double or reorder records", _always("True")),
    Rule("client", "max_in_flight_requests_per_connection", lambda found, _on: 1 <= _number(found) <= 5, "a retry could reorder records", _always("5")),
    Rule("client", "retries", lambda found, _on: at_least(found, 1), "the first lost broker would fail the send", _always("inf")),
    Rule("client", "transactional_id", lambda found, _on: not found, "transactions can lose writes, and the record does not need them", _always("None")),
)

CONSUMER_RULES: Final = (
    Rule("client", "enable_auto_commit", _is(False), "a position stored apart from its rows loses or doubles rows after a crash", _always("False")),
    Rule("client", "auto_offset_reset", _is("earliest", "none"), "a reader without a position would skip existing records", _always("earliest")),
    Rule("client", "decoders", _decodes, "a reader could not read the facts in a batch with another compression", _always(",".join(CODECS))),
    Rule("client", "isolation_level", _is("read_uncommitted"), "one transaction left open would hide every later fact", _always("read_uncommitted")),
)
# fmt: on
