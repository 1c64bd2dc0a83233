"""A subscription of the library for a recorder without notifications: it polls."""

from collections import deque
from collections.abc import Sequence
from threading import Event

from eventsourcing.persistence import ApplicationRecorder, Notification, Subscription

_LIMIT = 500


class PollingSubscription(Subscription[ApplicationRecorder]):
    """Notifications after a position, without end until it is stopped."""

    def __init__(
        self, recorder: ApplicationRecorder, gt: int | None, topics: Sequence[str], poll_seconds: float
    ) -> None:
        super().__init__(recorder, gt, topics)
        self._poll_seconds = poll_seconds
        self._waiting: deque[Notification] = deque()
        self._stopped = Event()

    def stop(self) -> None:
        """End the iteration, in whichever thread it waits."""
        super().stop()
        self._stopped.set()

    def __next__(self) -> Notification:
        while not self._stopped.is_set():
            if self._waiting:
                return self._waiting.popleft()
            found = self._recorder.select_notifications(
                self._last_notification_id or 0, _LIMIT, topics=self._topics, inclusive_of_start=False
            )
            if found:
                self._last_notification_id = found[-1].id
                self._waiting.extend(found)
            else:
                self._stopped.wait(self._poll_seconds)
        raise StopIteration
