"""Write one stream at a time into an export's files: its records, its proofs, its rows."""

from collections.abc import Collection, Iterable, Mapping

import msgspec

from consumers.exporting.record import HeldStream, readable
from consumers.exporting.staging import Staging
from projections.export import csv_text, faults, proofs
from projections.export.columns import TABLES, Cells
from projections.export.faults import Fault
from projections.export.layout import STREAMS
from projections.export.told import counts

OPEN, LEFT_OUT, DAYS, HANDS, NOTES = "open.jsonl", "left-out.jsonl", "days.jsonl", "hands.jsonl", "notes.jsonl"
FAULTS = "faults.jsonl"
BANK, BEFORE, OUTSIDE, CARDS = "bank.jsonl", "before.jsonl", "outside.jsonl", "cards.jsonl"


class _Typed(msgspec.Struct):
    type: str


_TYPES: msgspec.json.Decoder[_Typed] = msgspec.json.Decoder(_Typed)


class StreamLine(msgspec.Struct, frozen=True):
    """A stream in the list of streams."""

    kind: str
    stream: str
    whole: bool
    last: int
    records: int
    rounds: tuple[int, ...] = ()


class PlacedRecord(msgspec.Struct, frozen=True):
    """The round of a fact that names none, or the place of a correction."""

    stream: str
    sequence: int
    round: int | None = None


class ExportWriter:
    """A writer of streams and rows; every table has its header from the start."""

    def __init__(self, staging: Staging, tables: Iterable[str]) -> None:
        self.staging = staging
        for table in tables:
            if not staging.has(file_of(table)):
                staging.add(file_of(table), csv_text.head(table))

    def stream(
        self,
        held: HeldStream,
        shown: Collection[int] | None = None,
        rounds: Collection[int] = (),
        gaps: Iterable[int] = (),
    ) -> None:
        """Write a whole stream, or these records of it; `gaps` are missing records within the exported rounds."""
        kind, name = held.kind, held.stream
        wanted = held.places if shown is None else sorted(filter(held.has, shown))
        if not wanted:
            return
        lines = held.stored if shown is None else [held.stored[held.at(sequence)] for sequence in wanted]
        unread = frozenset[int]()
        if not held.plain:
            placed = list(zip(wanted, lines, strict=True))
            unread = frozenset(at for at, stored in placed if readable(kind, name, at, stored) is None)
            for fault in faults.of_lines(kind, name, placed, unread):
                self.staging.note(FAULTS, fault)
        self.staging.put(f"data/{kind}/{name}.jsonl", b"".join(faults.as_line(each) + b"\n" for each in lines))
        stretches = held.proven if shown is None else proofs.holding(held.proven, wanted)
        self.staging.put(f"data/proofs/stretches/{kind}/{name}.jsonl", b"".join(map(proofs.line, stretches)))
        for fault in faults.of_stretches(kind, name, (each.stretch for each in stretches)):
            if shown is None or fault.fault != faults.GAP:
                self.staging.note(FAULTS, fault)
        for gap in gaps:
            self.staging.note(FAULTS, Fault(kind, name, gap, faults.GAP))
        if shown is not None:
            told = proofs.placed(stretches, held.places, held.stored, wanted)
            self.staging.put(f"data/proofs/records/{kind}/{name}.jsonl", told)
        line = StreamLine(kind, name, shown is None, held.last, len(lines), tuple(sorted(rounds)))
        self.staging.add(STREAMS, proofs.line(line))
        types = (_TYPES.decode(each).type for at, each in zip(wanted, lines, strict=True) if at not in unread)
        self.rows({"counts": counts(kind, name, types)})

    def rows(self, tables: Mapping[str, Iterable[Cells]]) -> None:
        """Add rows to these tables."""
        for table, rows in tables.items():
            made = csv_text.rows_of(rows)
            if made:
                self.staging.add(file_of(table), made)


def file_of(table: str) -> str:
    """The path of a table's file."""
    if table not in TABLES:
        raise KeyError(table)
    return f"data/tables/{table}.csv"
