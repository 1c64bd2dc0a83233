"""One partition of the log in Kafka with the event-sourcing library's interfaces.

`PERSISTENCE_MODULE=consumers.logs.kafka_recorder`; `CATWALK_KAFKA` names the settings, and `KAFKA_PARTITION` the
partition if there are several. Other modules of the library store tracking and snapshots.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn
from uuid import UUID

import eventsourcing.persistence as library
from eventsourcing.persistence import (
    ApplicationRecorder,
    Notification,
    NotSupportedError,
    ProgrammingError,
    StoredEvent,
    Subscription,
)

from consumers.logs.kafka import KafkaLog, fact_of
from consumers.logs.log import of_events
from consumers.logs.mapper import FactMapper
from consumers.logs.opening_kafka import kafka_log
from consumers.logs.polling import PollingSubscription

_BATCH = 1_000
_POLL_SECONDS = 0.05


class KafkaRecorder(ApplicationRecorder):
    """A notification log: the facts of one partition, with their positions as notification ids."""

    def __init__(self, log: KafkaLog, partition: int) -> None:
        self._log = log
        self._partition = partition

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        """Append a batch whose streams all belong to this partition."""
        facts = of_events(stored_events)
        strangers = {fact.stream for fact in facts if self._log.home(fact.stream) != self._partition}
        if strangers:
            raise ProgrammingError(f"streams outside partition {self._partition}: {', '.join(sorted(strangers))}")
        return self._log.append(facts)

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The facts of one stream."""
        found = [
            StoredEvent(fact.stream, fact.sequence, fact.type, fact.stored)
            for fact, _ in self._log.stream_facts(str(originator_id))
            if (gt is None or fact.sequence > gt) and (lte is None or fact.sequence <= lte)
        ]
        return (found[::-1] if desc else found)[:limit]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Facts by position; a record without a place is not a notification."""
        after = max(0, (start or 0) - inclusive_of_start)
        found: list[Notification] = []
        while len(found) < limit:
            records = self._log.records(self._partition, after, max(_BATCH if topics else 1, limit - len(found)))
            if not records:
                break
            after = records[-1].offset + 1
            for record in records:
                fact = fact_of(record)
                if fact is not None and (not topics or fact.type in topics):
                    found.append(Notification(fact.stream, fact.sequence, fact.type, fact.stored, record.offset + 1))
            if stop is not None and after >= stop:
                break
        return [one for one in found if stop is None or one.id <= stop][:limit]

    def max_notification_id(self) -> int | None:
        """The last position, or None."""
        return self._log.last_position(self._partition) or None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        """A subscription to the notifications after a position."""
        return PollingSubscription(self, gt, topics, _POLL_SECONDS)


class KafkaFactory(library.InfrastructureFactory[library.TrackingRecorder]):
    """The library's factory for `PERSISTENCE_MODULE`."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        settings = self.env.get("CATWALK_KAFKA")
        if not settings:
            raise OSError("CATWALK_KAFKA does not name the settings of a Kafka cluster")
        self.log = kafka_log(Path(settings))

    def application_recorder(self) -> KafkaRecorder:
        """The recorder of the named partition, or of the only one."""
        named = self.env.get("KAFKA_PARTITION")
        if named is None and len(self.log.partitions) > 1:
            raise OSError(f"KAFKA_PARTITION must name one of {len(self.log.partitions)} partitions")
        recorder: KafkaRecorder = self.log.recorder(int(named or 0))
        return recorder

    def mapper(
        self, transcoder: library.Transcoder | None = None, mapper_class: type[library.Mapper[Any]] | None = None
    ) -> library.Mapper[Any]:
        """The mapper of facts, unless another is named."""
        named = mapper_class or (None if self.env.get(self.MAPPER_TOPIC) else FactMapper)
        return super().mapper(transcoder, named)

    def aggregate_recorder(self, purpose: str = "events") -> NoReturn:
        """Raise an error: snapshots are not a log."""
        raise NotSupportedError(f"Kafka cannot store {purpose} that are replaced: use another persistence module")

    def tracking_recorder(self, tracking_recorder_class: Any = None) -> NoReturn:
        """Raise an error: a position is stored with the data made from the facts."""
        raise NotSupportedError("positions are stored with the read model, not in Kafka")

    def process_recorder(self) -> NoReturn:
        """Raise an error: Kafka cannot reliably store events and a position in one transaction."""
        raise NotSupportedError("Kafka cannot store events and positions together: use another persistence module")

    def close(self) -> None:
        """Close the log."""
        self.log.close()
