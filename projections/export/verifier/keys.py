"""The property's keys: as somebody gives one, and as signed notes tell of one after the other."""

from __future__ import annotations

import base64
import re
from typing import NamedTuple

from projections.export.verifier.container import Export
from projections.export.verifier.notes import COSIGNED_NOTE, ED25519_NOTE, Key, note_of
from projections.export.verifier.places import ROTATIONS
from projections.export.verifier.texts import from_base64, laid_down, parsed
from projections.export.verifier.trouble import AlteredError, altered

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


class Told(NamedTuple):
    """A key of the property, and from which size of the tree on it signs."""

    key: Key
    size: int


def told_of(stored: str, before: Told | None) -> Told:
    """The key a note tells of: the first signs for itself, a later one together with the one whose place it takes."""
    note = note_of(stored)
    instead = r"instead of (?P<instead>\S+)\n" if before else ""
    words = rf"(?P<name>.+)\nkey (?P<key>\S+)\n{instead}from size (?P<size>[0-9]{{1,15}})\ntime \S+\n"
    found = re.fullmatch(words, note.text)
    if found is None:
        raise ValueError("it tells of no key of the property, or not behind the one before")
    told = Told(key_of(found["key"]), int(found["size"]))
    if before and (key_of(found["instead"]) != before.key or told.size < before.size):
        raise ValueError("it tells of a key that takes another one's place")
    if told.key.name != found["name"] or not all(note.signed(each.key) for each in (told, before) if each):
        raise ValueError("a note about a key is signed by that key and by the one before it, and this one is not")
    return told


class PropertyKeys:
    """The property's keys, one after the other, as the export tells of them."""

    def __init__(self, export: Export) -> None:
        told: list[Told] = []
        for line in export.lines(ROTATIONS):
            with altered(ROTATIONS, line, "it does not tell of a key"):
                said = parsed(line.text)
                if laid_down({"note": said["note"]}).encode() != line.text:
                    raise ValueError
                told.append(told_of(said["note"], told[-1] if told else None))
        if not told:
            raise AlteredError("it tells of no key", ROTATIONS)
        self._told = told

    @property
    def newest(self) -> Key:
        """The one that signs now."""
        return self._told[-1].key

    def at(self, size: int) -> Key:
        """The one that signs a head of this size."""
        return next((told.key for told in reversed(self._told) if told.size < size), self._told[0].key)

    def has(self, given: Key) -> Key | None:
        """The one that was given from outside, if it is one of them."""
        same = (told.key for told in self._told if told.key.public == given.public)
        return next((key for key in same if given.name in ("", key.name)), None)
