"""The entries of the tree as everybody may read them: a log of its own, beside the record or as a topic of it.

It holds what the tree's file holds, in the same order, so that a lost file can be restored from it and a witness needs
nothing else. Who opens the tree compares: entries the log does not have yet are appended, and a log that knows of more
than the tree, or of another head, is told.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from eventsourcing.persistence import IntegrityError

from consumers.logs.copying import Copied, StreamDigest
from consumers.logs.log import Log, StoredFact
from consumers.logs.opening import LogOptionsError, kafka_log
from consumers.logs.sqlite import SqliteLog
from consumers.trust.tree_file import Entry, EntryType, TreeFile, TreeTroubleError, laid
from domain.ledger.checkpoint import parsed_checkpoint, parsed_note
from domain.ledger.witnessing import Shown, parsed_shown

PUBLISHED_FILE: Final = "record/checkpoints.sqlite"  # in the data folder
STREAM: Final = "checkpoints"
BLOCK: Final = 200
_OLD, _KEY = b"old ", b"key "


def published_log(*, data: Path | None, kafka: Path | None, create: bool = False) -> Log:
    """Where the entries of a record's tree are published."""
    if kafka is not None:
        return kafka_log(kafka, "checkpoints")
    if data is None:
        raise LogOptionsError("where is the record? Give --data DIR or --kafka FILE.")
    file = data / PUBLISHED_FILE
    if not create and not file.is_file():
        raise LogOptionsError(f"no checkpoint was made of the record in {data} yet: no file {file}.")
    return SqliteLog(file, create=create, name="checkpoints")


def type_of(stored: bytes) -> EntryType:
    """Which of the four an entry is, by its bytes: each begins otherwise."""
    if stored.startswith(b"{"):
        return "stretch.1"
    if stored.startswith(_OLD):
        return "checkpoint.1"
    second = stored.partition(b"\n")[2]
    return "key.1" if second.startswith(_KEY) else "cosignature.1"


def publish(tree: TreeFile, log: Log) -> int:
    """Appends what the log does not have yet: how many entries."""
    newest = newest_shown(log)
    after = 0
    if newest is not None:
        head = parsed_checkpoint(parsed_note(newest.note).text)
        after = tree.entry_of_head(head.size)
        here = parsed_note(tree.note(head.size)).text if after else ""
        if here != parsed_note(newest.note).text:
            raise TreeTroubleError(
                f"the record tells of a head of {head.size} leaves, and {tree.path} of another or of none: it is an "
                "older copy, or another tree. Nothing was written. Restore it: catwalk checkpoint restore"
            )
    count = 0
    try:
        while entries := tree.entries(after):
            log.append_once([StoredFact(STREAM, each.sequence, each.type, each.stored) for each in entries])
            after, count = entries[-1].sequence, count + len(entries)
    except IntegrityError as error:
        raise TreeTroubleError(f"another keeper wrote this record's checkpoints: {error}. Run one keeper.") from error
    return count


def backwards(log: Log) -> Iterator[bytes]:
    """The entries of the log, the last one first, a block read at a time."""
    (partition,) = log.partitions
    end, size = log.last_position(partition), BLOCK
    while end > 0:
        start = max(0, end - size)
        rows = [stored for position, stored in log.read(partition, start, end - start) if position <= end]
        yield from reversed(rows)
        end, size = start, 2 * size


def newest_shown(log: Log) -> Shown | None:
    """The newest head the log tells of."""
    return next((parsed_shown(stored.decode()) for stored in backwards(log) if stored.startswith(_OLD)), None)


def shown_since(log: Log, size: int) -> list[Shown]:
    """The heads behind one of a size, oldest first, each with the path from the one before it."""
    found: list[Shown] = []
    for stored in backwards(log):
        if stored.startswith(_OLD):
            shown = parsed_shown(stored.decode())
            if parsed_checkpoint(parsed_note(shown.note).text).size <= size:
                break
            found.append(shown)
    return found[::-1]


def key_notes(log: Log) -> list[str]:
    """Every note about a key of the property, oldest first."""
    notes = dict.fromkeys(stored.decode() for stored in backwards(log) if type_of(stored) == "key.1")
    return list(notes)[::-1]


def published(log: Log) -> Iterator[Entry]:
    """Every entry in its order, each once."""
    for sequence, stored in enumerate(log.read_stream(STREAM), 1):
        yield Entry(sequence, type_of(stored), stored)


def copied(entries: Sequence[Entry], log: Log) -> Copied:
    """Appends entries to another log of them, which may have the first of them already and nothing else.

    They are taken from the one log before the record itself is copied: no leaf then tells of a record the copy lacks.
    """
    told = [entry.stored for entry in entries]
    there = log.read_stream(STREAM)
    if there == told[: len(there)]:
        log.append_once([StoredFact(STREAM, each.sequence, each.type, each.stored) for each in entries[len(there) :]])
    after = log.read_stream(STREAM)
    return Copied(len(after) - len(there), len(there), [], {STREAM: _digest(told)}, {STREAM: _digest(after)})


def _digest(entries: Sequence[bytes]) -> StreamDigest:
    text = (b"%d %d\n%b\n" % (sequence, len(stored), stored) for sequence, stored in enumerate(entries, 1))
    return StreamDigest(len(entries), sha256(b"".join(text)).hexdigest())


def restore(log: Log, path: Path) -> None:
    """Makes a lost tree again from what was published; every leaf, path, root and signature is checked on the way."""
    there = [each for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))) if each.exists()]
    if there:
        raise TreeTroubleError(f"{' and '.join(map(str, there))} is there: move it away first, and keep it")
    with laid(path) as tree:
        for entry in published(log):
            tree.put(entry.type, entry.stored)
