"""The access lists of the programs that share the log, and of the sources that write to it."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

import kafka.errors
import msgspec
from kafka import KafkaAdminClient
from kafka.admin import (
    ACL,
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePattern,
    ResourcePatternFilter,
    ResourceType,
)

from consumers.kafka.settings import KafkaSettings
from consumers.kafka.topic_names import Kind, inputs_of, name_of

KEEPER: Final = "keeper"  # after the topics' prefix: the keepers' group and transactional id
Role = Literal["gateway", "verifier", "projector", "relay", "keeper", "reader", "administrator", "source"]
_Place = Kind | Literal["every topic", "inputs of every source", "inputs of its own"]

SOURCE: Final = "source"
# Writing and reading imply describing. Reading settings is a separate right that every program needs.
_TOPICS: Final[Mapping[Role, Mapping[_Place, tuple[str, ...]]]] = {
    "gateway": {
        "facts": ("WRITE", "DESCRIBE_CONFIGS"),
        "dead-letters": ("WRITE", "DESCRIBE_CONFIGS"),
        "inputs of every source": ("READ", "DESCRIBE_CONFIGS"),
    },
    "verifier": {
        "facts": ("READ", "DESCRIBE_CONFIGS"),
        "findings": ("READ", "WRITE", "DESCRIBE_CONFIGS"),
        "dead-letters": ("WRITE", "DESCRIBE_CONFIGS"),
    },
    "projector": {
        "facts": ("READ", "DESCRIBE_CONFIGS"),
        "findings": ("READ", "DESCRIBE_CONFIGS"),
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
    # A source may write lines into its own topic, and read nothing.
    "source": {"inputs of its own": ("WRITE",)},
}
# Verifiers share the partitions by Kafka's group protocol, in this one group. Only one keeper at a time has the tree:
# keepers have a group of their own, and a transactional id of which brokers accept only the newest user.
_GROUPS: Final[Mapping[Role, tuple[str, ...]]] = {"verifier": ("watch",), "keeper": (KEEPER,)}
_TRANSACTIONS: Final[Mapping[Role, tuple[str, ...]]] = {"keeper": (KEEPER,)}
# `DESCRIBE` here would also reveal every user's name and every access list.
_CLUSTER: Final[Mapping[Role, tuple[str, ...]]] = {"administrator": ("DESCRIBE", "DESCRIBE_CONFIGS"), "source": ()}
_EVERY_PROGRAM: Final = ("DESCRIBE_CONFIGS",)
_USER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,99}")


class BadUserError(ValueError):
    """A user or source that must not get rights."""


class Right(msgspec.Struct, frozen=True, order=True):
    """One operation on one resource, or on all resources with this prefix."""

    resource: str  # topic, group, cluster
    name: str
    begins: bool
    operation: str

    @property
    def shown(self) -> str:
        """The right in a few words: `WRITE on topic catwalk.facts`."""
        return f"{self.operation} on {self.resource} {self.name}{'*' if self.begins else ''}"


def rights(settings: KafkaSettings, role: Role, source: str = "") -> list[Right]:
    """The rights that a role needs, and no more; `source` names the source for the role of a source."""
    if (role == SOURCE) != bool(source):
        raise BadUserError("the role source needs a source's name, and no other role takes one: check --source")
    topics = [
        Right("topic", name, begins, operation)
        for place, operations in _TOPICS[role].items()
        for name, begins in [_named(settings, place, source)]
        for operation in operations
    ]
    groups = [Right("group", f"{settings.topic_prefix}{group}", False, "READ") for group in _GROUPS.get(role, ())]
    transactions = [
        Right("transactional_id", f"{settings.topic_prefix}{name}", False, operation)
        for name in _TRANSACTIONS.get(role, ())
        for operation in ("WRITE", "DESCRIBE")
    ]
    cluster = [Right("cluster", "kafka-cluster", False, each) for each in _CLUSTER.get(role, _EVERY_PROGRAM)]
    return [*topics, *groups, *transactions, *cluster]


def access_list(settings: KafkaSettings, role: Role, user: str, source: str = "") -> list[ACL]:
    """The rights of a role as Kafka's access list entries for `user`."""
    return [_entry(right, _principal(user)) for right in rights(settings, role, source)]


