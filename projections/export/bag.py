"""BagIt: the manifests of an export, with a hash for each file and each piece."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from projections.export.question import ExportQuestion

BAGIT: Final = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
TAGGED: Final = (
    "HOW-TO-VERIFY.txt",
    "bag-info.txt",
    "bagit.txt",
    "manifest-sha256.txt",
    "pieces-sha256.txt",
    "verify.py",
)
# These files carry their own proofs record by record, or their hashes are elsewhere.
_NOT_IN_PIECES = (
    "data/facts/",
    "data/findings/",
    "data/desk/",
    "data/proofs/stretches/",
    "data/proofs/records/",
    "data/proofs/earlier.jsonl",
    "data/proofs/after.jsonl",
)
LEAST_PIECE, MOST_PIECES = 1_024, 1_024


class FileDigest(msgspec.Struct, frozen=True):
    """A file's size, its hash, and the hashes of its pieces."""

    size: int
    digest: str
    pieces: tuple[str, ...] = ()


def weighed(path: str, file: Path) -> FileDigest:
    """Return the size and hashes of a file, read once."""
    size = file.stat().st_size
    whole, pieces, step = sha256(), [], piece_of(size)
    in_pieces = not path.startswith(_NOT_IN_PIECES)
    with file.open("rb") as content:
        while piece := content.read(step):
            whole.update(piece)
            if in_pieces:
                pieces.append(sha256(piece).hexdigest())
    return FileDigest(size, whole.hexdigest(), tuple(pieces))


def piece_of(size: int) -> int:
    """Return the size of the pieces of a file of this size."""
    step = LEAST_PIECE
    while step * MOST_PIECES < size:
        step *= 2
    return step


def manifest(files: Mapping[str, FileDigest], paths: Iterable[str]) -> bytes:
    """Return the manifest: a line per file, in the order of their paths."""
    return "".join(f"{files[path].digest}  {path}\n" for path in sorted(paths)).encode()


def pieces(files: Mapping[str, FileDigest]) -> Iterator[bytes]:
    """The list of pieces: a line per piece, in the order of the paths."""
    for path in sorted(files):
        step = piece_of(files[path].size)
        for number, digest in enumerate(files[path].pieces):
            yield f"{digest}  {number * step}  {path}\n".encode()


def info(question: ExportQuestion, payload: Iterable[FileDigest]) -> bytes:
    """Return the lines of `bag-info.txt`."""
    count = total = 0
    for each in payload:
        count, total = count + 1, total + each.size
    lines = {
        "Source-Organization": question.checkpoint.origin,
        "Bagging-Date": question.checkpoint.time[:10],
        "External-Identifier": question.name,
        "Bag-Software-Agent": question.software,
        "Payload-Oxum": f"{total}.{count}",
    }
    return "".join(f"{name}: {value}\n" for name, value in lines.items()).encode()
