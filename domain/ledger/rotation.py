"""The property's key as it is told: a signed note for the first one, and one for each that takes another's place.

The first is signed by itself alone, and whoever checks must have it from elsewhere. Each later one is signed by both
keys, so that whoever trusts the old one comes to the new one without asking anybody.
"""

from collections.abc import Iterable

import msgspec

from domain.ledger.checkpoint import BadNoteError, Key, Note, Signature, Verify, check, parsed_key, parsed_note

_KEY, _BEFORE, _FROM, _TIME = "key ", "instead of ", "from size ", "time "


class Told(msgspec.Struct, frozen=True):
    """A key of the property, whose place it takes, and from which size of the tree on it signs."""

    key: Key
    size: int
    time: str
    before: Key | None = None

    @property
    def text(self) -> str:
        """The text that is signed."""
        before = [f"{_BEFORE}{self.before.text}"] if self.before else []
        lines = [self.key.name, f"{_KEY}{self.key.text}", *before, f"{_FROM}{self.size}", f"{_TIME}{self.time}"]
        return "".join(f"{line}\n" for line in lines)


def parsed_told(text: str) -> Told:
    """What a note's text tells of a key."""
    lines = text.split("\n")
    before = next((line for line in lines if line.startswith(_BEFORE)), None)
    size = next((line for line in lines if line.startswith(_FROM)), "").removeprefix(_FROM)
    key = next((line for line in lines if line.startswith(_KEY)), "").removeprefix(_KEY)
    time = next((line for line in lines if line.startswith(_TIME)), "").removeprefix(_TIME)
    if not (size.isascii() and size.isdigit()):
        raise BadNoteError("this note tells of no key of the property")
    found = Told(parsed_key(key), int(size), time, parsed_key(before.removeprefix(_BEFORE)) if before else None)
    if found.text != text or (found.before is not None and found.before.name != found.key.name):
        raise BadNoteError("this note tells of a key otherwise than such a note is written")
    return found


def told_by(stored: str, verify: Verify) -> Told:
    """What a note tells of a key, once all who must have signed it have."""
    note = parsed_note(stored)
    found = parsed_told(note.text)
    must = {found.key} | ({found.before} if found.before else set())
    if set(check(note, must, verify)) != must:
        raise BadNoteError("a note about a key is signed by that key and by the one before it, and this one is not")
    return found


def followed(trusted: Key, notes: Iterable[str], verify: Verify) -> list[Told]:
    """The keys that came after a trusted one, each told by the one before it; what tells of others is passed over."""
    found: list[Told] = []
    newest = trusted
    for stored in notes:
        told = told_by(stored, verify)
        if told.before == newest:
            found.append(told)
            newest = told.key
    return found


def key_at(size: int, first: Key, later: Iterable[Told]) -> Key:
    """The key that signs a head of this size: an old key signs nothing behind the place where it was replaced."""
    return next((told.key for told in reversed(list(later)) if told.size < size), first)


def signed_by_all(told: Told, signers: Iterable[tuple[Key, bytes]]) -> Note:
    """The note with these signatures."""
    return Note(told.text, tuple(Signature(key.name, key.id, value) for key, value in signers))
