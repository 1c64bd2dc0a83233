"""The dead letters' topic: a thread publishes the local file's records to it.

No device waits for the topic. Records without an acknowledgement stay in the file and are sent again, so each arrives
at least once. If the file itself fails, the thread reports it and tries again; only `close` ends the thread.
"""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from eventsourcing.persistence import PersistenceError
from kafka.errors import KafkaError

from consumers.gateway.dead_letters import DeadLetters
from consumers.kafka import client
from consumers.kafka.settings import KafkaSettings, KafkaUnreachableError
from consumers.kafka.topic_names import LETTERS, name_of

_BATCH: Final = 1000
_AGAIN_SECONDS: Final = 15.0
_FLUSH_SECONDS: Final = 30.0
CLOSE_SECONDS: Final = 15.0


class Publisher:
    """A thread that publishes waiting records in order, as soon as there are any and the brokers accept them."""

    def __init__(self, file: Path, settings: KafkaSettings, say: Callable[[str], None] = lambda _: None) -> None:
        DeadLetters(file).close()  # creates the file first: only one of two threads could set its journal mode
        self._file = file
        self._settings = settings
        self._say = say
        self._topic = name_of(settings, LETTERS)
        self._woken = threading.Event()
        self._woken.set()  # an earlier run may have left records
        self._closing = threading.Event()
        self.why_not = ""
        self._thread = threading.Thread(target=self._run, name="dead-letters", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Wake the thread to send new records."""
        self._woken.set()

    def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Send the remaining records for this long at most; the rest stays in the file."""
        self._closing.set()
        self._woken.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        producer: Any = None
        letters: DeadLetters | None = None
        bad = False  # whether the last failure of the file was reported
        try:
            while True:
                self._woken.wait(_AGAIN_SECONDS)
                last = self._closing.is_set()
                self._woken.clear()
                try:
                    letters = letters or DeadLetters(self._file)
                    while waiting := letters.unpublished(_BATCH):
                        producer = producer or client.producer(self._settings)
                        self._send(producer, letters, waiting)
                    self.why_not, bad = "", False
                except (KafkaError, KafkaUnreachableError) as error:
                    self.why_not = str(error) or type(error).__name__
                except (sqlite3.Error, PersistenceError) as error:
                    self.why_not = f"{self._file}: {error}"
                    if not bad:
                        self._say(f"dead letters are not reaching their topic: {self.why_not}. Trying again.")
                    _let_go(letters)  # a new connection starts without an open transaction
                    letters, bad = None, True
                if last:
                    return
        finally:
            _let_go(letters)
            if producer is not None:
                producer.close(timeout=1)

    def _send(self, producer: Any, letters: DeadLetters, waiting: list[tuple[int, bytes]]) -> None:
        sent = [(place, producer.send(self._topic, value=record)) for place, record in waiting]
        producer.flush(_FLUSH_SECONDS)
        letters.published([place for place, one in sent if one.succeeded()])
        unsent = [one for _, one in sent if not one.succeeded()]
        if unsent:
            raise unsent[0].exception or KafkaError("no broker answered in time")


def _let_go(letters: DeadLetters | None) -> None:
    with suppress(sqlite3.Error):
        if letters is not None:
            letters.close()
