"""The keeper of the property's tree: follows every log of the record, adds stretches, signs the heads.

New leaves, the head and the positions in the logs are one transaction. The head is published afterwards, and again if
that was interrupted. A record has one keeper, which holds the tree while it lives (`holding.py`). Even if that hold
fails, no stretch is added that covers a record already covered.
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
from consumers.trust.gathering import Gatherer, TreeSource
from consumers.trust.holding import held_still
from consumers.trust.keys import FileSigner, NoteSigner, checked_name, made
from consumers.trust.tree_file import TREE_FILE, TreeFile, TreeTroubleError, laid
from domain.ledger.checkpoint import COSIGNED, BadNoteError, Checkpoint, NoteKey, check, parsed_checkpoint, parsed_note
from domain.ledger.checkpoint import signed as signed_note
from domain.ledger.rotation import KeyRotation, signed_by_all
from domain.ledger.stretches import KINDS, Kind, Proven, Stretch
from domain.ledger.tree import consistency, inclusion
from domain.ledger.witnessing import CheckedHead, ShownHead, head_of

KEYS: Final = "keys"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


_ONE_KEEPER: Final = "Run one keeper of a record, and start this one again"
_PUT_BACK: Final = (
    "Nothing was signed. End this keeper, move the file and the files beside it with the same name, run catwalk "
    "checkpoint restore, which rebuilds the tree from the published entries, and start the keeper again"
)


class TreeState(NamedTuple):
    """A tree in its file: the file's identity, the number of leaves, and their root."""

    file: tuple[int, int]
    size: int
    root: bytes


def identity(path: Path) -> tuple[int, int]:
    """The identity of the file at this path, whatever its content."""
    found = path.stat()
    return found.st_dev, found.st_ino


def standing(tree: TreeFile) -> TreeState:
    """The current state of a tree in its file."""
    return TreeState(identity(tree.path), tree.size, tree.root(tree.size))


class SignedHead(msgspec.Struct, frozen=True):
    """A head that was signed."""

    size: int
    note: str
    days: tuple[str, ...]


