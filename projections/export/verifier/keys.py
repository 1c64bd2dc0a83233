"""The property's keys: as a person gives one, and as signed notes register one after the other."""

from __future__ import annotations

import base64
import re
from typing import NamedTuple

from projections.export.verifier.container import Export
from projections.export.verifier.notes import COSIGNED_NOTE, ED25519_NOTE, Key, Note, is_moment, note_of
from projections.export.verifier.places import ROTATIONS
from projections.export.verifier.texts import from_base64, laid_down, parsed
from projections.export.verifier.trouble import AlteredError, Line, altered

SPKI = bytes.fromhex("302a300506032b6570032100")


def key_file(key: Key) -> str:
    """Return `data/keys/property.pub`: the key in the form of notes, then as PEM."""
    named = base64.b64encode(bytes([ED25519_NOTE]) + key.public).decode()
    coded = base64.b64encode(SPKI + key.public).decode()
    line = f"{key.name}+{key.id(ED25519_NOTE).hex()}+{named}"
    return f"{line}\n-----BEGIN PUBLIC KEY-----\n{coded}\n-----END PUBLIC KEY-----\n"


def key_of(text: str) -> Key:
    """Return the given key: in the form of notes (`name+hash+base64`), PEM, base64 or hex, or the first two."""
    word, pem, rest = text.strip().partition("-----BEGIN PUBLIC KEY-----")
    found = {_key_in_a_word(word.strip())} if word.strip() else set()
    if pem:
        raw = from_base64(rest.partition("-----END PUBLIC KEY-----")[0].strip())
        if len(raw) != 44 or not raw.startswith(SPKI):
            raise ValueError("it is not an Ed25519 public key")
        found = found or {Key("", raw[12:])}
        if {key.public for key in found} != {raw[12:]}:
            raise ValueError("it holds two keys")
    if not found:
        raise ValueError("it holds no key")
    return found.pop()


def kind_of(text: str) -> int:
    """Return whether a given key signs notes or cosigns them; 0 if it does not say."""
    named = re.match(r"\s*[^\s+]+\+[0-9a-f]{8}\+(\S+)", text)
    return from_base64(named[1])[0] if named else 0


def _key_in_a_word(word: str) -> Key:
    if re.fullmatch(r"[0-9a-f]{64}", word):
        return Key("", bytes.fromhex(word))
    named = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+(\S+)", word)
    raw = from_base64(named[3] if named else word)
    if named:
        key = Key(named[1], raw[1:])
        if len(raw) != 33 or raw[0] not in (ED25519_NOTE, COSIGNED_NOTE) or key.id(raw[0]).hex() != named[2]:
            raise ValueError("its name, hash and key do not match")
        return key
    if len(raw) != 32:
        raise ValueError("it is not an Ed25519 public key")
    return Key("", raw)


MOST_KEYS = 128


class Told(NamedTuple):
    """A key of the property, the size of the tree from which it signs, and the note that registers it."""

    key: Key
    size: int
    note: Note

    def signed(self, before: Key | None) -> bool:
        """Return whether the note is signed by this key and by the key it replaces."""
        return all(self.note.signed(key) for key in (self.key, before) if key)


def told_of(stored: str, before: Told | None) -> Told:
    """Return the key that a note registers. The signatures are checked later, because they cost more than reading."""
    note = note_of(stored)
    instead = r"instead of (?P<instead>\S+)\n" if before else ""
    words = rf"(?P<name>.+)\nkey (?P<key>\S+)\n{instead}from size (?P<size>0|[1-9][0-9]{{0,14}})\ntime (?P<time>\S+)\n"
    found = re.fullmatch(words, note.text)
    if found is None or not is_moment(found["time"]):
        raise ValueError("it registers no key of the property, or is out of order")
    told = Told(key_of(found["key"]), int(found["size"]), note)
    if before and (key_of(found["instead"]) != before.key or told.size < before.size):
        raise ValueError("it registers a key that replaces a different key")
    if told.key.name != found["name"] or (before and told.key.name != before.key.name):
        raise ValueError("it registers a key under a different name")
    return told


class PropertyKeys:
    """The property's keys in order, as the export lists them; `check` verifies who signed the notes."""

    def __init__(self, export: Export) -> None:
        told: list[Told] = []
        self._lines: list[Line] = []
        for line in export.lines(ROTATIONS):
            with altered(ROTATIONS, line, "it does not register a key"):
                if len(told) == MOST_KEYS:
                    raise ValueError(f"it registers more than {MOST_KEYS} keys")
                said = parsed(line.text)
                if laid_down({"note": said["note"]}).encode() != line.text:
                    raise ValueError
                told.append(told_of(said["note"], told[-1] if told else None))
                self._lines.append(line)
        if not told:
            raise AlteredError("it registers no key", ROTATIONS)
        if len({each.key.public for each in told}) < len(told):
            raise AlteredError("it registers a key twice", ROTATIONS)
        self._told = told

    def check(self) -> None:
        """Check that each note is signed by its key and by the key before it, starting with the newest."""
        before = [None, *(told.key for told in self._told[:-1])]
        for told, key, line in reversed(list(zip(self._told, before, self._lines))):
            with altered(ROTATIONS, line, ""):
                if not told.signed(key):
                    says = "a note about a key must be signed by that key and by the key before it, but this one is not"
                    raise ValueError(says)

    @property
    def newest(self) -> Key:
        """The key that signs now."""
        return self._told[-1].key

    def tells(self, given: Key) -> bool:
        """Return whether the given key is, or was, a key of the property."""
        return any(same_key(given, told.key) for told in self._told)

    def at(self, size: int) -> Key:
        """Return the key that signs a head of this size."""
        return next((told.key for told in reversed(self._told) if told.size < size), self._told[0].key)

    def ended(self, given: Key) -> int | None:
        """Return the size of the tree from which another key replaces the given one; None if none does."""
        following = zip(self._told, self._told[1:])
        return next((later.size for told, later in following if same_key(given, told.key)), None)


def same_key(given: Key, key: Key) -> bool:
    """Return whether a key given from outside is this one; a name, if given, must match too."""
    return given.public == key.public and given.name in ("", key.name)
