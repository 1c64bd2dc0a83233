"""A source's topic of inputs as a client of the gateway's loop: its records are its lines, and nobody is answered.

Another thread reads the records from Kafka (`consumers/network/reading_topics.py`). The loop takes them in the same
turns as the lines of all clients. The outbox stores how far it took each topic, in one transaction with the facts. A
line whose dead letter has no room stays in the topic, with all behind it, and the loop tries it again later.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from time import monotonic
from typing import Protocol

import msgspec

from consumers.gateway.bells import Bell
from consumers.gateway.clients import OwnTopic
from consumers.gateway.gateway import InputLine
from domain.facts.refused import Refused

MOST_BYTES = 2 << 20  # of one topic's records that wait here; the others wait in Kafka
MOST_RECORDS = 4_000
_RECORD_BYTES = 200  # of memory for each, beside its line
FULL_SECONDS = 60.0  # until a line is tried again whose dead letter had no room


class TopicRecord(msgspec.Struct, frozen=True):
    """A record of a topic of inputs."""

    offset: int
    next: int  # the offset after it
    line: bytes
    wrong: Refused | None = None  # why it is no line that can be read


class TopicInput:
    """The records of one topic on their way into the loop. The reading thread adds them, and the loop takes them."""

    def __init__(self, topic: OwnTopic, begins: int) -> None:
        self.topic = topic
        self.client = topic.client
        self.read_to = begins  # the offset that the reading thread reads next
        self.served = -1
        self.spoke_at = 0.0
        self._waiting: deque[TopicRecord] = deque()
        self._turn: list[TopicRecord] = []  # given in this turn
        self._came = self._went = 0  # bytes; each is counted by one thread
        self._rests_until = 0.0

    def add(self, records: Iterable[TopicRecord]) -> None:
        """Add the next records."""
        for record in records:
            self._came += len(record.line) + _RECORD_BYTES
            self._waiting.append(record)
            self.read_to = record.next

    @property
    def held(self) -> int:
        """The approximate number of bytes held."""
        return self._came - self._went

    @property
    def is_full(self) -> bool:
        """Whether the next records have to wait in Kafka."""
        return self.held >= MOST_BYTES or len(self._waiting) >= MOST_RECORDS

    @property
    def waiting(self) -> int:
        """The length of the next line to take, or 0."""
        if not self._waiting or (self._rests_until and monotonic() < self._rests_until):
            return 0
        return len(self._waiting[0].line) + 1

    def give(self) -> InputLine | None:
        """Return the next line to take."""
        if not self.waiting:
            return None
        record = self._waiting.popleft()
        self._went += len(record.line) + _RECORD_BYTES
        self._turn.append(record)
        name, client = self.client.name, self.client
        return InputLine(name, record.offset, record.line, client, next=record.next, wrong=record.wrong)

    def acknowledge(self) -> None:
        """Forget the lines given so far; take back those that have to wait."""
        left_at = self.client.left_at
        while left_at is not None and self._turn and self._turn[-1].offset >= left_at:
            record = self._turn.pop()
            self._went -= len(record.line) + _RECORD_BYTES
            self._waiting.appendleft(record)
        self._turn.clear()
        self._rests_until = 0.0 if left_at is None else monotonic() + FULL_SECONDS
        self.client.come_back()


class Topics(Protocol):
    """The topics of inputs, as the loop uses them."""

    bell: Bell

    @property
    def inputs(self) -> Sequence[TopicInput]:
        """The topics that were found so far."""

    def start(self) -> None:
        """Begin to read."""

    def look(self) -> None:
        """Notice sources that were registered since."""

    def stop(self) -> None:
        """Read no more."""

    def close(self) -> None:
        """Wait until the reading has ended, for a few seconds at most."""