def grant(admin: KafkaAdminClient, settings: KafkaSettings, role: Role, user: str, source: str = "") -> None:
    """Give `user` its role's rights in the cluster."""
    failed = admin.create_acls(access_list(settings, role, user, source))["failed"]
    if failed:
        raise failed[0](f"Kafka did not accept the access list of {user}")


def as_commands(settings: KafkaSettings, role: Role, user: str, source: str = "") -> list[str]:
    """The same as commands of Kafka's own tool, one line per resource."""
    principal = _principal(user)
    held: dict[tuple[str, str, bool], list[str]] = {}
    for right in rights(settings, role, source):
        held.setdefault((right.resource, right.name, right.begins), []).append(right.operation)
    lines = []
    for (resource, name, begins), operations in held.items():
        asked = " ".join(f"--operation {_camel(each)}" for each in operations)
        option = f"--{resource.replace('_', '-')}"
        on = option if resource == "cluster" else f"{option} {name}"
        prefixed = " --resource-pattern-type prefixed" if begins else ""
        lines.append(f"kafka-acls.sh --add --allow-principal {principal} {asked} {on}{prefixed}")
    return lines


def differences(
    admin: KafkaAdminClient, settings: KafkaSettings, role: Role, user: str, source: str = ""
) -> tuple[list[str], list[str]]:
    """The rights of its role that `user` lacks in the cluster, and the rights beyond its role, in a few words each.

    Rights of everybody (`User:*`) are beyond every role.
    """
    wanted = {right.shown for right in rights(settings, role, source)}
    mine, everybody = (_in_force(admin, principal) for principal in (_principal(user), "User:*"))
    beyond = [*sorted(mine - wanted), *(f"{shown}, as everybody" for shown in sorted(everybody))]
    return sorted(wanted - mine), beyond


def _in_force(admin: KafkaAdminClient, principal: str) -> set[str]:
    """The rights that the cluster's access lists give this principal."""
    entries, error = admin.describe_acls(
        ACLFilter(
            principal,
            None,
            ACLOperation.ANY,
            ACLPermissionType.ALLOW,
            ResourcePatternFilter(ResourceType.ANY, None, ACLResourcePatternType.ANY),
        )
    )
    if error is not kafka.errors.NoError:
        raise error("the access lists could not be read")
    return {_told(entry) for entry in _only_of(entries, principal)}


def _only_of(entries: Iterable[ACL], principal: str) -> Iterable[ACL]:
    return (entry for entry in entries if entry.principal == principal)


def _told(entry: ACL) -> str:
    what = entry.resource_pattern
    begins = what.pattern_type == ACLResourcePatternType.PREFIXED
    resource = what.resource_type.name.lower()
    shown = Right(resource, what.resource_name, begins, entry.operation.name).shown
    return shown if entry.host == "*" else f"{shown} from {entry.host}"


def _named(settings: KafkaSettings, place: _Place, source: str) -> tuple[str, bool]:
    """The topic's name, and whether it is a prefix of topics."""
    if place == "every topic":
        return settings.topic_prefix, True
    if place == "inputs of every source":
        return f"{settings.topic_prefix}inputs.", True
    if place == "inputs of its own":
        return inputs_of(settings, source), False
    return name_of(settings, place), False


def _principal(user: str) -> str:
    # `User:*` is everybody, and ANONYMOUS is every client without proof.
    if not _USER.fullmatch(user) or user == "ANONYMOUS":
        raise BadUserError(f"{user!r} is not a program's user: write letters and digits, with . _ - @ between them")
    return f"User:{user}"


def _entry(right: Right, principal: str) -> ACL:
    pattern = ACLResourcePatternType.PREFIXED if right.begins else ACLResourcePatternType.LITERAL
    what = ResourcePattern(ResourceType[right.resource.upper()], right.name, pattern)
    return ACL(principal, "*", ACLOperation[right.operation], ACLPermissionType.ALLOW, what)


def _camel(operation: str) -> str:
    return "".join(word.capitalize() for word in operation.split("_"))
