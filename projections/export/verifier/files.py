"""The files: the hash of each, and the two manifests and the list of pieces, computed again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

from projections.export.verifier.container import Export
from projections.export.verifier.places import MANIFEST, PIECES, SELF_TELLING, TAGMANIFEST, TAGS, UNLISTED
from projections.export.verifier.texts import turned_back
from projections.export.verifier.trouble import AlteredError


def piece_bytes(size: int) -> int:
    """Return the size of the pieces of a file of this size."""
    long = 1024
    while long * 1024 < size:
        long *= 2
    return long


class Files:
    """The hashes of an export's files and pieces, and the files that follow from them."""

    def __init__(self, export: Export) -> None:
        self.digests: dict[str, str] = {}
        self._pieces: dict[str, list[bytes]] = {}
        for path, member in export.members.items():
            own = sha256()
            listed = path not in UNLISTED and not path.startswith(SELF_TELLING)
            long = piece_bytes(member.size)
            pieces = self._pieces.setdefault(path, []) if listed else []
            for block in export.blocks(path, max(long, 1 << 20)):
                own.update(block)
                if listed:
                    pieces += [sha256(block[at : at + long]).digest() for at in range(0, len(block), long)]
            self.digests[path] = own.hexdigest()
        self.sizes = {path: member.size for path, member in export.members.items()}

    def manifest(self, paths: Iterable[str]) -> str:
        """Return the lines of a manifest of these files."""
        return "".join(f"{self.digests[path]}  {path}\n" for path in sorted(paths))

    @property
    def expected(self) -> dict[str, str]:
        """Return the required text of the two manifests and of the list of pieces."""
        return {
            MANIFEST: self.manifest(path for path in self.digests if path.startswith("data/")),
            TAGMANIFEST: self.manifest(TAGS),
            PIECES: "".join(
                f"{digest.hex()}  {number * piece_bytes(self.sizes[path])}  {path}\n"
                for path in sorted(self._pieces)
                for number, digest in enumerate(self._pieces[path])
            ),
        }

    def wrong_piece(self, path: str, listed: str) -> tuple[int, int, bytes]:
        """Return the first piece of a file that differs from the list: its first byte, its length, its listed hash."""
        long, said = piece_bytes(self.sizes[path]), {}
        for line in listed.splitlines():
            told = re.fullmatch("([0-9a-f]{64})  ([0-9]{1,15})  (.+)", line)
            if told is not None and told[3] == path:
                said[int(told[2])] = bytes.fromhex(told[1])
        for at in range(0, self.sizes[path], long):
            if said.get(at) != self._pieces[path][at // long]:
                return at, long, said.get(at, b"")
        return self.sizes[path], 0, b""


def first_other_line(path: str, here: str, wanted: str) -> AlteredError:
    """Locate where a file that follows from other files differs from its required text."""
    ours, theirs = here.split("\n"), wanted.split("\n")
    number = next((n for n, (one, other) in enumerate(zip(ours, theirs)) if one != other), min(len(ours), len(theirs)))
    byte = sum(len(line.encode()) + 1 for line in ours[:number])
    own, due = (lines[number] if number < len(lines) else "" for lines in (ours, theirs))
    byte += next((n for n, (one, other) in enumerate(zip(own, due)) if one != other), min(len(own), len(due)))
    return AlteredError(f"{own!r} is here, but {due!r} follows from the other files", path, line=number + 1, byte=byte)


def damaged(export: Export, files: Files, path: str) -> AlteredError:
    """Locate where a file differs from the signed one, by the hashes of its pieces."""
    says = "it is not the file that was signed"
    at, long, due = files.wrong_piece(path, export.text(PIECES))
    byte = turned_back(export.part(export.members[path], at, long), due)
    line = 0
    if path.endswith((".csv", ".txt", ".json", ".jsonl", ".py", ".pub")):
        line = 1 + export.line_ends(path, at + max(byte, 0))
    if byte >= 0:
        return AlteredError(f"{says}: one bit of this byte was flipped", path, line=line, byte=at + byte)
    return AlteredError(f"{says}: the {long} bytes from here on differ", path, line=line, byte=at)


def manifest_lines(export: Export, path: str) -> dict[str, str]:
    """Return the hashes of a manifest, by path."""
    found = {}
    for line in export.lines(path):
        said = re.fullmatch(rb"([0-9a-f]{64})  ([!-~]+)", line.text)
        if said is None:
            raise AlteredError("this is not a line of a manifest", path, line=line.number, byte=line.byte)
        found[said[2].decode()] = said[1].decode()
    return found
