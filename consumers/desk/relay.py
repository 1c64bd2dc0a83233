"""The desk's records, published to Kafka: the stored bytes, each once, in the order they were written.

The desk's notification log gives the next records, and the desk's database stores the position. So a killed relay can
start again wherever that database is reachable. The position advances once every replica has the records; records that
a killed relay already sent are found in the topic and not sent again.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from threading import Event
from typing import Final

from eventsourcing.persistence import IntegrityError, Notification, Tracking, TrackingRecorder

from consumers.desk.application import Desk
from consumers.kafka.settings import read_settings
from consumers.kafka.topic_names import Kind
from consumers.logs.log import Log, StoredFact

TOPICS: Final[Mapping[str, Kind]] = {"review": "cases", "case": "cases", "cases": "cases", "access": "access"}
KINDS: Final[tuple[Kind, ...]] = ("cases", "access")
POLL_SECONDS: Final = 0.25
_BATCH: Final = 500


class RelayStoppedError(Exception):
    """A relay that cannot continue; the message says what is in its way and what to do."""


class Relay:
    """The relay of one desk to the topics of one cluster; `name` identifies the cluster for the position."""

    def __init__(self, desk: Desk, logs: Mapping[Kind, Log], name: str) -> None:
        self._desk = desk
        self._logs = logs
        self._name = name
        self._tracking: TrackingRecorder = desk.factory.tracking_recorder()
        self.published = 0

    @property
    def position(self) -> int:
        """The last record of the desk that every replica has."""
        return self._tracking.max_tracking_id(self._name) or 0

    def step(self) -> int:
        """Publish the next records and return their number."""
        after = self.position
        rows = self._desk.recorder.select_notifications(after, _BATCH, inclusive_of_start=False)
        if not rows:
            self._require_same_desk(after)
            return 0
        for kind, records in _by_topic(rows).items():
            try:
                self._logs[kind].append_once(records)
            except IntegrityError as error:
                says = f"{self._logs[kind].name}: {error}: another desk has written there"
                raise RelayStoppedError(f"{says}. catwalk doctor names each place; nothing was overwritten.") from error
        self._move(rows[-1].id)
        self.published += len(rows)
        return len(rows)

    def through(self, stop: Event) -> None:
        """Publish the desk's records so far."""
        while not stop.is_set() and self.step():
            pass

    def follow(self, stop: Event) -> None:
        """Publish new records until `stop` is set."""
        while not stop.is_set():
            if not self.step():
                stop.wait(POLL_SECONDS)

    def _move(self, position: int) -> None:
        try:
            self._tracking.insert_tracking(Tracking(self._name, position))
        except IntegrityError:
            # Another relay is further ahead. Both append only missing records, so neither does harm.
            if self.position < position:
                raise

    def _require_same_desk(self, position: int) -> None:
        last = self._desk.recorder.max_notification_id() or 0
        if last < position:
            raise RelayStoppedError(
                f"the desk ends at its record {last}, but {position} were published: the desk has lost records. "
                "catwalk doctor names them; restore the desk from a backup that has them."
            )


def cluster_name(kafka: Path) -> str:
    """A name for the two topics of this cluster; the position in one cluster says nothing about another."""
    settings = read_settings(kafka)
    index_file = import_module("consumers.logs.opening_kafka").index_file
    return "relay/" + "/".join(index_file(settings, kind).stem for kind in KINDS)


def _by_topic(rows: Sequence[Notification]) -> dict[Kind, list[StoredFact]]:
    """The records of a batch by topic, in the desk's order."""
    found: dict[Kind, list[StoredFact]] = {}
    for row in rows:
        stream = str(row.originator_id)
        kind = TOPICS.get(stream.partition("/")[0])
        if kind is None:
            raise RelayStoppedError(
                f"the desk holds {stream}:{row.originator_version}, but no topic takes such streams."
            )
        found.setdefault(kind, []).append(StoredFact(stream, row.originator_version, row.topic, bytes(row.state)))
    return found
