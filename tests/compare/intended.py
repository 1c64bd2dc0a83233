"""The differences between release 0.1 and this code that are on purpose; every other difference is a fault."""

import re
from typing import Any, Final, NamedTuple


class Difference(NamedTuple):
    """A field of a finding or row, or a file of an export, that two codes make differently."""

    place: str
    field: str
    before: Any
    after: Any


# The store's own bookkeeping: positions, files, generations.
OWN_TABLES: Final = frozenset({"about", "dead", "files", "masks", "newest", "positions"})
# Files of an export that carry the program, its digest, its sentences, or the digests of the other files.
OWN_FILES: Final = frozenset(
    {
        "bag-info.txt",
        "data/question.json",  # names the editions by their digests
        "data/report.pdf",
        "data/tables.xlsx",
        "HOW-TO-VERIFY.txt",
        "manifest-sha256.txt",
        "pieces-sha256.txt",
        "statement.dsse.json",
        "tagmanifest-sha256.txt",
        "verify.py",
    }
)
_DIGEST = re.compile(rb"\b[0-9a-f]{64}\b")
_BOOK = re.compile(rb"(?:UTH-MA|UTH-MD|PIK|FAH|COL),[0-9a-f]{64}\b")
_KINDS: Final = {
    "detectors": "the version of the detectors",
    "previous": "the hash of the record before, which follows from its bytes",
    "book_digest": "an edition's digest is over its values, no longer over its file's bytes",
    "says": "a sentence in plainer English",
}


def differs(each: Difference) -> str:
    """The kind of an intended difference, or nothing."""
    return _KINDS.get(each.field, "")


def plain(content: bytes) -> bytes:
    """A file of an export without the digests of editions."""
    return _BOOK.sub(lambda found: found[0].split(b",")[0], content)
