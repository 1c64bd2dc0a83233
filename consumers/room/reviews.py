"""Every review at hand, kept up with the desk's own log: the queue asks for hundreds at once, many times a minute."""

from threading import Lock

from msgspec.structs import replace

from consumers.desk.application import Desk
from domain.desk import review
from domain.desk.records import decode
from domain.desk.review import Review

_BATCH = 1_000
_PREFIX = "review/"


class Reviews:
    """The reviews as they stand, for any number of readers in one process."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = Lock()
        self._read_to = 0
        self._held: dict[str, Review] = {}

    def now(self) -> dict[str, Review]:
        """Every review somebody began, by finding. Read it and change nothing."""
        with self._lock:
            while True:
                rows = self._desk.recorder.select_notifications(self._read_to, _BATCH, inclusive_of_start=False)
                for row in rows:
                    self._read_to = row.id
                    stream = str(row.originator_id)
                    if stream.startswith(_PREFIX):
                        self._take(stream.removeprefix(_PREFIX), bytes(row.state))
                if len(rows) < _BATCH:
                    return dict(self._held)

    def _take(self, finding: str, stored: bytes) -> None:
        held = self._held.get(finding) or review.initial(finding)
        record = decode(stored)
        if record.sequence == held.version + 1:
            # Who was given the one before may still be reading it.
            self._held[finding] = review.evolve(replace(held, keys=set(held.keys)), record)
