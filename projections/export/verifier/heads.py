"""Earlier heads of the tree, each signed, and the checkpoint going on from each of them."""

from __future__ import annotations

from projections.export.verifier.container import Export
from projections.export.verifier.keys import PropertyKeys
from projections.export.verifier.notes import Head, head_of
from projections.export.verifier.places import CHECKPOINT, EARLIER
from projections.export.verifier.texts import hashes, laid_down, parsed
from projections.export.verifier.trees import check_growth
from projections.export.verifier.trouble import AlteredError, UnreadableError, altered
from projections.export.verifier.verdict import Tally

Heads = dict[int, tuple[bytes, str]]  # by size of the tree: its root, and when it was


def earlier_heads(export: Export, keys: PropertyKeys, head: Head) -> Heads:
    """Every head that is told of, the newest, which is the checkpoint's, first and then the others by size."""
    heads, before = {head.size: (head.root, head.time)}, 0
    for line in export.lines(EARLIER):
        with altered(EARLIER, line, "it is not written as an earlier checkpoint is"):
            said = parsed(line.text)
            if laid_down({"note": said["note"], "consistency": said["consistency"]}).encode() != line.text:
                raise ValueError
            old = head_of(said["note"])
            if old.origin != head.origin or not old.note.signed(keys.at(old.size)):
                raise ValueError("the property's key has not signed it")
            check_growth(old.size, head.size, old.root, head.root, hashes(said["consistency"]))
            if not before < old.size < head.size or old.time > head.time:
                raise ValueError("it is no earlier one, or not in its order")
        before, heads[old.size] = old.size, (old.root, old.time)
    return heads


def check_earlier(export: Export, keys: PropertyKeys, head: Head, held: str, tally: Tally) -> Heads:
    """The earlier heads, and the one that whoever verifies holds, if any."""
    heads = earlier_heads(export, keys, head)
    earlier = [time for size, (_, time) in heads.items() if size != head.size]
    if earlier:
        tally.proves(f"goes on from {len(earlier)} earlier checkpoints, the first of {earlier[0]}")
    if held:
        _compare_held(held, keys, head, heads, tally)
    return heads


def _compare_held(stored: str, keys: PropertyKeys, head: Head, heads: Heads, tally: Tally) -> None:
    """Against a checkpoint that whoever verifies has from elsewhere."""
    try:
        held = head_of(stored)
        good = held.origin == head.origin and held.note.signed(keys.at(held.size))
    except ValueError as error:
        raise UnreadableError(f"the checkpoint given with --checkpoint is none: {error}") from error
    if not good:
        raise UnreadableError("the checkpoint given with --checkpoint is not signed by this property")
    if held.size > head.size:
        says = f"an older checkpoint of size {head.size} was put in: the one you have, of {held.time}, has"
        raise AlteredError(f"{says} size {held.size}", CHECKPOINT)
    if held.size not in heads:
        tally.leaves_open(f"that it goes on from the checkpoint given from outside, of {held.time}")
        return
    if heads[held.size][0] != held.root:
        says = f"two heads of one record: the checkpoint you have, of size {held.size}, has another root"
        raise AlteredError(says, CHECKPOINT if held.size == head.size else EARLIER)
    tally.proves(f"goes on from the checkpoint given from outside, of {held.time}")
