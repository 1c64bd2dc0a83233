"""Notes about the property's key: one signed note for the first key, and one for each replacement.

The first is signed by itself alone, so a checker must have it from elsewhere. Each later key is signed by itself
and by the key it replaces, so trust in the old key extends to the new one.
"""

from collections.abc import Iterable

import msgspec

from domain.ledger.checkpoint import BadNoteError, Note, NoteKey, Signature, Verify, check, parsed_key, parsed_note

_KEY, _BEFORE, _FROM, _TIME = "key ", "instead of ", "from size ", "time "


class KeyRotation(msgspec.Struct, frozen=True):
    """A key of the property, the key it replaces, and the tree size from which it signs."""

    key: NoteKey
    size: int
    time: str
    before: NoteKey | None = None

    @property
    def text(self) -> str:
        """The text that is signed."""
        before = [f"{_BEFORE}{self.before.text}"] if self.before else []
        lines = [self.key.name, f"{_KEY}{self.key.text}", *before, f"{_FROM}{self.size}", f"{_TIME}{self.time}"]
        return "".join(f"{line}\n" for line in lines)


def parsed_told(text: str) -> KeyRotation:
    """Return the key announced in a note's text."""
    lines = text.split("\n")
    before = next((line for line in lines if line.startswith(_BEFORE)), None)
    size = next((line for line in lines if line.startswith(_FROM)), "").removeprefix(_FROM)
    key = next((line for line in lines if line.startswith(_KEY)), "").removeprefix(_KEY)
    time = next((line for line in lines if line.startswith(_TIME)), "").removeprefix(_TIME)
    if not (size.isascii() and size.isdigit()):
        raise BadNoteError("this note does not announce a key of the property")
    found = KeyRotation(parsed_key(key), int(size), time, parsed_key(before.removeprefix(_BEFORE)) if before else None)
    if found.text != text or (found.before is not None and found.before.name != found.key.name):
        raise BadNoteError("this note about a key is not in canonical form")
    return found


def told_by(stored: str, verify: Verify) -> KeyRotation:
    """Return the key announced in a note, after checking that all required keys have signed it."""
    note = parsed_note(stored)
    found = parsed_told(note.text)
    must = {found.key} | ({found.before} if found.before else set())
    if set(check(note, must, verify)) != must:
        raise BadNoteError("a signature is missing: that key and the key before it must both sign")
    return found


def followed(trusted: NoteKey, notes: Iterable[str], verify: Verify) -> list[KeyRotation]:
    """Return the keys that follow a trusted one, each announced by the one before; skip notes about other keys."""
    found: list[KeyRotation] = []
    newest = trusted
    for stored in notes:
        told = told_by(stored, verify)
        if told.before == newest:
            found.append(told)
            newest = told.key
    return found


def key_at(size: int, first: NoteKey, later: Iterable[KeyRotation]) -> NoteKey:
    """Return the key that signs a head of this size; an old key signs nothing beyond the size where it was replaced."""
    return next((told.key for told in reversed(list(later)) if told.size < size), first)


def signed_by_all(told: KeyRotation, signers: Iterable[tuple[NoteKey, bytes]]) -> Note:
    """Return the note with these signatures."""
    return Note(told.text, tuple(Signature(key.name, key.id, value) for key, value in signers))
