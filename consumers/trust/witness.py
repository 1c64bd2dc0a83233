"""A witness: stores the last head it saw of each property, and signs the next one only if it continues that one.

Its folder is its own: its key, and `seen.json` with the last heads and their keys. What it saw is durable before it
returns a signature; a head that contradicts it is stored in a file that proves the contradiction to anyone.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from consumers.gateway.keys import KeyStore, KeyTroubleError, verify
from consumers.trust.keys import FileSigner, checked_name, made
from domain.ledger.checkpoint import (
    COSIGNED,
    BadNoteError,
    NoteKey,
    cosigned,
    parsed_checkpoint,
    parsed_key,
    parsed_note,
)
from domain.ledger.rotation import followed, key_at
from domain.ledger.witnessing import ShownHead, WitnessRefusal, head_of, judged

SEEN_FILE: Final = "seen.json"
KEYS: Final = "keys"
OWNER: Final = "witness"


class WitnessedHead(msgspec.Struct, frozen=True):
    """The last head of one property, and the property's key then."""

    key: str
    note: str


class Memory(msgspec.Struct):
    """The state of a witness: its own key, and each property by name."""

    key: str
    seen: dict[str, WitnessedHead] = {}


class NotWitnessedError(Exception):
    """A head that was refused; the message says why, and names the file that proves it."""

    def __init__(self, refused: WitnessRefusal, proof: Path) -> None:
        super().__init__(f"{refused.reason}: {refused.says}. Both heads are kept in {proof}")
        self.refused = refused
        self.proof = proof


class Witness:
    """A witness in its folder, used by one process at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        file = folder / SEEN_FILE
        try:
            self._memory = msgspec.json.decode(file.read_bytes(), type=Memory)
        except OSError as error:
            says = f"{folder} has no witness: {file} cannot be read ({error.strerror})"
            raise KeyTroubleError(f"{says}. Make one with catwalk witness make NAME") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise KeyTroubleError(f"{file} is not a witness's memory: {error}. Restore a backup") from error
        self.signer = FileSigner(KeyStore(folder / KEYS), parsed_key(self._memory.key), 1, OWNER)

    @property
    def key(self) -> NoteKey:
        """The witness's public key."""
        return self.signer.key

    @property
    def seen(self) -> dict[str, WitnessedHead]:
        """The last head of each property."""
        return self._memory.seen

    def size_seen(self, origin: str) -> int:
        """The number of leaves of a property's last head; 0 if none was seen."""
        seen = self.seen.get(origin)
        return 0 if seen is None else parsed_checkpoint(parsed_note(seen.note).text).size

    def sees(
        self,
        shown: Sequence[ShownHead],
        now_seconds: int,
        *,
        trusted: NoteKey | None = None,
        rotations: Iterable[str] = (),
        path_due: bool = False,
    ) -> str:
        """Check heads, each continuing the one before, and return the last one with the witness's signature.

        `trusted` is the property's key, required for its first head; later heads may be signed by successor keys, as
        the notes about them show.
        """
        origin = parsed_checkpoint(parsed_note(shown[-1].note).text).origin
        seen = self.seen.get(origin)
        first = parsed_key(seen.key) if seen is not None else trusted
        if first is None or (trusted is not None and trusted.name != origin):
            raise BadNoteError(f"this witness has no key of {origin}: give it with --key")
        later = followed(first, rotations, verify)
        if trusted is not None and trusted not in (first, *(told.key for told in later)):
            raise BadNoteError(f"{trusted.text} is neither the known key of {origin} nor a successor of it")
        last = seen
        for each in shown:
            key = key_at(parsed_checkpoint(parsed_note(each.note).text).size, first, later)
            head_of(each.note, key, verify)
            if last is not None:
                refused = judged(last.note, each, key, verify, parsed_key(last.key), path_due=path_due)
                if refused is not None:
                    raise NotWitnessedError(refused, self._kept(origin, refused))
            last = WitnessedHead(key.text, each.note)
        if last is None:
            raise BadNoteError("the input has no head")
        self._remember(origin, last)
        return cosigned(parsed_note(last.note), self.key, self.signer.sign, now_seconds).stored

    def _remember(self, origin: str, seen: WitnessedHead) -> None:
        _put(self.folder / SEEN_FILE, msgspec.structs.replace(self._memory, seen={**self.seen, origin: seen}))
        self._memory.seen[origin] = seen

    def _kept(self, origin: str, refused: WitnessRefusal) -> Path:
        """The file of a refusal; the same refusal always gets the same file."""
        content = msgspec.json.format(msgspec.json.encode(refused), indent=2) + b"\n"
        safe = "".join(letter if letter.isalnum() else "-" for letter in origin)
        number = 1
        while (file := self.folder / f"refused-{safe}-{number}.json").exists() and file.read_bytes() != content:
            number += 1
        _write(file, content)
        return file


@contextmanager
def open_witness(folder: Path) -> Iterator[Witness]:
    """Open the witness of a folder, exclusively."""
    if not folder.is_dir():
        raise KeyTroubleError(f"{folder} has no witness. Make one with catwalk witness make NAME")
    with (folder / ".held").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield Witness(folder)


def begin(folder: Path, name: str) -> NoteKey:
    """Make a witness's key and memory; a repeated request returns the same witness."""
    key = made(KeyStore(folder / KEYS), checked_name(name), owner=OWNER, kind=COSIGNED).key
    file = folder / SEEN_FILE
    if not file.exists():
        _put(file, Memory(key.text))
    known = Witness(folder).key
    if known != key:
        raise KeyTroubleError(f"{folder} already has the witness {known.name}: use another folder for another witness")
    return key


def _put(file: Path, memory: Memory) -> None:
    _write(file, msgspec.json.format(msgspec.json.encode(memory), indent=2) + b"\n")


def _write(file: Path, content: bytes) -> None:
    """Write a file completely or not at all, safe against a power cut."""
    unfinished = file.with_name(f".{file.name}.unfinished")
    with unfinished.open("wb") as open_file:
        open_file.write(content)
        open_file.flush()
        os.fsync(open_file.fileno())
    unfinished.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
