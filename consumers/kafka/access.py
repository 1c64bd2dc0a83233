"""Who may do what: the access lists of the programs that share the log."""

from collections.abc import Mapping
from typing import Final, Literal

import kafka.errors
from kafka import KafkaAdminClient
from kafka.admin import (
    ACL,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePattern,
    ResourceType,
)

from consumers.kafka.settings import KafkaSettings
from consumers.kafka.topics import Kind, name_of

Role = Literal["gateway", "verifier", "relay", "keeper", "reader", "administrator"]

# Writing and reading imply describing. Reading settings back is a right of its own, and every program does it.
_TOPICS: Final[Mapping[Role, Mapping[Kind | Literal["every topic"], tuple[str, ...]]]] = {
    "gateway": {
        "facts": ("WRITE", "DESCRIBE_CONFIGS"),
        "dead-letters": ("WRITE", "DESCRIBE_CONFIGS"),
    },
    "verifier": {
        "facts": ("READ", "DESCRIBE_CONFIGS"),
        "findings": ("READ", "WRITE", "DESCRIBE_CONFIGS"),
        "dead-letters": ("WRITE", "DESCRIBE_CONFIGS"),
    },
    "relay": {
        "cases": ("READ", "WRITE", "DESCRIBE_CONFIGS"),
        "access": ("READ", "WRITE", "DESCRIBE_CONFIGS"),
    },
    "keeper": {
        "every topic": ("READ", "DESCRIBE_CONFIGS"),
        "checkpoints": ("WRITE",),
    },
    "reader": {"every topic": ("READ", "DESCRIBE_CONFIGS")},
    "administrator": {"every topic": ("CREATE", "DESCRIBE", "DESCRIBE_CONFIGS")},
}
# Verifiers share the partitions among them by Kafka's group protocol.
_GROUPS: Final[Mapping[Role, tuple[str, ...]]] = {"verifier": ("READ",)}
_CLUSTER: Final = ("DESCRIBE", "DESCRIBE_CONFIGS")


def access_list(settings: KafkaSettings, role: Role, user: str) -> list[ACL]:
    """What `user` needs for its role, and no more."""
    topics = [
        _allow(user, operation, _topics(settings, kind))
        for kind, operations in _TOPICS[role].items()
        for operation in operations
    ]
    groups = [
        _allow(user, operation, _prefixed(ResourceType.GROUP, settings.topic_prefix))
        for operation in _GROUPS.get(role, ())
    ]
    cluster = ResourcePattern(ResourceType.CLUSTER, "kafka-cluster")
    return [*topics, *groups, *(_allow(user, operation, cluster) for operation in _CLUSTER)]


def grant(admin: KafkaAdminClient, settings: KafkaSettings, role: Role, user: str) -> None:
    """Gives `user` its role's rights in the cluster."""
    failed = admin.create_acls(access_list(settings, role, user))["failed"]
    if failed:
        raise kafka.errors.KafkaError(f"the access list of {user} was not taken: {failed[0].__name__}")


def _topics(settings: KafkaSettings, kind: Kind | Literal["every topic"]) -> ResourcePattern:
    if kind == "every topic":
        return _prefixed(ResourceType.TOPIC, settings.topic_prefix)
    return ResourcePattern(ResourceType.TOPIC, name_of(settings, kind))


def _prefixed(kind: ResourceType, prefix: str) -> ResourcePattern:
    return ResourcePattern(kind, prefix, ACLResourcePatternType.PREFIXED)


def _allow(user: str, operation: str, what: ResourcePattern) -> ACL:
    return ACL(f"User:{user}", "*", ACLOperation[operation], ACLPermissionType.ALLOW, what)
