"""The table `faults`: problems noted of records while they were written, and invalid seals."""

from collections.abc import Iterator
from itertools import chain, groupby
from pathlib import Path

import msgspec

from consumers.exporting.staging import BAG, Staging
from consumers.exporting.writing import FAULTS, StreamLine
from consumers.gateway.keys import verify
from domain.ledger.chain import digest
from domain.ledger.seals import KeyRegister
from domain.ledger.source_register import SourceRegister
from domain.ledger.stretches import Proven
from domain.watch.record import sealed_by
from projections.export import faults, proofs
from projections.export.columns import Cells
from projections.export.faults import Fault
from projections.export.layout import STREAMS


class _NamedSequence(msgspec.Struct):
    sequence: int


def rows_of(staging: Staging, register: KeyRegister, sources: SourceRegister) -> list[Cells]:
    """The rows of the table. The keys are known once all streams are written, so every seal is checked then."""
    found = {msgspec.json.decode(line, type=Fault) for line in staging.noted(FAULTS)}
    unread = {(each.kind, each.stream, each.sequence) for each in found if each.fault == faults.UNREAD}
    lines = [msgspec.json.decode(line, type=StreamLine) for line in staging.noted(f"{BAG}/{STREAMS}")]
    shown = {line.stream: line for line in lines if line.kind == "findings"}
    for line in lines:
        records = [] if line.kind == "desk" else _lines(staging, line)
        readable = ((at, stored) for at, stored in records if (line.kind, line.stream, at) not in unread)
        if line.kind == "facts":
            shown_facts = list(readable)
            found.update(faults.of_seals(line.stream, shown_facts, register, verify))
            found.update(faults.of_sources(line.stream, shown_facts, sources, verify))
        elif of := sealed_by(line.stream):
            hashes = {at: digest(stored) for at, stored in _lines(staging, shown[of])} if of in shown else None
            found.update(faults.of_findings_seals(line.stream, readable, register, verify, hashes))
    return [(each.kind, each.stream, each.sequence, each.fault) for each in sorted(found)]


def _lines(staging: Staging, line: StreamLine) -> Iterator[tuple[int, bytes]]:
    """The exported records of a stream, by sequence."""
    file = staging.path(f"{BAG}/data/{line.kind}/{line.stream}.jsonl")
    if line.whole:
        proven = staging.path(f"{BAG}/data/proofs/stretches/{line.kind}/{line.stream}.jsonl")
        stretches = (msgspec.json.decode(each, type=Proven).stretch for each in _stored(proven))
        yield from zip(chain.from_iterable(proofs.covered(stretches)), _stored(file), strict=True)
        return
    places = staging.path(f"{BAG}/data/proofs/records/{line.kind}/{line.stream}.jsonl")
    told = (msgspec.json.decode(each, type=_NamedSequence).sequence for each in _stored(places))
    yield from zip((sequence for sequence, _ in groupby(told)), _stored(file), strict=True)


def _stored(file: Path) -> Iterator[bytes]:
    with file.open("rb") as lines:
        for each in lines:
            yield faults.as_stored(each[:-1])
