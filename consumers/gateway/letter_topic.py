"""The dead letters' topic: a thread publishes the local file's records to it, and readers read it.

No device waits for the topic. Records without an acknowledgement stay in the file and are sent again, so each arrives
at least once. If the file itself fails, the thread reports it and tries again; only `close` ends the thread.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from eventsourcing.persistence import PersistenceError
from kafka.errors import KafkaError

from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.letter_records import (
    DeadLetter,
    DeadLetterRetried,
    Kept,
    Letter,
    decode,
    digest,
    letter_of,
    name_of,
)
from consumers.kafka import client, topics
from consumers.kafka.client import KafkaUnreachableError
from consumers.kafka.settings import KafkaSettings
from consumers.logs.log import Log
from domain.facts.refused import Refused

KIND: Final[topics.Kind] = "dead-letters"
_BATCH: Final = 1000
_AGAIN_SECONDS: Final = 15.0
_FLUSH_SECONDS: Final = 30.0
CLOSE_SECONDS: Final = 15.0
_Why = tuple[str, str, Refused | None]  # the newest reason, its sentence and its parts


class Publisher:
    """A thread that publishes waiting records in order, as soon as there are any and the brokers accept them."""

    def __init__(self, file: Path, settings: KafkaSettings, say: Callable[[str], None] = lambda _: None) -> None:
        DeadLetters(file).close()  # creates the file first: only one of two threads could set its journal mode
        self._file = file
        self._settings = settings
        self._say = say
        self._topic = topics.name_of(settings, KIND)
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


def letters_in(log: Log, *, open_only: bool = False) -> Iterator[Kept]:
    """The letters of a topic, each once, oldest first, with the results of their retries; `number` is the position.

    The topic is read twice, because the result of a retry comes after its letter; so memory holds only one line per
    letter. A record that is not a letter was written by a foreign program and becomes a letter itself.
    """
    (partition,) = log.partitions
    taken: dict[str, int] = {}
    latest: dict[str, _Why] = {}
    first: dict[str, int] = {}
    again: dict[str, int] = {}  # when the same line was refused again
    for _, record, _ in _records(log, partition):
        if isinstance(record, DeadLetterRetried) and record.taken:
            if record.at > again.get(record.letter, -1):
                taken.setdefault(record.letter, record.at)
        elif isinstance(record, DeadLetterRetried):
            latest[record.letter] = (record.reason, record.says, record.refused)
        elif record is not None and record.letter in first:
            latest[record.letter] = (record.reason, record.says, record.refused)
            if record.at != first[record.letter]:  # otherwise the record was sent twice
                again[record.letter] = max(record.at, again.get(record.letter, record.at))
                if taken.get(record.letter, record.at) < record.at:
                    del taken[record.letter]
        elif record is not None:
            first[record.letter] = record.at
    seen: set[str] = set()
    for position, record, stored in _records(log, partition):
        if isinstance(record, DeadLetterRetried) or (record is not None and record.letter in seen):
            continue
        kept = _stranger(log, partition, position, stored) if record is None else _kept(position, record, taken, latest)
        seen.add(kept.name)
        if kept.retried_at is None or not open_only:
            yield kept


def _records(log: Log, partition: int) -> Iterator[tuple[int, DeadLetter | DeadLetterRetried | None, bytes]]:
    for batch in log.drain({}):
        for position, stored in batch.facts:
            record = decode(stored)
            if isinstance(record, DeadLetter):
                # The name is computed, because the record may claim any.
                good = record.letter == name_of(record.came_from, record.place, record.digest)
                record = record if good else None
            yield position, record, stored


def _kept(position: int, record: DeadLetter, taken: dict[str, int], latest: dict[str, _Why]) -> Kept:
    letter = letter_of(record)
    reason, says, refused = latest.get(record.letter, (letter.reason, letter.says, letter.refused))
    now = Letter(letter.came_from, letter.place, reason, says, letter.stored, letter.at, refused)
    return Kept(position, record.letter, now, taken.get(record.letter), record.size)


def _stranger(log: Log, partition: int, position: int, stored: bytes) -> Kept:
    letter = Letter(f"{log.name}/{partition}", position - 1, "no dead letter", "another wrote this here", stored, 0)
    return Kept(position, name_of(letter.came_from, letter.place, digest(stored)), letter, None, len(stored))
