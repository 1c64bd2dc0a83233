"""The record's own faults: what stands in the tree as it is here, and should never have got onto the record.

A seal that does not hold, a record that nobody can read, a broken chain: the property, and whoever may say facts to
it, can have put them there, and no export can leave them out. So they are told one by one, and the export is what
was signed all the same. The table `faults` has them. One that is only there, or only in the record, is altered.
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
    UNREAD: "nobody can read it, says the property, and it is left out of the tables",
    CHAIN: "it does not name the record before it",
    GAP: "no leaf of the property's tree holds it",
    TWO_KEEPERS: "two keepers ran at once: two leaves of the tree hold it, both truly; nothing is missing",
    "key-unknown": "the seal does not hold: the property's facts tell of no key of its name",
    "key-of-another-table": "the seal does not hold: its key is for another table",
    "covers-wrong": "the seal does not hold: it covers another record, or names another hash of it",
    "key-not-yet-valid": "the seal does not hold: its key was not valid yet",
    "key-expired": "the seal does not hold: its key was not valid any more",
    "key-revoked": "the seal does not hold: its key had been revoked",
    "signature-wrong": "the seal does not hold: the signature is not of what it covers",
    "source-signature-missing": "its source signs its lines, and this one has no signature",
    "source-signature-wrong": "the signature is not its source's over what it says",
    "source-unknown": "it is signed, and the property's facts tell of no key of its source",
}


class Faults:
    """The faults that the table tells of, and those that are found."""

    def __init__(self, export: Export, tally: Tally) -> None:
        self._tally, self._told, self._found = tally, dict[tuple[str, ...], int](), set[tuple[str, ...]]()
        self.unchecked = 0  # signatures of seals told to be wrong, which were not looked at
        last: tuple[str, str, int, str] | None = None
        for row in table_rows(export, "faults"):
            kind, stream, sequence, fault = row.cells
            here = (kind, stream, int(sequence or 0), fault)
            if fault not in FAULTS or (last is not None and here <= last):
                says = f"row {row.number} is no fault of a record, or not in its order"
                raise AlteredError(says, table_path("faults"), line=row.line, byte=row.byte)
            self._told[kind, stream, sequence, fault], last = row.line, here

    def unread(self, shown: Shown, sequence: int) -> bool:
        """Whether the property says that nobody can read a record."""
        return self.tells(shown, sequence, UNREAD)

    def tells(self, shown: Shown, sequence: int, fault: str) -> bool:
        """Whether the table tells of this fault."""
        return (shown.kind, shown.stream, str(sequence), fault) in self._told

    def found(self, shown: Shown, sequence: int, fault: str, error: AlteredError | None = None) -> None:
        """One is found; one that the table does not tell of alters it."""
        here = (shown.kind, shown.stream, str(sequence), fault)
        where = error or shown.wrong(FAULTS[fault], sequence)
        if here in self._found:
            return
        if here not in self._told:
            says = f"{where}; and the table faults does not tell of it"
            raise shown.wrong(says.partition(": ")[2], sequence)
        self._found.add(here)
        self._tally.reports(where)

    def not_checked(self, shown: Shown, sequence: int, fault: str = "signature-wrong") -> None:
        """A signature nobody looks at: the table may tell of it and nobody knows."""
        here = (shown.kind, shown.stream, str(sequence), fault)
        if here in self._told:
            self._found.add(here)
            self.unchecked += 1

    def end(self) -> None:
        """Behind all records: every fault that is told was found."""
        for kind, stream, sequence, fault in self._left():
            says = f"the {kind} {stream} have no such fault at {sequence}: {fault}"
            raise AlteredError(says, table_path("faults"), line=self._told[kind, stream, sequence, fault])

    def _left(self) -> Iterator[tuple[str, ...]]:
        return (each for each in self._told if each not in self._found)
