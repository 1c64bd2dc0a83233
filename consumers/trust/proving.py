"""Check the tree, for `catwalk doctor`: by itself, against the published entries, and against the record.

The records of every leaf are hashed again. If they give another root, the leaf's head shows which record changed: from
the last record backwards, each names the hash of the one before, and the first mismatch was altered. A stream that was
chained and sealed again by a holder of its key is detected too, though not where in the leaf the change begins.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Final

import msgspec

from consumers.desk.application import DESK_FILE
from consumers.desk.opening import DATABASE
from consumers.gateway.keys import verify
from consumers.logs.log import Log
from consumers.logs.opening import FINDINGS_FILE, LOG_FILE
from consumers.record_place import RecordOptions
from consumers.trust.gathering import GatheredRecord, TreeSource
from consumers.trust.published import PUBLISHED_FILE, newest_shown, published_log
from consumers.trust.running import Sources
from consumers.trust.tree_file import TREE_FILE, TreeFile
from domain.ledger.audit import ChainTrouble
from domain.ledger.chain import digest
from domain.ledger.checkpoint import BadNoteError, NoteKey, parsed_note
from domain.ledger.rotation import told_by
from domain.ledger.stretches import KINDS, BadStretchError, Kind, Stretch, parsed, root_of
from domain.ledger.tree import BadProofError, Grown, check_consistency, leaf_hash
from domain.ledger.witnessing import head_of, parsed_shown
from domain.spoken import number_of

_FILES: Final[Mapping[Kind, str]] = {"facts": LOG_FILE, "findings": FINDINGS_FILE, "desk": DESK_FILE}
_REPEATS: Final = 20_000  # entries that a keeper may publish again


class TreeProof(msgspec.Struct):
    """The amounts read."""

    leaves: int = 0
    heads: int = 0
    records: int = 0


def prove(place: RecordOptions, proved: TreeProof) -> Iterator[ChainTrouble]:
    """Every problem of a record's tree; none if no tree was begun."""
    if not place.has_folder:
        return
    file = place.folder / TREE_FILE
    with ExitStack() as opened:
        log = _published(place, opened)
        if not file.is_file():
            if log is not None and newest_shown(log) is not None:
                says = f"heads are published, but {file} is gone: restore a backup or run catwalk checkpoint restore"
                yield _trouble(0, says)
            return
        tree = opened.enter_context(closing(TreeFile(file)))
        size = tree.size  # a running keeper may add leaves over records after those read below
        yield from _by_itself(tree, proved)
        if log is not None:
            yield from _as_published(tree, log)
        there = list(Sources(place, opened).new())
        for source in there:
            yield from _against(source, tree, size, proved)
        for kind in KINDS:
            if kind not in {source.kind for source in there}:
                yield from _gone(kind, place, tree, size)


def _published(place: RecordOptions, opened: ExitStack) -> Log | None:
    if place.kafka is None and place.data is not None and not (place.data / PUBLISHED_FILE).is_file():
        return None
    return opened.enter_context(closing(published_log(data=place.data, kafka=place.kafka)))


def _trouble(sequence: int, says: str) -> ChainTrouble:
    return ChainTrouble("tree-bad", "checkpoints", sequence, "", says)


def _by_itself(tree: TreeFile, proved: TreeProof) -> Iterator[ChainTrouble]:
    """Check that each entry follows the ones before it, and that the other tables follow from the entries."""
    grown, keys, newest, after = Grown(), list[NoteKey](), (0, Grown().root()), 0
    while entries := tree.entries(after):
        for entry in entries:
            try:
                if entry.type == "stretch.1":
                    stretch = parsed(entry.stored)
                    if tree.leaf(len(grown)) != stretch:
                        raise BadStretchError("it differs from the leaf at its place")
                    for level, at, own in grown.add(stretch.leaf):
                        if tree.node(level, at) != own:
                            raise BadStretchError("a node above it is not the hash of those below")
                elif entry.type == "checkpoint.1":
                    newest = _head(entry.stored.decode(), grown, keys[-1], newest, tree)
                    proved.heads += 1
                elif entry.type == "key.1":
                    keys.append(told_by(entry.stored.decode(), verify).key)
            except (BadStretchError, BadNoteError, BadProofError, UnicodeDecodeError, IndexError) as error:
                yield _trouble(entry.sequence, f"entry {entry.sequence} of the tree is invalid: {error}")
        after = entries[-1].sequence
    proved.leaves = len(grown)
    if newest[0] != len(grown):
        yield _trouble(after, f"no head is signed over the last {len(grown) - newest[0]} leaves")


