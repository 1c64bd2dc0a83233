"""The property's keys: as somebody gives one, and as signed notes tell of one after the other."""

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
    """`data/keys/property.pub`: the key as notes have it, and the same as PEM."""
    named = base64.b64encode(bytes([ED25519_NOTE]) + key.public).decode()
    coded = base64.b64encode(SPKI + key.public).decode()
    line = f"{key.name}+{key.id(ED25519_NOTE).hex()}+{named}"
    return f"{line}\n-----BEGIN PUBLIC KEY-----\n{coded}\n-----END PUBLIC KEY-----\n"


def key_of(text: str) -> Key:
    """A key as somebody gives it: as notes have it (`name+hash+base64`), PEM, base64 or hex, or the first two."""
    word, pem, rest = text.strip().partition("-----BEGIN PUBLIC KEY-----")
    found = {_key_in_a_word(word.strip())} if word.strip() else set()
    if pem:
        raw = from_base64(rest.partition("-----END PUBLIC KEY-----")[0].strip())
        if len(raw) != 44 or not raw.startswith(SPKI):
            raise ValueError("it is no Ed25519 public key")
        found = found or {Key("", raw[12:])}
        if {key.public for key in found} != {raw[12:]}:
            raise ValueError("two keys stand in it")
    if not found:
        raise ValueError("there is no key in it")
    return found.pop()


def kind_of(text: str) -> int:
    """Whether a key that somebody gives signs notes or cosigns them; 0 where it does not say."""
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
            raise ValueError("its name, hash and key do not belong together")
        return key
    if len(raw) != 32:
        raise ValueError("it is no Ed25519 public key")
    return Key("", raw)


MOST_KEYS = 128


class Told(NamedTuple):
    """A key of the property, from which size of the tree on it signs, and the note that tells so."""

    key: Key
    size: int
    note: Note

    def signed(self, before: Key | None) -> bool:
        """Whether the note is signed by this key, and by the one whose place it takes."""
        return all(self.note.signed(key) for key in (self.key, before) if key)


def told_of(stored: str, before: Told | None) -> Told:
    """The key a note tells of. Who signed it is asked later: that costs more than to read all of them."""
    note = note_of(stored)
    instead = r"instead of (?P<instead>\S+)\n" if before else ""
    words = rf"(?P<name>.+)\nkey (?P<key>\S+)\n{instead}from size (?P<size>0|[1-9][0-9]{{0,14}})\ntime (?P<time>\S+)\n"
    found = re.fullmatch(words, note.text)
    if found is None or not is_moment(found["time"]):
        raise ValueError("it tells of no key of the property, or not behind the one before")
    told = Told(key_of(found["key"]), int(found["size"]), note)
    if before and (key_of(found["instead"]) != before.key or told.size < before.size):
        raise ValueError("it tells of a key that takes another one's place")
    if told.key.name != found["name"] or (before and told.key.name != before.key.name):
        raise ValueError("it tells of a key under another name")
    return told


class PropertyKeys:
    """The property's keys, one after the other, as the export tells of them; `check` looks at who signed that."""

    def __init__(self, export: Export) -> None:
        told: list[Told] = []
        self._lines: list[Line] = []
        for line in export.lines(ROTATIONS):
            with altered(ROTATIONS, line, "it does not tell of a key"):
                if len(told) == MOST_KEYS:
                    raise ValueError(f"it tells of more than {MOST_KEYS} keys")
                said = parsed(line.text)
                if laid_down({"note": said["note"]}).encode() != line.text:
                    raise ValueError
                told.append(told_of(said["note"], told[-1] if told else None))
                self._lines.append(line)
        if not told:
            raise AlteredError("it tells of no key", ROTATIONS)
        if len({each.key.public for each in told}) < len(told):
            raise AlteredError("it tells of a key twice", ROTATIONS)
        self._told = told

    def check(self) -> None:
        """Every note is signed by its key and by the one before; the newest, which signed all the rest, comes first."""
        before = [None, *(told.key for told in self._told[:-1])]
        for told, key, line in reversed(list(zip(self._told, before, self._lines))):
            with altered(ROTATIONS, line, ""):
                if not told.signed(key):
                    says = "a note about a key is signed by that key and by the one before it, and this one is not"
                    raise ValueError(says)

    @property
    def newest(self) -> Key:
        """The one that signs now."""
        return self._told[-1].key

    def tells(self, given: Key) -> bool:
        """Whether the one given is, or was, one of them."""
        return any(same_key(given, told.key) for told in self._told)

    def at(self, size: int) -> Key:
        """The one that signs a head of this size."""
        return next((told.key for told in reversed(self._told) if told.size < size), self._told[0].key)

    def ended(self, given: Key) -> int | None:
        """From which size on another key stands in the place of the one given; nothing where none does."""
        following = zip(self._told, self._told[1:])
        return next((later.size for told, later in following if same_key(given, told.key)), None)


def same_key(given: Key, key: Key) -> bool:
    """Whether the one given from outside is this one; who gives a name means it."""
    return given.public == key.public and given.name in ("", key.name)
