"""The record's own faults: errors that are in the tree exactly as they are here.

An invalid seal, an unreadable record, a broken chain: the property, or a source that may state facts to it,
can have caused them, and no export can leave them out. So each is reported, and the export still counts as what was
signed. The table `faults` lists them. A fault that is only in the table, or only in the record, is an alteration.
"""

from __future__ import annotations

from collections.abc import Iterator

from projections.export.verifier.container import Export
from projections.export.verifier.places import table_path
from projections.export.verifier.stretches import Shown
from projections.export.verifier.tables import table_rows
from projections.export.verifier.trouble import AlteredError
from projections.export.verifier.verdict import Tally

UNREAD, CHAIN, GAP, TWO_KEEPERS = "unread", "chain-broken", "gap", "two-keepers"
FAULTS = {
    UNREAD: "the property reports it as unreadable, and the tables leave it out",
    CHAIN: "it does not name the record before it",
    GAP: "no leaf of the property's tree holds it",
    TWO_KEEPERS: "two keepers ran at the same time: two leaves of the tree hold it, both right; nothing is missing",
    "key-unknown": "the seal is invalid: the property's facts register no key of this name",
    "key-of-another-table": "the seal is invalid: its key is for another table",
    "covers-wrong": "the seal is invalid: it covers another record, or names a different hash for it",
    "key-not-yet-valid": "the seal is invalid: its key was not valid yet",
    "key-expired": "the seal is invalid: its key had expired",
    "key-revoked": "the seal is invalid: its key had been revoked",
    "signature-wrong": "the seal is invalid: its signature does not match what it covers",
    "source-signature-missing": "its source signs its lines, but this one has no signature",
    "source-signature-wrong": "its signature is not its source's signature of this fact",
    "source-unknown": "it is signed, but the property's facts register no key of its source",
}


class Faults:
    """The faults that the table lists, and those that are found."""

    def __init__(self, export: Export, tally: Tally) -> None:
        self._tally, self._told, self._found = tally, dict[tuple[str, ...], int](), set[tuple[str, ...]]()
        self.unchecked = 0  # seals listed with a wrong signature that was not checked
        last: tuple[str, str, int, str] | None = None
        for row in table_rows(export, "faults"):
            kind, stream, sequence, fault = row.cells
            here = (kind, stream, int(sequence or 0), fault)
            if fault not in FAULTS or (last is not None and here <= last):
                says = f"row {row.number} is not a fault of a record, or is out of order"
                raise AlteredError(says, table_path("faults"), line=row.line, byte=row.byte)
            self._told[kind, stream, sequence, fault], last = row.line, here

    def unread(self, shown: Shown, sequence: int) -> bool:
        """Return whether the property lists a record as unreadable."""
        return self.tells(shown, sequence, UNREAD)

    def tells(self, shown: Shown, sequence: int, fault: str) -> bool:
        """Return whether the table lists this fault."""
        return (shown.kind, shown.stream, str(sequence), fault) in self._told

    def found(self, shown: Shown, sequence: int, fault: str, error: AlteredError | None = None) -> None:
        """Report a found fault; one that the table does not list is an alteration."""
        here = (shown.kind, shown.stream, str(sequence), fault)
        where = error or shown.wrong(FAULTS[fault], sequence)
        if here in self._found:
            return
        if here not in self._told:
            says = f"{where}; but the table faults does not list it"
            raise shown.wrong(says.partition(": ")[2], sequence)
        self._found.add(here)
        self._tally.reports(where)

    def not_checked(self, shown: Shown, sequence: int, fault: str = "signature-wrong") -> None:
        """Count a listed fault whose signature is not checked."""
        here = (shown.kind, shown.stream, str(sequence), fault)
        if here in self._told:
            self._found.add(here)
            self.unchecked += 1

    def end(self) -> None:
        """Check after the last record that every listed fault was found."""
        for kind, stream, sequence, fault in self._left():
            says = f"the {kind} of {stream} have no such fault at record {sequence}: {fault}"
            raise AlteredError(says, table_path("faults"), line=self._told[kind, stream, sequence, fault])

    def _left(self) -> Iterator[tuple[str, ...]]:
        return (each for each in self._told if each not in self._found)
