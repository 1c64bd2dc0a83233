"""A second edition of Maryland's book, made up for tests: from 1 January 2027 table B of trips pays a flush 7 to 1."""

from pathlib import Path
from typing import Final

from consumers.editions import DIGESTS
from domain.rulebooks import first_file, parse

BOOK: Final = "UTH-MD"
SINCE: Final = "2027-01-01"
_TABLE = b"[tables.trips.B]"
_FLUSH = b'flush = "6 to 1"'


def changed() -> bytes:
    """The file of the second edition."""
    before, table, after = first_file(BOOK).partition(_TABLE)
    return before + table + after.replace(_FLUSH, b'flush = "7 to 1"', 1)


def folder_of(folder: Path, text: bytes | None = None, *, day: str = SINCE, digest: str | None = None) -> Path:
    """A folder of editions as a property keeps it, with this file; its digest is listed, or another."""
    text = changed() if text is None else text
    (folder / "uth-md").mkdir(parents=True, exist_ok=True)
    (folder / "uth-md" / f"{day}.toml").write_bytes(text)
    listed = parse(text).digest if digest is None else digest
    (folder / DIGESTS).write_text(f"{listed}  uth-md/{day}.toml\n" if listed else "")
    return folder
