"""The desk's records published to Kafka: the stored bytes, each once, in the order they were written.

The desk's own notification log says what comes next, and the position stands in the desk's own database, so that a
relay may be killed and started wherever that database can be reached. The position moves when every replica has the
records; what a killed relay had sent already is found in the topic and not sent again.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Final

from eventsourcing.persistence import IntegrityError, Notification, Tracking, TrackingRecorder

from consumers.desk.application import Desk
from consumers.kafka.settings import read_settings
from consumers.kafka.topics import Kind
from consumers.logs.log import Log, StoredFact
from consumers.logs.opening import index_file

TOPICS: Final[Mapping[str, Kind]] = {"review": "cases", "case": "cases", "cases": "cases", "access": "access"}
KINDS: Final[tuple[Kind, ...]] = ("cases", "access")
POLL_SECONDS: Final = 0.25
_BATCH: Final = 500


class RelayStoppedError(Exception):
    """A relay that cannot go on: what stands where it should not, and what to do."""


class Relay:
    """Follows one desk into the topics of one cluster; `name` is that cluster's, for the position."""

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
        """Publishes what comes next and tells how much that was."""
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
                raise RelayStoppedError(f"{says}. catwalk doctor names each place; nothing is written over.") from error
        self._move(rows[-1].id)
        self.published += len(rows)
        return len(rows)

    def through(self, stop: Event) -> None:
        """Publishes what is there."""
        while not stop.is_set() and self.step():
            pass

    def follow(self, stop: Event) -> None:
        """Publishes whatever comes, until `stop` is set."""
        while not stop.is_set():
            if not self.step():
                stop.wait(POLL_SECONDS)

    def _move(self, position: int) -> None:
        try:
            self._tracking.insert_tracking(Tracking(self._name, position))
        except IntegrityError:
            # Another relay is further already. Both append what is not there yet, so neither does harm.
            if self.position < position:
                raise

    def _require_same_desk(self, position: int) -> None:
        last = self._desk.recorder.max_notification_id() or 0
        if last < position:
            raise RelayStoppedError(
                f"the desk ends at its record {last}, and {position} were published: records of the desk are lost. "
                "catwalk doctor names them; restore the desk from a backup that has them."
            )


def cluster_name(kafka: Path) -> str:
    """The two topics of this cluster, which nobody else's are: the position in one says nothing of another."""
    settings = read_settings(kafka)
    return "relay/" + "/".join(index_file(settings, kind).stem for kind in KINDS)


def _by_topic(rows: Sequence[Notification]) -> dict[Kind, list[StoredFact]]:
    """The records of a batch by their topic, in the order of the desk."""
    found: dict[Kind, list[StoredFact]] = {}
    for row in rows:
        stream = str(row.originator_id)
        kind = TOPICS.get(stream.partition("/")[0])
        if kind is None:
            raise RelayStoppedError(
                f"the desk holds {stream}:{row.originator_version}, and no topic is for such streams."
            )
        found.setdefault(kind, []).append(StoredFact(stream, row.originator_version, row.topic, bytes(row.state)))
    return found
