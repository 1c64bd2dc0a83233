"""The current state of things from the desk's log, updated as it grows: each record is read once for all readers."""

from collections.abc import Callable
from threading import Lock
from typing import Final, Generic, TypeVar

from consumers.desk.application import Desk
from domain.desk.records import decode
from domain.facts.envelope import Fact

_BATCH: Final = 1_000
State = TypeVar("State")
# A thing's state, its name and a record -> its new state, or None if the record does not follow. It never changes a
# state in place: a reader may still hold the earlier one.
Take = Callable[[State | None, str, Fact], State | None]


class KeptUp(Generic[State]):
    """The things whose streams have one prefix, for any number of readers in one process."""

    def __init__(self, desk: Desk, prefix: str, take: Take[State]) -> None:
        self._desk = desk
        self._prefix = prefix
        self._take = take
        self._lock = Lock()
        self._read_to = 0
        self._held: dict[str, State] = {}
        self._changes = 0

    def now(self) -> dict[str, State]:
        """Every thing's current state by name; read only."""
        return self.now_and_changes()[0]

    def now_and_changes(self) -> tuple[dict[str, State], int]:
        """The same, with the number of records behind it: a result computed from fewer may be out of date."""
        with self._lock:
            while True:
                rows = self._desk.recorder.select_notifications(self._read_to, _BATCH, inclusive_of_start=False)
                for row in rows:
                    self._read_to = row.id
                    stream = str(row.originator_id)
                    if stream.startswith(self._prefix):
                        name = stream.removeprefix(self._prefix)
                        made = self._take(self._held.get(name), name, decode(bytes(row.state)))
                        if made is not None:
                            self._held[name] = made
                            self._changes += 1
                if len(rows) < _BATCH:
                    return dict(self._held), self._changes
