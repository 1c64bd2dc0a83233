"""What a reader of the record does with a record that is no fact: it becomes a dead letter, and the reader goes on.

Somebody else may write into a topic, and bytes may spoil. Every reader, whenever it reads, finds the same record at the
same place, so that all of them together keep one letter.
"""

from collections.abc import Callable, Iterable, Iterator

from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.letter_records import Letter
from consumers.logs.kafka import KafkaLog
from consumers.logs.log import Batch, Log
from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError, stream

UNREADABLE = "unreadable"
Clock = Callable[[], int]


class Aside:
    """Keeps what one reader of a log cannot use."""

    def __init__(self, log: Log, letters: DeadLetters, clock: Clock) -> None:
        self._log = log
        self._letters = letters
        self._clock = clock

    def __call__(self, partition: int, position: int, stored: bytes, says: str, reason: str = UNREADABLE) -> None:
        """Keeps a record that stands at this position, and says why: durable when this returns."""
        self._letters.put([self.letter(partition, position, stored, says, reason)])

    def letter(self, partition: int, position: int, stored: bytes, says: str, reason: str = UNREADABLE) -> Letter:
        """The letter of a record: named by topic, partition and offset, or by an embedded log's position."""
        if isinstance(self._log, KafkaLog):
            came_from, place = f"{self._log.topic}/{partition}", position - 1
        else:
            came_from, place = f"{self._log.name}/{partition}", position
        return Letter(came_from, place, reason, says, stored, self._clock())


def facts_of(batches: Iterable[Batch], aside: Aside) -> Iterator[tuple[int, int, Fact]]:
    """Every fact with its partition and position; what is none is kept aside, and the reading goes on."""
    for batch in batches:
        for position, stored in batch.facts:
            try:
                fact = decode(stored)
                stream(fact.stream)
                if not fact.sequence:
                    raise BadStreamError("it has no sequence: nobody has put it on record")
            except (UnreadableFactError, BadStreamError) as error:
                aside(batch.partition, position, stored, str(error))
                continue
            yield batch.partition, position, fact
