"""The part of a Kafka record's backup beside the gateway's files: the topics as embedded logs.

The copy is the one that `catwalk log copy` makes, checked by digest. The restored record is an embedded one: doctor
checks it without a broker, and it goes into a new cluster like any other. Nothing in a topic is omitted: a record that
has no place in a log, because a foreign writer put it there, is stored among the dead letters with its position.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.letter_records import Kept, Letter
from consumers.gateway.letters_read import letters_in
from consumers.gateway.quarantine import letter_of
from consumers.kafka.topic_names import Kind
from consumers.logs.copying import Left, copy
from consumers.logs.log import Log
from consumers.logs.opening import FINDINGS_FILE, LOG_FILE
from consumers.logs.sqlite import SqliteLog
from consumers.record_place import DEAD_LETTERS

# The topics that are logs, each with the file that holds the same in a data folder.
LOGS: Final[dict[Kind, str]] = {"facts": LOG_FILE, "findings": FINDINGS_FILE}
LEFT: Final = "no place in a log"


class NotEqualError(Exception):
    """A copy that differs from its topic."""


def copied(log: Log, file: Path) -> list[Left]:
    """Copy a topic into an embedded log, check that they are equal, and return the records without a place in a log."""
    target = SqliteLog(file, create=True, name=log.name)
    try:
        done = copy(log, target)
    finally:
        target.close()
    # A stream with two writers holds more in Kafka than a log accepts: the second claims are among the records left
    # over.
    claimed = {left.why.partition(":")[0] for left in done.left}
    wrong = [stream for stream in done.different if stream not in claimed]
    if wrong:
        raise NotEqualError(f"{wrong[0]} differs in the copy: it was written to meanwhile. Try again")
    return done.left


def letters_of_left(log: Log, left: Sequence[Left], at: int) -> list[Letter]:
    """The records of a topic that have no place in a log, as dead letters."""
    return [
        letter_of(log, one.partition, one.position, _stored(log, one), says=one.why, reason=LEFT, at=at) for one in left
    ]


def _stored(log: Log, left: Left) -> bytes:
    ((_, stored),) = log.read(left.partition, left.position - 1, 1)
    return stored


def add_letters(file: Path, topic: Log, more: Sequence[Letter]) -> int:
    """Add the topic's letters, and more, to a copy of the gateway's file; return their number."""
    letters = DeadLetters(file)
    try:
        known = {kept.name for kept in letters.all()}
        for kept in letters_in(topic):
            if kept.name not in known:
                letters.adopt([_whole(kept)])
            if kept.retried_at is not None:
                letters.tried([(kept.letter, None)], kept.retried_at)
        letters.adopt(more)
        return sum(1 for _ in letters.all())
    finally:
        letters.close()


def _whole(kept: Kept) -> Letter:
    """A letter of another machine; it says so if the topic has only a part of its bytes."""
    held = len(kept.letter.stored)
    if held == kept.size:
        return kept.letter
    says = f"the first {held:,} of {kept.size:,} bytes: {kept.letter.says}"
    return msgspec.structs.replace(kept.letter, says=says)


def topics_of(logs: Mapping[Kind, Log], letters: Log, at: int) -> Callable[[Path, dict[str, Path]], dict[str, Path]]:
    """A backup's additions to a gateway's files: the topics' logs, and its letters with those of the topic."""

    def more(scratch: Path, contents: dict[str, Path]) -> dict[str, Path]:
        made: dict[str, Path] = {}
        left: list[Letter] = []
        for kind, name in LOGS.items():
            if name in contents:
                raise NotEqualError(f"the folder also holds an embedded record, {name}: back it up separately first")
            made[name] = scratch / f"{kind}.sqlite"
            left += letters_of_left(logs[kind], copied(logs[kind], made[name]), at)
        made[DEAD_LETTERS] = contents.get(DEAD_LETTERS, scratch / "letters.sqlite")
        add_letters(made[DEAD_LETTERS], letters, left)
        return made

    return more
