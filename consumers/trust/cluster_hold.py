"""The hold on the tree of a record in Kafka, across machines, by Kafka's own means.

It has two parts. A consumer group on the topic of checkpoints decides who may keep the tree now: the topic has one
partition, so one member has it, the first to join, until it leaves or the brokers consider it dead. A transactional id
stops a keeper that was considered dead: each keeper starts with the same id, and from that moment the brokers refuse
everything that an earlier one sends. Transactions have no other purpose here: readers also read uncommitted records.
"""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final

import msgspec
from kafka.consumer.subscription_state import ConsumerRebalanceListener
from kafka.errors import KafkaError, RetriableError

from consumers.kafka import client
from consumers.kafka.access import KEEPER
from consumers.kafka.settings import KafkaSettings, read_settings
from consumers.kafka.topic_names import name_of
from consumers.logs.kafka import KafkaLog
from consumers.logs.log import StoredFact
from consumers.logs.opening_kafka import kafka_log
from consumers.trust.holding import HeldError, Holder, LostError

_POLL_MS: Final = 100
_JOIN_SECONDS: Final = 20  # for joining, beyond the time in which brokers notice a dead keeper
_LATER: Final = "Another keeper has taken over this record's tree, and the brokers refuse this one's records"


class _Ours(ConsumerRebalanceListener):  # type: ignore[misc] # kafka-python ships no types
    """A listener that learns whether the partition is ours; None until the group has decided."""

    def __init__(self) -> None:
        self.ours: bool | None = None

    def on_partitions_revoked(self, revoked: Iterable[Any]) -> None:
        """Do nothing: the group announces the next owner later."""

    def on_partitions_lost(self, lost: Iterable[Any]) -> None:
        """Note that the group continued without us."""
        self.ours = False

    def on_partitions_assigned(self, assigned: Iterable[Any]) -> None:
        """Note whether the partition is ours now."""
        self.ours = bool(list(assigned))


class GroupHold:
    """One member of the group, kept alive by a separate thread."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._ours = _Ours()
        self._stop = threading.Event()
        self._trouble: Exception | None = None
        self._name = msgspec.json.encode(Holder.this()).decode()
        topic = name_of(settings, "checkpoints")
        self._consumer = client.member(settings, KEEPER, topic, self._ours, client_id=self._name)
        self._thread = threading.Thread(target=self._poll, name="catwalk-keeper", daemon=True)
        self._thread.start()

    def _poll(self) -> None:
        while not self._stop.is_set():
            try:
                self._consumer.poll(timeout_ms=_POLL_MS)
                self._consumer.pause(*self._consumer.assignment())  # this consumer reads no records
            except RetriableError as error:
                self._trouble = error
                self._stop.wait(_POLL_MS / 1000)
            except Exception as error:
                self._trouble = error  # raised by `wait` or `check`
                return

    def wait(self) -> None:
        """Wait until the partition is ours; raise HeldError if another keeper is alive."""
        end = monotonic() + self._settings.takeover_ms / 1000 + _JOIN_SECONDS
        while not self._ours.ours and monotonic() < end and self._thread.is_alive():
            if self._ours.ours is False and (holder := self._other()) is not None:
                raise HeldError(holder, f"the tree of {name_of(self._settings, 'checkpoints')}")
            self._stop.wait(_POLL_MS / 1000)
        if isinstance(self._trouble, KafkaError) and not self._thread.is_alive():
            raise self._trouble
        if not self._ours.ours:
            says = f"no answer from the group {self._group}"
            raise LostError(f"{says}: {self._trouble or 'the brokers did not name a keeper'}. Try again")

    @property
    def _group(self) -> str:
        return f"{self._settings.topic_prefix}{KEEPER}"

    def _other(self) -> Holder | None:
        """The owner of the partition, by the name it joined with; None while the group decides."""
        with client.admin(self._settings) as admin:
            group = client.patiently(self._settings, lambda: admin.describe_groups([self._group]))[self._group]
        for member in group["members"]:
            assigned = (member.get("member_assignment") or {}).get("assigned_partitions")
            if assigned and member["client_id"] != self._name:  # it may have become ours
                return _holder(member["client_id"], member["client_host"])
        return None

    def check(self) -> None:
        """Raise LostError unless the partition is still ours, as far as the brokers have said."""
        if not self._ours.ours or not self._thread.is_alive():
            why = f" ({self._trouble})" if self._trouble else ""
            raise LostError(f"the brokers no longer accept this keeper as the record's keeper{why}. Start it again")

    def close(self) -> None:
        """Leave the group, so that the next keeper need not wait."""
        self._stop.set()
        self._thread.join()
        with suppress(KafkaError):
            self._consumer.close(autocommit=False)


def _holder(told: str, host: str) -> Holder:
    try:
        return msgspec.json.decode(told, type=Holder)
    except msgspec.DecodeError:
        return Holder(0, host.lstrip("/"), "an unknown time")


class FencedLog(KafkaLog):
    """The topic of checkpoints, written only by the newest keeper: brokers refuse every earlier one."""

    def fence(self) -> None:
        """Shut out every earlier keeper; its open transactions end before this returns."""
        self._producer = client.fenced_producer(self._settings, KEEPER)

    def _send(self, facts: Sequence[StoredFact]) -> list[int]:
        if facts and self._producer is None:
            raise LostError("the brokers did not acknowledge this keeper's records. Start it again: it resumes there")
        return super()._send(facts)

    def _acknowledged(self, facts: Sequence[StoredFact]) -> list[int]:
        try:
            self._producer.begin_transaction()
            offsets = super()._acknowledged(facts)
            self._producer.commit_transaction()
        except Exception as error:
            if client.was_fenced(self._producer, error):
                raise LostError(f"{_LATER}. Nothing was published") from error
            raise
        return offsets


@contextmanager
def cluster_hold(file: Path) -> Iterator[tuple[GroupHold, KafkaLog]]:
    """The hold on the tree of a cluster's record, and the log to which its keeper publishes."""
    settings = read_settings(file)
    with ExitStack() as opened:
        log = kafka_log(file, "checkpoints", made=FencedLog)
        opened.callback(log.close)
        hold = opened.enter_context(closing(GroupHold(settings)))
        hold.wait()
        if isinstance(log, FencedLog):
            log.fence()
        yield hold, log
