"""What a witness is shown, and whether it goes on from what it saw; what contradicts it is proof for everybody.

A head is shown as C2SP's witnesses are asked: `old` and the size they saw, the path of consistency in base64 a line
each, an empty line, and the signed note. A refusal holds both notes and that path, so that anyone who has the
property's key comes to the same answer without the witness.
"""

import base64
import binascii
from collections.abc import Collection
from typing import Literal, get_args

import msgspec

from domain.ledger.checkpoint import (
    BadNoteError,
    Checkpoint,
    Key,
    Verify,
    check,
    is_size,
    parsed_checkpoint,
    parsed_key,
    parsed_note,
)
from domain.ledger.tree import BadProofError, check_consistency

_OLD, _TIME, _DAY = "old ", "time ", "day "

Reason = Literal["split-view", "shrunk", "closed-twice", "old-head", "not-consistent"]
# What the two signatures prove by themselves; of the others one is proved only as long as no path is shown.
BY_SIGNATURES: frozenset[Reason] = frozenset({"split-view", "shrunk", "closed-twice"})


class Shown(msgspec.Struct, frozen=True):
    """A head as it is shown to a witness: from which size the path comes, the path, and the note."""

    old: int
    path: tuple[bytes, ...]
    note: str

    @property
    def text(self) -> str:
        """As it is written down."""
        steps = "".join(f"{base64.b64encode(step).decode()}\n" for step in self.path)
        return f"{_OLD}{self.old}\n{steps}\n{self.note}"


class Head(msgspec.Struct, frozen=True):
    """A checkpoint whose signature by the property was checked, with what our own lines say."""

    checkpoint: Checkpoint
    time: str
    days: tuple[str, ...]


class Refused(msgspec.Struct, frozen=True):
    """Why a head is refused, with all that anyone needs to find the same: it is written down as JSON."""

    reason: Reason
    says: str
    key: str  # of the property, as text
    seen: str  # the note the witness saw before
    shown: str  # what it was shown then
    seen_key: str = ""  # the property's key of the note that was seen, where another has taken its place

    def __post_init__(self) -> None:
        """Nobody takes another word for a reason."""
        if self.reason not in get_args(Reason):
            raise BadNoteError(f"{self.reason!r} is no reason to refuse a head")


def parsed_shown(text: str) -> Shown:
    """The head this text shows; a note alone comes from nowhere, and so does one with no path."""
    if not text.startswith(_OLD):
        return Shown(0, (), text)
    lines, between, note = text.partition("\n\n")
    old, *steps = lines.split("\n")
    size = old.removeprefix(_OLD)
    if not between or not is_size(size):
        raise BadNoteError("a head is shown with the size it comes from, a path, an empty line and the note")
    try:
        path = tuple(base64.b64decode(step, validate=True) for step in steps)
    except (binascii.Error, ValueError) as error:
        raise BadNoteError("a step of the path is not base64") from error
    return Shown(int(size), path, note)


def head_of(note: str, key: Key, verify: Verify) -> Head:
    """The head a note tells, once the property is found to have signed it."""
    read = parsed_note(note)
    if key not in check(read, [key], verify):
        raise BadNoteError(f"it is not signed by {key.text}")
    found = parsed_checkpoint(read.text)
    if found.origin != key.name:
        raise BadNoteError(f"it is of the tree {found.origin}, and the key is of {key.name}")
    time = next((line.removeprefix(_TIME) for line in found.more if line.startswith(_TIME)), "")
    return Head(found, time, tuple(line.removeprefix(_DAY) for line in found.more if line.startswith(_DAY)))


def judged(
    seen: str, shown: Shown, key: Key, verify: Verify, seen_key: Key | None = None, *, path_due: bool = False
) -> Refused | None:
    """Whether a head goes on from the one that was seen; if not, why. A note that is none raises, and proves nothing.

    `seen_key` is the property's key of then, where another has taken its place since. A head without a path from what
    was seen raises as well, unless one was due.
    """
    before, now = head_of(seen, seen_key or key, verify), head_of(shown.note, key, verify)
    old, new = before.checkpoint, now.checkpoint

    def refused(reason: Reason, says: str) -> Refused:
        return Refused(reason, says, key.text, seen, shown.text, seen_key.text if seen_key and seen_key != key else "")

    if old.size == new.size and old.root != new.root:
        return refused("split-view", f"two trees of {old.size} leaves have two roots, and both heads are signed")
    smaller, larger = sorted((before, now), key=lambda head: head.checkpoint.size)
    if smaller.checkpoint.size < larger.checkpoint.size and smaller.time > larger.time:
        says = f"the tree had {larger.checkpoint.size} leaves at {larger.time}"
        return refused("shrunk", f"{says}, and {smaller.checkpoint.size} at {smaller.time}")
    if old.size != new.size and (twice := sorted({*before.days} & {*now.days})):
        return refused("closed-twice", f"{twice[0]} is closed by a head of {old.size} leaves and by one of {new.size}")
    if new.size < old.size:
        return refused("old-head", f"it is of {new.size} leaves and of {now.time}: {old.size} were seen before")
    if old.size == new.size:
        return None
    if shown.old != old.size:
        if path_due:
            return refused("not-consistent", f"no path from {old.size} leaves to {new.size} is there")
        says = f"it is shown with a path from {shown.old} leaves, and {old.size} were seen"
        raise BadNoteError(f"{says}: ask for the path from there")
    try:
        check_consistency(old.size, new.size, old.root, new.root, shown.path)
    except BadProofError as error:
        return refused("not-consistent", f"no path leads from {old.size} leaves to {new.size}: {error}")
    return None


def found_again(refused: Refused, verify: Verify, trusted: Collection[Key] = ()) -> Refused | None:
    """What anyone finds who looks at a refusal again; by keys they have from elsewhere, or by those that are in it."""
    key, before = parsed_key(refused.key), parsed_key(refused.seen_key or refused.key)
    if trusted and not {key, before} <= set(trusted):
        raise BadNoteError(f"the heads in it are signed by {key.text}, which is not the key you trust")
    return judged(refused.seen, parsed_shown(refused.shown), key, verify, before, path_due=True)
