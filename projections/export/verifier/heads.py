"""Earlier heads of the tree: each is signed, the checkpoint continues each of them, and who from outside saw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from projections.export.verifier.container import Export
from projections.export.verifier.keys import PropertyKeys
from projections.export.verifier.notes import Head, Key, given_head, head_of
from projections.export.verifier.places import CHECKPOINT, EARLIER
from projections.export.verifier.texts import hashes, laid_down, parsed
from projections.export.verifier.trees import check_growth
from projections.export.verifier.trouble import AlteredError, UnreadableError, altered

Heads = dict[int, Head]  # by size of the tree


class Saw(NamedTuple):
    """An outsider who saw a head, and when."""

    who: str
    time: str


def earlier_heads(export: Export, keys: PropertyKeys, head: Head) -> Heads:
    """Return every head in the export: the checkpoint's first, then the earlier ones by size."""
    heads, before = {head.size: head}, ""
    last = 0
    for line in export.lines(EARLIER):
        with altered(EARLIER, line, "it is not written like an earlier checkpoint"):
            said = parsed(line.text)
            if laid_down({"note": said["note"], "consistency": said["consistency"]}).encode() != line.text:
                raise ValueError
            old = head_of(said["note"])
            if old.origin != head.origin or not old.note.signed(keys.at(old.size)):
                raise ValueError("it is not signed with the property's key")
            check_growth(old.size, head.size, old.root, head.root, hashes(said["consistency"]))
            if not last < old.size < head.size:
                raise ValueError("it is not an earlier one, or is out of order")
            if not before <= old.time <= head.time:
                raise ValueError(f"its time, {old.time}, is not between the times of the heads before and after it")
        last, before, heads[old.size] = old.size, old.time, old
    return heads


def check_cosigners(heads: Heads, head: Head, told: dict[str, list[int]]) -> None:
    """Check that earlier heads have exactly the cosignatures that the question names."""
    found: dict[str, list[int]] = {}
    for size, old in heads.items():
        for name in old.note.cosigners(head.origin) if size != head.size else ():
            found.setdefault(name, []).append(size)
    if found != told:
        says = "the earlier heads have different cosignatures than the question names"
        raise AlteredError(says, EARLIER)


class Seen:
    """The heads that an outsider saw: a witness whose key was given, or the verifying person with a checkpoint."""

    def __init__(self, heads: Heads, newest: int, witnesses: Sequence[Key], held: Held | None) -> None:
        self.heads, self.newest, self.held = heads, newest, held.head if held else None
        self.held_used, self.held_useless = (held.goes_on, held.useless) if held else (False, "")
        self.by_size: dict[int, list[Saw]] = {}
        self.used: set[Key] = set()
        for size, head in heads.items():
            for witness in witnesses:
                with altered(CHECKPOINT if size == newest else EARLIER, None, ""):
                    name, at = head.note.cosigned(witness)
                if at:
                    self.by_size.setdefault(size, []).append(Saw(name, at))
                    self.used.add(witness)

    def at(self, size: int) -> list[Saw]:
        """Return who saw the head of this size or a later one that continues it, the earliest first."""
        saw = [each for of, found in self.by_size.items() if of >= size for each in found]
        if self.held is not None and self.held_used and self.held.size >= size:
            saw.append(Saw("you, with the checkpoint you gave", self.held.time))
        return sorted(saw, key=lambda each: each.time)

    def compare_held(self, size: int, root: bytes) -> None:
        """Compare the checkpoint of the verifying person with the root of the tree at its size."""
        if self.held is None or self.held.size != size:
            return
        if self.held.root != root:
            says = f"two heads of one record: the checkpoint you gave, of size {size}, has a different root"
            raise AlteredError(says, CHECKPOINT if size == self.newest else EARLIER)
        self.held_used = True


class Held(NamedTuple):
    """The checkpoint of the verifying person, from another source than the export."""

    head: Head
    goes_on: bool = False  # True if it is newer than the export's and proved to continue it
    useless: str = ""  # why it cannot be used and what to do, if that is known already


def held_head(stored: str, keys: PropertyKeys, heads: Heads, newest: Head) -> Held | None:
    """Return the checkpoint from outside, checked to be the property's and in time with the other heads."""
    if not stored:
        return None
    try:
        given = given_head(stored)
        held = head_of(given.note)
        good = held.origin == newest.origin and held.note.signed(keys.at(held.size))
    except ValueError as error:
        raise UnreadableError(f"the file given with --checkpoint is not a checkpoint: {error}") from error
    newer = held.origin == newest.origin and held.size > newest.size
    if not good and newer:
        says = f"it is newer than the export's, of {newest.size}, and signed with no key in the export: the"
        says += " property may have a new key. Ask for an export bound to it, or give an earlier checkpoint"
        return Held(held, useless=says)
    if not good:
        raise UnreadableError("the checkpoint given with --checkpoint is not signed by this property")
    _check_times(held, heads, newest)
    if not newer:
        return Held(held)
    useless = _why_not_from(newest, held, given.since, given.path)
    return Held(held, goes_on=not useless, useless=useless)


def _why_not_from(newest: Head, held: Head, since: int, path: Sequence[bytes]) -> str:
    """Return why a newer checkpoint is not proved to continue the export's, and what to do; or an empty text."""
    ask = f"catwalk checkpoint show {held.size} --since {newest.size} --out FILE, and give that file with --checkpoint"
    ask = f"Ask the property to run: {ask}; or ask for an export bound to the checkpoint you gave"
    if not since:
        return f"it is newer than the export's, of {newest.size}, and came without a proof. {ask}"
    if since != newest.size:
        return f"its proof begins at {since} leaves, but the export has {newest.size}. {ask}"
    try:
        check_growth(newest.size, held.size, newest.root, held.root, path)
    except ValueError as error:
        says = f"its proof is invalid ({error}): the proof is wrong, or the property keeps two"
        return f"{says} records. {ask}. If the property cannot, the export and the checkpoint are of different records"
    return ""


def _check_times(held: Head, heads: Heads, newest: Head) -> None:
    """Raise unless the time of a checkpoint lies between those of the heads of smaller and larger trees."""
    for size, head in heads.items():
        if (size < held.size and head.time > held.time) or (size > held.size and head.time < held.time):
            says = (
                f"the head of {size} leaves is dated {head.time}, the checkpoint you gave, of {held.size}, {held.time}"
            )
            raise AlteredError(f"{says}: one of the dates is wrong", CHECKPOINT if head is newest else EARLIER)