def _head(text: str, grown: Grown, key: NoteKey, before: tuple[int, bytes], tree: TreeFile) -> tuple[int, bytes]:
    shown = parsed_shown(text)
    head = head_of(shown.note, key, verify).checkpoint
    if (head.size, head.root) != (len(grown), grown.root()):
        raise BadNoteError(f"the head does not match these {len(grown)} leaves")
    if before[0]:
        check_consistency(*(before[0], head.size), *(before[1], head.root), shown.path)
    if parsed_note(tree.note(head.size)).text != parsed_note(shown.note).text:
        raise BadNoteError(f"the head of {head.size} leaves has another text in its table")
    return head.size, head.root


def _as_published(tree: TreeFile, log: Log) -> Iterator[ChainTrouble]:
    """Check that the log has the entries in order, some perhaps twice; it may end before the tree does."""
    recent: deque[bytes] = deque(maxlen=_REPEATS)
    at, waiting = 0, iter(tree.entries(0))
    for batch in log.drain({}):
        for position, stored in batch.facts:
            entry = next(waiting, None)
            if entry is None and at:
                waiting = iter(tree.entries(at))
                entry = next(waiting, None)
            if entry is not None and entry.stored == stored:
                at = entry.sequence
                recent.append(stored)
            elif stored in recent:
                waiting = iter(tree.entries(at))
            else:
                says = f"the published entry at position {position} differs from entry {at + 1} of the tree"
                yield _trouble(at + 1, says)
                return


def _against(source: TreeSource, tree: TreeFile, size: int, proved: TreeProof) -> Iterator[ChainTrouble]:
    """Check the record of one kind, read once."""
    streams: dict[str, _ProvenStream] = {}
    for rows, _, _ in source.rows({}):
        for row in rows:
            stream = streams.get(row.stream)
            if stream is None:
                stream = streams[row.stream] = _ProvenStream(tree.leaves_of(source.kind, row.stream, size))
            stream.take(row)
            proved.records += 1
    told = {stream for kind, stream, _ in tree.streams(size) if kind == source.kind}
    for name in sorted(told):
        stream = streams.get(name) or _ProvenStream(tree.leaves_of(source.kind, name, size))
        yield from stream.troubles(name, tree)


def _gone(kind: Kind, place: RecordOptions, tree: TreeFile, size: int) -> Iterator[ChainTrouble]:
    """Report a log that is gone completely, by its first stream in the tree."""
    streams = sorted(stream for of, stream, _ in tree.streams(size) if of == kind)
    if streams:
        left = number_of(len(streams), "stream of it is", "streams of it are")
        says = f"the log is gone: {left} in the tree, but there is no {place.folder / _FILES[kind]}"
        says += f", and {DATABASE} names no other desk" if kind == "desk" else ""
        yield ChainTrouble("missing", streams[0], 1, "", f"{says}: restore a backup")