class Keeper:
    """The tree of one property, with its proofs and its key."""

    def __init__(self, tree: TreeFile, signer: NoteSigner, store: KeyStore | None = None) -> None:
        self.tree = tree
        self.signer = signer
        self._store = store
        newest = tree.newest
        if newest is not None and (newest.size, newest.root) != (tree.size, tree.root(tree.size)):
            raise TreeTroubleError(f"{tree.path} has {tree.size} leaves whose root is not the signed one: restore it")
        if newest is not None:
            self._heads_key(newest.size)
        self._written = standing(tree)

    @property
    def origin(self) -> str:
        """The name of the tree, which is the property's."""
        return self.key.name

    @property
    def key(self) -> NoteKey:
        """The property's current key."""
        return self.signer.key

    def public(self) -> bytes:
        """The public key as 32 bytes."""
        return self.key.public

    def sign(self, words: bytes) -> bytes:
        """Return the property's signature over these words."""
        return self.signer.sign(words)

    def rotations(self) -> list[str]:
        """The signed notes that name the property's keys, the first one first."""
        return self.tree.key_notes

    def sizes(self) -> list[int]:
        """The sizes of all checkpoints."""
        return self.tree.sizes

    def note(self, size: int) -> str:
        """The signed note of a checkpoint, with the cosignatures received so far."""
        return self.tree.note(size)

    def head(self, size: int) -> CheckedHead:
        """The parsed head of a checkpoint."""
        return head_of(self.note(size), self._heads_key(size), verify)

    def closes(self) -> dict[int, tuple[str, ...]]:
        """The checkpoints that close days of the property, with the days."""
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
        """The roots of the complete subtrees over the first leaves, the largest first."""
        levels = [level for level in reversed(range(size.bit_length())) if size >> level & 1]
        return [self.tree.node(level, (size >> level) - 1).hex() for level in levels]

    def consistency(self, old: int, new: int) -> list[str]:
        """The consistency path from one size to a later one."""
        return [step.hex() for step in consistency(self.tree.node, old, new)]

    def shown(self, size: int, since: int) -> ShownHead:
        """A checkpoint for a witness that has seen the one of another size."""
        return ShownHead(since, tuple(consistency(self.tree.node, since, size)), self.note(size))

    def gatherers(self, sources: Sequence[TreeSource]) -> list[Gatherer]:
        """A gatherer for each source, from the position the tree has reached."""
        return [Gatherer(source, self.tree, self.tree.positions(source.kind)) for source in sources]

    def checkpoint(self, gatherers: Sequence[Gatherer], now: int, *, clock_is_right: bool = False) -> SignedHead | None:
        """Add the ready stretches and sign the head; return None if nothing is new."""
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
            self.tree.put("checkpoint.1", ShownHead(since, path, note).text.encode())
        self._written = standing(self.tree)
        for one in gatherers:
            one.done()
        return SignedHead(self.tree.size, note, days)

    def _own_tree(self) -> TreeFile:
        """The tree, after a check that its file still holds what this process wrote: a backup may have replaced it."""
        path, written = self.tree.path, self._written
        try:
            found = TreeState(identity(path), 0, b"")
            if found.file == written.file:  # another file is not opened: it would be read with this one's journal
                with closing(TreeFile(path)) as tree:
                    found = standing(tree)
        except (OSError, sqlite3.Error, TreeTroubleError) as error:
            why = (error.strerror if isinstance(error, OSError) else "") or error
            raise TreeTroubleError(f"{path} can no longer be read: {why}. {_PUT_BACK}") from error
        if found.file == written.file and found.size > written.size:
            says = f"{path} has {found.size} leaves, but this keeper knows {written.size}: another keeper added some"
            raise TreeTroubleError(f"{says}. Nothing was signed. {_ONE_KEEPER}")
        if found != written:
            what = f"has {found.size} leaves" if found.file == written.file else "is a different file"
            says = f"{path} {what}, but this keeper wrote {written.size} leaves into it: the file was replaced"
            raise TreeTroubleError(f"{says} while it was running. {_PUT_BACK}")
        return self.tree

    def _require_uncovered(self, stretch: Stretch) -> None:
        """Refuse a stretch over a record that is already in the tree: two leaves over one record are a fork."""
        if self.tree.covers_any(stretch.kind, stretch.stream, stretch.first, stretch.last):
            says = f"records {stretch.first} to {stretch.last} of {stretch.stream}, or some of them, are in the tree"
            says += " already: another keeper added them. Nothing was signed"
            raise TreeTroubleError(f"{says}. {_ONE_KEEPER}")

    def _newest_key(self) -> None:
        """Switch to the newest key if the key was rotated while this keeper was running."""
        if self._store is not None and self.tree.key != self.signer.key:
            self.signer = _signer(self.tree, self._store)

    def _signed(self, now: int, days: Sequence[str]) -> str:
        """The signed current head. Its time never goes back, whatever this machine's clock does."""
        time = max(time_of(now), self.tree.last_time)
        more = (f"time {time}", *(f"day {day}" for day in days))
        head = Checkpoint(self.origin, self.tree.size, self.tree.root(self.tree.size), more)
        return signed_note(head.text, self.key, self.sign).stored

    def rotate(self, store: KeyStore, now: int) -> KeyRotation:
        """Switch to a new key; both keys sign the note that says so."""
        before, number = self.signer, len(self.tree.keys) + 1
        signer = made(store, self.origin, number)
        told = KeyRotation(signer.key, self.tree.size, time_of(now), before.key)
        words = told.text.encode()
        note = signed_by_all(told, [(before.key, before.sign(words)), (signer.key, signer.sign(words))])
        with self._alone(), self.tree.growing():
            self.tree.put("key.1", note.stored.encode())
        self.signer = signer
        return told

    def take_cosigned(self, text: str, witness: NoteKey) -> int:
        """Store a witness's signature that came back with a checkpoint; return that checkpoint's size."""
        note = parsed_note(text)
        size = parsed_checkpoint(note.text).size
        if witness.kind != COSIGNED or witness not in check(note, [witness], verify):
            raise BadNoteError(f"it has no cosignature by {witness.text}")
        if witness.name == self.origin:
            raise BadNoteError(f"{witness.name} is this property's name: a witness needs a different name")
        if witness in check(parsed_note(self.note(size)), [witness], verify):
            return size  # the witness checked again what it had signed
        ours = tuple(each for each in note.signatures if (each.name, each.key_id) == (witness.name, witness.id))
        with self._alone(), self.tree.growing():
            self.tree.put("cosignature.1", msgspec.structs.replace(note, signatures=ours).stored.encode())
        return size

    def _heads_key(self, size: int) -> NoteKey:
        """The key that signed a checkpoint: the newest one registered at a smaller size."""
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
        """Hold the tree while it grows or is copied with the record."""
        with held_still(self.tree.path.parent.parent):
            yield


@contextmanager
def open_keeper(folder: Path) -> Iterator[Keeper]:
    """The keeper of the record with files in this folder; its key is opened when it first signs."""
    with closing(TreeFile(folder / TREE_FILE)) as tree:
        store = KeyStore(folder / KEYS)
        yield Keeper(tree, _signer(tree, store), store)


def begin(folder: Path, origin: str, now: int) -> KeyRotation:
    """Make the property's first key and an empty tree."""
    file, store = folder / TREE_FILE, KeyStore(folder / KEYS)
    if file.exists():
        raise TreeTroubleError(f"{file} already exists: replace the key with catwalk checkpoint key rotate")
    signer = made(store, checked_name(origin))
    told = KeyRotation(signer.key, 0, time_of(now))
    note = signed_by_all(told, [(signer.key, signer.sign(told.text.encode()))])
    with laid(file) as tree:
        tree.put("key.1", note.stored.encode())
    return told


def time_of(at: int) -> str:
    """A moment in the form of a checkpoint, in whole seconds."""
    return f"{(_EPOCH + timedelta(seconds=at // 1_000_000)).isoformat().removesuffix('+00:00')}Z"


def _signer(tree: TreeFile, store: KeyStore) -> FileSigner:
    return FileSigner(store, tree.key, len(tree.keys))


def _order(stretch: Stretch) -> tuple[int, str, int]:
    return KINDS.index(stretch.kind), stretch.stream, stretch.first
