"""Store a record that is not a fact as a dead letter, so that a reader of the record can continue.

Foreign programs may write into a topic, and bytes may decay. Every reader finds the same record at the same place, so
all of them together store one letter.
"""

from collections.abc import Callable

from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.letter_records import Letter
from consumers.kafka.unpacked import UnreadableBatch
from consumers.logs.log import Log

Clock = Callable[[], int]
UNREADABLE = "unreadable"
FORK = "place taken"


def letter_of(log: Log, partition: int, position: int, stored: bytes, *, says: str, reason: str, at: int) -> Letter:
    """The letter of a record, named by topic, partition and offset, or by an embedded log's position."""
    return Letter(*log.where(partition, position), reason, says, stored, at)


class Quarantine:
    """A store for the records that a reader of a log cannot use."""

    def __init__(self, log: Log, letters: DeadLetters, clock: Clock) -> None:
        self._log = log
        self._letters = letters
        self._clock = clock

    def __call__(self, partition: int, position: int, stored: bytes, says: str, reason: str = UNREADABLE) -> None:
        """Store the record at this position with the reason; it is durable when this returns."""
        if isinstance(stored, UnreadableBatch):
            says = stored.says
        self._letters.put(
            [letter_of(self._log, partition, position, stored, says=says, reason=reason, at=self._clock())]
        )
