"""The check whether a head extends the one a witness saw; a contradiction is proof for everyone.

A head is submitted as C2SP's witnesses expect: `old` and the size they saw, the consistency path in base64, one hash a
line, an empty line, and the signed note. A refusal holds both notes and that path, so anyone with the property's key
reaches the same verdict without the witness.
"""

import base64
import binascii
from collections.abc import Collection
from typing import Literal, get_args

import msgspec

from domain.ledger.checkpoint import (
    BadNoteError,
    Checkpoint,
    NoteKey,
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
# The two signatures alone prove these reasons. Of the others, one is proved only while no path is submitted.
BY_SIGNATURES: frozenset[Reason] = frozenset({"split-view", "shrunk", "closed-twice"})


class ShownHead(msgspec.Struct, frozen=True):
    """A head as submitted to a witness: the size the path starts from, the path, and the note."""

    old: int
    path: tuple[bytes, ...]
    note: str

    @property
    def text(self) -> str:
        """The text in which it is stored."""
        steps = "".join(f"{base64.b64encode(step).decode()}\n" for step in self.path)
        return f"{_OLD}{self.old}\n{steps}\n{self.note}"


class CheckedHead(msgspec.Struct, frozen=True):
    """A checkpoint with a checked signature of the property, and the content of its extension lines."""

    checkpoint: Checkpoint
    time: str
    days: tuple[str, ...]


class WitnessRefusal(msgspec.Struct, frozen=True):
    """A refusal of a head, with everything anyone needs to reach the same verdict; stored as JSON."""

    reason: Reason
    says: str
    key: str  # of the property, as text
    seen: str  # the note the witness saw before
    shown: str  # what was submitted to it this time
    seen_key: str = ""  # the property's key of the earlier note, if another has replaced it

    def __post_init__(self) -> None:
        """Raise an error for a word that is not a reason."""
        if self.reason not in get_args(Reason):
            raise BadNoteError(f"{self.reason!r} is not a reason to refuse a head")


def parsed_shown(text: str) -> ShownHead:
    """Return the head submitted in this text; a note alone has no starting size and no path."""
    if not text.startswith(_OLD):
        return ShownHead(0, (), text)
    lines, between, note = text.partition("\n\n")
    old, *steps = lines.split("\n")
    size = old.removeprefix(_OLD)
    if not between or not is_size(size):
        raise BadNoteError("a submitted head has a first line with the old size, a path, an empty line and the note")
    try:
        path = tuple(base64.b64decode(step, validate=True) for step in steps)
    except (binascii.Error, ValueError) as error:
        raise BadNoteError("a step of the path is not base64") from error
    return ShownHead(int(size), path, note)


def head_of(note: str, key: NoteKey, verify: Verify) -> CheckedHead:
    """Return the head in a note, after checking that the property signed it."""
    read = parsed_note(note)
    if key not in check(read, [key], verify):
        raise BadNoteError(f"it is not signed by {key.text}")
    found = parsed_checkpoint(read.text)
    if found.origin != key.name:
        raise BadNoteError(f"it is of the tree {found.origin}, but the key is of {key.name}")
    time = next((line.removeprefix(_TIME) for line in found.more if line.startswith(_TIME)), "")
    return CheckedHead(found, time, tuple(line.removeprefix(_DAY) for line in found.more if line.startswith(_DAY)))


def judged(
    seen: str,
    shown: ShownHead,
    key: NoteKey,
    verify: Verify,
    seen_key: NoteKey | None = None,
    *,
    path_due: bool = False,
) -> WitnessRefusal | None:
    """Return why a head does not extend the one seen, or None if it does; raise if a note is invalid.

    `seen_key` is the property's key at that time, if another has replaced it. A head without a path from the one seen
    also raises an error, unless a path was due.
    """
    before, now = head_of(seen, seen_key or key, verify), head_of(shown.note, key, verify)
    old, new = before.checkpoint, now.checkpoint

    def refused(reason: Reason, says: str) -> WitnessRefusal:
        return WitnessRefusal(
            reason, says, key.text, seen, shown.text, seen_key.text if seen_key and seen_key != key else ""
        )

    if old.size == new.size and old.root != new.root:
        return refused("split-view", f"two trees of {old.size} leaves have different roots, and both heads are signed")
    smaller, larger = sorted((before, now), key=lambda head: head.checkpoint.size)
    if smaller.checkpoint.size < larger.checkpoint.size and smaller.time > larger.time:
        says = f"the tree had {larger.checkpoint.size} leaves at {larger.time}"
        return refused("shrunk", f"{says}, but only {smaller.checkpoint.size} at {smaller.time}")
    if old.size != new.size and (twice := sorted({*before.days} & {*now.days})):
        return refused("closed-twice", f"{twice[0]} is closed twice, by heads of {old.size} and {new.size} leaves")
    if new.size < old.size:
        return refused("old-head", f"it has {new.size} leaves at {now.time}, but {old.size} were seen before")
    if old.size == new.size:
        return None
    if shown.old != old.size:
        if path_due:
            return refused("not-consistent", f"it has no path from {old.size} leaves to {new.size}")
        says = f"its path starts at {shown.old} leaves, but {old.size} were seen"
        raise BadNoteError(f"{says}: ask for the path from there")
    try:
        check_consistency(old.size, new.size, old.root, new.root, shown.path)
    except BadProofError as error:
        return refused("not-consistent", f"no path leads from {old.size} leaves to {new.size}: {error}")
    return None


def found_again(refused: WitnessRefusal, verify: Verify, trusted: Collection[NoteKey] = ()) -> WitnessRefusal | None:
    """Return the verdict on a stored refusal, computed again with given keys or with those stored in it."""
    key, before = parsed_key(refused.key), parsed_key(refused.seen_key or refused.key)
    if trusted and not {key, before} <= set(trusted):
        raise BadNoteError(f"the heads in it are signed by {key.text}, which is not the key you trust")
    return judged(refused.seen, parsed_shown(refused.shown), key, verify, before, path_due=True)
