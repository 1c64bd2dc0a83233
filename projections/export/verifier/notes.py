"""Checkpoints: signed notes (C2SP) that hold the head of the property's tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from typing import NamedTuple

from projections.export.verifier.signatures import signed_by
from projections.export.verifier.texts import CONTROLS, from_base64

ED25519_NOTE, COSIGNED_NOTE = 1, 4
MOST_OF_A_NOTE = 1 << 16
DIGEST_BYTES = 32
MOST_STEPS = 128  # of a proof between two trees
LATEST_SECOND = 253_402_300_799  # of the year 9999


class Key(NamedTuple):
    """A key whose signature is expected; a key given without a name takes the name of the checkpoint."""

    name: str
    public: bytes

    def id(self, kind: int) -> bytes:
        """Return the four bytes by which a signature line identifies its key."""
        return sha256(self.name.encode() + b"\n" + bytes([kind]) + self.public).digest()[:4]


class Note(NamedTuple):
    """A text with signatures: for each the name, four bytes that identify the key, and the signature."""

    text: str
    signatures: list[tuple[str, bytes, bytes]]

    def signed(self, key: Key) -> bool:
        """Return whether the property's key signed it. Raise if a line claims so but does not match."""
        for value in self._of(key, ED25519_NOTE):
            if not signed_by(key.public, value, self.text.encode()):
                raise ValueError(f"the signature of {key.name} does not match this text")
            return True
        return False

    def cosigned(self, key: Key) -> tuple[str, str]:
        """Return the name under which a witness cosigned it and the time it saw it, or empty texts."""
        for name in sorted({name for name, _, _ in self.signatures if key.name in ("", name)}):
            for value in self._of(Key(name, key.public), COSIGNED_NOTE):
                seconds = int.from_bytes(value[:8], "big")
                words = f"cosignature/v1\ntime {seconds}\n{self.text}".encode()
                if not signed_by(key.public, value[8:], words):
                    raise ValueError(f"the signature of the witness {name} does not match this text")
                return name, moment_of(seconds)
        return "", ""

    def cosigners(self, origin: str) -> dict[str, str]:
        """Return who else claims to have signed, and when. These signatures are not checked yet."""
        found: dict[str, str] = {}
        for name, _, value in self.signatures:
            seconds = int.from_bytes(value[:8], "big")
            if name != origin and name not in found:
                found[name] = moment_of(seconds) if len(value) == 72 and seconds <= LATEST_SECOND else ""
        return found

    def _of(self, key: Key, kind: int) -> list[bytes]:
        found = [value for name, tells, value in self.signatures if (name, tells) == (key.name, key.id(kind))]
        if len(found) > 1:
            raise ValueError(f"{key.name} has signed twice")
        return found


class Head(NamedTuple):
    """The head of the property's tree, as a note states it."""

    note: Note
    origin: str
    size: int
    root: bytes
    time: str


class GivenHead(NamedTuple):
    """A checkpoint from outside, with the proof that came with it from a smaller size; 0 means no proof."""

    note: str
    since: int = 0
    path: Sequence[bytes] = ()


def moment_of(seconds: int) -> str:
    """Return a second in the form of checkpoints, in UTC."""
    if seconds > LATEST_SECOND:
        raise ValueError(f"second {seconds} is not in a year of four digits")
    return (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def is_moment(text: str) -> bool:
    """Return whether this text is a second in the form of checkpoints."""
    if not re.fullmatch("[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}Z", text):
        return False
    try:
        datetime.fromisoformat(text[:-1])
    except ValueError:
        return False
    return True


def note_of(stored: str) -> Note:
    """Return the signed note in this text, parsed strictly, so that no two texts give the same note."""
    if len(stored) > MOST_OF_A_NOTE:
        raise ValueError(f"it has {len(stored)} letters; a signed note has at most {MOST_OF_A_NOTE}")
    text, between, lines = stored.rpartition("\n\n")
    if not between or not lines.endswith("\n") or CONTROLS.search(stored):
        raise ValueError("it is not a signed note: text, an empty line, signatures")
    signatures = []
    for line in lines[:-1].split("\n"):
        found = re.fullmatch("\u2014 ([^ +]+) ([A-Za-z0-9+/=]+)", line)
        raw = from_base64(found[2]) if found else b""
        if found is None or len(raw) < 5:
            raise ValueError(f"this is not a signature line: {line!r}")
        signatures.append((found[1], raw[:4], raw[4:]))
    return Note(text + "\n", signatures)


def head_of(stored: str) -> Head:
    """Return the checkpoint in this signed note."""
    note = note_of(stored)
    said = note.text[:-1].split("\n")
    if len(said) < 4 or not all(said) or not said[3].startswith("time "):
        raise ValueError("a checkpoint has a name, a size, a root and a time, each on its own line")
    if not re.fullmatch(r"[1-9][0-9]{0,15}", said[1]):
        raise ValueError(f"{said[1]!r} is not a number of leaves")
    root = from_base64(said[2])
    if len(root) != DIGEST_BYTES:
        raise ValueError("the root is not a hash")
    if not is_moment(said[3][5:]):
        raise ValueError(f"{said[3]!r} is not a time: a checkpoint gives it in whole seconds of UTC")
    if [name for name, _, _ in note.signatures if name == said[0]] != [note.signatures[0][0]]:
        raise ValueError("the property's signature is not the first, or is there twice")
    return Head(note, said[0], int(said[1]), root, said[3][5:])


def given_head(text: str) -> GivenHead:
    """Return a checkpoint given by a person: the signed note alone, or with a proof before it, as witnesses get it."""
    if not text.startswith("old "):
        return GivenHead(text)
    lines, between, note = text.partition("\n\n")
    since, *steps = lines[len("old ") :].split("\n")
    if not between or not re.fullmatch("0|[1-9][0-9]{0,15}", since) or len(steps) > MOST_STEPS:
        raise ValueError(
            "a checkpoint with a proof has the size the proof begins at, the proof, an empty line and the note"
        )
    return GivenHead(note, int(since), [from_base64(step) for step in steps])
