"""One row a setting: who has it, its name, which values are safe, what goes wrong otherwise, what to set it to."""

from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

CODECS: Final = ("gzip", "snappy", "lz4", "zstd")  # every one a broker takes


class Footing(msgspec.Struct, frozen=True):
    """How many copies of a record there are, and how many must hold it before it counts as written."""

    replicas: int
    in_sync: int


class Rule(msgspec.Struct, frozen=True):
    """One setting, the values that are safe, what goes wrong otherwise, and the value to set."""

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
    """Whether a setting, text as brokers tell it, is a number no less than this."""
    return _number(value) >= least


def _outside_tmp(found: Any, _on: Footing) -> bool:
    places = [place.strip() for place in str(found or "").split(",")]
    return all(place and place != "/tmp" and not place.startswith("/tmp/") for place in places)  # noqa: S108


def _known(found: Any, _on: Footing) -> bool:
    """Whether every batch of a topic is compressed with something Kafka has; `producer` leaves it to who writes."""
    return str(found) in ("producer", "uncompressed", *CODECS)


def _decodes(found: Any, _on: Footing) -> bool:
    """Whether a reader can decompress whatever a broker takes: any client with the right to write may choose."""
    return set(CODECS) <= set(str(found or "").split(","))


def _in_sync(found: Any, on: Footing) -> bool:
    return on.in_sync <= _number(found) <= max(1, on.replicas - 1)


# fmt: off
BROKER_RULES: Final = (
    Rule("broker", "auto.create.topics.enable", _is("false"), "a misspelt name would make a topic with unsafe settings, and facts would go there", _always("false")),
    Rule("broker", "offsets.topic.replication.factor", lambda found, on: at_least(found, on.replicas), "the loss of one broker could stop the sharing of partitions among readers", lambda on: str(on.replicas)),
    Rule("broker", "log.dirs", _outside_tmp, "the record would be kept where a restart clears it away", _always("/var/lib/kafka"), "production"),
    Rule("broker", "authorizer.class.name", lambda found, _on: bool(found), "there are no access lists, so anybody may write anything", _always("org.apache.kafka.metadata.authorizer.StandardAuthorizer"), "production"),
)

TOPIC_RULES: Final = (
    Rule("topic", "min.insync.replicas", _in_sync, "a record must be on two replicas before it counts as written, and one broker less must not stop the floor", lambda on: str(on.in_sync)),
    Rule("topic", "unclean.leader.election.enable", _is("false"), "a replica that lags could become leader and drop acknowledged facts", _always("false")),
    Rule("topic", "cleanup.policy", _is("delete"), "compaction keeps the last record of a table and drops the others", _always("delete")),
    Rule("topic", "retention.ms", _is("-1"), "facts would be deleted by age", _always("-1")),
    Rule("topic", "retention.bytes", _is("-1"), "facts would be deleted by size", _always("-1")),
    Rule("topic", "compression.type", _known, "no reader here could decompress what stands in it", _always("producer")),
    Rule("topic", "message.timestamp.type", _is("LogAppendTime"), "the broker would refuse a record whose clock is ahead, and no fact is refused", _always("LogAppendTime")),
)

CLIENT_RULES: Final = (
    Rule("client", "security_protocol", _is("SASL_SSL"), "the record would cross the network readable, from nobody in particular", _always("SASL_SSL"), "production"),
    Rule("client", "sasl_mechanism", _is("SCRAM-SHA-512"), "a weaker or no proof of who we are", _always("SCRAM-SHA-512"), "production"),
    Rule("client", "ssl_check_hostname", _is(True), "any certificate of the authority would pass for the broker", _always("True"), "production"),
    Rule("client", "allow_auto_create_topics", _is(False), "asking for a misspelt topic would make it", _always("False")),
)

PRODUCER_RULES: Final = (
    Rule("client", "acks", _is("all", -1), "a record would count as sent before it is safe", _always("all")),
    Rule("client", "enable_idempotence", _is(True), "a retry could double or reorder records", _always("True")),
    Rule("client", "max_in_flight_requests_per_connection", lambda found, _on: 1 <= _number(found) <= 5, "a retry could reorder records", _always("5")),
    Rule("client", "retries", lambda found, _on: at_least(found, 1), "the first lost broker would fail the send", _always("inf")),
    Rule("client", "transactional_id", lambda found, _on: not found, "transactions can tear or lose writes, and the record does not rest on them", _always("None")),
)

CONSUMER_RULES: Final = (
    Rule("client", "enable_auto_commit", _is(False), "a position kept apart from the rows it belongs to loses or doubles them after a crash", _always("False")),
    Rule("client", "auto_offset_reset", _is("earliest", "none"), "a reader without a position would skip what is there", _always("earliest")),
    Rule("client", "decoders", _decodes, "a batch that another client compressed otherwise could not be read, with every fact in it", _always(",".join(CODECS))),
    Rule("client", "isolation_level", _is("read_uncommitted"), "one transaction left open would hide every later fact", _always("read_uncommitted")),
)
# fmt: on
