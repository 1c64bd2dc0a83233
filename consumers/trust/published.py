"""The published entries of the tree: a separate log, beside the record or as one of its topics.

It holds the same entries as the tree's file, in the same order, so that it can restore a lost file and a witness needs
nothing else. Opening the tree compares the two: missing entries are appended to the log, and a log with more entries
than the tree, or with another head, is reported.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from eventsourcing.persistence import IntegrityError

from consumers.logs.copying import Copied, StreamDigest
from consumers.logs.log import Log, StoredFact
from consumers.logs.opening import log_beside
from consumers.trust.tree_file import EntryType, TreeEntry, TreeFile, TreeTroubleError, laid
from domain.ledger.checkpoint import parsed_checkpoint, parsed_note
from domain.ledger.witnessing import ShownHead, parsed_shown

PUBLISHED_FILE: Final = "record/checkpoints.sqlite"  # in the data folder
STREAM: Final = "checkpoints"
BLOCK: Final = 200
_OLD, _KEY = b"old ", b"key "


def published_log(*, data: Path | None, kafka: Path | None, create: bool = False) -> Log:
    """The log of a record's published entries."""
    missing = "has no checkpoint yet: no file {}. Run catwalk checkpoint."
    return log_beside("checkpoints", PUBLISHED_FILE, missing, data=data, kafka=kafka, create=create)


def type_of(stored: bytes) -> EntryType:
    """The type of an entry, from its first bytes."""
    if stored.startswith(b"{"):
        return "stretch.1"
    if stored.startswith(_OLD):
        return "checkpoint.1"
    second = stored.partition(b"\n")[2]
    return "key.1" if second.startswith(_KEY) else "cosignature.1"


def publish(tree: TreeFile, log: Log) -> int:
    """Append the entries that the log lacks; return their number."""
    newest = newest_shown(log)
    after = 0
    if newest is not None:
        head = parsed_checkpoint(parsed_note(newest.note).text)
        after = tree.entry_of_head(head.size)
        here = parsed_note(tree.note(head.size)).text if after else ""
        if here != parsed_note(newest.note).text:
            raise TreeTroubleError(
                f"the record has a head of {head.size} leaves that {tree.path} lacks or contradicts: the file is an "
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
    """The entries of the log, the last one first, read in blocks."""
    (partition,) = log.partitions
    end, size = log.last_position(partition), BLOCK
    while end > 0:
        start = max(0, end - size)
        rows = [stored for position, stored in log.read(partition, start, end - start) if position <= end]
        yield from reversed(rows)
        end, size = start, 2 * size


def newest_shown(log: Log) -> ShownHead | None:
    """The newest head in the log."""
    return next((parsed_shown(stored.decode()) for stored in backwards(log) if stored.startswith(_OLD)), None)


def shown_since(log: Log, size: int) -> list[ShownHead]:
    """The heads after the one of a size, oldest first, each with the path from the one before it."""
    found: list[ShownHead] = []
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


def published(log: Log) -> Iterator[TreeEntry]:
    """Every entry in order, each once."""
    for sequence, stored in enumerate(log.read_stream(STREAM), 1):
        yield TreeEntry(sequence, type_of(stored), stored)


def copied(entries: Sequence[TreeEntry], log: Log) -> Copied:
    """Append entries to another log of them, which may already hold a beginning of them.

    They are read from the source before the record itself is copied, so that no leaf covers records that the copy
    lacks.
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
    """Rebuild a lost tree from the published entries; every leaf, path, root and signature is checked."""
    there = [each for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))) if each.exists()]
    if there:
        raise TreeTroubleError(f"{' and '.join(map(str, there))} exists: move it elsewhere first, and keep it")
    with laid(path) as tree:
        for entry in published(log):
            tree.put(entry.type, entry.stored)
