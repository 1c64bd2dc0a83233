"""Earlier heads of the tree, each signed, and the checkpoint going on from each of them; and who else saw a head."""

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
    """That somebody from outside saw a head: who, and when."""

    who: str
    time: str


def earlier_heads(export: Export, keys: PropertyKeys, head: Head) -> Heads:
    """Every head that is told of, the newest, which is the checkpoint's, first and then the others by size."""
    heads, before = {head.size: head}, ""
    last = 0
    for line in export.lines(EARLIER):
        with altered(EARLIER, line, "it is not written as an earlier checkpoint is"):
            said = parsed(line.text)
            if laid_down({"note": said["note"], "consistency": said["consistency"]}).encode() != line.text:
                raise ValueError
            old = head_of(said["note"])
            if old.origin != head.origin or not old.note.signed(keys.at(old.size)):
                raise ValueError("the property's key has not signed it")
            check_growth(old.size, head.size, old.root, head.root, hashes(said["consistency"]))
            if not last < old.size < head.size:
                raise ValueError("it is no earlier one, or not in its order")
            if not before <= old.time <= head.time:
                raise ValueError(f"its time, {old.time}, is not between those of the heads before and behind it")
        last, before, heads[old.size] = old.size, old.time, old
    return heads


def check_cosigners(heads: Heads, head: Head, told: dict[str, list[int]]) -> None:
    """The cosignatures of earlier heads are those that the question names: none was taken off or put on."""
    found: dict[str, list[int]] = {}
    for size, old in heads.items():
        for name in old.note.cosigners(head.origin) if size != head.size else ():
            found.setdefault(name, []).append(size)
    if found != told:
        says = "the question names other cosignatures than earlier heads have"
        raise AlteredError(says, EARLIER)


class Seen:
    """Which heads somebody saw whom whoever verifies knows: witnesses by their keys, and the checkpoint they hold."""

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
        """Who saw the head of this size, or a later one, which goes on from it; the earliest first."""
        saw = [each for of, found in self.by_size.items() if of >= size for each in found]
        if self.held is not None and self.held_used and self.held.size >= size:
            saw.append(Saw("you, who hold a checkpoint", self.held.time))
        return sorted(saw, key=lambda each: each.time)

    def compare_held(self, size: int, root: bytes) -> None:
        """The checkpoint that whoever verifies holds, beside the root that the tree here has at its size."""
        if self.held is None or self.held.size != size:
            return
        if self.held.root != root:
            says = f"two heads of one record: the checkpoint you have, of size {size}, has another root"
            raise AlteredError(says, CHECKPOINT if size == self.newest else EARLIER)
        self.held_used = True


class Held(NamedTuple):
    """The checkpoint that whoever verifies has from elsewhere."""

    head: Head
    goes_on: bool = False  # whether it is newer than the export's and proved to go on from that
    useless: str = ""  # why it is of no use, where that is known already, and what to do


def held_head(stored: str, keys: PropertyKeys, heads: Heads, newest: Head) -> Held | None:
    """The checkpoint that whoever verifies has from elsewhere: the property's, and in time among the others."""
    if not stored:
        return None
    try:
        given = given_head(stored)
        held = head_of(given.note)
        good = held.origin == newest.origin and held.note.signed(keys.at(held.size))
    except ValueError as error:
        raise UnreadableError(f"the checkpoint given with --checkpoint is none: {error}") from error
    newer = held.origin == newest.origin and held.size > newest.size
    if not good and newer:
        says = f"it is newer than the export's, of {newest.size}, and signed by no key that the export tells of: the"
        says += " property may have another key since. Ask for an export bound to it, or give a checkpoint of before"
        return Held(held, useless=says)
    if not good:
        raise UnreadableError("the checkpoint given with --checkpoint is not signed by this property")
    _check_times(held, heads, newest)
    if not newer:
        return Held(held)
    useless = _why_not_from(newest, held, given.since, given.path)
    return Held(held, goes_on=not useless, useless=useless)


def _why_not_from(newest: Head, held: Head, since: int, path: Sequence[bytes]) -> str:
    """Why a newer checkpoint is not proved to go on from the export's, and what to do; nothing where it is proved."""
    ask = f"catwalk checkpoint show {held.size} --since {newest.size} --out FILE, and give that file with --checkpoint"
    ask = f"Ask the property for what this writes: {ask}; or ask for an export bound to the checkpoint you have"
    if not since:
        return f"it is newer than the export's, of {newest.size}, and no proof came with it. {ask}"
    if since != newest.size:
        return f"the proof that came with it leads from {since} leaves, and the export has {newest.size}. {ask}"
    try:
        check_growth(newest.size, held.size, newest.root, held.root, path)
    except ValueError as error:
        says = f"the proof that came with it does not hold ({error}): it is a wrong proof, or the property keeps two"
        return f"{says} records. {ask}. If the property cannot, the export is of another record than your checkpoint"
    return ""


def _check_times(held: Head, heads: Heads, newest: Head) -> None:
    """Raises unless the time of a checkpoint lies between those of the heads of smaller and larger trees."""
    for size, head in heads.items():
        if (size < held.size and head.time > held.time) or (size > held.size and head.time < held.time):
            says = (
                f"the head of {size} leaves says {head.time}, and the checkpoint you have, of {held.size}, {held.time}"
            )
            raise AlteredError(f"{says}: one of them is dated wrongly", CHECKPOINT if head is newest else EARLIER)
