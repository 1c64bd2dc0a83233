"""Attempts by a user of Kafka, each by a real request: done, or refused by the broker for lack of the right.

Any other answer is an error, so that a broker that is merely away or a topic that is not there passes for no refusal.
"""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import kafka.errors
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import (
    ACL,
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    AlterConfigOp,
    ConfigResource,
    ConfigResourceType,
    NewPartitions,
    ResourcePattern,
    ResourcePatternFilter,
    ResourceType,
    UserScramCredentialUpsertion,
)
from kafka.errors import AuthorizationError
from kafka.protocol.admin import DeleteRecordsRequest
from kafka.protocol.consumer import FetchRequest
from kafka.protocol.producer import ProduceRequest
from kafka.record import MemoryRecordsBuilder
from kafka.structs import OffsetAndMetadata

from consumers.kafka import client
from consumers.kafka.settings import KafkaSettings

WAIT_MS = 20_000
_FORMAT = 2
_DONE = "done"
_IN_WORDS = re.compile("not authorized|authorization failed|needs ALTER permission", re.IGNORECASE)
_REFUSED = tuple(
    getattr(kafka.errors, name).__name__ for name in dir(kafka.errors) if name.endswith("AuthorizationFailedError")
)


class Attempts:
    """One user's clients, and everything it may try with them."""

    def __init__(self, settings: KafkaSettings) -> None:
        self.settings = settings
        self.prefix = settings.topic_prefix
        self._open = ExitStack()
        self.admin: KafkaAdminClient = self._open.enter_context(closing(client.admin(settings)))

    def close(self) -> None:
        self._open.close()

    def tries(self, what: str) -> bool:
        """Whether this was done; False where a broker refused it for lack of the right."""
        verb, _, on = what.partition(" ")
        attempt: Callable[[str], Any] = getattr(self, f"try_{verb.replace('-', '_')}")
        try:
            answer = attempt(on)
        except AuthorizationError:
            return False
        refused = [name for name in _REFUSED if name in str(answer)] or _IN_WORDS.search(str(answer))
        return not refused

    def try_write(self, topic: str) -> Any:
        records = MemoryRecordsBuilder(_FORMAT, 0, 1024)
        records.append(0, b"T1", b"{}", [])
        records.close()
        told = ProduceRequest.TopicProduceData
        data = told(
            name=self.prefix + topic, partition_data=[told.PartitionProduceData(index=0, records=records.buffer())]
        )
        request = ProduceRequest(
            transactional_id=None, acks=-1, timeout_ms=WAIT_MS, topic_data=[data], min_version=3, max_version=9
        )
        return self._leader_says(request, lambda answer: answer.responses[0].partition_responses[0].error_code)

    def try_read(self, topic: str) -> Any:
        told = FetchRequest.FetchTopic
        part = told.FetchPartition(partition=0, current_leader_epoch=-1, fetch_offset=0, log_start_offset=-1,
                                   partition_max_bytes=1024, last_fetched_epoch=-1)  # fmt: skip
        request = FetchRequest(replica_id=-1, max_wait_ms=100, min_bytes=1, max_bytes=1024, isolation_level=0,
                               session_id=0, session_epoch=-1, topics=[told(topic=self.prefix + topic, partitions=[part])],
                               forgotten_topics_data=[], rack_id="", min_version=4, max_version=10)  # fmt: skip
        found = []

        def code(answer: Any) -> int:
            [partition] = answer.responses[0].partitions
            found.append(partition.records)
            return int(partition.error_code)

        said = self._leader_says(request, code)
        assert said is not _DONE or found[-1], f"{topic} is empty: nothing shows that it may be read"
        return said

    def _leader_says(self, request: Any, code: Callable[[Any], int]) -> Any:
        """Ask each broker, as a stranger to the cluster would, and return the leader's answer."""
        manager = self.admin._manager
        for node in (1, 2, 3):
            error = kafka.errors.for_code(code(manager.run(manager.send, request, node)))
            if error is kafka.errors.NoError:
                return _DONE
            if error not in (kafka.errors.NotLeaderForPartitionError, kafka.errors.UnknownTopicOrPartitionError):
                raise error
        raise AssertionError("no broker leads this partition")

    def try_join(self, group: str) -> Any:
        with closing(self._member(group)) as member:
            member.subscribe([f"{self.prefix}facts"])
            for _ in range(40):
                member.poll(timeout_ms=500)
                if member.assignment():
                    return "joined"
        raise AssertionError(f"group {group} gave no partition and no reason")

    def _member(self, group: str) -> KafkaConsumer:
        config = {**client.member_settings(self.settings, group), "session_timeout_ms": 6000}
        return KafkaConsumer(**config)

    def try_commit(self, group: str) -> Any:
        return self.admin.alter_group_offsets(
            self.prefix + group, {TopicPartition(f"{self.prefix}facts", 0): OffsetAndMetadata(0, "", -1)}
        )

    def try_drop_group(self, group: str) -> Any:
        return self.admin.delete_groups([self.prefix + group])

    def try_transact(self, name: str) -> Any:
        config = {**client.producer_settings(self.settings), "transactional_id": self.prefix + name}
        with closing(KafkaProducer(**config)) as sender:
            sender.init_transactions()

    def try_create(self, topic: str) -> Any:
        made = {"num_partitions": 1, "replication_factor": 3}
        return self.admin.create_topics({topic: made}, validate_only=True)

    def try_delete(self, topic: str) -> Any:
        return self.admin.delete_topics([self.prefix + topic])

    def try_truncate(self, topic: str) -> Any:
        told = DeleteRecordsRequest.DeleteRecordsTopic
        part = told.DeleteRecordsPartition(partition_index=0, offset=1)
        request = DeleteRecordsRequest(
            topics=[told(name=self.prefix + topic, partitions=[part])], timeout_ms=WAIT_MS, min_version=0, max_version=1
        )
        return self._leader_says(request, lambda answer: answer.topics[0].partitions[0].error_code)

    def try_widen(self, topic: str) -> Any:
        return self.admin.create_partitions({self.prefix + topic: NewPartitions(7)}, validate_only=True)

    def try_alter_topic(self, topic: str) -> Any:
        return self._alter(ConfigResourceType.TOPIC, self.prefix + topic, "retention.ms", "1")

    def try_alter_broker(self, broker: str) -> Any:
        return self._alter(ConfigResourceType.BROKER, broker, "log.cleaner.threads", "2")

    def _alter(self, kind: ConfigResourceType, name: str, key: str, value: str) -> Any:
        return self.admin.alter_configs(
            [ConfigResource(kind, name, {key: (AlterConfigOp.SET, value)})], raise_on_unknown=False
        )

    def try_settings_of(self, broker: str) -> Any:
        found = self.admin.describe_configs([ConfigResource(ConfigResourceType.BROKER, broker)], config_filter="all")
        # A broker that refuses it answers with no settings at all.
        return "told" if found["broker"][broker] else "ClusterAuthorizationFailedError"

    def try_read_access_lists(self, _: str) -> Any:
        everything = ResourcePatternFilter(ResourceType.ANY, None, ACLResourcePatternType.ANY)
        entries, error = self.admin.describe_acls(
            ACLFilter(None, None, ACLOperation.ANY, ACLPermissionType.ANY, everything)
        )
        return [error.__name__, len(entries)]

    def try_add_access_list(self, user: str) -> Any:
        facts = ResourcePattern(ResourceType.TOPIC, f"{self.prefix}facts")
        made = ACL(f"User:{user}", "*", ACLOperation.WRITE, ACLPermissionType.ALLOW, facts)
        return self.admin.create_acls([made])

    def try_drop_access_list(self, user: str) -> Any:
        facts = ResourcePatternFilter(ResourceType.TOPIC, f"{self.prefix}facts", ACLResourcePatternType.LITERAL)
        return self.admin.delete_acls([ACLFilter(f"User:{user}", None, ACLOperation.ANY, ACLPermissionType.ANY, facts)])

    def try_read_users(self, _: str) -> Any:
        return self.admin.describe_user_scram_credentials(["gateway"])  # asked for all, a broker gives no refusal

    def try_change_password(self, user: str) -> Any:
        return self.admin.alter_user_scram_credentials(
            [UserScramCredentialUpsertion(user, "SCRAM-SHA-512", "a password of mine")]
        )

    def try_reassign(self, topic: str) -> Any:
        return self.admin.alter_partition_reassignments({TopicPartition(self.prefix + topic, 0): [1]})

    def try_elect(self, topic: str) -> Any:
        return self.admin.elect_leaders(0, [TopicPartition(self.prefix + topic, 0)])

    def try_read_log_folders(self, _: str) -> Any:
        found = self.admin.describe_log_dirs()
        # A broker that refuses it answers with no folder.
        return "told" if all(broker["log_dirs"] for broker in found) else "ClusterAuthorizationFailedError"


@contextmanager
def quiet() -> Iterator[None]:
    """kafka-python warns of each refusal, and here there are hundreds."""
    logging.disable(logging.ERROR)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
