"""The dead letters of a topic, read back with the results of their retries."""

from collections.abc import Iterator

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
from consumers.logs.log import Log
from domain.facts.refused import Refused

_Why = tuple[str, str, Refused | None]  # the newest reason, its sentence and its parts


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
