"""The dead letters' topic: what the local file holds for it is sent by a thread of its own, and anybody may read it.

Nobody on the floor waits for the topic. What is not acknowledged stays in the file and is sent again, at least once.
Where the file itself fails, that is said and tried again: nothing ends the thread but its close.
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

KIND: Final[topics.Kind] = "dead-letters"
_BATCH: Final = 1000
_AGAIN_SECONDS: Final = 15.0
_FLUSH_SECONDS: Final = 30.0
CLOSE_SECONDS: Final = 15.0


class Publisher:
    """Sends what is to be published, in its order, as soon as there is something and the brokers take it."""

    def __init__(self, file: Path, settings: KafkaSettings, say: Callable[[str], None] = lambda _: None) -> None:
        DeadLetters(file).close()  # made before two open it at once: only one may turn a new file to its journal
        self._file = file
        self._settings = settings
        self._say = say
        self._topic = topics.name_of(settings, KIND)
        self._woken = threading.Event()
        self._woken.set()  # what an earlier run has left
        self._closing = threading.Event()
        self.why_not = ""
        self._thread = threading.Thread(target=self._run, name="dead-letters", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """There is something to send."""
        self._woken.set()

    def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Sends what is left, for so long at most; what is not acknowledged by then stays in the file."""
        self._closing.set()
        self._woken.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        producer: Any = None
        letters: DeadLetters | None = None
        bad = False  # whether the file failed the last time, which was said
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
                        self._say(f"no dead letters go into their topic now: {self.why_not}. This is tried again.")
                    _let_go(letters)  # a new connection has no transaction half done
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
    """The letters of a topic, each once, oldest first, with what became of it; `number` is where it stands.

    The topic is read twice, so that no more is held than a line a letter: what became of a letter stands behind it.
    A record that is no letter is somebody's bytes in the wrong place, and so a letter itself.
    """
    (partition,) = log.partitions
    taken: dict[str, int] = {}
    latest: dict[str, tuple[str, str]] = {}
    first: dict[str, int] = {}
    again: dict[str, int] = {}  # when the same line was refused once more
    for _, record, _ in _records(log, partition):
        if isinstance(record, DeadLetterRetried) and record.taken:
            if record.at > again.get(record.letter, -1):
                taken.setdefault(record.letter, record.at)
        elif isinstance(record, DeadLetterRetried):
            latest[record.letter] = (record.reason, record.says)
        elif record is not None and record.letter in first:
            latest[record.letter] = (record.reason, record.says)
            if record.at != first[record.letter]:  # otherwise the same was sent twice
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
                # The name is what its parts make it, whatever the record says.
                good = record.letter == name_of(record.came_from, record.place, record.digest)
                record = record if good else None
            yield position, record, stored


def _kept(position: int, record: DeadLetter, taken: dict[str, int], latest: dict[str, tuple[str, str]]) -> Kept:
    letter = letter_of(record)
    reason, says = latest.get(record.letter, (letter.reason, letter.says))
    now = Letter(letter.came_from, letter.place, reason, says, letter.stored, letter.at)
    return Kept(position, record.letter, now, taken.get(record.letter), record.size)


def _stranger(log: Log, partition: int, position: int, stored: bytes) -> Kept:
    letter = Letter(f"{log.name}/{partition}", position - 1, "no dead letter", "another wrote this here", stored, 0)
    return Kept(position, name_of(letter.came_from, letter.place, digest(stored)), letter, None, len(stored))
