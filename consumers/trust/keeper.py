"""The keeper of the property's tree: follows every log of the record, puts stretches in, signs the heads.

What is read, what it comes to, the head and the positions are one transaction. The head is published afterwards, and
again where that was broken off. There is one keeper of a record, which has a hold on the tree for its life
(`holding.py`); and whatever happens to that, no stretch goes in that covers a record which another covers.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from consumers.gateway.keys import KeyStore, verify
from consumers.trust.clock import ClockLeapError, leap
from consumers.trust.gathering import Gatherer, Source
from consumers.trust.holding import held_still
from consumers.trust.keys import FileSigner, Signer, checked_name, made
from consumers.trust.tree_file import TREE_FILE, TreeFile, TreeTroubleError, laid
from domain.ledger.checkpoint import COSIGNED, BadNoteError, Checkpoint, Key, check, parsed_checkpoint, parsed_note
from domain.ledger.checkpoint import signed as signed_note
from domain.ledger.rotation import Told, signed_by_all
from domain.ledger.stretches import KINDS, Kind, Proven, Stretch
from domain.ledger.tree import consistency, inclusion
from domain.ledger.witnessing import Head, Shown, head_of

KEYS: Final = "keys"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


_ONE_KEEPER: Final = "Run one keeper of a record, and start this one again"
_PUT_BACK: Final = (
    "Nothing was signed. End this keeper, move the file away with what stands beside it under its name, run catwalk "
    "checkpoint restore, which puts the tree together from what was published, and start the keeper again"
)


class Standing(NamedTuple):
    """The tree in its file: which file that is, how many leaves it has, and their root."""

    file: tuple[int, int]
    size: int
    root: bytes


def identity(path: Path) -> tuple[int, int]:
    """Which file stands there, whatever is in it."""
    found = path.stat()
    return found.st_dev, found.st_ino


def standing(tree: TreeFile) -> Standing:
    """The tree as it stands in its file now."""
    return Standing(identity(tree.path), tree.size, tree.root(tree.size))


class Made(msgspec.Struct, frozen=True):
    """A head that was signed."""

    size: int
    note: str
    days: tuple[str, ...]


class Keeper:
    """The tree of one property: what stands in it, its proofs, its key."""

    def __init__(self, tree: TreeFile, signer: Signer, store: KeyStore | None = None) -> None:
        self.tree = tree
        self.signer = signer
        self._store = store
        newest = tree.newest
        if newest is not None and (newest.size, newest.root) != (tree.size, tree.root(tree.size)):
            raise TreeTroubleError(f"{tree.path} has {tree.size} leaves under another root than it signed: restore it")
        if newest is not None:
            self._heads_key(newest.size)
        self._written = standing(tree)

    @property
    def origin(self) -> str:
        """The name of the tree, which is the property's."""
        return self.key.name

    @property
    def key(self) -> Key:
        """The property's key now."""
        return self.signer.key

    def public(self) -> bytes:
        """The 32 bytes of it."""
        return self.key.public

    def sign(self, words: bytes) -> bytes:
        """The property's signature over these words."""
        return self.signer.sign(words)

    def rotations(self) -> list[str]:
        """The signed notes that tell the property's keys, the first one first."""
        return self.tree.key_notes

    def sizes(self) -> list[int]:
        """The sizes of all checkpoints."""
        return self.tree.sizes

    def note(self, size: int) -> str:
        """The signed note of a checkpoint, with the cosignatures that came back so far."""
        return self.tree.note(size)

    def head(self, size: int) -> Head:
        """The same, read."""
        return head_of(self.note(size), self._heads_key(size), verify)

    def closes(self) -> dict[int, tuple[str, ...]]:
        """The checkpoints that close days of the property, and which."""
        return self.tree.closes

    def streams(self, size: int) -> list[tuple[str, str, int]]:
        """Every stream below a size: kind, name, last record."""
        return self.tree.streams(size)

    def proven(self, size: int, kind: Kind, stream: str) -> list[Proven]:
        """The stretches of a stream below a size, by their first record, each with its path."""
        return [self._proven(place, stretch, size) for place, stretch in self.tree.leaves_of(kind, stream, size)]

    def stretches(self, size: int, kind: Kind, stream: str) -> list[Stretch]:
        """Every stretch of a stream below a size, by their first record."""
        return [stretch for _, stretch in self.tree.leaves_of(kind, stream, size)]

    def leaves(self, size: int, first: int = 0) -> Iterator[Proven]:
        """Every stretch from a place on, below a size, each with its path."""
        return (self._proven(place, stretch, size) for place, stretch in self.tree.leaves(first, size))

    def listed(self, first: int, size: int) -> Iterator[Stretch]:
        """Every stretch from a place on, below a size, without its path."""
        return (stretch for _, stretch in self.tree.leaves(first, size))

    def peaks(self, size: int) -> list[str]:
        """The roots of the complete subtrees that the first leaves make, the largest first."""
        levels = [level for level in reversed(range(size.bit_length())) if size >> level & 1]
        return [self.tree.node(level, (size >> level) - 1).hex() for level in levels]

    def consistency(self, old: int, new: int) -> list[str]:
        """The path from one size to a later one."""
        return [step.hex() for step in consistency(self.tree.node, old, new)]

    def shown(self, size: int, since: int) -> Shown:
        """A checkpoint as a witness is shown it who saw that of another size."""
        return Shown(since, tuple(consistency(self.tree.node, since, size)), self.note(size))

    def gatherers(self, sources: Sequence[Source]) -> list[Gatherer]:
        """Each source from where the tree has it on."""
        return [Gatherer(source, self.tree, self.tree.positions(source.kind)) for source in sources]

    def checkpoint(self, gatherers: Sequence[Gatherer], now: int, *, clock_is_right: bool = False) -> Made | None:
        """Puts in what is ready and signs the head; nothing, where nothing is new."""
        ready = sorted((each for one in gatherers for each in one.ready(now)), key=_order)
        if not ready:
            return None
        if not clock_is_right and (says := leap(self.tree.last_time, [one.latest for one in gatherers], now)):
            raise ClockLeapError(says)
        with self._alone(), self._own_tree().growing():
            self._newest_key()
            before = self.tree.newest
            for stretch in ready:
                self._require_uncovered(stretch)
                self.tree.put("stretch.1", stretch.stored)
            for one in gatherers:
                self.tree.move(one.source.kind, one.positions)
            known = {day for days in self.closes().values() for day in days}
            days = tuple(day for one in gatherers for day in one.closes(ready) if day not in known)
            note = self._signed(now, days)
            since = before.size if before else 0
            path = tuple(consistency(self.tree.node, since, self.tree.size))
            self.tree.put("checkpoint.1", Shown(since, path, note).text.encode())
        self._written = standing(self.tree)
        for one in gatherers:
            one.done()
        return Made(self.tree.size, note, days)

    def _own_tree(self) -> TreeFile:
        """The tree, once its file is found to hold what this process wrote last: a backup may have taken its place."""
        path, written = self.tree.path, self._written
        try:
            found = Standing(identity(path), 0, b"")
            if found.file == written.file:  # another file is not opened: it would meet this one's journal
                with closing(TreeFile(path)) as tree:
                    found = standing(tree)
        except (OSError, sqlite3.Error, TreeTroubleError) as error:
            why = (error.strerror if isinstance(error, OSError) else "") or error
            raise TreeTroubleError(f"{path} cannot be read any more: {why}. {_PUT_BACK}") from error
        if found.file == written.file and found.size > written.size:
            says = f"{path} has {found.size} leaves, and this keeper knows {written.size}: another keeper put some in"
            raise TreeTroubleError(f"{says}. Nothing was signed. {_ONE_KEEPER}")
        if found != written:
            what = f"has {found.size} leaves" if found.file == written.file else "is another file"
            says = f"{path} {what}, and this keeper wrote {written.size} leaves into it: something else took its place"
            raise TreeTroubleError(f"{says} while it was running. {_PUT_BACK}")
        return self.tree

    def _require_uncovered(self, stretch: Stretch) -> None:
        """Refuses a stretch over a record that stands in the tree already: two leaves of one record are a fork."""
        if self.tree.covers_any(stretch.kind, stretch.stream, stretch.first, stretch.last):
            says = f"records {stretch.first} to {stretch.last} of {stretch.stream}, or some of them, are in the tree"
            says += " already: another keeper put them in. Nothing was signed"
            raise TreeTroubleError(f"{says}. {_ONE_KEEPER}")

    def _newest_key(self) -> None:
        """Signs by the newest key from here on, where somebody has rotated it while this keeper was running."""
        if self._store is not None and self.tree.key != self.signer.key:
            self.signer = _signer(self.tree, self._store)

    def _signed(self, now: int, days: Sequence[str]) -> str:
        """The head as it stands. Its time never goes back, whatever the clock here does."""
        time = max(time_of(now), self.tree.last_time)
        more = (f"time {time}", *(f"day {day}" for day in days))
        head = Checkpoint(self.origin, self.tree.size, self.tree.root(self.tree.size), more)
        return signed_note(head.text, self.key, self.sign).stored

    def rotate(self, store: KeyStore, now: int) -> Told:
        """Another key from here on; the note that says so is signed by both."""
        before, number = self.signer, len(self.tree.keys) + 1
        signer = made(store, self.origin, number)
        told = Told(signer.key, self.tree.size, time_of(now), before.key)
        words = told.text.encode()
        note = signed_by_all(told, [(before.key, before.sign(words)), (signer.key, signer.sign(words))])
        with self._alone(), self.tree.growing():
            self.tree.put("key.1", note.stored.encode())
        self.signer = signer
        return told

    def take_cosigned(self, text: str, witness: Key) -> int:
        """Keeps a witness's signature that came back under a checkpoint: the size of that one."""
        note = parsed_note(text)
        size = parsed_checkpoint(note.text).size
        if witness.kind != COSIGNED or witness not in check(note, [witness], verify):
            raise BadNoteError(f"it is not signed by {witness.text} as a witness signs")
        if witness.name == self.origin:
            raise BadNoteError(f"{witness.name} is the name of this property: a witness needs a name of its own")
        if witness in check(parsed_note(self.note(size)), [witness], verify):
            return size  # it looked again at what it had signed
        ours = tuple(each for each in note.signatures if (each.name, each.key_id) == (witness.name, witness.id))
        with self._alone(), self.tree.growing():
            self.tree.put("cosignature.1", msgspec.structs.replace(note, signatures=ours).stored.encode())
        return size

    def _heads_key(self, size: int) -> Key:
        """The key that signed a checkpoint: the newest that was told of at a smaller size."""
        told = [each.key for each in self.tree.keys if each.size < size]
        signers = check(parsed_note(self.note(size)), told, verify)
        found = next((key for key in reversed(told) if key in signers), None)
        if found is None:
            raise TreeTroubleError(f"{self.tree.path}: no key of the property signed the head of {size} leaves")
        return found

    def _proven(self, place: int, stretch: Stretch, size: int) -> Proven:
        return Proven(place, stretch, tuple(step.hex() for step in inclusion(self.tree.node, place, size)))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Held while the tree grows, and by whoever copies it together with the record."""
        with held_still(self.tree.path.parent.parent):
            yield


@contextmanager
def open_keeper(folder: Path) -> Iterator[Keeper]:
    """The keeper of the record whose own files are in this folder; its key is opened when it first signs."""
    with closing(TreeFile(folder / TREE_FILE)) as tree:
        store = KeyStore(folder / KEYS)
        yield Keeper(tree, _signer(tree, store), store)


def begin(folder: Path, origin: str, now: int) -> Told:
    """Makes the property's first key and a tree without leaves."""
    file, store = folder / TREE_FILE, KeyStore(folder / KEYS)
    if file.exists():
        raise TreeTroubleError(f"{file} is there already: catwalk checkpoint key rotate puts another key in its place")
    signer = made(store, checked_name(origin))
    told = Told(signer.key, 0, time_of(now))
    note = signed_by_all(told, [(signer.key, signer.sign(told.text.encode()))])
    with laid(file) as tree:
        tree.put("key.1", note.stored.encode())
    return told


def time_of(at: int) -> str:
    """A moment as a checkpoint tells it, in whole seconds."""
    return f"{(_EPOCH + timedelta(seconds=at // 1_000_000)).isoformat().removesuffix('+00:00')}Z"


def _signer(tree: TreeFile, store: KeyStore) -> FileSigner:
    return FileSigner(store, tree.key, len(tree.keys))


def _order(stretch: Stretch) -> tuple[int, str, int]:
    return KINDS.index(stretch.kind), stretch.stream, stretch.first