class _ProvenStream:
    """One stream beside its leaves."""

    def __init__(self, leaves: Sequence[tuple[int, Stretch]]) -> None:
        self._leaves = leaves
        self._firsts = [stretch.first for _, stretch in leaves]
        self._also = _reaching(leaves)
        self._open: dict[int, dict[int, bytes]] = {}
        self._good: set[int] = set()
        self._bad: set[int] = set()
        self._first_bad: dict[int, bytes] = {}  # the records of the first leaf that does not match

    def take(self, row: GatheredRecord) -> None:
        """Add one record; the first at its place counts, as it did when the leaf was made."""
        at = bisect_right(self._firsts, row.sequence) - 1
        for each in (at, *self._also.get(at, ())):
            self._into(each, row)

    def _into(self, at: int, row: GatheredRecord) -> None:
        if at < 0 or row.sequence > self._leaves[at][1].last or at in self._good or at in self._bad:
            return
        held = self._open.setdefault(at, {})
        held.setdefault(row.sequence, row.stored)
        stretch = self._leaves[at][1]
        if len(held) == stretch.count:
            del self._open[at]
            leaves = [leaf_hash(held[number]) for number in range(stretch.first, stretch.last + 1)]
            if root_of(leaves).hex() == stretch.root:
                self._good.add(at)
            else:
                self._bad.add(at)
                self._first_bad = held if at == min(self._bad) else self._first_bad

    def troubles(self, name: str, tree: TreeFile) -> Iterator[ChainTrouble]:
        """The missing and altered records; of the leaves after an altered record, only their number."""
        wrong = [at for at in range(len(self._leaves)) if at not in self._good]
        if not wrong:
            yield from self._twice(name)
        for at in wrong[:1]:
            place, stretch = self._leaves[at]
            where = f"leaf {place}"
            signed = next((size for size in tree.sizes if size > place), 0)
            since = f"since the head of {signed} leaves was signed"
            left = number_of(len(wrong) - 1, "later leaf of the stream does", "later leaves of the stream do")
            more = f"; {left} not match either" if len(wrong) > 1 else ""
            if at in self._bad:
                sequence, says = _altered(stretch, self._first_bad, more=len(wrong) > 1)
                yield ChainTrouble("altered", name, sequence, where, f"{says} {since}{more}")
            else:
                held = self._open.get(at, {})
                missing = [number for number in range(stretch.first, stretch.last + 1) if number not in held]
                told = f"records {missing[0]} to {missing[-1]}" if len(missing) > 1 else f"record {missing[0]}"
                yield ChainTrouble("missing", name, missing[0], where, f"{told} went missing {since}{more}")

    def _twice(self, name: str) -> Iterator[ChainTrouble]:
        """Records that two leaves cover while every leaf of the stream matches: nothing is missing."""
        for at, others in sorted(self._also.items()):
            place, stretch = self._leaves[at]
            for other in others:
                first, last = stretch.first, min(stretch.last, self._leaves[other][1].last)
                told = f"records {first} to {last} are" if last > first else f"record {first} is"
                says = f"two keepers ran at the same time: {told} in leaves {self._leaves[other][0]} and {place}"
                yield ChainTrouble(
                    "two-keepers", name, first, f"leaf {place}", f"{says}. Both match; nothing is missing"
                )


def _reaching(leaves: Sequence[tuple[int, Stretch]]) -> dict[int, tuple[int, ...]]:
    """For each leaf that begins within earlier ones, those: only two keepers at the same time make such leaves."""
    found: dict[int, tuple[int, ...]] = {}
    reaching: list[int] = []
    for at, (_, stretch) in enumerate(leaves):
        reaching = [other for other in reaching if leaves[other][1].last >= stretch.first]
        if reaching:
            found[at] = tuple(reaching)
        reaching.append(at)
    return found


def _altered(stretch: Stretch, held: dict[int, bytes], *, more: bool) -> tuple[int, str]:
    """The first altered record of a leaf, searched from the head backwards while the links match."""
    own = stretch.head
    for sequence in range(stretch.last, stretch.first - 1, -1):
        if digest(held[sequence]) != own:
            if sequence < stretch.last or stretch.count == 1:
                return sequence, "it was altered"
            if more:
                return (
                    stretch.first,
                    f"everything from one of the records {stretch.first} to {stretch.last} on was rewritten",
                )
            return sequence, f"it was altered, and perhaps others from {stretch.first} on,"
        own = _previous(held[sequence])
    return stretch.first, f"one of records {stretch.first} to {stretch.last} was altered"


class _StoredLink(msgspec.Struct):
    previous: str = ""


_LINKS = msgspec.json.Decoder(_StoredLink)


def _previous(stored: bytes) -> str:
    try:
        return _LINKS.decode(stored).previous
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
