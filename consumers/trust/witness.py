"""A witness: keeps the last head it saw of each property, and signs the next one only if it goes on from there.

Its folder is its own: its key, and `seen.json` with what it saw and by which key. What it saw is durable before its
signature leaves; what contradicts it is kept in a file that proves it to everybody.
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
from domain.ledger.checkpoint import COSIGNED, BadNoteError, Key, cosigned, parsed_checkpoint, parsed_key, parsed_note
from domain.ledger.rotation import followed, key_at
from domain.ledger.witnessing import Refused, Shown, head_of, judged

SEEN_FILE: Final = "seen.json"
KEYS: Final = "keys"
OWNER: Final = "witness"


class Seen(msgspec.Struct, frozen=True):
    """The last head of one property, and the property's key then."""

    key: str
    note: str


class Memory(msgspec.Struct):
    """What a witness knows: its own key, and each property by its name."""

    key: str
    seen: dict[str, Seen] = {}


class NotWitnessedError(Exception):
    """A head that is not signed: what is wrong with it, and the file that proves it, where one does."""

    def __init__(self, refused: Refused, proof: Path) -> None:
        super().__init__(f"{refused.reason}: {refused.says}. Both heads are kept in {proof}")
        self.refused = refused
        self.proof = proof


class Witness:
    """A witness in its folder, held by one process at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        file = folder / SEEN_FILE
        try:
            self._memory = msgspec.json.decode(file.read_bytes(), type=Memory)
        except OSError as error:
            says = f"no witness lives in {folder}: {file} cannot be read ({error.strerror})"
            raise KeyTroubleError(f"{says}. Make one with catwalk witness make NAME") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise KeyTroubleError(f"{file} does not tell what was seen: {error}. Restore a backup") from error
        self.signer = FileSigner(KeyStore(folder / KEYS), parsed_key(self._memory.key), 1, OWNER)

    @property
    def key(self) -> Key:
        """Its public key."""
        return self.signer.key

    @property
    def seen(self) -> dict[str, Seen]:
        """The last head of each property."""
        return self._memory.seen

    def size_seen(self, origin: str) -> int:
        """How many leaves the last head of a property had; 0 where none was seen."""
        seen = self.seen.get(origin)
        return 0 if seen is None else parsed_checkpoint(parsed_note(seen.note).text).size

    def sees(
        self,
        shown: Sequence[Shown],
        now_seconds: int,
        *,
        trusted: Key | None = None,
        rotations: Iterable[str] = (),
        path_due: bool = False,
    ) -> str:
        """Looks at heads, each going on from the one before, and gives the last one back with its signature.

        `trusted` is the property's key, which must be given for the first head of it; later ones may be signed by
        keys that took its place, as the notes about them tell.
        """
        origin = parsed_checkpoint(parsed_note(shown[-1].note).text).origin
        seen = self.seen.get(origin)
        first = parsed_key(seen.key) if seen is not None else trusted
        if first is None or (trusted is not None and trusted.name != origin):
            raise BadNoteError(f"nobody told this witness the key of {origin}: give it with --key")
        later = followed(first, rotations, verify)
        if trusted is not None and trusted not in (first, *(told.key for told in later)):
            raise BadNoteError(f"{trusted.text} is neither the key of {origin} known here nor one that took its place")
        last = seen
        for each in shown:
            key = key_at(parsed_checkpoint(parsed_note(each.note).text).size, first, later)
            head_of(each.note, key, verify)
            if last is not None:
                refused = judged(last.note, each, key, verify, parsed_key(last.key), path_due=path_due)
                if refused is not None:
                    raise NotWitnessedError(refused, self._kept(origin, refused))
            last = Seen(key.text, each.note)
        if last is None:
            raise BadNoteError("no head is shown")
        self._remember(origin, last)
        return cosigned(parsed_note(last.note), self.key, self.signer.sign, now_seconds).stored

    def _remember(self, origin: str, seen: Seen) -> None:
        _put(self.folder / SEEN_FILE, msgspec.structs.replace(self._memory, seen={**self.seen, origin: seen}))
        self._memory.seen[origin] = seen

    def _kept(self, origin: str, refused: Refused) -> Path:
        """A file of its own for each refusal; the same one again is the same file."""
        content = msgspec.json.format(msgspec.json.encode(refused), indent=2) + b"\n"
        safe = "".join(letter if letter.isalnum() else "-" for letter in origin)
        number = 1
        while (file := self.folder / f"refused-{safe}-{number}.json").exists() and file.read_bytes() != content:
            number += 1
        _write(file, content)
        return file


@contextmanager
def open_witness(folder: Path) -> Iterator[Witness]:
    """The witness of a folder, alone in it."""
    if not folder.is_dir():
        raise KeyTroubleError(f"no witness lives in {folder}. Make one with catwalk witness make NAME")
    with (folder / ".held").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield Witness(folder)


def begin(folder: Path, name: str) -> Key:
    """Makes a witness's key and its memory; the same asked again is the same witness."""
    key = made(KeyStore(folder / KEYS), checked_name(name), owner=OWNER, kind=COSIGNED).key
    file = folder / SEEN_FILE
    if not file.exists():
        _put(file, Memory(key.text))
    known = Witness(folder).key
    if known != key:
        raise KeyTroubleError(f"{known.name} lives in {folder} already: another witness wants another folder")
    return key


def _put(file: Path, memory: Memory) -> None:
    _write(file, msgspec.json.format(msgspec.json.encode(memory), indent=2) + b"\n")


def _write(file: Path, content: bytes) -> None:
    """A file that is there whole or not at all, and there after a power cut."""
    unfinished = file.with_name(f".{file.name}.unfinished")
    with unfinished.open("wb") as open_file:
        open_file.write(content)
        open_file.flush()
        os.fsync(open_file.fileno())
    unfinished.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
